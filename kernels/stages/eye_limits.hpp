#pragma once

/// Finds objects that are too far from the view's eye, objects that are too small as seen from there, and objects that
/// a lamp does not reach. Coordinates are those of the eye's frame, or the lamp's: world axes around it.
///
/// Let c be the object's centre, and m the least p . c over the object's points p. Then every p has |p| >= m / |c|. m
/// comes from the support mapping, less the bound of a support point.

#include <lanecull/prepared_view.hpp>

#include "base/rounding_bound.hpp"
#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"
#include "lanes/vec3w.hpp"
#include "stages/refine.hpp"

namespace lanecull {
namespace {

/// Covers a handful of roundings in products of positive numbers.
constexpr float roundings_up = 1 + 0x1p-20f;
/// Objects whose centre is nearer to the eye or lamp than this fraction of their own size are neither far nor small.
constexpr float least_directed = 1e-9f;

/// A shape seen from the origin of a frame with world axes. In each lane a power of two brings the coordinates near 1.
template <class Shape>
struct SeenFromW {
    Shape shape;
    MaskW usable, directed;
    FloatW scale;
    FloatW error;   // of a support point's coordinates
    FloatW length;  // at least |c|
    FloatW least;   // at most p . c, for any of the shape's points p

    LANE_INLINE SeenFromW(const Frame& place, float place_error, const Shape& shape_)
        : shape(shape_), usable(sound(shape)), scale(exponent_scale(shape.magnitude)) {
        error = fma(FloatW(Shape::error_factor(place)), shape.magnitude * scale, FloatW(place_error) * scale);
        shape.rescale(scale);
        Vec3W c = shape.center;
        length = sqrt(dot(c, c)) * FloatW(roundings_up);
        least = fma(-error, one_norm(c), dot(shape.support(place, -c), c));
        directed = usable & (one_norm(c) > FloatW(least_directed));
    }

    /// Set: all of it is farther away, proved.
    LANE_INLINE MaskW beyond(FloatW distance) const { return directed & (least > distance * scale * length); }
};

struct DistantW {
    MaskW far;    // set: all of it is beyond max_distance, proved
    MaskW small;  // set: its projected size is below the least, proved
};

template <class Shape>
LANE_INLINE DistantW too_distant(const PreparedView& view, const Shape& shape, FloatW max_distance, FloatW min_size) {
    SeenFromW<Shape> seen(view.eye, view.eye_error, shape);
    // The shape's own size. Corners are off by no more than support points are.
    const FloatW radius =
        fma(sqrt(seen.shape.farthest_corner_squared()), FloatW(roundings_up), seen.shape.ball_radius() + seen.error);
    const FloatW size = radius * FloatW(view.size_scale * roundings_up);

    DistantW result;
    result.far = seen.beyond(max_distance);
    result.small = view.size_by_distance ? seen.directed & (seen.least * min_size > size * seen.length)
                                         : seen.usable & (size < min_size * seen.scale);
    if (!view.has_eye) result.far = mask_of(0);
    if (!(view.size_scale > 0)) result.small = mask_of(0);
    return result;
}

}  // namespace
}  // namespace lanecull
