#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <vector>

#include <lanecull/shadow.h>

#include "support/culling.hpp"
#include "support/generate.hpp"
#include "support/scale.hpp"
#include "view/prepared_view.hpp"

/// Views of shadow casters: their arguments, lamps with a range, and lights that reach nothing or everything.
/// (views_test.cpp compares them with the exact oracle.)

namespace {

using lanecull::Lamp;
using lanecull::Plane;
using lanecull::Status;
using lanecull::Sun;
using lanecull::View;
using lanecull::ViewOptions;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();

/// Row by row: looks along +z, |x| <= z, |y| <= z, 1 <= z <= 10, or without end; and |x| <= 2, |y| <= 4, 0 <= z <= 8.
constexpr std::array<double, 16> perspective = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 10.0 / 9, -10.0 / 9, 0, 0, 1, 0};
constexpr std::array<double, 16> endless = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0};
constexpr std::array<double, 16> orthographic = {0.5, 0, 0, 0, 0, 0.25, 0, 0, 0, 0, 0.125, 0, 0, 0, 0, 1};
constexpr lanecull::ClipSpace by_rows = {.layout = lanecull::MatrixLayout::row_major};
constexpr std::array<double, 24> cube = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 0, 0, 1, 1, 0, 1, 0, 1, 1, 1, 1, 1};
constexpr Plane cube_planes[] = {{{1, 0, 0}, 0},  {{-1, 0, 0}, 1}, {{0, 1, 0}, 0},
                                 {{0, -1, 0}, 1}, {{0, 0, 1}, 0},  {{0, 0, -1}, 1}};

using Prepare = std::function<Status(View&, const ViewOptions&)>;

/// The same options for views of every kind.
const Prepare all_views[] = {
    [](View& v, const ViewOptions& o) { return lanecull::prepare_view(perspective, by_rows, v, o); },
    [](View& v, const ViewOptions& o) { return lanecull::prepare_view(endless, by_rows, v, o); },
    [](View& v, const ViewOptions& o) { return lanecull::prepare_view(orthographic, by_rows, v, o); },
    [](View& v, const ViewOptions& o) {
        return lanecull::prepare_stereo_view(perspective, perspective, by_rows, v, o);
    },
    [](View& v, const ViewOptions& o) { return lanecull::prepare_view_from_corners(cube, v, o); },
    [](View& v, const ViewOptions& o) { return lanecull::prepare_view_from_planes(cube_planes, v, o); }};

void expect_refused(const std::string& named, const ViewOptions& options) {
    for (const Prepare& prepare : all_views) {
        View view;
        const Status status = prepare(view, options);
        EXPECT_FALSE(status.ok()) << "wanted a failure naming " << named;
        EXPECT_EQ(std::string(status.message()).find(named), 0u) << status.message() << ", not " << named;
        EXPECT_FALSE(view.prepared());
    }
}

void expect_prepared(const ViewOptions& options) {
    for (const Prepare& prepare : all_views) {
        View view;
        const Status status = prepare(view, options);
        EXPECT_TRUE(status.ok()) << status.message();
        EXPECT_TRUE(view.prepared());
    }
}

/// Both make the same bytes.
void expect_alike(const ViewOptions& a, const ViewOptions& b) {
    for (const Prepare& prepare : all_views) {
        View by_a, by_b;
        ASSERT_TRUE(prepare(by_a, a).ok() && prepare(by_b, b).ok());
        EXPECT_EQ(std::memcmp(&contents_of(by_a), &contents_of(by_b), sizeof contents_of(by_a)), 0);
    }
}

TEST(CasterArguments, Suns) {
    for (const auto& [x, y, z] : std::initializer_list<Double3>{{0, 0, 0},
                                                                {nan_value, 0, 1},
                                                                {0, infinity, 1},
                                                                {0, 1, -infinity},
                                                                {1e-151, 0, 0},
                                                                {0, 0, 1e151},
                                                                {1e-320, 0, 0},
                                                                {1e308, 1e308, 1e308}}) {
        const Sun sun{{x, y, z}, 1};
        expect_refused("options.sun.toward", {.sun = &sun});
    }
    for (const double reach : {-1.0, -1e-300, -infinity, nan_value, 1.1e30}) {
        const Sun sun{{0, 1, 0}, reach};
        expect_refused("options.sun.reach", {.sun = &sun});
    }
    for (const double reach : {0.0, 1e-300, 1.0, 1e29, infinity}) {
        const Sun sun{{0, 1, 0}, reach}, far{{0, 1e-140, 0}, reach};
        expect_prepared({.sun = &sun});
        expect_prepared({.sun = &far});
    }
    const Sun usual{{0, 1, 0}}, endless_sun{{0, 1, 0}, infinity};
    expect_alike({.sun = &usual}, {.sun = &endless_sun});
}

