#pragma once

/// Signed distances of pairs, between two bounds: those of boxes, capsules and spheres that are deep in each other by
/// the facets of their difference, those of others by a descent.

#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"
#include "lanes/vec3w.hpp"
#include "pairs/deepest.hpp"
#include "pairs/depth.hpp"
#include "pairs/descent.hpp"
#include "pairs/distance.hpp"
#include "pairs/mixture.hpp"

namespace lanecull::pairs {
namespace {

/// Results, scaled as the pair is.
struct SignedW {
    FloatW lower, upper;  // balls included
    Vec3W direction;      // of length 1, from a to b
    Vec3W of_a, of_b;     // a point of each
    FloatW miss = 0.0f;   // how far the points are from where they should be

    /// Set: the bounds are as close as was requested, with points, or `lower` is beyond the limit. Rounding alone
    /// leaves up to 65 u of G between them, as between those of distances, and more of facets that axes span which are
    /// nearly parallel.
    template <class A, class B>
    [[nodiscard]] LANE_INLINE MaskW close(FloatW limit, FloatW relative, const PairW<A, B>& pair) const {
        const FloatW rounding = FloatW(1e-5f) * pair.size;
        const FloatW allowed = fma(FloatW(2.0f) * relative, abs(upper) + pair.radius, rounding);
        return (lower > limit) | ((upper - lower <= allowed) & (miss <= rounding));
    }

    LANE_INLINE void take(MaskW which, const SignedW& other) {
        lower = select(which, other.lower, lower);
        upper = select(which, other.upper, upper);
        direction = select(which, other.direction, direction);
        of_a = select(which, other.of_a, of_a);
        of_b = select(which, other.of_b, of_b);
        miss = select(which, other.miss, miss);
    }
};

/// From points of the cores to those of the shapes.
template <class A, class B>
LANE_INLINE void add_balls(const PairW<A, B>& pair, SignedW& result) {
    if constexpr (!PairW<A, B>::is_round) return;
    result.of_a = result.of_a + result.direction * pair.a.ball_radius();
    result.of_b = result.of_b - result.direction * pair.b.ball_radius();
}

/// By a descent from v. Along v, of length 1, the two are apart by `gap`, or v is any direction and `gap` -infinity. If
/// nothing is proved to be more, v stays: from a facet it is as good as that is large, where a short way between
/// nearest points is mostly rounding.
template <class A, class B>
LANE_INLINE SignedW between_cores(const PairW<A, B>& pair, MaskW active, const Vec3W& v, FloatW gap, FloatW limit,
                                  FloatW relative) {
    const DescentW found = descend<true>(pair, active, v, limit, relative);
    SignedW result;
    const Vec3W apart = found.nearest(result.of_a);
    result.of_b = result.of_a - apart;
    const Vec3W way = found.direction * over_sqrt(FloatW(1.0f), dot(found.direction, found.direction));
    result.direction = select(gap >= found.lower, v, way);
    result.lower = found.lower;
    const FloatW length = rounded_up_length(apart);
    result.miss = one_norm(plus_times(apart, result.direction, length));
    result.upper = upper_of_cores(pair, length);
    if constexpr (PairW<A, B>::is_round) {
        result.upper =
            result.upper - pair.radius * FloatW(1 - 4 * unit_roundoff) + FloatW(4 * unit_roundoff) * pair.size;
    }
    add_balls(pair, result);
    return result;
}

/// By facets.
template <class A, int Axes>
LANE_INLINE SignedW within_cores(const PairW<A, BoxW>& pair, MaskW active, const CoreDepthW<A, Axes>& depth) {
    const DeepestW deepest(pair, active, depth);
    const FloatW slack = PairW<A, BoxW>::is_round ? FloatW(4 * unit_roundoff) * pair.size : FloatW(0.0f);
    SignedW result{-(depth.height + depth.doubt + pair.radius + slack),
                   -(depth.lower + pair.radius - slack),
                   depth.direction,
                   deepest.of_a,
                   deepest.of_b,
                   deepest.miss};
    add_balls(pair, result);
    return result;
}

template <class A, class B>
LANE_INLINE SignedW measure_signed(const PairW<A, B>& pair, FloatW limit, FloatW relative) {
    if constexpr (__is_same(B, BoxW)) {
        constexpr int axes = __is_same(A, BoxW) ? 3 : 1;
        const CoreDepthW<A, axes> depth(pair, relative);
        const MaskW deep = pair.valid & (depth.lower > FloatW(0.0f)), others = pair.valid & ~deep;
        if (!any(others)) return within_cores(pair, deep, depth);
        const FloatW gap = select(depth.facets.found, -depth.height - pair.radius, FloatW(-__builtin_inff()));
        SignedW result = between_cores(pair, others, depth.direction, gap, limit, relative);
        if (any(deep)) result.take(deep, within_cores(pair, deep, depth));
        return result;
    } else {
        const FloatW unknown(-__builtin_inff());
        return between_cores(pair, pair.valid, pair.start(), unknown, limit, relative);
    }
}

}  // namespace
}  // namespace lanecull::pairs
