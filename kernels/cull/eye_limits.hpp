#pragma once

/// Finds objects that are too far from the view's eye or too near to it, objects that are too small as seen from there,
/// and objects that a lamp does not reach. Coordinates are those of the eye's frame, or the lamp's: world axes around
/// it.
///
/// Let c be the object's centre, and m the least p . c over the object's points p. Then every p has |p| >= m / |c|. m
/// comes from the support mapping, less the bound of a support point. Any other direction than c will do; for a lamp's
/// range that of the object's nearest point is asked, too. From above, the object's distance is at most that of any of
/// its points (cull/near_point.hpp).

#include <lanecull/batch.hpp>
#include <lanecull/prepared_view.hpp>

#include "base/rounding_bound.hpp"
#include "cull/near_point.hpp"
#include "cull/refine.hpp"
#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"
#include "lanes/vec3w.hpp"

namespace lanecull {
namespace {

/// Covers a handful of roundings in products of positive numbers.
constexpr float roundings_up = 1 + 0x1p-20f;
/// Objects whose centre is nearer to the eye or lamp than this fraction of their own size are neither far nor small.
constexpr float least_directed = 1e-9f;

/// A shape seen from the origin of a frame with world axes. In each lane a power of two brings the coordinates near 1.
template <class Shape>
struct SeenFromW {
    const Frame& place;
    Shape shape;
    MaskW usable, directed;
    FloatW scale;
    FloatW error;   // of a support point's coordinates
    FloatW length;  // at least |c|
    FloatW least;   // at most p . c, for any of the shape's points p

    LANE_INLINE SeenFromW(const Frame& place_, float place_error, const Shape& shape_)
        : place(place_), shape(shape_), usable(sound(shape)), scale(exponent_scale(shape.magnitude)) {
        error = fma(FloatW(Shape::error_factor(place)), shape.magnitude * scale, FloatW(place_error) * scale);
        shape.rescale(scale);
        Vec3W c = shape.center;
        length = sqrt(dot(c, c)) * FloatW(roundings_up);
        least = fma(-error, one_norm(c), dot(shape.support(place, -c), c));
        directed = usable & (one_norm(c) > FloatW(least_directed));
    }

    /// Set: all of it is farther away, proved.
    LANE_INLINE MaskW beyond(FloatW distance) const { return directed & (least > distance * scale * length); }

    /// Set: all of it is farther away, proved along the way to its centre or along that to its nearest point. The
    /// latter is found without its balls, and any direction will do.
    LANE_INLINE MaskW wholly_beyond(FloatW distance) const {
        const Vec3W way = near_point(shape, shape.center);
        const FloatW along = fma(-error, one_norm(way), dot(shape.support(place, -way), way));
        const MaskW has_way = usable & (one_norm(way) > FloatW(least_directed));
        const FloatW way_length = sqrt(dot(way, way)) * FloatW(roundings_up);
        return beyond(distance) | (has_way & (along > distance * scale * way_length));
    }

    /// Set: its nearest point is nearer than that, proved. max() keeps a NaN that stands second.
    LANE_INLINE MaskW within(FloatW distance) const {
        Vec3W p = near_point(shape, shape.center);
        const FloatW outside_ball = fma(sqrt(dot(p, p)), FloatW(roundings_up), -ball_around_core(shape));
        // A vector whose components are off by no more than `error` each is off by less than twice as much.
        const FloatW nearest = max(FloatW(0.0f), outside_ball) + (error + error);
        return usable & (nearest < distance * scale);
    }
};

/// The limits that W objects have of their own. Those that the batch does not have limit nothing.
struct EyeLimitsW {
    FloatW max_distance, min_distance, min_size;
    bool has_min_distance;

    template <class Fetch>
    LANE_INLINE EyeLimitsW(const Attributes& a, const Fetch& fetch) : has_min_distance(a.min_distance != nullptr) {
        max_distance = a.max_distance != nullptr ? fetch(a.max_distance) : FloatW(__builtin_inff());
        min_distance = has_min_distance ? fetch(a.min_distance) : FloatW(0.0f);
        min_size = a.min_projected_size != nullptr ? fetch(a.min_projected_size) : FloatW(0.0f);
    }
};

struct BeyondLimitsW {
    MaskW far;    // set: all of it is beyond max_distance, proved
    MaskW near;   // set: its nearest point is nearer than min_distance, proved
    MaskW small;  // set: its projected size is below the least, proved
};

template <class Shape>
LANE_INLINE BeyondLimitsW beyond_limits(const PreparedView& view, const Shape& shape, const EyeLimitsW& limits) {
    SeenFromW<Shape> seen(view.eye, view.eye_error, shape);
    // The shape's own size. Corners are off by no more than support points are.
    const FloatW radius =
        fma(sqrt(seen.shape.farthest_corner_squared()), FloatW(roundings_up), seen.shape.ball_radius() + seen.error);
    const FloatW size = radius * FloatW(view.size_scale * roundings_up);

    BeyondLimitsW result;
    result.far = view.has_eye ? seen.beyond(limits.max_distance) : mask_of(0);
    result.near = view.has_eye && limits.has_min_distance ? seen.within(limits.min_distance) : mask_of(0);
    result.small = view.size_by_distance ? seen.directed & (seen.least * limits.min_size > size * seen.length)
                                         : seen.usable & (size < limits.min_size * seen.scale);
    if (!(view.size_scale > 0)) result.small = mask_of(0);
    return result;
}

}  // namespace
}  // namespace lanecull
