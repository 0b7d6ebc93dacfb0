#pragma once

/// Between stages 1 and 2, in relative coordinates: tests packets of objects that stage 1 left undecided. It tests
/// planes once more, now against the object's own shape (stage 1 may have seen a bounding sphere). Then it looks for
/// two points of the object in the volume, which is cheap. Whole words are tested where many of a chunk's objects are
/// undecided, else packets of a list.

#include <lanecull/cull.h>

#include <cstdint>

#include "base/rounding_bound.hpp"
#include "cull/chunk.hpp"
#include "cull/drive.hpp"
#include "lanes/frames.hpp"
#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"
#include "lanes/vec3w.hpp"
#include "view/prepared_view.hpp"

namespace lanecull {
namespace {

using Refined = Found<Reason::visible_invalid, Reason::culled_plane, Reason::visible_inside, Reason::visible_vertex>;

/// The view's planes in relative coordinates, made ready once a range.
struct RefinePlanes {
    const PreparedView& view;
    float size[PreparedView::max_planes][3];  // |n| component by component
    // Normals and offsets column by column, for lanes to gather from.
    alignas(64) float column[4][PreparedView::max_planes];

    explicit RefinePlanes(const PreparedView& view_) : view(view_) {
        for (std::uint32_t k = 0; k < PreparedView::max_planes; ++k) {
            for (std::uint32_t j = 0; j < 3; ++j) {
                column[j][k] = view.normal[k][j];
                size[k][j] = __builtin_fabsf(view.normal[k][j]);
            }
            column[3][k] = view.offset[k];
        }
    }

    LANE_INLINE NormalW normal(std::uint32_t k) const { return {broadcast3(view.normal[k]), broadcast3(size[k])}; }
    /// The normal of each lane's own plane.
    LANE_INLINE Vec3W gathered(IndexW plane) const {
        return {gather_of_16(column[0], plane), gather_of_16(column[1], plane), gather_of_16(column[2], plane)};
    }
    LANE_INLINE FloatW gathered_offset(IndexW plane) const { return gather_of_16(column[3], plane); }
};

/// Calls `visit(k)` for every plane: the usual six without a loop, then the others that few views have.
template <class Visit>
LANE_INLINE void for_each_plane(const PreparedView& view, const Visit& visit) {
    for (std::uint32_t k = 0; k < PreparedView::stage_one_planes; ++k) visit(k);
    for (std::uint32_t k = PreparedView::stage_one_planes; k < view.plane_count; ++k) visit(k);
}

/// Smallest n . p + offset over the planes with these normals and offsets.
LANE_INLINE FloatW least_over(const PreparedView& view, const float (&normal)[PreparedView::max_planes][3],
                              const float (&offset)[PreparedView::max_planes], const Vec3W& p) {
    FloatW least(0.0f);
    for_each_plane(view, [&](std::uint32_t k) LANE_LAMBDA {
        const FloatW distance = dot_plus(broadcast3(normal[k]), p, FloatW(offset[k]));
        least = k == 0 ? distance : min(least, distance);
    });
    return least;
}

/// In view space.
LANE_INLINE FloatW least_view_distance(const PreparedView& view, const Vec3W& y) {
    return least_over(view, view.view_normal, view.view_offset, y);
}

/// In relative coordinates.
LANE_INLINE FloatW least_distance(const PreparedView& view, const Vec3W& q) {
    return least_over(view, view.normal, view.offset, q);
}

/// Set: the object is finite and a valid shape.
template <class Shape>
LANE_INLINE MaskW sound(const Shape& shape) {
    return shape.valid & (shape.magnitude < FloatW(magnitude_limit));
}

/// Relative coordinates as a frame: R is the identity.
constexpr Frame world_axes{};

/// In each lane, the plane that a shape or a point is farthest behind.
struct WorstPlaneW {
    FloatW distance;  // of the shape's point farthest inside of it; negative: outside, but for errors
    IndexW plane;
};

template <class Distance>
LANE_INLINE WorstPlaneW least_of(const RefinePlanes& planes, const Distance& distance_to) {
    FloatW worst(0.0f), plane(0.0f);
    for_each_plane(planes.view, [&](std::uint32_t k) LANE_LAMBDA {
        const FloatW distance = distance_to(k);
        plane = k == 0 ? plane : select(distance < worst, FloatW(static_cast<float>(k)), plane);
        worst = k == 0 ? distance : min(worst, distance);
    });
    return {worst, to_index(plane)};
}

template <class Shape>
LANE_INLINE WorstPlaneW worst_plane(const RefinePlanes& planes, const Shape& shape) {
    return least_of(planes, [&](std::uint32_t k) LANE_LAMBDA {
        NormalW n = planes.normal(k);
        return dot_plus(n, shape.center, FloatW(planes.view.offset[k])) + shape.reach(n);
    });
}

LANE_INLINE WorstPlaneW worst_plane_of(const RefinePlanes& planes, const Vec3W& point) {
    return least_of(planes, [&](std::uint32_t k) LANE_LAMBDA {
        return dot_plus(broadcast3(planes.view.normal[k]), point, FloatW(planes.view.offset[k]));
    });
}

/// A plane of the volume in each lane, in view space.
struct ViewPlaneW {
    Vec3W normal;
    FloatW offset;

