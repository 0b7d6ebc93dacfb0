#pragma once

/// W shapes in relative coordinates, as stage 2 sees them. Each has highest(w), how far it reaches along a direction.
/// propose() gives the directions that can separate it from a convex polygon, besides the normals of the polygon's own
/// edges: the normals of the shape's edges and, where it is round, the vectors from it to the polygon's corners.

#include <cstdint>

#include <lanecull/flat.h>

#include "flat/bound.hpp"
#include "flat/prepared_view.hpp"
#include "lanes/gather.hpp"
#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"
#include "lanes/vec2w.hpp"

namespace lanecull::flat {
namespace {

/// Set: valid and below the limit, beyond which an intermediate result might overflow. Other objects are kept.
LANE_INLINE MaskW sound(MaskW valid, FloatW magnitude) { return valid & (magnitude < FloatW(magnitude_limit)); }

LANE_INLINE MaskW not_negative(FloatW a) { return a >= FloatW(0.0f); }
LANE_INLINE MaskW finite(FloatW a) { return abs(a) < FloatW(__builtin_inff()); }

/// The magnitude of a turned point: z is the turn, and what it turns is at most `size` large. A product in z that
/// underflows is off by at most underflow_guard, which is multiplied by `size`, too.
LANE_INLINE FloatW turned_magnitude(const Vec2W& z, FloatW size) {
    return (one_norm(z) + FloatW(underflow_guard)) * size;
}

/// The vector from a point to the view's nearest corner, in units of the view.
LANE_INLINE Vec2W to_nearest_corner(const PreparedView& view, const Vec2W& from) {
    const FloatW unit(view.unit);
    Vec2W best = (broadcast2(view.vertex[0]) - from) * unit;
    FloatW least = dot(best, best);
    for (std::uint32_t k = 1; k < view.vertex_count; ++k) {
        Vec2W way = (broadcast2(view.vertex[k]) - from) * unit;
        const FloatW square = dot(way, way);
        best = flat::select(square < least, way, best);
        least = min(square, least);
    }
    return best;
}

struct DiscW {
    Vec2W center;
    FloatW radius;
    FloatW magnitude;
    MaskW valid;

    /// The largest w . x over the shape.
    LANE_INLINE FloatW highest(const Vec2W& w) const { return fma(radius, sqrt(dot(w, w)), dot(w, center)); }
    LANE_INLINE MaskW may_be_inside() const { return valid; }

    template <class Try>
    LANE_INLINE void propose(const PreparedView& view, const Try& try_out) const {
        try_out(to_nearest_corner(view, center));
    }
};

struct CapsuleW {
    Vec2W a, b;
    FloatW radius;
    FloatW magnitude;
    MaskW valid;

    LANE_INLINE FloatW highest(const Vec2W& w) const { return fma(radius, sqrt(dot(w, w)), max(dot(w, a), dot(w, b))); }
    LANE_INLINE MaskW may_be_inside() const { return valid; }

    template <class Try>
    LANE_INLINE void propose(const PreparedView& view, const Try& try_out) const {
        Vec2W normal = perpendicular(b - a);
        try_out(normal);
        try_out(-normal);
        try_out(to_nearest_corner(view, a));
        try_out(to_nearest_corner(view, b));
    }
};

struct OrientedBoxW {
    Vec2W center, axis;  // the other axis is this one turned left
    FloatW half_x, half_y;
    FloatW magnitude;
    MaskW valid;

    LANE_INLINE FloatW reach(const Vec2W& w) const {
        Vec2W along = turned_back(axis, w);
        return fma(abs(along.x), half_x, abs(along.y) * half_y);
    }
    LANE_INLINE FloatW highest(const Vec2W& w) const { return dot(w, center) + reach(w); }
    LANE_INLINE MaskW may_be_inside() const { return valid; }

    template <class Try>
    LANE_INLINE void propose(const PreparedView&, const Try& try_out) const {
        Vec2W other = perpendicular(axis);
        try_out(axis);
        try_out(-axis);
        try_out(other);
        try_out(-other);
    }
};

/// A box cut to the view's bounding box. It proposes no directions: its own are those of the bounding box, which stage
/// 1 has tested.
struct AlignedBoxW {
    Vec2W low, high;
    FloatW magnitude;  // the view's
    MaskW valid, whole;

    LANE_INLINE FloatW highest(const Vec2W& w) const {
        return max(w.x * low.x, w.x * high.x) + max(w.y * low.y, w.y * high.y);
    }
    LANE_INLINE MaskW may_be_inside() const { return valid & whole; }

    template <class Try>
    LANE_INLINE void propose(const PreparedView&, const Try&) const {}
};

struct PolygonW {
    const Polygon& polygon;
    Vec2W center, turn;  // of the polygon's origin
    FloatW magnitude;
    MaskW valid;

    LANE_INLINE FloatW highest(const Vec2W& w) const {
        Vec2W along = turned_back(turn, w);
        FloatW farthest = along.x * FloatW(polygon.x[0]) + along.y * FloatW(polygon.y[0]);
        for (std::uint32_t k = 1; k < polygon.count; ++k) {
            farthest = max(farthest, dot(along, {FloatW(polygon.x[k]), FloatW(polygon.y[k])}));
        }
        return dot(w, center) + farthest;
    }
    LANE_INLINE MaskW may_be_inside() const { return valid; }

    template <class Try>
    LANE_INLINE void propose(const PreparedView& view, const Try& try_out) const {
        for (std::uint32_t k = 0; polygon.count > 1 && k < polygon.count; ++k) {
            try_out(turned(turn, {FloatW(polygon.normal_x[k]), FloatW(polygon.normal_y[k])}));
        }
        try_out(between_nearest_corners(view));
    }

    /// The vector between the polygon's and the view's nearest corners. If both corners are sharp, the normal of no
    /// edge shows more than a small part of the gap.
    LANE_INLINE Vec2W between_nearest_corners(const PreparedView& view) const {
        Vec2W best = {FloatW(0.0f), FloatW(0.0f)};
        FloatW least(__builtin_inff());
        for (std::uint32_t k = 0; k < polygon.count; ++k) {
            Vec2W corner = center + turned(turn, {FloatW(polygon.x[k]), FloatW(polygon.y[k])});
            Vec2W way = to_nearest_corner(view, corner);
            const FloatW square = dot(way, way);
            best = flat::select(square < least, way, best);
            least = min(square, least);
        }
        return best;
    }
};

}  // namespace
}  // namespace lanecull::flat
