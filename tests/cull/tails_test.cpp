#include <gtest/gtest.h>

#include <cstring>

#include "calls/kinds.hpp"
#include "support/culling.hpp"
#include "support/generate.hpp"

/// Every count from 0 to 4 W + 1 objects, of every kind, on every instruction set, with arrays that end or start at a
/// guard page, at 4-byte alignment, and with records at a stride. The verdicts are those of the same objects in a
/// larger batch, and nothing outside the arrays is read or written.

namespace {

using lanecull::Isa;

class Tails : public testing::TestWithParam<std::tuple<Isa, Kind>> {
protected:
    const Isa isa_ = std::get<0>(GetParam());
    const Kind kind_ = std::get<1>(GetParam());
    const std::size_t most_ = 4 * lanecull::isa_lanes(isa_) + 1;

    void SetUp() override {
        Random random(5 + static_cast<std::uint64_t>(kind_));
        PreparedCamera prepared = random_prepared_camera(random, Projection::perspective);
        view_ = prepared.view;
        hulls_ = random_hulls(random, 3);
        // Objects near corners, where all stages have work to do.
        while (objects_.size() < 256) {
            Object object = random_object(random, kind_, prepared.camera, Placement::corner, hulls_);
            grow(random, kind_, hulls_, Streams::all(), object);
            mark(random, object);
            object.max_distance = static_cast<float>(random.log_range(0.01, 1e6));
            object.min_projected_size = static_cast<float>(random.log_range(1e-5, 0.1));
            if (random.chance(0.3)) object.min_distance = static_cast<float>(random.log_range(0.01, 1e6));
            objects_.push_back(object);
        }
        HeapMemory memory;
        whole_ = run_cull(make_batch(kind_, objects_, hulls_, memory), view_, {.isa = isa_});
        whole_with_attributes_ =
            run_cull(make_batch(kind_, objects_, hulls_, memory, {.streams = Streams::all()}), view_, {.isa = isa_});
    }

    /// Culls the first `count` objects with all arrays, outputs and scratch in `memory`.
    void check(std::size_t count, Memory& memory, const Format& format) const {
        SCOPED_TRACE(count);
        const ViewResult& whole = format.streams.margin ? whole_with_attributes_ : whole_;
        lanecull::Batch batch = make_batch(kind_, std::span(objects_).first(count), hulls_, memory, format);
        std::size_t visible = 0;
        for (std::size_t i = 0; i < count; ++i) visible += whole.visible(i);
        const std::span<const lanecull::Batch> batches(&batch, 1);
        const std::size_t words = lanecull::visibility_words(batches);
        const std::size_t scratch_bytes = lanecull::scratch_bytes(batches, 1);
        lanecull::Output output = {.visible = {memory.array<std::uint64_t>(words), words},
                                   .indices = {memory.array<std::uint32_t>(visible), visible}};
        const std::span<std::byte> scratch(memory.array<std::byte>(scratch_bytes), scratch_bytes);
        const std::vector<lanecull::VisibleRun> runs = runs_of(whole, count);
        output.inside = {memory.array<std::uint64_t>(words), words};
        lanecull::Explanation why{.certificates = {memory.array<lanecull::Certificate>(count), count}};
        if (count % 2 == 0) output.explanation = &why;
        output.runs = {memory.array<lanecull::VisibleRun>(runs.size()), runs.size()};
        give_draws(count, visible, memory, batch, output.draws);
        const lanecull::Status status = lanecull::cull(batches, {&view_, 1}, {&output, 1}, scratch, {.isa = isa_});
        ASSERT_TRUE(status.ok()) << status.message();
        ASSERT_EQ(output.visible_count, visible);
        for (std::size_t w = 0; w < words; ++w) {
            const std::size_t here = std::min<std::size_t>(64, count - 64 * w);
            const std::uint64_t mask = here == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << here) - 1;
            ASSERT_EQ(output.visible[w], whole.words[w] & mask) << "word " << w;
        }
        for (std::size_t i = 0; i < visible; ++i) ASSERT_EQ(output.indices[i], whole.indices[i]);
        for (std::size_t i = 0; i < runs.size(); ++i) ASSERT_EQ(output.runs[i], runs[i]);
        for (std::size_t i = 0; i < visible; ++i) ASSERT_EQ(drawn(output.draws, i), 3 * whole.indices[i]);
        for (std::size_t w = 0; w < words; ++w) ASSERT_EQ(output.inside[w] & ~output.visible[w], 0u);
    }

    static std::vector<lanecull::VisibleRun> runs_of(const ViewResult& whole, std::size_t count) {
        std::vector<lanecull::VisibleRun> runs;
        for (std::uint32_t i = 0; i < count; ++i) {
            if (!whole.visible(i)) continue;
            if (i == 0 || !whole.visible(i - 1)) runs.push_back({i, 0});
            ++runs.back().count;
        }
        return runs;
    }

    /// One template an object, distinguished by index_count; room for exactly those that are visible.
    static void give_draws(std::size_t count, std::size_t visible, Memory& memory, lanecull::Batch& batch,
                           lanecull::DrawOutput& draws) {
        constexpr std::size_t size = sizeof(lanecull::DrawCommand) / sizeof(std::uint32_t);
        if (count == 0) return;
        auto* templates = memory.array<std::uint32_t>(count * size);
        for (std::size_t i = 0; i < count; ++i) templates[i * size] = static_cast<std::uint32_t>(3 * i);
        batch.draws = {reinterpret_cast<const lanecull::DrawCommand*>(templates), lanecull::DrawTemplates::Per::object};
        draws.memory = std::as_writable_bytes(std::span(memory.array<std::uint32_t>(visible * size), visible * size));
        draws.count = memory.array<std::uint32_t>(1);
    }

