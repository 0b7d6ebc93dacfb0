#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include <lanecull/flat.h>
#include <lanecull/shadow.h>
#include <lanecull/view.h>

#include "api/modes.hpp"
#include "flat/prepared_view.hpp"
#include "view/prepared_view.hpp"

/// The functions that prepare views, slices and maps. And whether the table of calls has every public function.
namespace modes {
namespace {

using lanecull::Plane;
using lanecull::ShadowMap;
using lanecull::Status;
using lanecull::View;
using lanecull::ViewOptions;

/// Something that a call makes; a view that is not prepared has no contents.
void add_made(Answer& answer, const View& view) {
    answer.add(view.prepared(), view.exact(), view.sees_nothing());
    if (view.prepared()) answer.add(contents_of(view));
}
void add_made(Answer& answer, const lanecull::flat::View& view) {
    answer.add(view.prepared());
    if (view.prepared()) answer.add(contents_of(view));
}
void add_made(Answer& answer, const ShadowMap& map) {
    answer.add(map.clip_from_world, map.clip_space.origin, map.sides, map.texel_size, map.is_perspective);
}
template <class Numbers>
void add_made(Answer& answer, const Numbers& numbers) {
    answer.add(numbers);
}

/// Adds what make(made) returns and makes, with the numbers as they are and odd ones in their place.
template <class Made, class Numbers, class Make>
void add_each(Answer& answer, Numbers&& numbers, const Make& make) {
    with_odd(numbers, [&] {
        Made made{};
        answer.add(make(made));
        add_made(answer, made);
    });
}

/// A camera of small numbers at the origin.
constexpr std::array<double, 16> simple = {1, 0, 0, 0, 0, 1.5, 0, 0, 0, 0, -1.02, -1, 0.1, 0.3, -0.2, 0.7};

/// What a view may have beside its volume.
struct OptionNumbers {
    double plane[4] = {0.25, 0.5, -0.125, 3};
    double margin = 0.25;
    double eye[3] = {0.5, 0.75, 1.25};
    double size_scale = 1.5;
    double toward[3] = {0.5, 1, 0.25}, reach = 20;
    double at[3] = {1.5, 2.25, -3}, range = 40;
    double side[4] = {0.25, -1, 0.125, 5};
};

enum class Light { none, directional_light, point_light };

/// Calls prepare(options, view) with all options, with odd numbers among them.
template <class Prepare>
void add_options(Answer& answer, Light light, const Prepare& prepare) {
    OptionNumbers n;
    add_each<View>(answer, n, [&](View& view) {
        const Plane plane = {{n.plane[0], n.plane[1], n.plane[2]}, n.plane[3]};
        const Plane side = {{n.side[0], n.side[1], n.side[2]}, n.side[3]};
        const lanecull::DirectionalLight directional_light{{n.toward[0], n.toward[1], n.toward[2]}, n.reach};
        const lanecull::PointLight point_light{{n.at[0], n.at[1], n.at[2]}, n.range, {&side, 1}};
        const ViewOptions options{.clip_planes = {&plane, 1},
                                  .margin = n.margin,
                                  .eye = n.eye,
                                  .size_scale = n.size_scale,
                                  .directional_light = light == Light::directional_light ? &directional_light : nullptr,
                                  .point_light = light == Light::point_light ? &point_light : nullptr};
        return prepare(options, view);
    });
}

/// Casters of lights: the view's own numbers with a usual light, then the light's.
template <class Numbers, class Prepare>
void add_lit(Answer& answer, Numbers& numbers, const Prepare& prepare) {
    const lanecull::DirectionalLight directional_light{{0.5, 1, 0.25}, 20};
    add_each<View>(answer, numbers,
                   [&](View& view) { return prepare({.directional_light = &directional_light}, view); });
    add_options(answer, Light::directional_light, prepare);
    add_options(answer, Light::point_light, prepare);
}

std::vector<Camera> make_cameras() {
    Random random(8);
    std::vector<Camera> cameras;
    for (const Projection projection : all_projections) {
        cameras.push_back(random_prepared_camera(random, projection).camera);
    }
    return cameras;
}
const std::vector<Camera>& cameras() {
    static const std::vector<Camera> all = make_cameras();
    return all;
}

const Registered of_doubles("lanecull_prepare_view", [](Answer& answer) {
    for (Camera camera : cameras()) {
        const auto prepare = [&](View& view) { return lanecull::prepare_view(camera.matrix, camera.clip_space, view); };
        add_each<View>(answer, camera.matrix, prepare);
        add_each<View>(answer, camera.clip_space.origin, prepare);
    }
    for (const Light light : {Light::none, Light::directional_light, Light::point_light}) {
        add_options(answer, light, [](const ViewOptions& options, View& view) {
            return lanecull::prepare_view(simple, {}, view, options);
        });
    }
});

const Registered of_floats("lanecull_prepare_view_of_floats", [](Answer& answer) {
    for (Camera camera : cameras()) {
        add_each<View>(answer, camera.single_matrix, [&](View& view) {
            return lanecull::prepare_view(camera.single_matrix, camera.clip_space, view);
        });
    }
});

const Registered of_two_eyes("lanecull_prepare_stereo_view", [](Answer& answer) {
    std::array<double, 16> eyes[2] = {simple, simple};
    eyes[1][12] = 0.125;
    for (std::array<double, 16>& eye : eyes) {
        add_each<View>(answer, eye,
                       [&](View& view) { return lanecull::prepare_stereo_view(eyes[0], eyes[1], {}, view); });
    }
    add_options(answer, Light::none, [&](const ViewOptions& options, View& view) {
        return lanecull::prepare_stereo_view(eyes[0], eyes[1], {}, view, options);
    });
});

const Registered of_casters("lanecull_prepare_caster_views", [](Answer& answer) {
    std::array<double, 16> matrix = simple;
    const auto prepare = [&](const ViewOptions& options, View& view) {
        const ViewOptions two[] = {options, options};
        View views[2];
        const Status status = lanecull::prepare_caster_views(matrix, {}, two, views);
        view = views[1];
        return status;
    };
    add_lit(answer, matrix, prepare);
});

const Registered of_corners("lanecull_prepare_view_from_corners", [](Answer& answer) {
    std::array<double, 24> corners = {-1.2, 0.3, 2.9, 1.7,  -0.6, 0.1, -1.9, 2.2, 1.4, 2.6, 0.8, -1.1,
                                      0.4,  1.9, 2.1, -0.7, 0.2,  1.3, 2.8,  -1,  0.5, 1.1, 2.4, -1.6};
    add_each<View>(answer, corners, [&](View& view) { return lanecull::prepare_view_from_corners(corners, view); });
    add_options(answer, Light::directional_light, [&](const ViewOptions& options, View& view) {
        return lanecull::prepare_view_from_corners(corners, view, options);
    });
});

const Registered of_planes("lanecull_prepare_view_from_planes", [](Answer& answer) {
    Plane planes[] = {{{1, 0.1, 0.3}, 2.1},  {{-0.9, 0.2, 0.1}, 3.3}, {{0.2, 1.1, -0.3}, 1.7},
                      {{0.1, -0.8, 0.3}, 4}, {{0, 0.3, 1.2}, 1.9},    {{-0.2, 0.1, -0.7}, 2.3}};
    for (Plane& plane : planes) {
        add_each<View>(answer, plane, [&](View& view) { return lanecull::prepare_view_from_planes(planes, view); });
    }
    add_options(answer, Light::point_light, [&](const ViewOptions& options, View& view) {
        return lanecull::prepare_view_from_planes(planes, view, options);
    });
});

const Registered of_ball("lanecull_prepare_view_from_ball", [](Answer& answer) {
    std::array<double, 4> ball = {0.3, -1.7, 2.9, 3.1};
    const auto prepare = [&](const ViewOptions& options, View& view) {
        return lanecull::prepare_view_from_ball(std::span(ball).first<3>(), ball[3], view, options);
    };
    add_each<View>(answer, ball, [&](View& view) { return prepare({}, view); });
    add_options(answer, Light::none, prepare);
});

// Shadow maps.

struct SliceNumbers {
    double matrix[16] = {}, origin[3] = {0.5, -2, 3}, near_depth = 0.75, far_depth = 7.3;
    double lower[3] = {-3, -2, -9}, upper[3] = {4, 5, 2};

