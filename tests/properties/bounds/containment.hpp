#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <type_traits>
#include <vector>

#include <lanecull/bounds.h>

#include "oracle/exact.hpp"

/// Signs of polynomials in the numbers that a function was given and those that it returned: in doubles with a bound on
/// their error, and in rationals where that cannot decide.
namespace properties {

/// A number in doubles that is at most `error` away from the true one.
///
/// With u = 2^-53, an operation's result is rounded by at most u of itself, or by 2^-1075 where a product underflows.
/// It also inherits its operands' errors. A sum's is the sum of both. A product's is |x| dy + |y| dx + dx dy. These
/// errors are sums of at most four numbers >= 0, rounded at most six times each, which `and_roundings` makes up for.
/// Where a term of an error underflows, it loses less than 2^-1074: `smallest` stands for all of them.
struct Estimate {
    double value = 0, error = 0;

    static constexpr double unit = 0x1p-53, and_roundings = 1 + 0x1p-49, smallest = 0x1p-1070;

    friend Estimate operator+(const Estimate& x, const Estimate& y) {
        const double sum = x.value + y.value;
        return {sum, (x.error + y.error + unit * std::fabs(sum)) * and_roundings};
    }
    friend Estimate operator-(const Estimate& x) { return {-x.value, x.error}; }
    friend Estimate operator-(const Estimate& x, const Estimate& y) { return x + -y; }
    friend Estimate operator*(const Estimate& x, const Estimate& y) {
        const double product = x.value * y.value;
        const double inherited = std::fabs(x.value) * y.error + std::fabs(y.value) * x.error + x.error * y.error;
        return {product, (inherited + unit * std::fabs(product)) * and_roundings + smallest};
    }
    friend Estimate abs(const Estimate& x) { return {std::fabs(x.value), x.error}; }
};

/// A formula is a function of how numbers are to be taken: exactly(x) is x as one of these.
struct InDoubles {
    Estimate operator()(double x) const { return {x, 0}; }
    Estimate operator()(float x) const { return {static_cast<double>(x), 0}; }
};
struct InRationals {
    exact::Rational operator()(double x) const { return exact::rational(x); }
    exact::Rational operator()(float x) const { return exact::rational(static_cast<double>(x)); }
};
/// What a formula computes with.
template <class Exactly>
using NumberOf = std::invoke_result_t<Exactly, double>;

template <class Number>
[[nodiscard]] Number square(const Number& x) {
    return x * x;
}

/// Decides formulas, and counts the decisions that took rationals.
class Judge {
public:
    /// -1, 0 or 1. The numbers in the formula must be finite.
    template <class Formula>
    [[nodiscard]] int sign(const Formula& formula) {
        if (!by_rationals_alone_) {
            const Estimate estimate = formula(InDoubles{});
            if (estimate.value > estimate.error) return 1;
            if (estimate.value < -estimate.error) return -1;
        }
        ++exact_checks_;
        return formula(InRationals{}).sign();
    }

