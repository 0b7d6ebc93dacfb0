#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include <lanecull/view.h>

#include "oracle/exact_objects.hpp"
#include "properties/verdicts.hpp"
#include "properties/views/families.hpp"
#include "properties/views/setting.hpp"
#include "support/generate.hpp"
#include "support/random.hpp"

/// Greatest and least distances, least sizes, and all other attributes: beside the values at which they begin to matter
/// in cameras' views, and within some units of the true distance from an eye that sees everything.
namespace properties {
namespace {

using exact::Rational;
using lanecull::Method;
using lanecull::Reason;
using oracle::Real;
using oracle::Vec;

exact::Volume volume_of(const Double3& eye) {
    const exact::Point at = exact::point(eye[0], eye[1], eye[2]);
    return exact::Volume::hull({&at, 1});
}

/// Whether the solid has a point no farther from the eye than that.
bool is_within(const exact::Solid& solid, const exact::Volume& eye, const Rational& distance) {
    return decide(solid, eye.widened(distance)).verdict == exact::Verdict::visible;
}

// Cameras.

constexpr Real well = 0x1p-14L;
/// The oracle in long double and what is computed here are off by less.
constexpr Real sure = 1e-12L;

/// What objects have besides their shapes, and the view.
struct Asked {
    Streams streams{};
    bool view_margin = false, own_eye = false, own_scale = false;
};

/// 2 / the view's height, over the distance in perspective: from the rows y and w.
Real own_scale_of(const Camera& camera) {
    const exact::HalfSpaces sides = exact_half_spaces_of(camera);
    const auto number = [](const exact::Rational& r) { return static_cast<Real>(exact::to_double({r, 0, 0}).x); };
    const exact::Rational half = exact::Rational(1) / 2;
    const exact::Point up = half * (sides[2].normal - sides[3].normal),
                       forward = half * (sides[2].normal + sides[3].normal);
    const Vec y = {number(up.x), number(up.y), number(up.z)},
              w = {number(forward.x), number(forward.y), number(forward.z)};
    if (camera.projection == Projection::orthographic) {
        return length(y) / number(half * (sides[0].offset + sides[1].offset));
    }
    return length(y - (dot(y, w) / dot(w, w)) * w) / length(w);
}

/// A camera, objects of one kind in its view or beside it, and where distances are measured from and sizes by what.
struct Scenery {
    Kind kind;
    Asked asked;
    Camera camera;
    HullSet hulls, boxes;  ///< and the boxes around them: distance and size read no more
    double margin = 0;
    std::uint32_t layer_mask = ~std::uint32_t{0};
    lanecull::View view;
    std::optional<exact::Volume> eye_volume;  ///< none: views without one
    Vec eye;
    Real size_scale = 0;
    bool by_distance = true;

    Scenery(Random& random, Kind of, const Asked& what)
        : kind(of),
          asked(what),
          camera(random_prepared_camera(random).camera),
          hulls(random_hulls(random, 5)),
          boxes(boxes_around(hulls)),
          eye(camera.volume().eye()),
          size_scale(own_scale_of(camera)),
          by_distance(camera.projection != Projection::orthographic) {}

