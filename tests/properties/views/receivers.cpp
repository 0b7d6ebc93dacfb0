#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <lanecull/shadow.h>

#include "properties/views/families.hpp"
#include "properties/views/placing.hpp"
#include "support/random.hpp"
#include "support/samples.hpp"

namespace properties {
namespace {

using lanecull::Plane;
using lanecull::PointLight;
using lanecull::View;
using lanecull::WorldBox;

constexpr double infinity = std::numeric_limits<double>::infinity();

/// A part of a camera's view, and a box that has something of it.
struct Part {
    Camera camera;
    double near = 0, far = 0;
    Double3 seen{};  ///< in the part and the box
    double size = 1;
    WorldBox box;
    std::vector<Plane> clip_planes;

    [[nodiscard]] lanecull::Slice slice() const { return {camera.matrix, camera.clip_space, near, far}; }
};

/// Looks along -z from the origin. Its sides, and boxes of whole numbers, have planes and corners in common.
Camera simple_camera() {
    Camera camera;
    camera.axis[0] = {1, 0, 0}, camera.axis[1] = {0, 1, 0}, camera.axis[2] = {0, 0, -1};
    for (double* range : {camera.x, camera.y}) range[0] = -1, range[1] = 1;
    camera.depth[0] = 1, camera.depth[1] = infinity;
    camera.matrix = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1, -1, 0, 0, -1, 0};
    camera.clip_space.layout = lanecull::MatrixLayout::row_major;
    return camera;
}

Camera any_camera(Random& random) {
    if (random.chance(0.3)) return simple_camera();
    const Camera camera = random_camera(random);
    return camera.projection == Projection::orthographic ? random_camera(random, Projection::perspective) : camera;
}

/// Sides with and without thickness, some at whole numbers, some without end.
WorldBox box_around(Random& random, Double3& place, double size, bool flat) {
    const bool whole = random.chance(0.5);
    const auto rounded = [&](double x) { return whole ? std::round(x) : x; };
    const auto axis = static_cast<std::size_t>(random.below(3));
    WorldBox box;
    for (std::size_t k = 0; k < 3; ++k) {
        const bool thin = flat && (k == axis || random.chance(0.2));
        const auto side = [&] { return thin ? 0 : random.chance(0.1) ? infinity : size * random.log_range(1e-2, 2); };
        place[k] = rounded(place[k]);
        box.lower[k] = rounded(place[k] - side());
        box.upper[k] = rounded(place[k] + side());
    }
    return box;
}

Part any_part(Random& random, bool flat) {
    Part part;
    part.camera = any_camera(random);
    const Camera& camera = part.camera;
    const double nearest = camera.depth[0], farthest = std::min(camera.depth[1], 1000 * nearest);
    part.near = nearest + (random.chance(0.3) ? 0 : 0.5 * random.unit()) * (farthest - nearest);
    part.far = part.near + random.log_range(1e-3, 1) * (farthest - part.near);
    const auto within = [&](const double(&range)[2]) {
        return range[0] + random.range(0.05, 0.95) * (range[1] - range[0]);
    };
    part.seen = camera.point(within(camera.x), within(camera.y), random.range(part.near, part.far));
    part.size = part.far - part.near;
    part.box = box_around(random, part.seen, part.size, flat);
    for (int k = random.chance(0.3) ? 1 + random.below(2) : 0; k > 0; --k) {
        const Double3 n = random_direction(random);
        part.clip_planes.push_back({{n[0], n[1], n[2]}, part.size * random.unit() - dot(n, part.seen)});
    }
    return part;
}

/// What the slice has in the box; none if the library finds no slice there.
std::optional<exact::HalfSpaces> half_spaces_of(const Part& part) {
    Plane planes[2];
    if (!lanecull::slice_planes(part.slice(), planes)) return std::nullopt;
    exact::HalfSpaces result = exact_half_spaces_of(part.camera);
    add(result, planes);
    add(result, part.clip_planes);
    add(result, part.box);
    return result;
}

std::string text_of(const Part& part, double margin) {
    return part.camera.describe() + " slice" + written(std::array{part.near, part.far}) + " box" +
           written(part.box.lower) + written(part.box.upper) + " margin" + written(std::array{margin}) +
           describe(part.clip_planes);
}

std::optional<Setting> casters_into(Random& random, const Part& part, std::size_t count) {
    std::optional<exact::HalfSpaces> lit = half_spaces_of(part);
    if (!lit) return std::nullopt;
    Light light = any_light(random, part.seen, part.size);
    const double margin = light.sides.empty() && random.chance(0.3) ? part.size * random.log_range(1e-4, 0.1) : 0;
    View view;
    const lanecull::ViewOptions options = light.options(part.clip_planes, margin);
    if (!lanecull::prepare_cascade_casters(part.slice(), part.box, options, view)) return std::nullopt;
    for (const exact::HalfSpace& limit : light.limits(margin)) lit->push_back(limit);
    return fill_casters(random, exact::Volume(*lit), light, margin, view, text_of(part, margin), count);
}

// Planes that coincide.

/// |x| <= w, |y| <= w, near <= w <= far, about the clip space's origin.
std::array<double, 16> matrix_of(const Double3 (&axis)[3], double near, double far) {
    const double scale = std::isinf(far) ? 1 : far / (far - near);
    const Double3 z = scale * axis[2];
    const Double3 &x = axis[0], &y = axis[1], &w = axis[2];
    return {x[0], x[1], x[2], 0, y[0], y[1], y[2], 0, z[0], z[1], z[2], -near * scale, w[0], w[1], w[2], 0};
}

/// Along an axis, level or tilted, the eye at whole numbers; its matrix in floats or doubles.
Camera whole_camera(Random& random) {
    Camera camera;
    const auto whole = [&](int most) { return static_cast<double>(random.below(2 * most + 1) - most); };
    Double3 forward = {whole(4), random.chance(0.5) ? 0 : whole(3), whole(4)};
    if (random.chance(0.4) || length(forward) == 0) {
        forward = {0, 0, 0};
        forward[static_cast<std::size_t>(random.below(3))] = random.sign();
    }
    const bool upright = forward[0] == 0 && forward[2] == 0;
    const Double3 across = cross(forward, upright ? Double3{0, 0, 1} : Double3{0, 1, 0});
    camera.axis[2] = 1 / length(forward) * forward;
    camera.axis[0] = 1 / length(across) * across;
    camera.axis[1] = cross(camera.axis[0], camera.axis[2]);
    for (double* range : {camera.x, camera.y}) range[0] = -1, range[1] = 1;
    for (double& coordinate : camera.eye) coordinate = whole(20);
    constexpr double nears[] = {0.1, 0.25, 1}, fars[] = {10, 50, 100, infinity};
    camera.depth[0] = nears[random.below(3)], camera.depth[1] = fars[random.below(4)];
    camera.matrix = matrix_of(camera.axis, camera.depth[0], camera.depth[1]);
    if (random.chance(0.4)) {
        for (double& element : camera.matrix) element = static_cast<double>(static_cast<float>(element));
    }
    camera.clip_space.layout = lanecull::MatrixLayout::row_major;
    std::copy(camera.eye.begin(), camera.eye.end(), camera.clip_space.origin);
    return camera;
}

/// Sides where the slice ends, at whole numbers beside that, or without thickness.
WorldBox box_of_slice(Random& random, std::span<const double, 24> corners) {
    WorldBox box;
    for (std::size_t k = 0; k < 3; ++k) {
        double low = corners[k], high = low;
        for (std::size_t i = k; i < 24; i += 3) low = std::min(low, corners[i]), high = std::max(high, corners[i]);
        double side[2] = {random.range(low, high), random.range(low, high)};
        if (side[0] > side[1]) std::swap(side[0], side[1]);
        const bool whole = random.chance(0.5);
        box.lower[k] = random.chance(0.3) ? low : whole ? std::floor(side[0]) : side[0];
        box.upper[k] = random.chance(0.3) ? high : whole ? std::ceil(side[1]) : side[1];
        if (random.chance(0.15)) (random.chance(0.5) ? box.lower : box.upper)[k] = random.chance(0.5) ? low : high;
        if (random.chance(0.15)) box.upper[k] = box.lower[k];
        if (box.lower[k] > box.upper[k]) std::swap(box.lower[k], box.upper[k]);
    }
    return box;
}

/// One of the planes that the part has already, as it is, longer, or turned a little about one of the slice's corners.
Plane almost_the_same(Random& random, const Part& part, std::span<const double, 24> corners) {
    std::vector<Plane> planes(2);
    static_cast<void>(lanecull::slice_planes(part.slice(), std::span<Plane, 2>(planes)));
    for (const double side : {1.0, -1.0}) {
        for (std::size_t j = 0; j < 2; ++j) {
            const Double3 n = part.camera.axis[2] + side * part.camera.axis[j];
            planes.push_back({{n[0], n[1], n[2]}, -dot(n, part.camera.eye)});
        }
        for (std::size_t k = 0; k < 3; ++k) {
            Plane& plane = planes.emplace_back();
            plane.normal[k] = side;
            plane.offset = side > 0 ? -part.box.lower[k] : part.box.upper[k];
        }
    }
    Plane plane = planes[static_cast<std::size_t>(random.below(static_cast<int>(planes.size())))];
    const double longer = random.chance(0.5) ? 1 : random.log_range(1e-3, 1e3);
    if (random.chance(0.6)) {
        const Double3 turn = random.log_range(0x1p-56, 0x1p-16) * random_direction(random);
        const auto corner = static_cast<std::size_t>(3 * random.below(8));
        for (std::size_t k = 0; k < 3; ++k) {
            plane.normal[k] += turn[k];
            plane.offset -= turn[k] * corners[corner + k];
        }
    }
    for (double& component : plane.normal) component *= longer;
    plane.offset *= longer;
    return plane;
}

/// The slice ends where the camera does, and more of its planes coincide; none if there is no slice.
std::optional<Part> coinciding_part(Random& random, int clip_planes) {
    Part part;
    part.camera = whole_camera(random);
    const double farthest = std::min(part.camera.depth[1], 100.0);
    part.near = part.camera.depth[0];
    part.far = random.chance(0.7) ? farthest : std::ceil(random.range(part.near, farthest));
    double corners[24];
    if (!lanecull::slice_corners(part.slice(), corners)) return std::nullopt;
    part.seen = part.camera.point(random.range(-0.9, 0.9), random.range(-0.9, 0.9), random.range(part.near, part.far));
    part.size = part.far - part.near;
    part.box = box_of_slice(random, corners);
    for (int k = random.below(clip_planes + 1); k > 0; --k) {
        part.clip_planes.push_back(almost_the_same(random, part, corners));
    }
    return part;
}

/// The camera's own view, cut by planes that it has already.
std::optional<Setting> camera_cut_by(Random& random, const Part& part, std::size_t count) {
    View view;
    const lanecull::ClipSpace& space = part.camera.clip_space;
    if (!lanecull::prepare_view(part.camera.matrix, space, view, {.clip_planes = part.clip_planes})) {
        return std::nullopt;
    }
    exact::HalfSpaces volume = exact_half_spaces_of(part.camera);
    add(volume, part.clip_planes);
    return fill(random, setting_of(random, exact::Volume(volume), view, text_of(part, 0)), count, any_touching);
}

// Two eyes of many corners.

/// An eye at the origin of the clip space that looks along z: its planes are tangents of the cone of slope 1.
struct Eyes {
    std::array<double, 16> matrix[2];
    lanecull::ClipSpace clip_space{.layout = lanecull::MatrixLayout::row_major, .origin = {}};
    std::vector<Plane> tangents;
    double size = 1;
};

/// Each plane makes one more edge of a pyramid's cross-section, between the four that the matrix makes.
void add_tangents(Random& random, const Double3 (&axis)[3], int count, std::vector<Plane>& planes) {
    for (int quadrant = 0; quadrant < 4; ++quadrant) {
        const int own = count / 4 + (quadrant < count % 4 ? 1 : 0);
        for (int k = 1; k <= own; ++k) {
            const double turns = (quadrant + (k + random.range(-0.2, 0.2)) / (own + 1)) / 4;
            const double angle = 2 * 3.141592653589793 * turns;
            const Double3 n = axis[2] - (std::cos(angle) * axis[0] + std::sin(angle) * axis[1]);
            planes.push_back({{n[0], n[1], n[2]}, 0});
        }
    }
}

/// A plane that cuts off the corner at depth `near` in the first quadrant, and none at greater depth. Two corners more.
Plane cut_of_corner(const Double3 (&axis)[3], double near, const std::vector<Plane>& tangents) {
    // Where the side x = w meets the first tangent.
    const Plane& t = tangents[0];
    const Double3 n = {t.normal[0], t.normal[1], t.normal[2]};
    const double height = -(dot(n, axis[0]) + dot(n, axis[2])) / dot(n, axis[1]);
    const Double3 corner = near * (axis[0] + height * axis[1] + axis[2]);
    const Double3 inward = 4.0 * axis[2] - axis[0] - height * axis[1];
    return {{inward[0], inward[1], inward[2]}, -dot(inward, corner) - 0.01 * near};
}

/// Pyramids of m sides have 2 m corners, or m where they have no end; two of these share their rays. So 4 m corners, or
/// 3 m; 2 more with a corner cut off.
Eyes eyes_of_many_corners(Random& random) {
    struct Form {
        int sides;
        bool endless, cut;
    };
    constexpr Form forms[] = {{16, false, false}, {21, true, false}, {21, true, true},
                              {15, false, true},  {20, true, true},  {16, false, true}};
    const Form form = forms[random.below(4) < 3 ? random.below(3) : random.below(6)];
    Eyes eyes;
    const Double3 forward = random_direction(random), other = cross(forward, random_direction(random));
    const Double3 right = 1 / length(other) * other;
    const Double3 axis[3] = {right, cross(forward, right), forward};
    const double near[2] = {eyes.size, eyes.size * random.range(1.5, 3)};
    for (std::size_t k = 0; k < 2; ++k) {
        eyes.matrix[k] = matrix_of(axis, near[k], form.endless ? infinity : near[k] * random.range(5, 30));
    }
    add_tangents(random, axis, form.sides - 4, eyes.tangents);
    if (form.cut) eyes.tangents.insert(eyes.tangents.begin(), cut_of_corner(axis, near[0], eyes.tangents));
    return eyes;
}

/// The planes as clip planes as far as there may be, the rest as the light's sides.
std::optional<Setting> lit_eyes(Random& random, const Eyes& eyes, std::size_t count) {
    constexpr std::size_t most = 10;
    const std::size_t clipping = std::min(most, eyes.tangents.size());
    const std::vector<Plane> clip_planes(eyes.tangents.begin(),
                                         eyes.tangents.begin() + static_cast<std::ptrdiff_t>(clipping));
    Light light;
    light.point_light = PointLight{};
    const Double3 at = eyes.size * random.log_range(0.1, 100) * random_direction(random);
    std::copy(at.begin(), at.end(), light.point_light->at);
    light.sides.assign(eyes.tangents.begin() + static_cast<std::ptrdiff_t>(clipping), eyes.tangents.end());
    View view;
    const lanecull::ViewOptions options = light.options(clip_planes, 0);
    if (!lanecull::prepare_stereo_view(eyes.matrix[0], eyes.matrix[1], eyes.clip_space, view, options)) {
        return std::nullopt;
    }
    std::vector<exact::HalfSpaces> volumes;
    for (const auto& matrix : eyes.matrix) {
        exact::HalfSpaces& half_spaces = volumes.emplace_back(exact::half_spaces(matrix, eyes.clip_space));
        add(half_spaces, eyes.tangents);
    }
    std::string text = "eyes";
    for (const auto& matrix : eyes.matrix) text += "\n  matrix" + written(matrix);
    return fill_casters(random, exact::Volume::hull(volumes), light, 0, view, text + describe(eyes.tangents), count);
}

// Exact ones.

/// About the axes of a camera, by planes in any order: some twice, some beside planes that limit nothing more; without
/// thickness, too.
std::vector<Plane> box_of_planes(Random& random) {
    const Camera camera = whole_camera(random);
    std::vector<Plane> planes;
    for (const Double3& axis : camera.axis) {
        const auto add = [&](double scale, double offset) {
            planes.push_back(plane(scale * axis, offset - scale * dot(axis, camera.eye)));
        };
        const double low = random.below(9) - 9, high = random.chance(0.1) ? low : low + 1 + random.below(9);
        add(1, -low), add(-1, high);
        if (random.chance(0.3)) add(1, -low);
        if (random.chance(0.3)) add(1, 2 - low);
        if (random.chance(0.3)) add(2, -2 * low);
    }
    std::rotate(planes.begin(), planes.begin() + random.below(static_cast<int>(planes.size())), planes.end());
    return planes;
}

/// Clip planes that a camera has already, as they are, longer, turned by up to 2^-20 or moved.
std::vector<Plane> own_planes(Random& random, const Camera& camera) {
    const auto [right, up, forward] = std::to_array(camera.axis);
    const Double3 normals[] = {forward + right, forward - right, forward + up, forward - up, forward, -1 * forward};
    const double offsets[] = {0, 0, 0, 0, -camera.depth[0], camera.depth[1]};
    std::vector<Plane> planes;
    for (int k = random.below(6); k >= 0; --k) {
        const std::size_t side = static_cast<std::size_t>(random.below(6));
        const double longer = random.chance(0.5) ? 1 : random.log_range(1e-3, 1e3);
        double offset = offsets[side] - dot(normals[side], camera.eye);
        if (random.chance(0.3)) offset -= random.log_range(1e-9, 1);
        Double3 normal = normals[side];
        if (random.chance(0.3)) normal[static_cast<std::size_t>(random.below(3))] += random.log_range(0x1p-56, 0x1p-20);
        planes.push_back(plane(longer * normal, longer * offset));
    }
    return planes;
}

/// One light that reaches everywhere.
Light any_endless_light(Random& random, const Part& part) {
    for (;;) {
        Light light = any_light(random, part.seen, part.size);
        if (light.sides.empty() && !light.reach(0)) return light;
    }
}

}  // namespace

