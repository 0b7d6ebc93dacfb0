#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "view/ways.hpp"

/// Volumes of which clip planes or a light leave nothing, by hand and of all ways to prepare a view: they are prepared,
/// and see nothing. Volumes of which they leave next to nothing are prepared, too, and keep what is there. (The
/// property nothing_seen tests what is culled and how, nothing random clip planes.)

namespace {

using lanecull::DirectionalLight;
using lanecull::Plane;
using lanecull::PointLight;
using lanecull::Status;
using lanecull::View;
using lanecull::ViewOptions;

void expect_sees_nothing(const View& view) {
    EXPECT_TRUE(view.prepared());
    EXPECT_TRUE(view.sees_nothing());
    EXPECT_TRUE(view.exact());
    for (const double size : {0.0, 1.0, 1e30}) {
        for (const lanecull::Method method : all_methods) {
            EXPECT_FALSE(sees_ball(view, {0, 0, 2}, size, {.method = method}));
        }
    }
}

bool sees_point(const View& view, const Double3& p) {
    for (const lanecull::Method method : all_methods) {
        for (const lanecull::Isa isa : runnable_isas()) {
            if (!sees_ball(view, p, 0, {.method = method, .isa = isa})) return false;
        }
    }
    return true;
}

View from_planes(std::span<const Plane> planes, const ViewOptions& options = {}) {
    View view;
    const Status status = lanecull::prepare_view_from_planes(planes, view, options);
    EXPECT_TRUE(status.ok()) << status.message();
    return view;
}

constexpr Plane spot_sides[] = {{{1, 0, 1}, 2}, {{-1, 0, 1}, 2}, {{0, 1, 1}, 2}, {{0, -1, 1}, 2}};
constexpr DirectionalLight directional_lights[] = {{{0.3, 1, 0.2}}, {{0.3, 1, 0.2}, 20}};
const PointLight point_lights[] = {
    {{0, 5, -3}}, {{0, 0, 2}}, {{0, 1, 2}, 30}, {{0, 0, -2}, infinity, spot_sides}};  // beside, in, with a range, spot

/// Without a light, and by each.
std::vector<ViewOptions> all_lights(const Way& way) {
    std::vector<ViewOptions> options(1);
    if (way.name == std::string("ball")) return options;
    for (const DirectionalLight& light : directional_lights) options.push_back({.directional_light = &light});
    for (const PointLight& light : point_lights) options.push_back({.point_light = &light});
    return options;
}

/// Behind the volume, beside it, beyond a corner, and between them nothing: one, two and three clip planes.
TEST(Nothing, IsLeftByClipPlanes) {
    const std::vector<std::vector<Plane>> cuts = {
        {{{0, 0, -1}, -1}},
        {{{0, 0, -1}, 0.9}, {{0, 0, 1}, -0.95}},
        {{{0, 0, -3}, -0.3}, {{1, 0, 0}, 1}},
    };
    for (const Way& way : all_ways) {
        for (ViewOptions options : all_lights(way)) {
            for (const std::vector<Plane>& planes : cuts) {
                for (const double margin : {0.0, 2.5}) {
                    SCOPED_TRACE(testing::Message()
                                 << way.name << ", " << planes.size() << " planes, margin " << margin);
                    options.clip_planes = planes, options.margin = margin;
                    View view;
                    const Status status = way.prepare(view, options);
                    ASSERT_TRUE(status.ok()) << status.message();
                    expect_sees_nothing(view);
                }
            }
        }
    }
}

/// A clip plane that touches the volume leaves what touches it, and one that misses it by a rounding is no argument to
/// refuse.
TEST(Nothing, IsNotLeftByAPlaneThatTouches) {
    for (const Way& way : all_ways) {
        for (ViewOptions options : all_lights(way)) {
            for (const double beyond : {0.0, 1e-3, -1e-17, -1e-15, -1e-13, -1e-11, -1e-9}) {
                SCOPED_TRACE(testing::Message() << way.name << " " << beyond);
                const Plane touching[] = {{{0, 0, -1}, way.nearest + beyond}, {{0, 1, 0}, 100}};
                options.clip_planes = touching;
                View view;
                const Status status = way.prepare(view, options);
                ASSERT_TRUE(status.ok()) << status.message();
                if (beyond < 0) continue;
                ASSERT_FALSE(view.sees_nothing());
                // The part of the volume that is left, or what casts shadows into it.
                EXPECT_TRUE(options.point_light != nullptr || sees_point(view, {0, 0, way.nearest}));
            }
        }
    }
}

/// The other clip planes cut as they do, and nothing of the view is lost, where one is all but a facet of the volume.
TEST(Nothing, LeavesTheOtherPlanes) {
    for (const Way& way : all_ways) {
        SCOPED_TRACE(way.name);
        const Plane planes[] = {{{0, 0, 1}, -way.nearest}, {{1, 0, 0}, -0.25}};
        View view;
        const Status status = way.prepare(view, {.clip_planes = planes});
        ASSERT_TRUE(status.ok()) << status.message();
        EXPECT_TRUE(sees_point(view, {0.5, 0.5, 1.5}));
        EXPECT_FALSE(sees_point(view, {-0.5, 0.5, 1.5}));
    }
}

/// Planes by themselves, with corners and without.
TEST(Nothing, IsBetweenPlanesThatAreApart) {
    const std::vector<std::vector<Plane>> empty = {
        {{{1, 0, 0}, -1}, {{-1, 0, 0}, 0}},
        {{{1, 0, 0}, -1}, {{-2, 0, 0}, 1.9}},
        {{{0.1, 0.7, -3}, -1}, {{-0.1, -0.7, 3}, 0.5}},
        {{{1, 0, 0}, -1}, {{0, 1, 0}, -1}, {{-1, -1, 0}, 1.9}},
        {{{1, 0, 0}, 0}, {{-1, 0, 0}, 1}, {{0, 1, 0}, 0}, {{0, -1, 0}, 1}, {{1, 1, 0}, -2.1}},
        {{{1, 0, 0}, 0}, {{-1, 0, 0}, 1}, {{0, 1, 0}, 0}, {{0, -1, 0}, 1}, {{0, 0, 1}, 0}, {{1, 1, -1}, -2.1}},
    };
    const DirectionalLight directional_light{{0, 0, 1}};
    for (std::size_t i = 0; i < empty.size(); ++i) {
        SCOPED_TRACE(i);
        expect_sees_nothing(from_planes(empty[i]));
        expect_sees_nothing(from_planes(empty[i], {.directional_light = &directional_light}));
    }
    // A slab, however thin, and a wedge are something.
    const std::vector<std::vector<Plane>> full = {{{{0.1, 0.7, -3}, -1}, {{-0.1, -0.7, 3}, 1}},
                                                  {{{1, 0, 0}, -1}, {{-2, 0, 0}, 2}},
                                                  {{{1, 0, 0}, -1}, {{-1, 1e-12, 0}, 0}}};
    for (const std::vector<Plane>& planes : full) EXPECT_FALSE(from_planes(planes).sees_nothing());
}

/// What a clip plane leaves of the cube around a ball need not be of the ball.
TEST(Nothing, IsLeftOfABallInItsCube) {
    const std::array<double, 3> center = {1, 2, 3};
    const auto cut = [&](double distance) {
        const Plane plane[] = {{{2, 2, 2}, -2 * (6 + std::sqrt(3.0) * distance)}};
        View view;
        EXPECT_TRUE(lanecull::prepare_view_from_ball(center, 2, view, {.clip_planes = plane}));
        return view;
    };
    EXPECT_FALSE(cut(1.999).sees_nothing());
    for (const double distance : {2.001, 3.4, 3.6}) expect_sees_nothing(cut(distance));
}

/// One eye's volume is cut away, and the other's stays.
TEST(Nothing, IsLeftOfOneEye) {
    std::array<double, 16> right = perspective;
    right[3] = -5;                                    // |x - 5| <= z
    const Plane left_of_it[] = {{{1, 0, -1}, -0.1}};  // x >= z + 0.1
    View view, alone;
    ASSERT_TRUE(lanecull::prepare_stereo_view(perspective, right, by_rows, view, {.clip_planes = left_of_it}));
    EXPECT_FALSE(view.sees_nothing());
    ASSERT_TRUE(lanecull::prepare_view(perspective, by_rows, alone, {.clip_planes = left_of_it}));
    EXPECT_TRUE(alone.sees_nothing());
    EXPECT_TRUE(sees_point(view, {5, 0, 2}));
    EXPECT_FALSE(sees_point(view, {1, 0, 2}));
}

/// A matrix with a mirror's plane for its near plane. Looking along +z: what has n . p >= d. Planes that are parallel
/// to the view's and leave nothing are a mistake.
TEST(Nothing, IsLeftByAnObliqueNearPlane) {
    const auto with_near = [](double x, double y, double z, double d) {
        std::array<double, 16> matrix = endless;
        matrix[8] = x, matrix[9] = y, matrix[10] = z, matrix[11] = -d;
        return matrix;
    };
    View view;
    const PointLight point_light{{0, 3, 3}};
    for (const ViewOptions& options : {ViewOptions{}, ViewOptions{.point_light = &point_light}}) {
        ASSERT_TRUE(lanecull::prepare_view(with_near(0, 0.5, -1, 1), by_rows, view, options));  // y / 2 >= z + 1
        expect_sees_nothing(view);
    }
    ASSERT_TRUE(lanecull::prepare_view(with_near(0, -0.5, 1, 1), by_rows, view));
    EXPECT_FALSE(view.sees_nothing());
    EXPECT_FALSE(lanecull::prepare_view(with_near(0, 0, -1, 1), by_rows, view).ok());
}

/// Cascades: of the slice, the camera's clip planes, or the receivers.
TEST(Nothing, IsLeftOfACascade) {
    const DirectionalLight directional_light{{0, 1, 0.5}};
    const Plane near_part[] = {{{0, 0, -1}, 1.5}}, far_part[] = {{{0, 0, 1}, -3}};
    const lanecull::WorldBox some = {{-1, -1, 0}, {1, 1, 9}}, none = {{1, 1, 1}, {-1, -1, -1}},
                             far_away = {{-1e200, -1, 1e150}, {1, 1, 1e200}},
                             nearly_all = {{-1e200, -1e200, -1e200}, {1e200, 1e200, 1e200}};
    const auto prepared = [&](const lanecull::WorldBox& box, std::span<const Plane> planes) {
        View view;
        const Status status = lanecull::prepare_cascade_casters(
            {perspective, by_rows, 2, 4}, box,
            {.clip_planes = planes, .hidden_layers = ~5u, .directional_light = &directional_light}, view);
        EXPECT_TRUE(status.ok()) << status.message();
        EXPECT_EQ(contents_of(view).layer_mask, 5u);
        return view;
    };
    expect_sees_nothing(prepared(some, near_part));
    expect_sees_nothing(prepared(none, near_part));
    expect_sees_nothing(prepared(none, far_part));
    expect_sees_nothing(prepared(far_away, far_part));
    EXPECT_FALSE(prepared(some, far_part).sees_nothing());
    // A box of any numbers has in it what it has in it.
    EXPECT_TRUE(sees_point(prepared(nearly_all, far_part), {0, 0, 3.5}));
}

}  // namespace
