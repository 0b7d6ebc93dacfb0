#include "properties/any_views.hpp"

#include <algorithm>
#include <cmath>

#include "support/usual.hpp"
#include "support/written.hpp"

namespace properties {
namespace {

using lanecull::Plane;
using Form = ViewArguments::Form;

/// Looks along -z from the origin; rows.
constexpr std::array<double, 16> usual = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1.125, -1.125, 0, 0, -1, 0};

exact::HalfSpace half_space(const Plane& plane) {
    return exact::half_space(plane.normal[0], plane.normal[1], plane.normal[2], plane.offset);
}

exact::HalfSpaces half_spaces(const std::vector<Plane>& planes) {
    exact::HalfSpaces result;
    for (const Plane& plane : planes) result.push_back(half_space(plane));
    return result;
}

exact::HalfSpaces with(exact::HalfSpaces given, const exact::HalfSpaces& more) {
    given.insert(given.end(), more.begin(), more.end());
    return given;
}

/// The octahedron in the ball, whose corners are on its surface.
exact::HalfSpaces octahedron(const std::array<double, 3>& center, double radius) {
    exact::HalfSpaces result;
    for (unsigned i = 0; i < 8; ++i) {
        const auto sign = [&](unsigned k) { return (i >> k & 1) != 0 ? 1.0 : -1.0; };
        exact::HalfSpace side = exact::half_space(sign(0), sign(1), sign(2), radius);
        side.offset -= dot(side.normal, exact::point(center[0], center[1], center[2]));
        result.push_back(side);
    }
    return result;
}

/// Of what is seen and, but for corners, lit; of a ball less than that.
exact::Volume volume_of(const ViewArguments& view) {
    const exact::HalfSpaces limits = with(half_spaces(view.clip_planes), half_spaces(view.light_sides));
    switch (view.form) {
        case Form::matrix:
        case Form::floats:
            return exact::Volume(with(exact::half_spaces(view.matrix, view.clip_space), limits));
        case Form::stereo: {
            const exact::HalfSpaces eyes[] = {with(exact::half_spaces(view.matrix, view.clip_space), limits),
                                              with(exact::half_spaces(view.other, view.clip_space), limits)};
            return exact::Volume::hull(eyes);
        }
        case Form::planes:
            return exact::Volume(with(half_spaces(view.planes), limits));
        case Form::ball:
            return exact::Volume(with(octahedron(view.center, view.radius), limits));
        case Form::corners:
            break;
    }
    std::vector<exact::Point> points;
    for (std::size_t i = 0; i < 24; i += 3) {
        points.push_back(exact::point(view.corners[i], view.corners[i + 1], view.corners[i + 2]));
    }
    return exact::Volume::hull(points);
}

/// About: doubles, and no care for planes that are parallel.
Double3 meeting_point(const Plane& a, const Plane& b, const Plane& c) {
    const auto cross = [](const double* u, const double* v) -> Double3 {
        return {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
    };
    const Double3 bc = cross(b.normal, c.normal), ca = cross(c.normal, a.normal), ab = cross(a.normal, b.normal);
    const double determinant = a.normal[0] * bc[0] + a.normal[1] * bc[1] + a.normal[2] * bc[2];
    Double3 point{};
    for (std::size_t k = 0; k < 3; ++k) {
        point[k] = -(a.offset * bc[k] + b.offset * ca[k] + c.offset * ab[k]) / determinant;
    }
    return point;
}

bool all_moderate(const auto& numbers) { return std::ranges::all_of(numbers, moderate); }

}  // namespace

std::array<double, 16> read_matrix(Random& random) {
    std::array<double, 16> matrix = usual;
    const bool any = random.below(8) == 0;
    const int changes = any ? 16 : random.below(7);
    for (int i = 0; i < changes; ++i)
        matrix[static_cast<std::size_t>(any ? i : random.below(16))] = random.any_double();
    return matrix;
}

std::vector<Plane> read_planes(Random& random, int most) {
    std::vector<Plane> planes(static_cast<std::size_t>(random.below(most + 1)));
    for (Plane& plane : planes) {
        for (double& component : plane.normal) component = random.any_double();
        plane.offset = random.any_double();
    }
    return planes;
}

ViewArguments::ViewArguments(Random& random) : form(static_cast<Form>(random.below(6))) {
    if (form == Form::corners) {
        for (std::size_t i = 0; i < 24; ++i) {
            // Some coincide.
            corners[i] = i >= 3 && random.below(8) == 0 ? corners[i - 3] : random.any_double();
        }
    } else if (form == Form::planes) {
        planes = read_planes(random, 17);
    } else if (form == Form::ball) {
        for (double& coordinate : center) coordinate = random.any_double();
        radius = random.any_size();
    } else {
        matrix = read_matrix(random);
        if (form == Form::stereo) other = random.chance(0.5) ? read_matrix(random) : matrix;
        if (form == Form::stereo && random.chance(0.5)) other[3] += random.any_double();
        if (form == Form::floats)
            std::ranges::transform(matrix, matrix.begin(), [](double x) { return static_cast<float>(x); });
        if (random.below(8) != 0) clip_space.layout = lanecull::MatrixLayout::row_major;
        if (random.chance(0.5)) clip_space.depth = lanecull::DepthRange::minus_one_to_one;
        if (random.below(8) == 0) {
            for (double& coordinate : clip_space.origin) coordinate = random.any_double();
        }
    }
    if (random.below(4) == 0) clip_planes = read_planes(random, 11);
    if (random.below(4) == 0) margin = random.any_size();
    if (random.below(8) == 0) layer_mask = static_cast<std::uint32_t>(random.bits());
    if (random.below(8) == 0) eye = Double3{random.any_double(), random.any_double(), random.any_double()};
    if (random.below(8) == 0) size_scale = random.any_size();
    if (random.below(4) == 1) {
        directional_light = lanecull::DirectionalLight{{random.any_double(), random.any_double(), random.any_double()}};
        if (random.chance(0.5)) directional_light->reach = random.any_size();
    }
    if (random.below(4) == 1) {
        point_light = lanecull::PointLight{{random.any_double(), random.any_double(), random.any_double()}};
        if (random.below(4) == 0) point_light->range = random.any_size();
        if (random.chance(0.5)) light_sides = read_planes(random, 9);
    }
}

lanecull::Status ViewArguments::prepare(lanecull::View& view) const {
    lanecull::PointLight spot = point_light.value_or(lanecull::PointLight{});
    spot.sides = light_sides;
    const lanecull::ViewOptions options{.clip_planes = clip_planes,
                                        .margin = margin,
                                        .hidden_layers = ~layer_mask,
                                        .eye = eye ? eye->data() : nullptr,
                                        .size_scale = size_scale,
                                        .directional_light = directional_light ? &*directional_light : nullptr,
                                        .point_light = point_light ? &spot : nullptr};
    switch (form) {
        case Form::matrix:
            return lanecull::prepare_view(matrix, clip_space, view, options);
        case Form::floats: {
            std::array<float, 16> floats{};
            std::ranges::transform(matrix, floats.begin(), [](double x) { return static_cast<float>(x); });
            return lanecull::prepare_view(floats, clip_space, view, options);
        }
        case Form::stereo:
            return lanecull::prepare_stereo_view(matrix, other, clip_space, view, options);
        case Form::corners:
            return lanecull::prepare_view_from_corners(corners, view, options);
        case Form::planes:
            return lanecull::prepare_view_from_planes(planes, view, options);
        case Form::ball:
            return lanecull::prepare_view_from_ball(center, radius, view, options);
    }
    return {};
}

bool ViewArguments::moderate() const {
    const auto moderate_plane = [](const Plane& plane) {
        return all_moderate(plane.normal) && ::moderate(plane.offset);
    };
    return all_moderate(matrix) && all_moderate(other) && all_moderate(clip_space.origin) && all_moderate(corners) &&
           all_moderate(center) && ::moderate(radius) && std::ranges::all_of(planes, moderate_plane) &&
           std::ranges::all_of(clip_planes, moderate_plane) && ::moderate(margin) && (!eye || all_moderate(*eye)) &&
           (!directional_light || (all_moderate(directional_light->toward) &&
                                   (std::isinf(directional_light->reach) || ::moderate(directional_light->reach)))) &&
           (!point_light || all_moderate(point_light->at)) && std::ranges::all_of(light_sides, moderate_plane);
}

Double3 ViewArguments::corner(Random& random) const {
    if (form == Form::corners) {
        const auto i = static_cast<std::size_t>(3 * random.below(8));
        return {corners[i], corners[i + 1], corners[i + 2]};
    }
    if (form == Form::ball) {  // on its surface, or near it
        Double3 way = {random.any_double(), random.any_double(), random.any_double()};
        const double size = std::sqrt(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]);
        return {center[0] + radius * (way[0] / size), center[1] + radius * (way[1] / size),
                center[2] + radius * (way[2] / size)};
    }
    std::vector<Plane> sides = planes;
    if (form != Form::planes) {
        const bool by_rows = clip_space.layout == lanecull::MatrixLayout::row_major;
        for (std::uint32_t k = 0; k < 6; ++k) {
            const auto at = [&](std::size_t row, std::size_t column) {
                return matrix[by_rows ? 4 * row + column : row + 4 * column];
            };
            const bool from_w = k < 5 || clip_space.depth == lanecull::DepthRange::minus_one_to_one;
            const double sign = k % 2 == 0 ? -1 : 1;
            const auto component = [&](std::size_t c) { return (from_w ? at(3, c) : 0) + sign * at(k / 2, c); };
            sides.push_back({{component(0), component(1), component(2)}, component(3)});
        }
    }
    sides.insert(sides.end(), clip_planes.begin(), clip_planes.end());
    if (sides.empty()) return {};
    const auto any = [&]() -> const Plane& {
        return sides[static_cast<std::size_t>(random.below(static_cast<int>(sides.size())))];
    };
    const Plane &a = any(), &b = any(), &c = any();
    Double3 point = meeting_point(a, b, c);
    for (std::size_t k = 0; k < 3; ++k) point[k] += clip_space.origin[k];
    return point;
}

