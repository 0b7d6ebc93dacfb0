#pragma once

#include <algorithm>
#include <cmath>

#include "base/given.hpp"
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
        return place_either(read, box, false);
    }

    template <class Reader>
    static bool place_either(const Reader& read, WideBox& box, bool is_round) {
        double apex[3], base[3], square[3];
        read.three(0, apex);
        read.three(3, base);
        for (int j = 0; j < 3; ++j) square[j] = (base[j] - apex[j]) * (base[j] - apex[j]);
        const double radius = read(6), length = square[0] + square[1] + square[2];
        const double range = std::sqrt(length + radius * radius);
        box.place(base);
        for (int j = 0; j < 3; ++j) {
            const double across = (square[(j + 1) % 3] + square[(j + 2) % 3]) / length;
            box.reach(j, radius * std::sqrt(across));
            box.low[j] = std::min(box.low[j], apex[j]);
            box.high[j] = std::max(box.high[j], apex[j]);
            if (is_round && length * across <= radius * radius * (square[j] / length)) {
                (base[j] < apex[j] ? box.low[j] : box.high[j]) = base[j] < apex[j] ? apex[j] - range : apex[j] + range;
            }
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

struct RoundConeLayout : ConeLayout {
    template <class Reader>
    static bool place(const Reader& read, WideBox& box) {
        return place_either(read, box, true);
    }
    static void complete(Cones& s) { s.end = ConeEnd::round; }
};

template <>
struct KindTraits<Cones> : KindDefaults<ConeLayout, RoundConeLayout> {
    static constexpr bool are_expensive = true;

    static std::size_t layout_of(const Cones& s) noexcept { return s.end == ConeEnd::round ? 1 : 0; }

    static Status check(const Cones& s) noexcept {
        if (Status status = check_enum(s.end, ConeEnd::round, "end"); !status) return status;
        return check_columns<Cones>(s, ConeLayout::columns);
    }

    static WideShape wide_shape(const Cones& s, std::uint32_t i, const WideShape::Vector& origin) noexcept {
        WideShape shape =
            WideShape::with_disc({wide(s.apex_x[i]), wide(s.apex_y[i]), wide(s.apex_z[i])},
                                 {wide(s.base_x[i]), wide(s.base_y[i]), wide(s.base_z[i])}, wide(s.radius[i]), origin);
        shape.inner.is_cone = true;
        if (s.end == ConeEnd::round) shape.inner.make_round(wide(s.radius[i]));
        // The end is chosen by values that are off by no more than these points are.
        for (const WideShape::Vector& axis : shape.inner.axis) shape.inner.size += sum_norm(axis);
        return shape;
    }
};

}  // namespace lanecull
