#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "view/ways.hpp"

/// What casts shadows, by hand: lights straight behind a view, out of reach of it or with a range; flat receivers, and
/// cascades without any.

namespace {

using lanecull::DirectionalLight;
using lanecull::Plane;
using lanecull::PointLight;
using lanecull::Status;
using lanecull::View;
using lanecull::ViewOptions;
using lanecull::WorldBox;

View prepared(const std::array<double, 16>& matrix, const ViewOptions& options) {
    View view;
    const Status status = lanecull::prepare_view(matrix, by_rows, view, options);
    EXPECT_TRUE(status.ok()) << status.message();
    return view;
}

TEST(Casters, DirectionalLightStraightBehindAnEndlessView) {
    const DirectionalLight behind{{0, 0, -1}}, near{{0, 0, -1}, 100}, beside{{1, 0, -1}};
    View view = prepared(endless, {.directional_light = &behind});
    EXPECT_FALSE(view.exact());
    for (const double x : {0.0, 1e6, -1e6}) {
        for (const double z : {0.0, 1e6, -1e6}) expect_ball({x, 0, z}, 1, true, view);
    }
    // Of a view that ends the far end is swept, and the sweep of any reach ends.
    view = prepared(perspective, {.directional_light = &behind});
    EXPECT_TRUE(view.exact());
    expect_ball({9, 0, -1e4}, 0.5, true, view);
    expect_ball({11, 0, -1e4}, 0.5, false, view);
    expect_ball({0, 0, 11}, 0.5, false, view);
    view = prepared(endless, {.directional_light = &near});
    EXPECT_TRUE(view.exact());
    expect_ball({0, 0, -98.5}, 0.4, true, view);
    expect_ball({0, 0, -99.5}, 0.4, false, view);
    // Beside the axis of an endless view the light leaves half of space.
    expect_ball({1e4, 0, -1e4}, 1, true, prepared(endless, {.directional_light = &beside}));
}

TEST(Casters, LightThatReachesNothing) {
    const auto expect_nothing = [](const View& view) {
        for (const double size : {0.0, 1.0, 1e6}) {
            expect_ball({0, 0, 5}, size, false, view);
            EXPECT_FALSE(sees_ball(view, {0, 0, 5}, size, {.method = lanecull::Method::planes}));
        }
    };
    const Plane upward[] = {{{0, 1, 0}, -1000}};
    const PointLight lights[] = {
        {{0, 1000, 0}, 900}, {{1000, 1000, -1000}, 1600}, {.at = {0, 1000, 0}, .range = 0, .sides = upward}};
    for (const Way& way : plain_ways) {
        if (way.name == std::string("endless") || way.name == std::string("wedge")) continue;  // they have no end
        for (const PointLight& point_light : lights) {
            SCOPED_TRACE(way.name);
            View view;
            const Status status = way.prepare(view, {.point_light = &point_light});
            ASSERT_TRUE(status.ok()) << status.message();
            expect_nothing(view);
        }
    }
    // What receives is wider by the margin.
    const PointLight just_out{{0, 0, -9.5}, 10};
    expect_nothing(prepared(perspective, {.point_light = &just_out}));
    expect_ball({0, 0, -5}, 0.1, true, prepared(perspective, {.margin = 0.6, .point_light = &just_out}));
}

/// What lies beyond a point light's range goes though it is in the volume and the cube around the range, and by its
/// distance.
TEST(Casters, RangeCullsByDistance) {
    const PointLight point_light{{0, 0, 5}, 3};
    const View view = prepared(perspective, {.point_light = &point_light});
    EXPECT_FALSE(view.exact());
    expect_ball({0, 0, 7.9}, 0.01, true, view);
    expect_ball({2.9, 0, 5}, 0.01, true, view);
    const float corner[3] = {2, 2, 7}, radius = 0.4f;
    const lanecull::Batch ball = lanecull::Spheres{&corner[0], &corner[1], &corner[2], &radius, 1};
    for (const lanecull::Isa isa : runnable_isas()) {
        for (const lanecull::Method method : all_methods) {
            const ViewResult result = run_cull(ball, view, {.method = method, .isa = isa});
            EXPECT_FALSE(result.visible(0));
            EXPECT_EQ(result.counts[lanecull::Reason::culled_distance], 1u);
        }
    }
}

/// Where the receivers are many times farther away than the casters, distances and sizes are still measured from the
/// view's eye.
TEST(Casters, DistancesAreFromTheEye) {
    const DirectionalLight directional_light{{0, 1, 0}};
    const View view = prepared(perspective, {.directional_light = &directional_light});
    const float at[3] = {0, 50, 5}, radius = 1;
    for (const float most : {49.0f, 50.0f}) {
        lanecull::Batch ball = lanecull::Spheres{&at[0], &at[1], &at[2], &radius, 1};
        ball.attributes.max_distance = &most;
        EXPECT_EQ(run_cull(ball, view).visible(0), most == 50);
    }
}

/// A wall of thickness 0 along x: halfway between the light and a point of it that is in view, a sphere casts a shadow.
TEST(Casters, ACasterOfAFlatWallIsKept) {
    constexpr std::array<double, 16> camera = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1, -1, 0, 0, -1, 0};
    const PointLight point_light{{-477, -143, -391}, 1000};
    View view;
    ASSERT_TRUE(lanecull::prepare_cascade_casters({camera, by_rows, 1, 520}, {{-91, -93, -179}, {-91, 35, -171}},
                                                  {.point_light = &point_light}, view));
    expect_ball({-284, -86, -283}, 50, true, view);
}

