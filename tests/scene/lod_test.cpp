#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include <lanecull/scene.h>

#include "oracle/exact_objects.hpp"
#include "support/culling.hpp"
#include "support/scale.hpp"
#include "view/prepared_view.hpp"

/// Distances and levels of detail from scenes. Compares distances with exact arithmetic and levels with their
/// definition, and tests that levels do not flicker.

namespace {

using lanecull::Batch;
using lanecull::Handle;
using lanecull::Isa;
using lanecull::LodOutput;
using lanecull::Scene;
using lanecull::View;
using oracle::Real;

/// What one view sees.
struct Sighting {
    std::vector<Handle> handles;
    std::vector<float> distances;
    std::vector<std::uint8_t> levels;
};

/// How levels are chosen.
struct Choice {
    std::vector<float> thresholds;
    float hysteresis = 0;
    std::span<std::uint8_t> latest = {};
};

Sighting look(const Scene& scene, const View& view, const Choice& choice, const lanecull::CullOptions& options = {}) {
    const auto objects = static_cast<std::size_t>(scene.object_count());
    Sighting seen{std::vector<Handle>(objects), std::vector<float>(objects, -1), std::vector<std::uint8_t>(objects)};
    std::vector<std::byte> scratch(lanecull::scratch_bytes(scene, 1));
    lanecull::SceneOutput of_scene;
    of_scene.handles = seen.handles;
    if (contents_of(view).has_eye != 0) of_scene.lod.distances = seen.distances;
    if (!choice.thresholds.empty()) {
        of_scene.lod.levels = seen.levels;
        of_scene.lod.thresholds = choice.thresholds;
        of_scene.lod.hysteresis = choice.hysteresis;
        of_scene.lod.latest = choice.latest;
    }
    lanecull::Output output{.scene = &of_scene};
    const lanecull::Status status = lanecull::cull(scene, {&view, 1}, {&output, 1}, scratch, options);
    EXPECT_TRUE(status.ok()) << status.message();
    const auto visible = static_cast<std::size_t>(output.visible_count);
    seen.handles.resize(visible);
    seen.distances.resize(visible);
    seen.levels.resize(visible);
    return seen;
}

/// A view that sees everything up to `reach` from the world's origin, from a place of its own.
View view_from(const Double3& eye, double size_scale, double reach = 1e9) {
    std::array<double, 24> corners{};
    for (std::size_t c = 0; c < 8; ++c) {
        for (std::size_t j = 0; j < 3; ++j) corners[3 * c + j] = (c >> j & 1) != 0 ? reach : -reach;
    }
    View view;
    EXPECT_TRUE(lanecull::prepare_view_from_corners(corners, view, {.eye = eye.data(), .size_scale = size_scale}).ok());
    return view;
}

/// A multiple of 2^-24, so that sums of it and of origins below are exact.
double on_grid(double x) { return std::ldexp(std::round(std::ldexp(x, 24)), -24); }

/// One object, its distance from the eye in exact arithmetic; `tight`: the formula leaves no room for more.
struct Truth {
    const exact::Volume& eye;  ///< relative to the objects' origin
    double slack;              ///< 2^-44 of the coordinates, the eye's included

    [[nodiscard]] bool within(const exact::Solid& solid, double distance) const {
        return decide(solid, eye.widened(exact::rational(distance))).verdict == exact::Verdict::visible;
    }
};

double largest_coordinate(const exact::Solid& solid) {
    double most = std::fabs(exact::to_double({solid.radius, 0, 0}).x);
    for (const exact::Point& p : solid.points) {
        const auto q = exact::to_double(p);
        most = std::max({most, std::fabs(q.x), std::fabs(q.y), std::fabs(q.z)});
    }
    return most;
}

class SceneLods : public testing::TestWithParam<Kind> {
protected:
    const Kind kind_ = GetParam();
    std::uint64_t bounds_ = 0, positive_ = 0, tight_ = 0;

