#include <gtest/gtest.h>

#include "frame/reference.hpp"
#include "support/new_threads.hpp"
#include "support/random.hpp"

/// A pass on several threads gives the bytes that it gives on one. Also built and run with the thread sanitizer
/// (ctest -L threads).

namespace {

using namespace frame_tests;
using lanecull::CullPass;

TEST(PassThreads, GiveTheSameBytes) {
    const World world(2'000 + static_cast<std::uint32_t>(scaled(18'000)));
    const Ordered ordered(world);
    Random random(81);
    Made made;
    fill(made, random);
    for (int l = 0; l < 12; ++l) made.add_point_light({random.range(-80, 80), random.range(-80, 80), 0}, 50);
    const auto expect_same = [&](const auto& objects, auto& expected, auto& found) {
        CullPass serial;
        ASSERT_TRUE(serial.reserve(made.limits(), objects));
        ASSERT_TRUE(serial.run(made.frame(), objects, expected.outputs));
        for (const unsigned threads : {2u, 5u}) {
            CullPass parallel;
            ASSERT_TRUE(parallel.reserve(made.limits(), objects));
            const lanecull::Runner runner = on_new_threads(threads);
            ASSERT_TRUE(
                parallel.run(made.frame(), objects, found.outputs, lanecull::Casters::volume, {.runner = runner}));
            for (std::size_t v = 0; v < serial.view_count(); ++v) {
                EXPECT_EQ(std::memcmp(&serial.view(v), &parallel.view(v), sizeof(lanecull::View)), 0) << v;
                EXPECT_EQ(found.views[v].visible, expected.views[v].visible) << v;
                EXPECT_EQ(found.outputs[v].draw_count, expected.outputs[v].draw_count) << v;
                EXPECT_TRUE(std::ranges::equal(std::as_bytes(std::span(found.views[v].draws)),
                                               std::as_bytes(std::span(expected.views[v].draws))))
                    << v;
            }
        }
    };
    const std::size_t views = lanecull::view_count(made.frame());
    const std::span<const lanecull::Batch> batches = world.batches;
    FlatLists a(world, views), b(world, views);
    expect_same(batches, a, b);
    SceneLists c(ordered.scene, views), d(ordered.scene, views);
    expect_same(ordered.scene, c, d);
}

}  // namespace
