#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <lanecull/cull.h>
#include <lanecull/flat.h>

namespace flat_tests {

/// Owns the outputs of one view.
struct FlatResult {
    std::vector<std::uint64_t> words, inside_words;
    std::vector<std::uint32_t> indices;  ///< of all visible objects
    std::vector<lanecull::VisibleRun> runs;
    std::uint64_t visible_count = 0;
    lanecull::Counts counts;

    /// For a call with a single batch.
    [[nodiscard]] bool visible(std::size_t object) const { return (words[object / 64] >> object % 64 & 1) != 0; }
    [[nodiscard]] bool inside(std::size_t object) const { return (inside_words[object / 64] >> object % 64 & 1) != 0; }
    bool operator==(const FlatResult&) const = default;
};

/// Calls cull() with buffers for all lists. Where cull() fails, the test fails and every object counts as visible.
[[nodiscard]] std::vector<FlatResult> run_flat(std::span<const lanecull::flat::Batch> batches,
                                               std::span<const lanecull::flat::View> views,
                                               const lanecull::CullOptions& options = {});

[[nodiscard]] FlatResult run_flat(const lanecull::flat::Batch& batch, const lanecull::flat::View& view,
                                  const lanecull::CullOptions& options = {});

}  // namespace flat_tests