    /// Where the eye is: the view's own, or any with the objects' origin far out.
    struct Place {
        View view;
        lanecull::AddOptions add;
        exact::Volume eye;
    };
    static Place own_eye(const PreparedCamera& prepared) {
        // Widened, so that it sees what is around the eye as well.
        View view;
        const double margin = 3 * prepared.camera.size_at(prepared.camera.depth[0]);
        EXPECT_TRUE(prepared.camera.prepare(view, {.margin = margin}).ok());
        return {view, {}, exact_eye_of(prepared.camera)};
    }
    static Place any_eye(Random& random, const Camera& camera) {
        Double3 world{}, relative{};
        lanecull::AddOptions add;
        for (std::size_t j = 0; j < 3; ++j) {
            const double around = 10 * camera.size_at(camera.depth[0]);
            relative[j] = on_grid(camera.eye[j] + around * random.range(-1, 1));
            add.origin[j] = random.chance(0.5) ? 1024 * std::round(random.range(-1e4, 1e4)) : 0;
            world[j] = relative[j] + add.origin[j];
            EXPECT_EQ(world[j] - add.origin[j], relative[j]);
        }
        const exact::Point point = exact::point(relative[0], relative[1], relative[2]);
        return {view_from(world, 1), add, exact::Volume::hull({&point, 1})};
    }

