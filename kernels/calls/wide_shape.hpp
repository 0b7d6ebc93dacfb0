#pragma once

/// One object in doubles, relative to an origin, as a support mapping that <lanecull/gjk.hpp> takes. The kinds' layouts
/// fill it in.

#include <algorithm>
#include <cmath>
#include <cstdint>

#include <lanecull/batch.h>
#include <lanecull/gjk/shapes.hpp>

#include "base/transforms.hpp"
#include "calls/object_box.hpp"

namespace lanecull {

/// center + sum over k of s_k axis_k with |s_k| <= 1, but for axes from `round_from` (0 or 1) on with |(s_k, ...)| <= 1
/// together; or, with a hull, center + sum over k of x_k axis_k for a vertex x.
struct WideCore {
    using Vector = gjk::Vec3<double>;

    Vector center{}, axis[3]{};
    std::size_t round_from = 3;
    bool is_cone = false;   ///< the round axes count at the end of the first axis alone
    double rim_radius = 0;  ///< not 0: of a cone with a round base
    const Hull* hull = nullptr;
    /// All absolute values that a point's coordinates are made of, added up: what rounding is relative to.
    double size = 0;

    /// A hull's vertex is chosen by two products of three terms, which costs twice their 6 u, and placed by 3. Axes
    /// choose by one product, twice 3, and sum up by 3; round ones by 5 more. Before that a centre passes at most 8
    /// (halved, multiplied by a matrix, moved), and an axis 16 (across a cylinder: two unit vectors, their product 2,
    /// times a radius; a quaternion's entry 10).
    static constexpr int roundings = 32;
    [[nodiscard]] Vector support(const Vector& d) const noexcept {
        if (hull != nullptr) return vertex_along({dot(d, axis[0]), dot(d, axis[1]), dot(d, axis[2])});
        if (rim_radius != 0) return center - axis[0] + sector().support(d);
        Vector p = center;
        if (is_cone) {
            const Vector rim = axis[0] + round_along(d);
            return dot(d, axis[0] + rim) < 0 ? p - axis[0] : p + rim;
        }
        for (std::size_t k = 0; k < round_from; ++k) p = dot(d, axis[k]) < 0 ? p - axis[k] : p + axis[k];
        return round_from < 3 ? p + round_along(d) : p;
    }
    /// Not of one that is round.
    template <class Visit>
    void for_each_corner(const Visit& visit) const {
        if (hull != nullptr) {
            for (std::uint32_t j = 0; j < hull->count; ++j) visit(placed({hull->x[j], hull->y[j], hull->z[j]}));
            return;
        }
        for (int signs = 0; signs < 8; ++signs) {
            Vector p = center;
            for (int k = 0; k < 3; ++k) p = (signs >> k & 1) != 0 ? p - axis[k] : p + axis[k];
            visit(p);
        }
    }
    [[nodiscard]] bool is_polytope() const noexcept { return round_from == 3; }
    [[nodiscard]] double magnitude() const noexcept { return size; }
    [[nodiscard]] Vector inside() const noexcept { return hull == nullptr ? center : placed(hull->mean); }

    /// Makes a cone's base round. Its points pass up to 40 roundings of the sector's magnitude, which counts twice.
    void make_round(double radius) noexcept {
        rim_radius = radius;
        size += 2 * sector().magnitude();
    }

private:
    /// Of a cone with a round base, from its apex.
    [[nodiscard]] gjk::SphericalSector<double> sector() const noexcept { return {2 * axis[0], {}, rim_radius}; }
    template <class Number>
    [[nodiscard]] Vector placed(const Number (&x)[3]) const noexcept {
        Vector p = center;
        for (std::size_t k = 0; k < 3; ++k) p = p + static_cast<double>(x[k]) * axis[k];
        return p;
    }
    /// The farthest point of what the round axes make.
    [[nodiscard]] Vector round_along(const Vector& d) const noexcept {
        const Vector t = unit(Vector{round_from > 0 ? 0 : dot(d, axis[0]), dot(d, axis[1]), dot(d, axis[2])});
        return t.x * axis[0] + t.y * axis[1] + t.z * axis[2];
    }
    [[nodiscard]] Vector vertex_along(const Vector& w) const noexcept {
        const auto along = [&](std::uint32_t j) {
            return w.x * static_cast<double>(hull->x[j]) + w.y * static_cast<double>(hull->y[j]) +
                   w.z * static_cast<double>(hull->z[j]);
        };
        std::uint32_t best = 0;
        double highest = along(0);
        for (std::uint32_t j = 1; j < hull->count; ++j) {
            const double value = along(j);
            if (value > highest) best = j, highest = value;
        }
        return placed({hull->x[best], hull->y[best], hull->z[best]});
    }
};

/// Every point within `radius` of a core.
struct WideShape {
    using Vector = WideCore::Vector;

