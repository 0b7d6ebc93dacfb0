#include "support/samples.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "oracle/exact_objects.hpp"
#include "support/generate.hpp"
#include "support/random.hpp"

namespace {

using lanecull::Plane;
using lanecull::View;
using lanecull::ViewOptions;

Double3 random_place(Random& random) {
    const double reach = random.chance(0.3) ? 0 : random.log_range(1, 1e6);
    return {random.range(-reach, reach), random.range(-reach, reach), random.range(-reach, reach)};
}

std::string numbers(const char* name, std::span<const double> values) {
    return std::string(" ") + name + ":" + written(values);
}

Double3 double3(const exact::Point& p) {
    const exact::Vec<double> v = exact::to_double(p);
    return {v.x, v.y, v.z};
}

Plane plane_through(const Double3& at, const Double3& normal) {
    return {{normal[0], normal[1], normal[2]}, -dot(normal, at)};
}

exact::HalfSpaces exact_planes(std::span<const Plane> planes) {
    exact::HalfSpaces result;
    for (const Plane& p : planes) result.push_back(exact::half_space(p.normal[0], p.normal[1], p.normal[2], p.offset));
    return result;
}

/// Where three planes meet and no other half-space is left by much, in doubles: good enough to place objects at.
std::vector<Double3> corners_of(const exact::HalfSpaces& half_spaces, const Double3& about) {
    struct Row {
        Double3 normal;
        double offset;
    };
    std::vector<Row> rows;
    const exact::Point origin = exact::point(about[0], about[1], about[2]);
    for (const exact::HalfSpace& h : half_spaces) {
        const Double3 normal = double3(h.normal);
        const double size = length(normal);
        if (!(size > 0)) continue;
        const double offset = exact::to_double({exact::Rational(dot(h.normal, origin) + h.offset), 0, 0}).x;
        rows.push_back({1 / size * normal, offset / size});
    }
    std::vector<Double3> corners;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        for (std::size_t j = i + 1; j < rows.size(); ++j) {
            for (std::size_t k = j + 1; k < rows.size(); ++k) {
                const Double3 jk = cross(rows[j].normal, rows[k].normal), ki = cross(rows[k].normal, rows[i].normal),
                              ij = cross(rows[i].normal, rows[j].normal);
                const double determinant = dot(rows[i].normal, jk);
                if (std::fabs(determinant) < 1e-9) continue;
                const Double3 at = -1 / determinant * (rows[i].offset * jk + rows[j].offset * ki + rows[k].offset * ij);
                const bool inside = std::all_of(rows.begin(), rows.end(), [&](const Row& row) {
                    return dot(row.normal, at) + row.offset > -1e-7 * (length(at) + std::fabs(row.offset));
                });
                if (inside && length(at) < 1e12) corners.push_back(about + at);
            }
        }
    }
    return corners;
}

double spread(std::span<const Double3> points, const Double3& about) {
    double most = 0;
    for (const Double3& p : points) most = std::max(most, length(p - about));
    return most;
}

/// Without corners, places around the middle.
void place_anchors(Random& random, const exact::HalfSpaces& half_spaces, const Double3& middle, double size,
                   Sample& sample) {
    sample.anchors = corners_of(half_spaces, middle);
    while (sample.anchors.size() < 4) sample.anchors.push_back(middle + size * random_direction(random));
}

// Corners.

/// In any order.
Sample by_corners(Random& random, std::vector<Double3> corners, const Double3& near_end, double near_size) {
    for (std::size_t i = 8; i > 1; --i) std::swap(corners[i - 1], corners[random.bits() % i]);
    std::array<double, 24> given;
    std::vector<exact::Point> points;
    for (std::size_t i = 0; i < 8; ++i) {
        std::copy_n(corners[i].begin(), 3, &given[3 * i]);
        points.push_back(exact::point(corners[i][0], corners[i][1], corners[i][2]));
    }
    Sample sample;
    sample.prepare = [given](View& view, const ViewOptions& options) {
        return lanecull::prepare_view_from_corners(given, view, options);
    };
    sample.volume = exact::Volume::hull(points);
    sample.near_end = near_end, sample.near_size = near_size;
    sample.text = numbers("corners", given);
    sample.anchors = std::move(corners);
    return sample;
}

// Planes.

