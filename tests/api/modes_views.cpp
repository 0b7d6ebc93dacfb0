#include "api/modes_calls.hpp"

#include <algorithm>
#include <iterator>

#include <lanecull/flat.h>
#include <lanecull/shadow.h>
#include <lanecull/view.h>

#include "flat/prepared_view.hpp"
#include "support/generate.hpp"
#include "view/prepared_view.hpp"

/// The functions that prepare views, slices and maps.
namespace modes {
namespace {

using lanecull::ClipSpace;
using lanecull::Plane;
using lanecull::Status;
using lanecull::View;
using lanecull::ViewOptions;

/// A view that is not prepared has no contents.
void add_view(Answer& answer, const Status& status, const View& view) {
    answer.add(status);
    answer.add(view.prepared());
    answer.add(view.exact()), answer.add(view.sees_nothing());
    if (view.prepared()) answer.add(contents_of(view));
}

enum class Light { none, directional_light, point_light };

/// The numbers of a view's options.
struct OptionNumbers {
    double plane[4] = {0.25, 0.5, -0.125, 3};
    double margin = 0.25;
    double eye[3] = {0.5, 0.75, 1.25};
    double size_scale = 1.5;
    double toward[3] = {0.5, 1, 0.25}, reach = 20;
    double at[3] = {1.5, 2.25, -3}, range = 40;
    double side[4] = {0.25, -1, 0.125, 5};
};

/// The options that the numbers make. They refer to this object.
struct MadeOptions {
    explicit MadeOptions(const OptionNumbers& n, Light light)
        : numbers(n),
          plane{{n.plane[0], n.plane[1], n.plane[2]}, n.plane[3]},
          side{{n.side[0], n.side[1], n.side[2]}, n.side[3]},
          directional_light{{n.toward[0], n.toward[1], n.toward[2]}, n.reach},
          point_light{{n.at[0], n.at[1], n.at[2]}, n.range, {&side, 1}} {
        options.clip_planes = {&plane, 1};
        options.margin = n.margin;
        options.eye = numbers.eye;
        options.size_scale = n.size_scale;
        if (light == Light::directional_light) options.directional_light = &directional_light;
        if (light == Light::point_light) options.point_light = &point_light;
    }
    MadeOptions(const MadeOptions&) = delete;
    MadeOptions& operator=(const MadeOptions&) = delete;

    OptionNumbers numbers;  // the options point to them
    Plane plane, side;
    lanecull::DirectionalLight directional_light;
    lanecull::PointLight point_light;
    ViewOptions options;
};

/// Calls prepare(options, view) with any options, with odd numbers among them.
template <class Prepare>
void with_odd_options(Answer& answer, Light light, const Prepare& prepare) {
    OptionNumbers numbers;
    with_odd_doubles(numbers, [&] {
        const MadeOptions made(numbers, light);
        View view;
        const Status status = prepare(made.options, view);
        add_view(answer, status, view);
    });
}

/// A camera's matrix, and where it is relative to.
struct MatrixNumbers {
    double matrix[16], origin[3];

    [[nodiscard]] ClipSpace space(const Camera& camera) const {
        return {camera.clip_space.layout, camera.clip_space.depth, {origin[0], origin[1], origin[2]}};
    }
};

MatrixNumbers numbers_of(const Camera& camera) {
    MatrixNumbers numbers{};
    std::copy(camera.matrix.begin(), camera.matrix.end(), numbers.matrix);
    std::copy(std::begin(camera.clip_space.origin), std::end(camera.clip_space.origin), numbers.origin);
    return numbers;
}

struct Inputs {
    std::vector<Camera> cameras;
    /// A camera of small numbers at the origin.
    std::array<double, 16> simple = {1, 0, 0, 0, 0, 1.5, 0, 0, 0, 0, -1.02, -1, 0.1, 0.3, -0.2, 0.7};
    ClipSpace space;
    std::array<double, 24> corners{};
    std::vector<Plane> planes;

