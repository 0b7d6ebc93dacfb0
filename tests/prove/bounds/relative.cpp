#include <algorithm>
#include <limits>

#include <lanecull/bounds.h>

#include "prove/bounds/bounds.hpp"
#include "prove/bounds/clouds.hpp"
#include "prove/bounds/estimate.hpp"

/// relative_spheres(): each sphere contains the one of the double-precision position, moved by the exact origin.
namespace prove {
namespace {

/// A sphere around a position, and what the library made of it.
struct Given {
    double position[3];
    float radius;
};

class RelativeTrial {
public:
    explicit RelativeTrial(Trial& trial) : trial_(trial) {}

    void run() {
        trial_.at(Tally::trials) = 1;
        for (int n = 0; n < 8 && !trial_.stopped(); ++n) {
            draw();
            ask();
        }
        trial_.at(Tally::exact_checks) = judge_.exact_checks();
    }

private:
    Random& random() { return trial_.random; }

    /// Near the origin, far from it, equal to it in some coordinates, or nearer than floats can tell.
    void draw() {
        const double scale =
            random().chance(0.7) ? random().log_range(1e-6, 1e12) : std::exp2(random().range(-1000, 122));
        for (double& coordinate : origin_) coordinate = random().chance(0.2) ? 0 : random().range(-scale, scale);
        given_.resize(trial_.plan.objects);
        for (Given& given : given_) {
            const double reach = random().chance(0.1) ? std::exp2(random().range(-1070, -100))
                                                      : std::fmin(scale * random().log_range(1e-12, 100), 1e37);
            for (std::size_t k = 0; k < 3; ++k) {
                const double by = random().chance(0.2) ? std::ldexp(random().below(32) - 16, random().below(200) - 170)
                                                       : random().range(-reach, reach);
                given.position[k] = random().chance(0.2) ? origin_[k] : origin_[k] + by;
            }
            given.radius = random().chance(0.3) ? 0 : to_float(reach * random().log_range(1e-9, 10));
        }
    }

    void ask() {
        const std::size_t count = given_.size(), stride = 3 + static_cast<std::size_t>(random().below(4));
        std::vector<double> positions(count * stride);
        std::vector<float> radius(count), stream[4];
        for (std::vector<float>& numbers : stream) numbers.resize(count);
        const bool points = random().chance(0.2);
        for (std::size_t i = 0; i < count; ++i) {
            std::copy_n(given_[i].position, 3, &positions[i * stride]);
            radius[i] = given_[i].radius = points ? 0 : given_[i].radius;
        }
        const lanecull::Status status =
            lanecull::relative_spheres({positions.data(), stride * sizeof(double)}, points ? nullptr : radius.data(),
                                       static_cast<std::uint32_t>(count), origin_, stream[0].data(), stream[1].data(),
                                       stream[2].data(), stream[3].data());
        if (!status) trial_.fail(Tally::untold, status.message().text, [] { return ""; });
        for (std::size_t i = 0; i < count; ++i) {
            check(i, {{stream[0][i], stream[1][i], stream[2][i]}, stream[3][i]});
        }
    }

    void check(std::size_t i, const lanecull::SphereBounds& sphere) {
        ++trial_.at(Tally::verdicts);
        if (!all_finite(sphere.center, 3) || !std::isfinite(sphere.radius)) {
            fail(Tally::untold, i, sphere, "infinite or none without need");
            return;
        }
        ++trial_.at(Tally::culled_gjk);
        const bool alone = i < trial_.plan.oracle_objects;
        trial_.at(Tally::oracle_objects) += alone ? 1u : 0u;
        judge_.by_rationals_alone(alone);
        const bool inside = contains_moved(sphere, given_[i].position, given_[i].radius, origin_, judge_);
        if (!inside) fail(Tally::unproved, i, sphere, "the sphere does not contain the one it is made of");
        ++trial_.at(Tally::apart_18);
        trial_.at(Tally::kept_18) += too_large(i, sphere) ? 1u : 0u;
    }

    /// The centre is rounded by 2^-24 of its distance, and the radius by two steps.
    [[nodiscard]] bool too_large(std::size_t i, const lanecull::SphereBounds& sphere) const {
        const double given = static_cast<double>(given_[i].radius), radius = static_cast<double>(sphere.radius);
        double distance = 0;
        for (std::size_t k = 0; k < 3; ++k) distance = std::hypot(distance, given_[i].position[k] - origin_[k]);
        return radius > given * (1 + 0x1p-21) + 0x1p-23 * distance + 0x1p-146;
    }

    void fail(Tally::Count count, std::size_t i, const lanecull::SphereBounds& sphere, const char* what) {
        trial_.fail(count, what, [&] {
            char text[400];
            const double(&p)[3] = given_[i].position;
            std::snprintf(text, sizeof text, "position %a %a %a radius %a origin %a %a %a sphere", p[0], p[1], p[2],
                          static_cast<double>(given_[i].radius), origin_[0], origin_[1], origin_[2]);
            return text + describe(sphere.center, 3) + describe(&sphere.radius, 1);
        });
    }

    Trial& trial_;
    Judge judge_;
    double origin_[3] = {};
    std::vector<Given> given_;
};

}  // namespace

void bound_relative(Trial& trial) { RelativeTrial(trial).run(); }

}  // namespace prove
