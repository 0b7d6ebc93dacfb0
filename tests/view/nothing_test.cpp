#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include <lanecull/occluder.h>
#include <lanecull/scene.h>
#include <lanecull/shadow.h>

#include "support/culling.hpp"
#include "support/generate.hpp"
#include "view/prepared_view.hpp"

/// Volumes of which clip planes or a light leave nothing: they are prepared, and cull every valid object. Volumes of
/// which they leave next to nothing are prepared, too, and keep what is there.

namespace {

using lanecull::Lamp;
using lanecull::Method;
using lanecull::Plane;
using lanecull::Status;
using lanecull::Sun;
using lanecull::View;
using lanecull::ViewOptions;

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Row by row: looks along +z, |x| <= z, |y| <= z, 1 <= z <= 10, or without end; and |x| <= 2, |y| <= 4, 0 <= z <= 8.
constexpr std::array<double, 16> perspective = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 10.0 / 9, -10.0 / 9, 0, 0, 1, 0};
constexpr std::array<double, 16> endless = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, -1, 0, 0, 1, 0};
constexpr std::array<double, 16> orthographic = {0.5, 0, 0, 0, 0, 0.25, 0, 0, 0, 0, 0.125, 0, 0, 0, 0, 1};
constexpr lanecull::ClipSpace by_rows = {.layout = lanecull::MatrixLayout::row_major};
constexpr std::array<double, 24> cube = {0, 0, 1, 1, 0, 1, 0, 1, 1, 1, 1, 1, 0, 0, 2, 1, 0, 2, 0, 1, 2, 1, 1, 2};
constexpr Plane cube_planes[] = {{{1, 0, 0}, 0},  {{-1, 0, 0}, 1}, {{0, 1, 0}, 0},
                                 {{0, -1, 0}, 1}, {{0, 0, 1}, -1}, {{0, 0, -1}, 2}};
constexpr Plane wedge_planes[] = {{{0, 1, 1}, -1}, {{0, -1, 1}, -1}};

using Prepare = std::function<Status(View&, const ViewOptions&)>;
struct Way {
    const char* name;
    Prepare prepare;
    double nearest = 1;  ///< nothing of the volume has a smaller z, and something of it has this one
    bool takes_light = true;
};

/// All ways to prepare a view.
const Way all_ways[] = {
    {"perspective", [](View& v, const ViewOptions& o) { return lanecull::prepare_view(perspective, by_rows, v, o); }},
    {"endless", [](View& v, const ViewOptions& o) { return lanecull::prepare_view(endless, by_rows, v, o); }},
    {"orthographic", [](View& v, const ViewOptions& o) { return lanecull::prepare_view(orthographic, by_rows, v, o); },
     0},
    {"stereo",
     [](View& v, const ViewOptions& o) {
         return lanecull::prepare_stereo_view(perspective, perspective, by_rows, v, o);
     }},
    {"corners", [](View& v, const ViewOptions& o) { return lanecull::prepare_view_from_corners(cube, v, o); }},
    {"planes", [](View& v, const ViewOptions& o) { return lanecull::prepare_view_from_planes(cube_planes, v, o); }},
    {"wedge", [](View& v, const ViewOptions& o) { return lanecull::prepare_view_from_planes(wedge_planes, v, o); }},
    {"ball",
     [](View& v, const ViewOptions& o) {
         return lanecull::prepare_view_from_ball(std::array{0.0, 0.0, 3.0}, 2, v, o);
     },
     1, false},
    {"casters of many lights",
     [](View& v, ViewOptions o) {
         const Sun sun{{0, 1, 0.5}, 7};
         if (o.sun == nullptr && o.lamp == nullptr) o.sun = &sun;
         return lanecull::prepare_caster_views(perspective, by_rows, {&o, 1}, {&v, 1});
     }},
    {"cascade", [](View& v, ViewOptions o) {
         const Sun sun{{0, 1, 0.5}};
         if (o.sun == nullptr && o.lamp == nullptr) o.sun = &sun;
         const lanecull::WorldBox box{{-20, -20, -20}, {20, 20, 20}};
         return lanecull::prepare_cascade_casters({perspective, by_rows, 0.5, 4}, box, o, v);
     }}};