    Inputs() {
        Random random(8);
        for (const Projection projection : all_projections) {
            cameras.push_back(random_prepared_camera(random, projection).camera);
        }
        for (double& corner : corners) corner = random.range(-2, 3);
        for (int i = 0; i < 6; ++i) {
            const Double3 n = random_direction(random);
            planes.push_back({{n[0], n[1], n[2]}, random.range(1, 4)});
        }
    }
};

const Inputs& inputs() {
    static const Inputs all;
    return all;
}

void prepare_from_doubles(Answer& answer) {
    const Inputs& in = inputs();
    for (const Camera& camera : in.cameras) {
        MatrixNumbers numbers = numbers_of(camera);
        with_odd_doubles(numbers, [&] {
            View view;
            add_view(answer, lanecull::prepare_view(numbers.matrix, numbers.space(camera), view), view);
        });
    }
    for (const Light light : {Light::none, Light::directional_light, Light::point_light}) {
        with_odd_options(answer, light, [&](const ViewOptions& options, View& view) {
            return lanecull::prepare_view(in.simple, in.space, view, options);
        });
    }
}

void prepare_from_floats(Answer& answer) {
    for (const Camera& camera : inputs().cameras) {
        std::array<float, 16> matrix = camera.single_matrix;
        with_odd(std::span<float>(matrix), odd_floats(), [&] {
            View view;
            add_view(answer, lanecull::prepare_view(matrix, camera.clip_space, view), view);
        });
    }
}

void prepare_stereo(Answer& answer) {
    const Inputs& in = inputs();
    struct Numbers {
        double left[16], right[16];
    } numbers{};
    std::copy(in.simple.begin(), in.simple.end(), numbers.left);
    std::copy(in.simple.begin(), in.simple.end(), numbers.right);
    numbers.right[12] = 0.125;
    with_odd_doubles(numbers, [&] {
        View view;
        add_view(answer, lanecull::prepare_stereo_view(numbers.left, numbers.right, in.space, view), view);
    });
    with_odd_options(answer, Light::none, [&](const ViewOptions& options, View& view) {
        return lanecull::prepare_stereo_view(numbers.left, numbers.right, in.space, view, options);
    });
}

void prepare_casters(Answer& answer) {
    const Inputs& in = inputs();
    std::array<double, 16> matrix{};
    std::copy(in.simple.begin(), in.simple.end(), matrix.begin());
    const auto prepare = [&](const ViewOptions& options, View& view) {
        const ViewOptions two[] = {options, options};
        View views[2];
        const Status status = lanecull::prepare_caster_views(matrix, in.space, two, views);
        view = views[1];
        return status;
    };
    with_odd(std::span<double>(matrix), odd_doubles(), [&] {
        const MadeOptions made({}, Light::directional_light);
        View view;
        const Status status = prepare(made.options, view);
        add_view(answer, status, view);
    });
    with_odd_options(answer, Light::directional_light, prepare);
    with_odd_options(answer, Light::point_light, prepare);
}

void prepare_from_corners(Answer& answer) {
    std::array<double, 24> corners = inputs().corners;
    with_odd(std::span<double>(corners), odd_doubles(), [&] {
        View view;
        add_view(answer, lanecull::prepare_view_from_corners(corners, view), view);
    });
    with_odd_options(answer, Light::directional_light, [&](const ViewOptions& options, View& view) {
        return lanecull::prepare_view_from_corners(corners, view, options);
    });
}

void prepare_from_planes(Answer& answer) {
    std::vector<Plane> planes = inputs().planes;
    const std::span<double> numbers(reinterpret_cast<double*>(planes.data()), 4 * planes.size());
    with_odd(numbers, odd_doubles(), [&] {
        View view;
        add_view(answer, lanecull::prepare_view_from_planes(planes, view), view);
    });
    with_odd_options(answer, Light::point_light, [&](const ViewOptions& options, View& view) {
        return lanecull::prepare_view_from_planes(planes, view, options);
    });
}

void prepare_from_ball(Answer& answer) {
    struct Numbers {
        double center[3] = {0.3, -1.7, 2.9}, radius = 3.1;
    } numbers;
    with_odd_doubles(numbers, [&] {
        View view;
        add_view(answer, lanecull::prepare_view_from_ball(numbers.center, numbers.radius, view), view);
    });
    with_odd_options(answer, Light::none, [&](const ViewOptions& options, View& view) {
        return lanecull::prepare_view_from_ball(Numbers().center, Numbers().radius, view, options);
    });
}

// Shadow maps.

struct SliceNumbers {
    double matrix[16], origin[3] = {0.5, -2, 3}, near_depth = 0.75, far_depth = 7.3;
    double lower[3] = {-3, -2, -9}, upper[3] = {4, 5, 2};

