#include <gtest/gtest.h>

#include <bit>
#include <numeric>

#include "culling.hpp"
#include "generate.hpp"

/// What cull() writes: words, index lists, counts and statistics, for several batches and views in one call.

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
    const lanecull::Options options_{.method = std::get<1>(GetParam()), .isa = std::get<0>(GetParam())};
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
            alone.statistics += one.statistics;
        }
        EXPECT_TRUE(together[v] == alone) << "view " << v;
        EXPECT_GT(alone.visible_count, 500u) << "a scene with little to see tests little";
        EXPECT_GT(alone.statistics.culled(), 500u);
    }
}

TEST_P(Outputs, WordsIndicesCountsAndStatisticsAgree) {
    std::uint64_t objects = 0, words = 0;
    for (const Batch& batch : scene_.batches) objects += batch.count(), words += (batch.count() + 63) / 64;
    EXPECT_EQ(lanecull::visibility_words(scene_.batches), words);
    for (const ViewResult& result : run_cull(scene_.batches, scene_.views, options_)) {
        std::uint64_t set_bits = 0;
        for (const std::uint64_t word : result.words) set_bits += static_cast<std::uint64_t>(std::popcount(word));
        EXPECT_EQ(result.visible_count, set_bits) << "bits beyond a batch's last object count as set";
        EXPECT_EQ(result.indices, indices_of(scene_.batches, result.words));
        const lanecull::Statistics& s = result.statistics;
        EXPECT_EQ(s.objects, objects);
        EXPECT_EQ(s.visible(), set_bits);
        EXPECT_EQ(s.culled_plane + s.culled_gjk + s.visible_inside + s.visible_vertex + s.visible_overlap +
                      s.visible_touching + s.visible_cap + s.visible_planes + s.visible_invalid,
                  objects);
    }
}

TEST_P(Outputs, AShortIndexListReceivesTheFirstThatFit) {
    constexpr std::uint32_t untouched = 0xdeadbeef;
    const ViewResult whole = run_cull(scene_.batches, {scene_.views.data(), 1}, options_).front();
    const std::size_t visible = whole.indices.size();
    std::vector<std::byte> scratch(lanecull::scratch_bytes(scene_.batches, 1));
    for (std::size_t capacity : {std::size_t{0}, std::size_t{1}, std::size_t{7}, std::size_t{64}, visible / 2,
                                 visible - 1, visible, visible + 1, visible + 100}) {
        std::vector<std::uint32_t> indices(visible + 200, untouched);
        lanecull::ViewOutput output = make_output({}, std::span(indices).first(capacity));
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
                lanecull::ViewOutput output;
                if (bits) output.visible = words;
                if (list) output.indices = indices;
                ASSERT_TRUE(lanecull::cull(scene_.batches, {scene_.views.data(), 1}, {&output, 1}, scratch, options_));
                EXPECT_EQ(output.visible_count, whole.visible_count);
                EXPECT_EQ(output.statistics, whole.statistics);
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

TEST_P(Outputs, OfNoObjectsAreEmpty) {
    const View view = scene_.views[0];
    const ViewResult none = run_cull(std::span<const Batch>{}, {&view, 1}, options_).front();
    EXPECT_EQ(none.visible_count, 0u);
    EXPECT_EQ(none.statistics, lanecull::Statistics{});
    const Batch empty[] = {lanecull::Spheres{},       lanecull::Boxes{},    lanecull::CenteredBoxes{},
                           lanecull::OrientedBoxes{}, lanecull::Capsules{}, lanecull::HullInstances{}};
    EXPECT_EQ(lanecull::visibility_words(empty), 0u);
    const ViewResult nothing = run_cull(empty, {&view, 1}, options_).front();
    EXPECT_EQ(nothing.visible_count, 0u);
    EXPECT_EQ(nothing.statistics, lanecull::Statistics{});
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

std::string parameter_name(const testing::TestParamInfo<Outputs::ParamType>& info) {
    return isa_label(std::get<0>(info.param)) + "_" + method_name(std::get<1>(info.param));
}

INSTANTIATE_TEST_SUITE_P(All, Outputs,
                         testing::Combine(testing::ValuesIn(runnable_isas().begin(), runnable_isas().end()),
                                          testing::ValuesIn(all_methods)),
                         parameter_name);

}  // namespace