    SliceNumbers() { std::ranges::copy(simple, matrix); }
    [[nodiscard]] lanecull::Slice slice() const {
        lanecull::ClipSpace space;
        std::ranges::copy(origin, space.origin);
        return {matrix, space, near_depth, far_depth};
    }
    [[nodiscard]] lanecull::WorldBox receivers() const {
        return {{lower[0], lower[1], lower[2]}, {upper[0], upper[1], upper[2]}};
    }
};

const Registered split_depths("lanecull_split_depths", [](Answer& answer) {
    std::array<double, 3> numbers = {0.1, 900, 0.7};
    add_each<std::array<double, 6>>(answer, numbers, [&](std::array<double, 6>& depths) {
        return lanecull::split_depths(numbers[0], numbers[1], numbers[2], depths);
    });
});

const Registered slice_planes("lanecull_slice_planes", [](Answer& answer) {
    SliceNumbers numbers;
    add_each<std::array<Plane, 2>>(
        answer, numbers, [&](std::array<Plane, 2>& planes) { return lanecull::slice_planes(numbers.slice(), planes); });
});

const Registered slice_corners("lanecull_slice_corners", [](Answer& answer) {
    SliceNumbers numbers;
    add_each<std::array<double, 24>>(answer, numbers, [&](std::array<double, 24>& corners) {
        return lanecull::slice_corners(numbers.slice(), corners);
    });
});

const Registered fit_directional_map("lanecull_fit_directional_map", [](Answer& answer) {
    SliceNumbers numbers;
    for (const bool tight : {false, true}) {
        lanecull::DirectionalMapOptions options{.toward = {0.3, 1, -0.25}, .up = {0, 0.1, 1}, .is_tight = tight};
        const auto fit = [&](ShadowMap& map) {
            return lanecull::fit_directional_map(numbers.slice(), numbers.receivers(), options, map);
        };
        add_each<ShadowMap>(answer, numbers, fit);
        add_each<ShadowMap>(answer, options.toward, fit);
        add_each<ShadowMap>(answer, options.up, fit);
    }
});

const Registered of_cascade("lanecull_prepare_cascade_casters", [](Answer& answer) {
    SliceNumbers numbers;
    const auto prepare = [&](const ViewOptions& options, View& view) {
        return lanecull::prepare_cascade_casters(numbers.slice(), numbers.receivers(), options, view);
    };
    add_lit(answer, numbers, prepare);
});

const Registered of_covered("lanecull_prepare_covered", [](Answer& answer) {
    ShadowMap map;
    const Plane sides[] = {{{1, 0, 0.1}, 3}, {{-1, 0.1, 0}, 4}, {{0, 1, 0}, 5}, {{0.1, -1, 0}, 3}};
    std::ranges::copy(sides, map.sides);
    map.texel_size = 0.03;
    double border = 2;
    const auto prepare = [&](View& view) { return lanecull::prepare_covered(map, border, view); };
    for (Plane& side : map.sides) add_each<View>(answer, side, prepare);
    add_each<View>(answer, std::span(&map.texel_size, 1), prepare);
    add_each<View>(answer, std::span(&border, 1), prepare);
});

const Registered spot_map("lanecull_spot_map", [](Answer& answer) {
    struct {
        double at[3] = {0.3, -4, 5}, forward[3] = {0.1, 1, -2}, up[3] = {0, 1, 0.1};
        double tan_x = 0.7, tan_y = 0.9, near_depth = 0.1, far_depth = 30;
    } n;
    add_each<ShadowMap>(answer, n, [&](ShadowMap& map) {
        return lanecull::spot_map(n.at, n.forward, n.up, n.tan_x, n.tan_y, n.near_depth, n.far_depth, 512, map);
    });
});

const Registered cube_map_face("lanecull_cube_map_face", [](Answer& answer) {
    struct {
        double at[3] = {0.3, -4, 5}, near_depth = 0.1, far_depth = 30;
    } n;
    for (std::uint32_t face = 0; face < 7; ++face) {
        add_each<ShadowMap>(answer, n, [&](ShadowMap& map) {
            return lanecull::cube_map_face(n.at, face, n.near_depth, n.far_depth, 512, map);
        });
    }
});

const Registered engine_map("lanecull_engine_map", [](Answer& answer) {
    std::array<double, 16> clip = {0.7, 0.1, 0.2, 0.1, -0.2, 1.1, 0.3, 0.2, 0.1, -0.3, 1.2, 1, 3, 4, 5, 6};
    for (const lanecull::ClipSpace& space : {lanecull::ClipSpace(), lanecull::ClipSpace::ogre()}) {
        add_each<ShadowMap>(answer, clip,
                            [&](ShadowMap& map) { return lanecull::engine_map(clip, space, 512, 300, map); });
    }
});

// The plane.

const Registered of_rectangle("lanecull_flat_prepare_view", [](Answer& answer) {
    lanecull::flat::Rectangle rectangle{-0.3, 0.1, 5.7, 3.3};
    add_each<lanecull::flat::View>(answer, rectangle,
                                   [&](auto& view) { return lanecull::flat::prepare_view(rectangle, view); });
});

const Registered of_turned_rectangle("lanecull_flat_prepare_turned_view", [](Answer& answer) {
    lanecull::flat::TurnedRectangle rectangle{0.3, -0.7, 5.1, 2.3, 0.6, 0.79};
    add_each<lanecull::flat::View>(answer, rectangle,
                                   [&](auto& view) { return lanecull::flat::prepare_view(rectangle, view); });
});

const Registered of_points("lanecull_flat_prepare_view_from_points", [](Answer& answer) {
    std::array<double, 10> points = {0.1, 0, 2.3, 0.4, 3.1, 1.7, 1.3, 2.9, -0.3, 1.1};
    add_each<lanecull::flat::View>(answer, points,
                                   [&](auto& view) { return lanecull::flat::prepare_view_from_points(points, view); });
});

const Registered polygon("lanecull_flat_prepare_polygon", [](Answer& answer) {
    std::array<float, 14> points = {0.1f, 2.3f, 3.1f, 1.3f, -0.3f, 1.1f, 2.9f, 0, 0.4f, 1.7f, 2.9f, 1.1f, 1.3f, 2.2f};
    add_each<lanecull::flat::Polygon>(answer, points, [&](auto& made) {
        return lanecull::flat::prepare_polygon(points.data(), points.data() + 7, 7, made);
    });
});

/// hulls.h is tested by lanecull_hull_tests, visibility.h by lanecull_visibility_tests. What a view says of itself is
/// added to the answer of each function that prepares one.
TEST(FloatModesTable, HasEveryPublicFunction) {
    std::vector<std::string> headers = public_headers();
    std::erase_if(headers, [](const std::string& header) { return header == "hulls.h" || header == "visibility.h"; });
    const std::string without_numbers[] = {"lanecull_isa_name",           "lanecull_isa_from_name",
                                           "lanecull_isa_runnable",       "lanecull_isa_lanes",
                                           "lanecull_resolve_isa",        "lanecull_isa_from_environment",
                                           "lanecull_library_form",       "lanecull_explain",
                                           "lanecull_view_is_exact",      "lanecull_view_sees_nothing",
                                           "lanecull_refusal_name",       "lanecull_choose_scratch_bytes",
                                           "lanecull_set_memory_hooks",   "lanecull_current_memory_hooks",
                                           "lanecull_light_scratch_bytes"};
    expect_complete(headers, without_numbers);
}

}  // namespace
}  // namespace modes
