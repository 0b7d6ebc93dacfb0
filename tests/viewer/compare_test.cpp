#include "../../tools/viewer/compare.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <vector>

/// Differences between pictures are found, counted and located.

namespace {

using namespace lanecull::program;

TEST(Compare, SamePicturesDoNotDiffer) {
    const std::vector<std::uint32_t> picture(100, 0xFF808080U);
    const Differences found = compare_colors(picture, picture);
    EXPECT_EQ(found.count, 0U);
    EXPECT_EQ(found.compared, 100U);
}

TEST(Compare, EveryPixelCounts) {
    const std::vector<std::uint32_t> expected(50, 7);
    for (std::size_t i = 0; i < expected.size(); ++i) {
        std::vector<std::uint32_t> found = expected;
        found[i] ^= 1U;
        found.back() ^= 2U;
        const Differences differences = compare_colors(expected, found);
        EXPECT_EQ(differences.count, i + 1 == expected.size() ? 1U : 2U);
        EXPECT_EQ(differences.first, i);
    }
}

TEST(Compare, DepthsDifferByAnUlp) {
    const std::vector<float> expected = {0.25F, 0.5F, 1};
    std::vector<float> found = expected;
    found[1] = std::bit_cast<float>(std::bit_cast<std::uint32_t>(0.5F) + 1);
    EXPECT_EQ(compare_depths(expected, expected).count, 0U);
    EXPECT_EQ(compare_depths(expected, found).count, 1U);
    EXPECT_EQ(compare_depths(expected, found).first, 1U);
}

/// A texel that shading compared with depth 0.6: what is there up to that depth must be the same, what is beyond not.
TEST(Compare, TexelsCountAsFarAsTheyWereRead) {
    const std::uint32_t not_read = 0, read = std::bit_cast<std::uint32_t>(0.6F);
    const auto count = [](float expected, float found, std::uint32_t deepest) {
        return compare_read_depths({&expected, 1}, {&found, 1}, {&deepest, 1}).count;
    };
    EXPECT_EQ(count(0.5F, 1, read), 1U) << "a caster is missing";
    EXPECT_EQ(count(0.5F, 0.55F, read), 1U) << "a caster is missing, another is behind it";
    EXPECT_EQ(count(0.7F, 1, read), 0U) << "what is missing is behind all receivers";
    EXPECT_EQ(count(0.7F, 0.5F, read), 1U) << "something casts that did not";
    EXPECT_EQ(count(0.5F, 1, not_read), 0U);
    const std::vector<float> some = {0.1F, 0.2F, 0.3F};
    const std::vector<std::uint32_t> deepest = {read, not_read, read};
    EXPECT_EQ(compare_read_depths(some, some, deepest).compared, 2U);
}

}  // namespace
