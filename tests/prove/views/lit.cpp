#include "prove/views/lit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <lanecull/shadow.h>

#include "prove/views/filling.hpp"
#include "support/samples.hpp"
#include "support/usual.hpp"
#include "support/written.hpp"

namespace prove {
namespace {

using lanecull::Lamp;
using lanecull::Plane;
using lanecull::Sun;

exact::Point exactly(const double (&v)[3]) { return exact::point(v[0], v[1], v[2]); }

Double3 random_way(Random& random) {
    Double3 way = random_direction(random);
    if (random.chance(0.3)) way[static_cast<std::size_t>(random.below(3))] = 0;
    if (random.chance(0.2)) way = {0, 0, 0}, way[static_cast<std::size_t>(random.below(3))] = random.sign();
    return way;
}

Sun any_sun(Random& random, double size, bool endless) {
    const double unit = random.chance(0.5) ? 1 : random.log_range(1e-3, 1e3);
    const Double3 toward = unit * random_way(random);
    Sun sun{{toward[0], toward[1], toward[2]}};
    if (!endless) sun.reach = random.chance(0.05) ? 0x1p-200 : size * random.log_range(0.01, 100) / length(toward);
    return sun;
}

Lamp any_lamp(Random& random, const Double3& seen, double size) {
    const bool whole = random.chance(0.3);
    const Double3 at = seen + (random.chance(0.1) ? 0 : size * random.log_range(0.01, 30)) * random_way(random);
    Lamp lamp;
    for (std::size_t k = 0; k < 3; ++k) lamp.at[k] = whole ? std::round(at[k]) : at[k];
    return lamp;
}

/// So that the way to `seen` is between them, if it is a way.
std::vector<Plane> spot_sides(Random& random, const Lamp& lamp, const Double3& seen, double size) {
    double forward[3], up[3];
    const Double3 aside = random_direction(random);
    for (std::size_t k = 0; k < 3; ++k) {
        forward[k] = seen[k] - lamp.at[k] + 1e-3 * size * aside[k];
        up[k] = aside[(k + 1) % 3];
    }
    lanecull::ShadowMap map;
    const double tan_x = random.log_range(0.05, 3), tan_y = random.log_range(0.05, 3);
    if (!lanecull::spot_map(lamp.at, forward, up, tan_x, tan_y, 1, 2, 512, map)) return {};
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

lanecull::ViewOptions Light::options(std::span<const Plane> clip_planes, double margin) {
    if (lamp) lamp->sides = sides;
    lanecull::ViewOptions options;
    options.clip_planes = clip_planes;
    options.margin = margin;
    options.sun = sun ? &*sun : nullptr;
    options.lamp = lamp ? &*lamp : nullptr;
    return options;
}

exact::HalfSpaces Light::limits(double margin) const {
    exact::HalfSpaces result;
    for (const Plane& p : sides) {
        result.push_back(exact::half_space(p.normal[0], p.normal[1], p.normal[2], p.offset));
    }
    if (const std::optional<Reach> ball = reach(margin)) {
        for (std::size_t k = 0; k < 3; ++k) {
            const double n[3] = {k == 0 ? 1.0 : 0, k == 1 ? 1.0 : 0, k == 2 ? 1.0 : 0};
            const exact::Point axis = exactly(n);
            result.push_back({axis, ball->range - exact::dot(axis, ball->at)});
            result.push_back({exact::Rational(-1) * axis, ball->range + exact::dot(axis, ball->at)});
        }
    }
    return result;
}

std::optional<Reach> Light::reach(double margin) const {
    if (!lamp || std::isinf(range_of(*lamp))) return std::nullopt;
    return Reach{exactly(lamp->at), exact::rational(lamp->range) + exact::rational(margin)};
}

exact::Volume Light::casters(const exact::Volume& lit) const {
    if (lamp) return lit.joined(exactly(lamp->at));
    if (std::isinf(reach_of(*sun))) return lit.swept_endlessly(exactly(sun->toward));
    return lit.swept(exact::rational(sun->reach) * exactly(sun->toward));
}

Double3 Light::way_from(const Double3& lit, double size) const {
    if (lamp) return Double3{lamp->at[0], lamp->at[1], lamp->at[2]} - lit;
    const Double3 toward = {sun->toward[0], sun->toward[1], sun->toward[2]};
    return std::min(reach_of(*sun), 3 * size / length(toward)) * toward;
}

std::string Light::describe() const {
    if (lamp) {
        const double numbers[] = {lamp->at[0], lamp->at[1], lamp->at[2], lamp->range};
        return " lamp" + written(numbers) + ::describe(sides);
    }
    const double numbers[] = {sun->toward[0], sun->toward[1], sun->toward[2], sun->reach};
    return " sun" + written(numbers);
}

Light any_light(Random& random, const Double3& seen, double size) {
    Light light;
    const int kind = random.below(5);
    if (kind < 2) {
        light.sun = any_sun(random, size, kind == 1);
        return light;
    }
    light.lamp = any_lamp(random, seen, size);
    const double distance = length(light.way_from(seen, size));
    if (kind == 3) light.lamp->range = std::max(distance, 1e-3 * size) * random.log_range(0.9, 30);
    if (kind == 4) light.sides = spot_sides(random, *light.lamp, seen, size);
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

}  // namespace prove
