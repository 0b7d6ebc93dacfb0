#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "calls/order.hpp"
#include "calls/visible_lists.hpp"
#include "support/culling.hpp"
#include "support/random.hpp"

/// Outputs of cull() and candidates: long lists, no objects, arguments that are refused, and how lists are sorted. The
/// family "outputs" (properties/) has all outputs of all sizes.

namespace {

using lanecull::Batch;
using lanecull::View;

class Outputs : public testing::TestWithParam<std::tuple<lanecull::Isa, lanecull::Method>> {
protected:
    const lanecull::CullOptions options_{.method = std::get<1>(GetParam()), .isa = std::get<0>(GetParam())};
};

View unit_view() {
    View view;
    const double unit[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    EXPECT_TRUE(lanecull::prepare_view(std::span<const double, 16>(unit), {}, view));
    return view;
}

/// Templates distinguished by their numbers.
lanecull::DrawCommand template_of(std::uint32_t i) { return {3 * i + 1, 1, i, -static_cast<std::int32_t>(i), 7 * i}; }

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
    const View view = unit_view();
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

TEST_P(Outputs, OfNoObjectsAreEmpty) {
    const View view = unit_view();
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

std::string parameter_name(const testing::TestParamInfo<Outputs::ParamType>& info) {
    return isa_label(std::get<0>(info.param)) + "_" + method_name(std::get<1>(info.param));
}

INSTANTIATE_TEST_SUITE_P(All, Outputs,
                         testing::Combine(testing::ValuesIn(runnable_isas().begin(), runnable_isas().end()),
                                          testing::ValuesIn(all_methods)),
                         parameter_name);

TEST(OutputArguments, TooManyBatchRangesAreRefused) {
    const View view = unit_view();
    std::vector<lanecull::BatchRange> too_many(3, {7, 7});
    const Batch batches[] = {lanecull::Spheres{}, lanecull::Boxes{}};
    std::vector<std::byte> scratch(lanecull::scratch_bytes(batches, 1));
    lanecull::Output output;
    output.batch_ranges = too_many;
    EXPECT_STREQ(lanecull::cull(batches, {&view, 1}, {&output, 1}, scratch).message(),
                 "outputs[0].batch_ranges: must be none or one for each of 2 batches, not 3");
    EXPECT_EQ(too_many.front(), (lanecull::BatchRange{7, 7}));
}

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

// The sort of ordered lists by itself: numbers far apart and close together, so that each of its ways is taken. Whole
// calls are in properties/views/ordered.cpp.

/// Of any spread: a cluster of 2^bits numbers, with some anywhere.
std::vector<lanecull::OrderEntry> any_entries(Random& random, std::size_t count) {
    const auto first = static_cast<std::uint32_t>(random.bits());
    const std::uint64_t mask = (std::uint64_t{1} << random.below(33)) - 1;
    const double outside = random.chance(0.5) ? 0 : random.unit();
    std::vector<lanecull::OrderEntry> entries;
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint64_t number = random.chance(outside) ? random.bits() >> 32 : first + (random.bits() & mask);
        entries.push_back((number & 0xffff'ffff) << 32 | i);
    }
    return entries;
}

TEST(Order, SortsNumbersOfAnySpread) {
    Random random(91);
    for (int n = 0; n < scaled(3000); ++n) {
        const auto count = static_cast<std::size_t>(random.log_range(1, n % 50 == 0 ? 20'000 : 400));
        const std::vector<lanecull::OrderEntry> entries = any_entries(random, count);
        lanecull::NumberRange range;
        for (const lanecull::OrderEntry entry : entries) range.add(static_cast<std::uint32_t>(entry >> 32));
        // Pieces lie in the memory between passes, with gaps, as ranges' entries do.
        const std::size_t piece = 1 + random.bits() % count;
        std::vector<lanecull::OrderEntry> noted(3 * count + piece), sorted(count);
        std::vector<std::span<const lanecull::OrderEntry>> pieces;
        for (std::size_t at = 0, to = 0; at < count; at += piece, to += piece + random.bits() % (piece + 1)) {
            const std::size_t size = std::min(piece, count - at);
            std::copy_n(entries.begin() + static_cast<std::ptrdiff_t>(at), size, noted.data() + to);
            pieces.push_back({noted.data() + to, size});
        }
        const auto each_piece = [&](const auto& visit) { std::ranges::for_each(pieces, visit); };
        std::make_unique<lanecull::RadixSort<decltype(each_piece)>>(each_piece, range, sorted, noted.data())->run();
        std::vector<lanecull::OrderEntry> expected = entries;
        std::ranges::stable_sort(expected, {}, [](lanecull::OrderEntry entry) { return entry >> 32; });
        ASSERT_EQ(sorted, expected) << n;
    }
}

}  // namespace
