#pragma once

#include <cmath>

#include "calls/layout.hpp"
#include "calls/object_box.hpp"
#include "calls/wide_shape.hpp"
#include "view/prepared_view.hpp"

namespace lanecull {

struct BoxLayout : LayoutDefaults {
    using Shapes = Boxes;
    static constexpr Column<Boxes> columns[] = {stream("min_x", &Boxes::min_x), stream("min_y", &Boxes::min_y),
                                                stream("min_z", &Boxes::min_z), stream("max_x", &Boxes::max_x),
                                                stream("max_y", &Boxes::max_y), stream("max_z", &Boxes::max_z)};
    static constexpr Point points[] = {point_in_streams(0), point_in_streams(3)};
    static constexpr bool is_own_box = true;

    template <class Reader>
    static bool place(const Reader& read, WideBox& box) {
        double low[3];
        read.three(0, low);
        box.place(low);
        for (int j = 0; j < 3; ++j) {
            const double high = read(3 + static_cast<std::uint32_t>(j));
            if (!(box.low[j] <= high)) return false;
            box.high[j] = high;
            box.magnitude[j] += std::fabs(high);
        }
        return true;
    }

    template <class Gatherer>
    static void gather(Gatherer& from) {
        for (std::uint32_t j = 0; j < 3; ++j) {
            from.each(j, [&](std::uint32_t k, double x) { from.tile.low[j][k] = x; });
            from.each(3 + j, [&](std::uint32_t k, double x) { from.tile.high[j][k] = x; });
        }
        from.measure_diagonals();
    }
};

template <>
struct KindTraits<Boxes> : KindDefaults<BoxLayout> {
    static WideShape wide_shape(const Boxes& s, std::uint32_t i, const WideShape::Vector& origin) noexcept {
        return WideShape::box({{s.min_x[i], s.min_y[i], s.min_z[i]}, {s.max_x[i], s.max_y[i], s.max_z[i]}}, origin);
    }

    static void certify(const Boxes& s, const PreparedView& view, const RangeTask& task) noexcept {
        certify_boxes(s, view, task);
    }
};

}  // namespace lanecull