/// Without corners, places are `size` around the middle.
Sample by_planes(Random& random, std::vector<Plane> planes, const Double3& middle, double size) {
    Sample sample;
    const exact::HalfSpaces half_spaces = exact_planes(planes);
    place_anchors(random, half_spaces, middle, size, sample);
    sample.near_end = middle;
    sample.near_size = spread(sample.anchors, middle);
    sample.text = describe(planes);
    sample.volume = exact::Volume(half_spaces);
    sample.prepare = [given = std::move(planes)](View& view, const ViewOptions& options) {
        return lanecull::prepare_view_from_planes(given, view, options);
    };
    return sample;
}

// Matrices with clip planes, and stereo pairs.

/// Through the volume, some as oblique near planes, some past it; one in ten likely to leave nothing.
std::vector<Plane> random_clip_planes(Random& random, const Camera& camera, int most) {
    std::vector<Plane> planes;
    const double far = std::min(camera.depth[1], 100 * std::fabs(camera.depth[0]) + camera.depth[0]);
    for (int k = 1 + random.below(most); k > 0; --k) {
        const double depth = random.range(camera.depth[0], far);
        const double past = random.chance(0.2) ? 3 : 1;
        const Double3 at = camera.point(past * random.range(camera.x[0], camera.x[1]),
                                        past * random.range(camera.y[0], camera.y[1]), depth);
        Double3 normal = random_direction(random);
        if (random.chance(0.5)) normal = camera.axis[2] + random.unit() * normal;
        planes.push_back(plane_through(at, random.log_range(0.1, 10) * normal));
    }
    return planes;
}

/// A sample of eyes' half-spaces, the first ones a camera's, cut by some planes.
Sample cut_by_planes(Random& random, const Camera& camera, std::vector<exact::HalfSpaces> eyes,
                     std::vector<Plane> planes) {
    Sample sample;
    for (exact::HalfSpaces& eye : eyes) {
        for (const exact::HalfSpace& h : exact_planes(planes)) eye.push_back(h);
    }
    sample.clip_planes = std::move(planes);
    sample.volume = eyes.size() == 1 ? exact::Volume(eyes[0]) : exact::Volume::hull(eyes);
    const double size = std::fabs(camera.size_at(camera.depth[0]));
    place_anchors(random, eyes[0], camera.eye, size, sample);
    for (std::size_t i = 1; i < eyes.size(); ++i) {
        const std::vector<Double3> others = corners_of(eyes[i], camera.eye);
        sample.anchors.insert(sample.anchors.end(), others.begin(), others.end());
    }
    sample.near_end = camera.eye;
    sample.near_size = camera.projection == Projection::orthographic ? spread(sample.anchors, camera.eye)
                                                                     : 100 * std::fabs(camera.depth[0]) + size;
    sample.text = camera.describe();
    return sample;
}

/// With 1 to so many clip planes, or none.
Sample of_camera(Random& random, int most) {
    const Camera camera = random_camera(random);
    std::vector<Plane> planes;
    if (most > 0) planes = random_clip_planes(random, camera, most);
    Sample sample = cut_by_planes(random, camera, {exact_half_spaces_of(camera)}, std::move(planes));
    for (std::size_t i = 0; i < 4 && std::isinf(camera.depth[1]); ++i) {
        sample.anchors.push_back(camera.point(camera.x[i % 2], camera.y[i / 2], 1e6));
    }
    sample.prepare = [camera](View& view, const ViewOptions& options) { return camera.prepare(view, options); };
    return sample;
}

/// The camera's matrix for an eye moved by `by` and turned by `turn` about the camera's second axis.
std::array<double, 16> other_eye(const Camera& camera, const Double3& by, double turn) {
    const bool by_rows = camera.clip_space.layout == lanecull::MatrixLayout::row_major;
    const Double3 origin = {camera.clip_space.origin[0], camera.clip_space.origin[1], camera.clip_space.origin[2]};
    const Double3 eye = camera.eye - origin, up = 1 / length(camera.axis[1]) * camera.axis[1];
    const auto turned = [&](const Double3& v) {
        return std::cos(turn) * v + std::sin(turn) * cross(up, v) + ((1 - std::cos(turn)) * dot(up, v)) * up;
    };
    std::array<double, 16> matrix;
    for (std::size_t r = 0; r < 4; ++r) {
        const auto at = [&](std::size_t c) { return by_rows ? 4 * r + c : 4 * c + r; };
        const Double3 row = {camera.matrix[at(0)], camera.matrix[at(1)], camera.matrix[at(2)]};
        const Double3 normal = turned(row);
        const double offset = camera.matrix[at(3)] + dot(row, eye) - dot(normal, eye + by);
        for (std::size_t c = 0; c < 3; ++c) matrix[at(c)] = normal[c];
        matrix[at(3)] = offset;
    }
    return matrix;
}

}  // namespace

