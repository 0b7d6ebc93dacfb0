#pragma once

#include <algorithm>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <limits>
#include <variant>

#include <lanecull/gjk.hpp>

#include "properties/gjk/specimens.hpp"

/// The shapes' support functions in 50 digits, from their definitions: the height that each shape reaches along a
/// direction. Nothing of the library is used here except the shapes' numbers. The support function determines a convex
/// set: a point is outside exactly if it lies higher than the set along some direction, and two sets are apart exactly
/// if along some direction one ends below where the other begins.
namespace reference {

using Real = boost::multiprecision::number<boost::multiprecision::cpp_bin_float<50>, boost::multiprecision::et_off>;

/// In 2D z is 0.
struct Direction {
    Real x, y, z;
};

template <class T, int N>
[[nodiscard]] Direction exact(const lanecull::gjk::Vec<T, N>& v) {
    if constexpr (N == 3)
        return {v.x, v.y, v.z};
    else
        return {v.x, v.y, 0};
}

[[nodiscard]] inline Direction operator-(const Direction& d) { return {-d.x, -d.y, -d.z}; }
[[nodiscard]] inline Direction operator-(const Direction& a, const Direction& b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
}
[[nodiscard]] inline Real dot(const Direction& a, const Direction& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
[[nodiscard]] inline Real length(const Direction& d) { return sqrt(dot(d, d)); }

template <class V>
[[nodiscard]] Real along(const V& point, const Direction& d) {
    return dot(exact(point), d);
}

/// The support function of a disk of radius 1 perpendicular to the axis: the length of d's component in the disk's
/// plane.
[[nodiscard]] inline Real disk(const Direction& axis, const Direction& d) {
    const Real square = dot(axis, axis), part = dot(axis, d);
    if (square == 0) return 0;
    const Real rest = dot(d, d) - part * part / square;
    return rest > 0 ? Real(sqrt(rest)) : Real(0);
}

/// The transpose of the matrix with these columns, times d.
template <class T, int N>
[[nodiscard]] Direction transposed_times(const lanecull::gjk::Matrix<T, N>& m, const Direction& d) {
    Direction result{along(m.column[0], d), along(m.column[1], d), 0};
    if constexpr (N == 3) result.z = along(m.column[2], d);
    return result;
}

namespace gjk = lanecull::gjk;

template <class T, int N>
Real height(const gjk::Point<T, N>& s, const Direction& d) {
    return along(s.p, d);
}
template <class T, int N>
Real height(const gjk::Segment<T, N>& s, const Direction& d) {
    return std::max(along(s.a, d), along(s.b, d));
}
template <class T, int N>
Real height(const gjk::Triangle<T, N>& s, const Direction& d) {
    return std::max({along(s.a, d), along(s.b, d), along(s.c, d)});
}
template <class T, int N>
Real height(const gjk::Sphere<T, N>& s, const Direction& d) {
    return along(s.center, d) + s.radius * length(d);
}
template <class T, int N>
Real height(const gjk::Capsule<T, N>& s, const Direction& d) {
    return std::max(along(s.a, d), along(s.b, d)) + s.radius * length(d);
}
template <class T, int N>
Real height(const gjk::Box<T, N>& s, const Direction& d) {
    const Direction half = exact(s.half);
    return along(s.center, d) + half.x * abs(d.x) + half.y * abs(d.y) + half.z * abs(d.z);
}
template <class T, int N>
Real height(const gjk::OrientedBox<T, N>& s, const Direction& d) {
    const Direction half = exact(s.half), a = transposed_times(s.axes, d);
    return along(s.center, d) + half.x * abs(a.x) + half.y * abs(a.y) + half.z * abs(a.z);
}
template <class T, int N>
Real height(const gjk::Ellipsoid<T, N>& s, const Direction& d) {
    const Direction half = exact(s.half), a = transposed_times(s.axes, d);
    return along(s.center, d) + length({half.x * a.x, half.y * a.y, half.z * a.z});
}
template <class T>
Real height(const gjk::Cylinder<T>& s, const Direction& d) {
    return std::max(along(s.a, d), along(s.b, d)) + s.radius * disk(exact(s.b) - exact(s.a), d);
}
template <class T>
Real height(const gjk::Cone<T>& s, const Direction& d) {
    return std::max<Real>(along(s.apex, d), along(s.base, d) + s.radius * disk(exact(s.apex) - exact(s.base), d));
}
template <class T>
Real height(const gjk::SphericalSector<T>& s, const Direction& d) {
    const Direction axis = exact(s.base) - exact(s.apex);
    const Real across = disk(axis, d), high = length(axis);
    if (across * dot(axis, axis) < s.radius * dot(axis, d)) {
        return along(s.apex, d) + length({high, s.radius, 0}) * length(d);
    }
    return std::max<Real>(along(s.apex, d), along(s.base, d) + s.radius * across);
}
template <class T, int N>
Real height(const gjk::Hull<T, N>& s, const Direction& d) {
    Real highest = along(s.points()[0], d);
    for (const auto& p : s.points()) highest = std::max(highest, along(p, d));
    return highest;
}

template <class S>
Real height(const gjk::Transformed<S>& s, const Direction& d) {
    return height(s.shape, transposed_times(s.map.linear, d)) + along(s.map.translation, d);
}
template <class S>
Real height(const gjk::Placed<S>& s, const Direction& d) {
    return height(s.shape, transposed_times(s.pose.rotation, d)) + along(s.pose.translation, d);
}
template <class S>
Real height(const gjk::Swept<S>& s, const Direction& d) {
    return height(s.shape, d) + std::max<Real>(0, along(s.way, d));
}
template <class S>
Real height(const gjk::Rounded<S>& s, const Direction& d) {
    return height(s.shape, d) + s.radius * length(d);
}
template <class S>
Real height(const gjk::Negated<S>& s, const Direction& d) {
    return height(s.shape, -d);
}
template <class A, class B>
Real height(const gjk::Sum<A, B>& s, const Direction& d) {
    return height(s.a, d) + height(s.b, d);
}
template <class A, class B>
Real height(const gjk::Join<A, B>& s, const Direction& d) {
    return std::max(height(s.a, d), height(s.b, d));
}

template <bool can_climb, class Kinds>
Real height(const specimens::OneOf<can_climb, Kinds>& s, const Direction& d) {
    return std::visit([&](const auto& shape) { return height(shape, d); }, s.specimen);
}

// Compiled once, by supports.cpp.
extern template Real height(const specimens::Any<float, 3>&, const Direction&);
extern template Real height(const specimens::Any<double, 3>&, const Direction&);
extern template Real height(const specimens::Any<float, 2>&, const Direction&);
extern template Real height(const specimens::Any<double, 2>&, const Direction&);

/// The gap between the two along d / |d|. A gap > 0 proves that they share no point.
template <class A, class B>
[[nodiscard]] Real gap(const A& a, const B& b, const Direction& d) {
    return (-height(b, -d) - height(a, d)) / length(d);
}

/// How far beyond the shape the point lies along d / |d|.
template <class S, class V>
[[nodiscard]] Real beyond(const S& shape, const V& point, const Direction& d) {
    return (along(point, d) - height(shape, d)) / length(d);
}

}  // namespace reference

/// What answers about a pair claim to prove, verified in 50 digits by the shapes' definitions.
namespace properties::gjk_subject {

namespace gjk = lanecull::gjk;
using gjk::Verdict;
using reference::Real;

template <class A, class B>
class Claims {
public:
    using V = gjk::VectorOf<A>;
    using T = gjk::ScalarOf<A>;

