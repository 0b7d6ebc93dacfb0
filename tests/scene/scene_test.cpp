#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <map>

#include <lanecull/scene.h>

#include "oracle/exact_objects.hpp"
#include "support/culling.hpp"
#include "support/generate.hpp"
#include "support/samples.hpp"
#include "support/scale.hpp"

/// Ordered scenes have the verdicts of the flat batch, object by object, whatever their blocks are.

namespace {

using lanecull::Batch;
using lanecull::Handle;
using lanecull::Isa;
using lanecull::Output;
using lanecull::Scene;
using lanecull::SceneOutput;
using lanecull::View;

/// All outputs of one view, owned.
struct SceneResult {
    std::vector<std::uint64_t> visible, inside;
    std::vector<Handle> handles;
    std::vector<std::uint32_t> slots;
    std::vector<lanecull::VisibleRun> runs;
    std::vector<lanecull::BlockOutcome> outcomes;
    std::uint64_t visible_count = 0;
    SceneOutput of_scene;
    lanecull::Counts tested;

    static bool has(const std::vector<std::uint64_t>& words, std::uint32_t slot) {
        return (words[slot / 64] >> slot % 64 & 1) != 0;
    }
};

std::vector<SceneResult> cull_scene(const Scene& scene, std::span<const View> views,
                                    const lanecull::CullOptions& options = {},
                                    std::span<std::uint8_t> hints_of_first = {},
                                    std::span<const std::uint64_t> candidates = {}) {
    std::vector<SceneResult> results(views.size());
    std::vector<Output> outputs(views.size());
    std::vector<lanecull::Explanation> whys(views.size());
    const auto objects = static_cast<std::size_t>(scene.object_count());
    for (std::size_t v = 0; v < views.size(); ++v) {
        SceneResult& r = results[v];
        r.visible.assign(lanecull::visibility_words(scene), 0x5555555555555555u);
        r.inside.assign(lanecull::visibility_words(scene), 0xaaaaaaaaaaaaaaaau);
        r.handles.resize(objects);
        r.slots.resize(objects);
        r.runs.resize(objects);
        r.outcomes.resize(scene.block_count());
        r.of_scene = {.handles = r.handles, .block_outcomes = r.outcomes};
        outputs[v] = {.visible = r.visible,
                      .indices = r.slots,
                      .inside = r.inside,
                      .runs = r.runs,
                      .candidates = candidates,
                      .scene = &r.of_scene,
                      .explanation = &whys[v]};
    }
    if (!hints_of_first.empty()) results[0].of_scene.hints = hints_of_first;
    std::vector<std::byte> scratch(lanecull::scratch_bytes(scene, views.size()));
    const lanecull::Status status = lanecull::cull(scene, views, outputs, scratch, options);
    EXPECT_TRUE(status.ok()) << status.message();
    for (std::size_t v = 0; v < views.size(); ++v) {
        results[v].visible_count = outputs[v].visible_count;
        results[v].tested = whys[v].counts;
        results[v].handles.resize(outputs[v].visible_count);
        results[v].slots.resize(outputs[v].visible_count);
        results[v].runs.resize(outputs[v].run_count);
    }
    return results;
}

/// That blocks became what their objects' bits and the counts say.
void expect_outcomes(const Scene& scene, const SceneResult& result) {
    using lanecull::BlockOutcome;
    std::uint64_t objects[3] = {}, mixed = 0;
    for (std::uint32_t b = 0; b < scene.block_count(); ++b) {
        const BlockOutcome outcome = result.outcomes[b];
        const lanecull::SceneBlock block = scene.block(b);
        objects[static_cast<int>(outcome)] += block.objects;
        mixed += outcome == BlockOutcome::mixed;
        if (outcome == BlockOutcome::mixed) continue;
        for (std::uint32_t i = 0; i < block.objects; ++i) {
            const bool inside = outcome == BlockOutcome::inside;
            ASSERT_EQ(SceneResult::has(result.visible, block.first_slot + i), inside) << "block " << b;
            ASSERT_EQ(SceneResult::has(result.inside, block.first_slot + i), inside) << "block " << b;
        }
    }
    ASSERT_EQ(mixed, result.of_scene.mixed_blocks);
    ASSERT_EQ(objects[0], result.of_scene.outside_objects);
    ASSERT_EQ(objects[1], result.of_scene.inside_objects);
    ASSERT_EQ(objects[2], result.tested.objects());
}

/// That the lists and counts say what the bits say.
void expect_lists_agree(const Scene& scene, const SceneResult& result) {
    std::vector<std::uint32_t> slots;
    std::vector<lanecull::VisibleRun> runs;
    for (std::uint32_t s = 0; s < result.visible.size() * 64; ++s) {
        if (!SceneResult::has(result.visible, s)) {
            ASSERT_FALSE(SceneResult::has(result.inside, s)) << "slot " << s;
            continue;
        }
        slots.push_back(s);
        if (runs.empty() || runs.back().first + runs.back().count != s) runs.push_back({s, 0});
        ++runs.back().count;
    }
    ASSERT_EQ(result.slots, slots);
    ASSERT_EQ(result.handles.size(), slots.size());
    for (std::size_t i = 0; i < slots.size(); ++i) {
        std::uint32_t slot = 0;
        ASSERT_TRUE(scene.slot_of(result.handles[i], slot).ok());
        ASSERT_EQ(slot, slots[i]);
    }
    // The stores of a scene do not continue one another's runs; with one store these are the same.
    std::uint64_t in_runs = 0;
    for (const auto& run : result.runs) {
        in_runs += run.count;
        for (std::uint32_t i = 0; i < run.count; ++i) ASSERT_TRUE(SceneResult::has(result.visible, run.first + i));
    }
    ASSERT_EQ(in_runs, slots.size());
    const SceneOutput& o = result.of_scene;
    ASSERT_EQ(result.tested.objects() + o.outside_objects + o.inside_objects, scene.object_count());
    ASSERT_EQ(result.tested.visible() + o.inside_objects, result.visible_count);
}

void expect_consistent(const Scene& scene, const SceneResult& result) {
    expect_lists_agree(scene, result);
    expect_outcomes(scene, result);
}

/// Objects all over a place some times as large as the view; more in its middle, and some where it is hard.
std::vector<Object> many_objects(Random& random, Kind kind, const Camera& camera, std::size_t count,
                                 const HullSet& hulls) {
    std::vector<Object> objects;
    const double depth =
        camera.depth[0] + std::min(camera.depth[1] - camera.depth[0], 30 * camera.size_at(camera.depth[0]));
    const double size = camera.size_at(depth);
    const double middle_depth = camera.depth[0] + 0.7 * (depth - camera.depth[0]);
    const Double3 middle =
        camera.point(0.5 * (camera.x[0] + camera.x[1]), 0.5 * (camera.y[0] + camera.y[1]), middle_depth);
    const auto scattered = [&](double around, double share) {
        Double3 place{};
        for (std::size_t j = 0; j < 3; ++j) place[j] = middle[j] + around * random.range(-1, 1);
        return object_at(random, kind, place, size * share, hulls);
    };
    while (objects.size() < count) {
        Object object = scattered(2 * size, random.log_range(1e-4, 1e-2));
        if (random.chance(0.3)) object = scattered(0.1 * size, random.log_range(1e-5, 1e-3));
        if (random.chance(0.002)) object = random_object(random, kind, camera, Placement::huge, hulls);
        if (random.chance(0.02)) object = random_object(random, kind, camera, Placement::edge, hulls);
        if (random.chance(0.001)) object.fields[0] = std::numeric_limits<float>::quiet_NaN();
        objects.push_back(object);
    }
    return objects;
}

/// How much the blocks have settled, over all cases of a test.
struct Work {
    std::uint64_t outside = 0, inside = 0, tested = 0, cases = 0, visible = 0, inside_bits = 0;

