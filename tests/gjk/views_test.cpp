#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include <lanecull/gjk.hpp>

#include "support/queries.hpp"

/// View volumes as shapes: the labelled cases of the culling library, and composites of volumes by definition.

namespace {

namespace gjk = lanecull::gjk;
using gjk::Verdict;
using lanecull::Plane;
using V = gjk::Vec3<double>;

V to_vec(const exact::Point& p) {
    const exact::Vec<double> d = exact::to_double(p);
    return {d.x, d.y, d.z};
}

/// As matrices and as corners. What is visible is never proved apart, what is well apart is.
TEST(ViewVolumes, AnswerTheLabelledCases) {
    int visible = 0, culled = 0, unclear = 0;
    for (const Query& query : read_queries()) {
        SCOPED_TRACE(query.id);
        if (query.directional_light || query.point_light) {
            continue;  // whose volumes reach farther than the cube around the object
        }
        const exact::Solid solid = query.exact_solid();
        std::vector<V> points;
        for (const exact::Point& p : solid.points) points.push_back(to_vec(p));
        const gjk::Rounded object{gjk::Hull<double>(points), solid.radius.convert_to<double>()};
        const V center = gjk::inside(object);
        double reach = 1e-3 * (1 + gjk::max_norm(center));
        for (const V& p : points) reach = std::max(reach, 2 * (gjk::max_norm(p - center) + object.radius));

        Verdict verdict = Verdict::undecided;
        if (query.by_corners()) {
            std::vector<V> corners(8);
            for (std::size_t i = 0; i < 8; ++i) {
                corners[i] = {query.corners[3 * i], query.corners[3 * i + 1], query.corners[3 * i + 2]};
            }
            verdict = gjk::intersect(object, gjk::Hull<double>(corners)).verdict;
        } else {
            const gjk::ViewVolume volume(query.matrix, query.clip_space, center, reach);
            // None of its corners is within the cube: it contains it or is outside.
            if (volume.count() == 0) {
                ++unclear;
                EXPECT_NE(query.expect, Query::Expect::visible);
                continue;
            }
            verdict = gjk::intersect(object, gjk::Rounded{volume, volume.error()}).verdict;
        }
        const bool is_visible = query.expect == Query::Expect::visible,
                   is_culled = query.expect == Query::Expect::culled;
        visible += is_visible;
        culled += is_culled;
        EXPECT_FALSE(is_visible && verdict == Verdict::separated);
        EXPECT_FALSE(is_culled && verdict != Verdict::separated);
    }
    std::printf("%d visible, %d culled; of %d no volume was near\n", visible, culled, unclear);
    EXPECT_GT(visible, 400);
    EXPECT_GT(culled, 300);
}

const Plane unit_cube[] = {{{1, 0, 0}, 1},  {{-1, 0, 0}, 1}, {{0, 1, 0}, 1},
                           {{0, -1, 0}, 1}, {{0, 0, 1}, 1},  {{0, 0, -1}, 1}};

TEST(ViewVolumes, HaveTheVerticesOfTheirPlanes) {
    const gjk::ViewVolume cube(unit_cube, {0.25, 0, 0}, 10);
    EXPECT_EQ(cube.count(), 8);
    for (const V& vertex : cube.vertices()) {
        EXPECT_LT(gjk::max_norm(gjk::abs(vertex) - V{1, 1, 1}), 1e-13);
    }
    EXPECT_LT(cube.error(), 1e-12);
    // A corner cut off, and a plane that says the same as another.
    std::vector<Plane> more(std::begin(unit_cube), std::end(unit_cube));
    more.push_back({{-1, -1, -1}, 2.5});
    more.push_back({{-4, -4, -4}, 10});
    EXPECT_EQ(gjk::ViewVolume(more, {}, 10).count(), 10);
    // Sixteen sides around one edge: they meet in its ends.
    std::vector<Plane> wedge;
    for (int i = 0; i < 16; ++i) {
        const double angle = 0.5 + std::numbers::pi * i / 64;
        wedge.push_back({{std::cos(angle), std::sin(angle), 0}, 0});
    }
    EXPECT_GE(gjk::ViewVolume(wedge, {}, 1).count(), 5);
    // A slab without an end but the cube's.
    EXPECT_EQ(gjk::ViewVolume(std::span(unit_cube, 2), {}, 7).count(), 8);
    EXPECT_NEAR(gjk::ViewVolume(std::span(unit_cube, 2), {}, 7).magnitude(), 7, 1e-12);
}

TEST(ViewVolumes, AreNoneWhereTheyCannotBeTold) {
    const double none = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(gjk::ViewVolume().count(), 0);
    EXPECT_EQ(gjk::ViewVolume({}, {}, 1).count(), 0);
    EXPECT_EQ(gjk::ViewVolume(std::vector<Plane>(17, {{1, 0, 0}, 1}), {}, 1).count(), 0);
    EXPECT_EQ(gjk::ViewVolume(unit_cube, {}, 0).count(), 0);
    EXPECT_EQ(gjk::ViewVolume(unit_cube, {}, none).count(), 0);
    EXPECT_EQ(gjk::ViewVolume(unit_cube, {none, 0, 0}, 1).count(), 0);
    const Plane broken[] = {{{1, 0, 0}, none}, {{none, 0, 0}, 1}};
    EXPECT_EQ(gjk::ViewVolume(broken, {}, 1).count(), 0);
    const Plane empty[] = {{{1, 0, 0}, -1}, {{-1, 0, 0}, -1}};
    EXPECT_EQ(gjk::ViewVolume(empty, {}, 5).count(), 0);
    const Plane nearly_parallel[] = {{{1, 0, 0}, 0}, {{-1, 1e-12, 0}, 0}};
    EXPECT_EQ(gjk::ViewVolume(nearly_parallel, {}, 5).count(), 0);
}

/// A shadow is seen when the caster meets what the volume and the light make together.
TEST(ViewVolumes, JoinWithLights) {
    const gjk::ViewVolume cube(unit_cube, {}, 100);
    const V toward{0.6, 0, 0.8};  // the light, of length 1
    const auto swept = gjk::Swept{cube, V(50 * toward)};
    const auto joined = gjk::Join{cube, gjk::Point<double>{{0, 0, 9}}};
    const auto is_apart = [](const auto& volume, const V& center) {
        return gjk::intersect(volume, gjk::Sphere<double>{center, 0.5}).verdict == Verdict::separated;
    };
    EXPECT_FALSE(is_apart(swept, 20 * toward));
    EXPECT_TRUE(is_apart(swept, -20 * toward));
    EXPECT_TRUE(is_apart(swept, V(20 * toward) + V{0, 1.75, 0}));
    EXPECT_FALSE(is_apart(joined, {0, 0, 8}));
    EXPECT_TRUE(is_apart(joined, {0, 1, 8}));
}

}  // namespace
