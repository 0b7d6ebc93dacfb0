#pragma once

#include <lanecull/batch.h>
#include <lanecull/cull.h>
#include <lanecull/shadow.h>
#include <lanecull/types.h>

#include <cstddef>
#include <cstdint>
#include <span>

#include "bounds/kernels.hpp"

namespace lanecull {

/// Boxes around the blocks of a batch, which are objects that follow each other.
struct BlockBoxes {
    static constexpr std::size_t words = 2;                                ///< of a block's objects
    static constexpr std::size_t group = 64, group_words = group * words;  ///< blocks that are read together
    /// Looking at the blocks of so few objects takes longer than it saves: 3 microseconds of 22 in a frame of 10,000.
    static constexpr std::size_t few_words = 2 * group_words;

    const float* low[3];         ///< padded to a multiple of 64 blocks
    const float* high[3];        ///< each contains its block's objects, unless the block is loose
    const std::uint64_t* loose;  ///< a bit a block: nothing is known of where its objects are
};

/// Finds the box around the visible objects, or for each slab the one around those that are not proved to lie outside
/// of it. `blocks`: of the batch, if it is one and has any; objects of blocks that cannot extend a box are then not
/// read. Fails as visible_bounds() does.
Status find_bounds(std::span<const Batch> batches, std::span<const std::uint64_t> visible, const BlockBoxes* blocks,
                   const ParallelSlabs* slabs, std::span<WorldBox> bounds, const WorldBoundsOptions& options);

/// The same for slices of a camera's view, as slice_bounds() of shadow.h has them.
Status find_slice_bounds(std::span<const Batch> batches, std::span<const std::uint64_t> visible,
                         const BlockBoxes* blocks, const Slice& slice, std::span<const double> depths,
                         std::span<WorldBox> bounds, const WorldBoundsOptions& options) noexcept;

}  // namespace lanecull