    [[nodiscard]] bool prepare(Random& random) {
        const double near = std::fabs(camera.size_at(camera.depth[0]));
        if (asked.view_margin) margin = near * random.log_range(0.01, 100);
        if (asked.streams.layers) {
            layer_mask = random.chance(0.05) ? 0 : static_cast<std::uint32_t>(random.bits() | random.bits());
        }
        lanecull::ViewOptions options{.margin = margin, .hidden_layers = ~layer_mask};
        if (by_distance) eye_volume = exact_eye_of(camera);
        Double3 own{};
        if (asked.own_eye) {
            for (std::size_t k = 0; k < 3; ++k) own[k] = camera.eye[k] + near * random.range(-3, 3);
            options.eye = own.data();
            eye_volume = volume_of(own);
            eye = {own[0], own[1], own[2]};
        }
        if (asked.own_scale) size_scale = options.size_scale = random.log_range(0.01, 100);
        return camera.prepare(view, options).ok();
    }
};

/// What the documentation says distance and size are found by.
struct Seen {
    Real nearest = 1e30L;  ///< the least distance that the direction from the eye to the centre proves
    Real reached = 0;      ///< of the point farthest along the opposite direction, without the sweep
    Real radius = 0;       ///< of the ball around the centre, without growth
    Real extent = 0;       ///< largest coordinate relative to the eye
};

/// The solid's points, and those of its ovals farthest along w.
std::vector<Vec> with_farthest(const oracle::Solid& solid, const Vec& w) {
    std::vector<Vec> points = solid.points;
    for (const auto& oval : solid.ovals) points.push_back(farthest(oval, w));
    return points;
}

Seen see(const Scenery& scenery, const Object& object) {
    const oracle::Solid outline = shape_of(scenery.kind, object, scenery.boxes);
    const Vec eye = scenery.eye;
    // A cone's is the middle of its axis, whose ends come first.
    const auto symmetric = std::span(outline.points).first(is_cone(scenery.kind) ? 2 : outline.points.size());
    Vec sum;
    for (const Vec p : symmetric) sum = sum + p;
    const Vec centre = (1 / static_cast<Real>(symmetric.size())) * sum;
    Seen seen{};
    for (const Vec p : outline.points) seen.radius = std::max(seen.radius, length(p - centre));
    seen.radius += outline.radius;

    const Vec towards = (1 / std::max(length(centre - eye), Real(1e-30L))) * (centre - eye);
    const Real growth = outline.radius + object.margin + scenery.margin;
    Real least = 1e30L;
    for (const Vec p : with_farthest(outline, Real{-1} * towards)) {
        const Real along = dot(p - eye, towards);
        if (along >= least) continue;
        least = along;
        seen.reached = std::max(length(p - eye) - growth, Real{0});
    }
    for (const Vec p : with_farthest(solid_of(scenery.kind, object, scenery.boxes), Real{-1} * towards)) {
        seen.nearest = std::min(seen.nearest, dot(p - eye, towards) - growth);
        seen.extent = std::max(seen.extent, largest_component(p - eye) + growth);
    }
    return seen;
}

/// Limits about where they begin to matter.
void limit(Random& random, const Scenery& scenery, Object& object) {
    const Streams& streams = scenery.asked.streams;
    const auto about = [&](Real value) {
        const double share = random.sign() * random.log_range(1e-8, 0.5);
        return static_cast<float>(static_cast<double>(value) * (1 + share));
    };
    const Seen seen = see(scenery, object);
    const Real distance = seen.nearest > 0 ? seen.nearest : seen.radius + seen.extent / 1000;
    if (streams.max_distance && random.chance(0.9)) object.max_distance = about(distance);
    if (streams.min_distance && random.chance(streams.max_distance ? 0.3 : 0.9)) object.min_distance = about(distance);
    if (!streams.min_projected_size || random.chance(0.1)) return;
    object.min_projected_size = about(seen.radius * scenery.size_scale / (scenery.by_distance ? distance : 1));
}

/// What is known about an object.
struct Case {
    Object object;
    bool well_near = false;  ///< nearer to the eye than its least distance
    bool must_stay = false, must_go = false;
    std::optional<Reason> marked{};  ///< by flags or layers, before all else
};

class Judge {
public:
    explicit Judge(const Scenery& scenery)
        : scenery_(scenery),
          volume_(scenery.camera.volume()),
          exact_(exact::Volume(exact_half_spaces_of(scenery.camera)).widened(exact::rational(scenery.margin))) {}

    /// Throws where the oracles disagree about a sample.
    [[nodiscard]] Case judge(const Object& object, bool is_sample) const {
        Case c{object};
        const oracle::Verdict verdict =
            volume_.decide(solid_of(scenery_.kind, object, scenery_.hulls), scenery_.margin).verdict;
        c.must_stay = verdict == oracle::Verdict::visible;
        if (verdict == oracle::Verdict::unclear || is_sample) {
            const bool visible = decide(exact_solid(object), exact_).verdict == exact::Verdict::visible;
            if (verdict != oracle::Verdict::unclear && visible != c.must_stay) {
                throw std::logic_error("oracles disagree");
            }
            c.must_stay = visible;
        }
        judge_distance(object, c);
        judge_nearness(object, c);
        judge_size(object, c);
        judge_marks(object, c);
        return c;
    }

private:
    [[nodiscard]] exact::Solid exact_solid(const Object& object) const {
        return exact_solid_of(scenery_.kind, object, scenery_.hulls);
    }
    [[nodiscard]] bool is_within(const exact::Solid& solid, const Rational& distance) const {
        return properties::is_within(solid, *scenery_.eye_volume, distance);
    }

