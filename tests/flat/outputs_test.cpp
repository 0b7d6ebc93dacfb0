#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>

#include "flat/figures.hpp"
#include "flat/prepared_view.hpp"
#include "flat/running.hpp"
#include "support/culling.hpp"
#include "support/new_threads.hpp"

/// The outputs of 2D culls agree with each other, for any split into parts, runner, instruction set and kind of memory.

namespace {

using namespace flat_tests;
namespace flat = lanecull::flat;

/// Batches of every kind and of awkward sizes, and views of every kind.
struct Everything {
    Random random{11};
    flat::Polygon polygon = random_polygon(random);
    std::vector<TestView> test_views;
    std::vector<flat::View> views;
    std::vector<std::vector<Object>> objects;
    std::vector<flat::Batch> batches;
    std::vector<lanecull::DrawCommand> templates;

    explicit Everything(Memory& memory) {
        for (const ViewKind kind : all_views) {
            test_views.push_back(random_view(random, kind));
            views.push_back(test_views.back().view);
        }
        constexpr std::size_t counts[] = {9001, 0, 131, 64, 77};
        std::uint32_t first = 7;
        for (const Kind kind : {Kind::box, Kind::circle, Kind::capsule, Kind::oriented_box, Kind::polygon}) {
            std::vector<Object> some;
            while (some.size() < counts[batches.size()]) {
                const TestView& view = test_views[static_cast<std::size_t>(random.below(4))];
                some.push_back(random_object(random, kind, view, polygon));
            }
            if (kind == Kind::capsule) some = random_objects(random, kind, test_views[0], polygon, 131);
            batches.push_back(make_batch(kind, some, polygon, memory, first));
            objects.push_back(some);
            first += static_cast<std::uint32_t>(some.size()) + 5;
        }
        templates.assign(1, {36, 1, 4, -2, 1000});
        for (flat::Batch& batch : batches) batch.draws = {templates.data()};
    }
};

std::vector<std::uint32_t> indices_of(const Everything& all, const std::vector<std::uint64_t>& words) {
    std::vector<std::uint32_t> indices;
    std::size_t word = 0;
    for (const flat::Batch& batch : all.batches) {
        for (std::uint32_t i = 0; i < batch.count(); ++i) {
            if (words[word + i / 64] >> i % 64 & 1) indices.push_back(batch.first_index + i);
        }
        word += (batch.count() + 63) / 64;
    }
    return indices;
}

TEST(FlatOutputs, TellTheSame) {
    GuardedMemory memory(GuardedMemory::Against::end);
    const Everything all(memory);
    for (const lanecull::Isa isa : runnable_isas()) {
        const std::vector<FlatResult> together = run_flat(all.batches, all.views, {.isa = isa});
        for (std::size_t v = 0; v < all.views.size(); ++v) {
            const FlatResult& result = together[v];
            EXPECT_EQ(result.indices, indices_of(all, result.words));
            EXPECT_GT(result.visible_count, 100u);
            EXPECT_LT(result.visible_count, 9000u);
            std::vector<std::uint32_t> from_runs;
            for (const lanecull::VisibleRun& run : result.runs) {
                for (std::uint32_t i = 0; i < run.count; ++i) from_runs.push_back(run.first + i);
            }
            EXPECT_EQ(result.indices, from_runs);
            EXPECT_EQ(run_flat(all.batches, {&all.views[v], 1}, {.isa = isa}).front(), result);
        }
    }
}

TEST(FlatOutputs, DoNotDependOnTheRunner) {
    HeapMemory memory;
    const Everything all(memory);
    const unsigned threads = 4;
    EXPECT_EQ(run_flat(all.batches, all.views, {.runner = on_new_threads(threads)}), run_flat(all.batches, all.views));
}

TEST(FlatOutputs, DrawsAndMasks) {
    HeapMemory memory;
    const Everything all(memory);
    const std::vector<FlatResult> results = run_flat(all.batches, all.views);
    std::size_t objects = 0;
    for (const flat::Batch& batch : all.batches) objects += batch.count();
    std::vector<lanecull::DrawCommand> commands(objects);
    std::vector<std::uint64_t> masks(objects);
    std::vector<lanecull::Output> outputs(all.views.size());
    outputs[1].draws.memory = std::as_writable_bytes(std::span(commands));
    std::vector<std::byte> scratch(flat::scratch_bytes(all.batches, all.views.size()));
    ASSERT_TRUE(flat::cull(all.batches, all.views, outputs, scratch, {.view_masks = masks}));
    ASSERT_EQ(outputs[1].draw_count, results[1].visible_count);
    std::size_t object = 0, word = 0, command = 0;
    for (const flat::Batch& batch : all.batches) {
        for (std::uint32_t i = 0; i < batch.count(); ++i, ++object) {
            for (std::size_t v = 0; v < all.views.size(); ++v) {
                ASSERT_EQ(masks[object] >> v & 1, results[v].words[word + i / 64] >> i % 64 & 1);
            }
            if ((masks[object] >> 1 & 1) == 0) continue;
            EXPECT_EQ(commands[command].first_instance, 1000 + i);
            EXPECT_EQ(commands[command++].index_count, 36u);
        }
        word += (batch.count() + 63) / 64;
    }
}

/// Every certificate of a cull is a proof, in rationals; and asking for them changes nothing.
TEST(FlatOutputs, CertificatesProve) {
    HeapMemory memory;
    const Everything all(memory);
    std::size_t objects = 0, directions = 0;
    for (const flat::Batch& batch : all.batches) objects += batch.count();
    for (std::size_t v = 0; v < all.views.size(); ++v) {
        std::vector<lanecull::Certificate> certificates(objects);
        std::vector<std::uint64_t> words(flat::visibility_words(all.batches));
        lanecull::Explanation why{.certificates = certificates};
        lanecull::Output output;
        output.explanation = &why;
        output.visible = words;
        std::vector<std::byte> scratch(flat::scratch_bytes(all.batches, 1));
        ASSERT_TRUE(flat::cull(all.batches, {&all.views[v], 1}, {&output, 1}, scratch));
        const FlatResult plain = run_flat(all.batches, {&all.views[v], 1}).front();
        EXPECT_EQ(words, plain.words);
        EXPECT_EQ(why.counts, plain.counts);
        lanecull::Counts counts;
        std::size_t object = 0;
        for (std::size_t b = 0; b < all.batches.size(); ++b) {
            constexpr Kind kinds[] = {Kind::box, Kind::circle, Kind::capsule, Kind::oriented_box, Kind::polygon};
            for (std::size_t i = 0; i < all.batches[b].count(); ++i, ++object) {
                const lanecull::Certificate& certificate = certificates[object];
                ++counts[certificate.reason];
                if (!is_culled(certificate.reason) || (b == 0 && i % 16 != 0)) continue;
                const flat_oracle::Figure figure = figure_of(kinds[b], all.objects[b][i], all.polygon);
                const flat_oracle::Point w{exact::rational(certificate.direction[0]),
                                           exact::rational(certificate.direction[1])};
                ASSERT_TRUE(flat_oracle::separates(w, figure, all.test_views[v].figure))
                    << describe(kinds[b], all.objects[b][i]) << " view " << all.test_views[v].text;
                const exact::Rational reach = figure.radius + exact::rational(certificate.gap);
                ASSERT_GE(flat_oracle::square_distance(figure, all.test_views[v].figure), reach * reach);
                directions += certificate.gap > 0;
            }
        }
        EXPECT_EQ(counts, plain.counts);
    }
    EXPECT_GT(directions, 500u);
}

/// Candidates have the bits that they have without, and all others none.
TEST(FlatOutputs, CandidatesAreJudgedAlike) {
    HeapMemory memory;
    const Everything all(memory);
    Random random(12);
    const std::size_t word_count = flat::visibility_words(all.batches);
    for (const lanecull::Isa isa : runnable_isas()) {
        const std::vector<FlatResult> plain = run_flat(all.batches, all.views, {.isa = isa});
        std::vector<std::uint64_t> candidates(word_count);
        for (std::uint64_t& word : candidates) word = random.chance(0.5) ? random.bits() : 0;
        std::vector<std::vector<std::uint64_t>> visible(all.views.size(), std::vector<std::uint64_t>(word_count));
        std::vector<lanecull::Output> outputs(all.views.size());
        std::vector<lanecull::Explanation> whys(all.views.size());
        for (std::size_t v = 0; v < outputs.size(); ++v) {
            outputs[v].visible = visible[v];
            outputs[v].candidates = candidates;
            outputs[v].explanation = &whys[v];
        }
        std::vector<std::byte> scratch(flat::scratch_bytes(all.batches, all.views.size()));
        ASSERT_TRUE(flat::cull(all.batches, all.views, outputs, scratch, {.isa = isa}));
        for (std::size_t v = 0; v < outputs.size(); ++v) {
            for (std::size_t w = 0; w < word_count; ++w) {
                ASSERT_EQ(visible[v][w], plain[v].words[w] & candidates[w]) << "view " << v << " word " << w;
            }
            expect_complete(whys[v].counts, plain[v].counts.objects());
            EXPECT_GT(whys[v].counts[lanecull::Reason::culled_candidate], 4000u);
        }
    }
}

TEST(FlatOutputs, MethodPlanesKeepsMore) {
    HeapMemory memory;
    const Everything all(memory);
    std::uint64_t more = 0;
    for (std::size_t v = 0; v < all.views.size(); ++v) {
        const FlatResult exact = run_flat(all.batches, {&all.views[v], 1}).front();
        const FlatResult planes =
            run_flat(all.batches, {&all.views[v], 1}, {.method = lanecull::Method::planes}).front();
        for (std::size_t w = 0; w < exact.words.size(); ++w) EXPECT_EQ(exact.words[w] & ~planes.words[w], 0u);
        EXPECT_EQ(planes.counts[lanecull::Reason::culled_gjk], 0u);
        more += planes.visible_count - exact.visible_count;
    }
    EXPECT_GT(more, 5u);
}

TEST(FlatArguments, NameWhatIsWrong) {
    const float numbers[4] = {};
    const flat::Batch good = flat::Circles{numbers, numbers, numbers, 4};
    flat::View view;
    ASSERT_TRUE(flat::prepare_view(flat::Rectangle{0, 0, 1, 1}, view));
    std::uint64_t word = 77;
    const auto message = [&](const flat::Batch& batch, const flat::View& of,
                             const lanecull::CullOptions& options = {}) {
        lanecull::Output output;
        output.visible = {&word, 1};
        std::vector<std::byte> scratch(flat::scratch_bytes({&batch, 1}, 1));
        const lanecull::Status status = flat::cull({&batch, 1}, {&of, 1}, {&output, 1}, scratch, options);
        EXPECT_TRUE(status.ok() || word == 77);
        return std::string(status.message());
    };
    EXPECT_EQ(message(flat::Circles{numbers, nullptr, numbers, 4}, view), "batches[0].y: must not be null");
    const flat::Polygon unprepared;
    EXPECT_EQ(message(flat::PolygonInstances{numbers, numbers, numbers, numbers, &unprepared, 4}, view),
              "batches[0].polygon: was not prepared by prepare_polygon()");
    EXPECT_EQ(message(good, flat::View()), "views[0]: was not prepared by prepare_view()");
    EXPECT_EQ(message(good, view, {.method = lanecull::gjk_alone}), "options.method: there is no gjk in the plane");
    EXPECT_EQ(message(good, view), "");

    const flat::View before = view;
    const double inf = HUGE_VAL;
    EXPECT_FALSE(flat::prepare_view(flat::Rectangle{0, 0, 0, 1}, view));
    EXPECT_FALSE(flat::prepare_view(flat::Rectangle{0, 0, inf, 1}, view));
    EXPECT_FALSE(flat::prepare_view(flat::Rectangle{0, 0, 1e31, 1}, view));
    EXPECT_FALSE(flat::prepare_view(flat::TurnedRectangle{0, 0, 1, 1, 0, 0}, view));
    EXPECT_FALSE(flat::prepare_view(flat::TurnedRectangle{0, 0, 1, -1, 1, 0}, view));
    EXPECT_FALSE(flat::prepare_view_from_points(std::vector<double>{0, 0, 1, 1}, view));
    EXPECT_FALSE(flat::prepare_view_from_points(std::vector<double>{0, 0, 1, 1, 2, 2, 3, 3}, view));
    EXPECT_FALSE(flat::prepare_view_from_points(std::vector<double>(2 * 17, 1), view));
    EXPECT_FALSE(flat::prepare_view_from_points(std::vector<double>{0, 0, 1, 1, std::nan(""), 0}, view));
    EXPECT_EQ(std::memcmp(&before, &view, sizeof view), 0);

    flat::Polygon polygon;
    EXPECT_FALSE(flat::prepare_polygon(numbers, numbers, 0, polygon));
    EXPECT_FALSE(flat::prepare_polygon(nullptr, numbers, 3, polygon));
    const float bad[3] = {0, 1, std::nanf("")};
    EXPECT_FALSE(flat::prepare_polygon(bad, numbers, 3, polygon));
    EXPECT_EQ(polygon.count, 0u);
}

/// Points inside the hull, on its edges, and twice the same, in any order, are the same polygon.
TEST(FlatPolygons, AreHulls) {
    const float x[] = {0, 1, 0.5f, 0, 1, 0.5f, 0, 0.25f}, y[] = {0, 0, 0.5f, 1, 1, 0, 0, 1};
    flat::Polygon polygon;
    ASSERT_TRUE(flat::prepare_polygon(x, y, 8, polygon));
    ASSERT_EQ(polygon.count, 4u);
    EXPECT_GE(polygon.magnitude, 2.0f);  // rounded up
    EXPECT_LT(polygon.magnitude, 2.00001f);
    for (std::uint32_t k = 0; k < 4; ++k) {
        const std::uint32_t next = (k + 1) % 4, after = (k + 2) % 4;
        const float turn = (polygon.x[next] - polygon.x[k]) * (polygon.y[after] - polygon.y[next]) -
                           (polygon.y[next] - polygon.y[k]) * (polygon.x[after] - polygon.x[next]);
        EXPECT_EQ(turn, 1.0f);
    }
}

/// Points whose coordinates differ in size by up to 10^40: products of intervals do not tell on which side of a line
/// most of them are, so they may be on either chain of the hull.
TEST(FlatHulls, HaveNoMoreCornersThanPoints) {
    Random random(20'261'127);
    int views = 0, doubtful = 0;
    for (int round = 0; round < 20'000; ++round) {
        const double widest = random.log_range(1, 1e40);
        const auto number = [&] { return random.log_range(1, widest) * 1e-10 * (random.chance(0.5) ? 1 : -1); };
        std::vector<double> points(32);
        for (double& x : points) x = number();
        if (random.chance(0.5)) {  // all but on one line
            for (std::size_t k = 1; k < points.size(); k += 2)
                points[k] = points[k - 1] * (1 + random.range(-1, 1) * 0x1p-50);
        }
        flat::View view;
        if (flat::prepare_view_from_points(points, view)) {
            EXPECT_LE(contents_of(view).vertex_count, 16u);
            ++views;
            doubtful += contents_of(view).vertex_count > 12 ? 1 : 0;
        }
        float x[flat::Polygon::max_points], y[flat::Polygon::max_points];
        for (std::size_t k = 0; k < flat::Polygon::max_points; ++k) {
            x[k] = static_cast<float>(number());
            y[k] = round % 2 == 0 ? std::nextafter(x[k], 0.0f) : static_cast<float>(number());
        }
        flat::Polygon polygon;
        if (prepare_polygon(x, y, flat::Polygon::max_points, polygon)) {
            EXPECT_LE(polygon.count, flat::Polygon::max_points);
        }
    }
    EXPECT_GT(views, 100);
    EXPECT_GT(doubtful, 10);
}

}  // namespace