    SliceNumbers() { std::copy(inputs().simple.begin(), inputs().simple.end(), matrix); }
    [[nodiscard]] lanecull::Slice slice() const {
        const ClipSpace space{
            lanecull::MatrixLayout::column_major, lanecull::DepthRange::zero_to_one, {origin[0], origin[1], origin[2]}};
        return {matrix, space, near_depth, far_depth};
    }
    [[nodiscard]] lanecull::WorldBox receivers() const {
        return {{lower[0], lower[1], lower[2]}, {upper[0], upper[1], upper[2]}};
    }
};

void split_depths(Answer& answer) {
    struct Numbers {
        double near_depth = 0.1, far_depth = 900, logarithmic = 0.7;
    } numbers;
    with_odd_doubles(numbers, [&] {
        double depths[6] = {};
        answer.add(lanecull::split_depths(numbers.near_depth, numbers.far_depth, numbers.logarithmic, depths));
        answer.add(std::span(depths));
    });
}

void slice_planes(Answer& answer) {
    SliceNumbers numbers;
    with_odd_doubles(numbers, [&] {
        Plane planes[2] = {};
        answer.add(lanecull::slice_planes(numbers.slice(), planes));
        answer.add(std::span(planes));
    });
}

void slice_corners(Answer& answer) {
    SliceNumbers numbers;
    with_odd_doubles(numbers, [&] {
        double corners[24] = {};
        answer.add(lanecull::slice_corners(numbers.slice(), corners));
        answer.add(std::span(corners));
    });
}

void add_map(Answer& answer, const lanecull::ShadowMap& map) {
    answer.add(std::span(map.clip_from_world));
    answer.add(std::span(map.clip_space.origin));
    answer.add(std::span(map.sides));
    answer.add(map.texel_size), answer.add(map.is_perspective);
}

void fit_directional_map(Answer& answer) {
    for (const bool tight : {false, true}) {
        struct Numbers {
            SliceNumbers slice;
            double toward[3] = {0.3, 1, -0.25}, up[3] = {0, 0.1, 1};
        } numbers;
        with_odd_doubles(numbers, [&] {
            lanecull::DirectionalMapOptions options;
            std::copy(std::begin(numbers.toward), std::end(numbers.toward), options.toward);
            std::copy(std::begin(numbers.up), std::end(numbers.up), options.up);
            options.is_tight = tight;
            lanecull::ShadowMap map;
            answer.add(lanecull::fit_directional_map(numbers.slice.slice(), numbers.slice.receivers(), options, map));
            add_map(answer, map);
        });
    }
}

void prepare_cascade_casters(Answer& answer) {
    SliceNumbers numbers;
    with_odd_doubles(numbers, [&] {
        const MadeOptions made({}, Light::directional_light);
        View view;
        const Status status =
            lanecull::prepare_cascade_casters(numbers.slice(), numbers.receivers(), made.options, view);
        add_view(answer, status, view);
    });
    with_odd_options(answer, Light::point_light, [&](const ViewOptions& options, View& view) {
        return lanecull::prepare_cascade_casters(numbers.slice(), numbers.receivers(), options, view);
    });
}

void prepare_covered(Answer& answer) {
    struct Numbers {
        double planes[4][4] = {{1, 0, 0.1, 3}, {-1, 0.1, 0, 4}, {0, 1, 0, 5}, {0.1, -1, 0, 3}};
        double texel_size = 0.03, border = 2;
    } numbers;
    with_odd_doubles(numbers, [&] {
        lanecull::ShadowMap map;
        for (std::size_t k = 0; k < 4; ++k) {
            const double(&p)[4] = numbers.planes[k];
            map.sides[k] = {{p[0], p[1], p[2]}, p[3]};
        }
        map.texel_size = numbers.texel_size;
        View view;
        add_view(answer, lanecull::prepare_covered(map, numbers.border, view), view);
    });
}

void spot_map(Answer& answer) {
    struct Numbers {
        double at[3] = {0.3, -4, 5}, forward[3] = {0.1, 1, -2}, up[3] = {0, 1, 0.1};
        double tan_x = 0.7, tan_y = 0.9, near_depth = 0.1, far_depth = 30;
    } numbers;
    with_odd_doubles(numbers, [&] {
        const Numbers& n = numbers;
        lanecull::ShadowMap map;
        answer.add(lanecull::spot_map(n.at, n.forward, n.up, n.tan_x, n.tan_y, n.near_depth, n.far_depth, 512, map));
        add_map(answer, map);
    });
}

void cube_map_face(Answer& answer) {
    struct Numbers {
        double at[3] = {0.3, -4, 5}, near_depth = 0.1, far_depth = 30;
    } numbers;
    for (std::uint32_t face = 0; face < 7; ++face) {
        with_odd_doubles(numbers, [&] {
            lanecull::ShadowMap map;
            const Status status =
                lanecull::cube_map_face(numbers.at, face, numbers.near_depth, numbers.far_depth, 512, map);
            answer.add(status);
            add_map(answer, map);
        });
    }
}

void engine_map(Answer& answer) {
    struct Numbers {
        double clip[16] = {0.7, 0.1, 0.2, 0.1, -0.2, 1.1, 0.3, 0.2, 0.1, -0.3, 1.2, 1, 3, 4, 5, 6};
    } numbers;
    for (const lanecull::ClipSpace& space : {lanecull::ClipSpace(), lanecull::ClipSpace::ogre()}) {
        with_odd_doubles(numbers, [&] {
            lanecull::ShadowMap map;
            answer.add(lanecull::engine_map(numbers.clip, space, 512, 300, map));
            add_map(answer, map);
        });
    }
}

// The plane.

void add_view(Answer& answer, const Status& status, const lanecull::flat::View& view) {
    answer.add(status);
    answer.add(view.prepared());
    if (view.prepared()) answer.add(contents_of(view));
}

void prepare_rectangle(Answer& answer) {
    lanecull::flat::Rectangle rectangle{-0.3, 0.1, 5.7, 3.3};
    with_odd_doubles(rectangle, [&] {
        lanecull::flat::View view;
        add_view(answer, lanecull::flat::prepare_view(rectangle, view), view);
    });
}

void prepare_turned_rectangle(Answer& answer) {
    lanecull::flat::TurnedRectangle rectangle{0.3, -0.7, 5.1, 2.3, 0.6, 0.79};
    with_odd_doubles(rectangle, [&] {
        lanecull::flat::View view;
        add_view(answer, lanecull::flat::prepare_view(rectangle, view), view);
    });
}

void prepare_from_points(Answer& answer) {
    double points[] = {0.1, 0, 2.3, 0.4, 3.1, 1.7, 1.3, 2.9, -0.3, 1.1};
    with_odd(std::span<double>(points), odd_doubles(), [&] {
        lanecull::flat::View view;
        add_view(answer, lanecull::flat::prepare_view_from_points(points, view), view);
    });
}

void prepare_polygon(Answer& answer) {
    float points[] = {0.1f, 2.3f, 3.1f, 1.3f, -0.3f, 1.1f, 2.9f, 0, 0.4f, 1.7f, 2.9f, 1.1f, 1.3f, 2.2f};
    with_odd(std::span<float>(points), odd_floats(), [&] {
        lanecull::flat::Polygon polygon;
        answer.add(lanecull::flat::prepare_polygon(points, points + 7, 7, polygon));
        answer.add(polygon);
    });
}

}  // namespace

std::span<const PublicCall> view_calls() {
    static constexpr PublicCall calls[] = {{"lanecull_prepare_view", prepare_from_doubles},
                                           {"lanecull_prepare_view_of_floats", prepare_from_floats},
                                           {"lanecull_prepare_stereo_view", prepare_stereo},
                                           {"lanecull_prepare_caster_views", prepare_casters},
                                           {"lanecull_prepare_view_from_corners", prepare_from_corners},
                                           {"lanecull_prepare_view_from_planes", prepare_from_planes},
                                           {"lanecull_prepare_view_from_ball", prepare_from_ball},
                                           {"lanecull_split_depths", split_depths},
                                           {"lanecull_slice_planes", slice_planes},
                                           {"lanecull_slice_corners", slice_corners},
                                           {"lanecull_fit_directional_map", fit_directional_map},
                                           {"lanecull_prepare_cascade_casters", prepare_cascade_casters},
                                           {"lanecull_prepare_covered", prepare_covered},
                                           {"lanecull_spot_map", spot_map},
                                           {"lanecull_cube_map_face", cube_map_face},
                                           {"lanecull_engine_map", engine_map},
                                           {"lanecull_flat_prepare_view", prepare_rectangle},
                                           {"lanecull_flat_prepare_turned_view", prepare_turned_rectangle},
                                           {"lanecull_flat_prepare_view_from_points", prepare_from_points},
                                           {"lanecull_flat_prepare_polygon", prepare_polygon}};
    return calls;
}

}  // namespace modes
