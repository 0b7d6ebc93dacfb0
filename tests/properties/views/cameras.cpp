#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "oracle/exact_objects.hpp"
#include "properties/verdicts.hpp"
#include "properties/views/families.hpp"
#include "support/culling.hpp"
#include "support/size_fields.hpp"

namespace properties {
namespace {

using lanecull::Method;
using lanecull::Reason;
using oracle::Real;
using oracle::Vec;

constexpr Real well = 0x1p-14L;
/// The oracle in long double and what is computed here are off by less.
constexpr Real sure = 1e-12L;

/// What objects have besides their shapes, and the view.
struct Asked {
    Streams streams{};
    bool view_margin = false, own_eye = false, own_scale = false;
};

/// Where distances are measured from, and sizes by what.
struct Sight {
    std::optional<exact::Volume> point;  ///< the eye; none: views without one
    Vec eye;
    Real size_scale = 0;
    bool by_distance = true;
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

/// A camera whose view objects of one kind are in, or beside.
struct Scenery {
    Kind kind;
    Asked asked;
    Camera camera;
    HullSet hulls, boxes;  ///< and the boxes around them: distance and size read no more
    double margin = 0;
    std::uint32_t layer_mask = ~std::uint32_t{0};
    lanecull::View view;
    Sight sight;

    Scenery(Random& random, Kind of, const Asked& what, HullSet vertices)
        : kind(of),
          asked(what),
          camera(random_prepared_camera(random, all_projections[random.below(std::size(all_projections))]).camera),
          hulls(std::move(vertices)),
          boxes(boxes_around(hulls)) {}

    [[nodiscard]] bool prepare(Random& random) {
        const double near = std::fabs(camera.size_at(camera.depth[0]));
        if (asked.view_margin) margin = near * random.log_range(0.01, 100);
        if (asked.streams.layers) {
            layer_mask = random.chance(0.05) ? 0 : static_cast<std::uint32_t>(random.bits() | random.bits());
        }
        lanecull::ViewOptions options{.margin = margin, .hidden_layers = ~layer_mask};
        sight.by_distance = camera.projection != Projection::orthographic;
        sight.size_scale = own_scale_of(camera);
        Double3 eye{};
        if (asked.own_eye) {
            for (std::size_t k = 0; k < 3; ++k) eye[k] = camera.eye[k] + near * random.range(-3, 3);
            options.eye = eye.data();
            const exact::Point at = exact::point(eye[0], eye[1], eye[2]);
            sight.point = exact::Volume::hull({&at, 1});
            sight.eye = {eye[0], eye[1], eye[2]};
        } else {
            if (sight.by_distance) sight.point = exact_eye_of(camera);
            sight.eye = camera.volume().eye();
        }
        if (asked.own_scale) sight.size_scale = options.size_scale = random.log_range(0.01, 100);
        return camera.prepare(view, options).ok();
    }

