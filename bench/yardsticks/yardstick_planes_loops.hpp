#pragma once

#include <lanecull/batch.h>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <xsimd/xsimd.hpp>

#include "yardsticks/yardstick_planes.hpp"

/// The loops, for one instruction set a file. In an unnamed namespace: the two files are compiled with different flags
/// and must share no function.
namespace bench {
namespace {

template <class Arch>
struct Loops {
    using Lanes = xsimd::batch<float, Arch>;
    static constexpr std::size_t width = Lanes::size;

    static Lanes load(const float* p) { return Lanes::load_unaligned(p); }

    /// Every number of the planes in all lanes. 24 registers: AVX-512 keeps them all, AVX2 reads them from the stack.
    struct WidePlanes {
        Lanes normal[6][3], offset[6];

        explicit WidePlanes(const SixPlanes& planes) {
            for (int k = 0; k < 6; ++k) {
                for (int j = 0; j < 3; ++j) normal[k][j] = Lanes(planes.normal[k][j]);
                offset[k] = Lanes(-planes.offset[k]);
            }
        }
        /// Signed distance of a point from plane k, positive outside.
        Lanes distance(int k, Lanes x, Lanes y, Lanes z) const {
            return xsimd::fma(normal[k][0], x, xsimd::fma(normal[k][1], y, xsimd::fma(normal[k][2], z, offset[k])));
        }
    };

    /// Bits i to i + width of the answer. Memory order of bytes is bit order on these little-endian machines.
    static void store(std::uint64_t* visible, std::size_t i, xsimd::batch_bool<float, Arch> mask) {
        const std::uint64_t bits = mask.mask();
        std::memcpy(reinterpret_cast<unsigned char*>(visible) + i / 8, &bits, width / 8);
    }

    static void spheres(const SixPlanes& six, lanecull::Spheres s, std::uint64_t* visible) {
        const WidePlanes planes(six);
        for (std::size_t i = 0; i < s.count; i += width) {
            const Lanes x = load(s.x + i), y = load(s.y + i), z = load(s.z + i);
            Lanes worst = planes.distance(0, x, y, z);
            for (int k = 1; k < 6; ++k) worst = xsimd::max(worst, planes.distance(k, x, y, z));
            store(visible, i, worst <= load(s.radius + i));
        }
    }

    /// For each plane the corner of a box that is deepest inside, picked by pointer.
    struct DeepestCorners {
        const float* corner[6][3];

        DeepestCorners(const SixPlanes& six, const lanecull::Boxes& b) {
            for (int k = 0; k < 6; ++k) {
                corner[k][0] = six.normal[k][0] > 0 ? b.min_x : b.max_x;
                corner[k][1] = six.normal[k][1] > 0 ? b.min_y : b.max_y;
                corner[k][2] = six.normal[k][2] > 0 ? b.min_z : b.max_z;
            }
        }
        Lanes distance(const WidePlanes& planes, int k, std::size_t i) const {
            return planes.distance(k, load(corner[k][0] + i), load(corner[k][1] + i), load(corner[k][2] + i));
        }
    };

    /// 18 pointers are more than there are registers, so two packs share the reloads: 15 cycles a pack of 16 from L1,
    /// where one pack at a time takes 16.
    static void boxes(const SixPlanes& six, lanecull::Boxes b, std::uint64_t* visible) {
        const WidePlanes planes(six);
        const DeepestCorners corners(six, b);
        const auto distance = [&](int k, std::size_t i) { return corners.distance(planes, k, i); };
        for (std::size_t i = 0; i < b.count; i += 2 * width) {
            Lanes worst0 = distance(0, i), worst1 = distance(0, i + width);
            for (int k = 1; k < 6; ++k) {
                worst0 = xsimd::max(worst0, distance(k, i));
                worst1 = xsimd::max(worst1, distance(k, i + width));
            }
            store(visible, i, worst0 <= Lanes(0.0f));
            store(visible, i + width, worst1 <= Lanes(0.0f));
        }
    }

    /// Centre's distance less the box's reach along the normal, sum_k half_k |normal . axis_k|.
    static void oriented_boxes(const SixPlanes& six, OrientedBoxStreams b, std::uint64_t* visible) {
        const WidePlanes planes(six);
        for (std::size_t i = 0; i < b.count; i += width) {
            const Lanes x = load(b.centre[0] + i), y = load(b.centre[1] + i), z = load(b.centre[2] + i);
            Lanes axis[3][3], half[3];
            for (int a = 0; a < 3; ++a) {
                half[a] = load(b.half[a] + i);
                for (int j = 0; j < 3; ++j) axis[a][j] = load(b.axis[a][j] + i);
            }
            const auto distance = [&](int k) {
                Lanes d = planes.distance(k, x, y, z);
                const auto& n = planes.normal[k];
                for (int a = 0; a < 3; ++a) {
                    const Lanes dot = xsimd::fma(n[0], axis[a][0], xsimd::fma(n[1], axis[a][1], n[2] * axis[a][2]));
                    d = xsimd::fnma(half[a], xsimd::abs(dot), d);
                }
                return d;
            };
            Lanes worst = distance(0);
            for (int k = 1; k < 6; ++k) worst = xsimd::max(worst, distance(k));
            store(visible, i, worst <= Lanes(0.0f));
        }
    }

    static void bounds(lanecull::Boxes b, const std::uint64_t* visible, float (&low)[3], float (&high)[3]) {
        const float* const from[6] = {b.min_x, b.min_y, b.min_z, b.max_x, b.max_y, b.max_z};
        const Lanes none(std::numeric_limits<float>::infinity());
        Lanes least[3] = {none, none, none}, most[3] = {-none, -none, -none};
        for (std::size_t i = 0; i < b.count; i += width) {
            std::uint64_t bits = 0;
            std::memcpy(&bits, reinterpret_cast<const unsigned char*>(visible) + i / 8, width / 8);
            if (bits == 0) continue;
            const auto mask = xsimd::batch_bool<float, Arch>::from_mask(bits);
            for (std::size_t k = 0; k < 3; ++k) {
                least[k] = xsimd::select(mask, xsimd::min(least[k], load(from[k] + i)), least[k]);
                most[k] = xsimd::select(mask, xsimd::max(most[k], load(from[3 + k] + i)), most[k]);
            }
        }
        for (std::size_t k = 0; k < 3; ++k) {
            float lows[width], highs[width];
            least[k].store_unaligned(lows);
            most[k].store_unaligned(highs);
            low[k] = *std::min_element(lows, lows + width);
            high[k] = *std::max_element(highs, highs + width);
        }
    }

    static constexpr PlaneLoops table = {spheres, boxes, oriented_boxes, bounds};
};

}  // namespace
}  // namespace bench
