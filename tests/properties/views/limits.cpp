#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include <lanecull/view.h>

#include "oracle/exact_objects.hpp"
#include "properties/verdicts.hpp"
#include "properties/views/families.hpp"
#include "support/generate.hpp"

namespace properties {
namespace {

using exact::Rational;
using lanecull::Method;
using lanecull::Reason;

/// An eye that sees everything up to `reach`.
struct Sight {
    Double3 eye{};
    double margin = 0;
    lanecull::View view;

    [[nodiscard]] bool prepare(double reach) {
        std::array<double, 24> corners{};
        for (std::size_t k = 0; k < corners.size(); ++k) {
            corners[k] = (k / 3 >> k % 3 & 1) != 0 ? reach : -reach;
        }
        return lanecull::prepare_view_from_corners(corners, view, {.margin = margin, .eye = eye.data()}).ok();
    }
    /// Whether the solid, enlarged by the view's margin, has a point no farther from the eye than `distance`.
    [[nodiscard]] bool is_within(const exact::Solid& solid, const Rational& distance) const {
        const exact::Point at = exact::point(eye[0], eye[1], eye[2]);
        return decide(solid, exact::Volume::hull({&at, 1}), exact::rational(margin) + distance).verdict ==
               exact::Verdict::visible;
    }
};

/// In doubles, good guesses: how far the nearest point is from the eye, and the farthest.
struct Range {
    double nearest, farthest;
};
Range range_of(const Sight& sight, const oracle::Solid& solid) {
    std::vector<exact::Vec<double>> points;
    double farthest = 0;
    for (const oracle::Vec p : solid.points) {
        points.push_back({static_cast<double>(p.x - static_cast<oracle::Real>(sight.eye[0])),
                          static_cast<double>(p.y - static_cast<oracle::Real>(sight.eye[1])),
                          static_cast<double>(p.z - static_cast<oracle::Real>(sight.eye[2]))});
        farthest = std::max(farthest, std::hypot(points.back().x, points.back().y, points.back().z));
    }
    const exact::Vec<double> origin{};
    exact::Nearest<double> nearest({points, {&origin, 1}, {}}, {});
    constexpr int most_steps = 50;
    for (int step = 0; step < most_steps; ++step) {
        const std::optional<exact::Generator> better = nearest.better();
        if (!better || !nearest.take(*better)) break;
    }
    const exact::Vec<double>& p = nearest.point();
    const double around = static_cast<double>(solid.radius) + sight.margin;
    return {std::hypot(p.x, p.y, p.z) - around, farthest + around};
}

/// Near the distance: by a share of it, or by some roundings of the object's coordinates.
float limit_near(Random& random, const Range& range) {
    const double off = random.chance(0.5) ? range.nearest * random.log_range(0x1p-26, 0.5)
                                          : range.farthest * random.log_range(0x1p-27, 0x1p-16);
    const double limit = range.nearest + random.sign() * off;
    return static_cast<float>(limit > 0 ? limit : range.farthest * random.log_range(1e-7, 0.1));
}

/// Objects of one kind, each with one number that is its greatest distance in one batch and its least in another.
class LimitTrial {
public:
    LimitTrial(const Sight& sight, Kind kind, std::vector<Object> objects, const HullSet& hulls, Trial& trial)
        : sight_(sight),
          kind_(kind),
          objects_(std::move(objects)),
          hulls_(hulls),
          boxes_(boxes_around(hulls)),
          trial_(trial) {}

