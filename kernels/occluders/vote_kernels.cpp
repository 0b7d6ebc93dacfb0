/// How large solids are in a view, a picture of the largest, and votes for what stands before the middles of all.
/// Operators alone: fma() would round otherwise from set to set.

#include "occluders/vote_kernels.hpp"

#include "lanes/gather.hpp"
#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"

namespace lanecull {
namespace {

/// W boxes: relative to the viewpoint's origin.
struct BoxesW {
    FloatW center[3], half[3];

    LANE_INLINE BoxesW(const RoughBoxes& boxes, std::uint32_t at) {
        const RecordsW<6> corners([&](std::size_t lane) LANE_LAMBDA { return boxes.box[at + lane]->min; });
        for (std::uint32_t k = 0; k < 3; ++k) {
            const FloatW low = corners.value[k], high = corners.value[3 + k], one_half(0.5f);
            center[k] = one_half * (low + high) - FloatW(boxes.origin[k]);
            half[k] = one_half * (high - low);
        }
    }
};

LANE_INLINE FloatW size_of(const RoughView& view, const BoxesW& boxes) {
    FloatW area(0), square(0);
    for (std::uint32_t k = 0; k < 3; ++k) {
        const FloatW eye(view.eye[k]);
        const FloatW way = view.is_parallel ? eye : boxes.center[k] - eye;
        area = area + abs(way) * (boxes.half[(k + 1) % 3] * boxes.half[(k + 2) % 3]);
        square = square + way * way;
    }
    const FloatW inverse = FloatW(1) / square;
    const FloatW share = area * inverse;
    return share * share * inverse;
}

/// The lanes whose boxes are outside of no plane.
LANE_INLINE MaskW reach_volume(const RoughView& view, const BoxesW& boxes) {
    MaskW reach = mask_of(all_lanes);
    for (std::uint32_t p = 0; p < view.plane_count; ++p) {
        const FloatW nx(view.normal[p][0]), ny(view.normal[p][1]), nz(view.normal[p][2]);
        const FloatW middle =
            (nx * boxes.center[0] + ny * boxes.center[1]) + (nz * boxes.center[2] + FloatW(view.offset[p]));
        const FloatW reaching = (abs(nx) * boxes.half[0] + abs(ny) * boxes.half[1]) + abs(nz) * boxes.half[2];
        reach = reach & (middle + reaching >= FloatW(0));
    }
    return reach;
}

/// Draws a box that the first `enters` lines enter: a number that compilers know, so that lines stay in registers.
template <std::uint32_t enters>
LANE_INLINE void draw_box(const DrawnBox& box, FloatW number, VotePicture& picture) {
    for (std::uint32_t row = box.first_row; row < box.end_row; ++row) {
        const float place = picture.low[1] + picture.step[1] * (static_cast<float>(row) + 0.5f);
        FloatW slope[DrawnBox::lines], at_zero[DrawnBox::lines];
        for (std::uint32_t k = 0; k < DrawnBox::lines; ++k) {
            slope[k] = FloatW(box.line[k][0]);
            at_zero[k] = FloatW(box.line[k][1] * place + box.line[k][2]);
        }
        float* const closeness = picture.closeness + row * VotePicture::columns;
        float* const numbers = picture.number + row * VotePicture::columns;
        for (std::uint32_t column = box.first_column; column < box.end_column; column += lanes) {
            const FloatW u = load(picture.place + column), before = load(closeness + column);
            const auto at = [&](std::uint32_t k) LANE_LAMBDA { return slope[k] * u + at_zero[k]; };
            FloatW enter = at(0), leave = at(enters);
            for (std::uint32_t k = 1; k < enters; ++k) enter = min(enter, at(k));
            for (std::uint32_t k = enters + 1; k < DrawnBox::lines; ++k) leave = max(leave, at(k));
            const MaskW is_seen = (enter >= leave) & (enter > before);
            if (!any(is_seen)) continue;
            store(closeness + column, select(is_seen, enter, before));
            store(numbers + column, select(is_seen, number, load(numbers + column)));
        }
    }
}

/// W places in the picture.
struct PlacesW {
    FloatW column, row, closeness;
    MaskW is_in_picture;