TEST(CasterArguments, Lamps) {
    for (const double coordinate : {nan_value, infinity, -infinity, 1.1e30, -1.1e30}) {
        for (std::size_t k = 0; k < 3; ++k) {
            Lamp lamp;
            lamp.at[k] = coordinate;
            expect_refused("options.lamp.at", {.lamp = &lamp});
        }
    }
    for (const double range : {-1.0, -1e-300, -infinity, nan_value}) {
        const Lamp lamp{{0, 1, 0}, range};
        expect_refused("options.lamp.range", {.lamp = &lamp});
    }
    for (const double range : {-0.0, 0.0, 1e-300, 1e-3, 1.0, 1e30, 1e300, infinity}) {
        const Lamp lamp{{0.5, 0.5, 1}, range};
        expect_prepared({.lamp = &lamp});
    }
    const Lamp usual{{0.5, 0.5, 1}}, boundless{{0.5, 0.5, 1}, infinity};
    expect_alike({.lamp = &usual}, {.lamp = &boundless});
    const std::vector<Plane> nine(9, Plane{{1, 0, 0}, 100});
    Lamp lamp;
    lamp.sides = nine;
    expect_refused("options.lamp.sides", {.lamp = &lamp});
    const Plane none[] = {{{1, 0, 0}, 100}, {{0, 0, 0}, 1}};
    lamp.sides = none;
    expect_refused("options.lamp.sides[1]", {.lamp = &lamp});
}

TEST(CasterArguments, OneLight) {
    const Sun sun{{0, 1, 0}};
    const Lamp lamp;
    expect_refused("options.lamp", {.sun = &sun, .lamp = &lamp});
}

/// A ball of that radius, in every view and by every method.
void expect_ball(const std::array<float, 3>& at, float radius, bool visible, const View& view) {
    const lanecull::Batch ball = lanecull::Spheres{&at[0], &at[1], &at[2], &radius, 1};
    for (const lanecull::Isa isa : runnable_isas()) {
        for (const lanecull::Method method : all_methods) {
            if (method == lanecull::Method::planes && !visible) continue;
            EXPECT_EQ(run_cull(ball, view, {.method = method, .isa = isa}).visible(0), visible)
                << lanecull::isa_name(isa) << " " << method_name(method) << " " << at[0] << " " << at[1] << " "
                << at[2];
        }
    }
}

TEST(Casters, SunStraightBehindAnEndlessView) {
    const Sun behind{{0, 0, -1}};
    View view;
    ASSERT_TRUE(lanecull::prepare_view(endless, by_rows, view, {.sun = &behind}));
    EXPECT_FALSE(view.exact());
    for (const float x : {0.0f, 1e6f, -1e6f}) {
        for (const float z : {0.0f, 1e6f, -1e6f}) expect_ball({x, 0, z}, 1, true, view);
    }
    // Of a view that ends the far end is swept, and the sweep of any reach ends.
    ASSERT_TRUE(lanecull::prepare_view(perspective, by_rows, view, {.sun = &behind}));
    EXPECT_TRUE(view.exact());
    expect_ball({9, 0, -1e4f}, 0.5, true, view);
    expect_ball({11, 0, -1e4f}, 0.5, false, view);
    expect_ball({0, 0, 11}, 0.5, false, view);
    const Sun near{{0, 0, -1}, 100};
    ASSERT_TRUE(lanecull::prepare_view(endless, by_rows, view, {.sun = &near}));
    EXPECT_TRUE(view.exact());
    expect_ball({0, 0, -98.5}, 0.4f, true, view);
    expect_ball({0, 0, -99.5}, 0.4f, false, view);
    // Beside the axis of an endless view the sun leaves half of space.
    const Sun beside{{1, 0, -1}};
    ASSERT_TRUE(lanecull::prepare_view(endless, by_rows, view, {.sun = &beside}));
    expect_ball({1e4f, 0, -1e4f}, 1, true, view);
}

