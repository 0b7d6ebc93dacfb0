#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <map>
#include <optional>

#include "oracle/exact_objects.hpp"
#include "support/culling.hpp"
#include "support/scale.hpp"

/// The attributes of objects, compared with the oracles object by object, on every instruction set, by every method.
/// No object is culled that is visible, near enough, far enough and large enough. Every object is culled that is well
/// apart, well beyond its greatest distance, well within its least one, well below its size, disabled, or on none of
/// the view's layers.
///
/// "Well" means by more than 2^-14 of the coordinates involved: the object's largest coordinate relative to the eye,
/// expansion included.

namespace {

using lanecull::Isa;
using lanecull::Method;
using oracle::Real;
using oracle::Vec;
using oracle::Verdict;

constexpr Real well = 0x1p-14L;
/// The oracle in long double and what is computed here are off by less.
constexpr Real sure = 1e-12L;
/// Of the well-apart objects that planes leave open, how many may be kept; fewer than so many say nothing about it.
constexpr double kept_share_allowed = 3e-3;
constexpr std::uint64_t enough_for_shares = 1500;

struct Ask {
    Streams streams;
    bool view_margin, own_eye, own_scale;
};

struct Case {
    Object object;
    bool visible = false;     ///< shares a point with the view
    bool well_apart = false;  ///< from the view, by its shape
    bool well_near = false;   ///< nearer to the eye than its least distance
    bool must_stay = false, must_go = false;
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

/// One camera, its objects and what is known about them.
struct Frame {
    std::uint64_t seed = 0;
    Kind kind = Kind::sphere;
    Camera camera;
    double margin = 0;
    std::uint32_t layer_mask = ~std::uint32_t{0};
    Double3 eye{};
    lanecull::View view;
    Sight sight;
    HullSet hulls, boxes;  ///< and the boxes around them: distance and size look at no more
    std::vector<Case> cases;
};

/// What the documentation says distance and size are found by.
struct Seen {
    Real nearest;  ///< the least distance that the direction from the eye to the centre proves
    Real reached;  ///< of the point farthest along the opposite direction, without the sweep
    Real radius;   ///< of the ball around the centre, without growth
    Real extent;   ///< largest coordinate relative to the eye
};

Seen see(const Frame& frame, const Object& object) {
    const oracle::Solid outline = shape_of(frame.kind, object, frame.boxes);
    Vec sum;
    for (const Vec p : outline.points) sum = sum + p;
    const Vec centre = (1 / static_cast<Real>(outline.points.size())) * sum;
    Seen seen{};
    for (const Vec p : outline.points) seen.radius = std::max(seen.radius, length(p - centre));
    seen.radius += outline.radius;

    const Vec towards = (1 / std::max(length(centre - frame.sight.eye), Real(1e-30L))) * (centre - frame.sight.eye);
    const Real growth = outline.radius + object.margin + frame.margin;
    seen.nearest = 1e30L;
    seen.reached = 0;
    Real least = 1e30L;
    for (const Vec p : outline.points) {
        const Real along = dot(p - frame.sight.eye, towards);
        if (along >= least) continue;
        least = along;
        seen.reached = std::max(length(p - frame.sight.eye) - growth, Real{0});
    }
    for (const Vec p : solid_of(frame.kind, object, frame.boxes).points) {
        seen.nearest = std::min(seen.nearest, dot(p - frame.sight.eye, towards) - growth);
        seen.extent = std::max(seen.extent, largest_component(p - frame.sight.eye) + growth);
    }
    return seen;
}

/// Limits about where they begin to matter.
void limit(Random& random, const Frame& frame, const Streams& streams, Object& object) {
    const auto about = [&](Real value) {
        const double share = random.sign() * random.log_range(1e-8, 0.5);
        return static_cast<float>(static_cast<double>(value) * (1 + share));
    };
    const Seen seen = see(frame, object);
    const Real distance = seen.nearest > 0 ? seen.nearest : seen.radius + seen.extent / 1000;
    if (streams.max_distance && random.chance(0.9)) object.max_distance = about(distance);
    if (streams.min_distance && random.chance(streams.max_distance ? 0.3 : 0.9)) object.min_distance = about(distance);
    if (!streams.min_projected_size || random.chance(0.1)) return;
    object.min_projected_size = about(seen.radius * frame.sight.size_scale / (frame.sight.by_distance ? distance : 1));
}

/// Is the object no farther from the eye than that, for certain?
bool is_within(const Frame& frame, const Object& object, const exact::Rational& distance) {
    const exact::Solid solid = exact_solid_of(frame.kind, object, frame.hulls);
    return decide(solid, frame.sight.point->widened(distance)).verdict == exact::Verdict::visible;
}

void judge_distance(const Frame& frame, const Object& object, Case& c) {
    if (!frame.sight.point || std::isinf(object.max_distance)) return;
    const Seen seen = see(frame, object);
    c.must_stay = c.must_stay && is_within(frame, object, exact::rational(object.max_distance));
    c.must_go = c.must_go || seen.nearest - well * seen.extent > object.max_distance * (1 + well);
}

/// Whether the nearest point of the kind's objects is found, but for rounding: their axes are at right angles.
bool is_found_exactly(Kind kind, const Streams& streams) {
    return !streams.sweep && kind != Kind::oriented_box && kind != Kind::hull && kind != Kind::box_instance;
}

void judge_nearness(const Frame& frame, const Object& object, const Streams& streams, Case& c) {
    if (!frame.sight.point || object.min_distance == 0) return;
    const auto reaches_into = [&](Real distance) {
        const exact::Solid solid = exact_solid_of(frame.kind, object, frame.boxes);
        const auto to = static_cast<double>(distance);
        return to > 0 &&
               decide(solid, frame.sight.point->widened(exact::rational(to) + exact::rational(frame.margin))).verdict ==
                   exact::Verdict::visible;
    };
    const Seen seen = see(frame, object);
    c.must_stay = c.must_stay && !reaches_into(object.min_distance);
    const Real well_within = object.min_distance * (1 - well) - well * seen.extent;
    c.well_near = reaches_into(well_within);
    c.must_go = c.must_go || seen.reached < well_within || (c.well_near && is_found_exactly(frame.kind, streams));
}

void judge_size(const Frame& frame, const Object& object, Case& c) {
    if (object.min_projected_size == 0 || (frame.sight.by_distance && !frame.sight.point)) return;
    const Seen seen = see(frame, object);
    const Real size = seen.radius * frame.sight.size_scale;
    const Real larger = (seen.radius + well * seen.extent) * frame.sight.size_scale * (1 + well);
    if (frame.sight.by_distance) {
        const auto least = static_cast<double>(size * (1 - sure) / object.min_projected_size);
        c.must_stay = c.must_stay && is_within(frame, object, exact::rational(least * (1 - 0x1p-50)));
        c.must_go = c.must_go || (seen.nearest - well * seen.extent) * object.min_projected_size > larger;
    } else {
        c.must_stay = c.must_stay && size * (1 - sure) >= object.min_projected_size;
        c.must_go = c.must_go || larger < object.min_projected_size;
    }
}

class Judge {
public:
    explicit Judge(const Frame& frame)
        : frame_(frame),
          volume_(frame.camera.volume()),
          exact_(exact::Volume(exact_half_spaces_of(frame.camera)).widened(exact::rational(frame.margin))) {}