    void count(const SceneResult& result) {
        outside += result.of_scene.outside_objects;
        inside += result.of_scene.inside_objects;
        tested += result.tested.objects();
        visible += result.visible_count;
        for (const std::uint64_t word : result.inside) inside_bits += static_cast<std::uint64_t>(std::popcount(word));
        ++cases;
    }
};

/// Both bits of every object are those of the flat batch, whose object i the scene calls handles[i].
void expect_same(const Scene& scene, const SceneResult& result, const std::vector<Handle>& handles,
                 const std::vector<std::uint64_t>& visible, const std::vector<std::uint64_t>& inside,
                 const std::string& what) {
    for (std::uint32_t i = 0; i < handles.size(); ++i) {
        std::uint32_t slot = 0;
        ASSERT_TRUE(scene.slot_of(handles[i], slot).ok());
        ASSERT_EQ(SceneResult::has(result.visible, slot), SceneResult::has(visible, i)) << "object " << i << what;
        ASSERT_EQ(SceneResult::has(result.inside, slot), SceneResult::has(inside, i))
            << "wholly inside? object " << i << what;
    }
}

struct Flat {
    std::vector<std::uint64_t> visible, inside;
};
Flat cull_flat(const Batch& batch, const View& view, const lanecull::CullOptions& options) {
    const std::span<const Batch> batches(&batch, 1);
    Flat flat;
    flat.visible.resize(lanecull::visibility_words(batches));
    flat.inside.resize(flat.visible.size());
    std::vector<std::byte> scratch(lanecull::scratch_bytes(batches, 1));
    Output output{.visible = flat.visible, .inside = flat.inside};
    EXPECT_TRUE(lanecull::cull(batches, {&view, 1}, {&output, 1}, scratch, options).ok());
    return flat;
}

/// That hints change nothing, whatever they are, nor those that a cull leaves.
void expect_hints_change_nothing(Random& random, const Scene& scene, const View& view,
                                 const lanecull::CullOptions& options, const SceneResult& expected) {
    std::vector<std::uint8_t> hints(scene.hint_bytes());
    for (std::uint8_t& hint : hints) hint = static_cast<std::uint8_t>(random.below(256));
    for (int cull = 0; cull < 2; ++cull) {
        const SceneResult result = cull_scene(scene, {&view, 1}, options, hints)[0];
        ASSERT_EQ(result.visible, expected.visible);
        ASSERT_EQ(result.inside, expected.inside);
        ASSERT_EQ(result.outcomes, expected.outcomes);
        expect_consistent(scene, result);
    }
}

/// That candidates have the bits that they have without, and all others none; that blocks without one are outside.
void expect_candidates_are_judged_alike(Random& random, const Scene& scene, const View& view,
                                        const lanecull::CullOptions& options, const SceneResult& all) {
    std::vector<std::uint64_t> candidates(lanecull::visibility_words(scene));
    for (const double density : {0.0, 0.03, 1.0}) {
        for (std::uint64_t& word : candidates) {
            word = random.chance(0.6) ? 0 : ~std::uint64_t{0};
            for (int bit = 0; density < 1 && bit < 64; ++bit) word &= ~(std::uint64_t{!random.chance(density)} << bit);
        }
        const SceneResult result = cull_scene(scene, {&view, 1}, options, {}, candidates)[0];
        for (std::size_t w = 0; w < candidates.size(); ++w) {
            ASSERT_EQ(result.visible[w], all.visible[w] & candidates[w]);
            ASSERT_EQ(result.inside[w], all.inside[w] & candidates[w]);
        }
        expect_lists_agree(scene, result);
        for (std::uint32_t b = 0; b < scene.block_count(); ++b) {
            const std::uint32_t first = scene.block(b).first_slot / 64;
            if ((candidates[first] | candidates[first + 1]) != 0) continue;
            ASSERT_EQ(result.outcomes[b], lanecull::BlockOutcome::outside) << "block " << b;
        }
    }
}

class Scenes : public testing::TestWithParam<std::tuple<Isa, Kind>> {
protected:
    const Isa isa_ = std::get<0>(GetParam());
    const Kind kind_ = std::get<1>(GetParam());