    void run(const Streams& grown) {
        Streams far = grown, near = grown;
        far.max_distance = near.min_distance = true;
        HeapMemory memory;
        const lanecull::Batch plain = make_batch(kind_, objects_, hulls_, memory, {.streams = grown}),
                              to = make_batch(kind_, objects_, hulls_, memory, {.streams = far}),
                              from = make_batch(kind_, objects_, hulls_, memory, {.streams = near});
        // Proved once is proved for all sets.
        std::vector<char> proved_far(objects_.size(), 0), proved_near(objects_.size(), 0);
        for (const lanecull::Isa isa : trial_.plan.isas) {
            const Verdicts all = verdicts_of(plain, sight_.view, isa, Method::automatic),
                           until = verdicts_of(to, sight_.view, isa, Method::automatic),
                           since = verdicts_of(from, sight_.view, isa, Method::automatic);
            trial_.at(Tally::verdicts) += 2 * objects_.size();
            trial_.answers.add_words(until.words);
            trial_.answers.add_words(since.words);
            for (std::size_t i = 0; i < objects_.size() && !trial_.stopped(); ++i) {
                const auto is_culled_by = [&](const Verdicts& v, Reason reason) {
                    return v.certificates[i].reason == reason;
                };
                if (is_culled_by(until, Reason::culled_distance)) check(i, isa, proved_far[i], true);
                if (is_culled_by(since, Reason::culled_near)) check(i, isa, proved_near[i], false);
                if (all.visible(i) && !until.visible(i) && !since.visible(i)) {
                    fail(Tally::untold, i, isa, "a hole: too far and too near");
                }
            }
        }
    }

private:
    void fail(Tally::Count count, std::size_t i, lanecull::Isa isa, const char* what) const {
        trial_.fail(count, std::string(what) + ", by " + lanecull::isa_name(isa), [&] {
            char text[120];
            std::snprintf(text, sizeof text, "eye %a %a %a margin %a ", sight_.eye[0], sight_.eye[1], sight_.eye[2],
                          sight_.margin);
            return text + describe(kind_, objects_[i], hulls_);
        });
    }

    /// A hull's distance is its box's. Every cull has more to spare than 2^-40 of the limit.
    void check(std::size_t i, lanecull::Isa isa, char& proved, bool far) const {
        ++trial_.at(far ? Tally::culled_plane : Tally::culled_gjk);
        if (proved != 0) return;
        proved = 1;
        ++trial_.at(Tally::exact_checks);
        const Rational limit = exact::rational(static_cast<double>(objects_[i].min_distance)),
                       less = limit * (1 - exact::rational(0x1p-40));
        const exact::Solid solid = exact_solid_of(kind_, objects_[i], boxes_);
        const bool holds = far ? !sight_.is_within(solid, limit) : sight_.is_within(solid, less);
        if (!holds) fail(Tally::unproved, i, isa, far ? "nearer than its greatest distance" : "farther than its least");
    }

    const Sight& sight_;
    const Kind kind_;
    const std::vector<Object> objects_;
    const HullSet& hulls_;
    const HullSet boxes_;
    Trial& trial_;
};

/// The box around two objects, and its diagonal.
struct Around {
    Object box;
    double diagonal = 0;

