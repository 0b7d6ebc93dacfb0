#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "support/culling.hpp"
#include "support/generate.hpp"

/// Certificates as an output: there is one for each object, in the batches' order, and verdicts and counts are those of
/// a call without certificates. The prover (prove/) verifies what they prove.

namespace {

using lanecull::Batch;
using lanecull::Certificate;
using lanecull::Reason;

using lanecull::Counts;

class Certificates : public testing::TestWithParam<std::tuple<lanecull::Isa, lanecull::Method>> {};

/// A batch of each kind, some with attributes of every sort and some objects that are none.
std::vector<Batch> batches_of_all_kinds(Random& random, const PreparedCamera& prepared, const HullSet& hulls,
                                        GuardedMemory& memory) {
    std::vector<Batch> batches;
    for (const Kind kind : all_kinds) {
        const std::size_t count = std::array{0u, 1u, 64u, 131u, 700u, 9000u, 77u}[batches.size() % 7];
        std::vector<Object> objects = random_objects(random, kind, prepared.camera, count, hulls);
        const bool attributes = random.chance(0.5);
        for (Object& object : objects) {
            if (!attributes) break;
            if (random.chance(0.3)) mark(random, object);
            if (random.chance(0.3)) grow(random, kind, hulls, {.margin = true, .sweep = true}, object);
            if (random.chance(0.3)) object.max_distance = static_cast<float>(random.log_range(0.1, 1e4));
            if (random.chance(0.1)) object.min_distance = static_cast<float>(random.log_range(0.1, 1e4));
            if (random.chance(0.3)) object.min_projected_size = static_cast<float>(random.log_range(1e-4, 1));
            if (random.chance(0.05)) object.fields[0] = std::nanf("");
        }
        batches.push_back(make_batch(kind, objects, hulls, memory,
                                     {.bounds = !attributes, .streams = attributes ? Streams::all() : Streams{}}));
    }
    return batches;
}

/// What certificates told.
struct Told {
    Counts reasons{};
    std::uint64_t apart_at_edges = 0;  // by an edge's planes: no depth is cut

    [[nodiscard]] std::uint64_t of(Reason reason) const { return reasons[reason]; }

    /// Each says of its object what the bit says, and has a direction where one was found.
    void add(std::span<const Batch> batches, std::span<const Certificate> certificates,
             std::span<const std::uint64_t> words) {
        std::size_t word = 0, at = 0;
        for (const Batch& batch : batches) {
            for (std::size_t i = 0; i < batch.count(); ++i, ++at) {
                const Certificate& c = certificates[at];
                ASSERT_LT(static_cast<std::size_t>(c.reason), lanecull::reason_count) << at;
                ++reasons[c.reason];
                ASSERT_EQ(is_culled(c.reason), (words[word + i / 64] >> i % 64 & 1) == 0) << at;
                const bool by_gjk = c.reason == Reason::culled_gjk;
                ASSERT_EQ(c.gap > 0, by_gjk) << at;
                ASSERT_EQ(std::hypot(c.direction[0], c.direction[1], c.direction[2]) > 0, by_gjk) << at;
                if (!by_gjk) continue;
                ASSERT_GT(c.steps, 0) << at;
                apart_at_edges += std::isinf(c.far_depth);
            }
            word += (batch.count() + 63) / 64;
        }
    }
};

/// Every reason that the method has.
void expect_every_reason(const Told& seen, lanecull::Method method) {
    const bool planes = method == lanecull::Method::planes, gjk = method == lanecull::gjk_alone;
    for (const Reason reason :
         {Reason::culled_distance, Reason::culled_near, Reason::culled_size, Reason::culled_disabled,
          Reason::culled_layer, Reason::visible_always, Reason::visible_invalid}) {
        EXPECT_GT(seen.of(reason), 5u) << static_cast<int>(reason);
    }
    EXPECT_EQ(seen.of(Reason::culled_plane) > 100, !gjk);
    EXPECT_EQ(seen.of(Reason::visible_inside) > 100, !planes && !gjk);
    EXPECT_EQ(seen.of(Reason::culled_gjk) > 10, !planes);
    // Some of what no plane keeps out never comes to GJK.
    if (planes || gjk) {
        EXPECT_EQ(seen.apart_at_edges, 0u);
    } else {
        EXPECT_GT(seen.apart_at_edges, 10u);
    }
    EXPECT_EQ(seen.of(Reason::visible_overlap) > 10, !planes);
    EXPECT_EQ(seen.of(Reason::visible_planes) > 10, planes);
    // With Method::planes all that is kept is kept for one reason.
    if (planes) {
        EXPECT_EQ(seen.of(Reason::visible_inside) + seen.of(Reason::visible_vertex), 0u);
    }
}

TEST_P(Certificates, TellWhatSettledEachObject) {
    const lanecull::CullOptions options{.method = std::get<1>(GetParam()), .isa = std::get<0>(GetParam())};
    Random random(77);
    Told seen;
    for (const Projection projection : all_projections) {
        const PreparedCamera prepared = random_prepared_camera(random, projection);
        const HullSet hulls = random_hulls(random, 4);
        GuardedMemory memory(GuardedMemory::Against::end);
        const std::vector<Batch> batches = batches_of_all_kinds(random, prepared, hulls, memory);
        const std::span<const lanecull::View> view(&prepared.view, 1);
        const ViewResult frame = run_cull(batches, view, options).front();
        std::size_t count = 0;
        for (const Batch& batch : batches) count += batch.count();
        const std::span<Certificate> certificates(memory.array<Certificate>(count), count);
        for (Certificate& certificate : certificates) certificate.reason = static_cast<Reason>(99);
        std::vector<std::uint64_t> words(frame.words.size());
        lanecull::Explanation why{.certificates = certificates};
        lanecull::Output output{.visible = words, .explanation = &why};
        std::vector<std::byte> scratch(lanecull::scratch_bytes(batches, 1));
        ASSERT_TRUE(lanecull::cull(batches, view, {&output, 1}, scratch, options));
        EXPECT_EQ(words, frame.words);
        EXPECT_EQ(why.counts, frame.counts);
        Told told;
        told.add(batches, certificates, words);
        EXPECT_EQ(told.reasons, frame.counts);
        seen.reasons += told.reasons;
        seen.apart_at_edges += told.apart_at_edges;
    }
    expect_every_reason(seen, options.method);
}

INSTANTIATE_TEST_SUITE_P(All, Certificates,
                         testing::Combine(testing::ValuesIn(runnable_isas()), testing::ValuesIn(all_methods)),
                         [](const auto& parameter) {
                             return isa_label(std::get<0>(parameter.param)) + "_" +
                                    method_name(std::get<1>(parameter.param));
                         });

}  // namespace