std::string describe(std::span<const Plane> planes) {
    std::string text;
    for (const Plane& p : planes) {
        const double values[] = {p.normal[0], p.normal[1], p.normal[2], p.offset};
        text += numbers("plane", values);
    }
    return text;
}

Sample corners_of_a_camera(Random& random) {
    constexpr Projection bounded[] = {Projection::perspective, Projection::off_centre, Projection::orthographic,
                                      Projection::sheared};
    const Camera camera = random_camera(random, bounded[random.below(4)]);
    std::vector<Double3> corners;
    for (int i = 0; i < 8; ++i)
        corners.push_back(camera.point(camera.x[i & 1], camera.y[i >> 1 & 1], camera.depth[i >> 2]));
    const bool sharp = random.chance(0.2), orthographic = camera.projection == Projection::orthographic;
    for (std::size_t i = 0; sharp && i < 4; ++i) corners[i] = camera.eye;
    // Eight corners in no order: a single sharp one tells no near end from a far one.
    const double near_size = 8 * spread(std::span(corners).first(orthographic || sharp ? 8 : 4), corners[0]);
    return by_corners(random, corners, corners[0], near_size);
}

/// Any eight points, some of them flat, in a line or one; some thousands of times nearer than others.
Sample any_corners(Random& random) {
    const Double3 middle = random_place(random), u = random_direction(random), v = random_direction(random);
    const double size = random.log_range(0.01, 1e3);
    const int dimensions = random.below(8);
    std::vector<Double3> corners;
    for (std::size_t i = 0; i < 8; ++i) {
        const double a = random.range(-1, 1), b = random.range(-1, 1);
        const Double3 offset = dimensions == 0   ? Double3{}
                               : dimensions == 1 ? a * u
                               : dimensions == 2 ? a * u + b * v
                                                 : random.unit() * random_direction(random);
        corners.push_back(i > 0 && random.chance(0.15) ? corners[i - 1] : middle + size * offset);
    }
    return by_corners(random, std::move(corners), middle, 2 * size);
}

Sample planes_of_a_camera(Random& random) {
    const Camera camera = random_camera(random);
    std::vector<Plane> planes;
    for (const exact::HalfSpace& h : exact_half_spaces_of(camera)) {
        const Double3 normal = double3(h.normal);
        if (length(normal) < 1e-6) continue;  // as good as no plane: at infinity
        const double factor = random.log_range(1e-3, 1e3);
        const double offset = exact::to_double({h.offset, 0, 0}).x;
        planes.push_back({{factor * normal[0], factor * normal[1], factor * normal[2]}, factor * offset});
    }
    for (std::size_t i = planes.size(); i > 1; --i) {
        std::swap(planes[i - 1], planes[static_cast<std::size_t>(random.below(static_cast<int>(i)))]);
    }
    Sample sample = by_planes(random, planes, camera.eye, camera.size_at(std::min(camera.depth[1], 100.0)));
    if (camera.projection != Projection::orthographic) {
        sample.near_size = 8 * std::fabs(camera.size_at(camera.depth[0]));
    }
    return sample;
}

/// 4 to 16 planes around a ball, some of them nearly parallel to others, some of no effect.
Sample any_polytope(Random& random) {
    const Double3 middle = random_place(random);
    const double size = random.log_range(0.01, 1e3);
    const int count = 4 + random.below(13);
    std::vector<Double3> normals;
    std::vector<Plane> planes;
    for (int k = 0; k < count; ++k) {
        Double3 normal = random_direction(random);
        const bool again = k > 0 && random.chance(0.2);
        if (again) {
            const double off = random.chance(0.2) ? 0 : random.log_range(1e-14, 1e-2);
            normal = normals[static_cast<std::size_t>(random.below(k))] + off * normal;
        }
        normals.push_back(normal);
        const double distance = size * random.range(0.5, random.chance(0.1) ? 100 : 1.5);
        planes.push_back(plane_through(middle - distance * normal, random.log_range(1e-3, 1e3) * normal));
    }
    return by_planes(random, std::move(planes), middle, size);
}

