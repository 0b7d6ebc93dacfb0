#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <lanecull/cull.hpp>

/// One view's outputs, owned.
struct ViewResult {
    std::vector<std::uint64_t> words;
    std::vector<std::uint32_t> indices;  ///< all visible ones
    std::uint64_t visible_count = 0;
    lanecull::Statistics statistics;

    /// Of a call with a single batch.
    [[nodiscard]] bool visible(std::size_t object) const { return (words[object / 64] >> object % 64 & 1) != 0; }
    bool operator==(const ViewResult&) const = default;
};

/// The counts add up: every object was culled or kept for one reason.
void expect_complete(const lanecull::Statistics& statistics, std::uint64_t objects);

/// cull() with room for all outputs. A failure is a test failure, and everything is then visible.
[[nodiscard]] std::vector<ViewResult> run_cull(std::span<const lanecull::Batch> batches,
                                               std::span<const lanecull::View> views,
                                               const lanecull::Options& options = {},
                                               const lanecull::Runner& runner = lanecull::serial_runner());

[[nodiscard]] ViewResult run_cull(const lanecull::Batch& batch, const lanecull::View& view,
                                  const lanecull::Options& options = {});

[[nodiscard]] lanecull::ViewOutput make_output(std::span<std::uint64_t> visible, std::span<std::uint32_t> indices = {});

/// The instruction sets of this build that this machine runs; scalar always.
[[nodiscard]] std::span<const lanecull::Isa> runnable_isas();

inline constexpr lanecull::Method all_methods[] = {lanecull::Method::automatic, lanecull::Method::planes,
                                                   lanecull::Method::gjk};

/// isa_name() in letters and digits alone, for names of tests.
[[nodiscard]] std::string isa_label(lanecull::Isa isa);

[[nodiscard]] const char* method_name(lanecull::Method method);