    static std::uint32_t drawn(const lanecull::DrawOutput& draws, std::size_t i) {
        std::uint32_t index_count;
        std::memcpy(&index_count, draws.memory.data() + i * sizeof(lanecull::DrawCommand), sizeof index_count);
        return index_count;
    }

    lanecull::View view_;
    HullSet hulls_;
    std::vector<Object> objects_;
    ViewResult whole_, whole_with_attributes_;
};

TEST_P(Tails, HaveWorkForEveryStage) {
    EXPECT_GT(whole_.visible_count, 40u);
    EXPECT_GT(whole_.counts[lanecull::Reason::culled_plane] + whole_.counts[lanecull::Reason::culled_gjk], 20u);
    EXPECT_GT(whole_.counts[lanecull::Reason::culled_gjk], 0u);
    EXPECT_GT(whole_.counts[lanecull::Reason::visible_overlap], 0u);
    const lanecull::Counts& s = whole_with_attributes_.counts;
    EXPECT_EQ(s.objects(), objects_.size());
    for (const std::uint64_t count :
         {s[lanecull::Reason::culled_disabled], s[lanecull::Reason::culled_layer], s[lanecull::Reason::culled_distance],
          s[lanecull::Reason::culled_near], s[lanecull::Reason::culled_size], s[lanecull::Reason::culled_plane],
          s[lanecull::Reason::visible_always], s[lanecull::Reason::visible_inside]}) {
        EXPECT_GT(count, 0u);
    }
}

TEST_P(Tails, StayWithinGuardPages) {
    for (std::size_t count = 0; count <= most_; ++count) {
        for (const auto against : {GuardedMemory::Against::end, GuardedMemory::Against::start}) {
            for (const bool bounds : {true, false}) {
                GuardedMemory memory(against);
                check(count, memory, {.bounds = bounds});
                check(count, memory, {.bounds = bounds, .streams = Streams::all()});
            }
        }
    }
}

/// From 128 objects on a chunk's are sampled, and may all be measured, or passed on.
TEST_P(Tails, StayWithinGuardPagesWhereMostAreOpen) {
    for (std::size_t count = 128; count <= 128 + most_; ++count) {
        GuardedMemory memory(GuardedMemory::Against::end);
        check(count, memory, {.bounds = true});
    }
}

TEST_P(Tails, WorkAtAnyAlignmentAndStride) {
    for (std::size_t count = 0; count <= most_; ++count) {
        for (const std::size_t offset : {1u, 3u}) {
            for (const std::size_t stride : {12u, 13u, 16u}) {
                HeapMemory memory(offset);
                check(count, memory, {.stride_floats = stride});
                check(count, memory, {.stride_floats = stride, .streams = Streams::all()});
            }
        }
    }
}

TEST_P(Tails, WorkAtTheLargestStride) {
    HeapMemory memory;
    check(most_, memory, {.stride_floats = 65'536 / sizeof(float)});
}

/// Arrays end where no more memory can be read, and the batch is said to go on.
TEST_P(Tails, ObjectsThatAreNoCandidatesAreNotRead) {
    for (const lanecull::Method method : all_methods) {
        const lanecull::CullOptions options{.method = method, .isa = isa_};
        for (const bool attributes : {false, true}) {
            for (const std::uint32_t count : {64u, 256u, 16'384u}) {
                GuardedMemory memory(GuardedMemory::Against::end);
                std::vector<Object> objects;
                while (objects.size() < count) objects.push_back(objects_[objects.size() % objects_.size()]);
                lanecull::Batch batch =
                    make_batch(kind_, objects, hulls_, memory,
                               {.bounds = !attributes, .streams = attributes ? Streams::all() : Streams{}});
                const std::vector<std::uint64_t> whole = run_cull(batch, view_, options).words;
                lanecull::visit(batch, [](auto& shapes) {
                    shapes.count += 20'001;
                    if constexpr (requires { shapes.local; }) shapes.local.boxes.count = shapes.count;
                });
                std::vector<std::uint64_t> candidates(lanecull::visibility_words({&batch, 1})),
                    visible(candidates.size());
                std::fill_n(candidates.begin(), count / 64, ~std::uint64_t{0});
                lanecull::Explanation why;
                lanecull::Output output{.visible = visible, .candidates = candidates, .explanation = &why};
                std::vector<std::byte> scratch(lanecull::scratch_bytes({&batch, 1}, 1));
                ASSERT_TRUE(lanecull::cull({&batch, 1}, {&view_, 1}, {&output, 1}, scratch, options));
                visible.resize(count / 64);
                EXPECT_EQ(visible, whole);
                EXPECT_EQ(why.counts[lanecull::Reason::culled_candidate], 20'001u);
            }
        }
    }
}

std::string parameter_name(const testing::TestParamInfo<Tails::ParamType>& info) {
    return isa_label(std::get<0>(info.param)) + "_" + kind_name(std::get<1>(info.param));
}

INSTANTIATE_TEST_SUITE_P(All, Tails,
                         testing::Combine(testing::ValuesIn(runnable_isas().begin(), runnable_isas().end()),
                                          testing::ValuesIn(all_kinds)),
                         parameter_name);

}  // namespace
