#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <numeric>

#include "calls/visible_lists.hpp"
#include "oracle/exact_objects.hpp"
#include "support/culling.hpp"
#include "support/generate.hpp"
#include "support/scale.hpp"

/// The outputs of cull(): visibility words, index lists, counts, for several batches and views in a
/// call.

namespace {

using lanecull::Batch;
using lanecull::View;

/// Batches of all kinds and awkward counts, some of them empty, seen by several views.
struct Scene {
    HeapMemory memory;
    std::vector<Batch> batches;
    std::vector<View> views;

    Scene() {
        Random random(42);
        const HullSet hulls = random_hulls(random, 4);
        std::vector<Camera> cameras;
        for (const Projection projection :
             {Projection::perspective, Projection::reversed_infinite, Projection::orthographic}) {
            PreparedCamera prepared = random_prepared_camera(random, projection);
            cameras.push_back(prepared.camera);
            views.push_back(prepared.view);
        }
        std::uint32_t first_index = 0;
        for (const std::size_t count : {0u, 1u, 63u, 64u, 65u, 100u, 0u, 129u, 4096u, 4097u, 10000u}) {
            const Kind kind = all_kinds[batches.size() % std::size(all_kinds)];
            const Camera& camera = cameras[batches.size() % cameras.size()];
            const std::vector<Object> objects = random_objects(random, kind, camera, count, hulls);
            batches.push_back(make_batch(kind, objects, hulls, memory, {.first_index = first_index}));
            first_index += static_cast<std::uint32_t>(count) + 1000;
        }
        batches[4].first_index = ~std::uint32_t{0} - 20;  // indices wrap within this batch
    }
};

std::vector<std::uint32_t> indices_of(std::span<const Batch> batches, std::span<const std::uint64_t> words) {
    std::vector<std::uint32_t> indices;
    std::size_t word = 0;
    for (const Batch& batch : batches) {
        for (std::uint32_t i = 0; i < batch.count(); ++i) {
            if ((words[word + i / 64] >> i % 64 & 1) != 0) indices.push_back(batch.first_index + i);
        }
        word += (batch.count() + 63) / 64;
    }
    return indices;
}

class Outputs : public testing::TestWithParam<std::tuple<lanecull::Isa, lanecull::Method>> {
protected:
    const lanecull::CullOptions options_{.method = std::get<1>(GetParam()), .isa = std::get<0>(GetParam())};
    Scene scene_;
};

TEST_P(Outputs, HoldEachBatchAndViewAsACallOfItsOwn) {
    const std::vector<ViewResult> together = run_cull(scene_.batches, scene_.views, options_);
    for (std::size_t v = 0; v < scene_.views.size(); ++v) {
        ViewResult alone;
        for (const Batch& batch : scene_.batches) {
            const ViewResult one = run_cull(batch, scene_.views[v], options_);
            alone.words.insert(alone.words.end(), one.words.begin(), one.words.end());
            alone.indices.insert(alone.indices.end(), one.indices.begin(), one.indices.end());
            alone.visible_count += one.visible_count;
            alone.counts += one.counts;
        }
        EXPECT_TRUE(together[v] == alone) << "view " << v;
        EXPECT_GT(alone.visible_count, 500u) << "a scene with little to see tests little";
        EXPECT_GT(alone.counts.culled(), 500u);
    }
}

TEST_P(Outputs, WordsIndicesAndCountsAgree) {
    std::uint64_t objects = 0, words = 0;
    for (const Batch& batch : scene_.batches) objects += batch.count(), words += (batch.count() + 63) / 64;
    EXPECT_EQ(lanecull::visibility_words(scene_.batches), words);
    for (const ViewResult& result : run_cull(scene_.batches, scene_.views, options_)) {
        std::uint64_t set_bits = 0;
        for (const std::uint64_t word : result.words) set_bits += static_cast<std::uint64_t>(std::popcount(word));
        EXPECT_EQ(result.visible_count, set_bits) << "bits beyond a batch's last object count as set";
        EXPECT_EQ(result.indices, indices_of(scene_.batches, result.words));
        const lanecull::Counts& s = result.counts;
        EXPECT_EQ(s.objects(), objects);
        EXPECT_EQ(s.visible(), set_bits);
        expect_complete(s, objects);
    }
}

/// Each batch's part of the indices, counted one by one; with and without a list, in a list that is too short.
TEST_P(Outputs, BatchRangesAreTheBatchesPartsOfTheIndices) {
    const ViewResult whole = run_cull(scene_.batches, {scene_.views.data(), 1}, options_).front();
    std::vector<lanecull::BatchRange> expected;
    std::size_t word = 0, first = 0;
    for (const Batch& batch : scene_.batches) {
        const std::size_t words = (batch.count() + 63) / 64;
        const std::size_t count = indices_of({&batch, 1}, std::span(whole.words).subspan(word, words)).size();
        expected.push_back({first, count});
        first += count;
        word += words;
    }
    std::vector<std::byte> scratch(lanecull::scratch_bytes(scene_.batches, 1));
    for (const std::size_t capacity : {std::size_t{0}, std::size_t{5}, whole.indices.size()}) {
        std::vector<lanecull::BatchRange> ranges(scene_.batches.size(), {7, 7});
        std::vector<std::uint32_t> indices(capacity);
        lanecull::Output output;
        output.batch_ranges = ranges;
        output.indices = indices;
        ASSERT_TRUE(lanecull::cull(scene_.batches, {scene_.views.data(), 1}, {&output, 1}, scratch, options_));
        EXPECT_EQ(ranges, expected);
    }
    std::vector<lanecull::BatchRange> too_many(scene_.batches.size() + 1, {7, 7});
    lanecull::Output output;
    output.batch_ranges = too_many;
    EXPECT_STREQ(lanecull::cull(scene_.batches, {scene_.views.data(), 1}, {&output, 1}, scratch, options_).message(),
                 "outputs[0].batch_ranges: must be none or one for each of 11 batches, not 12");
    EXPECT_EQ(too_many.front(), (lanecull::BatchRange{7, 7}));
}

TEST_P(Outputs, AShortIndexListReceivesTheFirstThatFit) {
    constexpr std::uint32_t untouched = 0xdeadbeef;
    const ViewResult whole = run_cull(scene_.batches, {scene_.views.data(), 1}, options_).front();
    const std::size_t visible = whole.indices.size();
    std::vector<std::byte> scratch(lanecull::scratch_bytes(scene_.batches, 1));
    for (std::size_t capacity : {std::size_t{0}, std::size_t{1}, std::size_t{7}, std::size_t{64}, visible / 2,
                                 visible - 1, visible, visible + 1, visible + 100}) {
        std::vector<std::uint32_t> indices(visible + 200, untouched);
        lanecull::Output output = make_output({}, std::span(indices).first(capacity));
        ASSERT_TRUE(lanecull::cull(scene_.batches, {scene_.views.data(), 1}, {&output, 1}, scratch, options_));
        EXPECT_EQ(output.visible_count, visible);
        const std::size_t written = std::min(capacity, visible);
        for (std::size_t i = 0; i < indices.size(); ++i) {
            ASSERT_EQ(indices[i], i < written ? whole.indices[i] : untouched) << "capacity " << capacity << " at " << i;
        }
    }
}

TEST_P(Outputs, AreOptionalAndIndependentOfWhatMemoryHeld) {
    const ViewResult whole = run_cull(scene_.batches, {scene_.views.data(), 1}, options_).front();
    for (const int pattern : {0x00, 0xff, 0x5a}) {
        for (const bool bits : {false, true}) {
            for (const bool list : {false, true}) {
                std::vector<std::byte> scratch(lanecull::scratch_bytes(scene_.batches, 1), std::byte(pattern));
                std::vector<std::uint64_t> words(whole.words.size(),
                                                 0x0101010101010101u * static_cast<unsigned>(pattern));
                std::vector<std::uint32_t> indices(whole.indices.size(), 0x01010101u * static_cast<unsigned>(pattern));
                lanecull::Explanation why;
                lanecull::Output output;
                output.explanation = &why;
                if (bits) output.visible = words;
                if (list) output.indices = indices;
                ASSERT_TRUE(lanecull::cull(scene_.batches, {scene_.views.data(), 1}, {&output, 1}, scratch, options_));
                EXPECT_EQ(output.visible_count, whole.visible_count);
                EXPECT_EQ(why.counts, whole.counts);
                if (bits) {
                    EXPECT_EQ(words, whole.words);
                }
                if (list) {
                    EXPECT_EQ(indices, whole.indices);
                }
            }
        }
    }
}

/// The runs of set bits, batch by batch.
std::vector<lanecull::VisibleRun> runs_of(std::span<const Batch> batches, std::span<const std::uint64_t> words) {
    std::vector<lanecull::VisibleRun> runs;
    std::size_t word = 0;
    for (const Batch& batch : batches) {
        bool before = false;
        for (std::uint32_t i = 0; i < batch.count(); ++i) {
            const bool visible = (words[word + i / 64] >> i % 64 & 1) != 0;
            if (visible && !before) runs.push_back({batch.first_index + i, 0});
            if (visible) ++runs.back().count;
            before = visible;
        }
        word += (batch.count() + 63) / 64;
    }
    return runs;
}

TEST_P(Outputs, RunsCoverTheVisibleObjects) {
    const std::span<const View> view(scene_.views.data(), 1);
    // Long runs as well, across ranges, words and the ends of batches: everything but a few objects is always visible.
    for (const bool dense : {false, true}) {
        std::vector<Batch> batches = scene_.batches;
        std::vector<std::uint32_t> flags(10'000, lanecull::object_always_visible);
        for (const std::uint32_t hidden : {0u, 63u, 64u, 1'000u, 8'191u, 9'999u}) {
            flags[hidden] = lanecull::object_disabled;
        }
        for (Batch& batch : batches) batch.attributes.flags = dense ? flags.data() : nullptr;
        const ViewResult whole = run_cull(batches, view, options_).front();
        const std::vector<lanecull::VisibleRun> expected = runs_of(batches, whole.words);
        ASSERT_GT(expected.size(), dense ? 10u : 100u);
        std::vector<std::byte> scratch(lanecull::scratch_bytes(batches, 1));
        for (const std::size_t capacity :
             {std::size_t{1}, std::size_t{9}, expected.size() - 1, expected.size(), expected.size() + 10}) {
            constexpr lanecull::VisibleRun untouched{77, 99};
            std::vector<lanecull::VisibleRun> runs(expected.size() + 20, untouched);
            lanecull::Output output;
            output.runs = std::span(runs).first(capacity);
            ASSERT_TRUE(lanecull::cull(batches, view, {&output, 1}, scratch, options_));
            EXPECT_EQ(output.run_count, expected.size());
            for (std::size_t i = 0; i < runs.size(); ++i) {
                ASSERT_EQ(runs[i], i < std::min(capacity, expected.size()) ? expected[i] : untouched) << i;
            }
        }
    }
}

/// Templates told apart by their numbers.
lanecull::DrawCommand template_of(std::uint32_t i) { return {3 * i + 1, 1, i, -static_cast<std::int32_t>(i), 7 * i}; }

TEST_P(Outputs, DrawCommandsFollowTheTemplates) {
    const std::span<const View> view(scene_.views.data(), 1);
    const ViewResult whole = run_cull(scene_.batches, view, options_).front();
    std::vector<lanecull::DrawCommand> per_batch(scene_.batches.size());
    std::vector<std::byte> per_object(10'000 * 28);
    for (std::uint32_t i = 0; i < 10'000; ++i) {
        const lanecull::DrawCommand command = template_of(i);
        std::memcpy(per_object.data() + 28 * std::size_t{i}, &command, sizeof command);
    }
    // Every other batch has one template, the others one an object, 28 bytes apart.
    std::vector<Batch> batches = scene_.batches;
    std::vector<lanecull::DrawCommand> expected;
    std::size_t word = 0;
    for (std::size_t b = 0; b < batches.size(); ++b) {
        const bool single = b % 2 == 0;
        per_batch[b] = template_of(static_cast<std::uint32_t>(1'000'000 + b));
        batches[b].draws =
            single ? lanecull::DrawTemplates{&per_batch[b]}
                   : lanecull::DrawTemplates{reinterpret_cast<const lanecull::DrawCommand*>(per_object.data()),
                                             lanecull::DrawTemplates::Per::object, 28};
        for (std::uint32_t i = 0; i < batches[b].count(); ++i) {
            if ((whole.words[word + i / 64] >> i % 64 & 1) == 0) continue;
            expected.push_back(single ? per_batch[b] : template_of(i));
            if (single) expected.back().first_instance += i;
        }
        word += (batches[b].count() + 63) / 64;
    }
    std::vector<std::byte> scratch(lanecull::scratch_bytes(batches, 1));
    for (const std::size_t stride : {20u, 32u}) {
        for (const std::size_t offset : {0u, 4u, 60u}) {
            for (const std::size_t fitting : {std::size_t{0}, std::size_t{5}, expected.size(), expected.size() + 3}) {
                // A byte short of one more.
                const std::size_t bytes = offset + (fitting > 0 ? fitting * stride : 0) + 19;
                std::vector<std::byte> memory(bytes + 64, std::byte{0x5a});
                std::uint32_t count = 12345;
                lanecull::Output output;
                output.draws = {std::span(memory).first(bytes), offset, stride, &count};
                ASSERT_TRUE(lanecull::cull(batches, view, {&output, 1}, scratch, options_));
                const std::size_t written = std::min(fitting, expected.size());
                ASSERT_EQ(output.draw_count, written);
                EXPECT_EQ(count, written);
                std::vector<std::byte> wanted(memory.size(), std::byte{0x5a});
                for (std::size_t i = 0; i < written; ++i) {
                    std::memcpy(wanted.data() + offset + i * stride, &expected[i], sizeof expected[i]);
                }
                ASSERT_EQ(memory, wanted) << "stride " << stride << " offset " << offset << " room for " << fitting;
            }
        }
    }
}

/// The list at addresses that are aligned in several ways, with room for one fewer and for more.
void expect_commands(const Batch& batch, const View& view, const lanecull::CullOptions& options,
                     const std::vector<lanecull::DrawCommand>& expected) {
    std::vector<std::byte> scratch(lanecull::scratch_bytes({&batch, 1}, 1));
    for (const std::size_t offset : {0u, 4u, 44u}) {
        for (const std::size_t fitting : {expected.size() - 1, expected.size() + 5}) {
            const std::size_t bytes = offset + fitting * sizeof expected[0];
            std::vector<std::byte> memory(bytes + 64, std::byte{0x5a}), wanted = memory;
            lanecull::Output output;
            output.draws = {std::span(memory).first(bytes), offset};
            ASSERT_TRUE(lanecull::cull({&batch, 1}, {&view, 1}, {&output, 1}, scratch, options));
            const std::size_t written = std::min(fitting, expected.size());
            ASSERT_EQ(output.draw_count, written);
            std::memcpy(wanted.data() + offset, expected.data(), written * sizeof expected[0]);
            ASSERT_TRUE(memory == wanted) << "offset " << offset << " room for " << fitting;
        }
    }
}

/// Lists of bytes_past_caches and more are written past the caches, from whichever address they begin at.
TEST_P(Outputs, LongListsOfDrawCommandsFollowTheTemplates) {
    constexpr std::uint32_t count = 500'000;
    Random random(33);
    std::vector<float> at(count), zero(count), radius(count, 0.001f);
    for (float& x : at) x = static_cast<float>(random.range(-2, 2));
    // Half of them in runs, as in ordered scenes.
    std::sort(at.begin() + count / 2, at.end());
    std::vector<lanecull::DrawCommand> templates(count);
    for (std::uint32_t i = 0; i < count; ++i) templates[i] = template_of(i);
    Batch batch = lanecull::Spheres{at.data(), zero.data(), zero.data(), radius.data(), count};
    View view;
    const double unit[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    ASSERT_TRUE(lanecull::prepare_view(std::span<const double, 16>(unit), {}, view));
    const ViewResult whole = run_cull({&batch, 1}, {&view, 1}, options_).front();
    for (const auto per : {lanecull::DrawTemplates::Per::batch, lanecull::DrawTemplates::Per::object}) {
        batch.draws = {templates.data(), per};
        std::vector<lanecull::DrawCommand> expected;
        for (std::uint32_t i = 0; i < count; ++i) {
            if ((whole.words[i / 64] >> i % 64 & 1) == 0) continue;
            expected.push_back(per == lanecull::DrawTemplates::Per::batch ? templates[0] : templates[i]);
            if (per == lanecull::DrawTemplates::Per::batch) expected.back().first_instance += i;
        }
        ASSERT_GE((expected.size() - 1) * sizeof expected[0], lanecull::bytes_past_caches);
        expect_commands(batch, view, options_, expected);
    }
}

/// Against the exact oracle: what is said to lie inside has every point in every half-space; and most of what does, by
/// a wide margin, is said to.
TEST_P(Outputs, InsideIsProved) {
    Random random(31);
    int inside = 0, well_inside = 0, missed = 0, outside = 0;
    for (const Projection projection : all_projections) {
        const PreparedCamera prepared = random_prepared_camera(random, projection);
        const exact::HalfSpaces half_spaces = exact_half_spaces_of(prepared.camera);
        const HullSet hulls = random_hulls(random, 3);
        for (const Kind kind : all_kinds) {
            const std::vector<Object> objects =
                random_objects(random, kind, prepared.camera, static_cast<std::size_t>(scaled(400)), hulls);
            HeapMemory memory;
            const Batch batch = make_batch(kind, objects, hulls, memory);
            std::vector<std::uint64_t> words(lanecull::visibility_words({&batch, 1})), bits(words.size());
            std::vector<std::byte> scratch(lanecull::scratch_bytes({&batch, 1}, 1));
            lanecull::Output output;
            output.visible = bits;
            output.inside = words;
            ASSERT_TRUE(lanecull::cull({&batch, 1}, {&prepared.view, 1}, {&output, 1}, scratch, options_));
            for (std::size_t i = 0; i < objects.size(); ++i) {
                const exact::Solid solid = exact_solid_of(kind, objects[i], hulls);
                const auto holds = [&](double growth) {
                    const exact::Rational radius = solid.radius + exact::rational(growth);
                    for (const exact::HalfSpace& h : half_spaces) {
                        const exact::Rational square = dot(h.normal, h.normal) * radius * radius;
                        for (const exact::Point& p : solid.points) {
                            const exact::Rational distance = dot(h.normal, p) + h.offset;
                            if (distance < 0 || distance * distance < square) return false;
                        }
                    }
                    return true;
                };
                const bool said = (words[i / 64] >> i % 64 & 1) != 0;
                ASSERT_TRUE(!said || (bits[i / 64] >> i % 64 & 1) != 0) << "inside, yet culled";
                if (said) {
                    ++inside;
                    ASSERT_TRUE(holds(0)) << prepared.camera.describe() << describe(kind, objects[i], hulls);
                } else if (!holds(0)) {
                    ++outside;
                } else if (kind != Kind::hull) {
                    ++well_inside;
                    ++missed;
                }
                well_inside += said;
            }
        }
    }
    EXPECT_GT(inside, 50);
    EXPECT_GT(outside, 500);
    EXPECT_LE(missed, well_inside / 10) << "of " << well_inside << " that lie inside";
}

TEST_P(Outputs, OfNoObjectsAreEmpty) {
    const View view = scene_.views[0];
    const ViewResult none = run_cull(std::span<const Batch>{}, {&view, 1}, options_).front();
    EXPECT_EQ(none.visible_count, 0u);
    EXPECT_EQ(none.counts, lanecull::Counts{});
    const Batch empty[] = {lanecull::Spheres{},       lanecull::Boxes{},    lanecull::CenteredBoxes{},
                           lanecull::OrientedBoxes{}, lanecull::Capsules{}, lanecull::HullInstances{}};
    EXPECT_EQ(lanecull::visibility_words(empty), 0u);
    const ViewResult nothing = run_cull(empty, {&view, 1}, options_).front();
    EXPECT_EQ(nothing.visible_count, 0u);
    EXPECT_EQ(nothing.counts, lanecull::Counts{});
}

TEST_P(Outputs, ServeSixtyFourViews) {
    Random random(64);
    std::vector<View> views;
    for (int v = 0; v < 64; ++v) views.push_back(random_prepared_camera(random, all_projections[v % 9]).view);
    const std::vector<Batch> batches(scene_.batches.begin(), scene_.batches.begin() + 6);
    const std::vector<ViewResult> together = run_cull(batches, views, options_);
    for (std::size_t v = 0; v < views.size(); ++v) {
        EXPECT_TRUE(together[v] == run_cull(batches, {&views[v], 1}, options_).front()) << "view " << v;
    }
}

/// A word an object, in which bit v is what the bit array of view v says; and nothing beyond.
TEST_P(Outputs, MasksOfViews) {
    Random random(65);
    const std::vector<Batch>& batches = scene_.batches;
    std::size_t objects = 0;
    for (const Batch& batch : batches) objects += batch.count();
    for (const std::size_t count : {1u, 2u, 5u, 33u, 64u}) {
        std::vector<View> views;
        for (std::size_t v = 0; v < count; ++v) {
            views.push_back(random_prepared_camera(random, all_projections[v % 9]).view);
        }
        std::vector<std::uint64_t> masks(objects + 2, 0x7777777777777777u);
        std::vector<lanecull::Output> outputs(count);
        std::vector<lanecull::Explanation> whys(count);
        for (std::size_t v = 0; v < count; ++v) outputs[v].explanation = &whys[v];
        std::vector<std::byte> scratch(lanecull::scratch_bytes(batches, count));
        lanecull::CullOptions options = options_;
        options.view_masks = std::span(masks).subspan(1, objects);
        const lanecull::Status status = lanecull::cull(batches, views, outputs, scratch, options);
        ASSERT_TRUE(status.ok()) << status.message();
        EXPECT_EQ(masks.front(), 0x7777777777777777u);
        EXPECT_EQ(masks.back(), 0x7777777777777777u);
        const std::vector<ViewResult> expected = run_cull(batches, views, options_);
        std::size_t object = 0, word = 0;
        for (const Batch& batch : batches) {
            for (std::uint32_t i = 0; i < batch.count(); ++i, ++object) {
                std::uint64_t mask = 0;
                for (std::size_t v = 0; v < count; ++v) {
                    mask |= (expected[v].words[word + i / 64] >> i % 64 & 1) << v;
                }
                ASSERT_EQ(options.view_masks[object], mask) << "object " << object << " of " << count << " views";
            }
            word += (batch.count() + 63) / 64;
        }
        for (std::size_t v = 0; v < count; ++v) EXPECT_EQ(whys[v].counts, expected[v].counts);
    }
}

std::string parameter_name(const testing::TestParamInfo<Outputs::ParamType>& info) {
    return isa_label(std::get<0>(info.param)) + "_" + method_name(std::get<1>(info.param));
}

INSTANTIATE_TEST_SUITE_P(All, Outputs,
                         testing::Combine(testing::ValuesIn(runnable_isas().begin(), runnable_isas().end()),
                                          testing::ValuesIn(all_methods)),
                         parameter_name);

}  // namespace