std::string ViewArguments::describe() const {
    std::string text = "view of form " + std::to_string(static_cast<int>(form)) + ":";
    const auto append = [&](const char* name, const auto& numbers) {
        text += std::string("\n") + name + written(numbers);
    };
    const auto append_planes = [&](const char* name, const std::vector<Plane>& list) {
        for (const Plane& p : list) append(name, std::array{p.normal[0], p.normal[1], p.normal[2], p.offset});
    };
    if (has_own_eye()) append("matrix", matrix);
    if (form == Form::stereo) append("other", other);
    if (form == Form::corners) append("corners", corners);
    if (form == Form::ball) append("center", center), append("radius", std::array{radius});
    append("layout, depth range", std::array{double(clip_space.layout), double(clip_space.depth)});
    append("origin", clip_space.origin);
    append_planes("plane", planes);
    append_planes("clip plane", clip_planes);
    append("margin, size scale", std::array{margin, size_scale});
    if (eye) append("eye", *eye);
    if (directional_light) {
        append("directional light", std::array{directional_light->toward[0], directional_light->toward[1],
                                               directional_light->toward[2], directional_light->reach});
    }
    if (point_light) {
        append("point light",
               std::array{point_light->at[0], point_light->at[1], point_light->at[2], point_light->range});
    }
    append_planes("light's side", light_sides);
    return text;
}

