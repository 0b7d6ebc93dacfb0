#include <gtest/gtest.h>

#include <algorithm>
#include <bit>

#include "support/culling.hpp"
#include "support/generate.hpp"

/// Batches larger than a chunk, in which more objects stay undecided than a list holds, once as most of the objects and
/// once as far fewer than a third of them. The verdicts are those of the same objects in batches of a few hundred.

namespace {

using lanecull::Isa;

struct Words {
    std::vector<std::uint64_t> visible, inside;
};

class Chunks : public testing::TestWithParam<std::tuple<Isa, Kind>> {
protected:
    static constexpr std::size_t count = 17'000, piece = 640;

    const Isa isa_ = std::get<0>(GetParam());
    const Kind kind_ = std::get<1>(GetParam());
    lanecull::View view_;
    HullSet hulls_;
    std::vector<Object> objects_;

    /// One in `of` objects is near a corner of the volume, the others are anywhere.
    void SetUpObjects(unsigned of) {
        Random random(1'312 + static_cast<std::uint64_t>(kind_));
        const PreparedCamera prepared = random_prepared_camera(random, Projection::perspective);
        view_ = prepared.view;
        hulls_ = random_hulls(random, 3);
        for (std::size_t i = 0; i < count; ++i) {
            const Placement placement = i % of == 0 ? Placement::corner : Placement::uniform;
            objects_.push_back(random_object(random, kind_, prepared.camera, placement, hulls_));
            objects_.back().max_distance = static_cast<float>(random.log_range(1, 1e6));
        }
    }

    [[nodiscard]] Words cull(std::size_t first, std::size_t n, const Format& format, lanecull::Counts& counts) const {
        HeapMemory memory;
        const lanecull::Batch batch = make_batch(kind_, std::span(objects_).subspan(first, n), hulls_, memory, format);
        Words words{std::vector<std::uint64_t>((n + 63) / 64), std::vector<std::uint64_t>((n + 63) / 64)};
        lanecull::Output output = make_output(words.visible);
        output.inside = words.inside;
        lanecull::Explanation why;
        output.explanation = &why;
        std::vector<std::byte> scratch(lanecull::scratch_bytes({&batch, 1}, 1));
        const lanecull::Status status = lanecull::cull({&batch, 1}, {&view_, 1}, {&output, 1}, scratch, {.isa = isa_});
        EXPECT_TRUE(status.ok()) << status.message();
        counts += why.counts;
        return words;
    }

    /// Where an object is nearer to the volume than the bound, stages may differ: few are.
    static std::size_t differences(const std::vector<std::uint64_t>& a, const std::vector<std::uint64_t>& b) {
        std::size_t bits = 0;
        for (std::size_t w = 0; w < a.size(); ++w) bits += static_cast<std::size_t>(std::popcount(a[w] ^ b[w]));
        return bits;
    }

    void expect_same_in_pieces(const Format& format, lanecull::Counts& counts) const {
        const Words whole = cull(0, count, format, counts);
        Words pieces;
        lanecull::Counts sum;
        for (std::size_t first = 0; first < count; first += piece) {
            const Words words = cull(first, std::min(piece, count - first), format, sum);
            pieces.visible.insert(pieces.visible.end(), words.visible.begin(), words.visible.end());
            pieces.inside.insert(pieces.inside.end(), words.inside.begin(), words.inside.end());
        }
        EXPECT_LE(differences(whole.visible, pieces.visible), 2u);
        EXPECT_LE(differences(whole.inside, pieces.inside), 2u);
        EXPECT_EQ(counts[lanecull::Reason::culled_distance] == 0, sum[lanecull::Reason::culled_distance] == 0);
        expect_complete(counts, count);
    }
};

TEST_P(Chunks, WhereMostAreOpen) {
    SetUpObjects(1);
    lanecull::Counts counts;
    expect_same_in_pieces({}, counts);
    EXPECT_GT(counts[lanecull::Reason::culled_gjk] + counts[lanecull::Reason::visible_overlap] +
                  counts[lanecull::Reason::visible_vertex],
              kind_ == Kind::hull ? 1'500u : 3'500u);
}

TEST_P(Chunks, WhereFewAreLeftAndStillMany) {
    SetUpObjects(3);
    Format format;
    format.streams.max_distance = true;
    lanecull::Counts counts;
    expect_same_in_pieces(format, counts);
    EXPECT_GT(counts[lanecull::Reason::culled_distance], 200u);
    // Of chunks of 16,384, more than a list holds and less than a third.
    const std::uint64_t asked_for_distance = counts.visible() + counts[lanecull::Reason::culled_distance];
    if (kind_ == Kind::sphere || kind_ == Kind::box || kind_ == Kind::centered_box) {
        EXPECT_GT(asked_for_distance, 2'800u);
        EXPECT_LT(asked_for_distance, count / 3 - 200);
    }
}

std::string parameter_name(const testing::TestParamInfo<Chunks::ParamType>& info) {
    return isa_label(std::get<0>(info.param)) + "_" + kind_name(std::get<1>(info.param));
}

INSTANTIATE_TEST_SUITE_P(All, Chunks,
                         testing::Combine(testing::ValuesIn(runnable_isas().begin(), runnable_isas().end()),
                                          testing::ValuesIn(all_kinds)),
                         parameter_name);

}  // namespace
