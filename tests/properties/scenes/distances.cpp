#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <optional>
#include <stdexcept>

#include "oracle/exact_objects.hpp"
#include "properties/scenes/scenes.hpp"
#include "view/prepared_view.hpp"

/// Distances and levels of detail.

namespace properties {
namespace {

using lanecull::Handle;
using lanecull::View;
using oracle::Real;

/// No ball that contains the shape is smaller.
Real least_radius(const oracle::Solid& shape) {
    Real most = 0;
    for (const oracle::Vec a : shape.points) {
        for (const oracle::Vec b : shape.points) most = std::max(most, length(a - b));
    }
    return (most / 2) * (1 - 0x1p-58L) + shape.radius - 0x1p-58L * shape.magnitude;
}

/// The radius that sizes are made of, as LodOutput has it.
Real radius_of(Kind kind, const Object& object, const HullSet& hulls) {
    HeapMemory memory;
    const lanecull::Batch batch = make_batch(kind, {&object, 1}, hulls, memory);
    if (const auto* boxes = batch.get_if<lanecull::OrientedBoxes>()) return boxes->bounding_radius[0];
    if (const auto* instances = batch.get_if<lanecull::HullInstances>()) return instances->bounding_radius[0];
    const oracle::Solid shape = shape_of(kind, object, hulls);
    if (!is_cone(kind)) return least_radius(shape);
    const oracle::Vec middle = Real{0.5} * (shape.points[0] + shape.points[1]);  // of the axis
    Real rim = 0;
    for (const oracle::Vec p : shape.points) rim = std::max(rim, length(p - middle));
    return rim;
}

/// Verifies that no distance to a visible object is too large, nor, where the library says so, too small, and that
/// levels are those of the distances.
class DistanceTrial {
public:
    /// `eye` is a point in world coordinates.
    DistanceTrial(const Shadow& shadow, const View& view, const exact::Point& eye, double scale,
                  const std::string& text, Trial& trial)
        : shadow_(shadow),
          view_(view),
          eye_(eye),
          text_(text),
          scale_(static_cast<Real>(scale)),
          by_distance_(contents_of(view).size_by_distance != 0),
          trial_(trial) {}

