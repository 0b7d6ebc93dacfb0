#pragma once

/// The kernels by which occluders are chosen: how large solids are in a view, a picture of the largest, and which of
/// these stand before the middles of all. Nothing here is proved. Every set computes the same numbers, for nothing is
/// fused and no order of sums depends on the set: so the choice does not either.

#include <lanecull/library.h>
#include <lanecull/occluder.h>

#include <cstddef>
#include <cstdint>

#include "calls/kernel_table.hpp"
#include "view/prepared_view.hpp"

namespace lanecull {

/// Boxes around solids, at most a word of them.
struct RoughBoxes {
    static constexpr std::uint32_t most = 64;  ///< a multiple of every set's lanes

    float origin[3];                 ///< which the kernel subtracts, so that centres are relative to the viewpoint's
    const SolidBox* box[most];       ///< kernels read all of them, filled or not
    std::uint32_t index[most] = {};  ///< the solid's number
    std::uint32_t count = 0;
};

/// What a view sees of them. Bit i of `seen`: the size of box i is above 0.
struct RoughSizes {
    float center[3][RoughBoxes::most];  ///< relative to the viewpoint's origin
    float squared[RoughBoxes::most];
    std::uint64_t seen;
};

/// Where lines of sight come from, and the planes of a view's volume; relative to the viewpoint's origin.
struct RoughView {
    bool is_parallel;
    float eye[3];  ///< the middle of all eyes; the direction of sight if that is parallel
    std::uint32_t plane_count;
    float normal[PreparedView::max_planes][3];
    float offset[PreparedView::max_planes];
};

/// Finds sizes: about the solid angle, squared; about the area, squared, if sight is parallel. 0 for boxes outside of a
/// plane; 0 or NaN for coordinates beyond 1e12, whose products no float holds.
using SizeKernel = void(const RoughView& view, const RoughBoxes& boxes, RoughSizes& sizes);

/// A picture of solids: which one is nearest in the middle of each cell. A point that is x, y and z along three axes
/// from the eye has the place x / z, y / z; x, y if sight is parallel. Closeness is 1 / z, or -z.
struct VotePicture {
    static constexpr std::uint32_t columns = 96, rows = 54, cells = columns * rows;

    bool is_parallel;
    float eye[3];
    float axis[3][3];
    float low[2], step[2];   ///< the place of the middle of cell (column, row) is low + step (column + 1/2, row + 1/2)
    float place[columns];    ///< of the columns' middles
    float closeness[cells];  ///< 0, or less than any if sight is parallel, where nothing is
    float number[cells];     ///< of the drawn solid that is nearest
};

/// A solid to be drawn: a box, whose slabs a line of sight enters and leaves at closenesses that are linear in its
/// place. It meets the box if the least at which it enters is not below the greatest at which it leaves.
struct DrawnBox {
    static constexpr std::uint32_t lines = 6;

    std::uint32_t first_column, end_column, first_row, end_row;  ///< columns: multiples of 16
    std::uint32_t enter_count;                                   ///< the first so many lines; the others leave
    float line[lines][3];                                        ///< closeness = line . (place, 1)
};

/// Draws boxes: the number of boxes[k] is k.
using PictureKernel = void(const DrawnBox* boxes, std::uint32_t count, VotePicture& picture);

/// Adds one to votes[k] for each point before which box k stands in the picture; own[k] is the number of the point that
/// is box k's own middle, which does not count. center: x, y and z of so many points; whole packets of them are read.
using VoteKernel = void(const VotePicture& picture, const float* const (&center)[3], std::size_t count,
                        const std::uint32_t* own, std::uint32_t* votes);

/// What the object files of one instruction set define, as Kernels has it.
template <Isa isa>
struct VoteKernels {
    static SizeKernel find_sizes;  ///< vote_kernels.cpp
    static PictureKernel draw;
    static VoteKernel vote;
};

/// Those of one set, chosen at run time.
struct VoteTable {
    SizeKernel* find_sizes;
    PictureKernel* draw;
    VoteKernel* vote;

    template <Isa isa>
    static constexpr VoteTable of() {
        return {VoteKernels<isa>::find_sizes, VoteKernels<isa>::draw, VoteKernels<isa>::vote};
    }
};

}  // namespace lanecull
