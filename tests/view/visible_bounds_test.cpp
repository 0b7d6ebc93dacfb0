#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include <lanecull/shadow.h>

#include "oracle/exact_objects.hpp"
#include "support/culling.hpp"
#include "support/generate.hpp"
#include "support/new_threads.hpp"
#include "support/scale.hpp"

/// Boxes around what is visible: around all of it, and slice by slice.

namespace {

using lanecull::Plane;
using lanecull::WorldBox;

constexpr double infinity = std::numeric_limits<double>::infinity();

bool has_no_end(const WorldBox& box) {
    return std::all_of(box.lower, box.lower + 3, [](double end) { return end == -infinity; }) &&
           std::all_of(box.upper, box.upper + 3, [](double end) { return end == infinity; });
}

/// Nothing tells where what is no object is drawn. A size below 0 stays one, whatever other sizes and margins add to
/// it.
TEST(VisibleBounds, HaveNoEndAroundInvalidObjects) {
    constexpr float none = std::numeric_limits<float>::quiet_NaN();
    struct Invalid {
        Kind kind;
        Object object;
    };
    const Invalid invalid[] = {
        {Kind::sphere, {{none, 0, 0, 1}}},
        {Kind::sphere, {{0, 0, 0, -1}, 0, 2}},
        {Kind::box, {{0, 0, 1, 1, 1, 0}}},
        {Kind::centered_box, {{0, 0, 0, 1, -1, 1}, 0, 2}},
        {Kind::capsule, {{-1, -1, -1, 1, 1, 1, -0.5f}}},
        {Kind::oriented_box, {{0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, -1, 1}}},
        {Kind::quaternion_box, {{0, 0, 0, 0, 0, 0, 0, 1, 1, 1}}},
        {Kind::quaternion_box, {{0, 0, 0, 0, 0, 0, 1e-19f, 1, 1, 1}}},
        {Kind::quaternion_box, {{0, 0, 0, 0, 0, 0, 1e19f, 1, 1, 1}}},
        {Kind::quaternion_box, {{0, 0, 0, 0, 0, 0, 1, 1, 1, -1}}},
        {Kind::box_instance, {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, -1, 1}}},
        {Kind::box_instance, {{1, 0, none, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 1}}},
        {Kind::sphere, {{0, 0, 0, 1}, 0, -0.5f}},
        {Kind::sphere, {{0, 0, 0, 1}, 0, 0, {0, none, 0}}},
    };
    for (const auto& [kind, object] : invalid) {
        HeapMemory memory;
        const lanecull::Batch batch =
            make_batch(kind, {&object, 1}, {}, memory, {.bounds = false, .streams = {.margin = true, .sweep = true}});
        const std::uint64_t one = 1;
        for (const lanecull::Isa isa : runnable_isas()) {
            WorldBox box;
            ASSERT_TRUE(lanecull::visible_bounds({&batch, 1}, {&one, 1}, box, {isa}));
            EXPECT_TRUE(has_no_end(box)) << describe(kind, object, {});
        }
    }
}

