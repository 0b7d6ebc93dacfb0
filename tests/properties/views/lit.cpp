#include "properties/views/lit.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <lanecull/shadow.h>

#include "properties/views/placing.hpp"
#include "support/samples.hpp"
#include "support/usual.hpp"
#include "support/written.hpp"

namespace properties {
namespace {

using lanecull::DirectionalLight;
using lanecull::Plane;
using lanecull::PointLight;

exact::Point exactly(std::span<const double, 3> v) { return exact::point(v[0], v[1], v[2]); }

Double3 random_way(Random& random) {
    Double3 way = random_direction(random);
    if (random.chance(0.3)) way[static_cast<std::size_t>(random.below(3))] = 0;
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
