/// A triangle and a box are apart along one of thirteen directions, if at all (Gottschalk, 1996): the box's axes, the
/// triangle's normal, and the cross product of an edge of each. Along the axes floats are compared. Along the others
/// intervals are, so a rounding can only lose a direction. Products of three floats stay far within the range of
/// doubles: nothing overflows, and nothing is NaN.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "base/failure.hpp"
#include "base/interval.hpp"
#include "calls/check.hpp"
#include "occluders/mesh_steps.hpp"

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

namespace {

struct Point {
    float at[dimensions];
    bool operator==(const Point&) const = default;
};

Status read_points(const Vertices& vertices, Array<Point>& points) {
    if (Status status = check(vertices); !status) return status;
    if (!points.resize_unset(vertices.count)) return no_memory();
    const float* const streams[dimensions] = {vertices.x, vertices.y, vertices.z};
    const std::size_t stride = floats_apart(vertices);
    for (std::uint32_t i = 0; i < vertices.count; ++i) {
        for (std::size_t k = 0; k < dimensions; ++k) {
            // check() has refused null.
            const float x = streams[k][i * stride];  // NOLINT(clang-analyzer-core.NullDereference)
            if (!std::isfinite(x)) return failure("mesh.vertices.%c[%u]: not finite", "xyz"[k], i);
            points[i].at[k] = x + 0.0f;  // -0 becomes 0
        }
    }
    return {};
}

/// Welds: for each point the first in some order that is equal to it.
bool find_equal_points(const Array<Point>& points, Array<std::uint32_t>& first_equal) {
    Array<std::uint32_t> order;
    if (!order.resize_unset(points.size()) || !first_equal.resize_unset(points.size())) return false;
    for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        const float *p = points.data()[a].at, *q = points.data()[b].at;
        for (std::size_t k = 0; k < dimensions; ++k) {
            if (p[k] != q[k]) return p[k] < q[k];
        }
        return a < b;
    });
    for (std::size_t i = 0; i < order.size(); ++i) {
        const bool equal = i > 0 && points.data()[order[i]] == points.data()[order[i - 1]];
        first_equal[order[i]] = equal ? first_equal[order[i - 1]] : order[i];
    }
    return true;
}

/// A side of a triangle: the edge from its lower to its higher point, and whether it is gone along backwards.
struct Side {
    std::uint32_t low, high;
    std::int32_t way;  ///< 1 or -1
};

/// A mesh is closed if each edge is gone along as often one way as the other. Then its winding number is a whole number
/// off the surface, constant on each piece of space between, and 0 far away.
Status check_closed(Array<Side>& sides) {
    std::sort(sides.begin(), sides.end(),
              [](const Side& a, const Side& b) { return a.low != b.low ? a.low < b.low : a.high < b.high; });
    for (std::size_t i = 0; i < sides.size();) {
        const Side& first = sides[i];
        std::int64_t sum = 0;
        std::size_t count = 0;
        for (; i + count < sides.size(); ++count) {
            const Side& side = sides[i + count];
            if (side.low != first.low || side.high != first.high) break;
            sum += side.way;
        }
        if (count == 1) {
            return failure("mesh: not closed: the edge between vertices %u and %u has one triangle", first.low,
                           first.high);
        }
        if (sum != 0) {
            return failure(
                "mesh: not closed: of the %zu triangles at the edge between vertices %u and %u, not as many go along "
                "it "
                "one way as the other: one is flipped, missing or there twice",
                count, first.low, first.high);
        }
        i += count;
    }
    return {};
}

}  // namespace

