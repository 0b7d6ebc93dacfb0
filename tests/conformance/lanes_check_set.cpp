/// Every operation of a set's lanes against its definition, lane by lane. Compiled with the set's flags.

#include <cstdint>
#include <cstdio>
#include <cstring>

#include "base/float_modes.hpp"
#include "lanes/lanes.hpp"
#include "lanes_check.hpp"

namespace lanecull {
namespace {

std::uint32_t float_bits(float number) { return __builtin_bit_cast(std::uint32_t, number); }

struct Report {
    bool hold = true;

    /// `expected` and `found` are the numbers' bits in lane `lane`; two NaNs are the same.
    void compare(const char* what, std::uint32_t lane, std::uint32_t expected, std::uint32_t found) {
        if (expected == found) return;
        if (hold) std::printf("%s, lane %u: %08x instead of %08x\n", what, lane, found, expected);
        hold = false;
    }
    void compare(const char* what, std::uint32_t lane, float expected, float found) {
        if (expected != expected && found != found) return;
        compare(what, lane, float_bits(expected), float_bits(found));
    }
};

std::uint32_t random_bits() {
    static std::uint64_t state = 1;
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return static_cast<std::uint32_t>(state >> 32);
}

/// Any float: every third is one of those that matter, else of any bits.
float hostile_float() {
    constexpr std::uint32_t special[] = {0x00000000, 0x80000000, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc00000,
                                         0x00000001, 0x807fffff, 0x00800000, 0x7f7fffff, 0x3f800000, 0xbf800000};
    const std::uint32_t choice = random_bits() % 36;
    return __builtin_bit_cast(float, choice < 12 ? special[choice] : random_bits());
}
/// Between 2^-8 and 2^8, of either sign.
float tame_float() {
    return __builtin_bit_cast(float, (random_bits() & 0x807fffffu) | (119u + random_bits() % 16u) << 23);
}

struct Numbers {
    alignas(64) float of[lanes];
    FloatW loaded;

