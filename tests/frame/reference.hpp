#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <vector>

#include <lanecull/scene.h>
#include <lanecull/shadow.h>

#include "frame/shadows.hpp"
#include "frame/world.hpp"
#include "support/usual.hpp"
#include "view/prepared_view.hpp"

/// A frame culled view by view, by one call each; and what a pass is compared with.
namespace frame_tests {

using Words = std::vector<std::uint64_t>;

/// By a single call, among all objects.
inline Words culled(const World& world, const lanecull::View& view, const lanecull::CullOptions& options = {}) {
    Words words(lanecull::visibility_words(world.batches));
    std::vector<std::byte> scratch(lanecull::scratch_bytes(world.batches, 1));
    lanecull::Output output{.visible = words};
    const lanecull::Status status = lanecull::cull(world.batches, {&view, 1}, {&output, 1}, scratch, options);
    EXPECT_TRUE(status) << status.message();
    return words;
}

inline Words both(Words a, const Words& b) {
    for (std::size_t w = 0; w < a.size(); ++w) a[w] &= b[w];
    return a;
}
inline Words either(Words a, const Words& b) {
    for (std::size_t w = 0; w < a.size(); ++w) a[w] |= b[w];
    return a;
}
inline bool has(const Words& words, std::size_t bit) { return (words[bit / 64] >> bit % 64 & 1) != 0; }
inline std::uint64_t count_of(const Words& words) {
    std::uint64_t sum = 0;
    for (const std::uint64_t word : words) sum += static_cast<std::uint64_t>(__builtin_popcountll(word));
    return sum;
}

/// Neither is prepared, or both are of the same bytes.
inline bool same_view(const lanecull::View& a, const lanecull::View& b) {
    if (!a.prepared() || !b.prepared()) return a.prepared() == b.prepared();
    return std::memcmp(&contents_of(a), &contents_of(b), sizeof contents_of(a)) == 0;
}

/// The view of what casts a lamp's shadows into a camera's view, as far as the lamp lights what the map shows.
inline lanecull::View map_casters(const PassCamera& camera, const PassLamp& lamp, const lanecull::ShadowMap& map,
                                  bool has_sides = true) {
    lanecull::Lamp light{{lamp.at[0], lamp.at[1], lamp.at[2]}, lamp.range, {}};
    if (has_sides) light.sides = map.sides;
    lanecull::ViewOptions options = camera.options;
    options.margin += filter_texels_of(lamp.filter_texels) * map.texel_size * lamp.range;
    options.hidden_layers = lamp.hidden_layers;
    options.lamp = &light;
    lanecull::View view;
    const lanecull::Status status = lanecull::prepare_view(camera.clip_from_world, camera.clip_space, view, options);
    EXPECT_TRUE(status) << status.message();
    return view;
}

/// The same of the lamp as a whole.
inline lanecull::View whole_view(const PassCamera& camera, const PassLamp& lamp,
                                 std::span<const lanecull::ShadowMap> maps) {
    return map_casters(camera, lamp, maps[0], maps.size() == 1);
}

/// What each view of a prepared frame keeps, from single culls alone.
inline std::vector<Words> reference(const World& world, const PassFrame& frame, const lanecull::CullPass& pass,
                                    lanecull::Casters casters, const lanecull::CullOptions& options = {}) {
    std::vector<Words> result;
    const std::size_t roots = lanecull::view_count({frame.cameras});
    for (std::size_t v = 0; v < roots; ++v) {
        result.push_back(culled(world, pass.view(v), options));
    }
    const Words nothing(lanecull::visibility_words(world.batches));
    for (std::size_t l = 0; l < frame.lamps.size(); ++l) {
        const PassLamp& lamp = frame.lamps[l];
        const std::size_t first = pass.first_lamp_view(l), count = lamp.spot != nullptr ? 1 : 6;
        const auto maps = pass.maps().subspan(first - frame.cameras.size(), count);
        Words reached = nothing;
        for (std::uint32_t c = 0; c < frame.cameras.size(); ++c) {
            if (!sees(lamp, c)) continue;
            reached = either(reached, culled(world, whole_view(frame.cameras[c], lamp, maps), options));
        }
        for (std::size_t face = 0; face < count; ++face) {
            const lanecull::View& view = pass.view(first + face);
            if (casters == lanecull::Casters::frustum) {
                result.push_back(culled(world, view, options));
            } else {
                result.push_back(view.prepared() ? both(reached, culled(world, view, options)) : nothing);
                EXPECT_TRUE(view.prepared() || count_of(reached) == 0) << "lamp " << l;
            }
        }
    }
    return result;
}

/// All that a view may ask for, in memory.
struct FlatLists {
    struct One {
        Words visible, inside;
        std::vector<std::uint32_t> indices;
        std::vector<lanecull::VisibleRun> runs;
        std::vector<lanecull::DrawCommand> draws;
        std::vector<lanecull::BatchRange> ranges;
        std::uint32_t count = 77;
        lanecull::Explanation why;
    };
    std::vector<One> views;
    std::vector<lanecull::Output> outputs;

