#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>

#include "oracle/exact_objects.hpp"
#include "prove/scenes/scene_trial.hpp"

/// Verifies distances and levels of detail.

namespace prove {
namespace {

using lanecull::Handle;
using oracle::Real;

constexpr float thresholds[] = {0.5f, 0.1f, 0.02f};

struct Distances {
    std::vector<Handle> handles;
    std::vector<float> distances;
    std::vector<std::uint8_t> levels;
};

Distances distances_of(const lanecull::Scene& scene, const lanecull::View& view, lanecull::Isa isa) {
    const auto objects = static_cast<std::size_t>(scene.object_count());
    Distances d{std::vector<Handle>(objects), std::vector<float>(objects), std::vector<std::uint8_t>(objects)};
    std::vector<std::byte> scratch(lanecull::scratch_bytes(scene, 1));
    lanecull::SceneOutput own{.handles = d.handles};
    own.lod.distances = d.distances;
    own.lod.levels = d.levels;
    own.lod.thresholds = thresholds;
    lanecull::Output output{.scene = &own};
    const lanecull::Status status = lanecull::cull(scene, {&view, 1}, {&output, 1}, scratch, {.isa = isa});
    if (!status) throw std::runtime_error(status.message());
    const auto visible = static_cast<std::size_t>(output.visible_count);
    d.handles.resize(visible);
    d.distances.resize(visible);
    d.levels.resize(visible);
    return d;
}

/// No ball that contains the shape is smaller.
Real least_radius(const oracle::Solid& shape) {
    Real most = 0;
    for (const oracle::Vec a : shape.points) {
        for (const oracle::Vec b : shape.points) most = std::max(most, length(a - b));
    }
    return (most / 2) * (1 - 0x1p-58L) + shape.radius - 0x1p-58L * shape.magnitude;
}

class DistanceTrial {
public:
    DistanceTrial(const Shadow& shadow, const Sight& sight, const exact::Point& eye, double scale, Trial& trial)
        : shadow_(shadow), sight_(sight), eye_(eye), scale_(static_cast<Real>(scale)), trial_(trial) {}

    void run() {
        for (const lanecull::Isa isa : trial_.plan.isas) {
            const Distances d = distances_of(shadow_.scene(), sight_.view, isa);
            trial_.at(Tally::verdicts) += d.handles.size();
            trial_.answers.all.add(std::span<const float>(d.distances));
            for (std::size_t k = 0; k < d.handles.size(); ++k) {
                const Claim claim{d.distances[k], d.levels[k]};
                trial_.at(Tally::culled_gjk) += claim.distance > 0;
                // Most often what another set has said, and what has been verified.
                const auto [known, is_new] = claims_.try_emplace(d.handles[k], claim);
                if (!is_new && known->second == claim) continue;
                if (!is_new) {
                    trial_.fail(Tally::untold, "sets differ in a distance or level",
                                [&] { return describe(shadow_.all()[d.handles[k]], shadow_.hulls()); });
                }
                check(d.handles[k], static_cast<Real>(claim.distance), claim.level);
                if (trial_.stopped()) return;
            }
        }
    }

private:
    struct Claim {
        float distance;
        std::uint8_t level;
        bool operator==(const Claim&) const = default;
    };

    void fail(Handle handle, Real distance, std::uint8_t level, const char* what) {
        trial_.fail(Tally::unproved, what, [&] {
            return "view " + sight_.text + "\n  distance " + std::to_string(distance) + " level " +
                   std::to_string(level) + ": " + describe(shadow_.all()[handle], shadow_.hulls());
        });
    }

    void check(Handle handle, Real distance, std::uint8_t level) {
        const Shadow::There& there = shadow_.all()[handle];
        if (is_none(there.kind, there.object)) {
            if (distance == 0 && level == 0) return;
            return trial_.fail(Tally::invalid_told, "an invalid object at a distance",
                               [&] { return describe(there, shadow_.hulls()); });
        }
        if (distance > 0 && !is_farther(there, distance)) fail(handle, distance, level, "nearer than its distance");
        if (level == 0) return;
        const Real radius = least_radius(shape_of(there.kind, there.object, shadow_.hulls()));
        const bool small = radius * scale_ < static_cast<Real>(thresholds[level - 1]) * distance;
        if (!small) fail(handle, distance, level, "larger than its level");
    }

    /// Along the direction from the eye to the middle of the object's points, or to the nearest point of the box around
    /// them; else in rationals.
    bool is_farther(const Shadow::There& there, Real distance) {
        const exact::Point from = eye_ - exact::point(there.origin[0], there.origin[1], there.origin[2]);
        const exact::Vec<double> rounded = exact::to_double(from);
        const oracle::Vec eye{static_cast<Real>(rounded.x), static_cast<Real>(rounded.y), static_cast<Real>(rounded.z)};
        const oracle::Solid solid = solid_of(there.kind, there.object, shadow_.hulls());
        oracle::Vec low = solid.points[0], high = low;
        for (const oracle::Vec p : solid.points) {
            low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
            high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
        }
        const oracle::Vec nearest{std::clamp(eye.x, low.x, high.x), std::clamp(eye.y, low.y, high.y),
                                  std::clamp(eye.z, low.z, high.z)};
        for (const oracle::Vec way : {nearest - eye, Real{0.5} * (low + high) - eye}) {
            const Real away = length(way);
            if (away > 0 && lowest(solid, eye, (1 / away) * way) > distance) return true;
        }
        return exactly_farther(there, distance);
    }
    /// No more than the smallest w . (p - eye) of a point p of the solid, |w| = 1. The eye is rounded to doubles, by
    /// 2^-52 of its coordinates; all else is in long doubles, and off by less.
    static Real lowest(const oracle::Solid& solid, const oracle::Vec eye, const oracle::Vec w) {
        Real least = oracle::dot(w, solid.points[0] - eye), size = solid.magnitude + solid.radius;
        for (const oracle::Vec p : solid.points) {
            least = std::min(least, oracle::dot(w, p - eye));
            size = std::max(size, oracle::largest_component(p));
        }
        return least - solid.radius - 0x1p-50L * (size + oracle::largest_component(eye));
    }
    bool exactly_farther(const Shadow::There& there, Real distance) {
        ++trial_.at(Tally::exact_checks);
        exact::Solid solid = exact_solid_of(there.kind, there.object, shadow_.hulls());
        const exact::Point origin = exact::point(there.origin[0], there.origin[1], there.origin[2]);
        for (exact::Point& p : solid.points) p = p + origin;
        // Touching counts as within, so a little less is asked for: a distance may be exact.
        const exact::Rational reach = exact::rational(static_cast<double>(distance)) * (1 - exact::rational(0x1p-60));
        return decide(solid, exact::Volume::hull({&eye_, 1}), reach).verdict == exact::Verdict::apart;
    }

    const Shadow& shadow_;
    const Sight& sight_;
    const exact::Point eye_;
    const Real scale_;
    Trial& trial_;
    std::map<Handle, Claim> claims_;
};

}  // namespace

void check_distances(const Shadow& shadow, const Sight& sight, const exact::Point& eye, double scale, Trial& trial) {
    DistanceTrial(shadow, sight, eye, scale, trial).run();
}

}  // namespace prove
