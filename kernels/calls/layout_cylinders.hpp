#pragma once

#include <cmath>

#include "calls/layout.hpp"
#include "calls/layout_capsules.hpp"
#include "calls/object_box.hpp"
#include "calls/wide_shape.hpp"

namespace lanecull {

struct CylinderLayout : LayoutDefaults {
    using Shapes = Cylinders;
    static constexpr Column<Cylinders> columns[] = {stream("a_x", &Cylinders::a_x),      stream("a_y", &Cylinders::a_y),
                                                    stream("a_z", &Cylinders::a_z),      stream("b_x", &Cylinders::b_x),
                                                    stream("b_y", &Cylinders::b_y),      stream("b_z", &Cylinders::b_z),
                                                    stream("radius", &Cylinders::radius)};
    static constexpr Point points[] = {point_in_streams(0), point_in_streams(3)};

    template <class Reader>
    static bool place(const Reader& read, WideBox& box) {
        double a[3], b[3], middle[3], square[3];
        read.three(0, a);
        read.three(3, b);
        for (int j = 0; j < 3; ++j) {
            middle[j] = (a[j] + b[j]) / 2;
            square[j] = (b[j] - a[j]) * (b[j] - a[j]);
        }
        const double radius = read(6), length = square[0] + square[1] + square[2];
        box.place(middle);
        for (int j = 0; j < 3; ++j) {
            const double across = square[(j + 1) % 3] + square[(j + 2) % 3];
            box.reach(j, std::fabs(b[j] - a[j]) / 2 + radius * std::sqrt(across / length));
            box.magnitude[j] += std::fabs(a[j]) + std::fabs(b[j]) + radius;
        }
        return radius >= 0 && length > 0;
    }

    /// As a capsule, which reaches farther; but of its own size.
    template <class Gatherer>
    static void gather(Gatherer& from) {
        CapsuleLayout::gather(from);
        auto& tile = from.tile;
        for (std::uint32_t k = 0; k < tile.count; ++k) {
            const double radius = tile.radius[k], axis = tile.size[k] - radius;
            tile.size[k] = std::sqrt(axis * axis + radius * radius);
            double length = 0;
            for (std::uint32_t j = 0; j < 3; ++j) length += tile.high[j][k] - tile.low[j][k];
            if (!(length > 0)) tile.radius[k] = from.flawed_if_negative(-1);
        }
    }
};

template <>
struct KindTraits<Cylinders> : KindDefaults<CylinderLayout> {
    static constexpr bool are_expensive = true;

    static WideShape wide_shape(const Cylinders& s, std::uint32_t i, const WideShape::Vector& origin) noexcept {
        return WideShape::with_disc({wide(s.a_x[i]), wide(s.a_y[i]), wide(s.a_z[i])},
                                    {wide(s.b_x[i]), wide(s.b_y[i]), wide(s.b_z[i])}, wide(s.radius[i]), origin);
    }
};

}  // namespace lanecull
