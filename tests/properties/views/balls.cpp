#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "properties/verdicts.hpp"
#include "properties/views/casters.hpp"
#include "properties/views/filling.hpp"
#include "properties/views/lit.hpp"
#include "support/culling.hpp"
#include "support/samples.hpp"
#include "support/written.hpp"

namespace properties {
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
            clip_planes.push_back(plane(n, random.range(-0.5, 1) * radius - dot(n, center)));
        }
    }

    [[nodiscard]] exact::Point middle() const { return exact::point(center[0], center[1], center[2]); }
    /// The cube around it, and the clip planes.
    [[nodiscard]] exact::HalfSpaces half_spaces() const {
        exact::HalfSpaces all;
        add_cube(all, middle(), exact::rational(radius));
        add(all, clip_planes);
        return all;
    }
    [[nodiscard]] std::string describe() const {
        return "ball" + written(center) + " radius, margin" + written(std::array{radius, margin}) +
               ::describe(clip_planes);
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

namespace {

/// Whose distance from the ball is found exactly; others by a ball or box around them.
bool is_measured(Kind kind) {
    return kind == Kind::sphere || kind == Kind::box || kind == Kind::centered_box || kind == Kind::capsule ||
           kind == Kind::quaternion_box;
}

/// Objects of one kind about the ball, and how far they are by the exact oracle.
class AroundBall {
public:
    AroundBall(Trial& trial, const Ball& ball, const lanecull::View& view, Kind kind)
        : trial_(trial), ball_(ball), view_(view), kind_(kind), hulls_(random_hulls(trial.random, 3)) {
        const std::size_t count = std::max<std::size_t>(trial.plan.objects / 16, 2);
        while (objects_.size() < count) {
            const double size = ball.radius * trial.random.log_range(1e-3, 3), reach = ball.radius + ball.margin + size;
            objects_.push_back(object_at(
                trial.random, kind, ball.center + trial.random.range(0, 1.5) * reach * random_direction(trial.random),
                size, hulls_));
            const exact::Solid solid = exact_solid_of(kind, objects_.back(), hulls_);
            near_.push_back(is_near(solid, 0) ? 1 : 0);
            far_.push_back(is_near(solid, well_apart * (length(ball.center) + 4 * reach)) ? 0 : 1);
        }
    }

    void check() const {
        HeapMemory memory;
        const lanecull::Batch batch =
            make_batch(kind_, objects_, hulls_, memory, {.bounds = trial_.random.chance(0.5)});
        const auto fail = [&](Tally::Count count, std::size_t i, const Verdicts&, const char* what) {
            trial_.fail(count, what,
                        [&] { return ball_.describe() + "\n  object " + ::describe(kind_, objects_[i], hulls_); });
        };
        for (const Verdicts& v : all_verdicts_of(batch, view_, all_methods, trial_, fail)) {
            for (std::size_t i = 0; i < objects_.size(); ++i) {
                ++trial_.at(Tally::oracle_objects);
                trial_.at(Tally::oracle_visible) += near_[i] != 0;
                if (near_[i] != 0 && !v.visible(i))
                    fail(Tally::false_culls, i, v, "it reaches the ball, yet is culled");
                if (far_[i] == 0) continue;
                ++trial_.at(Tally::cases);
                trial_.at(Tally::reached) += v.visible(i);
                if (is_measured(kind_) && v.visible(i)) fail(Tally::untold, i, v, "well apart from the ball, yet kept");
            }
        }
    }

private:
    static constexpr double well_apart = 0x1p-14;

    /// Whether the solid has a point no farther from the ball, with its margin, than `distance`.
    [[nodiscard]] bool is_near(const exact::Solid& solid, double distance) const {
        const exact::Point at = ball_.middle();
        return decide(solid, exact::Volume::hull({&at, 1}),
                      exact::rational(ball_.radius) + exact::rational(ball_.margin) + exact::rational(distance))
                   .verdict == exact::Verdict::visible;
    }

    Trial& trial_;
    const Ball& ball_;
    const lanecull::View& view_;
    const Kind kind_;
    const HullSet hulls_;
    std::vector<Object> objects_;
    std::vector<char> near_, far_;
};

}  // namespace

void balls_apart(Trial& trial) {
    trial.at(Tally::trials) = 1;
    for (const Kind kind : all_kinds) {
        Ball ball(trial.random);
        ball.clip_planes.clear();
        lanecull::View view;
        if (!lanecull::prepare_view_from_ball(ball.center, ball.radius, view, {.margin = ball.margin}) ||
            view.exact()) {
            trial.fail(Tally::untold, "a ball is refused, or called exact", [&] { return ball.describe(); });
        }
        AroundBall(trial, ball, view, kind).check();
        if (trial.stopped()) return;
    }
}

}  // namespace properties