    LANE_INLINE PlacesW(const VotePicture& picture, FloatW x, FloatW y, FloatW z) {
        const FloatW a = x - FloatW(picture.eye[0]), b = y - FloatW(picture.eye[1]), c = z - FloatW(picture.eye[2]);
        const auto along = [&](std::uint32_t k) LANE_LAMBDA {
            const float(&axis)[3] = picture.axis[k];
            return (FloatW(axis[0]) * a + FloatW(axis[1]) * b) + FloatW(axis[2]) * c;
        };
        const FloatW depth = along(2);
        closeness = picture.is_parallel ? -depth : FloatW(1) / depth;
        const FloatW scale = picture.is_parallel ? FloatW(1) : closeness;
        column = (along(0) * scale - FloatW(picture.low[0])) * FloatW(1 / picture.step[0]);
        row = (along(1) * scale - FloatW(picture.low[1])) * FloatW(1 / picture.step[1]);
        is_in_picture = (column >= FloatW(0)) & (column < FloatW(VotePicture::columns)) & (row >= FloatW(0)) &
                        (row < FloatW(VotePicture::rows));
        if (!picture.is_parallel) is_in_picture = is_in_picture & (depth > FloatW(0));
        column = select(is_in_picture, column, FloatW(0));  // others may not fit an index
        row = select(is_in_picture, row, FloatW(0));
    }
};

}  // namespace

template <>
void VoteKernels<this_isa>::find_sizes(const RoughView& view, const RoughBoxes& boxes, RoughSizes& sizes) {
    sizes.seen = 0;
    for (std::uint32_t at = 0; at < RoughBoxes::most; at += lanes) {
        const BoxesW some(boxes, at);
        const FloatW squared = select(reach_volume(view, some), size_of(view, some), FloatW(0));
        for (std::uint32_t k = 0; k < 3; ++k) store(sizes.center[k] + at, some.center[k]);
        store(sizes.squared + at, squared);
        sizes.seen |= std::uint64_t{bits(squared > FloatW(0))} << at;
    }
    if (boxes.count < RoughBoxes::most) sizes.seen &= (std::uint64_t{1} << boxes.count) - 1;
}

template <>
void VoteKernels<this_isa>::draw(const DrawnBox* boxes, std::uint32_t count, VotePicture& picture) {
    for (std::uint32_t k = 0; k < count; ++k) {
        const FloatW number(static_cast<float>(k));
        switch (boxes[k].enter_count) {
            case 1:
                draw_box<1>(boxes[k], number, picture);
                break;
            case 2:
                draw_box<2>(boxes[k], number, picture);
                break;
            default:
                draw_box<3>(boxes[k], number, picture);
        }
    }
}

template <>
void VoteKernels<this_isa>::vote(const VotePicture& picture, const float* const (&center)[3], std::size_t count,
                                 const std::uint32_t* own, std::uint32_t* votes) {
    for (std::size_t at = 0; at < count; at += lanes) {
        const PlacesW places(picture, load(center[0] + at), load(center[1] + at), load(center[2] + at));
        float closeness[lanes];
        std::int32_t column[lanes], row[lanes];
        store(closeness, places.closeness);
        store(column, to_index(places.column));
        store(row, to_index(places.row));
        std::uint32_t rest = bits(places.is_in_picture);
        if (count - at < lanes) rest &= (1u << (count - at)) - 1;
        for (; rest != 0; rest &= rest - 1) {
            const auto lane = static_cast<std::uint32_t>(__builtin_ctz(rest));
            const std::int32_t cell = row[lane] * static_cast<std::int32_t>(VotePicture::columns) + column[lane];
            if (!(picture.closeness[cell] > closeness[lane])) continue;
            const auto box = static_cast<std::uint32_t>(picture.number[cell]);
            if (own[box] != at + lane) ++votes[box];
        }
    }
}

}  // namespace lanecull
