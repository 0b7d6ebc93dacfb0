#pragma once

/// Balls (spheres, and the bounding spheres of other kinds), boxes along the world's axes, and support points for the
/// lanes that need them.

#include <cstdint>
#include <type_traits>

#include "base/rounding_bound.hpp"
#include "lanes/frames.hpp"
#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"
#include "lanes/vec3w.hpp"
#include "lanes/zonotope.hpp"
#include "view/prepared_view.hpp"

namespace lanecull {
namespace {

/// Each lane's point of the shape farthest along v, in the lanes `asked`; hulls look for it lane by lane. What the
/// other lanes get is nobody's.
template <class Shape>
LANE_INLINE Vec3W support_in(const Shape& shape, const Frame& frame, const Vec3W& v, std::uint32_t asked) {
    if constexpr (requires { shape.support(frame, v, asked); }) {
        return shape.support(frame, v, asked);
    } else {
        return shape.support(frame, v);
    }
}

/// A ball in the coordinates of the axes that it was made with.
struct BallW {
    Vec3W center;
    FloatW radius;
    FloatW size;  // the object's size whose bits come last: negative, infinite or NaN if any of its sizes is
};

/// A ball around a box, larger than need be, for tests that may leave more undecided. The sum of the half-extents needs
/// no square root, and is no more than sqrt(3) times as long as half the diagonal.
LANE_INLINE BallW ball_around(const Vec3W& center, const Vec3W& half) {
    return {center, (half.x + half.y) + half.z, later_bits(later_bits(half.x, half.y), half.z)};
}

LANE_INLINE MaskW not_negative(const Vec3W& v) {
    const FloatW zero(0.0f);
    return (v.x >= zero) & (v.y >= zero) & (v.z >= zero);
}

/// A box along the world's axes, in relative coordinates.
struct AlignedBoxW {
    static LANE_INLINE float error_factor(const Frame&) { return error_per_magnitude(roundings::zonotope); }

    Vec3W center, half;
    FloatW magnitude;
    MaskW valid;

    LANE_INLINE Vec3W support(const Frame&, const Vec3W& v) const {
        return {center.x + flip(half.x, v.x), center.y + flip(half.y, v.y), center.z + flip(half.z, v.z)};
    }
    LANE_INLINE FloatW reach(const NormalW& n) const { return dot(n.size, half); }
    LANE_INLINE FloatW reach(const Vec3W& n) const { return dot({abs(n.x), abs(n.y), abs(n.z)}, half); }
    template <class Normal>
    LANE_INLINE FloatW reach_back(const Normal& n) const {
        return reach(n);
    }
    LANE_INLINE ExtentW extent() const { return {center - half, center + half}; }
    LANE_INLINE const Vec3W& inner_point() const { return center; }

    /// How many numbers support() reads.
    static constexpr std::uint32_t lane_numbers = 6;
    template <class Visit>
    LANE_INLINE void visit_lanes(const Visit& visit) {
        visit3(center, visit);
        visit3(half, visit);
    }
};

/// A box by its corners, as it is stored. Its extent has no error.
struct CornersW {
    static LANE_INLINE float error_factor(const Frame&) { return 0; }

    Vec3W low, high;
    FloatW magnitude;
    MaskW valid;

    LANE_INLINE ExtentW extent() const { return {low, high}; }
};

/// The same box in a frame's coordinates, where its axes are R's columns, scaled.
LANE_INLINE ZonotopeW<3, false> turned(const FrameAxesW& axes, const AlignedBoxW& box) {
    ZonotopeW<3, false> shape;
    shape.center = axes.turned(box.center);
    shape.axis[0] = axes.rotation.column_x() * box.half.x;
    shape.axis[1] = axes.rotation.column_y() * box.half.y;
    shape.axis[2] = axes.rotation.column_z() * box.half.z;
    shape.magnitude = box.magnitude;
    shape.valid = box.valid;
    return shape;
}
/// A box in the coordinates of the axes. It is made where it is returned, and not passed on by reference: g++ 12 would
/// store it number by number and copy it in whole vectors, whose loads wait for the stores. That took a fifth of the
/// time of slice_bounds().
template <class Axes>
LANE_INLINE auto turned_box(const Axes& axes, const Vec3W& center, const Vec3W& half, FloatW magnitude, MaskW valid) {
    if constexpr (std::is_same_v<Axes, RelativeAxesW>) {
        return AlignedBoxW{center, half, magnitude, valid};
    } else {
        return turned(axes, AlignedBoxW{center, half, magnitude, valid});
    }
}

}  // namespace
}  // namespace lanecull