    void judge_distance(const Object& object, Case& c) const {
        if (!scenery_.eye_volume || std::isinf(object.max_distance)) return;
        const Seen seen = see(scenery_, object);
        c.must_stay = c.must_stay && is_within(exact_solid(object), exact::rational(object.max_distance));
        c.must_go = c.must_go || seen.nearest - well * seen.extent > object.max_distance * (1 + well);
    }

    void judge_nearness(const Object& object, Case& c) const {
        if (!scenery_.eye_volume || object.min_distance == 0) return;
        const exact::Solid solid = exact_solid_of(scenery_.kind, object, scenery_.boxes);
        const auto reaches_into = [&](Real distance) {
            const auto to = static_cast<double>(distance);
            return to > 0 && is_within(solid, exact::rational(to) + exact::rational(scenery_.margin));
        };
        const Seen seen = see(scenery_, object);
        c.must_stay = c.must_stay && !reaches_into(object.min_distance);
        const Real well_within = object.min_distance * (1 - well) - well * seen.extent;
        c.well_near = reaches_into(well_within);
        c.must_go = c.must_go || seen.reached < well_within || (c.well_near && finds_nearest_point());
    }
    /// But for rounding: where axes are at right angles.
    [[nodiscard]] bool finds_nearest_point() const {
        return !scenery_.asked.streams.sweep && scenery_.kind != Kind::oriented_box &&
               scenery_.kind != Kind::ellipsoid && !has_transform(scenery_.kind);
    }

    void judge_size(const Object& object, Case& c) const {
        if (object.min_projected_size == 0 || (scenery_.by_distance && !scenery_.eye_volume)) return;
        const Seen seen = see(scenery_, object);
        const Real size = seen.radius * scenery_.size_scale;
        const Real larger = (seen.radius + well * seen.extent) * scenery_.size_scale * (1 + well);
        if (scenery_.by_distance) {
            const auto least = static_cast<double>(size * (1 - sure) / object.min_projected_size);
            c.must_stay = c.must_stay && is_within(exact_solid(object), exact::rational(least * (1 - 0x1p-50)));
            c.must_go = c.must_go || (seen.nearest - well * seen.extent) * object.min_projected_size > larger;
        } else {
            c.must_stay = c.must_stay && size * (1 - sure) >= object.min_projected_size;
            c.must_go = c.must_go || larger < object.min_projected_size;
        }
    }

    /// The reason that an object's flags or layers give, before all others.
    [[nodiscard]] std::optional<Reason> marked(const Object& object) const {
        const Streams& streams = scenery_.asked.streams;
        if (streams.flags && (object.flags & lanecull::object_disabled) != 0) return Reason::culled_disabled;
        if (streams.layers && (object.layers & scenery_.layer_mask) == 0) return Reason::culled_layer;
        if (streams.flags && (object.flags & lanecull::object_always_visible) != 0) return Reason::visible_always;
        return std::nullopt;
    }

    void judge_marks(const Object& object, Case& c) const {
        c.marked = marked(object);
        if (c.marked) c.must_stay = *c.marked == Reason::visible_always, c.must_go = !c.must_stay;
    }