/// Planes made of the same facet from several of its corners are one. Where they were not, the planes did not tell the
/// volume, and everything inside went to GJK: right, and two to three times slower.
TEST(Casters, PlanesTellTheVolumesOfOrdinaryCameras) {
    constexpr std::uint64_t seed = 71;
    SCOPED_TRACE(seed);
    Random random(seed);
    const Projection ordinary[] = {Projection::perspective, Projection::reversed, Projection::off_centre,
                                   Projection::opengl, Projection::orthographic};
    int told[3] = {};
    const int cameras = scaled(500);
    for (int i = 0; i < cameras; ++i) {
        const Camera camera = random_camera(random, ordinary[i % 5]);
        const Double3 toward = random_direction(random), way = random_direction(random);
        const Sun endless_sun{{toward[0], toward[1], toward[2]}}, sun{{toward[0], toward[1], toward[2]}, 200};
        const Double3 at = camera.eye + 100.0 * way;
        const Lamp lamp{{at[0], at[1], at[2]}};
        const ViewOptions lights[] = {{.sun = &endless_sun}, {.sun = &sun}, {.lamp = &lamp}};
        for (int k = 0; k < 3; ++k) {
            View view;
            const Status status = camera.prepare(view, lights[k]);
            ASSERT_TRUE(status.ok()) << status.message();
            told[k] += static_cast<int>(contents_of(view).planes_suffice);
        }
    }
    for (const int count : told) EXPECT_GE(count, cameras * 95 / 100);
}

TEST(Casters, LampInsideTheView) {
    const Lamp lamp{{0.25, -0.5, 5}};
    View lit, plain;
    ASSERT_TRUE(lanecull::prepare_view(perspective, by_rows, lit, {.lamp = &lamp}));
    ASSERT_TRUE(lanecull::prepare_view(perspective, by_rows, plain));
    EXPECT_TRUE(lit.exact());
    for (int i = 0; i < 12 * 12 * 12; ++i) {
        const std::array<float, 3> at = {2.0f * static_cast<float>(i % 12) - 11,
                                         2.0f * static_cast<float>(i / 12 % 12) - 11, static_cast<float>(i / 144)};
        const float radius = 0.3f;
        const lanecull::Batch ball = lanecull::Spheres{&at[0], &at[1], &at[2], &radius, 1};
        EXPECT_EQ(run_cull(ball, lit).visible(0), run_cull(ball, plain).visible(0)) << i;
    }
}

TEST(Casters, LightThatReachesNothing) {
    const auto expect_nothing = [](const Prepare& prepare, const ViewOptions& options) {
        View view;
        const Status status = prepare(view, options);
        ASSERT_TRUE(status.ok()) << status.message();
        for (const float size : {0.0f, 1.0f, 1e6f}) {
            expect_ball({0, 0, 5}, size, false, view);
            const std::array<float, 3> at = {0, 0, 5};
            const lanecull::Batch ball = lanecull::Spheres{&at[0], &at[1], &at[2], &size, 1};
            EXPECT_FALSE(run_cull(ball, view, {.method = lanecull::Method::planes}).visible(0));
        }
    };
    for (const Prepare& prepare : all_views) {
        if (&prepare == &all_views[1]) continue;  // it has no end
        const Lamp far{{0, 1000, 0}, 900}, across{{1000, 1000, -1000}, 1600};
        expect_nothing(prepare, {.lamp = &far});
        expect_nothing(prepare, {.lamp = &across});
        const Plane upward[] = {{{0, 1, 0}, -1000}};
        const Lamp spot{.at = {0, 1000, 0}, .sides = upward};
        expect_nothing(prepare, {.lamp = &spot});
    }
    // What receives is wider by the margin.
    const Lamp just_out{{0, 0, -9.5}, 10};
    View view;
    expect_nothing(all_views[0], {.lamp = &just_out});
    ASSERT_TRUE(lanecull::prepare_view(perspective, by_rows, view, {.margin = 0.6, .lamp = &just_out}));
    expect_ball({0, 0, -5}, 0.1f, true, view);
}

