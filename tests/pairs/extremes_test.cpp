#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

#include <lanecull/bounds.hpp>
#include <lanecull/pairs.hpp>

#include "support/culling.hpp"
#include "support/random.hpp"
#include "support/scale.hpp"

/// Numbers of extreme size. Pairs share a point by construction: their numbers are integers times a power of two, so
/// that both objects contain the point exactly. None may be apart, at a distance, or touch later than at time 0.

namespace {

using lanecull::Batch;
using lanecull::Hull;
using lanecull::HullInstances;

/// Asks about object 0 of each batch, on every instruction set.
void expect_together(const Batch::Shapes& a, const Batch::Shapes& b, const std::string& what) {
    const std::uint32_t zero = 0;
    const float motion[3] = {1, 1, 1};
    for (const lanecull::Isa isa : runnable_isas()) {
        for (const bool turned : {false, true}) {
            const Batch::Shapes &first = turned ? b : a, &second = turned ? a : b;
            std::uint64_t separated = 0;
            float lower = -1, upper = -1, earliest = -1;
            ASSERT_TRUE(lanecull::separate_pairs(first, second, {&zero, &zero, 1}, {&separated, 1}, {.isa = isa}));
            lanecull::PairDistanceOptions measured;
            measured.isa = isa;
            ASSERT_TRUE(lanecull::pair_distances(first, second, {&zero, &zero, 1}, {&lower, &upper}, measured));
            lanecull::PairCastOptions options;
            options.isa = isa;
            ASSERT_TRUE(lanecull::cast_pairs(first, second, {&zero, &zero, 1}, {&motion[0], &motion[1], &motion[2]},
                                             {&earliest}, options));
            EXPECT_EQ(separated, 0u) << what << ", " << lanecull::isa_name(isa);
            EXPECT_EQ(lower, 0) << what << ", " << lanecull::isa_name(isa);
            EXPECT_GE(upper, 0) << what << ", " << lanecull::isa_name(isa);
            EXPECT_EQ(earliest, 0) << what << ", " << lanecull::isa_name(isa);
        }
    }
}

Hull hull_of(const std::vector<std::array<float, 3>>& points) {
    std::vector<float> streams[3];
    for (const auto& p : points) {
        for (std::size_t k = 0; k < 3; ++k) streams[k].push_back(p[k]);
    }
    // prepare_hull() keeps pointers to these.
    static std::vector<std::array<std::vector<float>, 3>> kept;
    kept.push_back({streams[0], streams[1], streams[2]});
    Hull hull;
    const auto& s = kept.back();
    EXPECT_TRUE(
        lanecull::prepare_hull(s[0].data(), s[1].data(), s[2].data(), static_cast<std::uint32_t>(points.size()), hull));
    return hull;
}

HullInstances instance(const Hull& hull, const float (&transform)[12]) {
    HullInstances instances;
    instances.transforms = {transform};
    instances.hulls = &hull;
    instances.hull_count = 1;
    instances.count = 1;
    return instances;
}

TEST(PairExtremes, TinyVerticesOfALargeTransform) {
    const float t = 0x1p-140f;
    const Hull hulls[] = {hull_of({{t, t, t}}), hull_of({{t, t, t}, {-t, t, t}, {t, -t, t}, {t, t, -t}}),
                          hull_of({{t, 0, 0}, {-t, 0, 0}, {0, t, 0}, {0, 0, t}})};
    const float transform[12] = {0x1p120f, 0, 0, 0, 0, 0x1p120f, 0, 0, 0, 0, 0x1p120f, 0};
    const float low = -0x1p-19f, high = 0x1p-19f;
    for (const Hull& hull : hulls) {
        expect_together(instance(hull, transform), lanecull::Boxes{&low, &low, &low, &high, &high, &high, 1}, "box");
    }
}

TEST(PairExtremes, ColumnsWhoseSquaresOverflow) {
    std::vector<std::array<float, 3>> points;
    for (int k = 0; k < 8; ++k) {
        points.push_back({k & 1 ? 0x1p-70f : -0x1p-70f, k & 2 ? 0x1p-70f : -0x1p-70f, k & 4 ? 1.0f : -1.0f});
    }
    const Hull hull = hull_of(points);
    const float transform[12] = {0x1p70f, 0x1p70f, 0, 0, 0x1p70f, -0x1p70f, 0, 0, 0, 0, 0x1p-8f, 0};
    const float x = 1, zero = 0, radius = 0.5f;
    expect_together(instance(hull, transform), lanecull::Spheres{&x, &zero, &zero, &radius, 1}, "diamond");
}

TEST(PairExtremes, ObjectsOfDenormalSize) {
    const float zero = 0, end = 0x1p-149f, at = 0x1p-148f, radius = 0x1p-149f;
    expect_together(lanecull::Capsules{&zero, &zero, &zero, &end, &zero, &zero, &zero, 1},
                    lanecull::Spheres{&at, &zero, &zero, &radius, 1}, "segment and ball");
}

/// An object that contains p * 2^e, and the numbers that it is made of.
class Made {
public:
    Made(Random& random, const std::array<int, 3>& p, int e) {
        const auto power = [](int k) { return std::ldexp(1.0f, k); };
        const auto integer = [&](int size) { return static_cast<float>(random.below(2 * size + 1) - size); };
        const auto some = [&] { return static_cast<float>(1 + random.below(64)); };
        const float s = power(e);
        const float at[3] = {static_cast<float>(p[0]), static_cast<float>(p[1]), static_cast<float>(p[2])};
        switch (random.below(5)) {
            case 0: {
                const float k = some();
                put({s * (at[0] + 3 * k), s * at[1], s * (at[2] - 4 * k), 5 * k * s});
                shapes = lanecull::Spheres{&n_[0], &n_[1], &n_[2], &n_[3], 1};
                return;
            }
            case 1: {
                const float k = random.chance(0.5) ? 0 : some();
                const float end[3] = {at[0], at[1] + 4 * k, at[2] + 3 * k};
                put({s * end[0], s * end[1], s * end[2], s * (end[0] + integer(64)), s * (end[1] + integer(64)),
                     s * (end[2] + integer(64)), 5 * k * s});
                shapes = lanecull::Capsules{&n_[0], &n_[1], &n_[2], &n_[3], &n_[4], &n_[5], &n_[6], 1};
                return;
            }
            case 2: {
                put({s * at[0], s * (at[1] - some()), s * (at[2] - some()), s * (at[0] + some()), s * at[1],
                     s * (at[2] + some())});
                shapes = lanecull::Boxes{&n_[0], &n_[1], &n_[2], &n_[3], &n_[4], &n_[5], 1};
                return;
            }
            case 3: {
                const int k = split(random, e);
                const float half[3] = {some(), some(), some()}, inner = power(e - k), outer = power(k);
                put({s * (at[0] - half[0]), s * (at[1] + half[1]), s * at[2]});
                records_ = {outer, 0, 0, 0, outer, 0, 0, 0, outer, inner * half[0], inner * half[1], inner * half[2]};
                lanecull::OrientedBoxes boxes;
                boxes.x = &n_[0], boxes.y = &n_[1], boxes.z = &n_[2];
                boxes.axes = {&records_[0]}, boxes.half_extents = {&records_[9]}, boxes.count = 1;
                shapes = boxes;
                return;
            }
            default: {
                const int k = split(random, e);
                const float inner = power(e - k), outer = power(k);
                std::vector<std::array<float, 3>> points;
                float q[3];
                for (float& coordinate : q) coordinate = integer(64);
                points.push_back({inner * q[0], inner * q[1], inner * q[2]});
                for (int i = 0; i < 7; ++i) {
                    points.push_back({inner * integer(64), inner * integer(64), inner * integer(64)});
                }
                for (const auto& point : points) {
                    for (std::size_t j = 0; j < 3; ++j) streams_[j].push_back(point[j]);
                }
                EXPECT_TRUE(
                    lanecull::prepare_hull(streams_[0].data(), streams_[1].data(), streams_[2].data(), 8, hull_));
                records_ = {outer, 0, 0,     s * (at[0] - q[0]), 0, outer, 0, s * (at[1] - q[1]),
                            0,     0, outer, s * (at[2] - q[2])};
                HullInstances instances;
                instances.transforms = {&records_[0]};
                instances.hulls = &hull_, instances.hull_count = 1, instances.count = 1;
                shapes = instances;
            }
        }
    }
    Made(const Made&) = delete;

    Batch::Shapes shapes;

private:
    void put(std::initializer_list<float> numbers) { std::copy(numbers.begin(), numbers.end(), n_); }
    /// How 2^e is split between a transform and what it maps.
    static int split(Random& random, int e) {
        const int k = random.below(253) - 126;
        return e - k < -149 || e - k > 110 || k > 110 ? 0 : k;
    }

    float n_[7] = {};
    std::vector<float> records_, streams_[3];
    Hull hull_;
};

TEST(PairExtremes, ObjectsThatShareAPointAreNeverApart) {
    Random random(20261125);
    for (int i = 0; i < scaled(20'000) && !testing::Test::HasFailure(); ++i) {
        const int e = random.below(250) - 149;
        const std::array<int, 3> p = {random.below(129) - 64, random.below(129) - 64, random.below(129) - 64};
        const Made a(random, p, e), b(random, p, e);
        expect_together(a.shapes, b.shapes,
                        "2^" + std::to_string(e) + ", kinds " + std::to_string(a.shapes.index()) + " and " +
                            std::to_string(b.shapes.index()) + ", pair " + std::to_string(i));
    }
}

}  // namespace