    const Scenery& scenery_;
    oracle::Volume volume_;
    exact::Volume exact_;
};

/// What a family counts as Tally::cases, and as Tally::reached of these.
enum class Counted {
    kept_near,  ///< well nearer than their least distance; not culled
    by_reason,  ///< objects; culled for their distance or their size
    reasons,    ///< the reasons that a method has; there is an object of that reason
};

/// Those that each method has, if it has all streams.
std::vector<Reason> reasons_of(Method method) {
    using enum Reason;
    std::vector<Reason> reasons = {culled_distance, culled_near,  culled_size,
                                   culled_disabled, culled_layer, visible_always};
    const auto add = [&](std::initializer_list<Reason> more) { reasons.insert(reasons.end(), more); };
    if (method == Method::automatic) add({culled_plane, visible_inside, culled_gjk, visible_overlap});
    if (method == Method::planes) add({culled_plane, visible_planes});
    if (method == lanecull::gjk_alone) add({culled_gjk, visible_overlap});
    return reasons;
}

class CameraTrial {
public:
    CameraTrial(const Scenery& scenery, const std::vector<Object>& objects, Counted counted, Trial& trial)
        : scenery_(scenery), objects_(objects), counted_(counted), trial_(trial) {}

    void run() {
        const Judge judge(scenery_);
        for (const Object& object : objects_) {
            const Case& c = cases_.emplace_back(judge.judge(object, cases_.size() % 48 == 7));
            ++trial_.at(Tally::oracle_objects);
            trial_.at(Tally::oracle_visible) += c.must_stay;
        }
        HeapMemory memory;
        const lanecull::Batch batch =
            make_batch(scenery_.kind, objects_, scenery_.hulls, memory,
                       {.bounds = trial_.random.chance(0.75), .streams = scenery_.asked.streams});
        for (const Verdicts& v : all_verdicts_of(batch, scenery_.view, all_methods, trial_, fail)) {
            check(v);
            count(v);
        }
    }

private:
    static std::optional<Reason> marks(Reason reason) {
        using enum Reason;
        const bool is_mark = reason == culled_disabled || reason == culled_layer || reason == visible_always;
        return is_mark ? std::optional(reason) : std::nullopt;
    }

    void check(const Verdicts& v) const {
        for (std::size_t i = 0; i < cases_.size(); ++i) {
            if (cases_[i].must_stay && !v.visible(i)) fail(Tally::false_culls, i, v, "visible, yet culled");
            if (cases_[i].must_go && v.visible(i)) fail(Tally::untold, i, v, "not culled");
            if (marks(v.certificates[i].reason) != cases_[i].marked) fail(Tally::untold, i, v, "marked otherwise");
            const bool cuts_depth = !std::isinf(v.certificates[i].far_depth);
            if (v.method == lanecull::gjk_alone && v.certificates[i].reason == Reason::culled_gjk && !cuts_depth) {
                fail(Tally::untold, i, v, "by an edge's planes, which are not GJK's");
            }
        }
        const auto has = [&](Reason reason) { return v.counts[reason] != 0; };
        if (v.counts.objects() != cases_.size()) fail(Tally::untold, 0, v, "not all are counted");
        if (has(Reason::visible_invalid)) fail(Tally::untold, 0, v, "taken for none");
        if (!scenery_.eye_volume && (has(Reason::culled_distance) || has(Reason::culled_near))) {
            fail(Tally::untold, 0, v, "a distance, and no eye");
        }
        if (v.method == Method::planes && (has(Reason::visible_inside) || has(Reason::visible_vertex))) {
            fail(Tally::untold, 0, v, "planes alone keep for one reason");
        }
    }

    void count(const Verdicts& v) const {
        std::uint64_t &cases = trial_.at(Tally::cases), &reached = trial_.at(Tally::reached);
        for (std::size_t i = 0; counted_ == Counted::kept_near && i < cases_.size(); ++i) {
            cases += cases_[i].well_near;
            reached += cases_[i].well_near && v.visible(i);
        }
        if (counted_ == Counted::by_reason) {
            cases += cases_.size();
            reached += v.counts[Reason::culled_distance] + v.counts[Reason::culled_size];
        }
        if (counted_ != Counted::reasons) return;
        for (const Reason reason : reasons_of(v.method)) {
            ++cases;
            reached += v.counts[reason] != 0;
        }
    }

