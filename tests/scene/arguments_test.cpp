#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include <lanecull/scene.h>

#include "scene/shadowed.hpp"
#include "support/generate.hpp"

/// What edits and culls of a scene refuse, and that it stays as it was.

namespace {

using lanecull::Handle;
using lanecull::Output;
using lanecull::Scene;
using lanecull::View;

/// More objects than there can be names. The arrays are not looked at.
TEST(SceneArguments, TooManyObjectsAreRefused) {
    Shadowed shadowed(13);
    shadowed.add(100);
    const float number[1] = {};
    for (const std::size_t batches : {std::size_t{1}, std::size_t{2}, std::size_t{5}}) {
        const std::vector<lanecull::Batch> many(batches, lanecull::Spheres{number, number, number, number, 0xffffffff});
        Handle handle = 0;
        const std::span<Handle> handles(&handle, batches * std::size_t{0xffffffff});
        EXPECT_FALSE(shadowed.scene.add(many, handles).ok());
        EXPECT_EQ(shadowed.scene.object_count(), 100u);
        EXPECT_EQ(shadowed.scene.handle_limit(), 100u);
    }
    shadowed.scene.refit();
    shadowed.compare();
}

TEST(SceneArguments, WhatWasNotRefitIsNotCulled) {
    Shadowed shadowed(3);
    shadowed.add(300);
    PreparedCamera prepared = random_prepared_camera(shadowed.random(), Projection::perspective);
    std::vector<std::byte> scratch(lanecull::scratch_bytes(shadowed.scene, 1));
    Output output;
    const auto cull = [&] { return lanecull::cull(shadowed.scene, {&prepared.view, 1}, {&output, 1}, scratch); };
    EXPECT_TRUE(cull().ok());
    shadowed.move(1);
    EXPECT_TRUE(shadowed.scene.stale());
    EXPECT_FALSE(cull().ok());
    EXPECT_NE(std::string(cull().message()).find("refit"), std::string::npos);
    shadowed.scene.refit();
    EXPECT_TRUE(cull().ok());
}

TEST(SceneArguments, BadOutputsAreNamed) {
    Shadowed shadowed(5);
    shadowed.add(300);
    const Scene& scene = shadowed.scene;
    PreparedCamera prepared = random_prepared_camera(shadowed.random(), Projection::perspective);
    const View views[] = {prepared.view, prepared.view};
    std::vector<std::byte> scratch(lanecull::scratch_bytes(scene, 2));
    std::vector<std::uint64_t> words(3 * lanecull::visibility_words(scene));
    const auto part = [&](std::size_t first) {
        return std::span(words).subspan(first, lanecull::visibility_words(scene));
    };
    const auto message = [&](std::span<const View> of, std::span<Output> outputs, const lanecull::CullOptions& how) {
        return std::string(lanecull::cull(scene, of, outputs, scratch, how).message());
    };
    Output outputs[2];
    outputs[0].visible = part(0);
    outputs[1].visible = part(lanecull::visibility_words(scene) - 1);
    EXPECT_EQ(message(views, outputs, {}), "outputs[0].visible: overlaps outputs[1].visible");
    outputs[1].visible = {reinterpret_cast<std::uint64_t*>(scratch.data()), lanecull::visibility_words(scene)};
    EXPECT_EQ(message(views, outputs, {}), "outputs[1].visible: overlaps scratch");
    outputs[1].visible = std::span(words).first(1);
    EXPECT_NE(message(views, outputs, {}).find("outputs[1].visible: must have no words or "), std::string::npos);
    outputs[1].visible = part(lanecull::visibility_words(scene));
    EXPECT_EQ(message(views, outputs, {}), "");
    EXPECT_EQ(message({}, {}, {}), "views: 1 to 64 are culled in one call, not 0");
    EXPECT_NE(message(views, std::span(outputs).first(1), {}).find("outputs: there must be one"), std::string::npos);
    EXPECT_EQ(message(views, outputs, {.method = static_cast<lanecull::Method>(77)}),
              "options.method: 77 is no method");
}

TEST(SceneArguments, BadArgumentsChangeNothing) {
    Shadowed shadowed(4);
    shadowed.add(200);
    const Handle there = shadowed.named()[0], twice[] = {there, there}, unknown[] = {there, 4711};
    const float by[2] = {1, 1};
    Scene& scene = shadowed.scene;
    const auto message = [](const lanecull::Status& status) { return std::string(status.message()); };
    EXPECT_NE(message(scene.remove(twice)).find("twice"), std::string::npos);
    EXPECT_NE(message(scene.remove(unknown)).find("handles[1]: 4711"), std::string::npos);
    EXPECT_NE(message(scene.move(unknown, by, by, by)).find("4711"), std::string::npos);
    EXPECT_NE(message(scene.move(twice, by, nullptr, by)).find("y:"), std::string::npos);
    const float numbers[1] = {}, identity[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    lanecull::Hull hull;
    ASSERT_TRUE(lanecull::prepare_hull(numbers, numbers, numbers, 1, hull));
    const lanecull::Spheres sphere{numbers, numbers, numbers, numbers, 1};
    const lanecull::Batch batch = sphere;
    HeapMemory memory;
    const HullSet hulls = random_hulls(shadowed.random(), 1);
    const Kind kind = shadowed.kind_of(there);
    const std::vector<Object> objects(2, object_at(shadowed.random(), kind, {}, 1, hulls));
    const lanecull::Batch two = make_batch(kind, objects, hulls, memory);
    EXPECT_NE(message(scene.replace(twice, batch)).find("objects:"), std::string::npos);
    EXPECT_NE(message(scene.place(twice, batch)).find("objects:"), std::string::npos);
    EXPECT_NE(message(scene.place(twice, two)).find("twice"), std::string::npos);
    EXPECT_NE(message(scene.place(unknown, two)).find("handles[1]: 4711"), std::string::npos);
    const lanecull::Batch box = lanecull::Boxes{numbers, numbers, numbers, numbers, numbers, numbers, 1};
    EXPECT_NE(message(scene.place(std::span(twice).first(1), kind == Kind::box ? batch : box)).find("another kind"),
              std::string::npos);
    const lanecull::Attributes wider{.margin = by}, swept{.sweep_x = by, .sweep_z = by};
    EXPECT_NE(message(scene.set_attributes(twice, wider)).find("twice"), std::string::npos);
    EXPECT_NE(message(scene.set_attributes(unknown, wider)).find("handles[1]: 4711"), std::string::npos);
    EXPECT_NE(message(scene.set_attributes({&there, 1}, swept)).find("attributes.sweep_x"), std::string::npos);
    Handle one[1];
    EXPECT_NE(message(scene.add({&batch, 1}, {one, 0})).find("handles:"), std::string::npos);
    EXPECT_NE(message(scene.add({&batch, 1}, one, {.origin = {0, 1e13, 0}})).find("origin[1]"), std::string::npos);
    const lanecull::Batch broken = lanecull::Spheres{numbers, nullptr, numbers, numbers, 1};
    EXPECT_NE(message(scene.add({&broken, 1}, one)).find("y: must not be null"), std::string::npos);
    const double position[3] = {};
    const lanecull::Transforms placed{
        .first = identity, .layout = lanecull::TransformLayout::columns_4x4, .positions = {position}};
    const lanecull::Boxes point{numbers, numbers, numbers, numbers, numbers, numbers, 1};
    for (const lanecull::Batch& with_position :
         {lanecull::Batch(lanecull::BoxInstances{placed, {point}, 1}),
          lanecull::Batch(
              lanecull::HullInstances{.transforms = placed, .hulls = &hull, .hull_count = 1, .count = 1})}) {
        EXPECT_NE(message(scene.add({&with_position, 1}, one)).find("batches[0].transforms.positions"),
                  std::string::npos);
        EXPECT_NE(message(scene.replace({&there, 1}, with_position)).find("batches[0].transforms.positions"),
                  std::string::npos);
    }
    EXPECT_EQ(scene.object_count(), 200u);
    scene.refit();
    shadowed.compare();
}

}  // namespace
