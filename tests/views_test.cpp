#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <functional>
#include <limits>
#include <map>
#include <optional>

#include "culling.hpp"
#include "exact_objects.hpp"
#include "scale.hpp"

/// Views that are more than a matrix: by corners, by planes, with clip planes, for both eyes; each with and without a
/// margin, on every instruction set, by every method, against the exact oracle. Nothing visible is culled; what is well
/// apart is, where the volume's corners are known: by more than 2^-14 of the coordinates involved, the object's
/// relative to the volume's near end and that end's size.

namespace {

using lanecull::Isa;
using lanecull::Method;
using lanecull::Plane;
using lanecull::Status;
using lanecull::View;
using lanecull::ViewOptions;

constexpr double well_apart = 0x1p-14;
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();

Double3 operator+(const Double3& a, const Double3& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
Double3 operator-(const Double3& a, const Double3& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
Double3 operator*(double s, const Double3& a) { return {s * a[0], s * a[1], s * a[2]}; }
double dot(const Double3& a, const Double3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
double length(const Double3& a) { return std::sqrt(dot(a, a)); }
Double3 cross(const Double3& a, const Double3& b) {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

Double3 random_direction(Random& random) {
    for (;;) {
        const Double3 v = {random.range(-1, 1), random.range(-1, 1), random.range(-1, 1)};
        if (length(v) > 0.1 && length(v) < 1) return 1 / length(v) * v;
    }
}

Double3 random_place(Random& random) {
    const double reach = random.chance(0.3) ? 0 : random.log_range(1, 1e6);
    return {random.range(-reach, reach), random.range(-reach, reach), random.range(-reach, reach)};
}

/// A view as it is asked for, what it means, and where objects are worth placing.
struct Sample {
    std::function<Status(View&, const ViewOptions&)> prepare;
    std::vector<Plane> clip_planes;
    std::optional<exact::Volume> volume;
    std::vector<Double3> anchors;  ///< about where its corners are
    Double3 near_end{};
    double near_size = 0;
    std::string text;  ///< enough to repeat it
};

std::string numbers(const char* name, std::span<const double> values) {
    std::string text = std::string(" ") + name + ":";
    for (const double value : values) {
        char number[40];
        std::snprintf(number, sizeof number, " %a", value);
        text += number;
    }
    return text;
}

std::string describe(std::span<const Plane> planes) {
    std::string text;
    for (const Plane& p : planes) {
        const double values[] = {p.normal[0], p.normal[1], p.normal[2], p.offset};
        text += numbers("plane", values);
    }
    return text;
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
        const auto n = exact::to_double(h.normal);
        const Double3 normal = {n.x, n.y, n.z};
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

void by_corners(Sample& sample, const std::vector<Double3>& corners, Random& random) {
    std::array<double, 24> given;
    std::vector<Double3> left = corners;
    std::vector<exact::Point> points;
    for (std::size_t i = 0; i < 8; ++i) {
        const auto pick = static_cast<std::ptrdiff_t>(random.below(static_cast<int>(left.size())));
        std::copy_n(left[static_cast<std::size_t>(pick)].begin(), 3,
                    given.begin() + static_cast<std::ptrdiff_t>(3 * i));
        left.erase(left.begin() + pick);
        points.push_back(exact::point(given[3 * i], given[3 * i + 1], given[3 * i + 2]));
    }
    sample.prepare = [given](View& view, const ViewOptions& options) {
        return lanecull::prepare_view_from_corners(given, view, options);
    };
    sample.volume = exact::Volume::hull(points);
    sample.anchors = corners;
    sample.text = numbers("corners", given);
}

Projection bounded_projection(Random& random) {
    constexpr Projection choices[] = {Projection::perspective, Projection::off_centre, Projection::orthographic,
                                      Projection::sheared};
    return choices[random.below(4)];
}

Sample corners_of_a_camera(Random& random) {
    const Camera camera = random_camera(random, bounded_projection(random));
    std::vector<Double3> corners;
    for (int i = 0; i < 8; ++i)
        corners.push_back(camera.point(camera.x[i & 1], camera.y[i >> 1 & 1], camera.depth[i >> 2]));
    Sample sample;
    const bool sharp = random.chance(0.2);
    for (std::size_t i = 0; sharp && i < 4; ++i) corners[i] = camera.eye;
    sample.near_end = corners[0];
    const bool orthographic = camera.projection == Projection::orthographic;
    // Eight corners in no order: a single sharp one tells no near end from a far one.
    sample.near_size = 8 * spread(std::span(corners).first(orthographic || sharp ? 8 : 4), corners[0]);
    by_corners(sample, corners, random);
    return sample;
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
    Sample sample;
    sample.near_end = middle;
    sample.near_size = 2 * size;
    by_corners(sample, corners, random);
    return sample;
}

// Planes.

void by_planes(Sample& sample, std::vector<Plane> planes) {
    sample.text = describe(planes);
    sample.volume = exact::Volume(exact_planes(planes));
    sample.prepare = [given = std::move(planes)](View& view, const ViewOptions& options) {
        return lanecull::prepare_view_from_planes(given, view, options);
    };
}

Sample planes_of_a_camera(Random& random) {
    const Camera camera = random_camera(random, all_projections[random.below(9)]);
    std::vector<Plane> planes;
    for (const exact::HalfSpace& h : exact_half_spaces_of(camera)) {
        const auto n = exact::to_double(h.normal);
        const Double3 normal = {n.x, n.y, n.z};
        if (length(normal) < 1e-6) continue;  // as good as no plane: at infinity
        const double factor = random.log_range(1e-3, 1e3);
        const double offset = exact::to_double({h.offset, 0, 0}).x;
        planes.push_back({{factor * n.x, factor * n.y, factor * n.z}, factor * offset});
    }
    for (std::size_t i = planes.size(); i > 1; --i) {
        std::swap(planes[i - 1], planes[static_cast<std::size_t>(random.below(static_cast<int>(i)))]);
    }
    Sample sample;
    place_anchors(random, exact_planes(planes), camera.eye, camera.size_at(std::min(camera.depth[1], 100.0)), sample);
    sample.near_end = camera.eye;
    const bool orthographic = camera.projection == Projection::orthographic;
    sample.near_size =
        orthographic ? spread(sample.anchors, camera.eye) : 8 * std::fabs(camera.size_at(camera.depth[0]));
    by_planes(sample, planes);
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
    Sample sample;
    place_anchors(random, exact_planes(planes), middle, size, sample);
    sample.near_end = middle;
    sample.near_size = spread(sample.anchors, middle);
    by_planes(sample, planes);
    return sample;
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
    Sample sample;
    place_anchors(random, exact_planes(planes), apex, size, sample);
    for (int k = 0; k < 3; ++k) {
        sample.anchors.push_back(sample.anchors[static_cast<std::size_t>(k)] + size * random.log_range(1, 1000) * axis);
    }
    sample.near_end = apex;
    sample.near_size = 4 * size;
    by_planes(sample, planes);
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

Double3 near_end_of(const Camera& camera, Sample& sample) {
    const bool orthographic = camera.projection == Projection::orthographic;
    sample.near_size = orthographic ? spread(sample.anchors, camera.eye)
                                    : 100 * std::fabs(camera.depth[0]) + std::fabs(camera.size_at(camera.depth[0]));
    return camera.eye;
}

Sample clipped_camera(Random& random) {
    const Camera camera = random_camera(random, all_projections[random.below(9)]);
    Sample sample;
    sample.clip_planes = random_clip_planes(random, camera, 4);
    sample.prepare = [camera](View& view, const ViewOptions& options) { return camera.prepare(view, options); };
    exact::HalfSpaces all = exact_half_spaces_of(camera);
    for (const exact::HalfSpace& h : exact_planes(sample.clip_planes)) all.push_back(h);
    sample.volume = exact::Volume(all);
    place_anchors(random, all, camera.eye, std::fabs(camera.size_at(camera.depth[0])), sample);
    sample.near_end = near_end_of(camera, sample);
    sample.text = camera.describe();
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

Sample stereo_pair(Random& random) {
    constexpr Projection choices[] = {Projection::perspective,       Projection::reversed,   Projection::infinite,
                                      Projection::reversed_infinite, Projection::off_centre, Projection::opengl};
    const Camera camera = random_camera(random, choices[random.below(6)]);
    const double apart = random.chance(0.1) ? 0 : camera.depth[0] * random.log_range(0.01, 10);
    const double turn = random.chance(0.5) ? 0 : random.range(-0.2, 0.2);
    const std::array<double, 16> right = other_eye(camera, apart * camera.axis[0], turn);
    Sample sample;
    if (random.chance(0.4)) sample.clip_planes = random_clip_planes(random, camera, 2);
    sample.prepare = [camera, right](View& view, const ViewOptions& options) {
        return lanecull::prepare_stereo_view(camera.matrix, right, camera.clip_space, view, options);
    };
    std::vector<exact::HalfSpaces> eyes = {exact_half_spaces_of(camera), exact::half_spaces(right, camera.clip_space)};
    for (exact::HalfSpaces& eye : eyes) {
        for (const exact::HalfSpace& h : exact_planes(sample.clip_planes)) eye.push_back(h);
    }
    sample.volume = exact::Volume::hull(eyes);
    place_anchors(random, eyes[0], camera.eye, std::fabs(camera.size_at(camera.depth[0])), sample);
    const std::vector<Double3> others = corners_of(eyes[1], camera.eye);
    sample.anchors.insert(sample.anchors.end(), others.begin(), others.end());
    sample.near_end = near_end_of(camera, sample);
    sample.near_size += apart;
    sample.text = camera.describe() + numbers("right", right);
    return sample;
}

// Objects.

Object random_object_near(Random& random, Kind kind, const Sample& sample, const HullSet& hulls) {
    const auto anchor = [&] {
        return sample.anchors[static_cast<std::size_t>(random.below(static_cast<int>(sample.anchors.size())))];
    };
    // A corner, or a point between two, three or four.
    Double3 at = anchor();
    const Double3 first = at;
    for (int k = random.below(4); k > 0; --k) at = at + random.unit() * (anchor() - at);
    double scale = length(anchor() - first);
    if (!(scale > 0)) scale = sample.near_size > 0 ? sample.near_size : 1;
    const double size = scale * random.log_range(1e-3, 0.5);
    return object_at(random, kind, at + random.range(0, 2) * size * random_direction(random), size, hulls);
}

/// The object pushed into the volume by bisection until it overlaps it by a float's step or so.
Object pushed(Kind kind, const Object& object, const exact::Volume& volume, const Double3& way, const HullSet& hulls) {
    constexpr int bisections = 26;
    const auto at = [&](double share) { return moved(kind, object, share * way); };
    const auto visible = [&](const Object& candidate) {
        return decide(exact_solid_of(kind, candidate, hulls), volume).verdict == exact::Verdict::visible;
    };
    double low = 0, high = 1;
    if (visible(at(low)) || !visible(at(high))) return object;
    for (int i = 0; i < bisections; ++i) {
        const double share = (low + high) / 2;
        (visible(at(share)) ? high : low) = share;
    }
    return at(high);
}

/// An object that grazes the volume, more often than not.
Object grazing_object(Random& random, Kind kind, const Sample& sample, const exact::Volume& volume,
                      const HullSet& hulls) {
    const Object object = random_object_near(random, kind, sample, hulls);
    Double3 middle{}, weight{};
    for (const Double3& anchor : sample.anchors) {
        const double share = random.unit();
        middle = middle + share * anchor, weight[0] += share;
    }
    const oracle::Vec p = solid_of(kind, object, hulls).points[0];
    const Double3 start = {static_cast<double>(p.x), static_cast<double>(p.y), static_cast<double>(p.z)};
    return pushed(kind, object, volume, 1 / weight[0] * middle - start, hulls);
}

struct Tally {
    std::uint64_t visible = 0, apart = 0, false_culls = 0;
    std::uint64_t well_apart = 0, stage_two = 0, kept = 0;
};
using Tallies = std::map<std::pair<Isa, Method>, Tally>;

struct Counts {
    int views = 0, refused = 0, empty = 0, planes_only = 0;
};

struct Case {
    Object object;
    bool visible, well_apart;
};

Case judge(const Sample& sample, const exact::Volume& volume, double margin, Kind kind, const Object& object,
           const HullSet& hulls) {
    const exact::Solid solid = exact_solid_of(kind, object, hulls);
    const exact::Verdict verdict = decide(solid, volume).verdict;
    EXPECT_NE(verdict, exact::Verdict::unclear);
    double extent = 0;
    for (const exact::Point& p : solid.points) {
        const auto at = exact::to_double(p);
        extent = std::max(extent, length(Double3{at.x, at.y, at.z} - sample.near_end));
    }
    extent += exact::to_double({solid.radius, 0, 0}).x + margin + sample.near_size;
    const bool apart = verdict == exact::Verdict::apart &&
                       decide(solid, volume, exact::rational(well_apart * extent)).verdict == exact::Verdict::apart;
    return {object, verdict == exact::Verdict::visible, apart};
}

void cull_sample(Random& random, const Sample& sample, const View& view, double margin, std::uint64_t seed,
                 Tallies& tallies) {
    const exact::Volume volume = sample.volume->widened(exact::rational(margin));
    const Kind kind = all_kinds[random.below(static_cast<int>(std::size(all_kinds)))];
    const HullSet hulls = random_hulls(random, 3);
    std::vector<Object> objects;
    std::vector<Case> cases;
    while (objects.size() < 32) {
        const bool grazes = objects.size() % 8 == 0;
        objects.push_back(grazes ? grazing_object(random, kind, sample, volume, hulls)
                                 : random_object_near(random, kind, sample, hulls));
        cases.push_back(judge(sample, volume, margin, kind, objects.back(), hulls));
    }
    HeapMemory memory;
    const lanecull::Batch batch = make_batch(kind, objects, hulls, memory, {.bounds = random.chance(0.5)});
    const bool is_exact = view.contents().volume != lanecull::VolumeKind::planes_only;
    for (const Isa isa : runnable_isas()) {
        const ViewResult planes = run_cull(batch, view, {.method = Method::planes, .isa = isa});
        for (const Method method : all_methods) {
            const ViewResult result = run_cull(batch, view, {.method = method, .isa = isa});
            Tally& tally = tallies[{isa, method}];
            for (std::size_t i = 0; i < cases.size(); ++i) {
                tally.visible += cases[i].visible;
                tally.apart += !cases[i].visible;
                if (cases[i].visible && !result.visible(i) && ++tally.false_culls <= 3) {
                    ADD_FAILURE() << "culled by " << method_name(method) << " on " << lanecull::isa_name(isa)
                                  << ", seed " << seed << ", object " << i << ", margin " << margin << "\n"
                                  << sample.text << "\nclip planes" << describe(sample.clip_planes) << "\n"
                                  << ::describe(kind, objects[i], hulls);
                }
                if (!is_exact || !cases[i].well_apart) continue;
                ++tally.well_apart;
                tally.stage_two += planes.visible(i);
                tally.kept += result.visible(i);
            }
        }
    }
}

struct Family {
    const char* name;
    Sample (*make)(Random&);
    int views;
    double refused_allowed, planes_only_allowed, kept_allowed;  ///< shares: of the views, and of what is well apart
};

std::ostream& operator<<(std::ostream& out, const Family& family) { return out << family.name; }

class Views : public testing::TestWithParam<Family> {};

TEST_P(Views, AreNeverWrongAndExact) {
    const Family& family = GetParam();
    Tallies tallies;
    Counts counts;
    for (int v = 0; v < scaled(family.views); ++v) {
        const std::uint64_t seed = 7'000'000 + static_cast<std::uint64_t>(v);
        Random random(seed);
        const Sample sample = family.make(random);
        const double size = std::max(sample.near_size, 1e-3);
        const double margin = random.chance(0.5) ? 0 : size * random.log_range(1e-4, 1);
        View view;
        const Status status = sample.prepare(view, {.clip_planes = sample.clip_planes, .margin = margin});
        ++counts.views;
        counts.empty += sample.volume->empty();
        if (!status) {
            const std::string message = status.message();
            const bool says_empty =
                message.find("empty") != std::string::npos || message.find("leave nothing") != std::string::npos;
            EXPECT_TRUE(!says_empty || sample.volume->empty())
                << message << ", seed " << seed << sample.text << describe(sample.clip_planes);
            EXPECT_FALSE(view.prepared());
            counts.refused += !sample.volume->empty();
            continue;
        }
        counts.planes_only += view.contents().volume == lanecull::VolumeKind::planes_only;
        cull_sample(random, sample, view, margin, seed, tallies);
    }
    // Three standard deviations more: reduced runs have few views.
    const auto most = [&](double share) {
        return counts.views * share + 3 * std::sqrt(counts.views * share * (1 - share));
    };
    EXPECT_LE(counts.refused, most(family.refused_allowed));
    EXPECT_LE(counts.planes_only, most(family.planes_only_allowed));
    for (const auto& [key, tally] : tallies) {
        SCOPED_TRACE(std::string(lanecull::isa_name(key.first)) + " " + method_name(key.second));
        EXPECT_EQ(tally.false_culls, 0u);
        const double all = static_cast<double>(tally.visible + tally.apart);
        EXPECT_GT(static_cast<double>(tally.visible), 0.1 * all);
        EXPECT_GT(static_cast<double>(tally.apart), 0.1 * all);
        if (key.second == Method::planes || tally.well_apart < 500) continue;
        EXPECT_LE(static_cast<double>(tally.kept), family.kept_allowed * static_cast<double>(tally.well_apart));
    }
    const auto number = [](std::uint64_t n) { return static_cast<unsigned long long>(n); };
    const Tally& t = tallies.at({runnable_isas().back(), Method::automatic});
    std::printf(
        "[ figures  ] %-20s views %d refused %d empty %d planes alone %d | objects %llu visible %llu | well apart "
        "%llu, "
        "open to planes %llu, kept %llu\n",
        family.name, counts.views, counts.refused, counts.empty, counts.planes_only, number(t.visible + t.apart),
        number(t.visible), number(t.well_apart), number(t.stage_two), number(t.kept));
}

constexpr Family families[] = {{"corners_of_a_camera", corners_of_a_camera, 120, 0, 0, 0.005},
                               {"any_corners", any_corners, 120, 0, 0, 0.002},
                               {"planes_of_a_camera", planes_of_a_camera, 120, 0, 0.15, 0.005},
                               {"any_polytope", any_polytope, 120, 0, 0.3, 0.005},
                               {"endless_planes", endless_planes, 120, 0, 0.85, 0.005},
                               {"clipped_camera", clipped_camera, 160, 0, 0.05, 0.005},
                               {"stereo_pair", stereo_pair, 120, 0.05, 0, 0.01}};

INSTANTIATE_TEST_SUITE_P(All, Views, testing::ValuesIn(families),
                         [](const auto& parameter) { return std::string(parameter.param.name); });

// Arguments.

bool same_bytes(const View& a, const View& b) {
    return std::memcmp(&a.contents(), &b.contents(), sizeof(lanecull::PreparedView)) == 0;
}

/// Row by row: looks along +z, |x| <= z, |y| <= z, 1 <= z <= 10; and |x| <= 2, |y| <= 4, 0 <= z <= 8.
constexpr std::array<double, 16> perspective = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 10.0 / 9, -10.0 / 9, 0, 0, 1, 0};
constexpr std::array<double, 16> orthographic = {0.5, 0, 0, 0, 0, 0.25, 0, 0, 0, 0, 0.125, 0, 0, 0, 0, 1};
constexpr lanecull::ClipSpace by_rows = {.layout = lanecull::MatrixLayout::row_major};
constexpr std::array<double, 24> cube = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 0, 0, 1, 1, 0, 1, 0, 1, 1, 1, 1, 1};
const std::vector<Plane> cube_planes = {{{1, 0, 0}, 0},  {{-1, 0, 0}, 1}, {{0, 1, 0}, 0},
                                        {{0, -1, 0}, 1}, {{0, 0, 1}, 0},  {{0, 0, -1}, 1}};

template <class Prepare>
void expect_refused(const std::string& named, const Prepare& prepare) {
    View view;
    ASSERT_TRUE(lanecull::prepare_view(perspective, by_rows, view));
    const View before = view;
    const Status status = prepare(view);
    ASSERT_FALSE(status.ok()) << "wanted a failure naming " << named;
    EXPECT_EQ(std::string(status.message()).find(named), 0u) << '"' << status.message() << "\" does not name " << named;
    EXPECT_TRUE(same_bytes(view, before)) << named << ": a refused view must stay as it was";
}

/// The rules of options are the same for every kind of view.
TEST(ViewArguments, Options) {
    const auto refused = [](const std::string& named, const ViewOptions& options) {
        SCOPED_TRACE(named);
        expect_refused(named, [&](View& v) { return lanecull::prepare_view(perspective, by_rows, v, options); });
        expect_refused(named, [&](View& v) { return lanecull::prepare_view(orthographic, by_rows, v, options); });
        expect_refused(named, [&](View& v) {
            return lanecull::prepare_stereo_view(perspective, perspective, by_rows, v, options);
        });
        expect_refused(named, [&](View& v) { return lanecull::prepare_view_from_corners(cube, v, options); });
        expect_refused(named, [&](View& v) { return lanecull::prepare_view_from_planes(cube_planes, v, options); });
    };
    for (const double value : {-1.0, -1e-300, nan_value, infinity, 1e31}) {
        refused("options.margin", {.margin = value});
        refused("options.size_scale", {.size_scale = value});
    }
    for (std::size_t k = 0; k < 3; ++k) {
        for (const double value : {nan_value, infinity, -infinity, 1e31}) {
            Double3 eye{};
            eye[k] = value;
            refused("options.eye", {.eye = eye.data()});
        }
    }
    const std::vector<Plane> eleven(11, Plane{{1, 0, 0}, 100});
    refused("options.clip_planes", {.clip_planes = eleven});
    for (std::size_t k = 0; k < 4; ++k) {
        for (const double value : {nan_value, infinity, -infinity}) {
            std::vector<Plane> planes(2, Plane{{1, 0, 0}, 100});
            (k < 3 ? planes[1].normal[k] : planes[1].offset) = value;
            refused("options.clip_planes[1]", {.clip_planes = planes});
        }
    }
    const Plane none[] = {{{0, 0, 0}, 1}};
    refused("options.clip_planes[0]", {.clip_planes = none});
    const Plane beyond[] = {{{1, 0, 0}, -1e9}};  // x >= 1e9
    expect_refused("clip_from_world",
                   [&](View& v) { return lanecull::prepare_view(perspective, by_rows, v, {.clip_planes = beyond}); });
    expect_refused("options.clip_planes",
                   [&](View& v) { return lanecull::prepare_view_from_corners(cube, v, {.clip_planes = beyond}); });
    expect_refused(
        "planes", [&](View& v) { return lanecull::prepare_view_from_planes(cube_planes, v, {.clip_planes = beyond}); });
    expect_refused("left, right", [&](View& v) {
        return lanecull::prepare_stereo_view(perspective, perspective, by_rows, v, {.clip_planes = beyond});
    });
}

TEST(ViewArguments, Corners) {
    for (std::size_t k = 0; k < 24; ++k) {
        for (const double value : {nan_value, infinity, -infinity, 1.1e30, -1.1e30}) {
            std::array<double, 24> corners = cube;
            corners[k] = value;
            expect_refused("corners", [&](View& v) { return lanecull::prepare_view_from_corners(corners, v); });
        }
    }
}

TEST(ViewArguments, Planes) {
    const auto refused = [](const std::string& named, const std::vector<Plane>& planes) {
        expect_refused(named, [&](View& v) { return lanecull::prepare_view_from_planes(planes, v); });
    };
    refused("planes", {});
    refused("planes", std::vector<Plane>(17, Plane{{1, 0, 0}, 1}));
    refused("planes[1]", {{{1, 0, 0}, 1}, {{0, 0, 0}, 1}});
    refused("planes[0]", {{{nan_value, 0, 0}, 1}});
    refused("planes[0]", {{{1, 0, infinity}, 1}});
    refused("planes[0]", {{{1, 0, 0}, nan_value}});
    refused("planes[0]", {{{1, 0, 0}, -infinity}});
    std::vector<Plane> nothing = cube_planes;
    nothing.push_back({{1, 1, 1}, -3.5});
    refused("planes", nothing);
    const std::vector<Plane> ten(10, Plane{{1, 0, 0}, 100}), seven(7, Plane{{1, 0, 0}, 100});
    expect_refused("planes",
                   [&](View& v) { return lanecull::prepare_view_from_planes(seven, v, {.clip_planes = ten}); });
    View view;
    EXPECT_TRUE(lanecull::prepare_view_from_planes(std::span(seven).first(6), view, {.clip_planes = ten}));
}

TEST(ViewArguments, Stereo) {
    const auto refused = [](const std::string& named, const std::array<double, 16>& left,
                            const std::array<double, 16>& right, const lanecull::ClipSpace& clip_space) {
        expect_refused(named, [&](View& v) { return lanecull::prepare_stereo_view(left, right, clip_space, v); });
    };
    for (std::size_t k = 0; k < 16; ++k) {
        for (const double value : {nan_value, infinity}) {
            std::array<double, 16> matrix = perspective;
            matrix[k] = value;
            refused("left", matrix, perspective, by_rows);
            refused("right", perspective, matrix, by_rows);
        }
    }
    refused("left", orthographic, perspective, by_rows);
    refused("right", perspective, orthographic, by_rows);
    refused("left", {}, perspective, by_rows);
    refused("right", perspective, {}, by_rows);
    refused("clip_space.origin", perspective, perspective, {.origin = {0, nan_value, 0}});
    // Endless in opposite ways.
    std::array<double, 16> forward = perspective;
    forward[10] = 1, forward[11] = -1;
    std::array<double, 16> backward = forward;
    for (const std::size_t k : {10u, 14u}) backward[k] = -backward[k];
    refused("left, right", forward, backward, by_rows);
}

}  // namespace