/// What lies beyond a lamp's range goes though it is in the volume, and by its distance.
TEST(Casters, RangeCullsByDistance) {
    const Lamp lamp{{0, 0, 5}, 3};
    View view;
    ASSERT_TRUE(lanecull::prepare_view(perspective, by_rows, view, {.lamp = &lamp}));
    EXPECT_FALSE(view.exact());
    expect_ball({0, 0, 7.9f}, 0.01f, true, view);
    expect_ball({2.9f, 0, 5}, 0.01f, true, view);
    // In the cube around the ball, and in the view.
    const std::array<float, 3> corner = {2, 2, 7};
    const float radius = 0.4f;
    const lanecull::Batch ball = lanecull::Spheres{&corner[0], &corner[1], &corner[2], &radius, 1};
    for (const lanecull::Isa isa : runnable_isas()) {
        for (const lanecull::Method method : all_methods) {
            const ViewResult result = run_cull(ball, view, {.method = method, .isa = isa});
            EXPECT_FALSE(result.visible(0));
            EXPECT_EQ(result.counts[lanecull::Reason::culled_distance], 1u);
        }
    }
}

/// A point of the view, widened, within the range; a point between it and the lamp; an object around that.
TEST(Casters, RangeNeverCullsACaster) {
    int kept = 0, culled = 0;
    for (int v = 0; v < scaled(400); ++v) {
        const std::uint64_t seed = 11'000'000 + static_cast<std::uint64_t>(v);
        Random random(seed);
        const Camera camera = random_camera(random, all_projections[random.below(9)]);
        if (camera.projection == Projection::oblique)
            continue;  // its near plane is tilted: the point might be before it
        const bool ortho = camera.projection == Projection::orthographic;
        const double far = std::min(camera.depth[1], camera.depth[0] + 100 * (ortho ? 1 : camera.depth[0]));
        const double depth = random.range(camera.depth[0], far);
        const auto within = [&](const double(&range)[2]) {
            return range[0] + random.range(0.01, 0.99) * (range[1] - range[0]);
        };
        const Double3 seen = camera.point(within(camera.x), within(camera.y), depth);
        const double size = std::fabs(camera.size_at(depth));
        const double margin = random.chance(0.5) ? 0 : size * random.log_range(1e-3, 1);
        const Double3 receiver = seen + 0.99 * margin * random_direction(random);
        const double distance = size * random.log_range(0.01, 30);
        const Double3 at = receiver + distance * random_direction(random);
        Lamp lamp{{at[0], at[1], at[2]}, distance * (1 + 1e-3)};
        View view;
        const Status status = camera.prepare(view, {.margin = margin, .lamp = &lamp});
        if (!status) continue;
        const double coordinates = std::fabs(at[0]) + std::fabs(at[1]) + std::fabs(at[2]) + size + distance;
        const Double3 between = receiver + random.unit() * (at - receiver);
        const double radius = coordinates * 1e-6;
        const std::array<float, 3> centre = {static_cast<float>(between[0]), static_cast<float>(between[1]),
                                             static_cast<float>(between[2])};
        const Double3 beyond = at + (2 * distance + 10 * radius) * random_direction(random);
        const std::array<float, 3> outside = {static_cast<float>(beyond[0]), static_cast<float>(beyond[1]),
                                              static_cast<float>(beyond[2])};
        const float r = static_cast<float>(radius);
        const lanecull::Batch caster = lanecull::Spheres{&centre[0], &centre[1], &centre[2], &r, 1};
        const lanecull::Batch other = lanecull::Spheres{&outside[0], &outside[1], &outside[2], &r, 1};
        for (const lanecull::Isa isa : runnable_isas()) {
            for (const lanecull::Method method : all_methods) {
                EXPECT_TRUE(run_cull(caster, view, {.method = method, .isa = isa}).visible(0)) << "seed " << seed;
                const bool gone = !run_cull(other, view, {.method = method, .isa = isa}).visible(0);
                EXPECT_TRUE(gone || margin > 0.9 * distance) << "seed " << seed;
                culled += gone;
                ++kept;
            }
        }
    }
    EXPECT_GT(kept, scaled(400));
    EXPECT_GT(culled, kept / 2);
}