    Around(Kind kind, std::span<const Object> children, const HullSet& boxes) {
        constexpr float infinity = HUGE_VALF;
        for (std::size_t k = 0; k < 3; ++k) box.fields[k] = infinity, box.fields[3 + k] = -infinity;
        for (const Object& child : children) {
            const oracle::Solid shape = shape_of(kind, child, boxes);
            for (const oracle::Vec p : shape.points) {
                const oracle::Real at[] = {p.x, p.y, p.z};
                for (std::size_t k = 0; k < 3; ++k) {
                    float &low = box.fields[k], &high = box.fields[3 + k];
                    low = std::min(low, std::nextafterf(static_cast<float>(at[k] - shape.radius), -infinity));
                    high = std::max(high, std::nextafterf(static_cast<float>(at[k] + shape.radius), infinity));
                }
            }
        }
        for (std::size_t k = 0; k < 3; ++k) {
            diagonal =
                std::hypot(diagonal, static_cast<double>(box.fields[3 + k]) - static_cast<double>(box.fields[k]));
        }
    }
};

}  // namespace

void proxies(Trial& trial) {
    Random& random = trial.random;
    trial.at(Tally::trials) = 1;
    const HullSet hulls = random_hulls(random, 5), boxes = boxes_around(hulls);
    for (const Kind kind : all_kinds) {
        const Camera camera =
            random_prepared_camera(random, all_projections[random.below(std::size(all_projections))]).camera;
        const double near = std::fabs(camera.size_at(camera.depth[0]));
        Sight sight;
        for (std::size_t k = 0; k < 3; ++k) sight.eye[k] = camera.eye[k] + near * random.range(-1, 1);
        if (!camera.prepare(sight.view, {.eye = sight.eye.data()})) continue;
        std::vector<Object> children =
            random_objects(random, kind, camera, std::max<std::size_t>(trial.plan.objects / 10 * 2, 2), hulls);
        std::vector<Object> around, without_rule = children;
        // Two neighbours have a box together, and each of them a copy of it, so that the two have the same index.
        for (std::size_t i = 0; i < children.size(); ++i) {
            const Around made(kind, std::span(children).subspan(i & ~std::size_t{1}, 2), boxes);
            const double distance = std::max(range_of(sight, solid_of(Kind::box, made.box, boxes)).nearest, 0.0);
            Object& box = around.emplace_back(made.box);
            box.min_distance = static_cast<float>(distance * random.log_range(0.2, 2));
            without_rule[i].max_distance = box.min_distance;
            children[i].max_distance =
                static_cast<float>((static_cast<double>(box.min_distance) + made.diagonal) * (1 + 1e-6));
        }
        HeapMemory memory;
        const Streams until{.max_distance = true}, since{.min_distance = true};
        const lanecull::Batch batches[] = {make_batch(kind, children, hulls, memory),
                                           make_batch(kind, children, hulls, memory, {.streams = until}),
                                           make_batch(kind, without_rule, hulls, memory, {.streams = until}),
                                           make_batch(Kind::box, around, hulls, memory, {.streams = since})};
        for (const lanecull::Isa isa : trial.plan.isas) {
            std::vector<Verdicts> by;
            for (const auto& batch : batches) by.push_back(verdicts_of(batch, sight.view, isa, Method::automatic));
            trial.at(Tally::verdicts) += 2 * children.size();
            for (std::size_t i = 0; i < children.size(); ++i) {
                if (!by[0].visible(i)) continue;
                ++trial.at(Tally::cases);
                trial.at(Tally::reached) += !by[1].visible(i);
                trial.at(Tally::culled_plane) += !by[2].visible(i) && !by[3].visible(i);  // holes without the rule
                if (by[1].visible(i) || by[3].visible(i)) continue;
                trial.fail(Tally::untold, std::string("a hole, by ") + lanecull::isa_name(isa), [&] {
                    return camera.describe() + "\n" + describe(kind, children[i], hulls) + "\n" +
                           describe(Kind::box, around[i], hulls);
                });
            }
        }
        if (trial.stopped()) return;
    }
}

void limits(Trial& trial) {
    Random& random = trial.random;
    const HullSet hulls = random_hulls(random, 5), boxes = boxes_around(hulls);
    const double unit = random.chance(0.3) ? random.log_range(1e-24, 1e12) : 1;
    Sight sight;
    sight.eye = unit * (random.chance(0.3) ? 0 : random.log_range(1, 1e6)) * random_direction(random);
    if (random.chance(0.3)) sight.margin = unit * random.log_range(1e-3, 10);
    const bool is_prepared = sight.prepare(1e29);
    trial.at(is_prepared ? Tally::trials : Tally::refused) = 1;
    if (!is_prepared) return;
    const bool grown = random.chance(0.4);
    const Streams growth{.margin = grown, .sweep = grown};
    const std::size_t count = std::max<std::size_t>(trial.plan.objects / 8, 1);
    for (const Kind kind : all_kinds) {
        std::vector<Object> objects;
        while (objects.size() < count) {
            const double size = unit * random.log_range(1e-4, 1e3);
            // Half of them reach nearly to the eye: their roundings are large beside their distance.
            const double away = size * (random.chance(0.5) ? random.range(0.3, 1.2) : random.log_range(0.3, 300));
            Object& object =
                objects.emplace_back(object_at(random, kind, sight.eye + away * random_direction(random), size, hulls));
            if (grown) grow(random, kind, hulls, growth, object);
            const Range range = range_of(sight, solid_of(kind, object, boxes));
            object.min_distance = object.max_distance = limit_near(random, range);
        }
        LimitTrial(sight, kind, std::move(objects), hulls, trial).run(growth);
        if (trial.stopped()) return;
    }
}

}  // namespace properties
