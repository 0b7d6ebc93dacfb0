#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include <lanecull/shadow.h>

#include "frame/world.hpp"
#include "support/double3.hpp"
#include "support/random.hpp"

/// Which balls stand between a light and a point that is seen, by the formulas of geometry.
namespace frame_tests {

struct Ball {
    Double3 at;
    double radius;
};

/// The world's balls alone, without what they are drawn with.
inline std::vector<Ball> balls_of(const World& world) {
    std::vector<Ball> balls;
    for (std::uint32_t i = 0; i < world.count(); ++i) {
        balls.push_back(
            {{static_cast<double>(world.x[i]), static_cast<double>(world.y[i]), static_cast<double>(world.z[i])},
             static_cast<double>(world.half[i])});
    }
    return balls;
}

/// How near the segment from a to b comes to the ball's centre.
inline double distance_to_segment(const Ball& ball, const Double3& a, const Double3& b) {
    const Double3 way = b - a;
    const double t = std::clamp(dot(ball.at - a, way) / dot(way, way), 0.0, 1.0);
    return length(a + t * way - ball.at);
}

inline bool is_well_inside(const lanecull::Plane& plane, const Double3& p) {
    const Double3 n{plane.normal[0], plane.normal[1], plane.normal[2]};
    return dot(n, p) + plane.offset > 1e-3 * length(n);
}

/// Points of visible balls, of depths between `near` and `far`, well within the camera's view.
inline std::vector<Double3> visible_points(const Looking& look, std::span<const lanecull::Plane> planes,
                                           const std::vector<Ball>& balls, double near, double far, Random& random) {
    std::vector<Double3> points;
    for (const Ball& ball : balls) {
        const Double3 p = ball.at + 0.9 * ball.radius * random_direction_of_length_one(random);
        const Double3 q = p - look.eye;
        const double depth = dot(q, look.forward);
        if (depth < near + 0.01 || depth > far - 0.01) continue;
        if (std::fabs(dot(q, look.right)) > 0.999 * look.tan_x * depth) continue;
        if (std::fabs(dot(q, look.up)) > 0.999 * look.tan_y * depth) continue;
        if (std::ranges::all_of(planes, [&](const auto& plane) { return is_well_inside(plane, p); })) {
            points.push_back(p);
        }
    }
    return points;
}

/// Some cameras, and lamps that are near what they see.
inline void fill_near(Made& made, Random& random) {
    fill(made, random);
    for (int l = 0; l < 12; ++l) {
        const Looking& look = made.looking[static_cast<std::size_t>(l) % made.looking.size()];
        made.add_lamp(look.point(random.range(-1, 1), random.range(-1, 1), random.range(5, 60)), 50);
    }
    for (PassCamera& camera : made.cameras) camera.options.hidden_layers = 0;
    for (PassLamp& lamp : made.lamps) lamp.hidden_layers = 0;
}

inline bool sees(const PassLamp& lamp, std::uint32_t camera) {
    return lamp.cameras.empty() || std::ranges::find(lamp.cameras, camera) != lamp.cameras.end();
}

/// Calls visit(number of the view, ball) for each ball that stands between a lamp and a point that a camera sees, and
/// each map that covers the point. No shadow is cast by what is nearer to the lamp than its maps begin.
template <class Visit>
void for_each_lamp_shadow(const Made& made, const lanecull::CullPass& pass, const std::vector<Ball>& balls,
                          Random& random, const Visit& visit) {
    const auto covers = [&](std::size_t view, const Double3& p) {
        const lanecull::ShadowMap& map = pass.maps()[view - made.cameras.size()];
        return std::ranges::all_of(map.sides, [&](const auto& side) { return is_well_inside(side, p); });
    };
    const auto visit_point = [&](std::size_t l, const Double3& p) {
        const PassLamp& lamp = made.lamps[l];
        const Double3 at{lamp.at[0], lamp.at[1], lamp.at[2]};
        const double distance = length(p - at);
        if (distance > 0.999 * lamp.range || distance < 3 * lamp.near_depth) return;
        const Double3 begin = at + 2 * lamp.near_depth / distance * (p - at);
        const std::size_t first = pass.first_lamp_view(l), end = first + (lamp.spot != nullptr ? 1 : 6);
        for (std::size_t view = first; view < end; ++view) {
            if (!covers(view, p)) continue;
            for (std::uint32_t i = 0; i < balls.size(); ++i) {
                if (distance_to_segment(balls[i], begin, p) <= 0.99 * balls[i].radius) visit(view, i);
            }
        }
    };
    for (std::uint32_t c = 0; c < made.cameras.size(); ++c) {
        const Looking& look = made.looking[c];
        const auto points =
            visible_points(look, made.cameras[c].options.clip_planes, balls, look.near, look.far, random);
        for (std::size_t l = 0; l < made.lamps.size(); ++l) {
            if (!sees(made.lamps[l], c)) continue;
            for (const Double3& p : points) visit_point(l, p);
        }
    }
}

/// The same of suns and their cascades. Suns have no end.
template <class Visit>
void for_each_sun_shadow(const Made& made, const lanecull::CullPass& pass, const std::vector<Ball>& balls,
                         Random& random, const Visit& visit) {
    for (std::uint32_t c = 0; c < made.cameras.size(); ++c) {
        if (made.cameras[c].sun == nullptr) continue;
        const double* toward = made.cameras[c].sun->sun.toward;
        const Double3 way = 1000 * Double3{toward[0], toward[1], toward[2]};
        for (std::size_t k = 0; k < pass.cascades(c).size(); ++k) {
            const lanecull::Cascade& cascade = pass.cascades(c)[k];
            const auto points = visible_points(made.looking[c], made.cameras[c].options.clip_planes, balls,
                                               cascade.near_depth, cascade.far_depth, random);
            for (const Double3& p : points) {
                for (std::uint32_t i = 0; i < balls.size(); ++i) {
                    if (distance_to_segment(balls[i], p, p + way) <= 0.99 * balls[i].radius)
                        visit(pass.first_cascade_view(c) + k, i);
                }
            }
        }
    }
}

}  // namespace frame_tests
