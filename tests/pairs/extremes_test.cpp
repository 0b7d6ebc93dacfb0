#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include <lanecull/bounds.h>
#include <lanecull/pairs.h>

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
void expect_together(const Batch& a, const Batch& b, const std::string& what) {
    const std::uint32_t zero = 0;
    const float motion[3] = {1, 1, 1};
    for (const lanecull::Isa isa : runnable_isas()) {
        for (const bool turned : {false, true}) {
            const Batch &first = turned ? b : a, &second = turned ? a : b;
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

/// A hull and the vertices that it points to.
struct OwnedHull {
    std::vector<float> x, y, z;
    Hull hull;

    explicit OwnedHull(const std::vector<std::array<float, 3>>& points) {
        for (const auto& p : points) x.push_back(p[0]), y.push_back(p[1]), z.push_back(p[2]);
        const auto count = static_cast<std::uint32_t>(points.size());
        EXPECT_TRUE(lanecull::prepare_hull(x.data(), y.data(), z.data(), count, hull));
    }
    OwnedHull(const OwnedHull&) = delete;
};

HullInstances instance(const OwnedHull& hull, const float* transform) {
    HullInstances instances;
    instances.transforms = {.first = transform, .layout = lanecull::TransformLayout::rows_3x4};
    instances.hulls = &hull.hull;
    instances.hull_count = 1;
    instances.count = 1;
    return instances;
}

TEST(PairExtremes, TinyVerticesOfALargeTransform) {
    const float t = 0x1p-140f;
    const std::vector<std::array<float, 3>> hulls[] = {
        {{t, t, t}}, {{t, t, t}, {-t, t, t}, {t, -t, t}, {t, t, -t}}, {{t, 0, 0}, {-t, 0, 0}, {0, t, 0}, {0, 0, t}}};
    const float transform[12] = {0x1p120f, 0, 0, 0, 0, 0x1p120f, 0, 0, 0, 0, 0x1p120f, 0};
    const float low = -0x1p-19f, high = 0x1p-19f;
    for (const auto& points : hulls) {
        const OwnedHull hull(points);
        expect_together(instance(hull, transform), lanecull::Boxes{&low, &low, &low, &high, &high, &high, 1}, "box");
    }
}

/// Scaled so that the pair's size is 1, the columns are 2^110 to 2^150, an axis of its own each. The cube and the ball
/// are apart by half of the cube's size.
TEST(PairExtremes, LargeColumnsAreNoReasonToKeep) {
    for (const int e : {-149, -140, -130, -100, -90}) {
        const float tiny = std::ldexp(1.0f, e);
        for (const std::array<float, 3>& sizes : {std::array{tiny, tiny, tiny}, {tiny, 1.0f, 0x1p30f}}) {
            std::vector<std::array<float, 3>> points;
            for (int k = 0; k < 8; ++k) {
                points.push_back(
                    {k & 1 ? sizes[0] : -sizes[0], k & 2 ? sizes[1] : -sizes[1], k & 4 ? sizes[2] : -sizes[2]});
            }
            const OwnedHull hull(points);
            const float half = 0x1p-25f;  // of the placed cube: columns of up to 2^124
            const float transform[12] = {half / sizes[0], 0, 0, 0, 0, half / sizes[1], 0, 0, 0, 0, half / sizes[2], 0};
            const float x = 2.5f * half, zero = 0, radius = half, near = 2 * half;
            const Batch cube = instance(hull, transform);
            expect_together(cube, lanecull::Spheres{&near, &zero, &zero, &radius, 1}, "cube and ball");
            for (const lanecull::Isa isa : runnable_isas()) {
                const std::uint32_t first = 0;
                std::uint64_t separated = 0;
                const Batch ball = lanecull::Spheres{&x, &zero, &zero, &radius, 1};
                ASSERT_TRUE(lanecull::separate_pairs(cube, ball, {&first, &first, 1}, {&separated, 1}, {.isa = isa}));
                EXPECT_EQ(separated, 1u) << lanecull::isa_name(isa) << ", vertices of 2^" << e;
                float lower = -1, upper = -1;
                lanecull::PairDistanceOptions measured;
                measured.isa = isa;
                ASSERT_TRUE(lanecull::pair_distances(cube, ball, {&first, &first, 1}, {&lower, &upper}, measured));
                EXPECT_NEAR(lower, half / 2, 1e-4f * half) << lanecull::isa_name(isa) << ", vertices of 2^" << e;
                EXPECT_NEAR(upper, half / 2, 1e-4f * half) << lanecull::isa_name(isa) << ", vertices of 2^" << e;
            }
        }
    }
}

TEST(PairExtremes, ColumnsWhoseSquaresOverflow) {
    std::vector<std::array<float, 3>> points;
    for (int k = 0; k < 8; ++k) {
        points.push_back({k & 1 ? 0x1p-70f : -0x1p-70f, k & 2 ? 0x1p-70f : -0x1p-70f, k & 4 ? 1.0f : -1.0f});
    }
    const OwnedHull hull(points);
    const float transform[12] = {0x1p70f, 0x1p70f, 0, 0, 0x1p70f, -0x1p70f, 0, 0, 0, 0, 0x1p-8f, 0};
    const float x = 1, zero = 0, radius = 0.5f;
    expect_together(instance(hull, transform), lanecull::Spheres{&x, &zero, &zero, &radius, 1}, "diamond");
}

TEST(PairExtremes, ObjectsOfDenormalSize) {
    const float zero = 0, end = 0x1p-149f, at = 0x1p-148f, radius = 0x1p-149f;
    expect_together(lanecull::Capsules{&zero, &zero, &zero, &end, &zero, &zero, &zero, 1},
                    lanecull::Spheres{&at, &zero, &zero, &radius, 1}, "segment and ball");
}

/// An object that contains p * 2^e, on its boundary as a rule, and the numbers that it is made of.
class Made {
public:
    Made(Random& random, const std::array<int, 3>& p, int e) : random_(random), e_(e) {
        for (std::size_t k = 0; k < 3; ++k) at_[k] = static_cast<float>(p[k]);
        constexpr void (Made::*kinds[])() = {&Made::make_sphere, &Made::make_capsule, &Made::make_box,
                                             &Made::make_oriented_box, &Made::make_hull};
        (this->*kinds[random.below(5)])();
    }
    Made(const Made&) = delete;

    Batch shapes;

private:
    static float power(int k) { return std::ldexp(1.0f, k); }
    float integer(int size) { return static_cast<float>(random_.below(2 * size + 1) - size); }
    float some() { return static_cast<float>(1 + random_.below(64)); }
    /// Adds numbers that are multiplied by 2^e; streams point at them once all are there.
    void put(std::initializer_list<float> numbers) {
        for (const float number : numbers) numbers_.push_back(power(e_) * number);
    }
    /// How 2^e is split between a transform, 2^k, and what it maps, 2^(e - k).
    int split() {
        const int k = random_.below(253) - 126;
        return e_ - k < -149 || e_ - k > 110 || k > 110 ? 0 : k;
    }

    /// (3, 4, 5) times a whole number makes centres and radii that are exact.
    void make_sphere() {
        const float k = some();
        put({at_[0] + 3 * k, at_[1], at_[2] - 4 * k, 5 * k});
        const float* n = numbers_.data();
        shapes = lanecull::Spheres{n, n + 1, n + 2, n + 3, 1};
    }
    void make_capsule() {
        const float k = random_.chance(0.5) ? 0 : some();
        const float end[3] = {at_[0], at_[1] + 4 * k, at_[2] + 3 * k};
        put({end[0], end[1], end[2], end[0] + integer(64), end[1] + integer(64), end[2] + integer(64), 5 * k});
        const float* n = numbers_.data();
        shapes = lanecull::Capsules{n, n + 1, n + 2, n + 3, n + 4, n + 5, n + 6, 1};
    }
    void make_box() {
        put({at_[0], at_[1] - some(), at_[2] - some(), at_[0] + some(), at_[1], at_[2] + some()});
        const float* n = numbers_.data();
        shapes = lanecull::Boxes{n, n + 1, n + 2, n + 3, n + 4, n + 5, 1};
    }
    void make_oriented_box() {
        const int k = split();
        const float half[3] = {some(), some(), some()}, inner = power(e_ - k), outer = power(k);
        put({at_[0] - half[0], at_[1] + half[1], at_[2]});
        records_ = {outer, 0, 0, 0, outer, 0, 0, 0, outer, inner * half[0], inner * half[1], inner * half[2]};
        const float* n = numbers_.data();
        lanecull::OrientedBoxes boxes;
        boxes.x = n, boxes.y = n + 1, boxes.z = n + 2;
        boxes.axes = {&records_[0]}, boxes.half_extents = {&records_[9]}, boxes.count = 1;
        shapes = boxes;
    }
    void make_hull() {
        const int k = split();
        const float inner = power(e_ - k), outer = power(k), s = power(e_);
        const float q[3] = {integer(64), integer(64), integer(64)};
        std::vector<std::array<float, 3>> points = {{inner * q[0], inner * q[1], inner * q[2]}};
        for (int i = 0; i < 7; ++i) points.push_back({inner * integer(64), inner * integer(64), inner * integer(64)});
        hull_.emplace(points);
        records_ = {outer, 0, 0,     s * (at_[0] - q[0]), 0, outer, 0, s * (at_[1] - q[1]),
                    0,     0, outer, s * (at_[2] - q[2])};
        shapes = instance(*hull_, records_.data());
    }

    Random& random_;
    int e_;
    float at_[3] = {};
    std::vector<float> numbers_, records_;
    std::optional<OwnedHull> hull_;
};

TEST(PairExtremes, ObjectsThatShareAPointAreNeverApart) {
    Random random(20261125);
    for (int i = 0; i < scaled(20'000) && !testing::Test::HasFailure(); ++i) {
        const int e = random.below(250) - 149;
        const std::array<int, 3> p = {random.below(129) - 64, random.below(129) - 64, random.below(129) - 64};
        const Made a(random, p, e), b(random, p, e);
        expect_together(a.shapes, b.shapes,
                        "2^" + std::to_string(e) + ", kinds " + std::to_string(static_cast<int>(a.shapes.kind)) +
                            " and " + std::to_string(static_cast<int>(b.shapes.kind)) + ", pair " + std::to_string(i));
    }
}

}  // namespace