/// Cones, slabs, wedges, prisms and single half-spaces.
Sample endless_planes(Random& random) {
    const Double3 apex = random_place(random), axis = random_direction(random);
    const double size = random.log_range(0.01, 1e3);
    std::vector<Plane> planes;
    const int shape = random.below(5);
    const int sides = 3 + random.below(4);
    for (int k = 0; k < sides; ++k) {
        const Double3 out = cross(axis, random_direction(random));
        const Double3 normal = shape == 0 ? axis + random.log_range(0.05, 3) * (1 / length(out) * out) : out;
        const Double3 at = shape == 0 ? apex : apex - size / length(out) * out;
        planes.push_back(plane_through(at, normal));
    }
    if (shape == 2) planes = {plane_through(apex - size * axis, axis), plane_through(apex + size * axis, -1 * axis)};
    if (shape == 3) planes.resize(2);
    if (shape == 4) planes.resize(1);
    if (random.chance(0.3)) planes.push_back(plane_through(apex + size * axis, axis));
    Sample sample = by_planes(random, std::move(planes), apex, size);
    for (std::size_t k = 0; k < 3; ++k) {
        sample.anchors.push_back(sample.anchors[k] + size * random.log_range(1, 1000) * axis);
    }
    sample.near_size = 4 * size;
    return sample;
}

Sample plain_camera(Random& random) { return of_camera(random, 0); }
Sample clipped_camera(Random& random) { return of_camera(random, 4); }

Sample stereo_pair(Random& random) {
    constexpr Projection choices[] = {Projection::perspective,       Projection::reversed,   Projection::infinite,
                                      Projection::reversed_infinite, Projection::off_centre, Projection::opengl};
    const Camera camera = random_camera(random, choices[random.below(6)]);
    const double apart = random.chance(0.1) ? 0 : camera.depth[0] * random.log_range(0.01, 10);
    const double turn = random.chance(0.5) ? 0 : random.range(-0.2, 0.2);
    const std::array<double, 16> right = other_eye(camera, apart * camera.axis[0], turn);
    std::vector<Plane> planes;
    if (random.chance(0.4)) planes = random_clip_planes(random, camera, 2);
    Sample sample = cut_by_planes(random, camera,
                                  {exact_half_spaces_of(camera), exact::half_spaces(right, camera.clip_space)}, planes);
    sample.prepare = [camera, right](View& view, const ViewOptions& options) {
        return lanecull::prepare_stereo_view(camera.matrix, right, camera.clip_space, view, options);
    };
    sample.near_size += apart;
    sample.text += numbers("right", right);
    return sample;
}

std::array<double, 4> clip(const lanecull::ShadowMap& map, const Double3& p) {
    std::array<double, 4> result;
    for (std::size_t r = 0; r < 4; ++r) {
        result[r] = map.clip_from_world[12 + r];
        for (std::size_t c = 0; c < 3; ++c) {
            result[r] += map.clip_from_world[4 * c + r] * (p[c] - map.clip_space.origin[c]);
        }
    }
    return result;
}