/// Balls as large as are valid, and others of all kinds.
std::vector<Object> objects_of(Random& random, Kind kind, const HullSet& hulls) {
    std::vector<Object> objects;
    for (int i = 0; i < 60; ++i) {
        const double huge = has_transform(kind) ? 1e27 : 1e33;  // vertices may be far from their own origin
        const double size = i % 3 == 0 ? random.log_range(1e20, huge) : random.log_range(1e-3, 1e4);
        const Double3 at = random.log_range(1e-3, i % 5 == 0 ? 1e30 : 10) * random_direction(random);
        objects.push_back(object_at(random, kind, at, size, hulls));
        if (i % 4 == 0) grow(random, kind, hulls, {.margin = true, .sweep = true}, objects.back());
    }
    return objects;
}

/// By a cull, with certificates: how the object was decided.
std::vector<lanecull::Reason> reasons_of(const lanecull::Batch& batch, const View& view) {
    std::vector<lanecull::Certificate> certificates(batch.count());
    std::vector<std::byte> scratch(lanecull::scratch_bytes({&batch, 1}, 1));
    lanecull::Explanation why{.certificates = certificates};
    lanecull::Output output{.explanation = &why};
    EXPECT_TRUE(lanecull::cull({&batch, 1}, {&view, 1}, {&output, 1}, scratch));
    std::vector<lanecull::Reason> reasons;
    for (const lanecull::Certificate& certificate : certificates) reasons.push_back(certificate.reason);
    return reasons;
}

void expect_all_culled(Kind kind, std::span<const Object> objects, const HullSet& hulls, const View& view) {
    for (const bool bounds : {true, false}) {
        HeapMemory memory;
        const lanecull::Batch batch =
            make_batch(kind, objects, hulls, memory, {.bounds = bounds, .streams = {.margin = true, .sweep = true}});
        for (const lanecull::Isa isa : runnable_isas()) {
            for (const Method method : all_methods) {
                const ViewResult result = run_cull(batch, view, {.method = method, .isa = isa});
                ASSERT_EQ(result.counts[lanecull::Reason::culled_plane], objects.size())
                    << kind_name(kind) << " " << lanecull::isa_name(isa) << " " << method_name(method);
                ASSERT_EQ(result.visible_count, 0u);
            }
        }
        for (const lanecull::Reason reason : reasons_of(batch, view)) {
            ASSERT_EQ(reason, lanecull::Reason::culled_plane) << kind_name(kind);
        }
    }
}

void expect_scene_culled(const lanecull::Batch& batch, const View& view) {
    lanecull::Scene scene;
    std::vector<lanecull::Handle> handles(batch.count());
    ASSERT_TRUE(scene.add({&batch, 1}, handles));
    std::vector<std::uint64_t> visible(lanecull::visibility_words(scene));
    std::vector<std::byte> scratch(lanecull::scratch_bytes(scene, 1));
    lanecull::SceneOutput of_scene;
    lanecull::Explanation why;
    lanecull::Output output{.visible = visible, .scene = &of_scene, .explanation = &why};
    ASSERT_TRUE(lanecull::cull(scene, {&view, 1}, {&output, 1}, scratch));
    EXPECT_EQ(output.visible_count, 0u);
    EXPECT_EQ(of_scene.outside_objects + why.counts[lanecull::Reason::culled_plane], batch.count());
}

/// Nothing is chosen to hide something in it.
void expect_no_occluders(const View& view) {
    lanecull::Viewpoint eye;
    ASSERT_TRUE(lanecull::prepare_viewpoint(perspective, by_rows, eye));
    const lanecull::SolidBox boxes[] = {{{-1, -1, 4}, {1, 1, 5}}, {{-9, -9, -9}, {-8, -8, 9}}};
    const lanecull::SolidSet solids{.boxes = boxes};
    lanecull::Occluder occluders[2];
    std::uint32_t indices[2], count = 7;
    std::vector<std::byte> scratch(lanecull::choose_scratch_bytes(2));
    ASSERT_TRUE(lanecull::choose_occluders(solids, view, eye, occluders, indices, scratch, count));
    EXPECT_EQ(count, 0u);
}

