#include "view/caster_depth.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace lanecull {
namespace {

/// Whether all of these directions, of length 1, lead along `forward` by so much at least.
bool all_lead(std::span<const Double3> directions, const Double3& forward, double least) {
    const double size = length(forward);
    return size > 0 && std::all_of(directions.begin(), directions.end(),
                                   [&](const Double3& d) { return dot(d, forward) >= least * size; });
}

/// The largest if there are fewer.
double fourth_least(std::span<const double> numbers) {
    double least[4] = {HUGE_VAL, HUGE_VAL, HUGE_VAL, HUGE_VAL};  // in order
    for (double x : numbers) {
        for (double& y : least) {
            const double smaller = std::min(x, y);
            x = std::max(x, y), y = smaller;
        }
    }
    return least[std::min<std::size_t>(3, numbers.size() - 1)];
}

/// Directions in which the caster volume goes on for ever, then those in which it is far larger than at its near end.
/// Depth along which all of them lead keeps what is far away out of the bound of what is near.
class FarDirections {
public:
    FarDirections(const Receivers& receivers, const Light& light) {
        for (const Generator& g : receivers.generators) {
            if (g.is_ray()) add(middle(g.p));
        }
        if (light.is_sun && light.endless) add(middle(light.way));
        endless_ = count_;
        double distance[Generators::capacity];
        std::size_t points = 0;
        for (const Generator& g : receivers.generators) {
            if (!g.is_ray()) distance[points++] = length(middle(g.p));
        }
        if (points == 0) return;
        const double near = fourth_least({distance, points});
        const auto add_if_far = [&](const Double3& p, double size) {
            if (size > 8 * near) add(p);
        };
        points = 0;
        for (const Generator& g : receivers.generators) {
            if (!g.is_ray()) add_if_far(middle(g.p), distance[points++]);
        }
        without_light_ = count_;
        if (!light.is_sun) add_if_far(middle(light.at), length(middle(light.at)));
        if (light.is_sun && !light.endless) add_if_far(middle(light.way), length(middle(light.way)));
    }

    /// See choose_caster_depth().
    [[nodiscard]] bool choose(const Double3& given, Double3& forward) const {
        for (const std::size_t count : {count_, without_light_, endless_}) {
            if (count == 0) continue;
            forward = nearest_to_zero({directions_, count}, 0.9);
            if (all_lead({directions_, count}, forward, 0.05)) return true;
        }
        forward = given;
        return endless_ == 0;
    }

private:
    void add(const Double3& direction) { directions_[count_++] = normalized(direction); }

    Double3 directions_[Generators::capacity + 2];
    std::size_t count_ = 0, endless_ = 0, without_light_ = 0;
};

}  // namespace

Double3 nearest_to_zero(std::span<const Double3> points, double share, double near_enough) {
    constexpr int steps = 24;
    Double3 p{};
    for (const Double3& d : points) p = p + d * (1.0 / static_cast<double>(points.size()));
    for (int k = 0; k < steps; ++k) {
        double least = HUGE_VAL;
        Double3 worst{};
        for (const Double3& d : points) {
            const double along = dot(p, d);
            if (along < least) least = along, worst = d;
        }
        const double size = length_squared(p);
        if (size <= near_enough * near_enough || least >= share * size) break;
        const Double3 way = worst - p;
        p = p + way * std::fmin(1, (size - least) / length_squared(way));
    }
    return p;
}

bool choose_caster_depth(const Receivers& receivers, const Light& light, Double3& forward) {
    return FarDirections(receivers, light).choose(receivers.forward, forward);
}

}  // namespace lanecull
