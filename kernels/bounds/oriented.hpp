#pragma once

/// Oriented boxes around transformed local boxes. A rotation is chosen first, and the choice needs no accuracy. The
/// half-extents are computed last, from the quaternion that is handed out, and rounded up (bounds/PROOF.md, "World
/// bounds").

#include "base/rounding_bound.hpp"
#include "bounds/placed.hpp"
#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"
#include "lanes/quaternion.hpp"
#include "lanes/transforms.hpp"
#include "lanes/vec3w.hpp"

namespace lanecull {
namespace {

/// The edges of a parallelepiped: a column of A times the box's extent along it.
struct EdgesW {
    Vec3W edge[3];

    LANE_INLINE EdgesW(const TransformW& m, const LocalBoxW& box)
        : edge{m.column(0) * box.twice_half.x, m.column(1) * box.twice_half.y, m.column(2) * box.twice_half.z} {}
};

/// What a has at right angles to a unit vector.
LANE_INLINE Vec3W across(const Vec3W& a, const Vec3W& unit) { return plus_times(a, unit, -dot(a, unit)); }
LANE_INLINE Vec3W normalised(const Vec3W& a) { return a * over_sqrt(FloatW(1.0f), dot(a, a)); }

/// The quaternion of a rotation matrix: of its four components the largest is found by a root, the others by sums of
/// two entries over that.
///
/// Source: S. W. Shepperd, "Quaternion from Rotation Matrix", Journal of Guidance and Control 1 (3), 1978.
LANE_INLINE QuaternionW quaternion_of(const Vec3W (&column)[3]) {
    const Vec3W &x = column[0], &y = column[1], &z = column[2];
    const FloatW one = 1.0f;
    const FloatW wx = y.z - z.y, wy = z.x - x.z, wz = x.y - y.x, xy = x.y + y.x, xz = x.z + z.x, yz = y.z + z.y;
    const FloatW ww = one + x.x + y.y + z.z, xx = one + x.x - y.y - z.z, yy = one - x.x + y.y - z.z,
                 zz = one - x.x - y.y + z.z;
    QuaternionW q({wx, wy, wz}, ww);
    FloatW largest = ww;
    const auto prefer = [&](FloatW square, const QuaternionW& other) LANE_LAMBDA {
        const MaskW is_larger = square > largest;
        q = {select(is_larger, other.v, q.v), select(is_larger, other.w, q.w)};
        largest = select(is_larger, square, largest);
    };
    prefer(xx, {{xx, xy, xz}, wx});
    prefer(yy, {{xy, yy, yz}, wy});
    prefer(zz, {{xz, yz, zz}, wz});
    const FloatW scale = over_sqrt(FloatW(0.5f), largest);
    return {q.v * scale, q.w * scale};
}

/// A rotation of the axes that brings one along the longest edge, and another into the plane of that and the longer of
/// the other two. Any rotation where nothing determines one, as for points. |q| is near 1 whatever the edges are.
LANE_INLINE QuaternionW rotation_along(const EdgesW& edges) {
    Vec3W direction[3];
    FloatW length[3];
    for (int k = 0; k < 3; ++k) {
        direction[k] = edges.edge[k] * exponent_scale(inf_norm(edges.edge[k]));
        length[k] = one_norm(edges.edge[k]);
    }
    // The longest edge is the first; the next and the last follow it, in the order 0, 1, 2, 0, 1.
    const MaskW is_0 = (length[0] >= length[1]) & (length[0] >= length[2]), is_1 = length[1] >= length[2];
    const auto ordered = [&](const auto& if_0, const auto& if_1, const auto& if_2)
                             LANE_LAMBDA { return select(is_0, if_0, select(is_1, if_1, if_2)); };
    const Vec3W first = normalised(ordered(direction[0], direction[1], direction[2]));
    const MaskW takes_next = ordered(length[1], length[2], length[0]) >= ordered(length[2], length[0], length[1]);
    const Vec3W other = select(takes_next, ordered(direction[1], direction[2], direction[0]),
                               ordered(direction[2], direction[0], direction[1]));

    // Of an edge that is parallel to the first but for rounding, or zero, nothing is at right angles to it.
    const FloatW zero = 0.0f, one = 1.0f;
    const MaskW leans_on_x = abs(first.x) < FloatW(0.6f);
    const Vec3W some_axis = {select(leans_on_x, one, zero), select(leans_on_x, zero, one), zero};
    Vec3W second = across(other, first);
    second = select(dot(second, second) > FloatW(0x1p-38f), second, across(some_axis, first));
    second = normalised(across(second, first));
    const Vec3W third = cross(first, second);

    const Vec3W next = select(takes_next, second, -third), last = select(takes_next, third, second);
    const Vec3W columns[3] = {ordered(first, last, next), ordered(next, first, last), ordered(last, next, first)};
    const QuaternionW q = quaternion_of(columns);
    const FloatW square = fma(q.w, q.w, dot(q.v, q.v));
    const MaskW is_unit = (square > FloatW(0.5f)) & (square < FloatW(2.0f));
    return {select(is_unit, q.v, {zero, zero, zero}), select(is_unit, q.w, one)};
}

/// Half-extents along the exact axes of the quaternion, of which `turned` are the roundings.
LANE_INLINE Vec3W half_extents(const EdgesW& edges, const QuaternionAxesW& turned, const PlacedW& p) {
    constexpr float share = 19 * unit_roundoff * (1 + 0x1p-16f);
    const FloatW error = fma(FloatW(share), p.reach.x + p.reach.y + p.reach.z, p.error.x + p.error.y + p.error.z);
    const auto along = [&](const Vec3W& axis) LANE_LAMBDA {
        const FloatW width =
            abs(dot(axis, edges.edge[0])) + abs(dot(axis, edges.edge[1])) + abs(dot(axis, edges.edge[2]));
        return fma(FloatW(0.5f), width, error);
    };
    return {along(turned.axis[0]), along(turned.axis[1]), along(turned.axis[2])};
}

/// Half-extents along the axes as floats, with which the box contains the one along the exact axes.
LANE_INLINE Vec3W by_rounded_axes(const Vec3W& half) {
    constexpr float share = 20 * unit_roundoff * (1 + 0x1p-16f);
    const FloatW more = (half.x + half.y + half.z) * FloatW(share);
    return {half.x + more, half.y + more, half.z + more};
}

/// A radius around the box's centre. Half-extents are divided by their sum, so that squares neither overflow nor
/// underflow; where that sum is tiny it is the result.
LANE_INLINE FloatW radius_around(const Vec3W& half) {
    const FloatW sum = half.x + half.y + half.z;
    Vec3W part = half * (FloatW(1.0f) / sum);
    return select(sum < FloatW(0x1p-100f), sum, sum * sqrt(dot(part, part))) * FloatW(1 + 0x1p-18f);
}

}  // namespace
}  // namespace lanecull
