#include <gtest/gtest.h>

#include <functional>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "view/ways.hpp"

/// What views, lights, slices and shadow maps refuse. A failure names the argument, and leaves the output as it was.

namespace {

using lanecull::ClipSpace;
using lanecull::DirectionalLight;
using lanecull::Plane;
using lanecull::PointLight;
using lanecull::ShadowMap;
using lanecull::Status;
using lanecull::View;
using lanecull::ViewOptions;
using Matrix = std::array<double, 16>;

constexpr Plane none[] = {{{0, 0, 0}, 1}};

/// The message begins with `named`.
template <class Prepare>
void expect_refused(const std::string& named, const Prepare& prepare) {
    View view;
    ASSERT_TRUE(lanecull::prepare_view(perspective, by_rows, view));
    const View before = view;
    const Status status = prepare(view);
    EXPECT_FALSE(status.ok()) << "wanted a failure naming " << named;
    EXPECT_EQ(std::string(status.message()).find(named), 0u) << '"' << status.message() << "\" does not name " << named;
    EXPECT_TRUE(same_bytes(view, before)) << named << ": a refused view must stay as it was";
}

/// The rules of options are the same for every kind of view.
void expect_options_refused(const std::string& named, const ViewOptions& options) {
    for (const Way& way : plain_ways) {
        SCOPED_TRACE(way.name);
        expect_refused(named, [&](View& view) { return way.prepare(view, options); });
    }
}

void expect_prepared(const ViewOptions& options) {
    for (const Way& way : plain_ways) {
        View view;
        const Status status = way.prepare(view, options);
        EXPECT_TRUE(status.ok() && view.prepared()) << way.name << status.message();
    }
}

void expect_alike(const ViewOptions& a, const ViewOptions& b) {
    for (const Way& way : plain_ways) {
        View by_a, by_b;
        ASSERT_TRUE(way.prepare(by_a, a).ok() && way.prepare(by_b, b).ok());
        EXPECT_TRUE(same_bytes(by_a, by_b)) << way.name;
    }
}

TEST(ViewArguments, Options) {
    for (const double value : {-1.0, -1e-300, nan_value, infinity, 1e31}) {
        expect_options_refused("options.margin", {.margin = value});
        expect_options_refused("options.size_scale", {.size_scale = value});
    }
    for (std::size_t k = 0; k < 3; ++k) {
        for (const double value : {nan_value, infinity, -infinity, 1e31}) {
            Double3 eye{};
            eye[k] = value;
            expect_options_refused("options.eye", {.eye = eye.data()});
        }
    }
    const std::vector<Plane> eleven(11, Plane{{1, 0, 0}, 100});
    expect_options_refused("options.clip_planes", {.clip_planes = eleven});
    for (std::size_t k = 0; k < 4; ++k) {
        for (const double value : {nan_value, infinity, -infinity}) {
            std::vector<Plane> planes(2, Plane{{1, 0, 0}, 100});
            (k < 3 ? planes[1].normal[k] : planes[1].offset) = value;
            expect_options_refused("options.clip_planes[1]", {.clip_planes = planes});
        }
    }
    expect_options_refused("options.clip_planes[0]", {.clip_planes = none});
}

TEST(ViewArguments, DirectionalLights) {
    for (const auto& [x, y, z] : std::initializer_list<Double3>{{0, 0, 0},
                                                                {nan_value, 0, 1},
                                                                {0, infinity, 1},
                                                                {0, 1, -infinity},
                                                                {1e-151, 0, 0},
                                                                {0, 0, 1e151},
                                                                {1e-320, 0, 0},
                                                                {1e308, 1e308, 1e308}}) {
        const DirectionalLight directional_light{{x, y, z}, 1};
        expect_options_refused("options.directional_light.toward", {.directional_light = &directional_light});
    }
    for (const double reach : {-1.0, -1e-300, -infinity, nan_value, 1.1e30}) {
        const DirectionalLight directional_light{{0, 1, 0}, reach};
        expect_options_refused("options.directional_light.reach", {.directional_light = &directional_light});
    }
    for (const double reach : {0.0, 1e-300, 1.0, 1e29, infinity}) {
        const DirectionalLight directional_light{{0, 1, 0}, reach}, far{{0, 1e-140, 0}, reach};
        expect_prepared({.directional_light = &directional_light});
        expect_prepared({.directional_light = &far});
    }
    const DirectionalLight usual{{0, 1, 0}}, endless_light{{0, 1, 0}, infinity};
    expect_alike({.directional_light = &usual}, {.directional_light = &endless_light});
}

TEST(ViewArguments, PointLights) {
    for (const double coordinate : {nan_value, infinity, -infinity, 1.1e30, -1.1e30}) {
        for (std::size_t k = 0; k < 3; ++k) {
            PointLight point_light;
            point_light.at[k] = coordinate;
            expect_options_refused("options.point_light.at", {.point_light = &point_light});
        }
    }
    for (const double range : {-1.0, -1e-300, -infinity, nan_value}) {
        const PointLight point_light{{0, 1, 0}, range};
        expect_options_refused("options.point_light.range", {.point_light = &point_light});
    }
    for (const double range : {-0.0, 0.0, 1e-300, 1e-3, 1.0, 1e30, 1e300, infinity}) {
        const PointLight point_light{{0.5, 0.5, 1}, range};
        expect_prepared({.point_light = &point_light});
    }
    const PointLight usual{{0.5, 0.5, 1}}, boundless{{0.5, 0.5, 1}, infinity};
    expect_alike({.point_light = &usual}, {.point_light = &boundless});
    const std::vector<Plane> nine(9, Plane{{1, 0, 0}, 100});
    PointLight point_light;
    point_light.sides = nine;
    expect_options_refused("options.point_light.sides", {.point_light = &point_light});
    const Plane second[] = {{{1, 0, 0}, 100}, none[0]};
    point_light.sides = second;
    expect_options_refused("options.point_light.sides[1]", {.point_light = &point_light});
    const DirectionalLight directional_light{{0, 1, 0}};
    expect_options_refused("options.point_light", {.directional_light = &directional_light, .point_light = &usual});
}

// Matrices.

/// As doubles and as floats.
void expect_matrix_refused(const Matrix& matrix, const ClipSpace& clip_space, const char* what) {
    SCOPED_TRACE(what);
    std::array<float, 16> single;
    for (std::size_t k = 0; k < 16; ++k) single[k] = static_cast<float>(matrix[k]);
    expect_refused("", [&](View& view) { return lanecull::prepare_view(matrix, clip_space, view); });
    expect_refused("", [&](View& view) { return lanecull::prepare_view(single, clip_space, view); });
    View view;
    EXPECT_GT(std::strlen(lanecull::prepare_view(matrix, clip_space, view).message()), 10u);
}

Matrix with(Matrix matrix, std::size_t row, const std::array<double, 4>& values) {
    for (std::size_t c = 0; c < 4; ++c) matrix[4 * row + c] = values[c];
    return matrix;
}

TEST(ViewArguments, Matrices) {
    for (const Matrix& good : {perspective, orthographic}) {
        for (const double bad : {nan_value, infinity, -infinity}) {
            for (std::size_t k = 0; k < 16; ++k) {
                Matrix matrix = good;
                matrix[k] = bad;
                expect_matrix_refused(matrix, by_rows, "an element that is not finite");
            }
            for (std::size_t k = 0; k < 3; ++k) {
                ClipSpace clip_space = by_rows;
                clip_space.origin[k] = bad;
                expect_matrix_refused(good, clip_space, "an origin that is not finite");
            }
        }
    }
    const std::pair<Matrix, const char*> refused[] = {
        {Matrix{}, "all zeros"},
        {with(perspective, 0, {0, 0, 0, 0}), "no x"},
        {with(perspective, 1, {1, 0, 0, 0}), "y is x"},
        {with(perspective, 3, {0, 0, 0, 0}), "no w"},
        {with(perspective, 3, {1, 0, 0, 0}), "w is x: the sides are parallel"},
        {with(orthographic, 2, {1, 1, 0, 0}), "three parallel pairs of planes in two dimensions"},
        {with(orthographic, 3, {0, 0, 0, -1}), "w is negative everywhere"},
        {with(perspective, 2, {0, 0, 1, 1}), "z is greater than w everywhere"},
        {with(perspective, 2, {0, 0, -1, -1}), "z is negative wherever w is positive"},
        {with(perspective, 2, {0, 0, 0, -1}), "z is negative everywhere"},
        {with(orthographic, 2, {0, 0, 0, 0.5}), "z is constant"},
        {with(orthographic, 0, {1e-31, 0, 0, 0}), "wider than 1e30"}};
    for (const auto& [matrix, what] : refused) expect_matrix_refused(matrix, by_rows, what);
    using lanecull::MatrixLayout;
    const std::pair<ClipSpace, const char*> spaces[] = {
        {{.layout = MatrixLayout::row_major, .origin = {0, 1e31, 0}}, "an origin beyond 1e30"},
        {{.layout = static_cast<MatrixLayout>(2)}, "no such layout"},
        {{.layout = MatrixLayout::row_major, .depth = static_cast<lanecull::DepthRange>(9)}, "no such depth range"}};
    for (const auto& [space, what] : spaces) expect_matrix_refused(perspective, space, what);
}

TEST(ViewArguments, StereoPairs) {
    const auto refused = [](const char* named, const Matrix& left, const Matrix& right, const ClipSpace& clip_space) {
        expect_refused(named, [&](View& v) { return lanecull::prepare_stereo_view(left, right, clip_space, v); });
    };
    for (std::size_t k = 0; k < 16; ++k) {
        for (const double value : {nan_value, infinity}) {
            Matrix matrix = perspective;
            matrix[k] = value;
            refused("left", matrix, perspective, by_rows);
            refused("right", perspective, matrix, by_rows);
        }
    }
    for (const Matrix& wrong : {orthographic, Matrix{}}) {
        refused("left", wrong, perspective, by_rows);
        refused("right", perspective, wrong, by_rows);
    }
    refused("clip_space.origin", perspective, perspective, {.origin = {0, nan_value, 0}});
    // Endless in opposite ways.
    Matrix backward = endless;
    for (const std::size_t k : {10u, 14u}) backward[k] = -backward[k];
    refused("left, right", endless, backward, by_rows);
}

// Other views.

TEST(ViewArguments, CornersAndPlanes) {
    for (std::size_t k = 0; k < 24; ++k) {
        for (const double value : {nan_value, infinity, -infinity, 1.1e30, -1.1e30}) {
            std::array<double, 24> corners = cube;
            corners[k] = value;
            expect_refused("corners", [&](View& v) { return lanecull::prepare_view_from_corners(corners, v); });
        }
    }
    const std::vector<Plane> ten(10, Plane{{1, 0, 0}, 100}), seven(7, Plane{{1, 0, 0}, 100});
    const std::pair<const char*, std::vector<Plane>> refused[] = {
        {"planes", {}},
        {"planes", std::vector<Plane>(17, Plane{{1, 0, 0}, 1})},
        {"planes[1]", {{{1, 0, 0}, 1}, none[0]}},
        {"planes[0]", {{{nan_value, 0, 0}, 1}}},
        {"planes[0]", {{{1, 0, infinity}, 1}}},
        {"planes[0]", {{{1, 0, 0}, nan_value}}},
        {"planes[0]", {{{1, 0, 0}, -infinity}}}};
    for (const auto& [named, planes] : refused) {
        expect_refused(named, [&, &list = planes](View& v) { return lanecull::prepare_view_from_planes(list, v); });
    }
    expect_refused("planes",
                   [&](View& v) { return lanecull::prepare_view_from_planes(seven, v, {.clip_planes = ten}); });
    View view;
    EXPECT_TRUE(lanecull::prepare_view_from_planes(std::span(seven).first(6), view, {.clip_planes = ten}));
}

TEST(ViewArguments, Balls) {
    const auto message = [](std::array<double, 3> center, double radius, const ViewOptions& options) {
        View view;
        const Status status = lanecull::prepare_view_from_ball(center, radius, view, options);
        EXPECT_EQ(view.prepared(), status.ok());
        return std::string(status.message());
    };
    EXPECT_EQ(message({0, 0, 0}, 1, {}), "");
    EXPECT_EQ(message({1e30, -1e30, 0}, 1e-30, {}), "");
    EXPECT_EQ(message({0, nan_value, 0}, 1, {}), "center: number 1 is not a finite one up to 1e30");
    EXPECT_EQ(message({0, 0, -2e30}, 1, {}), "center: number 2 is not a finite one up to 1e30");
    EXPECT_EQ(message({infinity, 0, 0}, 1, {}), "center: number 0 is not a finite one up to 1e30");
    for (const double radius : {0.0, -1.0, nan_value, infinity, 2e30}) {
        EXPECT_EQ(message({0, 0, 0}, radius, {}).find("radius: "), 0u) << radius;
    }
    const DirectionalLight directional_light{{0, 0, 1}};
    const PointLight point_light;
    EXPECT_EQ(message({0, 0, 0}, 1, {.directional_light = &directional_light}), "options: a ball has no light");
    EXPECT_EQ(message({0, 0, 0}, 1, {.point_light = &point_light}), "options: a ball has no light");
    EXPECT_EQ(message({0, 0, 0}, 1, {.clip_planes = none}).find("options.clip_planes[0]: "), 0u);
    EXPECT_EQ(message({0, 0, 0}, 1, {.margin = -1}).find("options.margin: "), 0u);
}

TEST(ViewArguments, ManyLights) {
    const auto expect_named = [](const std::string& named, std::span<const ViewOptions> options, std::size_t count) {
        std::vector<View> views(count);
        const Status status = lanecull::prepare_caster_views(perspective, by_rows, options, views);
        EXPECT_FALSE(status.ok()) << named;
        EXPECT_EQ(std::string(status.message()).find(named), 0u) << status.message() << ", not " << named;
        for (const View& view : views) EXPECT_FALSE(view.prepared());
    };
    const DirectionalLight directional_light{{0, 1, 0}};
    const PointLight point_light{{0, 1, 0}}, odd{{0, 1, 0}, 5, none};
    const ViewOptions good{.directional_light = &directional_light}, by_point_light{.point_light = &point_light}, dark,
        odd_side{.point_light = &odd}, other{.clip_planes = cube_planes, .directional_light = &directional_light},
        margin{.margin = -1, .directional_light = &directional_light};
    expect_named("views", std::vector{good, by_point_light}, 1);
    expect_named("options[1]: one light", std::vector{good, dark}, 2);
    expect_named("options[1].margin", std::vector{good, margin}, 2);
    expect_named("options[1].clip_planes", std::vector{good, other}, 2);
    expect_named("options[2].point_light.sides[0]", std::vector{good, by_point_light, odd_side}, 3);
    EXPECT_TRUE(lanecull::prepare_caster_views(perspective, by_rows, {}, {}).ok());
}

TEST(ViewArguments, Slices) {
    Plane planes[2];
    double corners[24];
    EXPECT_FALSE(lanecull::slice_planes({orthographic, by_rows, 1, 2}, planes).ok()) << "orthographic: it has no depth";
    for (const auto& [from, to] : {std::pair(2.0, 1.0), std::pair(1.0, infinity), std::pair(nan_value, 1.0)}) {
        const Status status = lanecull::slice_corners({endless, by_rows, from, to}, corners);
        EXPECT_EQ(std::string(status.message()).find("slice"), 0u);
    }
    const auto refused = [](const char* named, double near, double far, double share, std::size_t count) {
        std::vector<double> untouched(count, 7);
        const Status status = lanecull::split_depths(near, far, share, untouched);
        EXPECT_EQ(std::string(status.message()).find(named), 0u) << status.message();
        EXPECT_EQ(untouched, std::vector<double>(count, 7));
    };
    for (const double near : {0.0, -1.0, 81.0, nan_value}) refused("near_depth", near, 81, 0.5, 5);
    for (const double far : {1.0, 0.5, infinity, nan_value}) refused("near_depth", 1, far, 0.5, 5);
    for (const double share : {-0.1, 1.1, nan_value}) refused("logarithmic", 1, 81, share, 5);
    refused("depths", 1, 81, 0.5, 1);
    refused("depths", 1, 81, 0.5, 0);
}

TEST(ViewArguments, Cascades) {
    const DirectionalLight directional_light{{0, 1, 0}}, wrong{{0, 0, 0}};
    const std::vector<Plane> three(3, Plane{{1, 0, 0}, 100});
    for (const ViewOptions& options : {ViewOptions{}, ViewOptions{.directional_light = &wrong},
                                       ViewOptions{.clip_planes = three, .directional_light = &directional_light}}) {
        expect_refused("", [&](View& view) {
            return lanecull::prepare_cascade_casters({endless, by_rows, 2, 8}, everywhere, options, view);
        });
    }
}

/// A failure leaves the map as it was.
void expect_map_refused(const std::string& named, const std::function<Status(ShadowMap&)>& make) {
    ShadowMap map;
    map.texel_size = 7;
    const Status status = make(map);
    EXPECT_EQ(std::string(status.message()).find(named), 0u) << status.message() << ", not " << named;
    EXPECT_FALSE(status.ok());
    EXPECT_EQ(map.texel_size, 7);
}

TEST(ViewArguments, Maps) {
    const auto directional = [](const char* named, const lanecull::DirectionalMapOptions& options) {
        expect_map_refused(named, [&](ShadowMap& map) {
            return lanecull::fit_directional_map({endless, by_rows, 1, 2}, everywhere, options, map);
        });
    };
    directional("options.toward", {{0, 0, 0}});
    directional("options.toward", {{0, nan_value, 0}});
    directional("options.toward", {{0, infinity, 1}});
    directional("options.up: along options.toward; zeros mean (0, 1, 0)", {{0, 1, 0}, {0, 0, 0}});
    directional("options.up", {{0, 1, 0}, {0, -2, 0}});
    directional("options.up", {{0, 1, 0}, {nan_value, 0, 1}});
    directional("texels", {{0, 1, 0}, {0, 0, 1}, 15});
    directional("texels", {{0, 1, 0}, {0, 0, 1}, 65537});

    using Vector = const double(&)[3];
    const double origin[3] = {0, 0, 0}, z[3] = {0, 0, 1}, y[3] = {0, 1, 0}, far_off[3] = {0, 1e31, 0};
    const auto spot = [](const char* named, Vector at, Vector forward, Vector up, double tan_x, double tan_y,
                         double near, std::uint32_t texels) {
        expect_map_refused(named, [&](ShadowMap& map) {
            return lanecull::spot_map(at, forward, up, tan_x, tan_y, near, 10, texels, map);
        });
    };
    spot("at", far_off, z, y, 1, 1, 0.1, 512);
    spot("forward", origin, origin, y, 1, 1, 0.1, 512);
    spot("up", origin, z, origin, 1, 1, 0.1, 512);
    spot("up", origin, z, z, 1, 1, 0.1, 512);
    spot("tan_x", origin, z, y, 0, 1, 0.1, 512);
    spot("tan_x", origin, z, y, 1, nan_value, 0.1, 512);
    spot("near_depth", origin, z, y, 1, 1, 0, 512);
    spot("texels", origin, z, y, 1, 1, 0.1, 0);
    expect_map_refused("face", [&](ShadowMap& map) { return lanecull::cube_map_face(origin, 6, 0.1, 10, 512, map); });
}

TEST(ViewArguments, EngineMaps) {
    double clip[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    const auto refused = [&](const char* sentence, std::uint32_t width, std::uint32_t height) {
        expect_map_refused(sentence,
                           [&](ShadowMap& map) { return lanecull::engine_map(clip, {}, width, height, map); });
    };
    refused("width: 15 is not from 16 to 65536", 15, 16);
    refused("height: 65537 is not from 16 to 65536", 16, 65537);
    for (const double bad : {0.0, infinity, nan_value}) {
        for (const std::size_t k : {std::size_t{0}, std::size_t{5}, std::size_t{15}}) {
            const double before = std::exchange(clip[k], bad);
            refused(
                bad == 0 ? "clip_from_world: its rows make no map's sides" : "clip_from_world: a number is not finite",
                16, 16);
            clip[k] = before;
        }
    }
    ShadowMap map;
    EXPECT_TRUE(lanecull::engine_map(clip, {}, 16, 16, map));
}

TEST(ViewArguments, CoveredMaps) {
    ShadowMap map;
    const auto refused = [&](const char* named, double border) {
        expect_refused(named, [&](View& view) { return lanecull::prepare_covered(map, border, view); });
    };
    refused("", 0);  // a map without sides
    const double at[3] = {0, 0, 0};
    ASSERT_TRUE(lanecull::cube_map_face(at, 0, 0.1, 10, 512, map));
    for (const double border : {-1.0, nan_value}) refused("", border);
    for (const double texel : {-1.0, nan_value}) {
        map.texel_size = texel;
        refused("directional_map.texel_size", 1);
    }
}

}  // namespace