void coinciding_exact(Trial& trial) {
    trial.at(Tally::trials) = 1;
    Random& random = trial.random;
    const auto check = [&](const auto& text, const auto& prepare) {
        View view;
        const lanecull::Status status = prepare(view);
        ++trial.at(Tally::cases);
        trial.at(Tally::reached) += status.ok() && !view.sees_nothing();
        if (!status || !view.exact()) trial.fail(Tally::untold, "refused, or not exact", text);
    };
    for (std::size_t n = 0; n < trial.plan.objects / 4 && !trial.stopped(); ++n) {
        const std::vector<Plane> planes = box_of_planes(random);
        check([&] { return describe(planes); },
              [&](View& view) { return lanecull::prepare_view_from_planes(planes, view); });
        const std::optional<Part> part = coinciding_part(random, 0);
        if (!part) continue;
        const std::vector<Plane> own = own_planes(random, part->camera);
        Light light = any_endless_light(random, *part);
        const auto text = [&] { return text_of(*part, 0) + light.describe() + describe(own); };
        check(text, [&](View& view) {
            return lanecull::prepare_cascade_casters(part->slice(), part->box, light.options({}, 0), view);
        });
        if (std::isinf(part->camera.depth[1])) continue;
        for (const lanecull::ViewOptions& options :
             {lanecull::ViewOptions{.clip_planes = own}, light.options(own, 0)}) {
            check(text, [&](View& view) {
                return lanecull::prepare_view(part->camera.matrix, part->camera.clip_space, view, options);
            });
        }
    }
}

std::optional<Setting> receivers(Random& random, std::size_t objects) {
    return casters_into(random, any_part(random, false), objects);
}
std::optional<Setting> flat_receivers(Random& random, std::size_t objects) {
    return casters_into(random, any_part(random, true), objects);
}
std::optional<Setting> coinciding_planes(Random& random, std::size_t objects) {
    const std::optional<Part> part = coinciding_part(random, 2);
    return part ? casters_into(random, *part, objects) : std::nullopt;
}
std::optional<Setting> coinciding_clips(Random& random, std::size_t objects) {
    const std::optional<Part> part = coinciding_part(random, 6);
    return part ? camera_cut_by(random, *part, objects) : std::nullopt;
}
std::optional<Setting> many_corners(Random& random, std::size_t objects) {
    return lit_eyes(random, eyes_of_many_corners(random), objects);
}

}  // namespace properties