/// In rationals: the box holds every point of every visible object; and it is none too large. What boxes along the axes
/// reach is not rounded.
TEST(VisibleBounds, HoldEveryPointAndLittleMore) {
    for (int v = 0; v < scaled(300); ++v) {
        const lanecull::Isa isa = runnable_isas()[static_cast<std::size_t>(v) % runnable_isas().size()];
        Random random(12'300'000 + static_cast<std::uint64_t>(v));
        const Camera camera = random_camera(random, Projection::perspective);
        const HullSet hulls = random_hulls(random, 3);
        const Kind kind = all_kinds[random.below(static_cast<int>(std::size(all_kinds)))];
        std::vector<Object> objects = random_objects(random, kind, camera, 70, hulls);
        const bool grown = random.chance(0.5);
        if (grown) {
            for (Object& object : objects) grow(random, kind, hulls, {.margin = true, .sweep = true}, object);
        }
        HeapMemory memory;
        const lanecull::Batch batch =
            make_batch(kind, objects, hulls, memory, {.streams = {.margin = grown, .sweep = grown}});
        const std::uint64_t words[2] = {random.bits(), random.bits() & 63};
        WorldBox box;
        ASSERT_TRUE(lanecull::visible_bounds({&batch, 1}, words, box, {isa}));
        exact::Point low, high;
        bool first = true;
        for (std::size_t i = 0; i < objects.size(); ++i) {
            if ((words[i / 64] >> i % 64 & 1) == 0) continue;
            const exact::Solid solid = exact_solid_of(kind, objects[i], hulls);
            for (const exact::Point& p : solid.points) {
                const exact::Rational& r = solid.radius;
                const exact::Point a = {p.x - r, p.y - r, p.z - r}, b = {p.x + r, p.y + r, p.z + r};
                low = first ? a : exact::Point{std::min(low.x, a.x), std::min(low.y, a.y), std::min(low.z, a.z)};
                high = first ? b : exact::Point{std::max(high.x, b.x), std::max(high.y, b.y), std::max(high.z, b.z)};
                first = false;
            }
        }
        if (first) continue;
        const exact::Rational ends[3][2] = {{low.x, high.x}, {low.y, high.y}, {low.z, high.z}};
        double size = 0;  // at least half of the largest sum of an object's coordinates and sizes
        for (const auto& end : ends) {
            size += std::fabs(exact::to_double({end[0], 0, 0}).x) + std::fabs(exact::to_double({end[1], 0, 0}).x);
        }
        const double rounding = kind == Kind::box && !grown ? 0 : 0x1p-16 * size;
        for (std::size_t k = 0; k < 3; ++k) {
            EXPECT_LE(exact::rational(box.lower[k]), ends[k][0]) << "seed of " << v << " axis " << k;
            EXPECT_GE(exact::rational(box.upper[k]), ends[k][1]) << "seed of " << v << " axis " << k;
            if (has_transform(kind)) continue;  // by their boxes, turned
            EXPECT_NEAR(box.lower[k], exact::to_double({ends[k][0], 0, 0}).x, rounding);
            EXPECT_NEAR(box.upper[k], exact::to_double({ends[k][1], 0, 0}).x, rounding);
        }
    }
    const float zero = 0, radius = -1, none = std::numeric_limits<float>::quiet_NaN();
    const std::uint64_t one = 1, no_bit = 0;
    const std::uint32_t out_of_range = 1;
    WorldBox box;
    lanecull::Hull hulls[2];  // the batch has the first alone
    for (lanecull::Hull& hull : hulls) ASSERT_TRUE(lanecull::prepare_hull(&zero, &zero, &zero, 1, hull));
    const float transform[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    lanecull::HullInstances instance{
        {.first = transform, .layout = lanecull::TransformLayout::rows_3x4}, hulls, 1, &out_of_range};
    instance.count = 1;
    const lanecull::Batch wrong[] = {lanecull::Spheres{&zero, &none, &zero, &zero, 1},
                                     lanecull::Spheres{&zero, &zero, &zero, &radius, 1}, instance};
    for (const lanecull::Batch& batch : wrong) {
        ASSERT_TRUE(lanecull::visible_bounds({&batch, 1}, {&one, 1}, box));
        EXPECT_TRUE(has_no_end(box));
        ASSERT_TRUE(lanecull::visible_bounds({&batch, 1}, {&no_bit, 1}, box));
        EXPECT_GT(box.lower[0], box.upper[0]);
    }
    EXPECT_FALSE(lanecull::visible_bounds({wrong, 1}, {}, box).ok());
}

/// Many words, in parts that end within batches: the box around the boxes of each object alone, whatever the runner.
TEST(VisibleBounds, OfManyParts) {
    Random random(12'350'000);
    const Camera camera = random_camera(random, Projection::perspective);
    HeapMemory memory;
    std::vector<lanecull::Batch> batches;
    std::vector<std::uint64_t> words;
    WorldBox expected{{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
    for (const std::size_t count : {70u, 30'000u, 0u, 1u, 64u, 9'000u}) {
        const std::vector<Object> objects = random_objects(random, Kind::box, camera, count, {});
        batches.push_back(make_batch(Kind::box, objects, {}, memory));
        for (std::size_t w = 0; w < (count + 63) / 64; ++w) words.push_back(random.chance(0.3) ? 0 : random.bits());
        for (std::size_t i = 0; i < count; ++i) {
            if ((words[words.size() - (count + 63) / 64 + i / 64] >> i % 64 & 1) == 0) continue;
            for (std::size_t k = 0; k < 3; ++k) {
                expected.lower[k] = std::min(expected.lower[k], static_cast<double>(objects[i].fields[k]));
                expected.upper[k] = std::max(expected.upper[k], static_cast<double>(objects[i].fields[3 + k]));
            }
        }
    }
    const unsigned threads = 3;
    for (const lanecull::Isa isa : runnable_isas()) {
        for (const lanecull::Runner& runner : {lanecull::Runner{}, on_new_threads(threads)}) {
            WorldBox box;
            ASSERT_TRUE(lanecull::visible_bounds(batches, words, box, {.isa = isa, .runner = runner}));
            for (std::size_t k = 0; k < 3; ++k) {
                EXPECT_EQ(box.lower[k], expected.lower[k]);
                EXPECT_EQ(box.upper[k], expected.upper[k]);
            }
        }
    }
    WorldBox box{{1, 2, 3}, {4, 5, 6}};
    EXPECT_FALSE(lanecull::visible_bounds(batches, std::span(words).first(1), box));
    EXPECT_EQ(box.lower[0], 1);
}

/// Exactly: how far a solid reaches on the inner side of a plane.
struct Reach {
    exact::Rational points;  ///< the largest value of the plane's function at its points
    exact::Rational ball;    ///< its radius times the length of the normal, squared

    Reach(const exact::Solid& solid, const Plane& plane) {
        const auto& n = plane.normal;
        const exact::HalfSpace f = exact::half_space(n[0], n[1], n[2], plane.offset);
        bool first = true;
        for (const exact::Point& p : solid.points) {
            const exact::Rational at = f.normal.x * p.x + f.normal.y * p.y + f.normal.z * p.z + f.offset;
            points = first ? at : std::max(points, at);
            first = false;
        }
        const exact::Point& v = f.normal;
        ball = solid.radius * solid.radius * (v.x * v.x + v.y * v.y + v.z * v.z);
    }
    [[nodiscard]] bool touches() const { return points >= 0 || points * points <= ball; }
    /// Whether it stays away by more than `distance`.
    [[nodiscard]] bool is_beyond(double distance) const {
        const exact::Rational rest = points + exact::rational(distance);
        return rest < 0 && rest * rest > ball;
    }
};

/// Of objects and the slices of a camera, in rationals.
class SlicedObjects {
public:
    SlicedObjects(const Camera& camera, std::span<const double> depths) {
        for (std::size_t k = 0; k + 1 < depths.size(); ++k) {
            Plane ends[2];
            EXPECT_TRUE(lanecull::slice_planes({camera.matrix, camera.clip_space, depths[k], depths[k + 1]}, ends));
            planes_.push_back({ends[0], ends[1]});
        }
    }
    /// Whether a solid and slice k have a point in common, as far as the slice's two planes tell.
    [[nodiscard]] bool reaches(const exact::Solid& solid, std::size_t k) const {
        return Reach(solid, planes_[k][0]).touches() && Reach(solid, planes_[k][1]).touches();
    }
    [[nodiscard]] bool is_beyond(const exact::Solid& solid, std::size_t k, double distance) const {
        return Reach(solid, planes_[k][0]).is_beyond(distance) || Reach(solid, planes_[k][1]).is_beyond(distance);
    }

private:
    std::vector<std::array<Plane, 2>> planes_;
};

bool is_empty(const WorldBox& box) { return box.lower[0] > box.upper[0]; }

/// In rationals, object by object: what reaches into a slice is not left out of its box, and what stays away from it by
/// more than the bound is (hulls by the boxes around them). Of all objects together a slice's box is that of those that
/// alone have one.
TEST(SliceBounds, AreAroundWhatReachesIntoTheSlice) {
    std::uint64_t reaching = 0, beyond = 0, open = 0;
    for (int v = 0; v < scaled(400); ++v) {
        const lanecull::Isa isa = runnable_isas()[static_cast<std::size_t>(v) % runnable_isas().size()];
        Random random(12'360'000 + static_cast<std::uint64_t>(v));
        const Camera camera = random_camera(random, Projection::perspective);
        if (camera.depth[1] / camera.depth[0] > 1e6) continue;
        const HullSet hulls = random_hulls(random, 3);
        const Kind kind = all_kinds[random.below(static_cast<int>(std::size(all_kinds)))];
        const std::vector<Object> plain = random_objects(random, kind, camera, 20, hulls);
        std::vector<Object> objects = plain;
        const bool grown = random.chance(0.3);
        if (grown) {
            for (Object& object : objects) grow(random, kind, hulls, {.margin = true, .sweep = true}, object);
        }
        std::vector<double> depths(1 + 1 + static_cast<std::size_t>(random.below(lanecull::max_slices)));
        ASSERT_TRUE(lanecull::split_depths(camera.depth[0], camera.depth[1], random.unit(), depths));
        const SlicedObjects exactly(camera, depths);

        std::vector<WorldBox> together(depths.size() - 1), alone(together), unions(together.size());
        for (WorldBox& box : unions) {
            std::ranges::fill(box.lower, HUGE_VAL), std::ranges::fill(box.upper, -HUGE_VAL);
        }
        HeapMemory memory;
        const lanecull::Batch batch =
            make_batch(kind, objects, hulls, memory, {.streams = {.margin = grown, .sweep = grown}});
        const auto ask = [&](std::uint64_t word, std::span<WorldBox> bounds) {
            return lanecull::slice_bounds({&batch, 1}, {&word, 1}, camera.matrix, camera.clip_space, depths, bounds,
                                          {isa});
        };
        ASSERT_TRUE(ask(~std::uint64_t{0}, together));
        for (std::size_t i = 0; i < objects.size(); ++i) {
            ASSERT_TRUE(ask(std::uint64_t{1} << i, alone));
            const exact::Solid solid = exact_solid_of(kind, objects[i], hulls);
            double size = 0;
            for (const exact::Point& p : solid.points) {
                const auto [x, y, z] = exact::to_double(p);
                size = std::max(size, std::hypot(x, y, z));
            }
            size += exact::to_double({solid.radius, 0, 0}).x + length(camera.eye);
            for (std::size_t k = 0; k < alone.size(); ++k) {
                for (std::size_t j = 0; j < 3; ++j) {
                    unions[k].lower[j] = std::min(unions[k].lower[j], alone[k].lower[j]);
                    unions[k].upper[j] = std::max(unions[k].upper[j], alone[k].upper[j]);
                }
                const bool reaches = exactly.reaches(solid, k);
                reaching += reaches, open += !reaches && !is_empty(alone[k]);
                EXPECT_FALSE(reaches && is_empty(alone[k])) << describe(kind, objects[i], hulls) << " seed of " << v;
                if (kind == Kind::hull || !exactly.is_beyond(solid, k, 0x1p-14 * size)) continue;
                ++beyond;
                EXPECT_TRUE(is_empty(alone[k])) << describe(kind, objects[i], hulls) << " seed of " << v << " " << k;
            }
        }
        for (std::size_t k = 0; k < unions.size(); ++k) {
            EXPECT_TRUE(std::ranges::equal(unions[k].lower, together[k].lower)) << "seed of " << v;
            EXPECT_TRUE(std::ranges::equal(unions[k].upper, together[k].upper)) << "seed of " << v;
        }
    }
    const std::uint64_t asked = reaching + beyond;
    EXPECT_GT(reaching, asked / 20);
    EXPECT_GT(beyond, asked / 20);
    EXPECT_LT(open, asked / 10);
}

/// Invalid objects reach anywhere, in every slice.
TEST(SliceBounds, HaveNoEndAroundInvalidObjects) {
    const float none = std::numeric_limits<float>::quiet_NaN(), one = 1, far = 1e5f;
    const std::array<double, 16> camera = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 0, -1, 0};  // along +z
    const double depths[] = {1, 10, 100};
    const std::uint64_t bit = 1;
    const lanecull::Batch batches[] = {lanecull::Spheres{&none, &one, &far, &one, 1},
                                       lanecull::Boxes{&one, &one, &far, &one, &none, &far, 1},
                                       lanecull::CenteredBoxes{&one, &one, &far, &one, &one, &none, 1}};
    for (const lanecull::Batch& batch : batches) {
        for (const lanecull::Isa isa : runnable_isas()) {
            WorldBox bounds[2];
            ASSERT_TRUE(lanecull::slice_bounds({&batch, 1}, {&bit, 1}, camera, {}, depths, bounds, {isa}));
            EXPECT_TRUE(has_no_end(bounds[0]) && has_no_end(bounds[1]));
        }
    }
    const lanecull::Batch beyond = lanecull::Spheres{&one, &one, &far, &one, 1};
    WorldBox bounds[2];
    ASSERT_TRUE(lanecull::slice_bounds({&beyond, 1}, {&bit, 1}, camera, {}, depths, bounds));
    EXPECT_TRUE(is_empty(bounds[0]) && is_empty(bounds[1]));
}

/// The same boxes with any runner; and wrong arguments are named, and leave the boxes as they were.
TEST(SliceBounds, OfManyPartsAndOfWrongArguments) {
    Random random(12'380'000);
    const Camera camera = random_camera(random, Projection::perspective);
    const std::vector<Object> objects = random_objects(random, Kind::sphere, camera, 40'000, {});
    HeapMemory memory;
    const lanecull::Batch batch = make_batch(Kind::sphere, objects, {}, memory);
    std::vector<std::uint64_t> words(625);
    for (std::uint64_t& word : words) word = random.bits();
    std::vector<double> depths(6);
    ASSERT_TRUE(lanecull::split_depths(camera.depth[0], camera.depth[1], 0.5, depths));
    std::vector<WorldBox> serial(5), threads(5);
    const auto ask = [&](std::span<WorldBox> bounds, const lanecull::WorldBoundsOptions& options) {
        return lanecull::slice_bounds({&batch, 1}, words, camera.matrix, camera.clip_space, depths, bounds, options);
    };
    const unsigned three = 3;
    ASSERT_TRUE(ask(serial, {}));
    ASSERT_TRUE(ask(threads, {.runner = on_new_threads(three)}));
    for (std::size_t k = 0; k < 5; ++k) {
        EXPECT_TRUE(std::ranges::equal(serial[k].lower, threads[k].lower));
        EXPECT_TRUE(std::ranges::equal(serial[k].upper, threads[k].upper));
    }
    WorldBox kept[4] = {{{1, 2, 3}, {4, 5, 6}}};
    EXPECT_STREQ(ask(kept, {}).message(), "depths: must have one more than bounds, 5, not 6");
    depths[2] = depths[1];
    EXPECT_STREQ(ask(serial, {}).message(), "depths[1]: not finite, or not below the next");
    depths[2] = std::numeric_limits<double>::quiet_NaN();
    EXPECT_STREQ(ask(serial, {}).message(), "depths[1]: not finite, or not below the next");
    depths.assign(10, 1);
    std::vector<WorldBox> many(9);
    EXPECT_STREQ(ask(many, {}).message(), "bounds: must be 1 to 8, not 9");
    depths = {1, 2};
    const std::array<double, 16> flat = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    EXPECT_STREQ(lanecull::slice_bounds({&batch, 1}, words, flat, camera.clip_space, depths, {kept, 1}).message(),
                 "clip_from_world: not the matrix of a perspective camera");
    EXPECT_EQ(kept[0].lower[0], 1);
}

}  // namespace
