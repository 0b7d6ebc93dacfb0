#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <lanecull/cull.h>

#include "cull/kernel_work.hpp"

/// Owns the outputs of one view.
struct ViewResult {
    std::vector<std::uint64_t> words;
    std::vector<std::uint32_t> indices;  ///< of all visible objects
    std::uint64_t visible_count = 0;
    lanecull::Counts counts;

    /// For a call with a single batch.
    [[nodiscard]] bool visible(std::size_t object) const { return (words[object / 64] >> object % 64 & 1) != 0; }
    bool operator==(const ViewResult&) const = default;
};

/// Calls cull() with buffers for all outputs. Where cull() fails, the test fails and every object counts as visible.
[[nodiscard]] std::vector<ViewResult> run_cull(std::span<const lanecull::Batch> batches,
                                               std::span<const lanecull::View> views,
                                               const lanecull::CullOptions& options = {});

[[nodiscard]] ViewResult run_cull(const lanecull::Batch& batch, const lanecull::View& view,
                                  const lanecull::CullOptions& options = {});

/// The instruction sets of this build that this machine runs. The scalar set is always among them.
[[nodiscard]] std::span<const lanecull::Isa> runnable_isas();

inline constexpr lanecull::Method all_methods[] = {lanecull::Method::automatic, lanecull::Method::planes,
                                                   lanecull::gjk_alone};

/// isa_name() reduced to letters and digits, for names of tests.
[[nodiscard]] std::string isa_label(lanecull::Isa isa);

[[nodiscard]] const char* method_name(lanecull::Method method);
