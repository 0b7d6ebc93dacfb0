#include "properties/views/placing.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <lanecull/shadow.h>

#include "support/generate.hpp"
#include "support/random.hpp"
#include "support/samples.hpp"

namespace properties {
namespace {

Double3 vector(const exact::Vec<double>& v) { return {v.x, v.y, v.z}; }
Double3 vector(const float* v) {
    return {static_cast<double>(v[0]), static_cast<double>(v[1]), static_cast<double>(v[2])};
}
Double3 unit(const Double3& v) { return length(v) > 0 ? 1 / length(v) * v : v; }

void set(Object& object, std::size_t first, const Double3& value, std::size_t stride = 1) {
    for (std::size_t k = 0; k < 3; ++k) object.fields[first + k * stride] = static_cast<float>(value[k]);
}

/// A hull's column k, whose elements are 4 apart.
Double3 column(const Object& object, std::size_t k) {
    return {static_cast<double>(object.fields[k]), static_cast<double>(object.fields[4 + k]),
            static_cast<double>(object.fields[8 + k])};
}

Double3 vector(const oracle::Vec& v) {
    return {static_cast<double>(v.x), static_cast<double>(v.y), static_cast<double>(v.z)};
}

/// The solid's farthest point in direction v.
Double3 support(const oracle::Solid& solid, const Double3& v) {
    Double3 best = vector(solid.points[0]);
    for (const oracle::Vec& point : solid.points) {
        const Double3 p = vector(point);
        if (dot(p, v) > dot(best, v)) best = p;
    }
    const Double3 way = unit(v);
    for (const auto& oval : solid.ovals) {
        const Double3 p = vector(farthest(oval, oracle::Vec{way[0], way[1], way[2]}));
        if (dot(p, v) > dot(best, v)) best = p;
    }
    return best + static_cast<double>(solid.radius) * unit(v);
}

/// Three degenerate ones besides the usual: one vertex many times, vertices in a line, in a plane.
HullSet hulls_of(Random& random) {
    HullSet hulls = random_hulls(random, 4);
    const auto grid = [](float x, float y, float z) { return std::array<float, 3>{x, y, z}; };
    hulls.push_back(Vertices(7, grid(0.25f, -0.5f, 1)));
    Vertices line, plane;
    for (int i = 0; i < 9; ++i) {
        const float a = static_cast<float>(i - 4), b = static_cast<float>(i % 3 - 1);
        line.push_back(grid(a, 2 * a, -a));
        plane.push_back(grid(a, b, a + b));
    }
    hulls.push_back(line);
    hulls.push_back(plane);
    return hulls;
}

Double3 from_reference(const Setting& setting, const Double3& p) {
    const lanecull::Frame& frame = contents_of(setting.view).frame;
    return p - vector(frame.origin_hi);
}

}  // namespace

Boundary::Boundary(const exact::Volume& volume) {
    const auto half_spaces = volume.half_spaces();
    for (const exact::Point& p : volume.points()) {
        points_.push_back(vector(exact::to_double(p)));
        std::vector<std::size_t>& on = on_.emplace_back();
        for (std::size_t k = 0; k < half_spaces.size(); ++k) {
            if (exact::dot(half_spaces[k].normal, p) + half_spaces[k].offset == 0) on.push_back(k);
        }
    }
    for (const exact::HalfSpace& h : half_spaces) {
        const exact::Rational largest = std::max(
            {exact::Rational(abs(h.normal.x)), exact::Rational(abs(h.normal.y)), exact::Rational(abs(h.normal.z))});
        normals_.push_back(unit(vector(exact::to_double(exact::Rational(1 / largest) * h.normal))));
    }
    for (const exact::Point& r : volume.rays()) rays_.push_back(unit(vector(exact::to_double(r))));
    for (const Double3& a : points_) {
        for (const Double3& b : points_) size_ = std::max(size_, length(a - b));
    }
    if (!(size_ > 0)) size_ = 1;
    if (half_spaces.empty()) find_facets();
}

/// Of a hull: the planes through two of its edges at a point that have all else on one side, but for rounding.
void Boundary::find_facets() {
    constexpr std::size_t most = 24;
    const std::size_t count = points_.size() + rays_.size();
    if (count > most) return;
    for (std::size_t i = 0; i < points_.size(); ++i) {
        const auto along = [&](std::size_t j) {
            return j < points_.size() ? points_[j] - points_[i] : rays_[j - points_.size()];
        };
        for (std::size_t j = i + 1; j < count; ++j) {
            for (std::size_t k = j + 1; k < count; ++k) {
                const Double3 across = cross(along(j), along(k));
                if (!(length(across) > 1e-12 * length(along(j)) * length(along(k)))) continue;
                for (const double side : {1.0, -1.0}) add_facet(side * unit(across), i);
            }
        }
    }
}

void Boundary::add_facet(const Double3& inward, std::size_t point) {
    const double tolerance = 1e-10 * size_;
    std::vector<std::size_t> on;
    for (std::size_t j = 0; j < points_.size(); ++j) {
        const double height = dot(inward, points_[j] - points_[point]);
        if (height < -tolerance) return;
        if (height < tolerance) on.push_back(j);
    }
    for (const Double3& ray : rays_) {
        if (dot(inward, ray) < -1e-10) return;
    }
    for (const Double3& known : normals_) {
        if (dot(known, inward) > 1 - 1e-12) return;
    }
    for (const std::size_t j : on) on_[j].push_back(normals_.size());
    normals_.push_back(inward);
}

const Double3& Boundary::corner(Random& random) const {
    return points_[static_cast<std::size_t>(random.below(static_cast<int>(points_.size())))];
}

/// Where the volume ends in some direction.
Boundary::Spot Boundary::corner_spot(Random& random) const {
    for (int attempt = 0;; ++attempt) {
        const Double3 out = random_direction(random);
        const bool endless =
            std::any_of(rays_.begin(), rays_.end(), [&](const Double3& ray) { return dot(ray, out) > 0; });
        if (endless && attempt < 30) continue;
        const Double3* best = &points_[0];
        for (const Double3& p : points_) {
            if (dot(p, out) > dot(*best, out)) best = &p;
        }
        return {*best, out, random_direction(random)};
    }
}

/// On so many planes at once: 1 on a facet, 2 on an edge, 3 in a corner.
Boundary::Spot Boundary::spot_on(Random& random, int planes) const {
    const std::size_t i = static_cast<std::size_t>(random.below(static_cast<int>(points_.size())));
    std::vector<std::size_t> chosen, left = on_[i];
    while (static_cast<int>(chosen.size()) < planes && !left.empty()) {
        const auto at = static_cast<std::ptrdiff_t>(random.below(static_cast<int>(left.size())));
        chosen.push_back(left[static_cast<std::size_t>(at)]);
        left.erase(left.begin() + at);
    }
    if (chosen.empty()) return corner_spot(random);
    Double3 out{};
    for (const std::size_t k : chosen) out = out - random.log_range(0.01, 1) * normals_[k];
    if (!(length(out) > 1e-9)) return corner_spot(random);
    // Towards other corners on the same planes, many times nearer to this one or not.
    Double3 at = points_[i], along = random_direction(random);
    const bool near = random.chance(0.5);
    for (std::size_t j = 0; j < points_.size(); ++j) {
        const bool shared = j != i && std::all_of(chosen.begin(), chosen.end(), [&](std::size_t k) {
                                return std::find(on_[j].begin(), on_[j].end(), k) != on_[j].end();
                            });
        if (!shared || planes > 2) continue;
        along = unit(points_[j] - points_[i]);
        at = at + (near ? random.log_range(1e-7, 1) : random.unit()) * (points_[j] - at);
    }
    for (const Double3& ray : rays_) {
        const bool shared = std::all_of(chosen.begin(), chosen.end(),
                                        [&](std::size_t k) { return std::fabs(dot(normals_[k], ray)) < 1e-12; });
        if (!shared || planes > 2) continue;
        along = ray;
        at = at + random.log_range(1e-2, 1e6) * size_ * ray;
    }
    return {at, unit(out), along};
}

Boundary::Spot Boundary::spot(Random& random) const {
    return normals_.empty() ? corner_spot(random) : spot_on(random, 1 + random.below(3));
}

Boundary::Spot Boundary::spot_on_edge(Random& random) const {
    return normals_.empty() ? corner_spot(random) : spot_on(random, 2);
}

Double3 support(Kind kind, const Object& object, const HullSet& hulls, const Double3& v) {
    return support(shape_of(kind, object, hulls), v);
}

Object touching(Kind kind, const Object& object, const HullSet& hulls, const Boundary::Spot& spot, double off) {
    const Double3 reached = support(solid_of(kind, object, hulls), -1 * spot.outward);
    return moved(kind, object, spot.at + off * spot.outward - reached);
}

void stretch(Kind kind, const Double3& factors, Object& object) {
    const auto scale = [&](std::size_t field, double factor) {
        object.fields[field] = static_cast<float>(static_cast<double>(object.fields[field]) * factor);
    };
    switch (kind) {
        case Kind::sphere:
            return scale(3, factors[0]);
        case Kind::capsule:
        case Kind::cylinder:
        case Kind::cone:
        case Kind::round_cone: {
            const Double3 a = vector(object.fields.data()), b = vector(object.fields.data() + 3);
            set(object, 3, a + factors[0] * (b - a));
            keep_axis(kind, object);
            return scale(6, factors[1]);
        }
        case Kind::box:
            for (std::size_t k = 0; k < 3; ++k) {
                const double low = static_cast<double>(object.fields[k]);
                object.fields[3 + k] =
                    static_cast<float>(low + factors[k] * (static_cast<double>(object.fields[3 + k]) - low));
            }
            return;
        case Kind::hull:
        case Kind::box_instance:
            for (std::size_t k = 0; k < 3; ++k) set(object, k, factors[k] * column(object, k), 4);
            return;
        default:
            for (std::size_t k = 0; k < 3; ++k) {
                scale((kind == Kind::oriented_box ? 12 : has_quaternion(kind) ? 7 : 3) + k, factors[k]);
            }
    }
}

void turn(Random& random, Kind kind, const Double3& direction, Object& object) {
    const Double3 second = unit(cross(direction, random_direction(random)));
    const Double3 axes[3] = {direction, second, cross(direction, second)};
    switch (kind) {
        case Kind::capsule:
        case Kind::cylinder:
        case Kind::cone:
        case Kind::round_cone: {
            const Double3 a = vector(object.fields.data()), b = vector(object.fields.data() + 3);
            set(object, 3, a + length(b - a) * direction);
            return keep_axis(kind, object);
        }
        case Kind::oriented_box:
            for (std::size_t k = 0; k < 3; ++k) set(object, 3 + 3 * k, axes[k]);
            return;
        case Kind::hull:
        case Kind::box_instance:
            for (std::size_t k = 0; k < 3; ++k) set(object, k, length(column(object, k)) * axes[k], 4);
            return;
        case Kind::quaternion_box:
        case Kind::ellipsoid: {
            // Half way between x and the direction: half a turn about it takes one to the other.
            const Double3 between = Double3{1, 0, 0} + direction;
            set(object, 3, length(between) > 1e-3 ? unit(between) : Double3{0, 1, 0});
            object.fields[6] = 0;
            return;
        }
        default:
            return;
    }
}

std::optional<Setting> setting_of(Random& random, exact::Volume volume, const lanecull::View& view, std::string text) {
    if (volume.empty()) return std::nullopt;
    return Setting{.volume = std::move(volume),
                   .view = view,
                   .text = std::move(text),
                   .hulls = hulls_of(random),
                   .objects = {},
                   .reach = {}};
}

std::optional<Setting> fill(Random& random, std::optional<Setting> setting, std::size_t count, const MakeObject& make) {
    if (!setting) return setting;
    const Boundary boundary(setting->volume);
    for (const Kind kind : all_kinds) {
        std::vector<Object>& objects = setting->objects.emplace_back();
        for (std::size_t i = 0; i < count; ++i) objects.push_back(make(random, *setting, boundary, kind));
    }
    return setting;
}

std::uint32_t point_hull(const HullSet& hulls) { return static_cast<std::uint32_t>(hulls.size()) - 3; }

double grazing(Random& random, double magnitude) {
    if (random.chance(0.2)) return 0;
    return random.sign() * magnitude * random.log_range(0x1p-27, 0x1p-16);
}

Object touch(Random& random, const Setting& setting, Kind kind, const Object& object, const Boundary::Spot& spot,
             double size) {
    return touching(kind, object, setting.hulls, spot,
                    grazing(random, length(from_reference(setting, spot.at)) + size));
}

double size_at(Random& random, const Setting& setting, const Boundary& boundary, const Double3& at) {
    const double scale = random.chance(0.5) ? boundary.size() : length(from_reference(setting, at));
    return scale * random.log_range(1e-4, 1);
}

Object any_touching(Random& random, const Setting& setting, const Boundary& boundary, Kind kind) {
    return touching_at(random, setting, boundary, kind, boundary.spot(random), [](Object&) {});
}

double largest_seen(const Setting& setting, const exact::Solid& solid) {
    double largest = 0;
    for (const exact::Point& p : solid.points) {
        for (const double q : from_reference(setting, vector(exact::to_double(p)))) {
            largest = std::max(largest, std::fabs(q));
        }
    }
    return largest + exact::to_double({solid.radius, 0, 0}).x;
}

namespace {

using lanecull::DirectionalLight;
using lanecull::Plane;
using lanecull::PointLight;

exact::Point exactly(std::span<const double, 3> v) { return exact::point(v[0], v[1], v[2]); }

Double3 random_way(Random& random) {
    const Double3 direction = random_direction(random);
    Double3 way = direction;
    if (random.chance(0.3)) way[static_cast<std::size_t>(random.below(3))] = 0;
    if (way == Double3{}) way = direction;  // it was along an axis, as a fuzzer's bytes may have it
    if (random.chance(0.2)) way = {0, 0, 0}, way[static_cast<std::size_t>(random.below(3))] = random.sign();
    return way;
}

DirectionalLight any_directional_light(Random& random, double size, bool endless) {
    const double unit = random.chance(0.5) ? 1 : random.log_range(1e-3, 1e3);
    const Double3 toward = unit * random_way(random);
    DirectionalLight directional_light{{toward[0], toward[1], toward[2]}};
    if (!endless) {
        directional_light.reach = random.chance(0.05) ? 0x1p-200 : size * random.log_range(0.01, 100) / length(toward);
    }
    return directional_light;
}

PointLight any_point_light(Random& random, const Double3& seen, double size) {
    const bool whole = random.chance(0.3);
    const Double3 at = seen + (random.chance(0.1) ? 0 : size * random.log_range(0.01, 30)) * random_way(random);
    PointLight point_light;
    for (std::size_t k = 0; k < 3; ++k) point_light.at[k] = whole ? std::round(at[k]) : at[k];
    return point_light;
}

/// So that the way to `seen` is between them, if it is a way.
std::vector<Plane> spot_sides(Random& random, const PointLight& point_light, const Double3& seen, double size) {
    double forward[3], up[3];
    const Double3 aside = random_direction(random);
    for (std::size_t k = 0; k < 3; ++k) {
        forward[k] = seen[k] - point_light.at[k] + 1e-3 * size * aside[k];
        up[k] = aside[(k + 1) % 3];
    }
    lanecull::ShadowMap map;
    const double tan_x = random.log_range(0.05, 3), tan_y = random.log_range(0.05, 3);
    if (!lanecull::spot_map(point_light.at, forward, up, tan_x, tan_y, 1, 2, 512, map)) return {};
    return {std::begin(map.sides), std::end(map.sides)};
}

/// Points that a volume is the hull of, and mixtures of them.
class LitPoints {
public:
    explicit LitPoints(const exact::Volume& lit) {
        for (const exact::Point& p : lit.points()) points_.push_back(vector(exact::to_double(p)));
        for (const exact::Point& r : lit.rays()) {
            const Double3 ray = vector(exact::to_double(r));
            if (length(ray) > 0) rays_.push_back(1 / length(ray) * ray);
        }
        for (const Double3& p : points_) size_ = std::max(size_, length(p - points_[0]));
        if (!(size_ > 0)) size_ = std::max(length(points_[0]), 1.0);
    }
    [[nodiscard]] double size() const { return size_; }