    explicit Numbers(float (*next)()) {
        for (float& number : of) number = next();
        loaded = load(of);
    }
};
struct Results {
    alignas(64) float of[lanes];
    explicit Results(FloatW from) { store(of, from); }
};

/// a b + c, with one rounding or two: a set has the choice.
void compare_fused(Report& report, const char* what, std::uint32_t lane, float a, float b, float c, float found) {
    const float twice = a * b + c;
    if (float_bits(twice) == float_bits(found)) return;
    report.compare(what, lane, __builtin_fmaf(a, b, c), found);
}

/// What rounds correctly: the double results of floats are exact or far enough from the middle of two floats.
void check_rounding(Report& report, float (*next)()) {
    const Numbers a(next), b(next), c(next);
    const Results sum(a.loaded + b.loaded), difference(a.loaded - b.loaded), product(a.loaded * b.loaded),
        quotient(a.loaded / b.loaded), root(sqrt(a.loaded)), fused(fma(a.loaded, b.loaded, c.loaded)),
        fused_less(fms(a.loaded, b.loaded, c.loaded));
    for (std::uint32_t i = 0; i < lanes; ++i) {
        const auto x = static_cast<double>(a.of[i]), y = static_cast<double>(b.of[i]);
        report.compare("a + b", i, static_cast<float>(x + y), sum.of[i]);
        report.compare("a - b", i, static_cast<float>(x - y), difference.of[i]);
        report.compare("a * b", i, static_cast<float>(x * y), product.of[i]);
        report.compare("a / b", i, static_cast<float>(x / y), quotient.of[i]);
        report.compare("sqrt(a)", i, static_cast<float>(__builtin_sqrt(x)), root.of[i]);
        compare_fused(report, "fma(a, b, c)", i, a.of[i], b.of[i], c.of[i], fused.of[i]);
        compare_fused(report, "fms(a, b, c)", i, a.of[i], b.of[i], -c.of[i], fused_less.of[i]);
    }
}

/// Minimum, maximum and comparisons, by operand where one is NaN; signs and bits.
void check_choices(Report& report) {
    const Numbers a(hostile_float), b(hostile_float), c(hostile_float);
    const Results least(min(a.loaded, b.loaded)), most(max(a.loaded, b.loaded)), size(abs(a.loaded)),
        opposite(-a.loaded), flipped(flip(a.loaded, b.loaded)), later(later_bits(a.loaded, b.loaded)),
        chosen(select(a.loaded < b.loaded, a.loaded, c.loaded));
    const std::uint32_t less = bits(a.loaded < b.loaded), greater = bits(a.loaded > b.loaded),
                        at_most = bits(a.loaded <= b.loaded), at_least = bits(a.loaded >= b.loaded),
                        negative = sign_bits(a.loaded), joined = sign_bits(joined_signs(a.loaded, b.loaded)),
                        joined_three = sign_bits(joined_signs(a.loaded, b.loaded, c.loaded)),
                        rest = bits(not_less(mask_of(all_lanes), a.loaded, b.loaded));
    bool beyond = false;
    const float limit = 1.5f;
    float greatest = 0;
    for (std::uint32_t i = 0; i < lanes; ++i) {
        const float x = a.of[i], y = b.of[i];
        const auto of_x = float_bits(x), of_y = float_bits(y);
        report.compare("min(a, b)", i, x < y ? x : y, least.of[i]);
        report.compare("max(a, b)", i, x > y ? x : y, most.of[i]);
        report.compare("abs(a)", i, of_x & 0x7fffffffu, float_bits(size.of[i]));
        if (x != 0) report.compare("-a", i, -x, opposite.of[i]);  // AVX-512 takes 0 - a, which leaves 0 as it is
        report.compare("flip(a, b)", i, of_x ^ (of_y & 0x80000000u), float_bits(flipped.of[i]));
        report.compare("later_bits(a, b)", i, of_x > of_y ? of_x : of_y, float_bits(later.of[i]));
        report.compare("select()", i, x < y ? x : c.of[i], chosen.of[i]);
        const auto bit = [i](std::uint32_t from) { return from >> i & 1u; };
        report.compare("a < b", i, std::uint32_t{x < y}, bit(less));
        report.compare("a > b", i, std::uint32_t{x > y}, bit(greater));
        report.compare("a <= b", i, std::uint32_t{x <= y}, bit(at_most));
        report.compare("a >= b", i, std::uint32_t{x >= y}, bit(at_least));
        report.compare("not_less(a, b)", i, std::uint32_t{!(x < y)}, bit(rest));
        report.compare("sign_bits(a)", i, of_x >> 31, bit(negative));
        report.compare("joined_signs(a, b)", i, (of_x | of_y) >> 31, bit(joined));
        report.compare("joined_signs(a, b, c)", i, (of_x | of_y | float_bits(c.of[i])) >> 31, bit(joined_three));
        beyond |= !(x <= limit) || of_x >> 31 != 0;
        if (i == 0 || x > greatest) greatest = x;
    }
    report.compare("any_bits_beyond(a)", 0, std::uint32_t{beyond}, std::uint32_t{any_bits_beyond(a.loaded, limit)});
    const Numbers tame(tame_float);
    const Results all_greatest(greatest_lane(tame.loaded)), over(over_sqrt(c.loaded, abs(tame.loaded))),
        past(excess(tame.loaded, abs(c.loaded)));
    for (std::uint32_t i = 0; i < lanes; ++i) greatest = i == 0 || tame.of[i] > greatest ? tame.of[i] : greatest;
    for (std::uint32_t i = 0; i < lanes; ++i) {
        report.compare("greatest_lane(a)", i, greatest, all_greatest.of[i]);
        const float size_of_a = __builtin_fabsf(tame.of[i]), h = __builtin_fabsf(c.of[i]);
        if (h == h) report.compare("excess(a, h)", i, (size_of_a > h ? size_of_a : h) - h, past.of[i]);
        // One unit of roundoff for what rounding the double leaves; numbers whose result is not normal are left out.
        const double exact = static_cast<double>(c.of[i]) / __builtin_sqrt(static_cast<double>(size_of_a));
        if (!(h > 1e-30f && h < 1e30f)) continue;
        const double off = (static_cast<double>(over.of[i]) - exact) / exact;
        if (!(__builtin_fabs(off) <= 4 * 0x1p-24))
            report.compare("over_sqrt()", i, static_cast<float>(exact), over.of[i]);
    }
}

/// Masks, indices, moves across lanes and memory.
void check_moves(Report& report) {
    const Numbers a(hostile_float);
    alignas(64) float table[16], moved[lanes], gathered[lanes];
    alignas(64) std::int32_t index[lanes], of_two[lanes], population[lanes];
    for (float& number : table) number = tame_float();
    for (std::uint32_t i = 0; i < lanes; ++i) {
        index[i] = static_cast<std::int32_t>(random_bits() % 16u);
        of_two[i] = static_cast<std::int32_t>(random_bits() % (2 * lanes)) % 16;
        population[i] = static_cast<std::int32_t>(random_bits() % 64u);
    }
    const std::uint32_t chosen = random_bits() & all_lanes, one = random_bits() % lanes, n = random_bits() % lanes;
    report.compare("bits(mask_of())", 0, chosen, bits(mask_of(chosen)));
    report.compare("any()", 0, std::uint32_t{chosen != 0}, std::uint32_t{any(mask_of(chosen))});
    const std::uint32_t other = random_bits() & all_lanes;
    report.compare("both()", 0, chosen & other, bits(both(mask_of(chosen), mask_of(other))));
    report.compare("but_not()", 0, chosen & ~other, bits(but_not(mask_of(chosen), mask_of(other))));
    report.compare("either()", 0, chosen | other, bits(either(mask_of(chosen), mask_of(other))));
    report.compare("~", 0, ~chosen & all_lanes, bits(~mask_of(chosen)));

    const Results by_index(gather(table, load(index))), of_16(gather_of_16(table, load(index))),
        in_two(gather_of_two(table, load(of_two))), everywhere(lane_of(a.loaded, one)), first(load_first(a.of, n)),
        some(load_some(a.of, n));
    alignas(64) std::int32_t whole[lanes], counted[lanes], shifted[lanes];
    store(whole, to_index(load(table) - load(table) + FloatW(-7.0f)));
    store(counted, lane_numbers());
    store(shifted, (load(index) * IndexW(-12345) + IndexW(77)) >> 3);
    const std::uint32_t odd = bits(odd_population(load(population))), nonzero = nonzero_lanes(load(population));
    for (std::uint32_t i = 0; i < lanes; ++i) {
        report.compare("gather()", i, table[index[i]], by_index.of[i]);
        report.compare("gather_of_16()", i, table[index[i]], of_16.of[i]);
        report.compare("gather_of_two()", i, table[of_two[i]], in_two.of[i]);
        report.compare("lane_of()", i, a.of[one], everywhere.of[i]);
        if (lanes > 1) report.compare("load_first()", i, i < n ? a.of[i] : 0.0f, first.of[i]);
        if (lanes > 1) report.compare("load_some()", i, i < n ? a.of[i] : 0.0f, some.of[i]);
        report.compare("to_index()", i, static_cast<std::uint32_t>(-7), static_cast<std::uint32_t>(whole[i]));
        report.compare("lane_numbers()", i, i, static_cast<std::uint32_t>(counted[i]));
        report.compare("a * b + c >> n", i, static_cast<std::uint32_t>((index[i] * -12345 + 77) >> 3),
                       static_cast<std::uint32_t>(shifted[i]));
        const auto number = static_cast<unsigned>(population[i]);
        report.compare("odd_population()", i, static_cast<unsigned>(__builtin_popcount(number)) & 1u, odd >> i & 1u);
        report.compare("nonzero_lanes()", i, std::uint32_t{number != 0}, nonzero >> i & 1u);
    }
    store_compressed(moved, a.loaded, chosen);
    alignas(64) std::uint32_t moved_indices[lanes];
    store_compressed(moved_indices, load(index), chosen);
    std::uint32_t place = 0;
    for (std::uint32_t i = 0; i < lanes; ++i) {
        if ((chosen >> i & 1u) == 0) continue;
        report.compare("store_compressed()", place, a.of[i], moved[place]);
        report.compare("store_compressed()", place, static_cast<std::uint32_t>(index[i]), moved_indices[place]);
        ++place;
    }
    const Numbers tame(tame_float);
    const Results scaled(abs(tame.loaded) * exponent_scale(abs(tame.loaded)));
    std::memcpy(gathered, scaled.of, sizeof gathered);
    for (std::uint32_t i = 0; i < lanes; ++i) {
        const std::uint32_t in_one = (float_bits(tame.of[i]) & 0x007fffffu) | 0x3f800000u;
        report.compare("exponent_scale()", i, in_one, float_bits(gathered[i]));
    }
}

}  // namespace
}  // namespace lanecull

template <>
bool LanesCheck<lanecull::this_isa>::hold() {
    const lanecull::FloatModes modes;
    lanecull::Report report;
    for (int k = 0; k < 100'000; ++k) {
        lanecull::check_rounding(report, lanecull::hostile_float);
        lanecull::check_rounding(report, lanecull::tame_float);
        if (k % 2 == 0) lanecull::check_choices(report);
        if (k % 2 == 0) lanecull::check_moves(report);
    }
    return report.hold;
}
