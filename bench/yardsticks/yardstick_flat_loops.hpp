#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <xsimd/xsimd.hpp>

#include "yardsticks/yardstick_flat.hpp"

/// The loops, for one instruction set a file. In an unnamed namespace: the two files are compiled with different flags
/// and must share no function.
namespace bench {
namespace {

template <class Arch>
struct FlatLoops {
    using Lanes = xsimd::batch<float, Arch>;
    static constexpr std::size_t width = Lanes::size;

    static Lanes load(const float* p) { return Lanes::load_unaligned(p); }

    struct WideSides {
        Lanes normal[4][2], offset[4];

        explicit WideSides(const FourSides& sides) {
            for (int k = 0; k < 4; ++k) {
                for (int j = 0; j < 2; ++j) normal[k][j] = Lanes(sides.normal[k][j]);
                offset[k] = Lanes(-sides.offset[k]);
            }
        }
        /// Signed distance of a point from side k, positive outside.
        Lanes distance(int k, Lanes x, Lanes y) const {
            return xsimd::fma(normal[k][0], x, xsimd::fma(normal[k][1], y, offset[k]));
        }
    };

    /// Bits i to i + width of the answer. Memory order of bytes is bit order on these little-endian machines.
    static void store(std::uint64_t* visible, std::size_t i, xsimd::batch_bool<float, Arch> mask) {
        const std::uint64_t bits = mask.mask();
        std::memcpy(reinterpret_cast<unsigned char*>(visible) + i / 8, &bits, width / 8);
    }

    static void circles(const FourSides& four, lanecull::flat::Circles s, std::uint64_t* visible) {
        const WideSides sides(four);
        for (std::size_t i = 0; i < s.count; i += width) {
            const Lanes x = load(s.x + i), y = load(s.y + i);
            Lanes worst = sides.distance(0, x, y);
            for (int k = 1; k < 4; ++k) worst = xsimd::max(worst, sides.distance(k, x, y));
            store(visible, i, worst <= load(s.radius + i));
        }
    }

    /// For each side the corner of a box that is deepest inside, picked by pointer.
    static void boxes(const FourSides& four, lanecull::flat::Boxes b, std::uint64_t* visible) {
        const WideSides sides(four);
        const float* corner[4][2];
        for (int k = 0; k < 4; ++k) {
            corner[k][0] = four.normal[k][0] > 0 ? b.min_x : b.max_x;
            corner[k][1] = four.normal[k][1] > 0 ? b.min_y : b.max_y;
        }
        for (std::size_t i = 0; i < b.count; i += width) {
            Lanes worst = sides.distance(0, load(corner[0][0] + i), load(corner[0][1] + i));
            for (int k = 1; k < 4; ++k) {
                worst = xsimd::max(worst, sides.distance(k, load(corner[k][0] + i), load(corner[k][1] + i)));
            }
            store(visible, i, worst <= Lanes(0.0f));
        }
    }

    static void boxes_in_rectangle(const float (&view)[4], lanecull::flat::Boxes b, std::uint64_t* visible) {
        const Lanes min_x(view[0]), min_y(view[1]), max_x(view[2]), max_y(view[3]);
        for (std::size_t i = 0; i < b.count; i += width) {
            store(visible, i,
                  (load(b.min_x + i) <= max_x) & (load(b.max_x + i) >= min_x) & (load(b.min_y + i) <= max_y) &
                      (load(b.max_y + i) >= min_y));
        }
    }

    static constexpr SideLoops table = {circles, boxes, boxes_in_rectangle};
};

}  // namespace
}  // namespace bench