    [[nodiscard]] Case judge(const Object& object, const Streams& streams, bool sample) const {
        Case c{object};
        const oracle::Solid solid = solid_of(frame_.kind, object, frame_.hulls);
        const Verdict verdict = volume_.decide(solid, frame_.margin).verdict;
        c.visible = verdict == Verdict::visible;
        if (verdict == Verdict::unclear || sample) {
            c.visible =
                decide(exact_solid_of(frame_.kind, object, frame_.hulls), exact_).verdict == exact::Verdict::visible;
            EXPECT_TRUE(verdict == Verdict::unclear || c.visible == (verdict == Verdict::visible))
                << "oracles disagree";
        }
        const Real apart = well * (volume_.extent_from_eye(solid) + frame_.margin);
        c.well_apart = !c.visible && volume_.decide(solid, frame_.margin + apart).verdict == Verdict::apart;
        c.must_stay = c.visible;
        judge_distance(frame_, object, c);
        judge_nearness(frame_, object, streams, c);
        judge_size(frame_, object, c);
        if (streams.flags && (object.flags & lanecull::object_always_visible) != 0)
            c.must_stay = true, c.must_go = false;
        const bool left_out = (streams.flags && (object.flags & lanecull::object_disabled) != 0) ||
                              (streams.layers && (object.layers & frame_.layer_mask) == 0);
        if (left_out) c.must_stay = false, c.must_go = true;
        if (streams.flags && c.must_stay && !c.visible) c.well_apart = false;  // visible come what may
        return c;
    }

private:
    const Frame& frame_;
    oracle::Volume volume_;
    exact::Volume exact_;
};

lanecull::Status prepare(Random& random, const Ask& ask, Frame& frame) {
    const Camera& camera = frame.camera;
    const double near = std::fabs(camera.size_at(camera.depth[0]));
    if (ask.view_margin) frame.margin = near * random.log_range(0.01, 100);
    if (ask.streams.layers) frame.layer_mask = static_cast<std::uint32_t>(random.bits() | random.bits());
    lanecull::ViewOptions options{.margin = frame.margin, .hidden_layers = ~frame.layer_mask};
    const bool orthographic = camera.projection == Projection::orthographic;
    frame.sight.by_distance = !orthographic;
    frame.sight.size_scale = own_scale_of(camera);
    if (ask.own_eye) {
        for (std::size_t k = 0; k < 3; ++k) frame.eye[k] = camera.eye[k] + near * random.range(-3, 3);
        options.eye = frame.eye.data();
        const exact::Point eye = exact::point(frame.eye[0], frame.eye[1], frame.eye[2]);
        frame.sight.point = exact::Volume::hull(std::span(&eye, 1));
        frame.sight.eye = {frame.eye[0], frame.eye[1], frame.eye[2]};
    } else {
        if (!orthographic) frame.sight.point = exact_eye_of(camera);
        frame.sight.eye = camera.volume().eye();
    }
    if (ask.own_scale) {
        options.size_scale = random.log_range(0.01, 100);
        frame.sight.size_scale = options.size_scale;
    }
    return camera.prepare(frame.view, options);
}

bool make_frame(Kind kind, Projection projection, std::uint64_t seed, std::size_t objects, const Ask& ask,
                Frame& frame) {
    Random random(seed);
    frame.seed = seed;
    frame.kind = kind;
    frame.camera = random_camera(random, projection);
    frame.hulls = random_hulls(random, 5);
    frame.boxes = boxes_around(frame.hulls);
    if (!prepare(random, ask, frame)) return false;
    const Judge judge(frame);
    for (Object object : random_objects(random, kind, frame.camera, objects, frame.hulls)) {
        grow(random, kind, frame.hulls, ask.streams, object);
        if (ask.streams.flags) mark(random, object);
        limit(random, frame, ask.streams, object);
        frame.cases.push_back(judge.judge(object, ask.streams, frame.cases.size() % 48 == 7));
    }
    return true;
}

struct Tally {
    std::uint64_t objects = 0, must_stay = 0, must_go = 0;
    std::uint64_t false_culls = 0, false_keeps = 0;
    std::uint64_t stage_two = 0, kept = 0;       ///< well apart and not proved so by a plane; of those, not culled
    std::uint64_t well_near = 0, kept_near = 0;  ///< nearer than their least distance; of those, not culled
    lanecull::Counts counts;
};
using Tallies = std::map<std::pair<Isa, Method>, Tally>;

void report(const char* what, const Frame& frame, std::size_t i, Isa isa, Method method) {
    ADD_FAILURE() << what << " by " << method_name(method) << " on " << lanecull::isa_name(isa) << ", seed "
                  << frame.seed << ", object " << i << ", view's margin " << frame.margin << "\n"
                  << frame.camera.describe() << "\n"
                  << describe(frame.kind, frame.cases[i].object, frame.hulls);
}

void count(const Frame& frame, const ViewResult& planes, const ViewResult& result, Isa isa, Method method,
           Tally& tally) {
    constexpr std::uint64_t reports = 3;
    expect_complete(result.counts, frame.cases.size());
    EXPECT_EQ(result.counts[lanecull::Reason::visible_invalid], 0u);
    if (!frame.sight.point) {
        EXPECT_EQ(result.counts[lanecull::Reason::culled_distance] + result.counts[lanecull::Reason::culled_near], 0u);
    }
    tally.counts += result.counts;
    for (std::size_t i = 0; i < frame.cases.size(); ++i) {
        const Case& c = frame.cases[i];
        ++tally.objects;
        tally.must_stay += c.must_stay;
        tally.must_go += c.must_go;
        if (c.must_stay && !result.visible(i) && ++tally.false_culls <= reports) {
            report("visible, culled", frame, i, isa, method);
        }
        if (c.must_go && result.visible(i) && ++tally.false_keeps <= reports)
            report("not culled", frame, i, isa, method);
        tally.well_near += c.well_near;
        tally.kept_near += c.well_near && result.visible(i);
        if (c.well_apart && planes.visible(i)) {
            ++tally.stage_two;
            tally.kept += result.visible(i);
        }
    }
}

void cull_frame(const Frame& frame, const Streams& streams, Tallies& tallies) {
    std::vector<Object> objects;
    for (const Case& c : frame.cases) objects.push_back(c.object);
    HeapMemory memory;
    const Format format{.bounds = frame.seed % 4 != 0, .streams = streams};
    const lanecull::Batch batch = make_batch(frame.kind, objects, frame.hulls, memory, format);
    for (const Isa isa : runnable_isas()) {
        const ViewResult planes = run_cull(batch, frame.view, {.method = Method::planes, .isa = isa});
        for (const Method method : all_methods) {
            const ViewResult result = run_cull(batch, frame.view, {.method = method, .isa = isa});
            count(frame, planes, result, isa, method, tallies[{isa, method}]);
        }
    }
}

class AttributesOf : public testing::TestWithParam<Kind> {
protected:
    const Kind kind_ = GetParam();

