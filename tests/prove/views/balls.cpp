#include "prove/views/balls.hpp"

#include <array>
#include <string>
#include <vector>

#include "prove/views/filling.hpp"
#include "support/written.hpp"

namespace prove {
namespace {

struct Ball {
    Double3 center{};
    double radius = 0, margin = 0;
    std::vector<lanecull::Plane> clip_planes;

    explicit Ball(Random& random) {
        const double unit = random.chance(0.3) ? random.log_range(1e-20, 1e12) : 1;
        radius = unit * random.log_range(1e-2, 1e3);
        center = unit * (random.chance(0.2) ? 0 : random.log_range(1, 1e6)) * random_direction(random);
        if (random.chance(0.3)) margin = radius * random.log_range(1e-4, 1);
        for (int more = random.chance(0.3) ? 1 + random.below(3) : 0; more > 0; --more) {
            const Double3 n = random_direction(random);
            clip_planes.push_back({{n[0], n[1], n[2]}, random.range(-0.5, 1) * radius - dot(n, center)});
        }
    }

    [[nodiscard]] exact::Point middle() const { return exact::point(center[0], center[1], center[2]); }
    /// The cube around it, and the clip planes.
    [[nodiscard]] exact::HalfSpaces half_spaces() const {
        exact::HalfSpaces all;
        for (std::size_t k = 0; k < 3; ++k) {
            for (const double sign : {1.0, -1.0}) {
                std::array<double, 3> n{};
                n[k] = sign;
                exact::HalfSpace side = exact::half_space(n[0], n[1], n[2], radius);
                side.offset -= dot(side.normal, middle());
                all.push_back(side);
            }
        }
        for (const lanecull::Plane& p : clip_planes) {
            all.push_back(exact::half_space(p.normal[0], p.normal[1], p.normal[2], p.offset));
        }
        return all;
    }
    [[nodiscard]] std::string describe() const {
        std::string text = "ball" + written(center) + " radius, margin" + written(std::array{radius, margin});
        for (const lanecull::Plane& p : clip_planes) {
            text += " clip plane" + written(std::array{p.normal[0], p.normal[1], p.normal[2], p.offset});
        }
        return text;
    }
};

}  // namespace

std::optional<Setting> balls(Random& random, std::size_t count) {
    const Ball ball(random);
    lanecull::View view;
    const lanecull::Status status = lanecull::prepare_view_from_ball(
        ball.center, ball.radius, view, {.clip_planes = ball.clip_planes, .margin = ball.margin});
    if (!status) return std::nullopt;
    const exact::Rational margin = exact::rational(ball.margin);
    std::optional<Setting> setting =
        setting_of(random, exact::Volume(ball.half_spaces()).widened(margin), view, ball.describe());
    if (!setting) return std::nullopt;
    setting->reach = Reach{ball.middle(), exact::rational(ball.radius) + margin};
    setting->grown = random.chance(0.5);
    const bool grown = setting->grown;
    return fill(
        random, std::move(setting), count, [&](Random& r, const Setting& s, const Boundary& boundary, Kind kind) {
            if (r.chance(0.1)) return any_touching(r, s, boundary, kind);
            const Double3 way = random_direction(r);
            const Boundary::Spot spot = {ball.center + (ball.radius + ball.margin) * way, way, random_direction(r)};
            return touching_at(r, s, boundary, kind, spot, [&](Object& object) {
                if (grown) grow(r, kind, s.hulls, {.margin = true, .sweep = true}, object);
            });
        });
}

}  // namespace prove
