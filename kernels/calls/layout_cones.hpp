#pragma once

#include <algorithm>
#include <cmath>

#include "calls/layout.hpp"
#include "calls/layout_cylinders.hpp"
#include "calls/object_box.hpp"
#include "calls/wide_shape.hpp"

namespace lanecull {

struct ConeLayout : LayoutDefaults {
    using Shapes = Cones;
    static constexpr Column<Cones> columns[] = {stream("apex_x", &Cones::apex_x), stream("apex_y", &Cones::apex_y),
                                                stream("apex_z", &Cones::apex_z), stream("base_x", &Cones::base_x),
                                                stream("base_y", &Cones::base_y), stream("base_z", &Cones::base_z),
                                                stream("radius", &Cones::radius)};
    static constexpr Point points[] = {point_in_streams(0), point_in_streams(3)};

    template <class Reader>
    static bool place(const Reader& read, WideBox& box) {
        double apex[3], base[3], square[3];
        read.three(0, apex);
        read.three(3, base);
        for (int j = 0; j < 3; ++j) square[j] = (base[j] - apex[j]) * (base[j] - apex[j]);
        const double radius = read(6), length = square[0] + square[1] + square[2];
        box.place(base);
        for (int j = 0; j < 3; ++j) {
            box.reach(j, radius * std::sqrt((square[(j + 1) % 3] + square[(j + 2) % 3]) / length));
            box.low[j] = std::min(box.low[j], apex[j]);
            box.high[j] = std::max(box.high[j], apex[j]);
            box.magnitude[j] += std::fabs(apex[j]) + std::fabs(base[j]) + radius;
        }
        return radius >= 0 && length > 0;
    }

    /// As the cylinder, whose rim is as far from the axis' middle.
    template <class Gatherer>
    static void gather(Gatherer& from) {
        CylinderLayout::gather(from);
    }
};

template <>
struct KindTraits<Cones> : KindDefaults<ConeLayout> {
    static constexpr bool are_expensive = true;

    static WideShape wide_shape(const Cones& s, std::uint32_t i, const WideShape::Vector& origin) noexcept {
        WideShape shape =
            WideShape::with_disc({wide(s.apex_x[i]), wide(s.apex_y[i]), wide(s.apex_z[i])},
                                 {wide(s.base_x[i]), wide(s.base_y[i]), wide(s.base_z[i])}, wide(s.radius[i]), origin);
        shape.inner.is_cone = true;
        // The end is chosen by values that are off by no more than these points are.
        for (const WideShape::Vector& axis : shape.inner.axis) shape.inner.size += sum_norm(axis);
        return shape;
    }
};

}  // namespace lanecull