double distance_from_segment(double x, double y, const double (&a)[2], const double (&b)[2]) {
    const double dx = b[0] - a[0], dy = b[1] - a[1];
    const double share = std::clamp(((x - a[0]) * dx + (y - a[1]) * dy) / (dx * dx + dy * dy), 0.0, 1.0);
    return std::hypot(x - a[0] - share * dx, y - a[1] - share * dy);
}

/// A camera along -z whose far plane is the box's own: balls about the parallelogram that the flat box is swept over.
TEST(Casters, ACascadeAlongAnAxisIsExact) {
    constexpr std::array<double, 16> camera = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -10 / 9.9, -1 / 9.9, 0, 0, -1, 0};
    const DirectionalLight directional_light{{0.5, 1, 0}, 20};
    View view;
    ASSERT_TRUE(lanecull::prepare_cascade_casters({camera, by_rows, 0.1, 10}, {{-3, -2, -10}, {-2, -2, -9}},
                                                  {.directional_light = &directional_light}, view));
    EXPECT_TRUE(view.exact());
    std::vector<float> x, y, z, radius;
    for (int i = 0; i < 35; ++i) {
        for (int j = 0; j < 71; ++j) {
            for (int k = 0; k < 35; ++k) {
                x.push_back(static_cast<float>(-6 + 0.5 * i));
                y.push_back(static_cast<float>(-8 + 0.5 * j));
                z.push_back(static_cast<float>(-14 + 0.25 * k));
                radius.push_back(0.2f);
            }
        }
    }
    const lanecull::Batch balls = lanecull::Spheres{x.data(), y.data(), z.data(), radius.data(), 86'975};
    const ViewResult found = run_cull(balls, view);
    constexpr double corners[4][2] = {{-3, -2}, {-2, -2}, {8, 18}, {7, 18}};
    std::size_t touching = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const double px = x[i], py = y[i];
        const double along = (py + 2) / 2;
        const bool within = py >= -2 && py <= 18 && px - along >= -3 && px - along <= -2;
        double across = within ? 0 : infinity;
        for (std::size_t k = 0; k < 4 && !within; ++k) {
            across = std::min(across, distance_from_segment(px, py, corners[k], corners[(k + 1) % 4]));
        }
        const double apart = std::hypot(across, std::max({0.0, -10.0 - z[i], z[i] + 9.0}));
        touching += apart <= 0.2;
        EXPECT_GT(std::fabs(apart - 0.2), 1e-4) << i;
        EXPECT_EQ(found.visible(i), apart <= 0.2) << i;
    }
    EXPECT_GT(touching, 300);
}

/// A far plane at infinity cuts no edge, in either direction of depth and either range: the camera's volume is a
/// frustum, and its cascades' casters are exact.
TEST(Casters, InfiniteFarPlanesLoseNothing) {
    const DirectionalLight directional_light = {.toward = {0.1, 0.6, 0.8}};
    const WorldBox ground = {{-50, -2, -50}, {50, -1, 50}};
    for (const auto& [cosine, sine] : {std::pair(1.0, 0.0), std::pair(0.6, 0.8)}) {
        for (const bool reversed : {false, true}) {
            for (const double low : {0.0, -1.0}) {
                SCOPED_TRACE(testing::Message() << sine << reversed << low);
                // Depth / w goes from low to 1, or back: z = w - near (1 or 2) or its opposite, w growing along -z'.
                const double z_w = reversed ? low : 1, z_1 = (reversed ? 1 - low : low - 1) * 0.1;
                std::array<double, 16> m = {};
                m[0] = cosine, m[8] = -sine, m[5] = 1;
                m[3] = -sine, m[11] = -cosine;  // w
                m[2] = z_w * m[3], m[10] = z_w * m[11], m[14] = z_1;
                const lanecull::ClipSpace space =
                    low == 0 ? lanecull::ClipSpace::vulkan() : lanecull::ClipSpace::opengl();
                View camera, casters;
                ASSERT_TRUE(lanecull::prepare_view(m, space, camera));
                EXPECT_EQ(contents_of(camera).volume, lanecull::VolumeKind::frustum);
                ASSERT_TRUE(lanecull::prepare_cascade_casters({m, space, 0.1, 100}, ground,
                                                              {.directional_light = &directional_light}, casters));
                EXPECT_TRUE(casters.exact());
                EXPECT_GE(contents_of(casters).plane_count, 6);
            }
        }
    }
}

TEST(Casters, CascadesWithoutReceivers) {
    const DirectionalLight directional_light{{0, 1, 0}};
    const auto expect_seen = [&](const WorldBox& box, bool seen) {
        View view;
        const Status status = lanecull::prepare_cascade_casters({perspective, by_rows, 2, 8}, box,
                                                                {.directional_light = &directional_light}, view);
        ASSERT_TRUE(status.ok()) << status.message();
        expect_ball({0, 1, 5}, 1, seen, view);
        EXPECT_EQ(sees_ball(view, {0, 1, 5}, 1, {.method = lanecull::Method::planes}), seen);
    };
    expect_seen({{infinity, infinity, infinity}, {-infinity, -infinity, -infinity}}, false);
    expect_seen({{-10, -10, -50}, {10, 10, -40}}, false);  // behind
    expect_seen(everywhere, true);
    // A side that is no number limits nothing.
    for (std::size_t k = 0; k < 6; ++k) {
        WorldBox box = {{-10, -10, -10}, {10, 10, 10}};
        (k < 3 ? box.lower : box.upper)[k % 3] = nan_value;
        expect_seen(box, true);
    }
}

}  // namespace