    /// From here on no formula is computed in doubles, or again all are.
    void by_rationals_alone(bool alone) { by_rationals_alone_ = alone; }
    [[nodiscard]] std::uint64_t exact_checks() const { return exact_checks_; }

private:
    bool by_rationals_alone_ = false;
    std::uint64_t exact_checks_ = 0;
};

// Whether what the library says contains a point does, as sets of real points that the floats define.

using Vertex = std::array<float, 3>;
using Cloud = std::vector<Vertex>;

[[nodiscard]] inline bool all_finite(const float* first, std::size_t count) {
    return std::all_of(first, first + count, [](float number) { return std::isfinite(number); });
}

[[nodiscard]] inline bool all_finite(const Cloud& cloud) {
    return std::ranges::all_of(cloud, [](const Vertex& p) { return all_finite(p.data(), 3); });
}

[[nodiscard]] inline bool contains(const lanecull::BoxBounds& box, const Vertex& p) {
    bool inside = true;
    for (std::size_t k = 0; k < 3; ++k) inside = inside && box.lower[k] <= p[k] && p[k] <= box.upper[k];
    return inside;
}

/// |p - center|^2 - radius^2 <= 0.
[[nodiscard]] inline bool contains(const lanecull::SphereBounds& sphere, const Vertex& p, Judge& judge) {
    return judge.sign([&](auto exactly) {
        auto beyond = -square(exactly(sphere.radius));
        for (std::size_t k = 0; k < 3; ++k) beyond = beyond + square(exactly(p[k]) - exactly(sphere.center[k]));
        return beyond;
    }) <= 0;
}

/// Whether the sphere contains the one around a position in doubles, seen from the origin: the centres are no farther
/// apart than the radii differ.
[[nodiscard]] inline bool contains_moved(const lanecull::SphereBounds& sphere, const double* position, float radius,
                                         const double* origin, Judge& judge) {
    return sphere.radius >= radius && judge.sign([&](auto exactly) {
        auto apart = -square(exactly(sphere.radius) - exactly(radius));
        for (std::size_t k = 0; k < 3; ++k) {
            apart = apart + square(exactly(position[k]) - exactly(origin[k]) - exactly(sphere.center[k]));
        }
        return apart;
    }) <= 0;
}

template <class Number>
using Three = std::array<Number, 3>;

template <class Number>
[[nodiscard]] Number dot(const Three<Number>& a, const Three<Number>& b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
template <class Number>
[[nodiscard]] Three<Number> cross(const Three<Number>& a, const Three<Number>& b) {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

/// The sum of the squares of a quaternion's numbers.
template <class Exactly>
[[nodiscard]] NumberOf<Exactly> square_of(const float* quaternion, Exactly exactly) {
    NumberOf<Exactly> sum = exactly(0.0);
    for (std::size_t k = 0; k < 4; ++k) sum = sum + square(exactly(quaternion[k]));
    return sum;
}

/// |q|^2 times row `row` of q's rotation matrix.
template <class Exactly>
[[nodiscard]] std::array<NumberOf<Exactly>, 3> rotation_row(const float* q, std::size_t row, Exactly exactly) {
    const auto x = exactly(q[0]), y = exactly(q[1]), z = exactly(q[2]), w = exactly(q[3]), two = exactly(2.0);
    switch (row) {
        case 0:
            return {w * w + x * x - y * y - z * z, two * (x * y - w * z), two * (x * z + w * y)};
        case 1:
            return {two * (x * y + w * z), w * w + y * y - x * x - z * z, two * (y * z - w * x)};
        default:
            return {two * (x * z - w * y), two * (y * z + w * x), w * w + z * z - x * x - y * y};
    }
}

/// Axes of a box, times `scale`; and vectors by which a point's multiples of the axes are found: p = sum of s_k axis_k
/// has s_k = inverse_k . p / scale.
template <class Exactly>
struct Frame {
    using Number = NumberOf<Exactly>;
    Three<Three<Number>> axis, inverse;
    Number scale;

    Frame(const float* t, bool by_axes, Exactly exactly) {
        for (std::size_t k = 0; k < 3; ++k) {
            if (by_axes) {
                axis[k] = {exactly(t[3 * k]), exactly(t[3 * k + 1]), exactly(t[3 * k + 2])};
                continue;
            }
            const auto row = rotation_row(t, k, exactly);
            for (std::size_t j = 0; j < 3; ++j) axis[j][k] = row[j];
        }
        if (by_axes) {
            for (std::size_t k = 0; k < 3; ++k) inverse[k] = cross<Number>(axis[(k + 1) % 3], axis[(k + 2) % 3]);
            scale = dot<Number>(axis[0], inverse[0]);
        } else {
            inverse = axis;  // at right angles, and as long as `scale`
            scale = square_of(t, exactly);
        }
    }
};

/// Whether an oriented box contains a point, given as a formula: |inverse_k . (p - center)| <= half_k |scale| for each
/// k, and the axes span space.
template <class Formula>
[[nodiscard]] bool oriented_box_contains(const float* turned, bool by_axes, const float* center, const float* half,
                                         const Formula& point, Judge& judge) {
    bool inside = judge.sign([&](auto exactly) { return Frame(turned, by_axes, exactly).scale; }) != 0;
    for (std::size_t k = 0; k < 3 && inside; ++k) {
        inside = judge.sign([&](auto exactly) {
            const Frame frame(turned, by_axes, exactly);
            auto p = point(exactly);
            for (std::size_t j = 0; j < 3; ++j) p[j] = p[j] - exactly(center[j]);
            return abs(dot<NumberOf<decltype(exactly)>>(frame.inverse[k], p)) - exactly(half[k]) * abs(frame.scale);
        }) <= 0;
    }
    return inside;
}
[[nodiscard]] inline bool contains(const lanecull::OrientedBoxBounds& box, const Vertex& p, Judge& judge) {
    const auto point = [&](auto exactly) {
        return Three<NumberOf<decltype(exactly)>>{exactly(p[0]), exactly(p[1]), exactly(p[2])};
    };
    return oriented_box_contains(box.axes, true, box.center, box.half_extents, point, judge);
}

// The facets of a hull of a few points, found by trying all triples.

/// The half-space through three points that all others lie in.
struct Facet {
    const Vertex& a;
    const Vertex& b;
    const Vertex& c;
    double side;  ///< 1: the normal (b - a) x (c - a) is outward. -1: its opposite is

    /// Outward, normal . (p - a). It is |normal| times how far p lies beyond.
    template <class Exactly>
    [[nodiscard]] NumberOf<Exactly> height(const float* p, Exactly exactly) const {
        const auto n = normal(exactly);
        auto sum = exactly(0.0);
        for (std::size_t k = 0; k < 3; ++k) sum = sum + n[k] * (exactly(p[k]) - exactly(a[k]));
        return exactly(side) * sum;
    }
    template <class Exactly>
    [[nodiscard]] NumberOf<Exactly> square_of_normal(Exactly exactly) const {
        const auto n = normal(exactly);
        return square(n[0]) + square(n[1]) + square(n[2]);
    }

private:
    template <class Exactly>
    [[nodiscard]] std::array<NumberOf<Exactly>, 3> normal(Exactly exactly) const {
        Three<NumberOf<Exactly>> u, v;
        for (std::size_t k = 0; k < 3; ++k) {
            u[k] = exactly(b[k]) - exactly(a[k]);
            v[k] = exactly(c[k]) - exactly(a[k]);
        }
        return cross<NumberOf<Exactly>>(u, v);
    }
};

/// Calls holds(facet) for each facet, some of them more than once, until it is false. Points of one plane have none.
template <class Holds>
bool for_each_facet(const Cloud& points, Judge& judge, const Holds& holds) {
    const std::size_t count = points.size();
    for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t j = i + 1; j < count; ++j) {
            for (std::size_t k = j + 1; k < count; ++k) {
                Facet facet{points[i], points[j], points[k], 1};
                bool above = false, below = false;
                for (std::size_t l = 0; l < count && !(above && below); ++l) {
                    if (l == i || l == j || l == k) continue;
                    const int side = judge.sign([&](auto exactly) { return facet.height(points[l].data(), exactly); });
                    above = above || side > 0, below = below || side < 0;
                }
                if (above == below) continue;
                facet.side = above ? -1 : 1;
                if (!holds(facet)) return false;
            }
        }
    }
    return true;
}

/// Whether the points' hull contains a ball of a radius above 0: no facet's plane is nearer to the centre, and the
/// centre is within each. Points of one plane hold none.
[[nodiscard]] inline bool hull_contains_ball(const Cloud& points, const float* center, float radius, Judge& judge) {
    bool solid = false;
    const bool within = for_each_facet(points, judge, [&](const Facet& facet) {
        solid = true;
        const auto height = [&](auto exactly) { return facet.height(center, exactly); };
        return judge.sign(height) < 0 && judge.sign([&](auto exactly) {
            return square(exactly(radius)) * facet.square_of_normal(exactly) - square(height(exactly));
        }) <= 0;
    });
    return solid && within;
}

/// Whether the corners' hull contains each point.
[[nodiscard]] inline bool hull_contains(const Cloud& corners, const Cloud& points, Judge& judge) {
    Cloud others;  // than corners
    std::ranges::copy_if(points, std::back_inserter(others),
                         [&](const Vertex& p) { return std::ranges::find(corners, p) == corners.end(); });
    if (others.empty()) return true;
    bool solid = false;
    const bool inside = for_each_facet(corners, judge, [&](const Facet& facet) {
        solid = true;
        return std::ranges::all_of(others, [&](const Vertex& p) {
            return judge.sign([&](auto exactly) { return facet.height(p.data(), exactly); }) <= 0;
        });
    });
    return solid && inside;
}

}  // namespace properties
