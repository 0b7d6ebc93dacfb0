#pragma once

/// Where two cores touch once they are moved out of each other: points of each that `height` along the direction leads
/// from one to the other.

#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"
#include "lanes/vec3w.hpp"
#include "pairs/depth.hpp"
#include "pairs/shapes.hpp"

namespace lanecull::pairs {
namespace {

/// Axes across the direction, up to this part of their length, leave the point between their ends open.
constexpr float across_share = 1e-5f;
constexpr int most_settlings = 8;

LANE_INLINE FloatW to_unit_interval(FloatW x) { return max(min(x, FloatW(1.0f)), FloatW(-1.0f)); }

/// A point of the core at or near p.
LANE_INLINE Vec3W held_by(const RoundW& core, const NoFacesW&, const Vec3W& p) {
    const Vec3W& axis = core.axis[0];
    return plus_times(core.center, axis, to_unit_interval(dot(p - core.center, axis) / dot(axis, axis)));
}
template <int OtherAxes>
LANE_INLINE Vec3W held_by(const BoxW& box, const FacesW<OtherAxes>& faces, const Vec3W& p) {
    const FloatW share = FloatW(1.0f) / dot(faces.normal[0], box.axis[0]);
    const Vec3W q = p - box.center;
    Vec3W held = box.center;
    for (int k = 0; k < 3; ++k) held = plus_times(held, box.axis[k], to_unit_interval(dot(faces.normal[k], q) * share));
    return held;
}

struct DeepestW {
    Vec3W of_a, of_b;
    FloatW miss;  ///< how far of_a - of_b is from where it should be

    template <class A, int Axes>
    LANE_INLINE DeepestW(const PairW<A, BoxW>& pair, MaskW active, const CoreDepthW<A, Axes>& depth) {
        const FacetsW<A, Axes>& facets = depth.facets;
        const Vec3W way = depth.direction * depth.height;
        of_a = pair.a.center, of_b = pair.b.center;
        for (const AxisW& axis : facets.a) of_a = plus_times(of_a, axis.way, end_along(axis, depth.direction));
        for (const AxisW& axis : facets.b) of_b = plus_times(of_b, axis.way, -end_along(axis, depth.direction));
        // What is left lies in the facet: so much of its two axes.
        const Vec3W left = way - (of_a - of_b), n = cross(facets.first, facets.second);
        const FloatW share = FloatW(1.0f) / dot(n, n), zero(0.0f);
        const Vec3W by_first = facets.first * (dot(cross(left, facets.second), n) * share);
        const Vec3W by_second = facets.second * (dot(cross(facets.first, left), n) * share);
        const Vec3W none = {zero, zero, zero};
        of_a = of_a + (select(facets.first_of_a, by_first, none) + select(facets.second_of_a, by_second, none));
        of_b = of_b - (select(facets.first_of_a, none, by_first) + select(facets.second_of_a, none, by_second));
        of_a = held_by(pair.a, facets.of_a, of_a);
        of_b = held_by(pair.b, facets.of_b, of_b);
        // Where faces or parallel edges touch, from each to the other and back.
        for (int k = 0;; ++k) {
            miss = one_norm(of_a - of_b - way);
            active = active & ~(miss <= FloatW(1e-6f) * pair.size);
            if (k == most_settlings || !any(active)) break;
            of_a = select(active, held_by(pair.a, facets.of_a, of_b + way), of_a);
            of_b = select(active, held_by(pair.b, facets.of_b, of_a - way), of_b);
        }
    }

private:
    /// Which end of the axis is farthest along n: 1 or -1, or between if the axis is all but across n.
    static LANE_INLINE FloatW end_along(const AxisW& axis, const Vec3W& n) {
        return to_unit_interval(dot(axis.way, n) / fma(FloatW(across_share), axis.length, FloatW(1e-30f)));
    }
};

}  // namespace
}  // namespace lanecull::pairs
