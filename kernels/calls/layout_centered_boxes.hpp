#pragma once

#include "calls/layout.hpp"
#include "calls/object_box.hpp"
#include "calls/wide_shape.hpp"
#include "view/prepared_view.hpp"

namespace lanecull {

struct CenteredBoxLayout : LayoutDefaults {
    using Shapes = CenteredBoxes;
    static constexpr Column<CenteredBoxes> columns[] = {
        stream("x", &CenteredBoxes::x),           stream("y", &CenteredBoxes::y),
        stream("z", &CenteredBoxes::z),           stream("half_x", &CenteredBoxes::half_x),
        stream("half_y", &CenteredBoxes::half_y), stream("half_z", &CenteredBoxes::half_z)};
    static constexpr Point points[] = {point_in_streams(0)};

    template <class Reader>
    static bool place(const Reader& read, WideBox& box) {
        double center[3];
        read.three(0, center);
        box.place(center);
        for (int j = 0; j < 3; ++j) {
            const double half = read(3 + static_cast<std::uint32_t>(j));
            if (!(half >= 0)) return false;
            box.reach(j, half);
        }
        return true;
    }

    template <class Gatherer>
    static void gather(Gatherer& from) {
        auto& tile = from.tile;
        for (std::uint32_t j = 0; j < 3; ++j) {
            from.each(j, [&](std::uint32_t k, double x) { tile.low[j][k] = tile.high[j][k] = x; });
            from.each(3 + j, [&](std::uint32_t k, double half) {
                tile.low[j][k] -= half;
                tile.high[j][k] += half;
            });
        }
        from.measure_diagonals();
        // The sums above may lose a negative half-extent.
        for (std::uint32_t j = 0; j < 3; ++j) {
            from.each(3 + j,
                      [&](std::uint32_t k, double half) { tile.radius[k] += 0 * from.flawed_if_negative(half); });
        }
    }
};

template <>
struct KindTraits<CenteredBoxes> : KindDefaults<CenteredBoxLayout> {
    static WideShape wide_shape(const CenteredBoxes& s, std::uint32_t i, const WideShape::Vector& origin) noexcept {
        WideShape shape;
        shape.set_center(WideShape::Vector{wide(s.x[i]), wide(s.y[i]), wide(s.z[i])} - origin);
        shape.set_axis(0, {wide(s.half_x[i]), 0, 0});
        shape.set_axis(1, {0, wide(s.half_y[i]), 0});
        shape.set_axis(2, {0, 0, wide(s.half_z[i])});
        return shape;
    }

    static void certify(const CenteredBoxes& s, const PreparedView& view, const RangeTask& task) noexcept {
        certify_boxes(s, view, task);
    }
};

}  // namespace lanecull
