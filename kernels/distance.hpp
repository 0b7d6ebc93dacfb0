#pragma once

/// Objects too far from the view's eye, or too small as seen from there. In the eye's frame: world axes, the eye at 0.
///
/// With c the object's centre, every point p of it has p . c >= m, m being the least over the object; so |p| >= m /
/// |c|. m comes from the support mapping, with the bound of every support point.

namespace lanecull {
namespace {

struct DistantW {
    MaskW far;    // set: all of it is beyond max_distance, proved
    MaskW small;  // set: its projected size is below the least, proved
};

/// Covers a handful of roundings in products of positive numbers.
constexpr float roundings_up = 1 + 0x1p-20f;
/// Objects whose centre is nearer to the eye than this share of their own size are neither far nor small.
constexpr float least_center = 1e-9f;

template <class Shape>
LANE_INLINE DistantW too_distant(const PreparedView& view, Shape shape, FloatW max_distance, FloatW min_size) {
    const FloatW scale = exponent_scale(shape.magnitude);
    const FloatW error =
        fma(FloatW(Shape::error_share(view.eye)), shape.magnitude * scale, FloatW(view.eye_error) * scale);
    const MaskW usable = sound(shape);
    shape.rescale(scale);

    const Vec3W c = shape.center;
    const FloatW length = sqrt(dot(c, c)) * FloatW(roundings_up);
    const FloatW least = fma(-error, one_norm(c), dot(shape.support(view.eye, -c), c));
    const MaskW directed = usable & (one_norm(c) > FloatW(least_center));

    // The shape's own size: corners are off by no more than support points.
    const FloatW radius = fma(sqrt(shape.farthest_corner_squared()), FloatW(roundings_up), shape.ball_radius() + error);
    const FloatW size = radius * FloatW(view.size_scale * roundings_up);

    DistantW result;
    result.far = directed & (least > max_distance * scale * length);
    result.small =
        view.size_by_distance ? directed & (least * min_size > size * length) : usable & (size < min_size * scale);
    if (!view.has_eye) result.far = mask_of(0);
    if (!(view.size_scale > 0)) result.small = mask_of(0);
    return result;
}

}  // namespace
}  // namespace lanecull