/// Where the receivers are many times farther away than the casters, distances and sizes are still measured from the
/// view's eye.
TEST(Casters, DistancesAreFromTheEye) {
    const Sun sun{{0, 1, 0}};
    View view;
    ASSERT_TRUE(lanecull::prepare_view(perspective, by_rows, view, {.sun = &sun}));
    const std::array<float, 3> at = {0, 50, 5};
    const float radius = 1;
    lanecull::Batch ball = lanecull::Spheres{&at[0], &at[1], &at[2], &radius, 1};
    float most = 49;
    ball.attributes.max_distance = &most;
    EXPECT_FALSE(run_cull(ball, view).visible(0));
    most = 50;
    EXPECT_TRUE(run_cull(ball, view).visible(0));
}

/// Lights of every kind, each with options of its own.
struct ManyLights {
    std::vector<Sun> suns;
    std::vector<Lamp> lamps;
    std::vector<ViewOptions> options;

    ManyLights() {
        suns = {{{0, 1, 0}, 5}, {{0.3, 1, -0.2}}, {{1, 0, 0}, 1e-300}};
        lamps = {{{0.5, 0.5, 3}}, {{0, 4, 5}, 3}, {{0, 0, 0}, 2, cube_planes}, {{500, 0, 0}, 1}, {{-3, 1, 12}, 20}};
        for (const Sun& sun : suns) options.push_back({.margin = 0.25, .sun = &sun});
        for (const Lamp& lamp : lamps) options.push_back({.hidden_layers = ~5u, .lamp = &lamp});
        const std::vector<ViewOptions> once = options;
        for (int k = 0; k < 3; ++k) options.insert(options.end(), once.begin(), once.end());
    }
};

/// Runs tasks from the last to the first.
lanecull::Runner backwards() {
    return {nullptr, [](void*, std::uint32_t count, const lanecull::Task* task) {
                for (std::uint32_t i = count; i > 0; --i) (*task)(i - 1);
            }};
}

TEST(CasterViews, ManyAreTheSameBytesAsOneEach) {
    const ManyLights lights;
    const Plane clip[] = {{{0, 0, 1}, -2}, {{1, 0.25, 0}, 1.5}};
    for (const auto& matrix : {perspective, endless, orthographic}) {
        for (const bool clipped : {false, true}) {
            std::vector<ViewOptions> options = lights.options;
            for (ViewOptions& o : options) {
                if (clipped) o.clip_planes = clip;
            }
            std::vector<View> views(options.size());
            const Status status = lanecull::prepare_caster_views(matrix, by_rows, options, views, backwards());
            ASSERT_TRUE(status.ok()) << status.message();
            for (std::size_t i = 0; i < options.size(); ++i) {
                View one;
                ASSERT_TRUE(lanecull::prepare_view(matrix, by_rows, one, options[i]).ok());
                EXPECT_EQ(std::memcmp(&contents_of(one), &contents_of(views[i]), sizeof contents_of(one)), 0) << i;
            }
        }
    }
}

TEST(CasterViews, RefusedOptionsAreNamedAndNothingIsWritten) {
    const auto expect_named = [](const std::string& named, std::span<const ViewOptions> options, std::size_t count) {
        std::vector<View> views(count);
        const Status status = lanecull::prepare_caster_views(perspective, by_rows, options, views);
        EXPECT_FALSE(status.ok()) << named;
        EXPECT_EQ(std::string(status.message()).find(named), 0u) << status.message() << ", not " << named;
        for (const View& view : views) EXPECT_FALSE(view.prepared());
    };
    const Plane none[] = {{{0, 0, 0}, 1}};
    const Sun sun{{0, 1, 0}};
    const Lamp lamp{{0, 1, 0}}, odd{{0, 1, 0}, 5, none};
    const ViewOptions good{.sun = &sun}, by_lamp{.lamp = &lamp}, dark, odd_side{.lamp = &odd};
    const ViewOptions other{.clip_planes = cube_planes, .sun = &sun}, margin{.margin = -1, .sun = &sun};
    expect_named("views", std::vector{good, by_lamp}, 1);
    expect_named("options[1]: one light", std::vector{good, dark}, 2);
    expect_named("options[1].margin", std::vector{good, margin}, 2);
    expect_named("options[1].clip_planes", std::vector{good, other}, 2);
    expect_named("options[2].lamp.sides[0]", std::vector{good, by_lamp, odd_side}, 3);
    EXPECT_TRUE(lanecull::prepare_caster_views(perspective, by_rows, {}, {}).ok());
}

}  // namespace
