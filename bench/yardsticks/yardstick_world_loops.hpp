#pragma once

#include <cstddef>

#include "yardsticks/yardstick_world.hpp"

/// The loop, for one instruction set a file. In an unnamed namespace: the two files are compiled with different flags
/// and must share no function.
namespace bench {
namespace {

template <std::size_t W>
struct Floats {
    using type __attribute__((vector_size(4 * W))) = float;
    using unaligned __attribute__((aligned(4), may_alias)) = type;
};

template <std::size_t W>
struct WorldLoop {
    using Lanes = typename Floats<W>::type;
    using Unaligned = typename Floats<W>::unaligned;
    using Four = Floats<4>::unaligned;

    static Lanes load(const float* from) { return *reinterpret_cast<const Unaligned*>(from); }
    static void store(float* to, Lanes values) { *reinterpret_cast<Unaligned*>(to) = values; }
    static Lanes size(Lanes a) { return a < 0 ? -a : a; }

    /// Every fourth row of four floats from `row` on, one in each 16 bytes.
    static Lanes every_fourth(const float* row, std::size_t stride) {
        const auto four = [&](std::size_t k) { return *reinterpret_cast<const Four*>(row + 4 * k * stride); };
        if constexpr (W == 8) {
            return __builtin_shufflevector(four(0), four(1), 0, 1, 2, 3, 4, 5, 6, 7);
        } else {
            return __builtin_shufflevector(__builtin_shufflevector(four(0), four(1), 0, 1, 2, 3, 4, 5, 6, 7),
                                           __builtin_shufflevector(four(2), four(3), 0, 1, 2, 3, 4, 5, 6, 7),  //
                                           0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
        }
    }

    template <int A, int B, int C, int D>
    static Lanes shuffle(Lanes a, Lanes b) {
        constexpr auto at = [](int part, int k) { return 4 * part + (k < 4 ? k : k - 4 + static_cast<int>(W)); };
        if constexpr (W == 8) {
            return __builtin_shufflevector(a, b, at(0, A), at(0, B), at(0, C), at(0, D),  //
                                           at(1, A), at(1, B), at(1, C), at(1, D));
        } else {
            return __builtin_shufflevector(a, b, at(0, A), at(0, B), at(0, C), at(0, D),  //
                                           at(1, A), at(1, B), at(1, C), at(1, D),        //
                                           at(2, A), at(2, B), at(2, C), at(2, D),        //
                                           at(3, A), at(3, B), at(3, C), at(3, D));
        }
    }

    /// One row of W transforms: three factors and the translation.
    struct Row {
        Lanes x, y, z, t;

        explicit Row(const float* first) {
            const Lanes a = every_fourth(first, 12), b = every_fourth(first + 12, 12), c = every_fourth(first + 24, 12),
                        d = every_fourth(first + 36, 12);
            const Lanes ab_low = shuffle<0, 4, 1, 5>(a, b), ab_high = shuffle<2, 6, 3, 7>(a, b),
                        cd_low = shuffle<0, 4, 1, 5>(c, d), cd_high = shuffle<2, 6, 3, 7>(c, d);
            x = shuffle<0, 1, 4, 5>(ab_low, cd_low), y = shuffle<2, 3, 6, 7>(ab_low, cd_low);
            z = shuffle<0, 1, 4, 5>(ab_high, cd_high), t = shuffle<2, 3, 6, 7>(ab_high, cd_high);
        }
    };

    static void run(const lanecull::Boxes& boxes, const float* transforms, float* const (&out)[6]) {
        for (std::size_t i = 0; i < boxes.count; i += W) {
            const Lanes lower[3] = {load(boxes.min_x + i), load(boxes.min_y + i), load(boxes.min_z + i)};
            const Lanes upper[3] = {load(boxes.max_x + i), load(boxes.max_y + i), load(boxes.max_z + i)};
            Lanes center[3], half[3];
            for (std::size_t k = 0; k < 3; ++k) {
                center[k] = 0.5f * (upper[k] + lower[k]);
                half[k] = 0.5f * (upper[k] - lower[k]);
            }
            for (std::size_t k = 0; k < 3; ++k) {
                const Row row(transforms + 12 * i + 4 * k);
                const Lanes c = row.x * center[0] + row.y * center[1] + row.z * center[2] + row.t;
                const Lanes h = size(row.x) * half[0] + size(row.y) * half[1] + size(row.z) * half[2];
                store(out[k] + i, c - h);
                store(out[3 + k] + i, c + h);
            }
        }
    }
};

}  // namespace
}  // namespace bench
