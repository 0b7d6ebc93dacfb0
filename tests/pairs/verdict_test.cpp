#include <gtest/gtest.h>

#include <cmath>

#include "pairs/cases.hpp"
#include "support/culling.hpp"
#include "support/scale.hpp"

/// Pairs of every two kinds, compared with rational arithmetic. Pairs called separated are apart, distances lie between
/// their bounds, casts are never late. All but a small fraction of the answers are as strong as floats allow.

namespace {

using namespace pair_tests;
using exact::rational;
using exact::Rational;

struct Seen {
    std::uint64_t pairs = 0, apart = 0, told_apart = 0;
    std::uint64_t distances = 0, tight = 0, points = 0, on_the_shapes = 0;
    std::uint64_t contacts = 0, bracketed = 0, misses = 0, told_to_miss = 0;
};

class PairVerdicts : public testing::TestWithParam<std::tuple<Kind, Kind>> {
protected:
    template <class Ask>
    void for_seeds(int count, std::size_t pairs, const Ask& ask) const {
        const auto [a, b] = GetParam();
        const std::uint64_t first = 10000 * static_cast<std::uint64_t>(a) + 1000 * static_cast<std::uint64_t>(b);
        for (int k = 0; k < scaled(count); ++k) {
            const std::uint64_t seed = first + static_cast<std::uint64_t>(k);
            SCOPED_TRACE("seed " + std::to_string(seed));
            Random random(seed);
            const Cases cases(random, a, b, pairs);
            ask(cases, Batches(cases));
            if (HasFailure()) return;
        }
    }
};

/// Of what the two's coordinates add up to: a few times the bound.
constexpr double surely_apart = 2e-5;

TEST_P(PairVerdicts, WhatIsApartIs) {
    Seen seen;
    for_seeds(2, 40, [&](const Cases& cases, const Batches& batches) {
        std::vector<Separated> results;
        for (const lanecull::Isa isa : runnable_isas()) {
            results.push_back(run_separate(batches.a, batches.b, batches.pairs(), isa));
        }
        for (std::size_t i = 0; i < cases.pairs.size(); ++i) {
            const ExactPair pair(cases, i);
            const bool meet = pair.meet(0);
            const bool far_apart = !meet && pair.distance() > surely_apart * pair.size;
            for (const Separated& separated : results) {
                EXPECT_FALSE(meet && separated[i]) << "said to be apart: " << cases.describe(i);
                ++seen.pairs;
                seen.apart += far_apart;
                seen.told_apart += far_apart && separated[i];
            }
        }
    });
    EXPECT_GT(seen.apart, seen.pairs / 16);
    EXPECT_LT(seen.apart, seen.pairs * 15 / 16);
    EXPECT_GE(seen.told_apart + seen.apart / 50, seen.apart);
}

/// Vertices as large as their transform is small: squares of its columns are lost to underflow, and what is made of
/// them must not seem smaller than it is.
TEST(PairHulls, AreNotShrunkByUnderflow) {
    for (int exponent = 0; exponent <= 34; ++exponent) {
        const auto large = static_cast<float>(std::pow(10.0, exponent)), small = 1 / large;
        std::vector<float> corner[3];
        for (int k = 0; k < 8; ++k) {
            for (int j = 0; j < 3; ++j) corner[j].push_back((k >> j & 1) != 0 ? large : -large);
        }
        lanecull::Hull cube;
        ASSERT_TRUE(lanecull::prepare_hull(corner[0].data(), corner[1].data(), corner[2].data(), 8, cube));
        std::vector<float> transforms;  // cubes from -1 to 1, moved by 0, 1.75 and 2.5 along x
        for (const float x : {0.0f, 1.75f, 2.5f}) {
            transforms.insert(transforms.end(), {small, 0, 0, x, 0, small, 0, 0, 0, 0, small, 0});
        }
        lanecull::HullInstances cubes;
        cubes.transforms = {.first = transforms.data(), .layout = lanecull::TransformLayout::rows_3x4};
        cubes.hulls = &cube;
        cubes.hull_count = 1;
        cubes.count = 3;
        const std::uint32_t a[] = {0, 0}, b[] = {1, 2};
        for (const lanecull::Isa isa : runnable_isas()) {
            std::uint64_t separated = 0;
            const lanecull::Batch shapes = cubes;
            ASSERT_TRUE(lanecull::separate_pairs(shapes, shapes, {a, b, 2}, {&separated, 1}, {.isa = isa}));
            EXPECT_EQ(separated & 1, 0u) << "10^" << exponent << " " << lanecull::isa_name(isa);
            if (exponent <= 9) {
                EXPECT_EQ(separated, 2u) << "10^" << exponent << " " << lanecull::isa_name(isa);
            }
        }
    }
}

TEST_P(PairVerdicts, DistancesAreBetweenTheirBounds) {
    Seen seen;
    for_seeds(1, 24, [&](const Cases& cases, const Batches& batches) {
        for (const lanecull::Isa isa : runnable_isas()) {
            lanecull::PairDistanceOptions options;
            options.isa = isa;
            const Distances found = run_distances(batches.a, batches.b, batches.pairs(), options);
            const Separated separated = run_separate(batches.a, batches.b, batches.pairs(), isa);
            for (std::size_t i = 0; i < cases.pairs.size(); ++i) {
                const ExactPair pair(cases, i);
                const float lower = found.lower[i], upper = found.upper[i];
                ASSERT_TRUE(lower >= 0 && upper < INFINITY) << cases.describe(i);
                if (lower > 0) {
                    // Grown by less than the distance they do not meet.
                    ASSERT_FALSE(pair.meet(rational(std::nextafterf(lower, 0)))) << lower << ' ' << cases.describe(i);
                }
                ASSERT_TRUE(pair.meet(rational(upper))) << upper << ' ' << cases.describe(i);
                const double distance = pair.distance();
                ++seen.pairs;
                seen.distances += distance > surely_apart * pair.size;
                seen.tight += distance > surely_apart * pair.size &&
                              static_cast<double>(upper - lower) < 1e-5 * distance + surely_apart * pair.size;
                EXPECT_FALSE(lower > 0 && !separated[i] && distance > surely_apart * pair.size);

                const double world = std::abs(static_cast<double>(found.points[0][i])) +
                                     std::abs(static_cast<double>(found.points[1][i])) +
                                     std::abs(static_cast<double>(found.points[2][i]));
                const double off = 1e-5 * pair.size + 1e-7 * world;
                for (std::size_t side = 0; side < 2; ++side) {
                    ++seen.points;
                    const double away = pair.distance_to(side == 0 ? pair.a : pair.b, found.point(i, side));
                    seen.on_the_shapes += away < off;
                    EXPECT_LT(away, 100 * off) << side << ' ' << cases.describe(i);
                }
            }
        }
    });
    EXPECT_GT(seen.distances, seen.pairs / 16);
    EXPECT_GE(seen.tight + seen.distances / 50, seen.distances);
    EXPECT_GE(seen.on_the_shapes + seen.points / 50, seen.points);
}

/// Whether the two have met by then, up to the rounding of doubles that PairCasts allows.
bool met_by(const ExactPair& pair, float time) {
    return pair.meet_by(rational(time), rational(0x1p-44 * (pair.size + 2 * pair.way_size)));
}

TEST_P(PairVerdicts, CastsAreNeverLate) {
    Seen seen;
    for_seeds(1, 24, [&](const Cases& cases, const Batches& batches) {
        for (const lanecull::Isa isa : runnable_isas()) {
            const Casts found = run_casts(batches, cases, isa);
            for (std::size_t i = 0; i < cases.pairs.size(); ++i) {
                const ExactPair pair(cases, i);
                const float earliest = found.earliest[i], latest = found.latest[i];
                ASSERT_TRUE(earliest >= 0) << cases.describe(i);
                if (earliest > 0) {
                    const float before = std::isinf(earliest) ? 1 : std::nextafterf(earliest, 0);
                    ASSERT_FALSE(pair.meet_by(rational(before))) << earliest << ' ' << cases.describe(i);
                }
                const double close = surely_apart * (pair.size + 2 * pair.way_size);
                ++seen.pairs;
                if (latest < INFINITY) {
                    EXPECT_LE(earliest, latest);
                    EXPECT_LE(latest, 1.0f);
                    EXPECT_TRUE(met_by(pair, latest)) << latest << ' ' << cases.describe(i);
                }
                if (pair.meet_by(1)) {
                    ++seen.contacts;
                    seen.bracketed += latest - earliest < 1e-2f;
                } else if (!pair.meet_by(1, rational(10 * close))) {
                    ++seen.misses;
                    seen.told_to_miss += std::isinf(earliest);
                }
            }
        }
    });
    EXPECT_GT(seen.contacts, seen.pairs / 8);
    EXPECT_GE(seen.bracketed + seen.contacts / 50, seen.contacts);
    EXPECT_GE(2 * seen.told_to_miss, seen.misses);  // the others graze
}

/// Pairs of slivers whose simplex seems to enclose the origin 12 bounds away: the prover found them. Once `latest` was
/// such a time.
TEST(PairCasts, OfSliversEndWhereTheyTouch) {
    Random random(1);
    Cases boxes(random, Kind::oriented_box, Kind::box, 0), capsules(random, Kind::capsule, Kind::oriented_box, 0);
    boxes.pairs.push_back(
        {.a = {.fields = {-0x1.7d6636p+21f, 0x1.8895c6p+17f, 0x1.03237ap+21f, -0x1.51d384p+1f, 0x1.7b1692p+1f,
                          0x1.c40234p+1f, -0x1.543e86p-1f, -0x1.83abe8p-4f, -0x1.4ad29ep-2f, 0x1.3adb12p-2f,
                          -0x1.49c28cp+1f, 0x1.860e16p-3f, 0x1.6a3bcap+7f, 0x1.b7fb8cp-2f, 0x1.c60f8ap+0f}},
         .b = {.fields = {-0x1.7d6646p+21f, 0x1.88924ep+17f, 0x1.032382p+21f, -0x1.7d663ep+21f, 0x1.8893f4p+17f,
                          0x1.032398p+21f}},
         .family = Family::far_away,
         .motion = {-0x1.1b072cp+0f, -0x1.f93228p-5f, -0x1.6294a8p+0f}});
    capsules.pairs.push_back(
        {.a = {.fields = {-0x1.29cafep+4f, 0x1.3f50fap+0f, -0x1.c6a8fep+2f, -0x1.299624p+4f, 0x1.ed27eep+0f,
                          -0x1.ce3eecp+2f, 0}},
         .b = {.fields = {-0x1.28f332p+4f, 0x1.8b1072p+0f, -0x1.c80de4p+2f, 0x1.e60102p+1f, 0x1.76f93p+0f,
                          -0x1.775048p+0f, -0x1.15010ap+0f, -0x1.20aa38p-1f, -0x1.204d32p+2f, 0x1.5b807cp+1f,
                          0x1.cd4828p-1f, -0x1.7e2144p+2f, 0x1.704cccp+7f, 0x1.63acdcp-15f, 0}},
         .family = Family::uneven,
         .motion = {0x1.c2afe6p-1f, 0x1.da6456p-3f, 0x1.3c3a54p-2f}});
    for (const Cases* cases : {&boxes, &capsules}) {
        const ExactPair pair(*cases, 0);
        const Batches batches(*cases);
        for (const lanecull::Isa isa : runnable_isas()) {
            const float latest = run_casts(batches, *cases, isa).latest[0];
            EXPECT_TRUE(std::isinf(latest) || met_by(pair, latest))
                << latest << ' ' << lanecull::isa_name(isa) << ' ' << cases->describe(0);
        }
    }
}

std::string name_of(const testing::TestParamInfo<std::tuple<Kind, Kind>>& test) {
    return std::string(kind_name(std::get<0>(test.param))) + "_and_" + kind_name(std::get<1>(test.param));
}

/// Every two kinds, in one order.
std::vector<std::tuple<Kind, Kind>> pairs_of_kinds() {
    std::vector<std::tuple<Kind, Kind>> pairs;
    for (const Kind a : all_kinds) {
        for (const Kind b : all_kinds) {
            if (a <= b) pairs.emplace_back(a, b);
        }
    }
    return pairs;
}

INSTANTIATE_TEST_SUITE_P(All, PairVerdicts, testing::ValuesIn(pairs_of_kinds()), name_of);

}  // namespace
