#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "view/ways.hpp"

/// Views by hand.

namespace {

using lanecull::Plane;
using lanecull::View;
using lanecull::ViewOptions;

TEST(Views, OfTheSimplestCameras) {
    View view;
    EXPECT_FALSE(view.prepared());
    EXPECT_TRUE(lanecull::prepare_view(perspective, by_rows, view));
    EXPECT_TRUE(view.prepared());
    EXPECT_EQ(contents_of(view).volume, lanecull::VolumeKind::frustum);
    EXPECT_TRUE(lanecull::prepare_view(orthographic, by_rows, view));
    EXPECT_EQ(contents_of(view).volume, lanecull::VolumeKind::box);
}

/// Between the four sides of the matrix 17 more touch the same cone, as clip planes and as a point light's sides. With
/// the two eyes' 42 corners, 21 rays and the light there is room for no other.
TEST(Views, EndlessEyesOfManySidesKnowTheirCorners) {
    const auto eye = [](double near) {
        return std::array<double, 16>{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, -near, 0, 0, 1, 0};
    };
    constexpr int in_quadrant[] = {5, 4, 4, 4};
    for (int turn = 0; turn < 20; ++turn) {
        SCOPED_TRACE(testing::Message() << "turn " << turn);
        std::vector<Plane> tangents;
        for (int quadrant = 0; quadrant < 4; ++quadrant) {
            for (int k = 1; k <= in_quadrant[quadrant]; ++k) {
                const double share = (k + 0.02 * (turn - 10)) / (in_quadrant[quadrant] + 1);
                const double angle = (quadrant + share) * 1.5707963267948966;
                tangents.push_back({{-std::cos(angle), -std::sin(angle), 1}, 0});
            }
        }
        const std::span<const Plane> all(tangents);
        const lanecull::PointLight point_light = {.at = {3, 2, -1}, .sides = all.subspan(10)};
        View view;
        const ViewOptions options = {.clip_planes = all.first(10), .point_light = &point_light};
        ASSERT_TRUE(lanecull::prepare_stereo_view(eye(1), eye(2), by_rows, view, options));
        EXPECT_EQ(contents_of(view).volume, lanecull::VolumeKind::polytope);
    }
}

/// A ball of radius 2 around (1, 0, 0), and balls of radius 1 along x.
TEST(Views, OfABall) {
    const float x[] = {1, 3.9f, 4.1f, -1.9f, -2.1f, 2.5f}, zero[6] = {}, one[] = {1, 1, 1, 1, 1, 1};
    const lanecull::Batch batch = lanecull::Spheres{x, zero, zero, one, 6};
    constexpr double center[] = {1, 0, 0};
    const auto seen = [&](const ViewOptions& options) {
        View view;
        EXPECT_TRUE(lanecull::prepare_view_from_ball(center, 2, view, options));
        const ViewResult result = run_cull(batch, view);
        expect_complete(result.counts, 6);
        const std::uint64_t beyond =
            result.counts[lanecull::Reason::culled_distance] + result.counts[lanecull::Reason::culled_plane];
        EXPECT_EQ(beyond, 6 - result.visible_count);
        return result.words[0];
    };
    EXPECT_EQ(seen({}), 0b101011u);
    EXPECT_EQ(seen({.margin = 0.2}), 0b111111u);
    const Plane clip = {{1, 0, 0}, -2.95};  // x >= 2.95
    EXPECT_EQ(seen({.clip_planes = {&clip, 1}}), 0b100010u);
}

}  // namespace