    void run() {
        for (const lanecull::Isa isa : trial_.plan.isas) {
            const SceneCull d(
                shadow_.scene(), view_, {.isa = isa}, {}, {},
                {.counts = false, .distances = contents_of(view_).has_eye != 0, .thresholds = thresholds});
            trial_.at(Tally::verdicts) += d.handles.size();
            trial_.answers.all.add(std::span<const float>(d.distances));
            for (std::size_t k = 0; k < d.handles.size(); ++k) {
                const Claim claim{d.distances.empty() ? 0 : d.distances[k], d.levels[k]};
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
    static constexpr float thresholds[] = {0.5f, 0.1f, 0.02f};

    struct Claim {
        float distance;
        std::uint8_t level;
        bool operator==(const Claim&) const = default;
    };

    void fail(Handle handle, Real distance, std::uint8_t level, const char* what) {
        trial_.fail(Tally::unproved, what, [&] {
            return "view " + text_ + "\n  distance " + std::to_string(distance) + " level " + std::to_string(level) +
                   ": " + describe(shadow_.all()[handle], shadow_.hulls());
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
        if (contents_of(view_).has_eye != 0 && is_measured(there) && is_well_farther(there, distance))
            fail(handle, distance, level, "its distance is too small");
        const Real over = by_distance_ ? distance : 1;
        const Real radius = least_radius(shape_of(there.kind, there.object, shadow_.hulls()));
        const bool small = level == 0 || radius * scale_ < static_cast<Real>(thresholds[level - 1]) * over;
        if (!small) fail(handle, distance, level, "larger than its level");
        const Real size = radius_of(there.kind, there.object, shadow_.hulls()) * scale_;
        const bool coarser = over > 0 && level < std::size(thresholds) &&
                             size * (1 + 1e-6L) < static_cast<Real>(thresholds[level]) * over;
        if (coarser) fail(handle, distance, level, "smaller than its level");
    }

    /// Whether the distance is that of the shape itself.
    static bool is_measured(const Shadow::There& there) {
        const bool along_axes =
            there.kind == Kind::sphere || there.kind == Kind::box || there.kind == Kind::centered_box;
        return along_axes && there.object.sweep == std::array<float, 3>{};
    }
    /// Whether the shape, a ball or a box along the axes, is farther away by more than LodOutput says. The room for the
    /// eye is that of the matrices of cameras.
    bool is_well_farther(const Shadow::There& there, Real distance) const {
        const auto [eye, nearest, solid] = nearest_in_box(there);
        Real coordinates = solid.magnitude + solid.radius;
        for (const double coordinate : there.origin) coordinates += std::fabs(static_cast<Real>(coordinate));
        coordinates += oracle::largest_component(eye) + oracle::largest_component(nearest);
        const Real away = length(nearest - eye) - solid.radius, slack = 0x1p-40L * coordinates + 0x1p-148L;
        // Squares of less underflow.
        return away > 0x1p-60L && away > distance * (1 + 0x1p-21L) + slack;
    }
    struct Nearest {
        oracle::Vec eye, point;  ///< relative to the object's origin
        oracle::Solid solid;
    };
    /// The point of the box around the object's points that is nearest to the eye.
    [[nodiscard]] Nearest nearest_in_box(const Shadow::There& there) const {
        const exact::Vec<double> from =
            exact::to_double(eye_ - exact::point(there.origin[0], there.origin[1], there.origin[2]));
        const oracle::Vec eye{static_cast<Real>(from.x), static_cast<Real>(from.y), static_cast<Real>(from.z)};
        oracle::Solid solid = solid_of(there.kind, there.object, shadow_.hulls());
        const auto [low, high] = box_of(solid);
        const oracle::Vec nearest{std::clamp(eye.x, low.x, high.x), std::clamp(eye.y, low.y, high.y),
                                  std::clamp(eye.z, low.z, high.z)};
        return {eye, nearest, std::move(solid)};
    }
    static std::pair<oracle::Vec, oracle::Vec> box_of(const oracle::Solid& solid) {
        oracle::Vec low = solid.points[0], high = low;
        for (const oracle::Vec p : solid.points) {
            low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
            high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
        }
        return {low, high};
    }

    /// Along the direction from the eye to the middle of the object's points, or to the nearest point of the box around
    /// them; else in rationals.
    bool is_farther(const Shadow::There& there, Real distance) {
        const auto [eye, nearest, solid] = nearest_in_box(there);
        const auto [low, high] = box_of(solid);
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
        for (const auto& oval : solid.ovals) {
            least = std::min(least, oracle::dot(w, oval.centre - eye) - solids::reach(oval, Real{-1} * w));
        }
        return least - solid.radius - 0x1p-50L * (size + oracle::largest_component(eye));
    }
    bool exactly_farther(const Shadow::There& there, Real distance) {
        ++trial_.at(Tally::exact_checks);
        const exact::Solid solid = translated(exact_solid_of(there.kind, there.object, shadow_.hulls()),
                                              exact::point(there.origin[0], there.origin[1], there.origin[2]));
        // Touching counts as within, so a little less is requested: a distance may be exact.
        const exact::Rational reach = exact::rational(static_cast<double>(distance)) * (1 - exact::rational(0x1p-60));
        return decide(solid, exact::Volume::hull({&eye_, 1}), reach).verdict == exact::Verdict::apart;
    }

    const Shadow& shadow_;
    const View& view_;
    const exact::Point eye_;
    const std::string& text_;
    const Real scale_;
    const bool by_distance_;
    Trial& trial_;
    std::map<Handle, Claim> claims_;
};

/// Balls at distances that are whole numbers times 2^e, exactly: (3 k, 4 k, 0) is 5 k from 0.
std::vector<Object> whole_balls(Random& random, int exponent, std::size_t count) {
    std::vector<Object> objects(count);
    for (Object& object : objects) {
        const std::size_t axis = static_cast<std::size_t>(random.below(3));
        const int k = random.below(1 << 20), radius = random.below(5 * k + 1);
        object.fields[axis] = std::ldexp(static_cast<float>(3 * k), exponent);
        object.fields[(axis + 1) % 3] = std::ldexp(static_cast<float>(4 * k), exponent);
        object.fields[3] = std::ldexp(static_cast<float>(radius), exponent);
    }
    return objects;
}

}  // namespace

std::optional<View> view_from(const Double3& eye, double scale, double reach) {
    std::array<double, 24> corners{};
    for (std::size_t c = 0; c < 24; ++c) corners[c] = (c / 3 >> c % 3 & 1) != 0 ? reach : -reach;
    View view;
    if (!lanecull::prepare_view_from_corners(corners, view, {.eye = eye.data(), .size_scale = scale})) return {};
    return view;
}

void scenes_lod(Trial& trial) {
    Random& random = trial.random;
    Shadow shadow(random_hulls(random, 5));
    const double unit = random.chance(0.3) ? random.log_range(1e-36, 1e12) : 1;
    const double far = random.chance(0.3) ? 0 : random.log_range(1, 1e10);
    const Double3 eye = unit * (far * random_direction(random));
    for (const Kind kind : all_kinds) {
        for (int part = 0; part < 4; ++part) {
            const bool grown = random.chance(0.3);
            Shadow::How how{.streams = {.margin = grown, .sweep = grown},
                            .bounds = random.chance(0.5),
                            .mobility = random.chance(0.5) ? lanecull::Mobility::fixed : lanecull::Mobility::moving};
            if (random.chance(0.7)) how.origin = eye + unit * (random.log_range(1e-3, 1e8) * random_direction(random));
            for (double& coordinate : how.origin) coordinate = std::clamp(coordinate, -1e12, 1e12);
            std::vector<Object> objects;
            for (int i = 0; i < 50; ++i) {
                const double size = unit * random.log_range(1e-4, 1e3), away = size * random.log_range(0.1, 1e4);
                const Double3 place = eye + away * random_direction(random) - how.origin;
                objects.push_back(object_at(random, kind, place, size, shadow.hulls()));
                if (how.streams.margin) grow(random, kind, shadow.hulls(), how.streams, objects.back());
                if (random.chance(0.02)) objects.back() = spoilt(random, kind, objects.back(), how.streams);
            }
            shadow.add(kind, objects, how);
        }
    }
    if (far == 0) shadow.add(Kind::sphere, whole_balls(random, random.below(210) - 120, 200), {});
    shadow.refit(lanecull::Refit::tight);
    const double scale = random.log_range(0.1, 10);
    const std::optional<View> view = view_from(eye, scale, 1e29);
    trial.at(view ? Tally::trials : Tally::refused) = 1;
    if (!view) return;
    char text[160];
    std::snprintf(text, sizeof text, "from %a %a %a, scale %a", eye[0], eye[1], eye[2], scale);
    DistanceTrial(shadow, *view, exact::point(eye[0], eye[1], eye[2]), scale, text, trial).run();
}

void scenes_lod_views(Trial& trial) {
    trial.at(Tally::trials) = 1;
    Random& random = trial.random;
    const Camera camera =
        random_prepared_camera(random, all_projections[random.below(static_cast<int>(std::size(all_projections)))])
            .camera;
    View view;
    // Widened, so that it sees what is around the eye as well.
    const double margin = camera.projection == Projection::orthographic ? 0 : 3 * camera.size_at(camera.depth[0]);
    if (const lanecull::Status status = camera.prepare(view, {.margin = margin}); !status)
        throw std::runtime_error(status.message());
    Shadow shadow(random_hulls(random, 3));
    for (const Kind kind : all_kinds) {
        const Streams streams{.margin = random.chance(0.3), .sweep = random.chance(0.3)};
        std::vector<Object> objects;
        while (objects.size() < trial.plan.objects / 8) {
            const Placement placement = all_placements[random.below(static_cast<int>(std::size(all_placements)))];
            objects.push_back(random_object(random, kind, camera, placement, shadow.hulls()));
            if (streams.margin || streams.sweep) grow(random, kind, shadow.hulls(), streams, objects.back());
            if (random.chance(0.02)) objects.back() = spoilt(random, kind, objects.back(), streams);
        }
        shadow.add(kind, objects, {.streams = streams, .bounds = random.chance(0.5)});
    }
    shadow.refit(lanecull::Refit::tight);
    const exact::Point eye = contents_of(view).has_eye != 0 ? exact_eye_of(camera).points()[0] : exact::Point{};
    DistanceTrial(shadow, view, eye, contents_of(view).size_scale, camera.describe(), trial).run();
}

namespace {

/// What the documentation promises of `latest`, said once more.
class Keeper {
public:
    explicit Keeper(const scene_tests::Wanted& choice)
        : thresholds_(choice.thresholds), band_(1 + static_cast<Real>(choice.hysteresis)) {}

    /// None where a size is too close to a limit to decide.
    [[nodiscard]] std::optional<std::uint8_t> next(std::uint8_t last, Real size) const {
        if (last > thresholds_.size()) return by_size(size);
        const Real above = last > 0 ? static_cast<Real>(thresholds_[last - 1]) * band_ : HUGE_VALL;
        const Real below = last < thresholds_.size() ? static_cast<Real>(thresholds_[last]) / band_ : 0;
        if (is_close(size, above) || is_close(size, below)) return std::nullopt;
        return size < above && size >= below ? last : by_size(size);
    }

private:
    static bool is_close(Real size, Real limit) { return std::fabs(size - limit) < 1e-9L * limit; }

    [[nodiscard]] std::optional<std::uint8_t> by_size(Real size) const {
        std::uint8_t level = 0;
        for (const float threshold : thresholds_) {
            if (is_close(size, static_cast<Real>(threshold))) return std::nullopt;
            level = static_cast<std::uint8_t>(level + (size < static_cast<Real>(threshold)));
        }
        return level;
    }

    std::span<const float> thresholds_;
    Real band_;
};

/// Balls of radius 1 in a row, 10 and more from the origin.
std::vector<Object> row_of_balls(std::size_t count) {
    std::vector<Object> objects(count);
    for (std::size_t i = 0; i < count; ++i) {
        objects[i].fields[0] = 10 + 0.15f * static_cast<float>(i);
        objects[i].fields[3] = 1;
    }
    return objects;
}

}  // namespace

/// An eye that trembles while it walks away from balls and back: each level is left but when the size has changed by
/// more than the band, though edits move objects to other slots.
void scenes_latest(Trial& trial) {
    trial.at(Tally::trials) = 1;
    Random& random = trial.random;
    Shadow shadow({});
    shadow.add(Kind::sphere, row_of_balls(trial.plan.objects), {});
    std::vector<float> thresholds{static_cast<float>(random.log_range(0.03, 0.08))};
    for (int more = random.below(4); more > 0; --more) {
        thresholds.push_back(thresholds.back() * static_cast<float>(random.range(0.4, 0.8)));
    }
    const scene_tests::Wanted by_size{.counts = false, .distances = true, .thresholds = thresholds};
    std::vector<std::uint8_t> latest(shadow.scene().handle_limit(), lanecull::no_lod), last(latest), plain(latest);
    const scene_tests::Wanted choice{false, true, thresholds, static_cast<float>(random.range(0.2, 0.5)), latest};
    std::vector<Real> taken(latest.size());
    const auto fail = [&](const char* what, Handle h, Real size) {
        trial.fail(Tally::untold, what, [&] {
            return "handle " + std::to_string(h) + ", size " + std::to_string(size) + ", last " +
                   std::to_string(last[h]) + ", now " + std::to_string(latest[h]);
        });
    };
    constexpr int frames = 80;
    for (int frame = 0; frame < frames && !trial.stopped(); ++frame) {
        const double way = 0.7 * std::min(frame, frames - frame);
        const auto view = view_from({random.range(-1, 1) - way, random.range(-1, 1), 0}, 1, 1e9);
        if (frame == frames / 2) shadow.rebuild();
        const lanecull::Isa isa =
            trial.plan.isas[static_cast<std::size_t>(random.below(1000)) % trial.plan.isas.size()];
        const SceneCull kept(shadow.scene(), *view, {.isa = isa}, {}, {}, choice),
            seen(shadow.scene(), *view, {.isa = isa}, {}, {}, by_size);
        trial.at(Tally::verdicts) += kept.handles.size();
        for (std::size_t k = 0; k < kept.handles.size(); ++k) {
            const Handle h = kept.handles[k];
            const Real size = 1 / static_cast<Real>(kept.distances[k]);
            if (latest[h] != kept.levels[k]) fail("the latest level is another than the list's", h, size);
            if (Keeper(choice).next(last[h], size).value_or(kept.levels[k]) != kept.levels[k])
                fail("a level is not the one that is due", h, size);
            if (Keeper(by_size).next(lanecull::no_lod, size).value_or(seen.levels[k]) != seen.levels[k])
                fail("a level is not that of the size", h, size);
            trial.at(Tally::cases) += frame > 0 && plain[h] != seen.levels[k];
            plain[h] = seen.levels[k];
            if (last[h] == kept.levels[k]) continue;
            if (last[h] != lanecull::no_lod) {
                ++trial.at(Tally::reached);
                const Real change = std::max(size / taken[h], taken[h] / size);
                if (change < (1 + static_cast<Real>(choice.hysteresis)) * (1 - 1e-6L))
                    fail("a level changes within the band", h, size);
            }
            last[h] = kept.levels[k], taken[h] = size;
        }
    }
}

}  // namespace properties