/// Flags keep objects visible, and so do numbers that are none.
void expect_exceptions(const View& view) {
    const float x[] = {0, 0, 0, 0}, y[] = {0, 0, 0, 0}, z[] = {2, 2, 2, 2};
    const float radius[] = {1, 1, std::numeric_limits<float>::quiet_NaN(), 3e37f};
    const std::uint32_t flags[] = {0, lanecull::object_always_visible, 0, 0};
    lanecull::Batch batch = lanecull::Spheres{x, y, z, radius, 4};
    batch.attributes.flags = flags;
    for (const Method method : all_methods) {
        const ViewResult result = run_cull(batch, view, {.method = method});
        EXPECT_EQ(result.words[0], 0b1110u);
        EXPECT_EQ(result.counts[lanecull::Reason::visible_always], 1u);
        EXPECT_EQ(result.counts[lanecull::Reason::visible_invalid], 2u);
    }
}

void expect_sees_nothing(const View& view) {
    EXPECT_TRUE(view.prepared());
    EXPECT_TRUE(view.sees_nothing());
    EXPECT_TRUE(view.exact());
    Random random(31);
    const HullSet hulls = random_hulls(random, 3);
    for (const Kind kind : all_kinds) {
        const std::vector<Object> objects = objects_of(random, kind, hulls);
        expect_all_culled(kind, objects, hulls, view);
        if (testing::Test::HasFatalFailure()) return;
        HeapMemory memory;
        expect_scene_culled(make_batch(kind, objects, hulls, memory), view);
    }
    expect_no_occluders(view);
    expect_exceptions(view);
}

bool sees_point(const View& view, const Double3& p) {
    const std::array<float, 3> at = {static_cast<float>(p[0]), static_cast<float>(p[1]), static_cast<float>(p[2])};
    const float radius = 0;
    const lanecull::Batch point = lanecull::Spheres{&at[0], &at[1], &at[2], &radius, 1};
    for (const Method method : all_methods) {
        for (const lanecull::Isa isa : runnable_isas()) {
            if (!run_cull(point, view, {.method = method, .isa = isa}).visible(0)) return false;
        }
    }
    return true;
}

/// Lights, by name; none first.
struct Lit {
    const char* name;
    Sun sun;
    Lamp lamp;
    bool has_sun, has_lamp;

    void add_to(ViewOptions& options) const {
        if (has_sun) options.sun = &sun;
        if (has_lamp) options.lamp = &lamp;
    }
};
constexpr Plane spot_sides[] = {{{1, 0, 1}, 2}, {{-1, 0, 1}, 2}, {{0, 1, 1}, 2}, {{0, -1, 1}, 2}};
const Lit lights[] = {{"none", {}, {}, false, false},
                      {"endless sun", {{0.3, 1, 0.2}}, {}, true, false},
                      {"sun", {{0.3, 1, 0.2}, 20}, {}, true, false},
                      {"lamp", {}, {{0, 5, -3}}, false, true},
                      {"lamp in the view", {}, {{0, 0, 2}}, false, true},
                      {"lamp with a range", {}, {{0, 1, 2}, 30}, false, true},
                      {"spot", {}, {{0, 0, -2}, infinity, spot_sides}, false, true}};

/// Behind the volume, beside it, beyond a corner, and between them nothing: one, two and three clip planes.
TEST(Nothing, IsLeftByClipPlanes) {
    const std::vector<std::vector<Plane>> cuts = {
        {{{0, 0, -1}, -1}},
        {{{0, 0, -1}, 0.9}, {{0, 0, 1}, -0.95}},
        {{{0, 0, -3}, -0.3}, {{1, 0, 0}, 1}},
    };
    for (const Way& way : all_ways) {
        for (const Lit& light : lights) {
            if (light.has_lamp + light.has_sun > 0 && !way.takes_light) continue;
            for (const std::vector<Plane>& planes : cuts) {
                for (const double margin : {0.0, 2.5}) {
                    SCOPED_TRACE(std::string(way.name) + ", " + light.name + ", " + std::to_string(planes.size()) +
                                 " planes, margin " + std::to_string(margin));
                    ViewOptions options{.clip_planes = planes, .margin = margin};
                    light.add_to(options);
                    View view;
                    const Status status = way.prepare(view, options);
                    ASSERT_TRUE(status.ok()) << status.message();
                    ASSERT_TRUE(view.sees_nothing());
                    if (margin > 0 || light.has_sun) continue;
                    expect_sees_nothing(view);
                    if (testing::Test::HasFatalFailure()) return;
                }
            }
        }
    }
}

