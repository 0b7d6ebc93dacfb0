#include <cstdint>
#include <limits>

#include "lanes/lanes.hpp"
#include "lanes/vec2w.hpp"
#include "lanes/vec3w.hpp"

/// What gdb prints in commands.gdb, of the instruction set that the flags name: one of each type, in a function that it
/// stops in. Compiled without optimisation, so that every variable is in memory.

namespace lanecull {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr std::uint32_t chosen_bits = 0b1000'0001'0010'1001;

// From each of the first three on, W numbers are read.
const float numbers[18] = {0.1f, -2.5f, -0.0f, infinity, nan, 1e-45f, 3.4028235e38f, 16777216, 1, 2, 3, 4,
                           5,    6,     7,     8,        9,   10};
const std::int32_t indices[16] = {7, -1, 2147483647, -2147483647 - 1, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

/// A mask whose lane 1 is set by its sign bit alone, which no comparison makes, where masks are vectors.
template <class Mask>
Mask spoiled(Mask mask) {
    if constexpr (sizeof(Mask) >= 16) {
        std::uint32_t words[sizeof(Mask) / 4];
        __builtin_memcpy(words, &mask, sizeof(mask));
        words[1] = 0x80000000u;
        __builtin_memcpy(&mask, words, sizeof(mask));
    }
    return mask;
}

/// gdb stops here; `bits` has more ones than lanes have masks.
void stop(std::uint64_t) {}

void look() {
    const FloatW floats = load(numbers);
    FloatW two(2.0f);
    const IndexW wholes = load(indices);
    const MaskW none = mask_of(0), all = mask_of(all_lanes), some = mask_of(chosen_bits & all_lanes);
    const MaskW negative = floats < FloatW(0.0f), wrong = spoiled(some);
    const Vec3W vectors{load(numbers), load(numbers + 1), load(numbers + 2)};
    const Vec3W up{FloatW(0.0f), FloatW(0.0f), FloatW(1.0f)};
    const Vec3W& reference = vectors;
    const Vec3W* const pointer = &up;
    const FloatW pair[2] = {two, floats};
    const flat::Vec2W flat_vectors{load(numbers), FloatW(1.0f)};
    stop(bits(negative) | bits(all) | bits(none) | bits(wrong) | static_cast<std::uint64_t>(bits(MaskW(any(some)))));
    (void)wholes, (void)reference, (void)pointer, (void)pair, (void)flat_vectors;
}

}  // namespace
}  // namespace lanecull

int main() { lanecull::look(); }