    WideCore inner;
    double radius = 0;

    static constexpr int roundings = WideCore::roundings + 8;
    [[nodiscard]] Vector support(const Vector& d) const noexcept { return inner.support(d) + radius * unit(d); }
    [[nodiscard]] double magnitude() const noexcept { return inner.size + radius; }
    [[nodiscard]] Vector inside() const noexcept { return inner.inside(); }
    [[nodiscard]] const WideCore& core() const noexcept { return inner; }
    [[nodiscard]] double margin() const noexcept { return radius; }

    static WideShape box(const LocalBox& box, const Vector& origin) noexcept {
        const double from[3] = {origin.x, origin.y, origin.z};
        double center[3], half[3];
        WideShape shape;
        halve(box, from, center, half, shape.inner.size);
        shape.inner.center = {center[0], center[1], center[2]};
        shape.set_axis(0, {half[0], 0, 0});
        shape.set_axis(1, {0, half[1], 0});
        shape.set_axis(2, {0, 0, half[2]});
        return shape;
    }
    /// A cylinder from a to b.
    static WideShape with_disc(const Vector& a, const Vector& b, double radius, const Vector& origin) noexcept {
        const Vector d = b - a;
        const Vector side = std::fabs(d.x) > std::fabs(d.z) ? Vector{-d.y, d.x, 0} : Vector{0, -d.z, d.y};
        WideShape shape;
        shape.set_center(0.5 * ((a - origin) + (b - origin)));
        shape.set_axis(0, 0.5 * d);
        shape.set_axis(1, radius * unit(side));
        shape.set_axis(2, radius * cross(unit(d), unit(side)));
        shape.inner.round_from = 1;
        shape.inner.size += sum_norm(a - origin) + sum_norm(b - origin);
        return shape;
    }
    /// Where object i's transform puts the local point 0, and A's columns as axes.
    static WideShape under(const Transforms& transforms, std::size_t i, const Vector& origin) noexcept {
        float m[12];
        double offset[3];
        rows_of(transforms, i, m);
        offset_of(transforms, i, offset);
        WideShape shape;
        const Vector translation = Vector{wide(m[3]), wide(m[7]), wide(m[11])} - origin;
        const Vector position{offset[0], offset[1], offset[2]};
        shape.inner.center = translation + position;
        shape.inner.size = sum_norm(translation) + sum_norm(position);
        for (std::size_t k = 0; k < 3; ++k) shape.inner.axis[k] = {wide(m[k]), wide(m[4 + k]), wide(m[8 + k])};
        return shape;
    }
    /// Makes what under() returned the image of a local box.
    void take_box(const LocalBox& box) noexcept {
        double center[3], half[3], size = 0;
        halve(box, {0, 0, 0}, center, half, size);
        for (std::size_t k = 0; k < 3; ++k) {
            const Vector column = inner.axis[k];
            inner.center = inner.center + center[k] * column;
            inner.size += std::fabs(center[k]) * sum_norm(column);
            set_axis(k, half[k] * column);
        }
    }
    /// ... or that of a hull.
    void take_hull(const Hull& hull) noexcept {
        inner.hull = &hull;
        for (std::size_t k = 0; k < 3; ++k) {
            inner.size += sum_norm(inner.axis[k]) * wide(std::max(std::fabs(hull.lower[k]), std::fabs(hull.upper[k])));
        }
    }
    void set_center(const Vector& center) noexcept {
        inner.center = center;
        inner.size += sum_norm(center);
    }
    void set_axis(std::size_t k, const Vector& axis) noexcept {
        inner.axis[k] = axis;
        inner.size += sum_norm(axis);
    }

private:
    static void halve(const LocalBox& box, const double (&origin)[3], double (&center)[3], double (&half)[3],
                      double& size) noexcept {
        for (std::size_t k = 0; k < 3; ++k) {
            const double low = wide(box.lower[k]) - origin[k], high = wide(box.upper[k]) - origin[k];
            center[k] = (low + high) / 2;
            half[k] = (high - low) / 2;
            size += std::max(std::fabs(low), std::fabs(high));
        }
    }
};

}  // namespace lanecull