    /// One scene against the flat batch, by each method.
    void check(const std::vector<Object>& objects, const HullSet& hulls, const View& view, const Streams& streams,
               lanecull::Mobility mobility, Work& work) const {
        HeapMemory memory;
        const Batch batch = make_batch(kind_, objects, hulls, memory, {.streams = streams});
        Scene scene;
        std::vector<Handle> handles(objects.size());
        ASSERT_TRUE(scene.add({&batch, 1}, handles, {.mobility = mobility}).ok());
        ASSERT_EQ(scene.object_count(), objects.size());
        for (const lanecull::Method method : all_methods) {
            const lanecull::CullOptions options{.method = method, .isa = isa_};
            const std::vector<SceneResult> results = cull_scene(scene, {&view, 1}, options);
            expect_consistent(scene, results[0]);
            if (HasFatalFailure()) return;
            const Flat flat = cull_flat(batch, view, options);
            expect_same(scene, results[0], handles, flat.visible, flat.inside, std::string(", ") + method_name(method));
            if (HasFatalFailure()) return;
            if (method != lanecull::Method::automatic) continue;
            work.count(results[0]);
            Random random(objects.size());
            expect_hints_change_nothing(random, scene, view, options, results[0]);
            if (HasFatalFailure()) return;
            expect_candidates_are_judged_alike(random, scene, view, options, results[0]);
            if (HasFatalFailure()) return;
        }
    }
};

TEST_P(Scenes, GiveTheVerdictsOfTheFlatBatch) {
    const std::uint64_t seed = 31 + static_cast<std::uint64_t>(kind_);
    Random random(seed);
    Work work;
    for (int round = 0; round < scaled(2); ++round) {
        for (const Projection projection : all_projections) {
            SCOPED_TRACE(testing::Message()
                         << "seed " << seed << ", round " << round << ", " << projection_name(projection));
            PreparedCamera prepared = random_prepared_camera(random, projection);
            lanecull::ViewOptions options;
            if (random.chance(0.3)) options.hidden_layers = random.chance(0.5) ? ~0u : ~5u;
            if (random.chance(0.3)) options.margin = 0.01 * prepared.camera.size_at(prepared.camera.depth[0]);
            ASSERT_TRUE(prepared.camera.prepare(prepared.view, options).ok());
            const HullSet hulls = random_hulls(random, 5);
            const auto count = static_cast<std::size_t>(random.log_range(300, 20'000));
            std::vector<Object> objects = many_objects(random, kind_, prepared.camera, count, hulls);
            Streams streams;
            if (random.chance(0.4)) {
                streams = {.margin = random.chance(0.5), .sweep = random.chance(0.5), .flags = random.chance(0.5)};
                streams.layers = streams.max_distance = streams.min_projected_size = random.chance(0.3);
                streams.min_distance = streams.layers;
                for (Object& object : objects) {
                    grow(random, kind_, hulls, streams, object);
                    if (!random.chance(0.01)) continue;
                    mark(random, object);
                    object.max_distance = static_cast<float>(random.log_range(0.01, 1e6));
                    object.min_projected_size = static_cast<float>(random.log_range(1e-5, 0.1));
                    object.min_distance = object.max_distance / 16;
                }
            }
            check(objects, hulls, prepared.view, streams,
                  random.chance(0.5) ? lanecull::Mobility::fixed : lanecull::Mobility::moving, work);
            if (HasFatalFailure()) return;
        }
    }
    // All three ways have been gone.
    EXPECT_GT(work.outside, 5 * work.cases);
    EXPECT_GT(work.tested, 5 * work.cases);
    EXPECT_GT(work.visible, 5 * work.cases);
    EXPECT_GT(work.inside, 0u);
    EXPECT_GT(work.inside_bits, work.inside);
}

TEST_P(Scenes, GiveThemForViewsOfEveryOtherKind) {
    using Maker = Sample (*)(Random&);
    constexpr Maker makers[] = {corners_of_a_camera, any_corners,    planes_of_a_camera, any_polytope,
                                endless_planes,      clipped_camera, stereo_pair,        sun_casters,
                                endless_sun_casters, lamp_casters,   spot_casters,       casters_of_any_view};
    const std::uint64_t seed = 77 + static_cast<std::uint64_t>(kind_);
    Random random(seed);
    Work work;
    for (const Maker maker : makers) {
        Sample sample = maker(random);
        View view;
        lanecull::ViewOptions options;
        options.clip_planes = sample.clip_planes;
        for (int attempt = 0; attempt < 100 && !sample.prepare(view, options).ok(); ++attempt) {
            sample = maker(random);
            options.clip_planes = sample.clip_planes;
        }
        SCOPED_TRACE(testing::Message() << "seed " << seed << ": " << sample.text);
        ASSERT_TRUE(view.prepared());
        const HullSet hulls = random_hulls(random, 5);
        std::vector<Object> objects;
        double size = sample.near_size;
        for (const Double3& anchor : sample.anchors) {
            for (std::size_t j = 0; j < 3; ++j) size = std::max(size, std::fabs(anchor[j] - sample.near_end[j]));
        }
        for (int i = 0; i < 6000; ++i) {
            Double3 place = sample.near_end;
            if (!sample.anchors.empty() && random.chance(0.5)) {
                place = sample.anchors[static_cast<std::size_t>(random.below(static_cast<int>(sample.anchors.size())))];
            }
            const double around = random.chance(0.3) ? 0.1 * size : 3 * size;
            for (std::size_t j = 0; j < 3; ++j) place[j] += around * random.range(-1, 1);
            objects.push_back(object_at(random, kind_, place, size * random.log_range(1e-5, 3e-3), hulls));
        }
        check(objects, hulls, view, {}, lanecull::Mobility::fixed, work);
        if (HasFatalFailure()) return;
    }
    EXPECT_GT(work.outside, 100 * work.cases);
    EXPECT_GT(work.visible, 10 * work.cases);
}

/// Outputs and scratch of exactly the size asked for, between pages nobody may touch.
TEST(SceneOutputs, StayWithinTheirMemory) {
    Random random(5);
    PreparedCamera prepared = random_prepared_camera(random, Projection::perspective);
    const HullSet hulls = random_hulls(random, 3);
    for (const Kind kind : all_kinds) {
        for (const std::size_t count : {1u, 63u, 127u, 128u, 129u, 1000u}) {
            SCOPED_TRACE(testing::Message() << kind_name(kind) << ", " << count << " objects");
            std::vector<Object> objects = many_objects(random, kind, prepared.camera, count, hulls);
            HeapMemory heap;
            const Batch batch = make_batch(kind, objects, hulls, heap);
            Scene scene;
            std::vector<Handle> handles(count);
            ASSERT_TRUE(scene.add({&batch, 1}, handles, {.mobility = lanecull::Mobility::moving}).ok());
            scene.refit();
            const SceneResult whole = cull_scene(scene, {&prepared.view, 1})[0];
            for (const auto against : {GuardedMemory::Against::end, GuardedMemory::Against::start}) {
                for (const std::size_t room : {whole.handles.size(), whole.handles.size() / 2}) {
                    GuardedMemory memory(against);
                    const std::size_t words = lanecull::visibility_words(scene);
                    const std::size_t scratch = lanecull::scratch_bytes(scene, 1);
                    const std::size_t runs = std::min(whole.runs.size(), room);
                    SceneOutput of_scene;
                    Output output{.scene = &of_scene};
                    output.visible = {memory.array<std::uint64_t>(words), words};
                    output.inside = {memory.array<std::uint64_t>(words), words};
                    of_scene.hints = {memory.array<std::uint8_t>(scene.hint_bytes()), scene.hint_bytes()};
                    if (room > 0) {
                        of_scene.handles = {memory.array<Handle>(room), room};
                        output.indices = {memory.array<std::uint32_t>(room), room};
                        output.runs = {memory.array<lanecull::VisibleRun>(runs), runs};
                    }
                    const lanecull::Status status = lanecull::cull(scene, {&prepared.view, 1}, {&output, 1},
                                                                   {memory.array<std::byte>(scratch), scratch});
                    ASSERT_TRUE(status.ok()) << status.message();
                    ASSERT_EQ(output.visible_count, whole.handles.size());
                    ASSERT_TRUE(std::equal(output.visible.begin(), output.visible.end(), whole.visible.begin()));
                    ASSERT_TRUE(std::equal(of_scene.handles.begin(), of_scene.handles.end(), whole.handles.begin()));
                    ASSERT_TRUE(std::equal(output.indices.begin(), output.indices.end(), whole.slots.begin()));
                    ASSERT_TRUE(std::equal(output.runs.begin(), output.runs.end(), whole.runs.begin()));
                }
            }
        }
    }
}

/// 300 boxes and a view of them.
struct BoxScene {
    Scene scene;
    View view;

    explicit BoxScene(std::uint64_t seed) {
        Random random(seed);
        const PreparedCamera prepared = random_prepared_camera(random, Projection::perspective);
        view = prepared.view;
        HeapMemory memory;
        const Batch batch =
            make_batch(Kind::box, many_objects(random, Kind::box, prepared.camera, 300, {}), {}, memory);
        std::vector<Handle> handles(300);
        EXPECT_TRUE(scene.add({&batch, 1}, handles).ok());
    }
};

TEST(SceneOutputs, BadArgumentsAreNamed) {
    const BoxScene boxes(6);
    const Scene& scene = boxes.scene;
    const View& view = boxes.view;
    std::vector<std::byte> scratch(lanecull::scratch_bytes(scene, 1));
    std::vector<std::uint64_t> few(1), masks(300);
    SceneOutput of_scene;
    Output output{.scene = &of_scene};
    const auto message = [&](const View& of, std::span<std::byte> memory_given, const lanecull::CullOptions& options) {
        return std::string(lanecull::cull(scene, {&of, 1}, {&output, 1}, memory_given, options).message());
    };
    EXPECT_EQ(message(view, scratch, {}), "");
    EXPECT_NE(message({}, scratch, {}).find("views[0]"), std::string::npos);
    EXPECT_NE(message(view, std::span(scratch).first(scratch.size() - 1), {}).find("scratch"), std::string::npos);
    EXPECT_NE(message(view, scratch, {.view_masks = masks}).find("view_masks"), std::string::npos);
    output.inside = few;
    EXPECT_NE(message(view, scratch, {}).find("outputs[0].inside"), std::string::npos);
    output.inside = {};
    output.candidates = few;
    EXPECT_NE(message(view, scratch, {}).find("outputs[0].candidates"), std::string::npos);
    output.candidates = {};
    std::vector<std::uint8_t> hints(scene.hint_bytes() + 1);
    of_scene.hints = hints;
    EXPECT_NE(message(view, scratch, {}).find("outputs[0].hints"), std::string::npos);
    of_scene.hints = {};
    std::vector<lanecull::BlockOutcome> outcomes(scene.block_count() + 1);
    of_scene.block_outcomes = outcomes;
    EXPECT_NE(message(view, scratch, {}).find("outputs[0].block_outcomes"), std::string::npos);
    of_scene.block_outcomes = {};
    // What only batches have.
    lanecull::BatchRange range;
    output.batch_ranges = {&range, 1};
    EXPECT_NE(message(view, scratch, {}).find("outputs[0].batch_ranges"), std::string::npos);
    output.batch_ranges = {};
    std::vector<lanecull::Certificate> certificates(300);
    lanecull::Explanation why{.certificates = certificates};
    output.explanation = &why;
    EXPECT_NE(message(view, scratch, {}).find("outputs[0].certificates"), std::string::npos);
    why.certificates = {};
    EXPECT_EQ(message(view, scratch, {}), "");
}

/// Every output of 64 views, the most that there may be.
TEST(SceneOutputs, ServeSixtyFourViews) {
    const BoxScene boxes(7);
    const Scene& scene = boxes.scene;
    const View& view = boxes.view;
    const SceneResult alone = cull_scene(scene, {&view, 1})[0];

    HeapMemory memory;
    constexpr std::size_t most = 64;
    constexpr float threshold = 0.1f;
    const std::size_t words = lanecull::visibility_words(scene), hints = scene.hint_bytes();
    std::vector<View> views(most + 1, view);
    std::vector<Output> outputs(most + 1);
    std::vector<SceneOutput> of_scene(most + 1);
    for (std::size_t v = 0; v < outputs.size(); ++v) {
        Output& output = outputs[v];
        SceneOutput& own = of_scene[v];
        output.scene = &own;
        output.visible = {memory.array<std::uint64_t>(words), words};
        output.inside = {memory.array<std::uint64_t>(words), words};
        own.handles = {memory.array<Handle>(300), 300};
        output.indices = {memory.array<std::uint32_t>(300), 300};
        output.runs = {memory.array<lanecull::VisibleRun>(300), 300};
        own.lod.distances = {memory.array<float>(300), 300};
        own.lod.levels = {memory.array<std::uint8_t>(300), 300};
        own.lod.thresholds = {&threshold, 1};
        own.lod.latest = {memory.array<std::uint8_t>(300), 300};
        own.block_outcomes = {memory.array<lanecull::BlockOutcome>(scene.block_count()), scene.block_count()};
        own.hints = {memory.array<std::uint8_t>(hints), hints};
        std::ranges::fill(own.hints, std::uint8_t{0});
    }
    std::vector<std::byte> scratch(lanecull::scratch_bytes(scene, most + 1));
    const auto cull = [&](std::size_t count) {
        return lanecull::cull(scene, std::span(views).first(count), std::span(outputs).first(count), scratch);
    };
    EXPECT_NE(std::string(cull(most + 1).message()).find("views: 1 to 64"), std::string::npos);
    const lanecull::Status status = cull(most);
    ASSERT_TRUE(status.ok()) << status.message();
    for (const Output& output : std::span(outputs).first(most)) {
        EXPECT_TRUE(std::ranges::equal(output.visible, alone.visible));
        EXPECT_TRUE(std::ranges::equal(output.inside, alone.inside));
        EXPECT_TRUE(std::ranges::equal(output.scene->handles.first(output.visible_count), alone.handles));
    }
    // The last pieces of memory are looked at as the first are.
    of_scene[most - 1].hints = of_scene[0].hints;
    EXPECT_NE(std::string(cull(most).message()).find("overlaps"), std::string::npos);
}

/// A view, and the same one as far from the world's origin as the objects' own origin is.
struct FarView {
    Camera camera;
    lanecull::AddOptions options;
    View near_view, far_view;

    /// False where there is none. The matrix stays; the camera goes where it is wanted, first among the objects, then
    /// far out with them. Every sum is exact.
    bool choose(Random& random) {
        camera = random_prepared_camera(random, Projection::perspective).camera;
        if (camera.single) return false;
        lanecull::ClipSpace far_space = camera.clip_space;
        for (std::size_t j = 0; j < 3; ++j) {
            const double place = camera.clip_space.origin[j] - camera.eye[j] + random.range(-4000, 4000);
            camera.clip_space.origin[j] = std::ldexp(std::round(std::ldexp(place, 24)), -24);
            options.origin[j] = 1024 * std::round(random.range(-1e4, 1e4));
            far_space.origin[j] = camera.clip_space.origin[j] + options.origin[j];
            EXPECT_EQ(far_space.origin[j] - options.origin[j], camera.clip_space.origin[j]);
        }
        if (!lanecull::prepare_view(camera.matrix, camera.clip_space, near_view).ok()) return false;
        EXPECT_TRUE(lanecull::prepare_view(camera.matrix, far_space, far_view).ok());
        const oracle::Vec eye = oracle::Volume(camera.matrix, camera.clip_space).eye();
        camera.eye = {static_cast<double>(eye.x), static_cast<double>(eye.y), static_cast<double>(eye.z)};
        return true;
    }

    [[nodiscard]] std::vector<Object> objects(Random& random, Kind kind, const HullSet& hulls) const {
        std::vector<Object> objects = many_objects(random, kind, camera, 600, hulls);
        for (int i = 0; i < 300; ++i) {
            objects.push_back(random_object(random, kind, camera, Placement::corner, hulls));
            objects.push_back(random_object(random, kind, camera, Placement::facet, hulls));
        }
        std::erase_if(objects, [](const Object& object) { return std::isnan(object.fields[0]); });
        return objects;
    }
};

/// How a scene's verdicts compare with the oracle's, and its number of visible objects with the flat batch's.
struct Judged {
    std::uint64_t kept_by_flat = 0, kept = 0, apart_kept = 0, seen = 0, culled = 0, unclear = 0;

    void judge(oracle::Verdict verdict, bool visible) {
        unclear += verdict == oracle::Verdict::unclear;
        seen += verdict == oracle::Verdict::visible;
        culled += !visible;
        apart_kept += visible && verdict == oracle::Verdict::apart;
    }
    void print(std::uint64_t seed) const {
        const auto n = [](std::uint64_t count) { return static_cast<unsigned long long>(count); };
        std::printf(
            "seed %llu: %llu seen, %llu culled, %llu unclear, %llu kept (flat, near the origin: %llu), %llu for "
            "nothing\n",
            n(seed), n(seen), n(culled), n(unclear), n(kept), n(kept_by_flat), n(apart_kept));
    }
};

void judge_far_scene(Random& random, Kind kind, const FarView& view, Judged& judged) {
    const oracle::Volume volume(view.camera.matrix, view.camera.clip_space);
    const HullSet hulls = random_hulls(random, 3);
    const std::vector<Object> objects = view.objects(random, kind, hulls);
    HeapMemory memory;
    const Batch batch = make_batch(kind, objects, hulls, memory);
    Scene scene;
    std::vector<Handle> handles(objects.size());
    ASSERT_TRUE(scene.add({&batch, 1}, handles, view.options).ok());
    const SceneResult result = cull_scene(scene, {&view.far_view, 1})[0];
    judged.kept += result.visible_count;
    judged.kept_by_flat += run_cull(batch, view.near_view).visible_count;
    for (std::uint32_t i = 0; i < handles.size(); ++i) {
        std::uint32_t slot = 0;
        ASSERT_TRUE(scene.slot_of(handles[i], slot).ok());
        const bool visible = SceneResult::has(result.visible, slot);
        const oracle::Verdict verdict = volume.decide(solid_of(kind, objects[i], hulls)).verdict;
        judged.judge(verdict, visible);
        ASSERT_TRUE(visible || verdict != oracle::Verdict::visible)
            << describe(kind, objects[i], hulls) << view.camera.describe();
        // What is wholly inside is seen, too.
        if (SceneResult::has(result.inside, slot)) {
            ASSERT_NE(verdict, oracle::Verdict::apart);
        }
    }
}

/// A view at millimetres' detail, 10^7 from the world's origin, over objects whose origin is as far: none that the
/// oracle sees is culled, and next to no other is kept.
TEST(LargeWorlds, AreNeverWrong) {
    constexpr std::uint64_t seed = 17;
    Random random(seed);
    Judged judged;
    for (int round = 0; round < scaled(40); ++round) {
        SCOPED_TRACE(testing::Message() << "seed " << seed << ", round " << round);
        FarView view;
        if (!view.choose(random)) continue;
        judge_far_scene(random, all_kinds[static_cast<std::size_t>(round) % std::size(all_kinds)], view, judged);
        if (HasFatalFailure()) return;
    }
    judged.print(seed);
    EXPECT_GT(judged.seen, 20u * static_cast<unsigned>(scaled(40)));
    EXPECT_GT(judged.culled, 100u * static_cast<unsigned>(scaled(40)));
    EXPECT_LT(static_cast<double>(judged.kept), 1.05 * static_cast<double>(judged.kept_by_flat) + 20);
}

std::string parameter_name(const testing::TestParamInfo<Scenes::ParamType>& info) {
    return isa_label(std::get<0>(info.param)) + "_" + kind_name(std::get<1>(info.param));
}

INSTANTIATE_TEST_SUITE_P(All, Scenes,
                         testing::Combine(testing::ValuesIn(runnable_isas().begin(), runnable_isas().end()),
                                          testing::ValuesIn(all_kinds)),
                         parameter_name);

}  // namespace
