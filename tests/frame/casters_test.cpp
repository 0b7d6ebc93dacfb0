#include <gtest/gtest.h>

#include "frame/reference.hpp"
#include "frame/shadows.hpp"
#include "support/scale.hpp"

/// No shadow that can be seen is missing: whatever stands between a light and a point of a visible object is in the map
/// that covers the point. Points, lights and objects are taken as the formulas of geometry have them; nothing of the
/// library decides here.

namespace {

using namespace frame_tests;
using lanecull::CullPass;

/// The bits of a frame's views.
struct Drawn {
    CullPass pass;
    std::vector<Words> words;

    Drawn(const World& world, const Made& made)
        : words(lanecull::view_count(made.frame()), Words(lanecull::visibility_words(world.batches))) {
        EXPECT_TRUE(pass.reserve(made.limits(), world.batches));
        std::vector<lanecull::Output> outputs(words.size());
        for (std::size_t v = 0; v < words.size(); ++v) outputs[v].visible = words[v];
        EXPECT_TRUE(pass.run(made.frame(), world.batches, outputs));
    }
};

class CastersTest : public testing::Test {
protected:
    CastersTest() { world.batches.erase(world.batches.begin() + 1, world.batches.end()); }

    World world{4000, 31};
    Random random{32};
};

TEST_F(CastersTest, OfLampsAreInTheirMaps) {
    const std::vector<Ball> balls = balls_of(world);
    std::size_t shadows = 0;
    for (int round = 0; round < static_cast<int>(scaled(20)) + 4; ++round) {
        Made made;
        fill_near(made, random);
        const Drawn drawn(world, made);
        for_each_lamp_shadow(made, drawn.pass, balls, random, [&](std::size_t view, std::uint32_t ball) {
            ++shadows;
            ASSERT_TRUE(has(drawn.words[view], ball)) << "view " << view << ", ball " << ball;
        });
    }
    EXPECT_GT(shadows, 1000u);
}

TEST_F(CastersTest, OfSunsAreInTheirCascades) {
    const std::vector<Ball> balls = balls_of(world);
    std::size_t shadows = 0;
    for (std::uint32_t cascades = 1; cascades <= 8; ++cascades) {
        Made sunny;
        sunny.add_camera(random_looking(random), cascades);
        sunny.add_camera(random_looking(random), 9 - cascades);
        const Drawn drawn(world, sunny);
        for_each_sun_shadow(sunny, drawn.pass, balls, random, [&](std::size_t view, std::uint32_t ball) {
            ++shadows;
            ASSERT_TRUE(has(drawn.words[view], ball)) << "view " << view << ", ball " << ball;
        });
    }
    EXPECT_GT(shadows, 2000u);
}

}  // namespace