    LANE_INLINE ViewPlaneW(const PreparedView& view, std::uint32_t k)
        : normal(broadcast3(view.view_normal[k])), offset(view.view_offset[k]) {}
    /// How far inward of it a point is.
    LANE_INLINE FloatW distance(const Vec3W& point) const { return dot_plus(normal, point, offset); }
};

/// The plane that the centre is farthest behind, and the centre's distance. Counting the shape's reach as well takes
/// three times the work and saves GJK no step.
struct StartPlaneW {
    ViewPlaneW plane;
    FloatW of_center;

    template <class Shape>
    LANE_INLINE StartPlaneW(const PreparedView& view, const Shape& shape)
        : plane(view, 0), of_center(plane.distance(shape.center)) {
        for_each_plane(view, [&](std::uint32_t k) LANE_LAMBDA {
            if (k == 0) return;
            const ViewPlaneW other(view, k);
            const FloatW distance = other.distance(shape.center);
            const MaskW is_worse = distance < of_center;
            plane.normal = select(is_worse, other.normal, plane.normal);
            plane.offset = select(is_worse, other.offset, plane.offset);
            of_center = min(of_center, distance);
        });
    }
};

/// The direction that GJK starts in.
template <class Shape>
LANE_INLINE Vec3W start_normal(const PreparedView& view, const Shape& shape) {
    return StartPlaneW(view, shape).plane.normal;
}

/// All planes against the shape, and nothing else: for Method::planes.
template <class Shape>
LANE_INLINE Refined refine_by_planes_alone(const RefinePlanes& planes, const Shape& shape) {
    const FloatW bound = FloatW(Shape::error_factor(world_axes)) * shape.magnitude;
    return {{bits(~sound(shape)), bits(worst_plane(planes, shape).distance < -bound)}};
}

/// All planes against the shape.
template <class Shape>
LANE_INLINE Refined refine(const RefinePlanes& planes, const Shape& shape) {
    WorstPlaneW worst = worst_plane(planes, shape);
    const FloatW bound = FloatW(Shape::error_factor(world_axes)) * shape.magnitude;
    const std::uint32_t invalid = bits(~sound(shape)), outside = bits(worst.distance < -bound);
    // The planes need not be all facets of the volume: what is inside all of them may then be outside the volume.
    if (!planes.view.planes_suffice) return {{invalid, outside}};
    Vec3W deepest = shape.support(world_axes, planes.gathered(worst.plane));
    return {{invalid, outside, bits(least_distance(planes.view, shape.inner_point()) >= FloatW(0.0f)),
             bits(least_distance(planes.view, deepest) >= FloatW(0.0f))}};
}

/// Tests the shape against one plane, which its centre is farthest behind. That finds nine in ten of the objects that
/// any plane would prove outside, for half the work. What is left is tested against another plane at the volume's edges
/// (cull/edges.hpp); capsules are tested by their shortest vector to the volume (cull/nearest.hpp).
template <class Shape>
LANE_INLINE Refined refine_by_one_plane(const RefinePlanes& planes, const Shape& shape, const WorstPlaneW& worst) {
    Vec3W normal = planes.gathered(worst.plane);
    const FloatW bound = FloatW(Shape::error_factor(world_axes)) * shape.magnitude;
    const std::uint32_t invalid = bits(~sound(shape)), outside = bits(worst.distance + shape.reach(normal) < -bound);
    if (!planes.view.planes_suffice) return {{invalid, outside}};
    Vec3W deepest = shape.support(world_axes, normal);
    return {{invalid, outside, bits(worst.distance >= FloatW(0.0f)),
             bits(least_distance(planes.view, deepest) >= FloatW(0.0f))}};
}

/// Set: the shape stays farther inside every plane than the bound. Unlike other accepts this is a claim.
template <class Shape>
LANE_INLINE MaskW wholly_inside(const PreparedView& view, const Shape& shape) {
    if (!view.inside_known) return mask_of(0);
    FloatW least(inside_limit);
    for (std::uint32_t k = 0; k < view.plane_count; ++k) {
        Vec3W n = broadcast3(view.view_normal[k]);
        least = min(least, dot_plus(n, shape.center, FloatW(view.inner_offset[k])) - shape.reach_back(n));
    }
    const FloatW bound = FloatW(Shape::error_factor(view.frame) * view.view_normal_one_norm) * shape.magnitude;
    // The shape's margin includes the view's, which is added back here. The view leaves out planes farther than 1e30;
    // only objects below inside_limit, which are on the inner side of such planes, are claimed.
    return sound(shape) & (shape.magnitude < FloatW(inside_limit)) & (least + FloatW(view.margin) > bound);
}

/// Which planes refine() tests, and whether it accepts what it does not cull.
enum class RefineBy { one_plane, all_planes, planes_alone };

template <RefineBy By, class Shape, class Range>
LANE_INLINE Refined refine_packet(const Range& range, const Shape& shape) {
    if constexpr (By == RefineBy::one_plane) {
        return refine_by_one_plane(range.planes, shape, worst_plane_of(range.planes, shape.center));
    } else if constexpr (By == RefineBy::planes_alone) {
        return refine_by_planes_alone(range.planes, shape);
    } else {
        return refine(range.planes, shape);
    }
}

/// 64 objects.
template <RefineBy By, class Axes, class Range>
LANE_INLINE Refined refine_word(const Range& range, const Axes& axes, std::uint32_t first) {
    Refined refined;
    if constexpr (By == RefineBy::one_plane) {
        WorstPlaneW worst[64 / lanes];
        StagedW<decltype(range.load_in_a_row(axes, 0))> staged[64 / lanes];
#pragma GCC unroll 1
        for (std::uint32_t k = 0; k < 64 / lanes; ++k) {
            auto shape = range.load_in_a_row(axes, first + k * lanes);
            staged[k].put(shape);
            worst[k] = worst_plane_of(range.planes, shape.center);
        }
#pragma GCC unroll 1
        for (std::uint32_t k = 0; k < 64 / lanes; ++k) {
            refined.add(refine_by_one_plane(range.planes, staged[k].get(), worst[k]), k * lanes);
        }
    } else {
        for (std::uint32_t shift = 0; shift < 64; shift += lanes) {
            refined.add(refine_packet<By>(range, range.load_in_a_row(axes, first + shift)), shift);
        }
    }
    return refined;
}

/// Not inlined, so that the loop has all registers to itself.
template <RefineBy By, class Range>
[[gnu::noinline]] void refine_words(Range& range, Chunk& chunk, std::uint32_t end) {
    const RelativeAxesW axes(range.view.frame);
    drive_words(range.verdicts, chunk, end,
                [&](std::uint32_t first) LANE_LAMBDA { return refine_word<By>(range, axes, first); });
}

template <RefineBy By, class Range>
inline void refine_by(Range& range, Chunk& chunk, UndecidedList& list, bool in_place) {
    const std::uint32_t whole_words = chunk.count / 64;
    if (in_place) {
        refine_words<By>(range, chunk, whole_words);
        list.collect(chunk, chunk.undecided, whole_words);
    }
    const RelativeAxesW axes(range.view.frame);
    drive(range.verdicts, chunk, ListPackets(list), [&](const Packet& packet) LANE_LAMBDA {
        return refine_packet<By>(range, range.load(axes, packet.gathered(chunk.first)));
    });
    if (in_place) {
        list.put_back(chunk, whole_words);
        list.collect(chunk, chunk.undecided, 0);
    }
}

/// Refines the list: tests planes against the objects' own shapes, and looks for points of the objects in the volume.
/// In place: there is no list yet. Whole words are tested, as in stage 1, and what is left is listed. Where edges or
/// the shortest vector follow, one plane is enough.
template <class Range>
inline void refine_all(Range& range, Chunk& chunk, UndecidedList& list, bool in_place) {
    if (range.method == Method::planes) return refine_by<RefineBy::planes_alone>(range, chunk, list, in_place);
    if constexpr (Range::looks_at_edges) {
        refine_by<RefineBy::one_plane>(range, chunk, list, in_place);
    } else if constexpr (Range::may_look_at_nearest) {
        range.looks_at_nearest ? refine_by<RefineBy::one_plane>(range, chunk, list, in_place)
                               : refine_by<RefineBy::all_planes>(range, chunk, list, in_place);
    } else {
        refine_by<RefineBy::all_planes>(range, chunk, list, in_place);
    }
}

}  // namespace
}  // namespace lanecull
