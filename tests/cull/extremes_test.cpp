#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include <lanecull/bounds.h>
#include <lanecull/scene.h>
#include <lanecull/view.h>

#include "support/culling.hpp"

/// Objects of numbers so small or so large that products underflow or overflow, and invalid ones whose bounds were
/// computed.

namespace {

using lanecull::Batch;

/// from <= x <= to, |y| <= to, |z| <= to.
lanecull::View slab(double from, double to) {
    const lanecull::Plane planes[] = {{{1, 0, 0}, -from}, {{-1, 0, 0}, to}, {{0, 1, 0}, to},
                                      {{0, -1, 0}, to},   {{0, 0, 1}, to},  {{0, 0, -1}, to}};
    lanecull::View view;
    EXPECT_TRUE(lanecull::prepare_view_from_planes(planes, view));
    return view;
}

/// Halving 2^-149 gives 0, which a column of 2^127 would make 2^-22 too little.
TEST(HullExtremes, DenormalVerticesUnderLargeColumns) {
    constexpr float tiny = 0x1p-149f, large = 0x1p127f;
    const float x[] = {tiny, -tiny, 0, 0, 0, 0}, y[] = {0, 0, tiny, -tiny, 0, 0}, z[] = {0, 0, 0, 0, tiny, -tiny};
    lanecull::Hull hull;
    ASSERT_TRUE(lanecull::prepare_hull(x, y, z, 6, hull));
    const float transform[12] = {large, 0, 0, 0, 0, large, 0, 0, 0, 0, large, 0};
    lanecull::HullInstances instances;
    instances.transforms = {.first = transform, .layout = lanecull::TransformLayout::rows_3x4};
    instances.hulls = &hull;
    instances.hull_count = 1;
    instances.count = 1;
    const Batch batch = instances;
    const lanecull::View view = slab(0x1p-23, 0x1p-20);
    for (const lanecull::Isa isa : runnable_isas()) {
        for (const lanecull::Method method : all_methods) {
            EXPECT_TRUE(run_cull(batch, view, {.method = method, .isa = isa}).visible(0))
                << lanecull::isa_name(isa) << ' ' << method_name(method);
        }
    }
}

/// A quaternion whose square is no normal float makes a box invalid, wherever its bounds come from.
TEST(InvalidBoxes, AreVisibleWithComputedRadii) {
    const float x = 100, zero = 0;
    const lanecull::View view = slab(-1, 1);
    for (const float w : {1e-19f, 1e-18f, 0.9e-18f, 0.0f, 1e18f, 1.1e18f, 1e19f, 1e30f}) {
        const float quaternion[4] = {0, 0, 0, w}, half[3] = {1, 1, 1};
        lanecull::OrientedBoxes boxes;
        boxes.x = &x, boxes.y = &zero, boxes.z = &zero;
        boxes.quaternions = {quaternion};
        boxes.half_extents = {half};
        boxes.count = 1;
        float radius = 0;
        ASSERT_TRUE(lanecull::bounding_radii(boxes, &radius));
        EXPECT_TRUE(std::isnan(radius)) << w;
        for (const bool bounded : {false, true}) {
            boxes.bounding_radius = bounded ? &radius : nullptr;
            const Batch batch = boxes;
            for (const lanecull::Isa isa : runnable_isas()) {
                for (const lanecull::Method method : all_methods) {
                    const bool is_invalid = w < 0.95e-18f || w > 1.05e18f;
                    const bool visible = run_cull(batch, view, {.method = method, .isa = isa}).visible(0);
                    EXPECT_TRUE(visible || !is_invalid) << w << ' ' << lanecull::isa_name(isa) << ' ' << bounded;
                }
            }
            lanecull::Scene scene;
            lanecull::Handle name;
            ASSERT_TRUE(scene.add({&batch, 1}, {&name, 1}));
            scene.refit();
            std::vector<std::byte> scratch(lanecull::scratch_bytes(scene, 1));
            lanecull::Output output;
            ASSERT_TRUE(lanecull::cull(scene, {&view, 1}, {&output, 1}, scratch));
            EXPECT_TRUE(output.visible_count == 1 || (w >= 0.95e-18f && w <= 1.05e18f)) << w << ' ' << bounded;
        }
    }
}

}  // namespace