Status read_closed_mesh(const TriangleMesh& mesh, Array<Triangle>& triangles) {
    Array<Point> points;
    if (Status status = read_points(mesh.vertices, points); !status) return status;
    if (mesh.indices == nullptr) return failure("mesh.indices: must not be null");
    if (mesh.triangle_count == 0) return failure("mesh.triangle_count: there must be at least one");
    Array<std::uint32_t> first_equal;
    Array<Side> sides;
    const std::size_t n = mesh.triangle_count;
    if (!find_equal_points(points, first_equal) || !sides.reserve(3 * n) || !triangles.reserve(n)) return no_memory();
    for (std::size_t t = 0; t < n; ++t) {
        std::uint32_t at[3];
        Triangle triangle;
        for (std::size_t c = 0; c < 3; ++c) {
            const std::uint32_t index = mesh.indices[3 * t + c];
            if (index >= points.size()) {
                return failure("mesh.indices[%zu]: %u, but there are %u vertices", 3 * t + c, index,
                               mesh.vertices.count);
            }
            at[c] = first_equal[index];
            std::copy_n(points[index].at, dimensions, triangle.corner[c]);
        }
        // Two equal corners: a segment, gone along both ways. It bounds nothing.
        if (at[0] == at[1] || at[1] == at[2] || at[2] == at[0]) continue;
        if (!triangles.push(triangle)) return no_memory();
        for (std::size_t c = 0; c < 3; ++c) {
            const std::uint32_t a = at[c], b = at[(c + 1) % 3];
            if (!sides.push(a < b ? Side{a, b, 1} : Side{b, a, -1})) return no_memory();
        }
    }
    return check_closed(sides);
}

namespace {

/// significand 2^exponent, the significand a whole number below 2^24.
struct Decoded {
    std::int64_t significand;
    int exponent;  ///< from least_exponent to 104

    static constexpr int least_exponent = -149;

    explicit Decoded(float x) {
        int above = 0;
        significand = static_cast<std::int64_t>(std::ldexp(std::frexp(x, &above), 24));
        exponent = above - 24;
        if (exponent >= least_exponent) return;
        significand >>= least_exponent - exponent;  // exact: a denormal has fewer bits
        exponent = least_exponent;
    }
};

/// A sum of products of three floats, exact: digits of 32 bits, with room for 2^31 carries above each. The lowest
/// counts 2^-447, the smallest product. No product is above 2^384, so there may be 2^60 of them.
class ExactSum {
public:
    void add(const Decoded& a, const Decoded& b, const Decoded& c, int sign) {
        const std::int64_t ab = sign * a.significand * b.significand;  // of 48 bits
        const int exponent = a.exponent + b.exponent + c.exponent;
        add(ab * (c.significand % 4096), exponent);
        add(ab * (c.significand / 4096), exponent + 12);
    }

    /// To be called at least once in 2^24 products.
    void carry() {
        for (std::size_t i = 0; i + 1 < digits; ++i) {
            digit_[i + 1] += digit_[i] >> 32;
            digit_[i] &= all_of_digit;
        }
    }

    /// Off by rounding, but for its sign.
    [[nodiscard]] double value() {
        carry();
        const bool negative = digit_[digits - 1] < 0;
        for (std::int64_t& digit : digit_) digit = negative ? -digit : digit;
        carry();
        double size = 0;
        for (std::size_t i = digits; i-- > 0;) {
            size += std::ldexp(static_cast<double>(digit_[i]), 32 * static_cast<int>(i) + 3 * Decoded::least_exponent);
        }
        return negative ? -size : size;
    }

private:
    static constexpr std::size_t digits = 29;
    static constexpr std::int64_t all_of_digit = 0xffffffff;

    /// Adds n 2^exponent, n of up to 60 bits and its sign.
    void add(std::int64_t n, int exponent) {
        const int place = exponent - 3 * Decoded::least_exponent, shift = place % 32;
        const std::int64_t low = (n & all_of_digit) << shift, high = (n >> 32) * (std::int64_t{1} << shift);
        std::int64_t* const to = digit_ + place / 32;
        to[0] += low & all_of_digit;
        to[1] += (low >> 32) + (high & all_of_digit);
        to[2] += high >> 32;
    }

    std::int64_t digit_[digits] = {};
};

}  // namespace

double signed_volume(const Array<Triangle>& triangles) {
    ExactSum six_fold;
    std::size_t added = 0;
    for (const Triangle& t : triangles) {
        const auto at = [&](std::size_t corner, std::size_t axis) { return Decoded(t.corner[corner][axis]); };
        for (std::size_t k = 0; k < dimensions; ++k) {
            const std::size_t u = (k + 1) % dimensions, v = (k + 2) % dimensions;
            const Decoded x = at(0, k);
            six_fold.add(x, at(1, u), at(2, v), 1);
            six_fold.add(x, at(1, v), at(2, u), -1);
        }
        if (++added % (1 << 20) == 0) six_fold.carry();
    }
    return six_fold.value() / 6;
}

}  // namespace lanecull::solids
