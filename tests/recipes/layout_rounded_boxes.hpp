#pragma once

#include "calls/layout.hpp"
#include "calls/layout_boxes.hpp"
#include "calls/object_box.hpp"
#include "calls/wide_shape.hpp"

namespace lanecull {

struct RoundedBoxLayout : LayoutDefaults {
    using Shapes = RoundedBoxes;
    static constexpr Column<RoundedBoxes> columns[] = {
        stream("min_x", &RoundedBoxes::min_x),  stream("min_y", &RoundedBoxes::min_y),
        stream("min_z", &RoundedBoxes::min_z),  stream("max_x", &RoundedBoxes::max_x),
        stream("max_y", &RoundedBoxes::max_y),  stream("max_z", &RoundedBoxes::max_z),
        stream("radius", &RoundedBoxes::radius)};
    static constexpr Point points[] = {point_in_streams(0), point_in_streams(3)};

    template <class Reader>
    static bool place(const Reader& read, WideBox& box) {
        const bool is_box = BoxLayout::place(read, box);
        const double radius = read(6);
        box.reach_all(radius);
        return is_box && radius >= 0;
    }

    template <class Gatherer>
    static void gather(Gatherer& from) {
        BoxLayout::gather(from);
        from.each(6, [&](std::uint32_t k, double radius) {
            from.tile.radius[k] += from.flawed_if_negative(radius);
            from.tile.size[k] += radius;
        });
    }
};

template <>
struct KindTraits<RoundedBoxes> : KindDefaults<RoundedBoxLayout> {
    static constexpr bool are_expensive = true;

    static WideShape wide_shape(const RoundedBoxes& s, std::uint32_t i, const WideShape::Vector& origin) noexcept {
        WideShape shape =
            WideShape::box({{s.min_x[i], s.min_y[i], s.min_z[i]}, {s.max_x[i], s.max_y[i], s.max_z[i]}}, origin);
        shape.radius = wide(s.radius[i]);
        return shape;
    }
};

}  // namespace lanecull