    /// A corner, a point of an edge, or one within.
    [[nodiscard]] Double3 any(Random& random) const {
        Double3 p = of(random, points_);
        for (int k = random.below(4); k > 0; --k) p = p + random.unit() * (of(random, points_) - p);
        if (!rays_.empty() && random.chance(0.5)) p = p + size_ * random.log_range(1e-2, 10) * of(random, rays_);
        return p;
    }

private:
    static Double3 vector(const exact::Vec<double>& v) { return {v.x, v.y, v.z}; }
    static const Double3& of(Random& random, const std::vector<Double3>& among) {
        return among[static_cast<std::size_t>(random.below(static_cast<int>(among.size())))];
    }

    std::vector<Double3> points_, rays_;
    double size_ = 0;
};

/// Around a point of the way to the light, or touching it from anywhere.
Object on_the_way(Random& random, Kind kind, const Double3& lit, const Double3& way, const Setting& setting) {
    const Double3 at = lit + (random.chance(0.6) ? 0.5 : random.unit()) * way;
    const Object object = object_at(random, kind, at, length(way) * random.log_range(1e-4, 0.5), setting.hulls);
    if (random.chance(0.5)) return object;
    return touching(kind, object, setting.hulls, {at, random_direction(random), random_direction(random)}, 0);
}

}  // namespace

exact::HalfSpace half_space(const Plane& p) {
    return exact::half_space(p.normal[0], p.normal[1], p.normal[2], p.offset);
}

void add(exact::HalfSpaces& to, std::span<const Plane> planes) {
    for (const Plane& p : planes) to.push_back(half_space(p));
}

void add(exact::HalfSpaces& to, const lanecull::WorldBox& box) {
    for (std::size_t k = 0; k < 3; ++k) {
        Double3 axis{};
        axis[k] = 1;
        if (std::isfinite(box.lower[k])) to.push_back(half_space(plane(axis, -box.lower[k])));
        if (std::isfinite(box.upper[k])) to.push_back(half_space(plane(-1 * axis, box.upper[k])));
    }
}

Plane plane(const Double3& normal, double offset) { return {{normal[0], normal[1], normal[2]}, offset}; }

void add_cube(exact::HalfSpaces& to, const exact::Point& center, const exact::Rational& radius) {
    for (std::size_t k = 0; k < 3; ++k) {
        Double3 n{};
        n[k] = 1;
        const exact::Point axis = exactly(n);
        to.push_back({axis, radius - exact::dot(axis, center)});
        to.push_back({exact::Rational(-1) * axis, radius + exact::dot(axis, center)});
    }
}

lanecull::ViewOptions Light::options(std::span<const Plane> clip_planes, double margin) {
    if (point_light) point_light->sides = sides;
    lanecull::ViewOptions options;
    options.clip_planes = clip_planes;
    options.margin = margin;
    options.directional_light = directional_light ? &*directional_light : nullptr;
    options.point_light = point_light ? &*point_light : nullptr;
    return options;
}

exact::HalfSpaces Light::limits(double margin) const {
    exact::HalfSpaces result;
    add(result, sides);
    if (const std::optional<Reach> ball = reach(margin)) add_cube(result, ball->at, ball->range);
    return result;
}

std::optional<Reach> Light::reach(double margin) const {
    if (!point_light || std::isinf(range_of(*point_light))) return std::nullopt;
    return Reach{exactly(point_light->at), exact::rational(point_light->range) + exact::rational(margin)};
}

exact::Volume Light::casters(const exact::Volume& lit) const {
    if (point_light) return lit.joined(exactly(point_light->at));
    if (std::isinf(reach_of(*directional_light))) return lit.swept_endlessly(exactly(directional_light->toward));
    return lit.swept(exact::rational(directional_light->reach) * exactly(directional_light->toward));
}

Double3 Light::way_from(const Double3& lit, double size) const {
    if (point_light) return Double3{point_light->at[0], point_light->at[1], point_light->at[2]} - lit;
    const Double3 toward = {directional_light->toward[0], directional_light->toward[1], directional_light->toward[2]};
    return std::min(reach_of(*directional_light), 3 * size / length(toward)) * toward;
}

std::string Light::describe() const {
    std::string text;
    if (directional_light) {
        text +=
            " directional light" + written(directional_light->toward) + written(std::array{directional_light->reach});
    }
    if (point_light) {
        text += " point light" + written(point_light->at) + written(std::array{point_light->range}) + ::describe(sides);
    }
    return text;
}

Light any_light(Random& random, const Double3& seen, double size) {
    Light light;
    const int kind = random.below(5);
    if (kind < 2) {
        light.directional_light = any_directional_light(random, size, kind == 1);
        return light;
    }
    light.point_light = any_point_light(random, seen, size);
    const double distance = length(light.way_from(seen, size));
    if (kind == 3) light.point_light->range = std::max(distance, 1e-3 * size) * random.log_range(0.9, 30);
    if (kind == 4) light.sides = spot_sides(random, *light.point_light, seen, size);
    return light;
}

std::optional<Setting> fill_casters(Random& random, const exact::Volume& lit, const Light& light, double margin,
                                    const lanecull::View& view, const std::string& text, std::size_t count) {
    if (lit.empty()) return std::nullopt;
    const LitPoints points(lit);
    std::optional<Setting> setting =
        setting_of(random, light.casters(lit).widened(exact::rational(margin)), view, text + light.describe());
    if (!setting) return setting;
    setting->reach = light.reach(margin);
    if (std::optional<Reach>& reach = setting->reach) {
        reach->is_dark = decide({{reach->at}, 0}, lit, reach->range).verdict == exact::Verdict::apart;
    }
    return fill(random, std::move(setting), count, [&](Random& r, const Setting& s, const Boundary& b, Kind kind) {
        const Double3 point = points.any(r), way = light.way_from(point, points.size());
        return r.chance(0.5) ? any_touching(r, s, b, kind) : on_the_way(r, kind, point, way, s);
    });
}

}  // namespace properties
