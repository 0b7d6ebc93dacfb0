#include <algorithm>

#include <lanecull/bounds.h>

#include "properties/bounds/bounds.hpp"
#include "properties/bounds/containment.hpp"
#include "support/memory.hpp"
#include "support/random.hpp"

/// relative_spheres(): each sphere contains the one of the double-precision position, moved by the exact origin.
namespace properties {
namespace {

/// A sphere around a position, and what the library made of it.
struct Given {
    double position[3];
    float radius;
};

class RelativeTrial : public BoundsTrial {
public:
    using BoundsTrial::BoundsTrial;

    void run() {
        for (int n = 0; n < 8 && !trial_.stopped(); ++n) {
            draw();
            ask();
        }
    }

    /// Any numbers: an origin that is not finite is refused, and other numbers that are none have no sphere.
    void run_any() {
        const auto spoiled = [&](double number) {
            return random().below(64) == 0 ? static_cast<double>(not_finite(random())) : number;
        };
        for (double& coordinate : origin_) coordinate = spoiled(random().any_double());
        const bool is_far_apart = random().chance(0.1);
        given_.resize(is_far_apart ? 1 + static_cast<std::size_t>(random().below(9)) : trial_.plan.objects);
        for (Given& given : given_) {
            for (double& coordinate : given.position) coordinate = spoiled(random().any_double());
            given.radius = static_cast<float>(spoiled(static_cast<double>(random().any_size())));
        }
        ask(is_far_apart ? 8'192 - 6 : 0);
    }

private:
    /// Near the origin, far from it, equal to it in some coordinates, or nearer than floats can resolve.
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

    /// Between guard pages.
    void ask(std::size_t more_stride = 0) {
        const std::size_t count = given_.size(), stride = more_stride + 3 + static_cast<std::size_t>(random().below(4));
        constexpr float unwritten = 12345;
        GuardedMemory memory(count % 2 == 0 ? GuardedMemory::Against::end : GuardedMemory::Against::start);
        auto* const positions = memory.array<double>((count - 1) * stride + 3);
        auto* const radius = memory.array<float>(count);
        float* stream[4];
        for (float*& numbers : stream) numbers = memory.array<float>(count), std::fill_n(numbers, count, unwritten);
        const bool points = random().chance(0.2);
        for (std::size_t i = 0; i < count; ++i) {
            std::copy_n(given_[i].position, 3, positions + i * stride);
            radius[i] = given_[i].radius = points ? 0 : given_[i].radius;
        }
        const std::size_t stride_bytes = stride == 3 && count % 2 == 0 ? 0 : stride * sizeof(double);
        const lanecull::Status status = lanecull::relative_spheres({positions, stride_bytes}, points ? nullptr : radius,
                                                                   static_cast<std::uint32_t>(count), origin_,
                                                                   stream[0], stream[1], stream[2], stream[3]);
        const bool has_origin = std::ranges::all_of(origin_, [](double x) { return std::isfinite(x); });
        if (status.ok() != has_origin) trial_.fail(Tally::untold, status.message().text, [] { return ""; });
        for (std::size_t i = 0; i < count; ++i) {
            const lanecull::SphereBounds sphere{{stream[0][i], stream[1][i], stream[2][i]}, stream[3][i]};
            if (status) {
                check(i, sphere);
            } else if (sphere.center[0] != unwritten || sphere.radius != unwritten) {
                fail(Tally::untold, i, sphere, "refused, yet written");
            }
        }
    }

    void check(std::size_t i, const lanecull::SphereBounds& sphere) {
        ++at(Tally::verdicts);
        ++at(Tally::cases);
        const float radius = given_[i].radius;
        double largest = static_cast<double>(radius);
        for (std::size_t k = 0; k < 3; ++k) {
            largest = std::fmax(largest, std::fabs(given_[i].position[k] - origin_[k]));
        }
        const bool valid = radius >= 0 && std::isfinite(radius) &&
                           std::ranges::all_of(given_[i].position, [](double x) { return std::isfinite(x); });
        if (!all_finite(sphere.center, 3) || !(sphere.radius >= 0) || !std::isfinite(sphere.radius)) {
            if (valid && largest < 1e38) fail(Tally::untold, i, sphere, "infinite or none without need");
            return;
        }
        if (!valid) return fail(Tally::invalid_told, i, sphere, "a sphere of what is none");
        ++at(Tally::reached);
        ++at(Tally::culled_gjk);
        const bool alone = i < trial_.plan.oracle_objects;
        at(Tally::oracle_objects) += alone ? 1u : 0u;
        judge_.by_rationals_alone(alone);
        const bool inside = contains_moved(sphere, given_[i].position, given_[i].radius, origin_, judge_);
        if (!inside) fail(Tally::unproved, i, sphere, "the sphere does not contain the one it is made of");
        ++at(Tally::apart_18);
        at(Tally::kept_18) += too_large(i, sphere) ? 1u : 0u;
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
            return "position" + written(given_[i].position) + " radius" + describe(&given_[i].radius, 1) + " origin" +
                   written(origin_) + " sphere" + describe(sphere.center, 3) + describe(&sphere.radius, 1);
        });
    }

    double origin_[3] = {};
    std::vector<Given> given_;
};

}  // namespace

void bound_relative(Trial& trial) { RelativeTrial(trial).run(); }
void bound_any_relative(Trial& trial) { RelativeTrial(trial).run_any(); }

}  // namespace properties