    Claims(const A& a, const B& b) : a_(a), b_(b) {}

    /// The first claim that does not hold; null if all hold.
    [[nodiscard]] const char* broken(const gjk::Intersection<V>& found) const {
        if (found.verdict != Verdict::separated || gap(found.direction) > 0) return nullptr;
        return "intersect: the direction does not separate";
    }

    [[nodiscard]] const char* broken(const gjk::Distance<V>& found) const {
        const bool apart = found.verdict == Verdict::separated;
        if (apart != (found.lower > 0)) return "distance: verdict and lower bound differ";
        if (apart && !(gap(found.direction) >= found.lower)) return "distance: the direction does not prove the bound";
        return known(found) <= found.upper ? nullptr : "distance: farther apart than the upper bound";
    }
    /// The two are apart by at least that.
    [[nodiscard]] Real known(const gjk::Distance<V>& found) const {
        const V way = found.b - found.a;
        const T size = gjk::sum_norm(way);
        return size > 0 && size - size == 0 ? gap(way) : Real(0);
    }

    /// The last direction separates at the earliest time, or at the motion's end; before that others did.
    [[nodiscard]] const char* broken(const gjk::Cast<V>& found, const V& motion) const {
        const bool missed = found.verdict == Verdict::separated;
        if (missed && !(found.earliest > 1)) return "cast: separated before the motion's end";
        if (!(found.earliest > 0)) return nullptr;
        const reference::Direction d = reference::exact(found.direction);
        const Real closing = reference::along(motion, d) / reference::length(d);
        const Real between = gap(found.direction);
        // Infinite: they do not approach any more, or take longer than numbers go.
        const bool for_ever = found.earliest == std::numeric_limits<T>::infinity();
        if (for_ever && between < std::numeric_limits<T>::max() * closing) return "cast: they meet after all";
        const Real time = std::min(found.earliest, T(1));
        return between >= time * closing ? nullptr : "cast: no separation until the earliest time";
    }

    /// Bounds of the depth hold up to some u of the size.
    [[nodiscard]] const char* broken(const gjk::Penetration<V>& found) const {
        if (found.verdict == Verdict::undecided) return nullptr;
        const Real between = gap(found.direction);
        if (found.verdict == Verdict::separated) {
            return between > 0 ? nullptr : "penetration: the direction does not separate";
        }
        const Real size = Real(gjk::magnitude(a_)) + Real(gjk::magnitude(b_));
        const Real slack = 64 * gjk::unit_roundoff<T> * size + 64 * std::numeric_limits<T>::min();
        if (-between > found.upper + slack) return "penetration: the translation does not separate";
        return -between < found.lower - slack ? "penetration: a translation shorter than the lower bound separates"
                                              : nullptr;
    }

    /// Along the direction they are no farther apart than the upper bound.
    [[nodiscard]] const char* broken(const gjk::SignedDistance<V>& found) const {
        if ((found.verdict == Verdict::separated) != (found.lower > 0)) {
            return "signed_distance: verdict and lower bound differ";
        }
        if (!(found.upper < std::numeric_limits<T>::infinity())) return nullptr;
        const Real size = Real(gjk::magnitude(a_)) + Real(gjk::magnitude(b_));
        const Real slack = 64 * gjk::unit_roundoff<T> * size + 64 * std::numeric_limits<T>::min();
        const Real between = gap(found.direction);
        if (!(found.lower <= found.upper) || between > found.upper + slack) {
            return "signed_distance: farther apart than the upper bound";
        }
        return nullptr;
    }

private:
    [[nodiscard]] Real gap(const V& d) const { return reference::gap(a_, b_, reference::exact(d)); }

    const A& a_;
    const B& b_;
};

}  // namespace properties::gjk_subject