    const Scenery& scenery_;
    const std::vector<Object>& objects_;
    const Counted counted_;
    Trial& trial_;
    const Complaint fail{trial_,
                         [this] { return scenery_.camera.describe() + " margin " + std::to_string(scenery_.margin); },
                         scenery_.kind, objects_, scenery_.hulls};
    std::vector<Case> cases_;
};

/// A share of the plan's objects of every kind at all placements, with these attributes.
void run_kinds(Trial& trial, Counted counted, double share, Asked (*ask)(Random&)) {
    Random& random = trial.random;
    for (const Kind kind : all_kinds) {
        Scenery scenery(random, kind, ask(random));
        const Streams& streams = scenery.asked.streams;
        if (!scenery.prepare(random)) {
            ++trial.at(Tally::refused);
            continue;
        }
        trial.at(Tally::trials) = 1;
        const double count = std::ceil(share * static_cast<double>(trial.plan.objects));
        auto objects = random_objects(random, kind, scenery.camera, static_cast<std::size_t>(count), scenery.hulls);
        for (Object& object : objects) {
            grow(random, kind, scenery.hulls, streams, object);
            if (streams.flags) mark(random, object);
            limit(random, scenery, object);
        }
        CameraTrial(scenery, objects, counted, trial).run();
        if (trial.stopped()) return;
    }
}

/// These limits, and at random a margin, a sweep and an eye of the view's own.
Asked asked(Random& random, Streams limits) {
    const bool grown = random.chance(0.3), own = random.chance(0.4);
    limits.margin = limits.sweep = grown;
    return {.streams = limits, .view_margin = grown, .own_eye = own, .own_scale = own && limits.min_projected_size};
}

// Any eye.

/// An eye that sees everything up to `reach`.
struct Eye {
    Double3 at{};
    double margin = 0;
    lanecull::View view;

    [[nodiscard]] bool prepare(double reach) {
        std::array<double, 24> corners{};
        for (std::size_t k = 0; k < corners.size(); ++k) {
            corners[k] = (k / 3 >> k % 3 & 1) != 0 ? reach : -reach;
        }
        return lanecull::prepare_view_from_corners(corners, view, {.margin = margin, .eye = at.data()}).ok();
    }
    [[nodiscard]] std::string describe() const { return "eye" + written(at) + " margin" + written(std::array{margin}); }
};

/// In doubles, good guesses: how far the nearest point is from the eye, and the farthest.
struct Range {
    double nearest, farthest;
};
Range range_of(const Eye& eye, const oracle::Solid& solid) {
    std::vector<exact::Vec<double>> points;
    double farthest = 0;
    for (const oracle::Vec p : solid.points) {
        points.push_back({static_cast<double>(p.x - static_cast<oracle::Real>(eye.at[0])),
                          static_cast<double>(p.y - static_cast<oracle::Real>(eye.at[1])),
                          static_cast<double>(p.z - static_cast<oracle::Real>(eye.at[2]))});
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
    const double around = static_cast<double>(solid.radius) + eye.margin;
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
    LimitTrial(const Eye& eye, Kind kind, const std::vector<Object>& objects, const HullSet& hulls, Trial& trial)
        : eye_(eye), kind_(kind), objects_(objects), hulls_(hulls), boxes_(boxes_around(hulls)), trial_(trial) {}

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
            const Verdicts all = verdicts_of(plain, eye_.view, isa, Method::automatic),
                           until = verdicts_of(to, eye_.view, isa, Method::automatic),
                           since = verdicts_of(from, eye_.view, isa, Method::automatic);
            trial_.at(Tally::verdicts) += 2 * objects_.size();
            trial_.answers.add_words(until.words);
            trial_.answers.add_words(since.words);
            for (std::size_t i = 0; i < objects_.size() && !trial_.stopped(); ++i) {
                if (until.certificates[i].reason == Reason::culled_distance) check(i, until, proved_far[i], true);
                if (since.certificates[i].reason == Reason::culled_near) check(i, since, proved_near[i], false);
                if (all.visible(i) && !until.visible(i) && !since.visible(i)) {
                    fail(Tally::untold, i, all, "a hole: too far and too near");
                }
            }
        }
    }

private:
    /// A hull's distance is its box's. Every cull has more to spare than 2^-40 of the limit.
    void check(std::size_t i, const Verdicts& by, char& proved, bool far) const {
        ++trial_.at(far ? Tally::culled_plane : Tally::culled_gjk);
        if (proved != 0) return;
        proved = 1;
        ++trial_.at(Tally::exact_checks);
        const Rational limit = exact::rational(static_cast<double>(objects_[i].min_distance)),
                       least = far ? limit : limit * (1 - exact::rational(0x1p-40));
        const exact::Solid solid = exact_solid_of(kind_, objects_[i], boxes_);
        if (is_within(solid, volume_of(eye_.at), exact::rational(eye_.margin) + least) != far) return;
        fail(Tally::unproved, i, by, far ? "nearer than its greatest distance" : "farther than its least");
    }

