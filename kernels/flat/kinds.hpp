#pragma once

/// Stage 1, kind by kind: tests every object of a batch against the view's edges. Each kind also has load(), which
/// loads objects for stage 2.
///
/// A lane becomes outside only by a comparison that succeeded: the largest n . q + offset over the object, plus the
/// bound, is below zero. If the bound is NaN or infinite, the comparison fails. The magnitude adds up every number of
/// the object, so NaN or infinity in any of them reaches the bound.

#include <cstdint>

#include <lanecull/certificate.hpp>
#include <lanecull/flat/batch.hpp>

#include "flat/bound.hpp"
#include "flat/shapes.hpp"
#include "flat/sides.hpp"
#include "lanes/gather.hpp"
#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"
#include "lanes/vec2w.hpp"

namespace lanecull::flat {
namespace {

struct ClassifiedW {
    std::uint32_t outside;  // set: wholly beyond a side, proved
    std::uint32_t decided;  // set: visible if not outside, provided that the view has no other edges than those tested
};

/// What stage 1 finds out about shapes. All of a shape's numbers are in its magnitude: if one is NaN or infinite, so is
/// the bound, and every comparison is false.
LANE_INLINE ClassifiedW classified(const BeyondW& beyond, FloatW radius, FloatW magnitude, MaskW valid) {
    const FloatW bound = FloatW(error_factor) * magnitude;
    return {bits(valid & (beyond.figure > radius + bound)), bits(valid & (beyond.center < -bound))};
}

/// A StageOne's Doubt collects, from many packets and without comparisons, whether any of their shapes may be invalid;
/// it is asked once for all. NoDoubtW: each packet tests validity anyway, so there is nothing to ask.
struct NoDoubtW {};

/// A stage 1 that tests the first few sides, and finds out which shapes have their centre inside.
struct FirstSides {
    static constexpr Reason decided = Reason::visible_inside;  // the reason of what stage 1 decides as visible
    static constexpr bool looks_at_all_edges = false;
    static constexpr std::uint32_t first_edge = PreparedView::stage_one_edges;  // stage 2 tests edges from this on
    using Doubt = NoDoubtW;
};
/// A stage 1 that tries every direction which can separate a shape from the view.
struct Everything {
    static constexpr Reason decided = Reason::visible_planes;
    static constexpr bool looks_at_all_edges = true;
};

/// Calls `run` with the stage 1 for views with parallel sides, or with that for others.
template <class Kind, class Run>
LANE_INLINE auto with_stage_one(const PreparedView& view, const Run& run) {
    if (view.has_slabs) return run(typename Kind::template StageOne<SlabsW>(view));
    return run(typename Kind::template StageOne<EdgesW>(view));
}

LANE_INLINE FloatW no_reach(const Vec2W&) { return FloatW(0.0f); }

struct CapsuleKind {
    using Shapes = Capsules;

    template <class Fetch>
    static LANE_INLINE CapsuleW load(const PreparedView&, const Vec2W& origin, const Capsules& s, const Fetch& fetch) {
        CapsuleW shape;
        shape.a = Vec2W{fetch(s.a_x), fetch(s.a_y)} - origin;
        shape.b = Vec2W{fetch(s.b_x), fetch(s.b_y)} - origin;
        shape.radius = fetch(s.radius);
        shape.magnitude = one_norm(shape.a) + one_norm(shape.b) + shape.radius;
        shape.valid = not_negative(shape.radius);
        return shape;
    }

    template <class Sides>
    struct StageOne : Sides, FirstSides {
        LANE_INLINE explicit StageOne(const PreparedView& view) : Sides(view) {}
        template <class Fetch>
        LANE_INLINE ClassifiedW classify(const PreparedView& view, const Capsules& s, const Fetch& fetch) const {
            CapsuleW shape = load(view, this->origin, s, fetch);
            Vec2W center = (shape.a + shape.b) * FloatW(0.5f), to_b = (shape.b - shape.a) * FloatW(0.5f);
            BeyondW beyond = this->beyond(center, [&](const Vec2W& n) LANE_LAMBDA { return abs(dot(n, to_b)); });
            return classified(beyond, shape.radius, shape.magnitude, shape.valid);
        }
    };
};

struct OrientedBoxKind {
    using Shapes = OrientedBoxes;

    template <class Fetch>
    static LANE_INLINE OrientedBoxW load(const PreparedView&, const Vec2W& origin, const OrientedBoxes& s,
                                         const Fetch& fetch) {
        OrientedBoxW shape;
        shape.center = Vec2W{fetch(s.x), fetch(s.y)} - origin;
        shape.axis = {fetch(s.axis_x), fetch(s.axis_y)};
        shape.half_x = fetch(s.half_x);
        shape.half_y = fetch(s.half_y);
        shape.magnitude = one_norm(shape.center) + turned_magnitude(shape.axis, shape.half_x + shape.half_y);
        shape.valid = not_negative(shape.half_x) & not_negative(shape.half_y);
        return shape;
    }

    template <class Sides>
    struct StageOne : Sides, FirstSides {
        LANE_INLINE explicit StageOne(const PreparedView& view) : Sides(view) {}
        template <class Fetch>
        LANE_INLINE ClassifiedW classify(const PreparedView& view, const OrientedBoxes& s, const Fetch& fetch) const {
            OrientedBoxW shape = load(view, this->origin, s, fetch);
            BeyondW beyond = this->beyond(shape.center, [&](const Vec2W& n) LANE_LAMBDA { return shape.reach(n); });
            return classified(beyond, FloatW(0.0f), shape.magnitude, sound(shape.valid, shape.magnitude));
        }
    };
};

struct PolygonKind {
    using Shapes = PolygonInstances;

    template <class Fetch>
    static LANE_INLINE PolygonW load(const PreparedView&, const Vec2W& origin, const PolygonInstances& s,
                                     const Fetch& fetch) {
        Vec2W center = Vec2W{fetch(s.x), fetch(s.y)} - origin, turn = {fetch(s.turn_x), fetch(s.turn_y)};
        const FloatW magnitude = one_norm(center) + turned_magnitude(turn, FloatW(s.polygon->magnitude));
        return {*s.polygon, center, turn, magnitude, mask_of(all_lanes)};
    }

    template <class Sides>
    struct StageOne : Sides, FirstSides {
        static constexpr std::uint32_t first_edge = 0;  // stage 2 tests all edges, as stage 1 tests a disc

        LANE_INLINE explicit StageOne(const PreparedView& view) : Sides(view) {}
        template <class Fetch>
        LANE_INLINE ClassifiedW classify(const PreparedView& view, const PolygonInstances& s,
                                         const Fetch& fetch) const {
            PolygonW shape = load(view, this->origin, s, fetch);
            // The square of a turn beyond 1e18 overflows, and that of one below 1e-18 underflows. For these the
            // one-norm takes the place of the length.
            const FloatW size = one_norm(shape.turn), square = dot(shape.turn, shape.turn);
            const MaskW normal_size = (size > FloatW(1e-18f)) & (size < FloatW(1e18f));
            const FloatW scale = lanecull::select(normal_size, sqrt(square), size);
            Vec2W mean = shape.center + turned(shape.turn, broadcast2(s.polygon->mean));
            const FloatW beyond = this->beyond(mean, no_reach).center;
            return classified({beyond, beyond}, scale * FloatW(s.polygon->radius), shape.magnitude,
                              sound(shape.valid, shape.magnitude));
        }
    };
};

}  // namespace
}  // namespace lanecull::flat
