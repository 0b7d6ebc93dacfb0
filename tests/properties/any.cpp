#include "properties/any.hpp"

#include <algorithm>
#include <cmath>

#include "support/objects.hpp"
#include "support/random.hpp"
#include "support/samples.hpp"

namespace properties {
namespace {

float moderate_single(Random& random) {
    const float number = random.any_float();
    return moderate(number) ? number : 1;
}

/// Fields of an upper corner: three after the lower one's.
bool is_upper_corner(Kind kind, std::size_t field) {
    const auto corner = corner_fields(kind);
    return corner && field >= *corner + 3;
}

}  // namespace

HullSet read_hulls(Random& random, bool many) {
    HullSet hulls(static_cast<std::size_t>(1 + random.below(3)));
    for (Vertices& vertices : hulls) {
        vertices.resize(many ? static_cast<std::size_t>(1 + random.below(21)) : 1);
        for (auto& vertex : vertices) vertex = {moderate_single(random), moderate_single(random), random.any_float()};
        for (auto& vertex : vertices) vertex[2] = std::isfinite(vertex[2]) ? vertex[2] : 0;
    }
    return hulls;
}

Object read_object(Random& random, Kind kind, std::size_t hulls) {
    Object object;
    const auto [first, last] = size_fields(kind);
    for (std::size_t k = 0; k < field_count(kind); ++k) {
        object.fields[k] = k >= first && k < last ? random.any_size() : random.any_float();
        if (is_upper_corner(kind, k) && random.below(16) != 0) {
            object.fields[k] = object.fields[k - 3] + std::fabs(object.fields[k]);
        }
    }
    // The usual axes or transform, mostly.
    const std::size_t matrix = kind == Kind::oriented_box ? 3 : 0, stride = kind == Kind::oriented_box ? 3 : 4;
    if ((kind == Kind::oriented_box || has_transform(kind)) && random.below(4) != 0) {
        for (std::size_t k = 0; k < 9; ++k) object.fields[matrix + k / 3 * stride + k % 3] = k % 4 == 0 ? 1 : 0;
    }
    object.hull = static_cast<std::uint32_t>(random.below(static_cast<int>(hulls)));
    return object;
}

Streams read_streams(Random& random) {
    const int which = random.below(128);
    return {.margin = (which & 1) != 0,
            .sweep = (which & 2) != 0,
            .flags = (which & 4) != 0,
            .layers = (which & 8) != 0,
            .max_distance = (which & 16) != 0,
            .min_projected_size = (which & 32) != 0,
            .min_distance = (which & 64) != 0};
}

void read_attributes(Random& random, const Streams& streams, Object& object) {
    if (streams.margin) object.margin = random.any_size();
    if (streams.sweep) object.sweep = {random.any_float(), random.any_float(), random.any_float()};
    if (streams.flags) object.flags = static_cast<std::uint32_t>(random.below(8));
    if (streams.layers) object.layers = static_cast<std::uint32_t>(random.below(16));
    if (streams.max_distance) object.max_distance = random.any_size();
    if (streams.min_projected_size) object.min_projected_size = random.any_size();
    if (streams.min_distance) object.min_distance = random.any_size();
}

bool is_invalid(Kind kind, const Object& object) {
    const auto [first, last] = size_fields(kind);
    for (std::size_t k = 0; k < field_count(kind); ++k) {
        const float number = object.fields[k];
        if (!std::isfinite(number) || (k >= first && k < last && number < 0)) return true;
        if (is_upper_corner(kind, k) && number < object.fields[k - 3]) return true;
    }
    if (!std::isfinite(object.margin) || object.margin < 0) return true;
    for (const float component : object.sweep) {
        if (!std::isfinite(component)) return true;
    }
    if (has_axis(kind)) return std::equal(object.fields.begin(), object.fields.begin() + 3, &object.fields[3]);
    if (!has_quaternion(kind)) return false;
    return std::all_of(object.fields.begin() + 3, object.fields.begin() + 7, [](float q) { return q == 0; });
}

std::vector<std::uint64_t> read_candidates(Random& random, std::size_t words) {
    std::vector<std::uint64_t> candidates(words);
    for (std::uint64_t& word : candidates) {
        const int which = random.below(4);
        if (which == 1) word = ~std::uint64_t{0};
        if (which >= 2) word = random.bits();
    }
    return candidates;
}

namespace {

using lanecull::Plane;
using Form = ViewArguments::Form;

/// Looks along -z from the origin; rows.
constexpr std::array<double, 16> usual = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1.125, -1.125, 0, 0, -1, 0};

exact::HalfSpaces half_spaces(std::span<const Plane> planes) {
    exact::HalfSpaces result;
    add(result, planes);
    return result;
}

exact::HalfSpaces with(exact::HalfSpaces given, const exact::HalfSpaces& more) {
    given.insert(given.end(), more.begin(), more.end());
    return given;
}

/// The octahedron in the ball, whose corners are on its surface.
exact::HalfSpaces octahedron(const double (&center)[3], double radius) {
    exact::HalfSpaces result;
    for (unsigned i = 0; i < 8; ++i) {
        const auto sign = [&](unsigned k) { return (i >> k & 1) != 0 ? 1.0 : -1.0; };
        exact::HalfSpace side = exact::half_space(sign(0), sign(1), sign(2), radius);
        side.offset -= dot(side.normal, exact::point(center[0], center[1], center[2]));
        result.push_back(side);
    }
    return result;
}

bool has_range(const Light& light) { return light.point_light && std::isfinite(range_of(*light.point_light)); }

/// Of what is seen and, but for corners, lit; of a ball, and of what is in a light's range, less than that.
exact::Volume volume_of(const ViewArguments& view) {
    exact::HalfSpaces limits = with(half_spaces(view.clip_planes), half_spaces(view.light.sides));
    if (has_range(view.light)) {
        limits = with(limits, octahedron(view.light.point_light->at, view.light.point_light->range));
    }
    switch (view.form) {
        case Form::cascade: {
            Plane ends[2];
            if (!lanecull::slice_planes(view.slice(), ends))
                throw std::logic_error("a slice with a view has no planes");
            add(limits, ends);
            add(limits, view.box);
            [[fallthrough]];
        }
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
            return exact::Volume(
                with(octahedron({view.center[0], view.center[1], view.center[2]}, view.radius), limits));
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

Light read_light(Random& random) {
    const auto read = [&](double(&to)[3]) {
        for (double& coordinate : to) coordinate = random.any_double();
    };
    const int which = random.below(32);
    Light light;
    if (which % 2 == 0 && which != 0) {
        read(light.directional_light.emplace().toward);
        if (random.chance(0.5)) light.directional_light->reach = random.any_size();
    }
    if (which % 2 == 1 || which == 2) {
        read(light.point_light.emplace().at);
        if (random.chance(0.5)) light.point_light->range = random.any_size();
        if (random.below(4) == 0) light.sides = read_planes(random, 9);
    }
    return light;
}

namespace {

/// Sides of any numbers, without thickness, without end, and none; or around most slices.
lanecull::WorldBox read_box(Random& random) {
    if (random.chance(0.5)) return {{-256, -256, -256}, {256, 256, 256}};
    lanecull::WorldBox box;
    for (std::size_t k = 0; k < 3; ++k) {
        double &low = box.lower[k], &high = box.upper[k];
        low = random.any_double();
        const int how = random.below(16);
        high = how < 4 ? low : how < 5 ? random.any_double() : low + std::fabs(random.any_double());
        if (how == 5) high = HUGE_VAL;
        if (how == 6) low = -HUGE_VAL;
        if (how == 7) (random.chance(0.5) ? low : high) = std::nan("");
    }
    return box;
}

void read_slice(Random& random, ViewArguments& to) {
    const auto depth = [&] { return random.below(16) == 0 ? random.any_double() : std::fabs(random.any_double()); };
    to.near_depth = depth();
    to.far_depth = random.below(16) == 0 ? random.any_double() : to.near_depth + depth();
    if (random.below(4) == 0) to.near_depth = 1, to.far_depth = 9;  // where the usual matrix ends
    to.box = read_box(random);
}

}  // namespace

ViewArguments::ViewArguments(Random& random, Form chosen) : form(chosen) {
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
        if (form == Form::cascade) read_slice(random, *this);
    }
    if (random.below(4) == 0) clip_planes = read_planes(random, 11);
    if (random.below(4) == 0) margin = random.any_size();
    if (random.below(8) == 0) layer_mask = static_cast<std::uint32_t>(random.bits());
    if (random.below(8) == 0) eye = Double3{random.any_double(), random.any_double(), random.any_double()};
    if (random.below(8) == 0) size_scale = random.any_size();
    if (form == Form::cascade || random.chance(0.4)) light = read_light(random);
}

lanecull::Status ViewArguments::prepare(lanecull::View& view) const {
    Light lit = light;
    lanecull::ViewOptions options = lit.options(clip_planes, margin);
    options.hidden_layers = ~layer_mask;
    options.eye = eye ? eye->data() : nullptr;
    options.size_scale = size_scale;
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
        case Form::cascade:
            return lanecull::prepare_cascade_casters(slice(), box, options, view);
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
    const auto plane = [](const Plane& p) { return all_moderate(p.normal) && ::moderate(p.offset); };
    const auto or_endless = [](double number) { return ::moderate(number) || !std::isfinite(number); };
    const auto& [directional_light, point_light, sides] = light;
    return all_moderate(matrix) && all_moderate(other) && all_moderate(clip_space.origin) && all_moderate(corners) &&
           all_moderate(center) && ::moderate(radius) && ::moderate(near_depth) && ::moderate(far_depth) &&
           std::ranges::all_of(box.lower, or_endless) && std::ranges::all_of(box.upper, or_endless) &&
           std::ranges::all_of(planes, plane) && std::ranges::all_of(clip_planes, plane) && ::moderate(margin) &&
           (!eye || all_moderate(*eye)) &&
           (!directional_light || (all_moderate(directional_light->toward) && or_endless(directional_light->reach))) &&
           (!point_light || (all_moderate(point_light->at) && or_endless(point_light->range))) &&
           std::ranges::all_of(sides, plane);
}

Double3 ViewArguments::way_to_light(Random& random, const Double3& from) const {
    const auto& [directional_light, point_light, sides] = light;
    const double share = 0.125 * random.below(9);
    if (directional_light) {
        const double reach = std::min(reach_of(*directional_light), std::fabs(random.any_double()));
        return share * reach * Double3(std::to_array(directional_light->toward));
    }
    return point_light ? share * (Double3(std::to_array(point_light->at)) - from) : Double3{};
}

Double3 ViewArguments::corner(Random& random) const {
    if (form == Form::corners) {
        const auto i = static_cast<std::size_t>(3 * random.below(8));
        return {corners[i], corners[i + 1], corners[i + 2]};
    }
    std::array<double, 24> ends;
    if (form == Form::cascade && lanecull::slice_corners(slice(), ends)) {
        const auto i = static_cast<std::size_t>(3 * random.below(8)), j = static_cast<std::size_t>(3 * random.below(8));
        Double3 point;
        for (std::size_t k = 0; k < 3; ++k) {
            point[k] = ends[i + k] + 0.125 * random.below(9) * (ends[j + k] - ends[i + k]);
            if (point[k] < box.lower[k]) point[k] = box.lower[k];
            if (point[k] > box.upper[k]) point[k] = box.upper[k];
        }
        return point;
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
    if (form == Form::cascade) {
        append("near, far", std::array{near_depth, far_depth}), append("box", box.lower), append("to", box.upper);
    }
    if (form == Form::corners) append("corners", corners);
    if (form == Form::ball) append("center", center), append("radius", std::array{radius});
    append("layout, depth range", std::array{double(clip_space.layout), double(clip_space.depth)});
    append("origin", clip_space.origin);
    append_planes("plane", planes);
    append_planes("clip plane", clip_planes);
    append("margin, size scale", std::array{margin, size_scale});
    if (eye) append("eye", *eye);
    text += light.describe();
    return text;
}

ExactView::ExactView(const ViewArguments& arguments) : volume_(volume_of(arguments)) {
    const Light& light = arguments.light;
    const bool is_lit = light.directional_light || light.point_light;
    const bool cut =
        arguments.form == Form::corners && !(arguments.clip_planes.empty() && light.sides.empty() && !has_range(light));
    if (cut && !is_lit) {
        limits_ = half_spaces(arguments.clip_planes);
        return;
    }
    known_ = !cut;
    if (is_lit) volume_ = light.casters(volume_);
    volume_ = volume_.widened(exact::rational(arguments.margin));
    whole_ = arguments.form != Form::ball && !has_range(light);
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