    /// All projections; nothing culled that has to stay, and the other way round.
    Tallies run(const char* name, int cameras, std::size_t objects, const Ask& ask) const {
        SCOPED_TRACE(name);
        Tallies tallies;
        int refused = 0;
        for (const Projection projection : all_projections) {
            for (int c = 0; c < scaled(cameras); ++c) {
                const int test = 10 * static_cast<int>(projection) + static_cast<int>(kind_);
                Frame frame;
                const auto seed = static_cast<std::uint64_t>(1000 * test + c);
                if (make_frame(kind_, projection, seed, objects, ask, frame)) {
                    cull_frame(frame, ask.streams, tallies);
                } else {
                    ++refused;
                }
            }
        }
        EXPECT_LE(refused, scaled(cameras));
        print_figures(name, tallies);
        for (const auto& [key, tally] : tallies) {
            SCOPED_TRACE(std::string(lanecull::isa_name(key.first)) + " " + method_name(key.second));
            EXPECT_EQ(tally.false_culls, 0u);
            EXPECT_EQ(tally.false_keeps, 0u);
            EXPECT_GT(tally.must_stay, tally.objects / 20);
        }
        return tallies;
    }

    void print_figures(const char* name, const Tallies& tallies) const {
        const auto number = [](std::uint64_t n) { return static_cast<unsigned long long>(n); };
        const Tally& t = tallies.at({runnable_isas().back(), Method::automatic});
        const lanecull::Counts& s = t.counts;
        std::printf(
            "[ figures  ] %-14s %-12s objects %llu must stay %llu must go %llu | culled: plane %llu gjk %llu distance "
            "%llu near %llu size %llu | well apart, open to planes %llu, kept %llu | well near %llu, kept %llu\n",
            kind_name(kind_), name, number(t.objects), number(t.must_stay), number(t.must_go),
            number(s[lanecull::Reason::culled_plane]), number(s[lanecull::Reason::culled_gjk]),
            number(s[lanecull::Reason::culled_distance]), number(s[lanecull::Reason::culled_near]),
            number(s[lanecull::Reason::culled_size]), number(t.stage_two), number(t.kept), number(t.well_near),
            number(t.kept_near));
    }
};

TEST_P(AttributesOf, GrownShapesAreNeverWrongAndExact) {
    Tallies all;
    const Ask asks[] = {{{.margin = true}, false, false, false},
                        {{.sweep = true}, false, false, false},
                        {{.margin = true, .sweep = true}, true, false, false},
                        {{}, true, false, false}};
    const char* const names[] = {"margin", "sweep", "all growth", "view margin"};
    for (std::size_t k = 0; k < std::size(asks); ++k) {
        for (const auto& [key, tally] : run(names[k], 25, 144, asks[k])) {
            all[key].stage_two += tally.stage_two;
            all[key].kept += tally.kept;
        }
    }
    for (const auto& [key, tally] : all) {
        if (key.second == Method::planes || (tally.stage_two < enough_for_shares && test_scale() < 1)) continue;
        SCOPED_TRACE(std::string(lanecull::isa_name(key.first)) + " " + method_name(key.second));
        EXPECT_GE(tally.stage_two, enough_for_shares);
        EXPECT_LT(static_cast<double>(tally.kept), kept_share_allowed * static_cast<double>(tally.stage_two));
    }
}

void expect_shares(const Tallies& tallies, lanecull::Reason reason, double least) {
    for (const auto& [key, tally] : tallies) {
        EXPECT_GT(static_cast<double>(tally.counts[reason]), least * static_cast<double>(tally.objects));
    }
}

TEST_P(AttributesOf, DistancesAreNeverWrong) {
    const Streams distance{.max_distance = true};
    expect_shares(run("distance", 4, 48, {distance, false, false, false}), lanecull::Reason::culled_distance, 0.02);
    expect_shares(run("from own eye", 4, 48, {distance, false, true, false}), lanecull::Reason::culled_distance, 0.02);
    const Streams grown{.margin = true, .sweep = true, .max_distance = true};
    expect_shares(run("grown", 4, 48, {grown, true, false, false}), lanecull::Reason::culled_distance, 0.02);
}

TEST_P(AttributesOf, LeastDistancesAreNeverWrong) {
    const auto expect_few_kept = [](const Tallies& tallies) {
        expect_shares(tallies, lanecull::Reason::culled_near, 0.02);
        for (const auto& [key, tally] : tallies) EXPECT_LE(20 * tally.kept_near, tally.well_near);
    };
    const Streams near{.min_distance = true};
    expect_few_kept(run("near", 4, 48, {near, false, false, false}));
    expect_few_kept(run("near, own eye", 4, 48, {near, false, true, false}));
    const Streams grown{.margin = true, .sweep = true, .min_distance = true};
    expect_few_kept(run("near, grown", 4, 48, {grown, true, false, false}));
}

TEST_P(AttributesOf, SizesAreNeverWrong) {
    const Streams size{.min_projected_size = true};
    expect_shares(run("size", 4, 48, {size, false, false, false}), lanecull::Reason::culled_size, 0.02);
    expect_shares(run("by own scale", 4, 48, {size, false, true, true}), lanecull::Reason::culled_size, 0.02);
    const Streams grown{.margin = true, .sweep = true, .min_projected_size = true};
    expect_shares(run("grown", 4, 48, {grown, true, false, false}), lanecull::Reason::culled_size, 0.02);
}

TEST_P(AttributesOf, AllAtOnce) {
    const Tallies tallies = run("all at once", 8, 48, {Streams::all(), true, false, false});
    using enum lanecull::Reason;
    for (const lanecull::Reason reason :
         {culled_distance, culled_near, culled_size, culled_disabled, culled_layer, visible_always}) {
        expect_shares(tallies, reason, 0.01);
    }
}

/// By flags and layers alone: the rest has the verdicts it would have without them, and each count is what it says.
TEST_P(AttributesOf, FlagsAndLayersComeFirst) {
    Random random(31 + static_cast<std::uint64_t>(kind_));
    for (int c = 0; c < scaled(50); ++c) {
        const PreparedCamera prepared = random_prepared_camera(random, all_projections[c % 9]);
        const HullSet hulls = random_hulls(random, 3);
        const auto count = static_cast<std::size_t>(random.below(200));
        std::vector<Object> objects = random_objects(random, kind_, prepared.camera, count, hulls);
        for (Object& object : objects) mark(random, object);
        const Streams streams{.flags = c % 3 != 1, .layers = c % 3 != 2};
        const auto mask = static_cast<std::uint32_t>(c % 7 == 0 ? 0 : random.bits() & random.bits());
        lanecull::View view;
        ASSERT_TRUE(prepared.camera.prepare(view, {.hidden_layers = ~mask}));
        HeapMemory memory;
        const lanecull::Batch plain = make_batch(kind_, objects, hulls, memory);
        const lanecull::Batch marked = make_batch(kind_, objects, hulls, memory, {.streams = streams});
        for (const Isa isa : runnable_isas()) {
            for (const Method method : all_methods) {
                const ViewResult base = run_cull(plain, view, {.method = method, .isa = isa});
                const ViewResult result = run_cull(marked, view, {.method = method, .isa = isa});
                std::uint64_t disabled = 0, other_layer = 0, always = 0;
                for (std::size_t i = 0; i < count; ++i) {
                    const bool off = streams.flags && (objects[i].flags & lanecull::object_disabled) != 0;
                    const bool elsewhere = !off && streams.layers && (objects[i].layers & mask) == 0;
                    const bool on = !off && !elsewhere && streams.flags &&
                                    (objects[i].flags & lanecull::object_always_visible) != 0;
                    disabled += off, other_layer += elsewhere, always += on;
                    EXPECT_EQ(result.visible(i), !off && !elsewhere && (on || base.visible(i))) << i;
                }
                expect_complete(result.counts, count);
                EXPECT_EQ(result.counts[lanecull::Reason::culled_disabled], disabled);
                EXPECT_EQ(result.counts[lanecull::Reason::culled_layer], other_layer);
                EXPECT_EQ(result.counts[lanecull::Reason::visible_always], always);
                EXPECT_EQ(result.counts.visible(), result.visible_count);
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(All, AttributesOf, testing::ValuesIn(all_kinds),
                         [](const auto& parameter) { return std::string(kind_name(parameter.param)); });

}  // namespace
