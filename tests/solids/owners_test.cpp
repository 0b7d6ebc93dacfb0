#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/memory.hpp"
#include "occluders/owners.hpp"
#include "solids/merging.hpp"
#include "support/random.hpp"
#include "support/scale.hpp"

/// The second proof that a box lies in a union, asked about boxes that do and boxes that do not. The results of
/// merge_boxes() never need the answer no.

namespace {

using lanecull::Array;
using lanecull::solids::OwnerSearch;
using lanecull::solids::Solid;
using merging::GivenBox;

Solid solid_of(const GivenBox& box) {
    Solid solid;
    for (std::size_t k = 0; k < 3; ++k) solid.lo[k] = box.lo[k] + 0.0f, solid.hi[k] = box.hi[k] + 0.0f;
    return solid;
}

/// A box between faces of the solids; two in three times within some solid's bounds along an axis.
GivenBox random_box(Random& random, const std::vector<GivenBox>& solids) {
    GivenBox box{};
    const auto any = [&] { return solids[static_cast<std::size_t>(random.below(static_cast<int>(solids.size())))]; };
    const GivenBox around = any();
    for (std::size_t k = 0; k < 3; ++k) {
        do {
            const GivenBox a = random.chance(0.6) ? around : any(), b = random.chance(0.6) ? around : any();
            box.lo[k] = random.chance(0.8) ? a.lo[k] : a.hi[k];
            box.hi[k] = random.chance(0.8) ? b.hi[k] : b.lo[k];
        } while (!(box.lo[k] < box.hi[k]));
    }
    return box;
}

TEST(OwnersOfSolids, AreFoundIfAndOnlyIfTheBoxIsCovered) {
    const std::uint64_t seed = 20261210;
    Random random(seed);
    std::size_t covered = 0, by_several = 0, not_covered = 0;
    for (int round = 0; round < scaled(400); ++round) {
        const merging::BoxList list = merging::random_boxes(
            random, static_cast<merging::Family>(random.below(static_cast<int>(merging::Family::mixed))));
        std::vector<GivenBox> given;
        Array<Solid> solids;
        for (std::size_t i = 0; i < list.size(); ++i) {
            if (!merging::is_solid(list[i])) continue;
            given.push_back(list[i]);
            ASSERT_TRUE(solids.push(solid_of(list[i])));
        }
        if (given.empty()) continue;
        OwnerSearch search, hasty(OwnerSearch::Work{0, 0});
        ASSERT_TRUE(search.prepare(solids) && hasty.prepare(solids));
        for (int i = 0; i < 20; ++i) {
            const GivenBox box = random_box(random, given);
            Array<std::uint32_t> owners, all;
            const bool is_covered = search.find(solid_of(box), owners) == OwnerSearch::Answer::covered;
            ASSERT_EQ(is_covered, merging::in_union(given, box)) << "seed " << seed << " round " << round << '\n'
                                                                 << list.describe();
            (is_covered ? covered : not_covered) += 1;
            if (!is_covered) {
                EXPECT_EQ(owners.size(), 0u);
                continue;
            }
            by_several += owners.size() > 1;
            std::vector<GivenBox> covers;
            for (const std::uint32_t owner : owners) covers.push_back(given[owner]);
            ASSERT_TRUE(merging::in_union(covers, box)) << "seed " << seed << " round " << round;
            // Without time to choose: these and others.
            ASSERT_EQ(hasty.find(solid_of(box), all), OwnerSearch::Answer::covered);
            ASSERT_TRUE(std::is_sorted(all.begin(), all.end()));
            ASSERT_GE(all.size(), owners.size());
            covers.clear();
            for (const std::uint32_t owner : all) covers.push_back(given[owner]);
            ASSERT_TRUE(merging::in_union(covers, box)) << "seed " << seed << " round " << round;
        }
    }
    std::printf("[ figures  ] seed %llu: %zu covered, %zu of these by several, %zu not\n",
                static_cast<unsigned long long>(seed), covered, by_several, not_covered);
    EXPECT_GT(static_cast<double>(covered), 1000 * test_scale());
    EXPECT_GT(static_cast<double>(by_several), 500 * test_scale());
    EXPECT_GT(static_cast<double>(not_covered), 500 * test_scale());
}

}  // namespace
