#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>
#include <utility>

#include <lanecull/shadow.h>

#include "scene/lists.hpp"

/// What edits and culls of a scene refuse, and that it stays as it was.

namespace {

using lanecull::Handle;
using lanecull::Output;
using lanecull::Scene;
using lanecull::SceneOutput;
using lanecull::View;

class SceneArguments : public testing::Test {
protected:
    std::string message(std::span<const View> views, std::span<Output> outputs,
                        const lanecull::CullOptions& options = {}) {
        return std::string(lanecull::cull(scene_, views, outputs, scratch_, options).message());
    }
    std::string message(Output& output, const lanecull::CullOptions& options = {}) {
        return message({&view_, 1}, {&output, 1}, options);
    }

    static constexpr std::size_t each = 100;

    scene_tests::Example example_{5, each};
    Scene& scene_ = example_.scene;
    const View view_ = example_.prepared.view;
    const std::size_t words_ = lanecull::visibility_words(scene_);
    std::vector<std::byte> scratch_ = std::vector<std::byte>(lanecull::scratch_bytes(scene_, 2));
};

void expect_says(const std::string& message, const std::string& words) {
    EXPECT_NE(message.find(words), std::string::npos) << "\"" << message << "\" does not say " << words;
}

/// More objects than there can be handles. The arrays are not read.
TEST_F(SceneArguments, TooManyObjectsAreRefused) {
    const std::vector<std::byte> before = example_.bytes();
    const std::uint64_t limit = scene_.handle_limit();
    const float number[1] = {};
    for (const std::size_t batches : {std::size_t{1}, std::size_t{2}, std::size_t{5}}) {
        const std::vector<lanecull::Batch> many(batches, lanecull::Spheres{number, number, number, number, 0xffffffff});
        Handle handle = 0;
        const std::span<Handle> handles(&handle, batches * std::size_t{0xffffffff});
        EXPECT_FALSE(scene_.add(many, handles).ok());
        EXPECT_EQ(scene_.handle_limit(), limit);
        EXPECT_TRUE(example_.bytes() == before);
    }
}

TEST_F(SceneArguments, WhatWasNotRefitIsNotCulled) {
    Output output;
    EXPECT_EQ(message(output), "");
    const float by[1] = {1};
    ASSERT_TRUE(scene_.move({example_.handles.data(), 1}, by, by, by));
    EXPECT_TRUE(scene_.stale());
    expect_says(message(output), "refit");
    scene_.refit();
    EXPECT_EQ(message(output), "");
}

/// It has no objects: a cull succeeds and finds none, and an edit takes memory for a scene again.
TEST_F(SceneArguments, AMovedFromSceneHasNoObjects) {
    const Scene taken = std::move(scene_);
    ASSERT_EQ(static_cast<const lanecull_scene*>(scene_), nullptr);
    EXPECT_EQ(taken.object_count(), example_.handles.size());
    EXPECT_EQ(lanecull::visibility_words(scene_), 0u);
    Output output;
    output.visible_count = 1;
    EXPECT_EQ(message(output), "");
    EXPECT_EQ(output.visible_count, 0u);
    lanecull::WorldBox box;
    EXPECT_TRUE(lanecull::visible_bounds(scene_, {}, box));
    EXPECT_EQ(box.lower[1], HUGE_VAL);
    EXPECT_EQ(scene_.save("unwritten").code, lanecull::StatusCode::out_of_memory);
    const float number[1] = {};
    Handle handle = 0;
    const lanecull::Batch ball = lanecull::Spheres{number, number, number, number, 1};
    EXPECT_TRUE(scene_.add({&ball, 1}, {&handle, 1}).ok());
    EXPECT_EQ(scene_.object_count(), 1u);
}

TEST_F(SceneArguments, BadEditsChangeNothing) {
    const std::vector<std::byte> before = example_.bytes();
    const auto expect = [&](const lanecull::Status& status, const char* words) {
        expect_says(std::string(status.message()), words);
        EXPECT_FALSE(scene_.stale());
        EXPECT_TRUE(example_.bytes() == before) << words;
    };
    const Handle there = example_.handles[0], twice[] = {there, there}, unknown[] = {there, 4711};  // spheres
    const float by[2] = {1, 1}, numbers[2] = {}, identity[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    expect(scene_.remove(twice), "twice");
    expect(scene_.remove(unknown), "handles[1]: 4711");
    expect(scene_.move(unknown, by, by, by), "4711");
    expect(scene_.move(twice, by, nullptr, by), "y:");
    const lanecull::Batch one = lanecull::Spheres{numbers, numbers, numbers, numbers, 1};
    const lanecull::Batch two = lanecull::Spheres{numbers, numbers, numbers, numbers, 2};
    const lanecull::Boxes point{numbers, numbers, numbers, numbers, numbers, numbers, 1};
    const lanecull::Batch box = point;
    expect(scene_.replace(twice, one), "objects:");
    expect(scene_.place(twice, one), "objects:");
    expect(scene_.place(twice, two), "twice");
    expect(scene_.place(unknown, two), "handles[1]: 4711");
    expect(scene_.place({&there, 1}, box), "another kind");
    const lanecull::Attributes wider{.margin = by}, swept{.sweep_x = by, .sweep_z = by};
    expect(scene_.set_attributes(twice, wider), "twice");
    expect(scene_.set_attributes(unknown, wider), "handles[1]: 4711");
    expect(scene_.set_attributes({&there, 1}, swept), "attributes.sweep_x");
    Handle handle[1];
    expect(scene_.add({&one, 1}, {handle, 0}), "handles:");
    expect(scene_.add({&one, 1}, handle, {.origin = {0, 1e13, 0}}), "origin[1]");
    const lanecull::Batch broken = lanecull::Spheres{numbers, nullptr, numbers, numbers, 1};
    expect(scene_.add({&broken, 1}, handle), "y: must not be null");
    lanecull::Hull hull;
    ASSERT_TRUE(lanecull::prepare_hull(numbers, numbers, numbers, 1, hull));
    const double position[3] = {};
    const lanecull::Transforms placed{
        .first = identity, .layout = lanecull::TransformLayout::columns_4x4, .positions = {position}};
    const lanecull::Batch with_positions[] = {
        lanecull::BoxInstances{placed, {point}, 1},
        lanecull::HullInstances{.transforms = placed, .hulls = &hull, .hull_count = 1, .count = 1}};
    for (const lanecull::Batch& batch : with_positions) {
        expect(scene_.add({&batch, 1}, handle), "batches[0].transforms.positions");
        expect(scene_.replace({&there, 1}, batch), "batches[0].transforms.positions");
    }
}

TEST_F(SceneArguments, BadCallsAreNamed) {
    std::vector<std::uint64_t> words(3 * words_);
    const View views[] = {view_, view_};
    const auto part = [&](std::size_t first) { return std::span(words).subspan(first, words_); };
    Output outputs[2];
    outputs[0].visible = part(0);
    outputs[1].visible = part(words_ - 1);
    EXPECT_EQ(message(views, outputs), "outputs[0].visible: overlaps outputs[1].visible");
    outputs[1].visible = {reinterpret_cast<std::uint64_t*>(scratch_.data()), words_};
    EXPECT_EQ(message(views, outputs), "outputs[1].visible: overlaps scratch");
    outputs[1].visible = std::span(words).first(1);
    expect_says(message(views, outputs), "outputs[1].visible: must have no words or ");
    outputs[1].visible = part(words_);
    EXPECT_EQ(message(views, outputs), "");
    EXPECT_EQ(message({}, {}), "views: 1 to 64 are culled in one call, not 0");
    expect_says(message(views, std::span(outputs).first(1)), "outputs: there must be one");
    EXPECT_EQ(message(views, outputs, {.method = static_cast<lanecull::Method>(77)}),
              "options.method: 77 is not a known value");
    std::vector<std::uint64_t> masks(300);
    expect_says(message(outputs[0], {.view_masks = masks}), "view_masks");
    const View none[] = {View()};
    expect_says(message(none, std::span(outputs).first(1)), "views[0]");
    scratch_.resize(lanecull::scratch_bytes(scene_, 1) - 1);
    expect_says(message(outputs[0]), "scratch");
}

/// Each with one member that breaks a rule.
TEST_F(SceneArguments, BadOutputsAreNamed) {
    std::vector<std::uint64_t> few(1);
    std::vector<std::uint8_t> hints(scene_.hint_bytes() + 1), levels(10), latest(scene_.handle_limit());
    std::vector<lanecull::BlockOutcome> outcomes(scene_.block_count() + 1);
    std::vector<lanecull::Certificate> certificates(scene_.object_count());
    lanecull::Explanation why{.certificates = certificates};
    std::vector<lanecull::BatchRange> ranges(1);
    std::vector<lanecull::DrawCommand> draws(100);
    std::vector<Handle> handles(100);
    std::vector<float> distances(10);
    const float thresholds[] = {0.1f, 0.01f};
    const std::span<std::byte> bytes = std::as_writable_bytes(std::span(draws));
    struct Case {
        const char* words;
        std::function<void(Output&, SceneOutput&)> change;
    };
    const auto draws_at = [&](std::size_t offset, std::uint32_t stride, std::uint32_t* count = nullptr) {
        return [=](Output& o, SceneOutput&) { o.draws = lanecull::DrawOutput{bytes, offset, stride, count}; };
    };
    const Case cases[] = {
        {"outputs[0].inside", [&](Output& o, SceneOutput&) { o.inside = few; }},
        {"outputs[0].candidates", [&](Output& o, SceneOutput&) { o.candidates = few; }},
        {"outputs[0].batch_ranges", [&](Output& o, SceneOutput&) { o.batch_ranges = ranges; }},
        {"outputs[0].certificates", [&](Output& o, SceneOutput&) { o.explanation = &why; }},
        {"outputs[0].hints", [&](Output&, SceneOutput& s) { s.hints = hints; }},
        {"outputs[0].block_outcomes", [&](Output&, SceneOutput& s) { s.block_outcomes = outcomes; }},
        {"outputs[0].draws.stride_bytes", draws_at(0, 22)},
        {"outputs[0].draws.stride_bytes", draws_at(0, 16)},
        {"outputs[0].draws.offset_bytes", draws_at(2001, 20)},
        {"outputs[0].draws", draws_at(2, 20)},
        {"overlaps", [&](Output& o, SceneOutput&) { o.draws = {std::as_writable_bytes(std::span(handles))}; }},
        {"overlaps", draws_at(0, 20, &draws[3].first_index)},
        {"outputs[0].lod.latest: ", [&](Output&, SceneOutput& s) { s.lod.latest = s.lod.latest.first(9); }},
        {"overlaps", [&](Output&, SceneOutput& s) { s.lod.levels = s.lod.latest; }},
        {"outputs[0].order: distances and levels ascend",
         [&](Output& o, SceneOutput&) { o.order = lanecull::ListOrder::front_to_back; }},
        {"outputs[0].keys: there must be",
         [&](Output& o, SceneOutput& s) {
             s.lod = {};
             o.order = lanecull::ListOrder::by_key, o.keys = {&draws[99].index_count, 1};
         }},
        {"outputs[0].reserved: ", [&](Output&, SceneOutput& s) { s.lod.reserved_too = 1; }},
        {"outputs[0].lod.hysteresis", [&](Output&, SceneOutput& s) { s.lod.hysteresis = -0.1f; }},
        {"outputs[0].lod.hysteresis", [&](Output&, SceneOutput& s) { s.lod.hysteresis = 1.1f; }},
        {"outputs[0].lod.hysteresis", [&](Output&, SceneOutput& s) { s.lod.hysteresis = NAN; }},
    };
    const auto with = [&](const std::function<void(Output&, SceneOutput&)>& change) {
        SceneOutput own{.handles = handles,
                        .lod = {.distances = distances,
                                .levels = levels,
                                .thresholds = thresholds,
                                .hysteresis = 0.1f,
                                .latest = latest}};
        Output output{.draws = {bytes, 0, 20}, .scene = &own};
        change(output, own);
        return message(output);
    };
    EXPECT_EQ(with([](Output&, SceneOutput&) {}), "");
    for (const Case& one : cases) expect_says(with(one.change), one.words);
    const std::vector<float> bad[] = {
        {}, {0.1f, 0.1f}, {0.1f, 0.2f}, {0.1f, 0.f}, {NAN}, {INFINITY}, std::vector<float>(16, 1)};
    for (const std::vector<float>& numbers : bad) {
        for (const bool of_levels : {false, true}) {
            expect_says(with([&](Output&, SceneOutput& s) {
                            s.lod.thresholds = numbers;
                            (of_levels ? s.lod.latest : s.lod.levels) = {};
                        }),
                        "outputs[0].lod.thresholds");
        }
    }
    std::array<double, 24> corners{};
    for (std::size_t c = 0; c < 24; ++c) corners[c] = (c / 3 >> c % 3 & 1) != 0 ? 100 : -100;
    View no_eye;
    ASSERT_TRUE(lanecull::prepare_view_from_corners(corners, no_eye));
    SceneOutput own{.lod = {.distances = distances}};
    Output output{.scene = &own};
    expect_says(message({&no_eye, 1}, {&output, 1}), "outputs[0].lod.distances: view 0 has no eye");
    own.lod = {.levels = levels, .thresholds = thresholds};
    expect_says(message({&no_eye, 1}, {&output, 1}), "outputs[0].lod.levels: view 0 has no size scale");
}

/// Boxes around what is visible.
TEST_F(SceneArguments, OfBoxesAreNamed) {
    const std::vector<std::uint64_t> visible(words_);
    const Camera& camera = example_.prepared.camera;
    const std::vector<double> depths = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    std::vector<lanecull::WorldBox> boxes(9);
    const auto of_slices = [&](std::span<const std::uint64_t> bits, std::size_t numbers, std::size_t slices) {
        return std::string(lanecull::slice_bounds(scene_, bits, camera.matrix, camera.clip_space,
                                                  std::span(depths).first(numbers), std::span(boxes).first(slices))
                               .message());
    };
    EXPECT_EQ(of_slices(visible, 3, 2), "");
    expect_says(of_slices(visible, 2, 2), "depths");
    EXPECT_NE(of_slices(visible, 10, 9), "");
    EXPECT_NE(of_slices({}, 3, 2), "");
    expect_says(std::string(lanecull::visible_bounds(scene_, {visible.data(), 1}, boxes[0]).message()), "visible: ");
}

}  // namespace
