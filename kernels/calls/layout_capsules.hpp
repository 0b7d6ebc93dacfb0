#pragma once

#include <algorithm>
#include <cmath>

#include "calls/layout.hpp"
#include "calls/object_box.hpp"
#include "calls/wide_shape.hpp"

namespace lanecull {

struct CapsuleLayout : LayoutDefaults {
    using Shapes = Capsules;
    static constexpr Column<Capsules> columns[] = {stream("a_x", &Capsules::a_x),      stream("a_y", &Capsules::a_y),
                                                   stream("a_z", &Capsules::a_z),      stream("b_x", &Capsules::b_x),
                                                   stream("b_y", &Capsules::b_y),      stream("b_z", &Capsules::b_z),
                                                   stream("radius", &Capsules::radius)};
    static constexpr Point points[] = {point_in_streams(0), point_in_streams(3)};

    template <class Reader>
    static bool place(const Reader& read, WideBox& box) {
        double a[3], b[3], middle[3];
        read.three(0, a);
        read.three(3, b);
        for (int j = 0; j < 3; ++j) middle[j] = (a[j] + b[j]) / 2;
        box.place(middle);
        for (int j = 0; j < 3; ++j) {
            box.reach(j, std::fabs(b[j] - a[j]) / 2);
            box.magnitude[j] += std::fabs(a[j]) + std::fabs(b[j]);
        }
        const double radius = read(6);
        box.reach_all(radius);
        return radius >= 0;
    }

    /// min and max may lose a NaN, so the diagonal is measured before the ends become a box. A margin must not hide a
    /// negative radius.
    template <class Gatherer>
    static void gather(Gatherer& from) {
        auto& tile = from.tile;
        for (std::uint32_t j = 0; j < 3; ++j) {
            from.each(j, [&](std::uint32_t k, double a) { tile.low[j][k] = a; });
            from.each(3 + j, [&](std::uint32_t k, double b) { tile.high[j][k] = b; });
        }
        from.measure_diagonals();
        for (std::uint32_t j = 0; j < 3; ++j) {
            for (std::uint32_t k = 0; k < tile.count; ++k) {
                const double a = tile.low[j][k], b = tile.high[j][k];
                tile.low[j][k] = std::min(a, b);
                tile.high[j][k] = std::max(a, b);
            }
        }
        from.each(6, [&](std::uint32_t k, double radius) {
            tile.radius[k] = from.flawed_if_negative(radius);
            tile.size[k] += radius;
        });
    }
};

template <>
struct KindTraits<Capsules> : KindDefaults<CapsuleLayout> {
    static constexpr bool are_expensive = true;

    static WideShape wide_shape(const Capsules& s, std::uint32_t i, const WideShape::Vector& origin) noexcept {
        using Vector = WideShape::Vector;
        const Vector a = Vector{wide(s.a_x[i]), wide(s.a_y[i]), wide(s.a_z[i])} - origin;
        const Vector b = Vector{wide(s.b_x[i]), wide(s.b_y[i]), wide(s.b_z[i])} - origin;
        WideShape shape;
        shape.set_center(0.5 * (a + b));
        shape.set_axis(0, 0.5 * (b - a));
        shape.inner.size += sum_norm(a) + sum_norm(b);
        shape.radius = wide(s.radius[i]);
        return shape;
    }
};

}  // namespace lanecull