ExactView::ExactView(const ViewArguments& arguments) : volume_(volume_of(arguments)) {
    const bool cut =
        arguments.form == Form::corners && !(arguments.clip_planes.empty() && arguments.light_sides.empty());
    const auto point = [](const double(&v)[3]) { return exact::point(v[0], v[1], v[2]); };
    if (arguments.directional_light || arguments.point_light) {
        known_ = !cut && !(arguments.point_light && std::isfinite(range_of(*arguments.point_light)));
    } else if (cut) {
        limits_ = half_spaces(arguments.clip_planes);
        return;
    }
    if (arguments.point_light) volume_ = volume_.joined(point(arguments.point_light->at));
    if (arguments.directional_light) {
        const exact::Point way = point(arguments.directional_light->toward);
        const double reach = reach_of(*arguments.directional_light);
        volume_ = std::isinf(reach) ? volume_.swept_endlessly(way) : volume_.swept(exact::rational(reach) * way);
    }
    volume_ = volume_.widened(exact::rational(arguments.margin));
    whole_ = arguments.form != Form::ball;
}

bool ExactView::certainly_meets(const exact::Solid& solid) const {
    if (!known_) return false;
    if (limits_.empty()) return decide(solid, volume_).verdict == exact::Verdict::visible;
    // Of what the planes leave of the corners' hull it is known only whether a point is in it.
    return std::ranges::any_of(solid.points, [&](const exact::Point& point) {
        return std::ranges::all_of(
                   limits_,
                   [&](const exact::HalfSpace& limit) { return dot(limit.normal, point) + limit.offset >= 0; }) &&
               decide(exact::Solid{{point}, 0}, volume_).verdict == exact::Verdict::visible;
    });
}

}  // namespace properties