    FlatLists(const World& world, std::size_t count) : views(count), outputs(count) {
        for (std::size_t v = 0; v < count; ++v) {
            One& to = views[v];
            to.visible.assign(lanecull::visibility_words(world.batches), 0x5555555555555555u);
            to.inside.assign(to.visible.size(), 0x5555555555555555u);
            to.indices.resize(world.objects()), to.runs.resize(world.objects()), to.draws.resize(world.objects());
            to.ranges.assign(world.batches.size(), {9, 9});
            outputs[v] = {.visible = to.visible,
                          .indices = to.indices,
                          .inside = to.inside,
                          .runs = to.runs,
                          .draws = {.memory = std::as_writable_bytes(std::span(to.draws)), .count = &to.count},
                          .batch_ranges = to.ranges,
                          .explanation = &to.why};
        }
    }
};

inline bool operator==(const lanecull::DrawCommand& a, const lanecull::DrawCommand& b) {
    return std::memcmp(&a, &b, sizeof a) == 0;
}

/// The command of an object, by its number among all.
inline lanecull::DrawCommand command_of(const World& world, std::uint32_t object) {
    const std::uint32_t batch = object / world.count(), i = object % world.count();
    lanecull::DrawCommand command = batch == 0 ? world.of_balls : world.of_boxes[i];
    if (batch == 0) command.first_instance += i;
    return command;
}

/// That every list of a view says what the bits say.
inline void expect_lists(const World& world, const FlatLists& lists, std::size_t v, const Words& expected) {
    const FlatLists::One& of = lists.views[v];
    const lanecull::Output& output = lists.outputs[v];
    ASSERT_EQ(of.visible, expected) << "view " << v;
    std::size_t n = 0, in_runs = 0;
    for (std::uint32_t b = 0; b < world.batches.size(); ++b) {
        const std::size_t before = n;
        for (std::uint32_t i = 0; i < world.count(); ++i) {
            if (!has(expected, 64 * world.words_of_batch() * b + i)) continue;
            ASSERT_EQ(of.indices[n], b * world.count() + i) << "view " << v;
            ASSERT_TRUE(of.draws[n] == command_of(world, of.indices[n])) << "view " << v;
            ++n;
        }
        ASSERT_EQ(of.ranges[b], (lanecull::BatchRange{before, n - before}));
    }
    for (std::size_t r = 0; r < output.run_count; ++r) in_runs += of.runs[r].count;
    EXPECT_EQ(in_runs, n);
    EXPECT_EQ(output.visible_count, n);
    EXPECT_EQ(output.draw_count, n);
    EXPECT_EQ(of.count, n);
    EXPECT_EQ(of.why.counts.objects(), world.objects());
    EXPECT_EQ(of.why.counts.visible(), n);
    EXPECT_TRUE(output.candidates.empty());
    for (std::size_t w = 0; w < expected.size(); ++w) ASSERT_EQ(of.inside[w] & ~expected[w], 0u);
}

/// A scene of the world's objects, and where they are in it.
struct Ordered {
    lanecull::Scene scene;
    std::vector<lanecull::Handle> handles;
    std::vector<std::uint32_t> slots;  // of objects, by their number among all

    explicit Ordered(const World& world) : handles(world.objects()), slots(world.objects()) {
        const lanecull::Status status = scene.add(world.batches, handles);
        EXPECT_TRUE(status) << status.message();
        for (std::size_t i = 0; i < handles.size(); ++i) EXPECT_TRUE(scene.slot_of(handles[i], slots[i]));
    }
};

struct SceneLists {
    struct One {
        Words visible;
        std::vector<lanecull::Handle> handles;
        std::vector<std::uint32_t> slots;
        std::vector<lanecull::DrawCommand> draws;
        std::vector<lanecull::BlockOutcome> outcomes;
        std::uint32_t count = 77;
        lanecull::SceneOutput of_scene;
        lanecull::Explanation why;
    };
    std::vector<One> views;
    std::vector<lanecull::Output> outputs;

    SceneLists(const lanecull::Scene& scene, std::size_t count) : views(count), outputs(count) {
        const auto objects = static_cast<std::size_t>(scene.object_count());
        for (std::size_t v = 0; v < count; ++v) {
            One& to = views[v];
            to.visible.assign(lanecull::visibility_words(scene), 0x5555555555555555u);
            to.handles.resize(objects), to.slots.resize(objects), to.draws.resize(objects);
            to.outcomes.resize(scene.block_count());
            to.of_scene = {.handles = to.handles, .block_outcomes = to.outcomes};
            outputs[v] = {.visible = to.visible,
                          .indices = to.slots,
                          .draws = {.memory = std::as_writable_bytes(std::span(to.draws)), .count = &to.count},
                          .scene = &to.of_scene,
                          .explanation = &to.why};
        }
    }
};

/// `expected`: bits as of the batches.
inline void expect_lists(const World& world, const Ordered& ordered, const SceneLists& lists, std::size_t v,
                         const Words& expected) {
    const SceneLists::One& of = lists.views[v];
    const lanecull::Output& output = lists.outputs[v];
    std::map<lanecull::Handle, std::uint32_t> object_of;
    std::uint64_t n = 0;
    for (std::uint32_t object = 0; object < world.objects(); ++object) {
        const std::uint32_t batch = object / world.count(), i = object % world.count();
        const bool is_visible = has(expected, 64 * world.words_of_batch() * batch + i);
        ASSERT_EQ(has(of.visible, ordered.slots[object]), is_visible) << "view " << v << ", object " << object;
        n += is_visible ? 1 : 0;
        object_of[ordered.handles[object]] = object;
    }
    ASSERT_EQ(count_of(of.visible), n);
    ASSERT_EQ(output.visible_count, n);
    ASSERT_EQ(output.draw_count, n);
    ASSERT_EQ(of.count, n);
    for (std::size_t k = 0; k < n; ++k) {
        const std::uint32_t object = object_of.at(of.handles[k]);
        ASSERT_EQ(of.slots[k], ordered.slots[object]);
        ASSERT_TRUE(of.draws[k] == command_of(world, object));
    }
    EXPECT_EQ(of.why.counts.objects() + of.of_scene.outside_objects + of.of_scene.inside_objects, world.objects());
}

}  // namespace frame_tests
