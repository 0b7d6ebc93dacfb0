#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "calls/kinds.hpp"
#include "support/culling.hpp"
#include "support/generate.hpp"
#include "support/scale.hpp"

/// Candidates: a view's verdict is the candidate's bit and the verdict of a call without candidates. Objects of words
/// that are 0 are not read.

namespace {

using lanecull::Batch;
using lanecull::Certificate;
using lanecull::Reason;
using lanecull::View;

using Words = std::vector<std::uint64_t>;

/// Every kind, with and without attributes; some objects are none, some are always visible.
struct Crowd {
    HeapMemory memory;
    std::vector<Batch> batches;
    std::vector<View> views;

    explicit Crowd(Random& random) {
        const HullSet hulls = random_hulls(random, 4);
        std::vector<Camera> cameras;
        for (const Projection projection : {Projection::perspective, Projection::orthographic}) {
            const PreparedCamera prepared = random_prepared_camera(random, projection);
            cameras.push_back(prepared.camera);
            views.push_back(prepared.view);
        }
        for (const Kind kind : all_kinds) {
            for (const bool attributes : {false, true}) {
                const std::size_t count = std::array{64u, 131u, 700u, 1u, 20'000u}[batches.size() % 5];
                batches.push_back(make(random, kind, cameras[batches.size() % 2], count, hulls, attributes));
            }
        }
    }

    Batch make(Random& random, Kind kind, const Camera& camera, std::size_t count, const HullSet& hulls,
               bool attributes) {
        std::vector<Object> objects = random_objects(random, kind, camera, count, hulls);
        for (Object& object : objects) {
            if (random.chance(0.02)) object.fields[0] = std::numeric_limits<float>::quiet_NaN();
            if (!attributes) continue;
            if (random.chance(0.3)) mark(random, object);
            if (random.chance(0.3)) grow(random, kind, hulls, {.margin = true, .sweep = true}, object);
            if (random.chance(0.3)) object.max_distance = static_cast<float>(random.log_range(0.1, 1e4));
            if (random.chance(0.1)) object.min_distance = static_cast<float>(random.log_range(0.1, 1e4));
        }
        return make_batch(kind, objects, hulls, memory,
                          {.bounds = !attributes, .streams = attributes ? Streams::all() : Streams{}});
    }
};

/// Some bits beyond the batches' last objects are set, too.
Words some_words(Random& random, std::size_t count, double density) {
    Words words(count);
    for (std::uint64_t& word : words) {
        if (random.chance(0.3)) continue;
        for (int bit = 0; bit < 64; ++bit) word |= std::uint64_t{random.chance(density)} << bit;
    }
    return words;
}

/// The bits that stand for objects.
Words objects_of(std::span<const Batch> batches) {
    Words words;
    for (const Batch& batch : batches) {
        for (std::uint32_t left = batch.count(); left > 0; left -= std::min(left, 64u)) {
            words.push_back(left >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << left) - 1);
        }
    }
    return words;
}

std::uint64_t set_bits(const Words& words) {
    std::uint64_t sum = 0;
    for (const std::uint64_t word : words) sum += static_cast<std::uint64_t>(std::popcount(word));
    return sum;
}

Words both(Words a, const Words& b) {
    for (std::size_t w = 0; w < a.size(); ++w) a[w] &= b[w];
    return a;
}

/// All outputs of a call with one view.
struct Answer {
    Words visible, inside;
    std::vector<std::uint32_t> indices;
    std::vector<Certificate> certificates;
    lanecull::Counts counts;