namespace {

using lanecull::DirectionalLight;
using lanecull::Plane;
using lanecull::PointLight;
using lanecull::View;
using lanecull::ViewOptions;

const Double3& any_anchor(Random& random, const Sample& sample) {
    return sample.anchors[static_cast<std::size_t>(random.below(static_cast<int>(sample.anchors.size())))];
}

double size_of(const Sample& sample) {
    double size = 0;
    for (const Double3& p : sample.anchors) size = std::max(size, length(p - sample.anchors[0]));
    return size > 0 ? size : 1;
}

exact::Point exactly(const double (&v)[3]) { return exact::point(v[0], v[1], v[2]); }
void put(const Double3& from, double (&to)[3]) { std::copy(from.begin(), from.end(), to); }

/// Any way, along an axis of the world or along an edge of the volume, either way.
Double3 random_way(Random& random, const Sample& sample) {
    const double size = random.chance(0.5) ? 1 : random.log_range(1e-3, 1e3);
    if (random.chance(0.15)) {
        Double3 axis{};
        axis[static_cast<std::size_t>(random.below(3))] = random.sign() * size;
        return axis;
    }
    const Double3 edge = any_anchor(random, sample) - any_anchor(random, sample);
    if (random.chance(0.15) && length(edge) > 0) return random.sign() * size / length(edge) * edge;
    return size * random_direction(random);
}

Sample by_directional_light(Random& random, Sample sample, bool endless) {
    DirectionalLight light;
    const Double3 way = random_way(random, sample);
    put(way, light.toward);
    if (endless) {
        sample.volume = sample.volume->swept_endlessly(exactly(light.toward));
        // Where it shines from behind, the near end's surroundings are shaded from the far one's.
        const bool from_behind = std::any_of(sample.anchors.begin(), sample.anchors.end(),
                                             [&](const Double3& p) { return dot(p - sample.near_end, way) < 0; });
        if (from_behind) sample.near_size += size_of(sample);
    } else {
        light.reach = random.chance(0.05) ? 0x1p-200 : sample.near_size * random.log_range(0.01, 100) / length(way);
        sample.near_size += light.reach * length(way);
        sample.volume = sample.volume->swept(exact::rational(light.reach) * exactly(light.toward));
    }
    const std::size_t count = sample.anchors.size();
    for (std::size_t i = 0; i < count; ++i) {
        const double share = endless ? sample.near_size * random.log_range(0.1, 10) / length(way) : light.reach;
        sample.anchors.push_back(sample.anchors[i] + share * way);
    }
    sample.text += " directional light" + written(light.toward) + written(std::array{light.reach});
    sample.prepare = [light, prepare = sample.prepare](View& view, ViewOptions options) {
        options.directional_light = &light;
        return prepare(view, options);
    };
    return sample;
}

/// Near the near end, between corners, at the near end, or far from all of it.
Double3 random_place_of_light(Random& random, const Sample& sample) {
    switch (random.below(4)) {
        case 0:
            return sample.near_end + sample.near_size * random.log_range(0.1, 100) * random_direction(random);
        case 1:
            return any_anchor(random, sample) + random.unit() * (any_anchor(random, sample) - sample.near_end);
        case 2:
            return sample.near_end;
        default:
            return any_anchor(random, sample) + random.log_range(0.01, 10) * size_of(sample) * random_direction(random);
    }
}

Sample by_point_light(const Double3& at, const std::vector<Plane>& sides, Sample sample) {
    sample.near_size += length(at - sample.near_end);
    const std::size_t count = sample.anchors.size();
    for (std::size_t i = 0; i < count; i += 2) sample.anchors.push_back(at);
    sample.text += " point light" + written(at) + describe(sides);
    sample.volume = sample.volume->joined(exact::point(at[0], at[1], at[2]));
    sample.prepare = [at, sides, prepare = sample.prepare](View& view, ViewOptions options) {
        PointLight light;
        put(at, light.at);
        light.sides = sides;
        options.point_light = &light;
        return prepare(view, options);
    };
    return sample;
}

Sample by_point_light(Random& random, Sample sample) {
    const Double3 at = random_place_of_light(random, sample);
    return by_point_light(at, {}, std::move(sample));
}

/// Three to six planes through the light around the way to somewhere between corners of the volume.
Sample by_spot(Random& random, Sample sample) {
    const Double3 at = random_place_of_light(random, sample);
    Double3 axis = any_anchor(random, sample) + random.unit() * (any_anchor(random, sample) - at) - at;
    if (!(length(axis) > 0)) axis = random_direction(random);
    axis = 1 / length(axis) * axis;
    Double3 across = cross(axis, random_direction(random));
    across = 1 / length(across) * across;
    const Double3 other = cross(axis, across);
    const int count = 3 + random.below(4);
    const double slope = random.log_range(0.05, 2);
    std::vector<Plane> sides;
    exact::HalfSpaces lit(sample.volume->half_spaces().begin(), sample.volume->half_spaces().end());
    for (int k = 0; k < count; ++k) {
        const double angle = (k + 0.8 * random.unit()) * 2 * 3.141592653589793 / count;
        const Double3 n = slope * axis + std::cos(angle) * across + std::sin(angle) * other;
        sides.push_back({{n[0], n[1], n[2]}, -dot(n, at)});
        lit.push_back(exact::half_space(n[0], n[1], n[2], sides.back().offset));
    }
    sample.volume = exact::Volume(lit);
    sample.takes_margin = false;  // what the sides let through is widened as well
    return by_point_light(at, sides, std::move(sample));
}

}  // namespace

Sample directional_casters(Random& random) { return by_directional_light(random, plain_camera(random), false); }
Sample endless_directional_casters(Random& random) { return by_directional_light(random, plain_camera(random), true); }
Sample point_light_casters(Random& random) { return by_point_light(random, plain_camera(random)); }
Sample spot_casters(Random& random) { return by_spot(random, plain_camera(random)); }

Sample casters_of_any_view(Random& random) {
    constexpr Sample (*views[])(Random&) = {corners_of_a_camera, any_corners,    planes_of_a_camera, any_polytope,
                                            endless_planes,      clipped_camera, stereo_pair};
    const int chosen = random.below(7);
    Sample sample = views[chosen](random);
    const int light = random.below(sample.volume->half_spaces().empty() || sample.volume->empty() ? 3 : 4);
    if (sample.volume->empty()) return sample;
    return light == 0   ? by_directional_light(random, std::move(sample), false)
           : light == 1 ? by_directional_light(random, std::move(sample), true)
           : light == 2 ? by_point_light(random, std::move(sample))
                        : by_spot(random, std::move(sample));
}
