#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <vector>

#include "support/random.hpp"
#include "view/ways.hpp"

/// Views and what casts shadows into them, by hand: what the documentation says of the simplest cameras, balls and
/// lights. (The families of properties/views test them with random numbers.)

namespace {

using lanecull::DirectionalLight;
using lanecull::Plane;
using lanecull::PointLight;
using lanecull::View;
using lanecull::ViewOptions;
using lanecull::WorldBox;

struct Ball {
    Double3 center;
    double radius;
    bool visible;
};

/// A view, whether its volume is exact, whether it sees nothing, and balls in it.
struct Case {
    const char* name;
    std::function<lanecull::Status(View&)> prepare;
    bool exact, nothing;
    std::vector<Ball> balls;
};

/// Of a ball, on every set, by every method; planes alone may keep what is not visible.
void expect_ball(const Ball& ball, const View& view) {
    for (const lanecull::Isa isa : runnable_isas()) {
        for (const lanecull::Method method : all_methods) {
            if (method == lanecull::Method::planes && !ball.visible) continue;
            EXPECT_EQ(sees_ball(view, ball.center, ball.radius, {.method = method, .isa = isa}), ball.visible)
                << lanecull::isa_name(isa) << " " << method_name(method) << written(ball.center);
        }
    }
}

void expect_all(const std::vector<Case>& cases) {
    for (const Case& c : cases) {
        SCOPED_TRACE(c.name);
        View view;
        EXPECT_FALSE(view.prepared());
        const lanecull::Status status = c.prepare(view);
        ASSERT_TRUE(status.ok()) << status.message();
        EXPECT_TRUE(view.prepared());
        EXPECT_EQ(view.exact(), c.exact);
        EXPECT_EQ(view.sees_nothing(), c.nothing);
        for (const Ball& ball : c.balls) expect_ball(ball, view);
        if (c.nothing) expect_ball({{0, 0, 2}, 1e30, false}, view);
    }
}

/// A camera, by options.
auto seen_by(const std::array<double, 16>& matrix, const ViewOptions& options) {
    return [=](View& view) { return lanecull::prepare_view(matrix, by_rows, view, options); };
}

constexpr DirectionalLight behind{{0, 0, -1}}, near_behind{{0, 0, -1}, 100}, beside{{1, 0, -1}}, above{{0, 1, 0}};
const PointLight out_of_reach{{0, 1000, 0}, 900}, just_out{{0, 0, -9.5}, 10};

TEST(Views, OfLights) {
    expect_all({
        {"straight behind an endless view",
         seen_by(endless, {.directional_light = &behind}),
         false,
         false,
         {{{0, 0, 0}, 1, true}, {{1e6, 0, -1e6}, 1, true}, {{-1e6, 0, 1e6}, 1, true}}},
        {"the far end of a view that ends is swept",
         seen_by(perspective, {.directional_light = &behind}),
         true,
         false,
         {{{9, 0, -1e4}, 0.5, true}, {{11, 0, -1e4}, 0.5, false}, {{0, 0, 11}, 0.5, false}}},
        {"the sweep of any reach ends",
         seen_by(endless, {.directional_light = &near_behind}),
         true,
         false,
         {{{0, 0, -98.5}, 0.4, true}, {{0, 0, -99.5}, 0.4, false}}},
        {"half of space", seen_by(endless, {.directional_light = &beside}), false, false, {{{1e4, 0, -1e4}, 1, true}}},
        {"out of reach", seen_by(perspective, {.point_light = &out_of_reach}), true, true, {}},
        {"just out of reach", seen_by(perspective, {.point_light = &just_out}), true, true, {}},
        {"what receives is wider by the margin",
         seen_by(perspective, {.margin = 0.6, .point_light = &just_out}),
         false,
         false,
         {{{0, 0, -5}, 0.1, true}}},
    });
}

TEST(Views, OfReceivers) {
    const auto receivers = [](const WorldBox& box) {
        return [=](View& view) {
            return lanecull::prepare_cascade_casters({perspective, by_rows, 2, 8}, box, {.directional_light = &above},
                                                     view);
        };
    };
    const Ball ball{{0, 1, 5}, 1, true}, none{{0, 1, 5}, 1, false};
    std::vector<Case> cases = {
        {"none", receivers({{infinity, infinity, infinity}, {-infinity, -infinity, -infinity}}), true, true, {none}},
        {"behind", receivers({{-10, -10, -50}, {10, 10, -40}}), true, true, {none}},
        {"far away", receivers({{-1e200, -1, 1e150}, {1, 1, 1e200}}), true, true, {none}},
        {"nearly all", receivers({{-1e200, -1e200, -1e200}, {1e200, 1e200, 1e200}}), true, false, {ball}},
        {"everywhere", receivers(everywhere), true, false, {ball}}};
    for (std::size_t k = 0; k < 6; ++k) {
        WorldBox box = {{-10, -10, -10}, {10, 10, 10}};
        (k < 3 ? box.lower : box.upper)[k % 3] = nan_value;
        cases.push_back({"a side that is no number limits nothing", receivers(box), true, false, {ball}});
    }
    expect_all(cases);
}

/// Distances and sizes are measured from the view's eye, however far away casters are.
TEST(Views, OfLightsMeasureFromTheEye) {
    View view;
    ASSERT_TRUE(seen_by(perspective, {.directional_light = &above})(view));
    const float at[3] = {0, 50, 5}, radius = 1;
    for (const float most : {49.0f, 50.0f}) {
        lanecull::Batch ball = lanecull::Spheres{&at[0], &at[1], &at[2], &radius, 1};
        ball.attributes.max_distance = &most;
        EXPECT_EQ(run_cull(ball, view).visible(0), most == 50);
    }
}

/// A far plane at infinity cuts no edge, in either direction of depth and either range: the camera's volume is a
/// frustum, and its cascades' casters are exact.
TEST(Views, InfiniteFarPlanesLoseNothing) {
    const DirectionalLight light = {.toward = {0.1, 0.6, 0.8}};
    const WorldBox ground = {{-50, -2, -50}, {50, -1, 50}};
    for (const bool reversed : {false, true}) {
        for (const double low : {0.0, -1.0}) {
            SCOPED_TRACE(testing::Message() << reversed << low);
            // Depth / w goes from low to 1, or back: z = w - near (1 or 2) or its opposite, w growing along -z'.
            const double z_w = reversed ? low : 1, z_1 = (reversed ? 1 - low : low - 1) * 0.1;
            const std::array<double, 16> m = {0.6,  0, -0.8 * z_w, -0.8, 0, 1, 0,   0,
                                              -0.8, 0, -0.6 * z_w, -0.6, 0, 0, z_1, 0};
            const lanecull::ClipSpace space = low == 0 ? lanecull::ClipSpace::vulkan() : lanecull::ClipSpace::opengl();
            View camera, casters;
            ASSERT_TRUE(lanecull::prepare_view(m, space, camera));
            EXPECT_EQ(contents_of(camera).volume, lanecull::VolumeKind::frustum);
            ASSERT_TRUE(lanecull::prepare_cascade_casters({m, space, 0.1, 100}, ground, {.directional_light = &light},
                                                          casters));
            EXPECT_TRUE(casters.exact());
            EXPECT_GE(contents_of(casters).plane_count, 6);
        }
    }
}

/// Around (1, 0, 0), of radius 2. What a clip plane leaves of the cube around a ball need not be of the ball.
TEST(Views, OfBalls) {
    const auto ball = [](const ViewOptions& options) {
        return [=](View& view) {
            return lanecull::prepare_view_from_ball(std::array{1.0, 0.0, 0.0}, 2, view, options);
        };
    };
    const auto along_x = [](double x, bool visible) { return Ball{{x, 0, 0}, 1, visible}; };
    const Plane clip = {{1, 0, 0}, -2.95};  // x >= 2.95
    const auto beyond = [](double distance) { return Plane{{2, 2, 2}, -2 * (1 + std::sqrt(3.0) * distance)}; };
    const Plane touching = beyond(1.999), apart = beyond(2.001), far = beyond(3.4);
    expect_all({
        {"whole",
         ball({}),
         false,
         false,
         {along_x(1, true), along_x(3.9, true), along_x(4.1, false), along_x(-1.9, true), along_x(-2.1, false)}},
        {"with a margin", ball({.margin = 0.2}), false, false, {along_x(4.1, true), along_x(-2.1, true)}},
        {"cut",
         ball({.clip_planes = {&clip, 1}}),
         false,
         false,
         {along_x(1, false), along_x(3.9, true), along_x(-1.9, false), along_x(2.5, true)}},
        {"a corner is left", ball({.clip_planes = {&touching, 1}}), false, false, {}},
        {"a corner of the cube is left", ball({.clip_planes = {&apart, 1}}), true, true, {}},
        {"nothing of the cube is left", ball({.clip_planes = {&far, 1}}), true, true, {}},
    });
}

/// A matrix with a mirror's plane for its near plane. Looking along +z: what has n . p >= d. Planes that are parallel
/// to the view's and leave nothing are a mistake.
TEST(Views, OfMirrors) {
    const auto with_near = [](double y, double z, double d) {
        std::array<double, 16> matrix = endless;
        matrix[9] = y, matrix[10] = z, matrix[11] = -d;
        return matrix;
    };
    const PointLight light{{0, 3, 3}};
    expect_all({{"y / 2 >= z + 1", seen_by(with_near(0.5, -1, 1), {}), true, true, {}},
                {"lit", seen_by(with_near(0.5, -1, 1), {.point_light = &light}), true, true, {}},
                {"z >= y / 2 + 1", seen_by(with_near(-0.5, 1, 1), {}), true, false, {{{0, 0, 2}, 0, true}}}});
    View view;
    EXPECT_FALSE(lanecull::prepare_view(with_near(0, -1, 1), by_rows, view).ok());
}

}  // namespace
