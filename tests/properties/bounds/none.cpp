#include <algorithm>
#include <string>

#include <lanecull/bounds.h>
#include <lanecull/shadow.h>

#include "properties/bounds/bounds.hpp"
#include "properties/bounds/shapes.hpp"

/// Records that are no objects: their bounds are none, so that they stay visible; and their neighbours keep theirs.
namespace properties {
namespace {

class NoneTrial : public ShapesTrial {
public:
    using ShapesTrial::ShapesTrial;

    void run() {
        for (const Kind kind : all_kinds) {
            kind_ = kind;
            for (std::size_t n = 0; n < trial_.plan.objects / 8 && !trial_.stopped(); ++n) {
                const Object whole = draw(kind);
                const Broken broken = properties::broken(random(), kind, whole, hulls_.size());
                objects_ = {whole, broken.object, whole};
                HeapMemory memory;
                const lanecull::Batch batch = unbounded_batch(kind, objects_, hulls_, memory);
                ask_for_box(batch);
                if (broken.shape) ask_for_sphere(batch);
            }
        }
        for (std::size_t n = 0; n < trial_.plan.objects && !trial_.stopped(); ++n) ask_for_relative();
    }

private:
    void ask_for_box(const lanecull::Batch& batch) {
        constexpr std::uint64_t whole = 1, with_broken = 3;
        lanecull::WorldBox one, box;
        ++at(Tally::verdicts);
        if (!visible_bounds({&batch, 1}, {&whole, 1}, one) || !visible_bounds({&batch, 1}, {&with_broken, 1}, box)) {
            fail(Tally::untold, "visible_bounds() fails");
            return;
        }
        bool endless = true;
        for (std::size_t k = 0; k < 3; ++k) {
            endless = endless && box.lower[k] == -HUGE_VAL && box.upper[k] == HUGE_VAL;
            if (!std::isfinite(one.lower[k]) || !std::isfinite(one.upper[k])) fail(Tally::untold, "a neighbour's box");
        }
        if (!endless) fail(Tally::invalid_told, "visible_bounds() ends at what is no object");
    }

    void ask_for_sphere(const lanecull::Batch& batch) {
        if (!has_spheres(kind_)) return;
        const std::vector<lanecull::SphereBounds> spheres = spheres_of(batch);
        ++at(Tally::verdicts);
        if (spheres.empty()) return fail(Tally::untold, "bounds are refused");
        if (!std::isnan(spheres[1].radius)) fail(Tally::invalid_told, "a radius of what is no object");
        if (!(spheres[0].radius >= 0) || spheres[0].radius != spheres[2].radius) {
            fail(Tally::untold, "a neighbour's radius");
        }
    }

    /// A number of a position or a radius that is none, or too large for floats.
    void ask_for_relative() {
        constexpr double bad[] = {std::numeric_limits<double>::quiet_NaN(), HUGE_VAL, -HUGE_VAL, 1e39, -1e300};
        constexpr float bad_radius[] = {std::numeric_limits<float>::quiet_NaN(), HUGE_VALF, -1, -0x1p-149f};
        const double origin[3] = {random().range(-1e6, 1e6), random().range(-1e6, 1e6), random().range(-1e6, 1e6)};
        double position[3] = {random().range(-1e6, 1e6), random().range(-1e6, 1e6), random().range(-1e6, 1e6)};
        auto radius = static_cast<float>(random().range(0, 10));
        if (random().chance(0.5)) {
            position[random().below(3)] = bad[random().below(std::size(bad))];
        } else {
            radius = bad_radius[random().below(std::size(bad_radius))];
        }
        float sphere[4];
        ++at(Tally::verdicts);
        const lanecull::Status status =
            lanecull::relative_spheres({position}, &radius, 1, origin, &sphere[0], &sphere[1], &sphere[2], &sphere[3]);
        const bool valid = all_finite(sphere, 4) && sphere[3] >= 0;
        if (!status || valid) {
            trial_.fail(Tally::invalid_told, "a sphere of what is none",
                        [&] { return describe(sphere, 4) + " of radius" + describe(&radius, 1); });
        }
    }

    void fail(Tally::Count count, const char* what) {
        trial_.fail(count, what, [&] { return ::describe(kind_, objects_[1], hulls_); });
    }

    Kind kind_ = Kind::sphere;
    std::vector<Object> objects_;
};

}  // namespace

void bound_none(Trial& trial) { NoneTrial(trial, Numbers::moderate).run(); }

}  // namespace properties