    const Eye& eye_;
    const Kind kind_;
    const std::vector<Object>& objects_;
    const HullSet& hulls_;
    const HullSet boxes_;
    Trial& trial_;
    const Complaint fail{trial_, [this] { return eye_.describe(); }, kind_, objects_, hulls_};
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

void distances(Trial& trial) {
    run_kinds(trial, Counted::by_reason, 0.1, [](Random& random) { return asked(random, {.max_distance = true}); });
}
void least_distances(Trial& trial) {
    run_kinds(trial, Counted::kept_near, 0.1, [](Random& random) { return asked(random, {.min_distance = true}); });
}
void sizes(Trial& trial) {
    run_kinds(trial, Counted::by_reason, 0.1,
              [](Random& random) { return asked(random, {.min_projected_size = true}); });
}
void all_attributes(Trial& trial) {
    run_kinds(trial, Counted::reasons, 0.5,
              [](Random&) { return Asked{.streams = Streams::all(), .view_margin = true}; });
}

void proxies(Trial& trial) {
    Random& random = trial.random;
    trial.at(Tally::trials) = 1;
    const HullSet hulls = random_hulls(random, 5), boxes = boxes_around(hulls);
    for (const Kind kind : all_kinds) {
        const Camera camera = random_prepared_camera(random).camera;
        const double near = std::fabs(camera.size_at(camera.depth[0]));
        Eye eye;
        for (std::size_t k = 0; k < 3; ++k) eye.at[k] = camera.eye[k] + near * random.range(-1, 1);
        if (!camera.prepare(eye.view, {.eye = eye.at.data()})) continue;
        std::vector<Object> children =
            random_objects(random, kind, camera, std::max<std::size_t>(trial.plan.objects / 10 * 2, 2), hulls);
        std::vector<Object> around, without_rule = children;
        // Two neighbours have a box together, and each of them a copy of it, so that the two have the same index.
        for (std::size_t i = 0; i < children.size(); ++i) {
            const Around made(kind, std::span(children).subspan(i & ~std::size_t{1}, 2), boxes);
            const double distance = std::max(range_of(eye, solid_of(Kind::box, made.box, boxes)).nearest, 0.0);
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
            for (const auto& batch : batches) by.push_back(verdicts_of(batch, eye.view, isa, Method::automatic));
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
    Eye eye;
    eye.at = unit * (random.chance(0.3) ? 0 : random.log_range(1, 1e6)) * random_direction(random);
    if (random.chance(0.3)) eye.margin = unit * random.log_range(1e-3, 10);
    const bool is_prepared = eye.prepare(1e29);
    trial.at(is_prepared ? Tally::trials : Tally::refused) = 1;
    if (!is_prepared) return;
    const bool grown = random.chance(0.4);
    const Streams growth{.margin = grown, .sweep = grown};
    for (const Kind kind : all_kinds) {
        std::vector<Object> objects(std::max<std::size_t>(trial.plan.objects / 8, 1));
        for (Object& object : objects) {
            const double size = unit * random.log_range(1e-4, 1e3);
            // Half of them reach nearly to the eye: their roundings are large beside their distance.
            const double away = size * (random.chance(0.5) ? random.range(0.3, 1.2) : random.log_range(0.3, 300));
            object = object_at(random, kind, eye.at + away * random_direction(random), size, hulls);
            if (grown) grow(random, kind, hulls, growth, object);
            const Range range = range_of(eye, solid_of(kind, object, boxes));
            object.min_distance = object.max_distance = limit_near(random, range);
        }
        LimitTrial(eye, kind, objects, hulls, trial).run(growth);
        if (trial.stopped()) return;
    }
}

}  // namespace properties
