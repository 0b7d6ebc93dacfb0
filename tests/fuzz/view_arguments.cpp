#include "fuzz/view_arguments.hpp"

#include <algorithm>
#include <cmath>

#include "support/usual.hpp"
#include "support/written.hpp"

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
    const exact::HalfSpaces limits = with(half_spaces(view.clip_planes), half_spaces(view.lamp_sides));
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

std::array<double, 16> read_matrix(Input& input) {
    std::array<double, 16> matrix = usual;
    const bool any = input.up_to(7) == 0;
    const std::uint32_t changes = any ? 16 : input.up_to(6);
    for (std::uint32_t i = 0; i < changes; ++i) matrix[any ? i : input.up_to(15)] = input.real();
    return matrix;
}

std::vector<Plane> read_planes(Input& input, std::uint32_t most) {
    std::vector<Plane> planes(input.up_to(most));
    for (Plane& plane : planes) {
        for (double& component : plane.normal) component = input.real();
        plane.offset = input.real();
    }
    return planes;
}

ViewArguments::ViewArguments(Input& input) : form(static_cast<Form>(input.up_to(5))) {
    if (form == Form::corners) {
        for (std::size_t i = 0; i < 24; ++i) {
            // Some coincide.
            corners[i] = i >= 3 && input.up_to(7) == 0 ? corners[i - 3] : input.real();
        }
    } else if (form == Form::planes) {
        planes = read_planes(input, 17);
    } else if (form == Form::ball) {
        for (double& coordinate : center) coordinate = input.real();
        radius = input.size();
    } else {
        matrix = read_matrix(input);
        if (form == Form::stereo) other = input.flag() ? read_matrix(input) : matrix;
        if (form == Form::stereo && input.flag()) other[3] += input.real();
        if (form == Form::floats)
            std::ranges::transform(matrix, matrix.begin(), [](double x) { return static_cast<float>(x); });
        if (input.up_to(7) != 0) clip_space.layout = lanecull::MatrixLayout::row_major;
        if (input.flag()) clip_space.depth = lanecull::DepthRange::minus_one_to_one;
        if (input.up_to(7) == 0) {
            for (double& coordinate : clip_space.origin) coordinate = input.real();
        }
    }
    if (input.up_to(3) == 0) clip_planes = read_planes(input, 11);
    if (input.up_to(3) == 0) margin = input.size();
    if (input.up_to(7) == 0) layer_mask = input.bits();
    if (input.up_to(7) == 0) eye = Double3{input.real(), input.real(), input.real()};
    if (input.up_to(7) == 0) size_scale = input.size();
    if (input.up_to(3) == 1) {
        sun = lanecull::Sun{{input.real(), input.real(), input.real()}};
        if (input.flag()) sun->reach = input.size();
    }
    if (input.up_to(3) == 1) {
        lamp = lanecull::Lamp{{input.real(), input.real(), input.real()}};
        if (input.up_to(3) == 0) lamp->range = input.size();
        if (input.flag()) lamp_sides = read_planes(input, 9);
    }
}

lanecull::Status ViewArguments::prepare(lanecull::View& view) const {
    lanecull::Lamp spot = lamp.value_or(lanecull::Lamp{});
    spot.sides = lamp_sides;
    const lanecull::ViewOptions options{.clip_planes = clip_planes,
                                        .margin = margin,
                                        .hidden_layers = ~layer_mask,
                                        .eye = eye ? eye->data() : nullptr,
                                        .size_scale = size_scale,
                                        .sun = sun ? &*sun : nullptr,
                                        .lamp = lamp ? &spot : nullptr};
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
           (!sun || (all_moderate(sun->toward) && (std::isinf(sun->reach) || ::moderate(sun->reach)))) &&
           (!lamp || all_moderate(lamp->at)) && std::ranges::all_of(lamp_sides, moderate_plane);
}

Double3 ViewArguments::corner(Input& input) const {
    if (form == Form::corners) {
        const std::size_t i = 3 * input.up_to(7);
        return {corners[i], corners[i + 1], corners[i + 2]};
    }
    if (form == Form::ball) {  // on its surface, or near it
        Double3 way = {input.real(), input.real(), input.real()};
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
    const auto any = [&]() -> const Plane& { return sides[input.up_to(static_cast<std::uint32_t>(sides.size() - 1))]; };
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
    if (sun) append("sun", std::array{sun->toward[0], sun->toward[1], sun->toward[2], sun->reach});
    if (lamp) append("lamp", std::array{lamp->at[0], lamp->at[1], lamp->at[2], lamp->range});
    append_planes("lamp's side", lamp_sides);
    return text;
}

ExactView::ExactView(const ViewArguments& arguments) : volume_(volume_of(arguments)) {
    const bool cut =
        arguments.form == Form::corners && !(arguments.clip_planes.empty() && arguments.lamp_sides.empty());
    const auto point = [](const double(&v)[3]) { return exact::point(v[0], v[1], v[2]); };
    if (arguments.sun || arguments.lamp) {
        known_ = !cut && !(arguments.lamp && std::isfinite(range_of(*arguments.lamp)));
    } else if (cut) {
        limits_ = half_spaces(arguments.clip_planes);
        return;
    }
    if (arguments.lamp) volume_ = volume_.joined(point(arguments.lamp->at));
    if (arguments.sun) {
        const exact::Point way = point(arguments.sun->toward);
        const double reach = reach_of(*arguments.sun);
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
