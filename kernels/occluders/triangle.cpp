/// A triangle and a box are apart along one of thirteen directions, if at all (Gottschalk, 1996): the box's axes, the
/// triangle's normal, and the cross product of an edge of each. Along the axes floats are compared. Along the others
/// intervals are, so a rounding can only lose a direction. Products of three floats stay far within the range of
/// doubles: nothing overflows, and nothing is NaN.

#include "occluders/triangle.hpp"

#include "base/interval.hpp"

namespace lanecull::solids {
namespace {

Interval difference(float a, float b) { return Interval(static_cast<double>(a)) - Interval(static_cast<double>(b)); }

/// What direction . (p - origin) may be for the points p of a box, along some axes.
class Reach {
public:
    void add(Interval direction, const Solid& solid, std::size_t axis, float origin) {
        const Interval at_lo = direction * difference(solid.lo[axis], origin);
        const Interval at_hi = direction * difference(solid.hi[axis], origin);
        low_ = sum_down(low_, at_lo.lo < at_hi.lo ? at_lo.lo : at_hi.lo);
        high_ = sum_up(high_, at_lo.hi > at_hi.hi ? at_lo.hi : at_hi.hi);
    }
    /// Whether all of the box lies above or below all these numbers. False where one of them is NaN.
    [[nodiscard]] bool excludes(Interval a, Interval b) const {
        return (high_ < a.lo && high_ < b.lo) || (low_ > a.hi && low_ > b.hi);
    }

private:
    double low_ = 0, high_ = 0;
};

bool apart_along_normal(const Triangle& t, const Solid& solid) {
    const auto edge = [&](std::size_t to, std::size_t k) { return difference(t.corner[to][k], t.corner[0][k]); };
    Reach reach;
    for (std::size_t k = 0; k < dimensions; ++k) {
        const std::size_t u = (k + 1) % dimensions, v = (k + 2) % dimensions;
        const Interval normal = determinant(edge(1, u), edge(1, v), edge(2, u), edge(2, v));
        reach.add(normal, solid, k, t.corner[0][k]);
    }
    return reach.excludes(0.0, 0.0);
}

/// Along the direction across an edge and an axis: both seen along the axis, the edge's line with the third corner on
/// one side.
bool apart_across_edge(const Triangle& t, const Solid& solid, std::size_t from, std::size_t axis) {
    const float* const a = t.corner[from];
    const float* const b = t.corner[(from + 1) % 3];
    const float* const c = t.corner[(from + 2) % 3];
    const std::size_t u = (axis + 1) % dimensions, v = (axis + 2) % dimensions;
    const Interval du = -difference(b[v], a[v]), dv = difference(b[u], a[u]);
    Reach reach;
    reach.add(du, solid, u, a[u]);
    reach.add(dv, solid, v, a[v]);
    return reach.excludes(0.0, du * difference(c[u], a[u]) + dv * difference(c[v], a[v]));
}

}  // namespace

bool proved_apart(const Triangle& t, const Solid& solid) {
    for (std::size_t k = 0; k < dimensions; ++k) {
        if (t.high(k) <= solid.lo[k] || t.low(k) >= solid.hi[k]) return true;
    }
    if (apart_along_normal(t, solid)) return true;
    for (std::size_t edge = 0; edge < 3; ++edge) {
        for (std::size_t axis = 0; axis < dimensions; ++axis) {
            if (apart_across_edge(t, solid, edge, axis)) return true;
        }
    }
    return false;
}

}  // namespace lanecull::solids
