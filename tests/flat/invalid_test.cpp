#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "flat/figures.hpp"
#include "flat/running.hpp"
#include "support/culling.hpp"

/// Invalid 2D records are visible and counted as invalid in any lane, and do not change the verdicts of their
/// neighbours.

namespace {

using namespace flat_tests;

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float nan_value = std::numeric_limits<float>::quiet_NaN();

class FlatInvalid : public testing::TestWithParam<std::tuple<lanecull::Isa, Kind, ViewKind>> {
protected:
    const lanecull::Isa isa_ = std::get<0>(GetParam());
    const Kind kind_ = std::get<1>(GetParam());
    const std::size_t count_ = 2 * lanecull::isa_lanes(isa_) + 1;
    TestView view_;
    lanecull::flat::Polygon polygon_;
    std::vector<Object> objects_;

    /// All culled, by every stage, so that being visible means something and every stage meets the bad one.
    void SetUp() override {
        Random random(23);
        view_ = random_view(random, std::get<2>(GetParam()));
        polygon_ = random_polygon(random);
        while (objects_.size() < count_) {
            const Object object = random_object(random, kind_, view_, polygon_);
            if (cull({object}).visible_count == 0) objects_.push_back(object);
        }
    }

    [[nodiscard]] FlatResult cull(const std::vector<Object>& objects) const {
        HeapMemory memory;
        return run_flat(make_batch(kind_, objects, polygon_, memory), view_.view, {.isa = isa_});
    }

    /// Object `bad` alone is visible, and counted as invalid.
    void expect_visible(std::size_t bad, std::size_t field, float number) const {
        std::vector<Object> objects = objects_;
        objects[bad].fields[field] = number;
        const FlatResult result = cull(objects);
        ASSERT_EQ(result.indices, std::vector{static_cast<std::uint32_t>(bad)}) << "field " << field << " " << number;
        ASSERT_EQ(result.counts[lanecull::Reason::visible_invalid], 1u) << "field " << field << " " << number;
        ASSERT_FALSE(result.inside(bad));
    }
};

TEST_P(FlatInvalid, NumbersThatAreNotFinite) {
    for (std::size_t bad = 0; bad < count_; ++bad) {
        for (std::size_t field = 0; field < field_count(kind_); ++field) {
            for (const float number : {nan_value, -nan_value, infinity, -infinity}) expect_visible(bad, field, number);
        }
    }
}

TEST_P(FlatInvalid, NegativeSizes) {
    for (std::size_t bad = 0; bad < count_; ++bad) {
        if (kind_ == Kind::circle) expect_visible(bad, 2, -1e-3f);
        if (kind_ == Kind::capsule) expect_visible(bad, 4, -1e-30f);
        if (kind_ == Kind::oriented_box) expect_visible(bad, 4, -1.0f);
        if (kind_ == Kind::oriented_box) expect_visible(bad, 5, -1e-3f);
        if (kind_ != Kind::box) continue;
        const auto& f = objects_[bad].fields;
        expect_visible(bad, 0, std::nextafterf(f[2], infinity));
        expect_visible(bad, 1, std::nextafterf(f[3], infinity));
    }
}

/// Pairs of fields, for bad numbers that hide each other.
TEST_P(FlatInvalid, TwoAtATime) {
    for (std::size_t a = 0; a < field_count(kind_); ++a) {
        for (std::size_t b = 0; b < field_count(kind_); ++b) {
            for (const float number : {nan_value, infinity, -infinity}) {
                std::vector<Object> objects = objects_;
                objects[0].fields[a] = number;
                objects[0].fields[b] = -number;
                const FlatResult result = cull(objects);
                ASSERT_EQ(result.indices, std::vector<std::uint32_t>{0}) << a << ' ' << b << ' ' << number;
                ASSERT_EQ(result.counts[lanecull::Reason::visible_invalid], 1u);
            }
        }
    }
}

/// Finite numbers near the ends of the range are either proved apart or kept; the oracle says which would be wrong.
TEST_P(FlatInvalid, HugeAndTinyNumbersAreNeverCulledWrongly) {
    Random random(7);
    for (int k = 0; k < 40; ++k) {
        std::vector<Object> objects = objects_;
        for (Object& object : objects) {
            const auto field = static_cast<std::size_t>(random.below(static_cast<int>(field_count(kind_))));
            object.fields[field] = static_cast<float>(random.sign() * std::exp2(random.range(-149, 127.9)));
        }
        const FlatResult result = cull(objects);
        for (std::size_t i = 0; i < count_; ++i) {
            if (result.visible(i)) continue;
            const flat_oracle::Figure figure = figure_of(kind_, objects[i], polygon_);
            ASSERT_FALSE(flat_oracle::within(figure, view_.figure)) << describe(kind_, objects[i]) << view_.text;
        }
    }
}

std::string name_of(const testing::TestParamInfo<FlatInvalid::ParamType>& test) {
    constexpr const char* views[] = {"rectangle", "turned", "triangle", "polygon"};
    return isa_label(std::get<0>(test.param)) + "_" + kind_name(std::get<1>(test.param)) + "_" +
           views[static_cast<int>(std::get<2>(test.param))];
}

INSTANTIATE_TEST_SUITE_P(All, FlatInvalid,
                         testing::Combine(testing::ValuesIn(runnable_isas().begin(), runnable_isas().end()),
                                          testing::ValuesIn(all_kinds),
                                          testing::Values(ViewKind::rectangle, ViewKind::turned, ViewKind::polygon)),
                         name_of);

}  // namespace
