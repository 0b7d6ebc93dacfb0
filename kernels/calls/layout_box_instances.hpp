#pragma once

#include <cmath>
#include <cstdint>

#include "calls/layout.hpp"
#include "calls/object_box.hpp"
#include "calls/wide_shape.hpp"

namespace lanecull {

/// As scenes store them: a box and a transform of its own for each object, by rows, without positions.
struct BoxInstanceLayout : LayoutDefaults {
    using Shapes = BoxInstances;
    static constexpr std::uint32_t transform_column = 6;
    static constexpr Column<BoxInstances> columns[] = {local_stream<BoxInstances>("local.boxes.min_x", &Boxes::min_x),
                                                       local_stream<BoxInstances>("local.boxes.min_y", &Boxes::min_y),
                                                       local_stream<BoxInstances>("local.boxes.min_z", &Boxes::min_z),
                                                       local_stream<BoxInstances>("local.boxes.max_x", &Boxes::max_x),
                                                       local_stream<BoxInstances>("local.boxes.max_y", &Boxes::max_y),
                                                       local_stream<BoxInstances>("local.boxes.max_z", &Boxes::max_z),
                                                       transforms("transforms", &BoxInstances::transforms)};
    static constexpr Point points[] = {point_in_record(transform_column, 3, 4)};

    template <class Reader>
    static bool place(const Reader& read, WideBox& box) {
        double m[12], low[3], high[3];
        read.record(transform_column, m);
        read.three(0, low);
        read.three(3, high);
        box.place_with_room(m, low, high);
        return low[0] <= high[0] && low[1] <= high[1] && low[2] <= high[2];
    }

    /// The box around the object, and the distance of its farthest corner from its centre.
    template <class Gatherer>
    static void gather(Gatherer& from) {
        auto& tile = from.tile;
        for (std::uint32_t j = 0; j < 3; ++j) {
            from.each(j, [&](std::uint32_t k, double x) { tile.low[j][k] = x; });
            from.each(3 + j, [&](std::uint32_t k, double x) { tile.high[j][k] = x; });
        }
        from.template each_record<12>(transform_column, [&](std::uint32_t k, const double(&m)[12]) {
            const double low[3] = {tile.low[0][k], tile.low[1][k], tile.low[2][k]},
                         high[3] = {tile.high[0][k], tile.high[1][k], tile.high[2][k]};
            WideBox box;
            box.place_under(m, low, high);
            for (std::uint32_t j = 0; j < 3; ++j) {
                tile.low[j][k] = box.low[j] - 0x1p-47 * box.magnitude[j];
                tile.high[j][k] = box.high[j] + 0x1p-47 * box.magnitude[j];
            }
            tile.size[k] = farthest_corner(m, low, high);
            const bool is_box = low[0] <= high[0] && low[1] <= high[1] && low[2] <= high[2];
            tile.radius[k] = is_box ? 0 : from.flawed_if_negative(-1);
        });
    }

    static double farthest_corner(const double (&m)[12], const double (&low)[3], const double (&high)[3]) {
        double most = 0;
        for (std::uint32_t corner = 0; corner < 4; ++corner) {  // opposite corners are equally far
            double square = 0;
            for (std::size_t r = 0; r < 3; ++r) {
                const auto reach = [&](std::size_t c) { return m[4 * r + c] * ((high[c] - low[c]) / 2); };
                const double x =
                    reach(0) + ((corner & 1) != 0 ? reach(1) : -reach(1)) + ((corner & 2) != 0 ? reach(2) : -reach(2));
                square += x * x;
            }
            most = square > most ? square : most;
        }
        return std::sqrt(most);
    }
};

template <>
struct KindTraits<BoxInstances> : KindDefaults<BoxInstanceLayout> {
    static constexpr bool are_expensive = true;

    static WideShape wide_shape(const BoxInstances& s, std::uint32_t i, const WideShape::Vector& origin) noexcept {
        LocalBox box{};
        static_cast<void>(read_local_box(s.local, i, box));
        WideShape shape = WideShape::under(s.transforms, i, origin);
        shape.take_box(box);
        return shape;
    }

    static Status check(const BoxInstances& s) noexcept {
        if (Status status = check_transforms(s.transforms, "transforms"); !status) return status;
        return check_local_boxes(s.local, s.count, "local");
    }
};

}  // namespace lanecull