    Answer(std::span<const Batch> batches, const View& view, std::span<const std::uint64_t> candidates,
           const lanecull::CullOptions& options, bool certified) {
        std::size_t objects = 0;
        for (const Batch& batch : batches) objects += batch.count();
        visible.resize(lanecull::visibility_words(batches));
        inside.resize(visible.size());
        indices.resize(objects);
        if (certified) certificates.resize(objects);
        std::vector<std::byte> scratch(lanecull::scratch_bytes(batches, 1));
        lanecull::Output output;
        output.visible = visible, output.inside = inside, output.indices = indices;
        lanecull::Explanation why{.certificates = certificates};
        output.explanation = &why, output.candidates = candidates;
        const lanecull::Status status = lanecull::cull(batches, {&view, 1}, {&output, 1}, scratch, options);
        EXPECT_TRUE(status) << status.message();
        indices.resize(output.visible_count);
        counts = why.counts;
    }
};

class Candidates : public testing::TestWithParam<std::tuple<lanecull::Isa, lanecull::Method>> {
protected:
    const lanecull::CullOptions options_{.method = std::get<1>(GetParam()), .isa = std::get<0>(GetParam())};
};

TEST_P(Candidates, AreJudgedAsWithoutAndOthersAreCulled) {
    Random random(20261125);
    for (int round = 0; round < std::max(1, scaled(4)); ++round) {
        Crowd crowd(random);
        const Words objects = objects_of(crowd.batches);
        for (const View& view : crowd.views) {
            const Answer all(crowd.batches, view, {}, options_, false);
            EXPECT_EQ(all.counts[Reason::culled_candidate], 0u);
            for (const double density : {0.0, 0.02, 0.5, 1.0}) {
                const Words candidates = some_words(random, objects.size(), density);
                const Answer some(crowd.batches, view, candidates, options_, round % 2 == 1);
                EXPECT_EQ(some.visible, both(all.visible, candidates));
                EXPECT_EQ(some.inside, both(all.inside, candidates));
                EXPECT_EQ(some.indices.size(), set_bits(some.visible));
                expect_complete(some.counts, all.counts.objects());
                EXPECT_EQ(some.counts[Reason::culled_candidate],
                          set_bits(objects) - set_bits(both(objects, candidates)));
                EXPECT_EQ(some.counts.visible(), set_bits(some.visible));
            }
        }
    }
}

TEST_P(Candidates, HaveCertificatesThatSaySo) {
    Random random(20261126);
    Crowd crowd(random);
    const Words candidates = some_words(random, lanecull::visibility_words(crowd.batches), 0.5);
    const Answer answer(crowd.batches, crowd.views[0], candidates, options_, true);
    std::size_t at = 0, word = 0;
    for (const Batch& batch : crowd.batches) {
        for (std::uint32_t i = 0; i < batch.count(); ++i, ++at) {
            const bool is_candidate = (candidates[word + i / 64] >> i % 64 & 1) != 0;
            ASSERT_EQ(answer.certificates[at].reason == Reason::culled_candidate, !is_candidate) << at;
        }
        word += (batch.count() + 63) / 64;
    }
}

/// Arrays end where no more memory can be read, and the batch is said to go on.
TEST_P(Candidates, ObjectsOfWordsThatAreZeroAreNotRead) {
    Random random(20261127);
    const HullSet hulls = random_hulls(random, 4);
    const PreparedCamera prepared = random_prepared_camera(random, Projection::perspective);
    for (const Kind kind : all_kinds) {
        for (const bool attributes : {false, true}) {
            for (const std::uint32_t count : {64u, 640u, 16'384u}) {
                GuardedMemory memory(GuardedMemory::Against::end);
                const std::vector<Object> objects = random_objects(random, kind, prepared.camera, count, hulls);
                Batch batch = make_batch(kind, objects, hulls, memory,
                                         {.bounds = !attributes, .streams = attributes ? Streams::all() : Streams{}});
                const Words visible = Answer({&batch, 1}, prepared.view, {}, options_, false).visible;
                lanecull::visit(batch, [](auto& shapes) {
                    shapes.count += 20'001;
                    if constexpr (requires { shapes.local; }) shapes.local.boxes.count = shapes.count;
                });
                Words candidates(lanecull::visibility_words({&batch, 1}));
                std::fill_n(candidates.begin(), count / 64, ~std::uint64_t{0});
                const Answer answer({&batch, 1}, prepared.view, candidates, options_, false);
                EXPECT_EQ(Words(answer.visible.begin(), answer.visible.begin() + count / 64), visible);
                EXPECT_EQ(answer.counts[Reason::culled_candidate], 20'001u);
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Cull, Candidates,
                         testing::Combine(testing::ValuesIn(runnable_isas()), testing::ValuesIn(all_methods)),
                         [](const auto& tested) {
                             return isa_label(std::get<0>(tested.param)) + "_" + method_name(std::get<1>(tested.param));
                         });

struct Three {
    float zero[3] = {0, 0, 0}, depth[3] = {-5, -6, 5};
    Batch batch = lanecull::Spheres{zero, zero, depth, zero, 3};
    View view;
    std::vector<std::byte> scratch = std::vector<std::byte>(lanecull::scratch_bytes({&batch, 1}, 2));

    Three() {
        constexpr float camera[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1, -1, 0, 0, -0.1f, 0};
        EXPECT_TRUE(lanecull::prepare_view(camera, {}, view));
    }
};

TEST(CandidateArguments, ViewsMayShareThem) {
    const Three three;
    const View views[2] = {three.view, three.view};
    std::uint64_t visible[2] = {7, 7};
    const std::uint64_t candidates = 0b110;
    lanecull::Output outputs[2];
    for (int v = 0; v < 2; ++v) {
        outputs[v].visible = {&visible[v], 1};
        outputs[v].candidates = {&candidates, 1};
    }
    std::vector<std::byte> scratch = three.scratch;
    ASSERT_TRUE(lanecull::cull({&three.batch, 1}, views, outputs, scratch));
    EXPECT_EQ(visible[0], 0b010u);
    EXPECT_EQ(visible[1], 0b010u);
}

TEST(CandidateArguments, BadOnesAreRefusedAndNothingIsWritten) {
    Three three;
    std::uint64_t words[3] = {7, 7, 7};
    lanecull::Output output;
    output.visible = {words, 1};
    const auto message = [&] {
        const lanecull::Status status =
            lanecull::cull({&three.batch, 1}, {&three.view, 1}, {&output, 1}, three.scratch);
        return std::string(status.message());
    };
    output.candidates = {words + 1, 2};
    EXPECT_EQ(message(), "outputs[0].candidates: must have no words or 1 (visibility_words()), not 2");
    output.candidates = {words, 1};
    EXPECT_NE(message().find("overlaps"), std::string::npos);
    output.candidates = {reinterpret_cast<const std::uint64_t*>(three.scratch.data()), 1};
    EXPECT_EQ(message(), "outputs[0].candidates: overlaps scratch");
    for (const std::uint64_t word : words) EXPECT_EQ(word, 7u);
}

/// A piece that is written within a long one that is read, after another that is read: their neighbours in memory do
/// not tell.
TEST(CandidateArguments, OverlapsAreFoundBehindOtherPieces) {
    std::vector<float> zero(640, 0);
    const Batch batch = lanecull::Spheres{zero.data(), zero.data(), zero.data(), zero.data(), 640};
    Three three;
    const View views[2] = {three.view, three.view};
    std::vector<std::uint64_t> words(16, 7);
    lanecull::Output outputs[2];
    outputs[0].candidates = std::span(words).first(10);
    outputs[1].candidates = std::span(words).subspan(1, 10);
    std::uint32_t* const inside = reinterpret_cast<std::uint32_t*>(words.data() + 9);
    outputs[1].indices = {inside, 1};
    std::vector<std::byte> scratch(lanecull::scratch_bytes({&batch, 1}, 2));
    EXPECT_FALSE(lanecull::cull({&batch, 1}, views, outputs, scratch));
    outputs[1].indices = {reinterpret_cast<std::uint32_t*>(words.data() + 11), 1};
    EXPECT_TRUE(lanecull::cull({&batch, 1}, views, outputs, scratch));
}

}  // namespace