/// A clip plane that touches the volume leaves what touches it, and one that misses it by a rounding is no argument to
/// refuse.
TEST(Nothing, IsNotLeftByAPlaneThatTouches) {
    for (const Way& way : all_ways) {
        for (const Lit& light : lights) {
            if (light.has_lamp + light.has_sun > 0 && !way.takes_light) continue;
            SCOPED_TRACE(std::string(way.name) + ", " + light.name);
            for (const double beyond : {0.0, 1e-3, -1e-17, -1e-15, -1e-13, -1e-11, -1e-9}) {
                const Plane touching[] = {{{0, 0, -1}, way.nearest + beyond}, {{0, 1, 0}, 100}};
                ViewOptions options{.clip_planes = touching};
                light.add_to(options);
                View view;
                const Status status = way.prepare(view, options);
                ASSERT_TRUE(status.ok()) << status.message() << " " << beyond;
                if (beyond < 0) continue;
                ASSERT_FALSE(view.sees_nothing()) << beyond;
                // The part of the volume that is left, or what casts shadows into it.
                EXPECT_TRUE(light.has_lamp || sees_point(view, {0, 0, way.nearest})) << beyond;
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
    for (std::size_t i = 0; i < empty.size(); ++i) {
        SCOPED_TRACE(i);
        View view;
        const Status status = lanecull::prepare_view_from_planes(empty[i], view);
        ASSERT_TRUE(status.ok()) << status.message();
        expect_sees_nothing(view);
        const Sun sun{{0, 0, 1}};
        ASSERT_TRUE(lanecull::prepare_view_from_planes(empty[i], view, {.sun = &sun}));
        expect_sees_nothing(view);
    }
    // A slab, however thin, and a wedge are something.
    const std::vector<std::vector<Plane>> full = {{{{0.1, 0.7, -3}, -1}, {{-0.1, -0.7, 3}, 1}},
                                                  {{{1, 0, 0}, -1}, {{-2, 0, 0}, 2}},
                                                  {{{1, 0, 0}, -1}, {{-1, 1e-12, 0}, 0}}};
    for (const std::vector<Plane>& planes : full) {
        View view;
        ASSERT_TRUE(lanecull::prepare_view_from_planes(planes, view));
        EXPECT_FALSE(view.sees_nothing());
    }
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
    expect_sees_nothing(cut(2.001));
    expect_sees_nothing(cut(3.4));
    expect_sees_nothing(cut(3.6));
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
    const Status status = lanecull::prepare_view(with_near(0, 0.5, -1, 1), by_rows, view);  // y / 2 >= z + 1
    ASSERT_TRUE(status.ok()) << status.message();
    expect_sees_nothing(view);
    const Lamp lamp{{0, 3, 3}};
    ASSERT_TRUE(lanecull::prepare_view(with_near(0, 0.5, -1, 1), by_rows, view, {.lamp = &lamp}));
    EXPECT_TRUE(view.sees_nothing());
    ASSERT_TRUE(lanecull::prepare_view(with_near(0, -0.5, 1, 1), by_rows, view));
    EXPECT_FALSE(view.sees_nothing());
    EXPECT_FALSE(lanecull::prepare_view(with_near(0, 0, -1, 1), by_rows, view).ok());
}

/// Cascades: of the slice, the camera's clip planes, or the receivers.
TEST(Nothing, IsLeftOfACascade) {
    const Sun sun{{0, 1, 0.5}};
    const lanecull::Slice slice{perspective, by_rows, 2, 4};
    const Plane near_part[] = {{{0, 0, -1}, 1.5}}, far_part[] = {{{0, 0, 1}, -3}};
    const lanecull::WorldBox some = {{-1, -1, 0}, {1, 1, 9}}, none = {{1, 1, 1}, {-1, -1, -1}},
                             far_away = {{-1e200, -1, 1e150}, {1, 1, 1e200}},
                             nearly_all = {{-1e200, -1e200, -1e200}, {1e200, 1e200, 1e200}};
    const auto prepared = [&](const lanecull::WorldBox& box, std::span<const Plane> planes) {
        View view;
        const Status status = lanecull::prepare_cascade_casters(
            slice, box, {.clip_planes = planes, .hidden_layers = ~5u, .sun = &sun}, view);
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
    EXPECT_FALSE(prepared(nearly_all, far_part).sees_nothing());
    EXPECT_TRUE(sees_point(prepared(nearly_all, far_part), {0, 0, 3.5}));
}

}  // namespace