    void check(const std::vector<Object>& objects, const HullSet& hulls, const Streams& streams, const Place& place) {
        HeapMemory memory;
        const Batch batch = make_batch(kind_, objects, hulls, memory, {.streams = streams});
        Scene scene;
        std::vector<Handle> handles(objects.size());
        ASSERT_TRUE(scene.add({&batch, 1}, handles, place.add).ok());
        std::vector<std::size_t> object_of(static_cast<std::size_t>(scene.handle_limit()));
        for (std::size_t i = 0; i < handles.size(); ++i) object_of[handles[i]] = i;
        const Sighting seen = look(scene, place.view, {});
        for (std::size_t k = 0; k < seen.handles.size(); ++k) {
            const Object& object = objects[object_of[seen.handles[k]]];
            check_bound(object, hulls, place, static_cast<double>(seen.distances[k]));
            if (HasFatalFailure()) return;
        }
    }
    void check_bound(const Object& object, const HullSet& hulls, const Place& place, double bound) {
        if (std::isnan(object.fields[0])) {
            ASSERT_EQ(bound, 0) << "of an invalid object";
            return;
        }
        const exact::Solid solid = exact_solid_of(kind_, object, hulls);
        const auto where = exact::to_double(place.eye.points()[0]);
        const double coordinates = largest_coordinate(solid) + std::fabs(where.x) + std::fabs(where.y) +
                                   std::fabs(where.z) + std::fabs(place.add.origin[0]) +
                                   std::fabs(place.add.origin[1]) + std::fabs(place.add.origin[2]);
        const Truth truth{place.eye, 0x1p-40 * coordinates};
        ASSERT_GE(bound, 0);
        ++bounds_;
        if (bound > 0) {
            ++positive_;
            ASSERT_FALSE(truth.within(solid, bound)) << bound << ": " << describe(kind_, object, hulls);
        }
        const bool swept = object.sweep != std::array<float, 3>{};
        const bool exact_shape = kind_ == Kind::sphere || kind_ == Kind::box || kind_ == Kind::centered_box;
        if (swept || !exact_shape) return;
        ++tight_;
        ASSERT_TRUE(truth.within(solid, bound * (1 + 0x1p-21) + truth.slack))
            << bound << ": " << describe(kind_, object, hulls);
    }
};

TEST_P(SceneLods, DistancesAreLowerBounds) {
    const std::uint64_t seed = 51 + static_cast<std::uint64_t>(kind_);
    Random random(seed);
    const int rounds = scaled(12);
    for (int round = 0; round < rounds; ++round) {
        SCOPED_TRACE(testing::Message() << "seed " << seed << ", round " << round);
        const PreparedCamera prepared =
            random_prepared_camera(random, all_projections[static_cast<std::size_t>(round) % 6]);
        const HullSet hulls = random_hulls(random, 3);
        std::vector<Object> objects;
        Streams streams;
        streams.margin = random.chance(0.3);
        streams.sweep = random.chance(0.3);
        for (int i = 0; i < 40; ++i) {
            const Placement placement = all_placements[static_cast<std::size_t>(random.below(6))];
            objects.push_back(random_object(random, kind_, prepared.camera, placement, hulls));
            if (streams.margin || streams.sweep) grow(random, kind_, hulls, streams, objects.back());
        }
        objects[7].fields[0] = std::numeric_limits<float>::quiet_NaN();
        check(objects, hulls, streams, own_eye(prepared));
        check(objects, hulls, streams, any_eye(random, prepared.camera));
        if (HasFatalFailure()) return;
    }
    std::printf("seed %llu: %llu bounds, %llu of them positive, %llu of shapes that are exact\n",
                static_cast<unsigned long long>(seed), static_cast<unsigned long long>(bounds_),
                static_cast<unsigned long long>(positive_), static_cast<unsigned long long>(tight_));
    EXPECT_GT(bounds_, 20u * static_cast<unsigned>(rounds));
    EXPECT_GT(positive_, 10u * static_cast<unsigned>(rounds));
}

/// The radius that sizes are made of, as LodOutput has it.
Real radius_of(Kind kind, const Object& object, const Batch& batch, std::size_t i, const HullSet& hulls) {
    if (const auto* boxes = batch.get_if<lanecull::OrientedBoxes>()) return boxes->bounding_radius[i];
    if (const auto* instances = batch.get_if<lanecull::HullInstances>()) {
        return instances->bounding_radius[i];
    }
    const oracle::Solid shape = shape_of(kind, object, hulls);
    Real most = 0;
    for (const oracle::Vec a : shape.points) {
        for (const oracle::Vec b : shape.points) most = std::max(most, length(a - b));
    }
    return most / 2 + shape.radius;
}

/// By definition; none where a threshold is too close to tell.
std::optional<std::uint8_t> level_by_definition(std::span<const float> thresholds, Real size) {
    std::uint8_t level = 0;
    for (const float t : thresholds) {
        const Real threshold = static_cast<Real>(t);
        if (std::fabs(size - threshold) <= 1e-9L * threshold) return std::nullopt;
        level = static_cast<std::uint8_t>(level + (size < threshold));
    }
    return level;
}

/// Any view's sizes, on every instruction set.
TEST_P(SceneLods, LevelsAreThoseOfTheSizes) {
    const std::uint64_t seed = 61 + static_cast<std::uint64_t>(kind_);
    Random random(seed);
    std::vector<std::uint64_t> of_level(4);
    for (int round = 0; round < scaled(18); ++round) {
        SCOPED_TRACE(testing::Message() << "seed " << seed << ", round " << round);
        const PreparedCamera prepared = random_prepared_camera(
            random, all_projections[static_cast<std::size_t>(round) % std::size(all_projections)]);
        const HullSet hulls = random_hulls(random, 3);
        std::vector<Object> objects = random_objects(random, kind_, prepared.camera, 500, hulls);
        const Streams streams{.margin = true, .sweep = round % 2 == 0};
        for (Object& object : objects) grow(random, kind_, hulls, streams, object);
        objects[3].fields[0] = std::numeric_limits<float>::infinity();
        HeapMemory memory;
        const Batch batch = make_batch(kind_, objects, hulls, memory, {.streams = streams});
        Scene scene;
        std::vector<Handle> handles(objects.size());
        ASSERT_TRUE(scene.add({&batch, 1}, handles).ok());
        std::vector<std::size_t> object_of(static_cast<std::size_t>(scene.handle_limit()));
        for (std::size_t i = 0; i < handles.size(); ++i) object_of[handles[i]] = i;
        const Choice choice{{0.5f, 0.1f, 0.02f}};
        const auto& view = contents_of(prepared.view);
        for (const Isa isa : runnable_isas()) {
            const Sighting seen = look(scene, prepared.view, choice, {.isa = isa});
            for (std::size_t k = 0; k < seen.handles.size(); ++k) {
                const std::size_t i = object_of[seen.handles[k]];
                Real size = std::numeric_limits<Real>::infinity();
                if (i != 3) {
                    const Real over = view.size_by_distance != 0 ? static_cast<Real>(seen.distances[k]) : 1;
                    size = static_cast<Real>(view.size_scale) * radius_of(kind_, objects[i], batch, i, hulls) / over;
                    if (over == 0) size = std::numeric_limits<Real>::infinity();
                }
                const std::optional<std::uint8_t> level = level_by_definition(choice.thresholds, size);
                if (!level) continue;
                ASSERT_EQ(seen.levels[k], *level) << describe(kind_, objects[i], hulls);
                ++of_level[*level];
            }
        }
    }
    for (std::size_t l = 0; l < of_level.size(); ++l) EXPECT_GT(of_level[l], 0u) << "level " << l;
}

/// Any one number that makes an object no shape: it may be anywhere, so it is near, and fine.
TEST_P(SceneLods, InvalidObjectsAreAtNoDistance) {
    Random random(81);
    const HullSet hulls = random_hulls(random, 1);
    const Double3 place{50, 60, 70}, eye{0, 0, 0};
    for (std::size_t field = 0; field < field_count(kind_); ++field) {
        for (const float bad : {NAN, INFINITY, -INFINITY}) {
            SCOPED_TRACE(testing::Message() << "number " << field << " is " << bad);
            std::vector<Object> objects(2, object_at(random, kind_, place, 0.01, hulls));
            objects[0].fields[field] = bad;
            HeapMemory memory;
            const Batch batch = make_batch(kind_, objects, hulls, memory);
            Scene scene;
            std::vector<Handle> handles(2);
            ASSERT_TRUE(scene.add({&batch, 1}, handles).ok());
            const Sighting seen = look(scene, view_from(eye, 1), {{0.5f}});
            ASSERT_EQ(seen.handles.size(), 2u);
            for (std::size_t k = 0; k < 2; ++k) {
                EXPECT_EQ(seen.distances[k] == 0, seen.handles[k] == handles[0]);
                EXPECT_EQ(seen.levels[k], seen.handles[k] == handles[0] ? 0 : 1)
                    << seen.distances[k] << describe(kind_, objects[1], hulls);
            }
        }
    }
}

/// A cube around the origin is 9.5 away, wherever its local box and the transform that brings it back are.
TEST(SceneLod, DistancesDoNotDependOnTheLocalPlace) {
    const Double3 eye = {10, 0, 0};
    for (const float away : {0.0f, 1e3f, 1e5f}) {
        const float matrix[12] = {1, 0, 0, -away, 0, 1, 0, -away, 0, 0, 1, -away};
        const float low = away - 0.5f, high = away + 0.5f;
        const lanecull::BoxInstances cube{{.first = matrix, .layout = lanecull::TransformLayout::rows_3x4},
                                          {{&low, &low, &low, &high, &high, &high, 1}},
                                          1};
        const Batch batch = cube;
        Scene scene;
        Handle handle{};
        ASSERT_TRUE(scene.add({&batch, 1}, {&handle, 1}).ok());
        const Sighting seen = look(scene, view_from(eye, 1), {});
        ASSERT_EQ(seen.distances.size(), 1u);
        EXPECT_LE(seen.distances[0], 9.5f);
        EXPECT_GE(seen.distances[0], 9.5f - 1e-5f) << away;
    }
}

/// A negative size makes an object no shape, however small it is, and whatever margin and sweep make of it.
TEST(SceneLod, NegativeSizesAreNotHidden) {
    struct Case {
        Kind kind;
        std::array<float, 7> fields;
    };
    const Case cases[] = {{Kind::sphere, {50, 60, 70, -0.1f}},
                          {Kind::box, {50, 61, 70, 51, 60, 71}},
                          {Kind::centered_box, {50, 60, 70, 1, -0x1p-149f, 1}},
                          {Kind::capsule, {50, 60, 70, 55, 60, 70, -0.1f}}};
    for (const Case& c : cases) {
        Object object;
        std::copy(c.fields.begin(), c.fields.end(), object.fields.begin());
        object.margin = 1;
        object.sweep = {0, -3, 0};
        for (const Streams streams : {Streams{}, Streams{.margin = true}, Streams{.margin = true, .sweep = true}}) {
            HeapMemory memory;
            const Batch batch = make_batch(c.kind, {&object, 1}, {}, memory, {.streams = streams});
            Scene scene;
            Handle handle = 0;
            ASSERT_TRUE(scene.add({&batch, 1}, {&handle, 1}).ok());
            const Sighting seen = look(scene, view_from({0, 0, 0}, 1), {{0.5f}});
            ASSERT_EQ(seen.handles.size(), 1u) << kind_name(c.kind);
            EXPECT_EQ(seen.distances[0], 0) << kind_name(c.kind);
            EXPECT_EQ(seen.levels[0], 0) << kind_name(c.kind);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(All, SceneLods, testing::ValuesIn(all_kinds),
                         [](const auto& kind) { return std::string(kind_name(kind.param)); });

/// Balls of radius 1 in a row, 10 and more from the origin.
struct Balls {
    std::vector<float> x, y, z, radius;
    Scene scene;
    std::vector<Handle> handles;

    explicit Balls(std::size_t count) : y(count), z(count), radius(count, 1), handles(count) {
        for (std::size_t i = 0; i < count; ++i) x.push_back(10 + 0.15f * static_cast<float>(i));
        const Batch batch =
            lanecull::Spheres{x.data(), y.data(), z.data(), radius.data(), static_cast<std::uint32_t>(count)};
        EXPECT_TRUE(scene.add({&batch, 1}, handles).ok());
    }
};

/// A ball of radius 1, 9 units from a camera that sees 60 degrees from top to bottom, is 1 / (9 tan 30) of its height.
TEST(SceneLod, SizesAreSharesOfTheViewsHeight) {
    const Balls balls(1);
    const double f = 1 / std::tan(M_PI / 6);
    // Looks along x.
    const std::array<double, 16> matrix{0, -f, 0, 0, 0, 0, f, 0, 1.01, 0, 0, -0.1, 1, 0, 0, 0};
    View view;
    const lanecull::Status status = lanecull::prepare_view(matrix, {.layout = lanecull::MatrixLayout::row_major}, view);
    ASSERT_TRUE(status.ok()) << status.message();
    const auto level = [&](double threshold) {
        const Sighting seen = look(balls.scene, view, {{static_cast<float>(threshold)}});
        EXPECT_EQ(seen.handles.size(), 1u);
        EXPECT_NEAR(static_cast<double>(seen.distances.at(0)), 9, 1e-5);
        return seen.levels.at(0);
    };
    EXPECT_EQ(level(0.999 * f / 9), 0);
    EXPECT_EQ(level(1.001 * f / 9), 1);
}

/// What the documentation promises of `latest`, said once more.
class Keeper {
public:
    explicit Keeper(const Choice& choice) : choice_(choice) {}

    /// None where it cannot be told for rounding.
    [[nodiscard]] std::optional<std::uint8_t> next(std::uint8_t last, Real size) const {
        const std::span<const float> t = choice_.thresholds;
        const Real band = 1 + static_cast<Real>(choice_.hysteresis);
        if (last > t.size()) return level_by_definition(t, size);
        bool keeps = true;
        if (last > 0) {
            const Real above = static_cast<Real>(t[last - 1]) * band;
            if (std::fabs(size - above) < 1e-9L * above) return std::nullopt;
            keeps = keeps && size < above;
        }
        if (last < t.size()) {
            const Real below = static_cast<Real>(t[last]) / band;
            if (std::fabs(size - below) < 1e-9L * below) return std::nullopt;
            keeps = keeps && size >= below;
        }
        return keeps ? last : level_by_definition(t, size);
    }

private:
    const Choice& choice_;
};

/// An eye that trembles while it walks away and back: each level is left but when the size has changed by more than the
/// band, edits that move objects to other slots included.
TEST(SceneLod, LevelsDoNotFlicker) {
    constexpr std::uint64_t seed = 71;
    Balls balls(700);
    std::vector<std::uint8_t> latest(static_cast<std::size_t>(balls.scene.handle_limit()), lanecull::no_lod);
    std::vector<std::uint8_t> plain(latest), last(latest);
    std::vector<Real> taken(latest.size());
    const Choice choice{{0.05f, 0.03f, 0.02f, 0.012f}, 0.2f, latest};
    Random random(seed);
    std::uint64_t changes = 0, plain_changes = 0;
    for (int frame = 0; frame < 150; ++frame) {
        SCOPED_TRACE(testing::Message() << "seed " << seed << ", frame " << frame);
        const int way = std::min(frame, 150 - frame);
        const View view = view_from({-0.5 * way + random.range(-1, 1), random.range(-1, 1), 0}, 1);
        if (frame == 75) {
            ASSERT_TRUE(balls.scene.rebuild().ok());
        }
        const Sighting seen = look(balls.scene, view, choice);
        const Sighting by_size = look(balls.scene, view, {choice.thresholds});
        ASSERT_EQ(seen.handles.size(), balls.handles.size());
        for (std::size_t k = 0; k < seen.handles.size(); ++k) {
            const Handle h = seen.handles[k];
            const Real size = 1 / static_cast<Real>(seen.distances[k]);
            ASSERT_EQ(latest[h], seen.levels[k]);
            const std::optional<std::uint8_t> expected = Keeper(choice).next(last[h], size);
            if (expected) {
                ASSERT_EQ(seen.levels[k], *expected) << "handle " << h << ", size " << size;
            }
            plain_changes += frame > 0 && plain[h] != by_size.levels[k];
            plain[h] = by_size.levels[k];
            if (last[h] == seen.levels[k]) continue;
            if (last[h] != lanecull::no_lod) {
                ++changes;
                ASSERT_GT(std::max(size / taken[h], taken[h] / size), 1.2L * (1 - 1e-6L)) << "handle " << h;
            }
            last[h] = seen.levels[k];
            taken[h] = size;
        }
    }
    std::printf("seed %llu: %llu changes, %llu without hysteresis\n", static_cast<unsigned long long>(seed),
                static_cast<unsigned long long>(changes), static_cast<unsigned long long>(plain_changes));
    EXPECT_GT(changes, 100u);
    EXPECT_GT(plain_changes, 2 * changes);
}

/// Outputs shorter than the list, between pages nobody may touch; `latest` is of all objects all the same.
TEST(SceneLod, OutputsMayBeShort) {
    const Balls balls(300);
    const View view = view_from({0, 0, 0}, 1);
    const std::vector<float> thresholds = {0.05f, 0.03f};
    const Sighting whole = look(balls.scene, view, {thresholds});
    ASSERT_EQ(whole.handles.size(), 300u);
    for (const std::size_t room : {0u, 1u, 64u, 100u, 299u}) {
        SCOPED_TRACE(room);
        GuardedMemory memory(GuardedMemory::Against::end);
        const auto limit = static_cast<std::size_t>(balls.scene.handle_limit());
        const std::size_t scratch = lanecull::scratch_bytes(balls.scene, 1);
        lanecull::SceneOutput of_scene;
        lanecull::Output output{.scene = &of_scene};
        LodOutput& lod = of_scene.lod;
        if (room > 0) lod.distances = {memory.array<float>(room), room};
        if (room > 0) lod.levels = {memory.array<std::uint8_t>(room), room};
        lod.latest = {memory.array<std::uint8_t>(limit), limit};
        std::fill_n(lod.latest.begin(), limit, lanecull::no_lod);
        lod.thresholds = thresholds;
        ASSERT_TRUE(
            lanecull::cull(balls.scene, {&view, 1}, {&output, 1}, {memory.array<std::byte>(scratch), scratch}).ok());
        EXPECT_EQ(output.visible_count, 300u);
        for (std::size_t k = 0; k < room; ++k) {
            ASSERT_EQ(lod.distances[k], whole.distances[k]);
            ASSERT_EQ(lod.levels[k], whole.levels[k]);
        }
        for (std::size_t k = 0; k < 300; ++k) ASSERT_EQ(lod.latest[whole.handles[k]], whole.levels[k]);
    }
}

/// A call with one argument that breaks its rule.
class BadLod : public testing::Test {
protected:
    std::string message(const View& view, const LodOutput& lod) {
        lanecull::SceneOutput of_scene{.lod = lod};
        lanecull::Output output{.scene = &of_scene};
        std::vector<std::byte> scratch(lanecull::scratch_bytes(balls_.scene, 1));
        return std::string(lanecull::cull(balls_.scene, {&view, 1}, {&output, 1}, scratch).message());
    }
    const Balls balls_{10};
    const View view_ = view_from({0, 0, 0}, 1);
    std::vector<float> distances_ = std::vector<float>(10), thresholds_ = {0.1f, 0.01f};
    std::vector<std::uint8_t> levels_ = std::vector<std::uint8_t>(10), latest_ = std::vector<std::uint8_t>(10);
};

TEST_F(BadLod, IsNamed) {
    using testing::Message;
    const auto expect = [&](const View& view, const LodOutput& lod, const char* words) {
        EXPECT_NE(message(view, lod).find(words), std::string::npos) << message(view, lod);
    };
    const LodOutput good{
        .distances = distances_, .levels = levels_, .thresholds = thresholds_, .hysteresis = 0.1f, .latest = latest_};
    EXPECT_EQ(message(view_, good), "");
    std::array<double, 24> corners{};
    for (std::size_t c = 0; c < 24; ++c) corners[c] = (c / 3 >> c % 3 & 1) != 0 ? 100 : -100;
    View no_eye;
    ASSERT_TRUE(lanecull::prepare_view_from_corners(corners, no_eye).ok());
    expect(no_eye, good, "outputs[0].lod.distances: view 0 has no eye");
    expect(no_eye, {.levels = levels_, .thresholds = thresholds_}, "outputs[0].lod.levels: view 0 has no size scale");
    for (const std::vector<float>& bad : {std::vector<float>{},
                                          {0.1f, 0.1f},
                                          {0.1f, 0.2f},
                                          {0.1f, 0.f},
                                          {NAN},
                                          {INFINITY},
                                          std::vector<float>(16, 1)}) {
        expect(view_, {.levels = levels_, .thresholds = bad}, "outputs[0].lod.thresholds");
        expect(view_, {.thresholds = bad, .latest = latest_}, "outputs[0].lod.thresholds");
    }
    for (const float bad : {-0.1f, 1.1f, NAN}) {
        expect(view_, {.levels = levels_, .thresholds = thresholds_, .hysteresis = bad}, "outputs[0].lod.hysteresis");
    }
    LodOutput bad = good;
    bad.latest = bad.latest.first(9);
    expect(view_, bad, "outputs[0].lod.latest: 9 entries");
    bad.latest = levels_;
    expect(view_, bad, "overlaps");
}

}  // namespace