    /// Does the solid have a point no farther from the eye than that, for certain?
    [[nodiscard]] bool is_within(const exact::Solid& solid, const exact::Rational& distance) const {
        return decide(solid, sight.point->widened(distance)).verdict == exact::Verdict::visible;
    }
};

/// What the documentation says distance and size are found by.
struct Seen {
    Real nearest = 1e30L;  ///< the least distance that the direction from the eye to the centre proves
    Real reached = 0;      ///< of the point farthest along the opposite direction, without the sweep
    Real radius = 0;       ///< of the ball around the centre, without growth
    Real extent = 0;       ///< largest coordinate relative to the eye
};

Seen see(const Scenery& scenery, const Object& object) {
    const oracle::Solid outline = shape_of(scenery.kind, object, scenery.boxes);
    const Vec eye = scenery.sight.eye;
    Vec sum;
    for (const Vec p : outline.points) sum = sum + p;
    const Vec centre = (1 / static_cast<Real>(outline.points.size())) * sum;
    Seen seen{};
    for (const Vec p : outline.points) seen.radius = std::max(seen.radius, length(p - centre));
    seen.radius += outline.radius;

    const Vec towards = (1 / std::max(length(centre - eye), Real(1e-30L))) * (centre - eye);
    const Real growth = outline.radius + object.margin + scenery.margin;
    Real least = 1e30L;
    for (const Vec p : outline.points) {
        const Real along = dot(p - eye, towards);
        if (along >= least) continue;
        least = along;
        seen.reached = std::max(length(p - eye) - growth, Real{0});
    }
    for (const Vec p : solid_of(scenery.kind, object, scenery.boxes).points) {
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
    const Sight& sight = scenery.sight;
    object.min_projected_size = about(seen.radius * sight.size_scale / (sight.by_distance ? distance : 1));
}

/// What is known about an object.
struct Case {
    Object object;
    bool visible = false;     ///< shares a point with the view
    bool well_apart = false;  ///< from the view, by its shape
    bool well_near = false;   ///< nearer to the eye than its least distance
    bool must_stay = false, must_go = false;
    std::optional<Reason> marked{};  ///< by flags or layers, before all else
};

class Judge {
public:
    explicit Judge(const Scenery& scenery)
        : scenery_(scenery),
          volume_(scenery.camera.volume()),
          exact_(exact::Volume(exact_half_spaces_of(scenery.camera)).widened(exact::rational(scenery.margin))) {}

    /// Throws where the oracles disagree about a sample, or where one of them does not know.
    [[nodiscard]] Case judge(const Object& object, bool is_sample) const {
        Case c{object};
        const oracle::Solid solid = solid_of(scenery_.kind, object, scenery_.hulls);
        const oracle::Verdict verdict = volume_.decide(solid, scenery_.margin).verdict;
        c.visible = verdict == oracle::Verdict::visible;
        if (verdict == oracle::Verdict::unclear || is_sample) {
            const bool visible = decide(exact_solid_of(scenery_.kind, object, scenery_.hulls), exact_).verdict ==
                                 exact::Verdict::visible;
            if (verdict != oracle::Verdict::unclear && visible != c.visible) throw std::logic_error("oracles disagree");
            c.visible = visible;
        }
        const Real apart = well * (volume_.extent_from_eye(solid) + scenery_.margin);
        c.well_apart = !c.visible && volume_.decide(solid, scenery_.margin + apart).verdict == oracle::Verdict::apart;
        c.must_stay = c.visible;
        judge_distance(object, c);
        judge_nearness(object, c);
        judge_size(object, c);
        judge_marks(object, c);
        return c;
    }

private:
    void judge_distance(const Object& object, Case& c) const {
        if (!scenery_.sight.point || std::isinf(object.max_distance)) return;
        const Seen seen = see(scenery_, object);
        c.must_stay = c.must_stay && scenery_.is_within(exact_solid_of(scenery_.kind, object, scenery_.hulls),
                                                        exact::rational(object.max_distance));
        c.must_go = c.must_go || seen.nearest - well * seen.extent > object.max_distance * (1 + well);
    }

    void judge_nearness(const Object& object, Case& c) const {
        if (!scenery_.sight.point || object.min_distance == 0) return;
        const exact::Solid solid = exact_solid_of(scenery_.kind, object, scenery_.boxes);
        const auto reaches_into = [&](Real distance) {
            const auto to = static_cast<double>(distance);
            return to > 0 && scenery_.is_within(solid, exact::rational(to) + exact::rational(scenery_.margin));
        };
        const Seen seen = see(scenery_, object);
        c.must_stay = c.must_stay && !reaches_into(object.min_distance);
        const Real well_within = object.min_distance * (1 - well) - well * seen.extent;
        c.well_near = reaches_into(well_within);
        c.must_go = c.must_go || seen.reached < well_within || (c.well_near && finds_nearest_point());
    }
    /// But for rounding: where axes are at right angles.
    [[nodiscard]] bool finds_nearest_point() const {
        return !scenery_.asked.streams.sweep && scenery_.kind != Kind::oriented_box && !has_transform(scenery_.kind);
    }

    void judge_size(const Object& object, Case& c) const {
        const Sight& sight = scenery_.sight;
        if (object.min_projected_size == 0 || (sight.by_distance && !sight.point)) return;
        const Seen seen = see(scenery_, object);
        const Real size = seen.radius * sight.size_scale;
        const Real larger = (seen.radius + well * seen.extent) * sight.size_scale * (1 + well);
        if (sight.by_distance) {
            const auto least = static_cast<double>(size * (1 - sure) / object.min_projected_size);
            c.must_stay = c.must_stay && scenery_.is_within(exact_solid_of(scenery_.kind, object, scenery_.hulls),
                                                            exact::rational(least * (1 - 0x1p-50)));
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
        if (!c.marked) return;
        c.must_stay = *c.marked == Reason::visible_always, c.must_go = !c.must_stay;
        if (c.must_stay && !c.visible) c.well_apart = false;  // visible come what may
    }

    const Scenery& scenery_;
    oracle::Volume volume_;
    exact::Volume exact_;
};

/// What a family counts as Tally::cases, and as Tally::reached of these.
enum class Counted {
    kept_apart,  ///< well apart and behind no plane; not culled by some other method on some set
    kept_near,   ///< well nearer than their least distance; not culled
    by_reason,   ///< objects; culled for their distance or their size
    reasons,     ///< the reasons that a method has; there is an object of that reason
    nothing,     ///< and numbers may be too large for shapes
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
    CameraTrial(const Scenery& scenery, const std::vector<Case>& cases, Counted counted, Trial& trial)
        : scenery_(scenery), cases_(cases), counted_(counted), trial_(trial) {}

    void run(bool bounds) {
        std::vector<Object> objects;
        for (const Case& c : cases_) {
            objects.push_back(c.object);
            ++trial_.at(Tally::oracle_objects);
            trial_.at(Tally::oracle_visible) += c.must_stay;
        }
        HeapMemory memory;
        const lanecull::Batch batch = make_batch(scenery_.kind, objects, scenery_.hulls, memory,
                                                 {.bounds = bounds, .streams = scenery_.asked.streams});
        const auto fail_at = [this](const auto&... what) { fail(what...); };
        const std::vector<Verdicts> all = all_verdicts_of(batch, scenery_.view, all_methods, trial_, fail_at);
        for (const Verdicts& v : all) {
            check(v);
            count(v);
        }
        if (counted_ == Counted::kept_apart) count_kept(all);
    }

private:
    void fail(Tally::Count count, std::size_t i, const Verdicts& by, const char* what) const {
        trial_.fail(count, std::string(what) + ", by " + method_name(by.method) + " on " + lanecull::isa_name(by.isa),
                    [&] {
                        return scenery_.camera.describe() + " margin " + std::to_string(scenery_.margin) + "\n" +
                               describe(scenery_.kind, cases_[i].object, scenery_.hulls);
                    });
    }

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
        if (has(Reason::visible_invalid) && counted_ != Counted::nothing) fail(Tally::untold, 0, v, "taken for none");
        if (!scenery_.sight.point && (has(Reason::culled_distance) || has(Reason::culled_near))) {
            fail(Tally::untold, 0, v, "a distance, and no eye");
        }
        if (v.method == Method::planes && (has(Reason::visible_inside) || has(Reason::visible_vertex))) {
            fail(Tally::untold, 0, v, "planes alone keep for one reason");
        }
    }

    void count_kept(const std::vector<Verdicts>& all) const {
        for (std::size_t i = 0; i < cases_.size(); ++i) {
            const auto is_kept_by = [&](bool planes) {
                return std::ranges::any_of(
                    all, [&](const Verdicts& v) { return v.visible(i) && (v.method == Method::planes) == planes; });
            };
            if (!cases_[i].well_apart || !is_kept_by(true)) continue;
            ++trial_.at(Tally::cases);
            trial_.at(Tally::reached) += is_kept_by(false);
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
    const std::vector<Case>& cases_;
    const Counted counted_;
    Trial& trial_;
};

/// A share of the plan's objects by `make(scenery)`, after `prepare`.
template <class Make>
void run_cameras(Trial& trial, Kind kind, const Asked& asked, Counted counted, HullSet hulls, double share,
                 const Make& make) {
    Random& random = trial.random;
    Scenery scenery(random, kind, asked, std::move(hulls));
    if (!scenery.prepare(random)) {
        ++trial.at(Tally::refused);
        return;
    }
    trial.at(Tally::trials) = 1;
    const auto count = static_cast<std::size_t>(std::ceil(share * static_cast<double>(trial.plan.objects)));
    const Judge judge(scenery);
    std::vector<Case> cases;
    for (const Object& object : make(scenery, count)) {
        cases.push_back(judge.judge(object, share > 0.1 && cases.size() % 48 == 7));
    }
    CameraTrial(scenery, cases, counted, trial).run(random.chance(0.75));
}

/// Objects of every kind at all placements, with these attributes.
void run_kinds(Trial& trial, Counted counted, double share, Asked (*ask)(Random&)) {
    Random& random = trial.random;
    for (const Kind kind : all_kinds) {
        const Asked asked = ask(random);
        run_cameras(trial, kind, asked, counted, random_hulls(random, 5), share,
                    [&](const Scenery& scenery, std::size_t count) {
                        auto objects = random_objects(random, kind, scenery.camera, count, scenery.hulls);
                        for (Object& object : objects) {
                            grow(random, kind, scenery.hulls, asked.streams, object);
                            if (asked.streams.flags) mark(random, object);
                            limit(random, scenery, object);
                        }
                        return objects;
                    });
        if (trial.stopped()) return;
    }
}

// Hulls with the smallest and the largest number of vertices, and flat ones. Every vertex counts, also the last.

/// Points on a sphere, but for the last, which stands out.
Vertices round_with_a_spike(Random& random, std::size_t count, bool flat) {
    Vertices vertices(count);
    for (auto& vertex : vertices) {
        const double height = flat ? 0 : random.range(-1, 1), turn = random.range(0, 6.283185307179586);
        const double across = std::sqrt(1 - height * height);
        vertex = {static_cast<float>(across * std::cos(turn)), static_cast<float>(across * std::sin(turn)),
                  static_cast<float>(height)};
    }
    vertices.back() = {0.5f, flat ? 4.0f : 1.0f, flat ? 0.0f : 3.0f};
    return vertices;
}

// Finite numbers of any size, subnormal to 3e38: results overflow and underflow on the way.

Object extreme_object(Random& random, Kind kind, const HullSet& hulls) {
    const auto number = [&](double least, double most) {
        return static_cast<float>(random.sign() * random.log_range(least, most));
    };
    Object object;
    const double scale = random.log_range(1e-44, 3e38);
    for (float& field : object.fields) {
        const double most = random.chance(0.3) ? 3e38 : scale;
        field = random.chance(0.1) ? 0 : number(std::min(1e-45, most), most);
    }
    if (kind == Kind::quaternion_box) {
        const double length = random.log_range(1e-17, 1e17);
        for (std::size_t k = 3; k < 7; ++k) object.fields[k] = number(0.1 * length, length);
    }
    const auto [first, end] = size_fields(kind);
    for (std::size_t k = first; k < end; ++k) object.fields[k] = std::fabs(object.fields[k]);
    for (std::size_t k = 0; corner_fields(kind) && k < 3; ++k) {
        float* const side = object.fields.data() + *corner_fields(kind) + k;
        if (side[0] > side[3]) std::swap(side[0], side[3]);
    }
    object.hull = static_cast<std::uint32_t>(random.below(static_cast<int>(hulls.size())));
    return object;
}

HullSet extreme_hulls(Random& random) {
    HullSet hulls = random_hulls(random, 8);
    for (Vertices& vertices : hulls) {
        const double scale = random.log_range(1e-44, 3e37);
        for (auto& vertex : vertices) {
            for (float& component : vertex) component = static_cast<float>(scale * static_cast<double>(component));
        }
    }
    return hulls;
}

}  // namespace

void cameras(Trial& trial) {
    for (int round = 0; round < 4; ++round) {
        run_kinds(trial, Counted::kept_apart, 0.8, [](Random&) { return Asked{}; });
    }
}

void grown_cameras(Trial& trial) {
    run_kinds(trial, Counted::kept_apart, 0.3, [](Random& random) {
        const int which = random.below(4);
        return Asked{.streams = {.margin = which == 0 || which == 2, .sweep = which == 1 || which == 2},
                     .view_margin = which >= 2};
    });
}

void distances(Trial& trial) {
    run_kinds(trial, Counted::by_reason, 0.1, [](Random& random) {
        const bool grown = random.chance(0.3);
        return Asked{.streams = {.margin = grown, .sweep = grown, .max_distance = true},
                     .view_margin = grown,
                     .own_eye = random.chance(0.4)};
    });
}

void least_distances(Trial& trial) {
    run_kinds(trial, Counted::kept_near, 0.1, [](Random& random) {
        const bool grown = random.chance(0.3);
        return Asked{.streams = {.margin = grown, .sweep = grown, .min_distance = true},
                     .view_margin = grown,
                     .own_eye = random.chance(0.4)};
    });
}

void sizes(Trial& trial) {
    run_kinds(trial, Counted::by_reason, 0.1, [](Random& random) {
        const bool grown = random.chance(0.3), own = random.chance(0.4);
        return Asked{.streams = {.margin = grown, .sweep = grown, .min_projected_size = true},
                     .view_margin = grown,
                     .own_eye = own,
                     .own_scale = own};
    });
}

void all_attributes(Trial& trial) {
    run_kinds(trial, Counted::reasons, 0.5,
              [](Random&) { return Asked{.streams = Streams::all(), .view_margin = true}; });
}

void large_hulls(Trial& trial) {
    Random& random = trial.random;
    constexpr std::size_t most_vertices = 65'535;
    HullSet hulls = {round_with_a_spike(random, most_vertices, false), round_with_a_spike(random, most_vertices, true),
                     Vertices{{0.25f, -0.5f, 1.0f}}};
    run_cameras(trial, Kind::hull, {}, Counted::kept_apart, std::move(hulls), 1.0 / 24,
                [&](const Scenery& scenery, std::size_t count) {
                    return random_objects(random, Kind::hull, scenery.camera, count, scenery.hulls);
                });
}

void extremes(Trial& trial) {
    for (const Kind kind : all_kinds) {
        run_cameras(trial, kind, {}, Counted::nothing, extreme_hulls(trial.random), 0.1,
                    [&](const Scenery& scenery, std::size_t count) {
                        std::vector<Object> objects;
                        while (objects.size() < count) {
                            objects.push_back(extreme_object(trial.random, kind, scenery.hulls));
                        }
                        return objects;
                    });
        if (trial.stopped()) return;
    }
}

}  // namespace properties
