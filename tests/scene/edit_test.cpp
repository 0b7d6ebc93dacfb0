#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <lanecull/scene.hpp>

#include "scene/file_format.hpp"
#include "support/culling.hpp"
#include "support/generate.hpp"
#include "support/new_threads.hpp"
#include "support/scale.hpp"
#include "support/scene_file.hpp"

/// Scenes that are edited, saved and loaded, compared with a copy of their objects that is culled flat.

namespace {

using lanecull::Handle;
using lanecull::Mobility;
using lanecull::Scene;
using lanecull::SceneOutput;
using lanecull::View;

/// Objects by handle, of all kinds, and the scene that should hold the same.
class Shadowed {
public:
    explicit Shadowed(std::uint64_t seed) : random_(seed), hulls_(random_hulls(random_, 6)) {}

    Scene scene;

    void add(std::size_t count) {
        const Kind kind = any_kind();
        std::vector<Object> objects;
        while (objects.size() < count) objects.push_back(any_object(kind));
        HeapMemory memory;
        const lanecull::Batch batch = make_batch(kind, objects, hulls_, memory, {.streams = any_streams(objects)});
        std::vector<Handle> handles(count);
        const Mobility mobility = random_.chance(0.5) ? Mobility::fixed : Mobility::moving;
        const lanecull::Status status = scene.add({&batch, 1}, handles, {.mobility = mobility});
        ASSERT_TRUE(status.ok()) << status.message();
        for (std::size_t i = 0; i < count; ++i) {
            if (handles[i] >= there_.size()) there_.resize(handles[i] + 1);
            ASSERT_FALSE(there_[handles[i]].has) << "a name was given twice";
            there_[handles[i]] = {true, kind, objects[i]};
            named_.push_back(handles[i]);
        }
    }

    void remove(std::size_t count) {
        const std::vector<Handle> handles = some(count);
        ASSERT_TRUE(scene.remove(handles).ok());
        for (const Handle h : handles) there_[h].has = false;
        std::erase_if(named_, [&](Handle h) { return !there_[h].has; });
    }

    void replace(std::size_t count) {
        const std::vector<Handle> handles = some(count);
        const Kind kind = any_kind();
        std::vector<Object> objects;
        while (objects.size() < handles.size()) objects.push_back(any_object(kind));
        HeapMemory memory;
        const lanecull::Batch batch = make_batch(kind, objects, hulls_, memory, {.streams = any_streams(objects)});
        ASSERT_TRUE(scene.replace(handles, batch).ok());
        for (std::size_t i = 0; i < handles.size(); ++i) there_[handles[i]] = {true, kind, objects[i]};
    }

    void move(std::size_t count) {
        const std::vector<Handle> handles = some(count);
        std::vector<float> by[3];
        for (const Handle h : handles) {
            float d[3];
            for (std::size_t j = 0; j < 3; ++j) by[j].push_back(d[j] = static_cast<float>(random_.range(-4, 4)));
            shift(there_[h], d);
        }
        ASSERT_TRUE(scene.move(handles, by[0].data(), by[1].data(), by[2].data()).ok());
    }

    /// Objects of one kind, each to a place and size of its own.
    void place(std::size_t count) {
        std::vector<Handle> handles = some(count);
        if (handles.empty()) return;
        const Kind kind = there_[handles[0]].kind;
        std::erase_if(handles, [&](Handle h) { return there_[h].kind != kind; });
        std::vector<Object> objects;
        while (objects.size() < handles.size()) objects.push_back(any_object(kind));
        HeapMemory memory;
        const lanecull::Batch batch = make_batch(kind, objects, hulls_, memory, {.bounds = random_.chance(0.5)});
        ASSERT_TRUE(scene.place(handles, batch).ok());
        for (std::size_t i = 0; i < handles.size(); ++i) {
            Object& object = there_[handles[i]].object;
            object.fields = objects[i].fields;
            object.hull = objects[i].hull;
        }
    }

    void save_and_load() {
        const SceneFile file(scene);
        Scene loaded;
        const lanecull::Status status = Scene::load(file.path(), loaded);
        ASSERT_TRUE(status.ok()) << status.message();
        scene = std::move(loaded);
    }

    /// Any edit, of 1 to `most` objects.
    void edit(std::size_t most) {
        const auto count = static_cast<std::size_t>(random_.range(1, static_cast<double>(most) + 1));
        switch (random_.below(5)) {
            case 0:
                return named_.size() > upper_ ? remove(count) : add(count);
            case 1:
                return named_.size() < upper_ / 2 ? add(count) : remove(count);
            case 2:
                return replace(count);
            case 3:
                return place(8 * count);
            default:
                return move(count);
        }
    }

    /// Every object's bit against its shadow's, by a random camera.
    void compare() {
        ASSERT_EQ(scene.object_count(), named_.size());
        PreparedCamera prepared = any_camera();
        std::vector<std::uint64_t> words(scene.visibility_words()), inside(words.size());
        std::vector<std::byte> scratch(scene.scratch_bytes(1));
        SceneOutput output;
        output.visible = words;
        output.inside = inside;
        const lanecull::Status status = scene.cull({&prepared.view, 1}, {&output, 1}, scratch);
        ASSERT_TRUE(status.ok()) << status.message();
        visible += output.visible_count;
        outside += output.outside_objects;
        std::uint64_t seen = 0;
        for (const Kind kind : all_kinds) {
            std::vector<Object> objects;
            std::vector<Handle> handles;
            for (const Handle h : named_) {
                if (there_[h].kind != kind) continue;
                handles.push_back(h);
                objects.push_back(there_[h].object);
            }
            if (handles.empty()) continue;
            HeapMemory memory;
            // Bounding spheres are those that scenes compute: a moved hull's is not the moved sphere.
            const lanecull::Batch batch = make_batch(kind, objects, hulls_, memory, {.streams = Streams::all()});
            const ViewResult flat = run_cull(batch, prepared.view);
            for (std::size_t i = 0; i < handles.size(); ++i) {
                std::uint32_t slot = 0;
                ASSERT_TRUE(scene.slot_of(handles[i], slot).ok());
                const bool here = (words[slot / 64] >> slot % 64 & 1) != 0;
                seen += here;
                ASSERT_EQ(here, flat.visible(i)) << kind_name(kind) << ", handle " << handles[i] << ": "
                                                 << describe(kind, objects[i], hulls_) << prepared.camera.describe();
            }
        }
        ASSERT_EQ(seen, output.visible_count) << "a vacant slot is visible";
    }

    [[nodiscard]] Kind kind_of(Handle handle) const { return there_[handle].kind; }
    [[nodiscard]] std::size_t size() const { return named_.size(); }
    [[nodiscard]] const std::vector<Handle>& named() const { return named_; }
    Random& random() { return random_; }
    void keep_to(std::size_t objects) { upper_ = objects; }

    std::uint64_t visible = 0, outside = 0;

private:
    struct There {
        bool has = false;
        Kind kind{};
        Object object;
    };

    Kind any_kind() { return all_kinds[random_.below(static_cast<int>(std::size(all_kinds)))]; }

    /// A world of 200 units; most objects are small, some large, a few invalid.
    Object any_object(Kind kind) {
        Double3 place{random_.range(-100, 100), random_.range(-100, 100), random_.range(-10, 10)};
        const double size = random_.chance(0.01) ? random_.log_range(5, 100) : random_.log_range(0.01, 2);
        Object object = object_at(random_, kind, place, size, hulls_);
        if (random_.chance(0.002)) object.fields[0] = std::numeric_limits<float>::quiet_NaN();
        return object;
    }

    /// Attributes for some of the objects, or for none.
    Streams any_streams(std::vector<Object>& objects) {
        if (!random_.chance(0.1)) return {};
        for (Object& object : objects) {
            object.margin = static_cast<float>(random_.unit());
            if (random_.chance(0.1)) mark(random_, object);
            if (random_.chance(0.1)) object.max_distance = static_cast<float>(random_.range(10, 200));
        }
        return Streams::all();
    }

    std::vector<Handle> some(std::size_t count) {
        std::vector<Handle> result;
        for (std::size_t i = 0; i < count && i < named_.size(); ++i) {
            const auto k = i + static_cast<std::size_t>(random_.below(static_cast<int>(named_.size() - i)));
            std::swap(named_[i], named_[k]);
            result.push_back(named_[i]);
        }
        return result;
    }

    static void shift(There& there, const float (&by)[3]) {
        auto& f = there.object.fields;
        for (std::size_t j = 0; j < 3; ++j) {
            if (has_transform(there.kind)) {
                f[4 * j + 3] += by[j];
                continue;
            }
            f[j] += by[j];
            if (there.kind == Kind::box || there.kind == Kind::capsule) f[3 + j] += by[j];
        }
    }

    PreparedCamera any_camera() {
        for (;;) {
            PreparedCamera prepared =
                random_prepared_camera(random_, random_.chance(0.5) ? Projection::perspective : Projection::infinite);
            // Placed into the objects' world: cameras are made anywhere up to 1e6 away.
            std::array<double, 16>& m = prepared.camera.matrix;
            if (prepared.camera.single) continue;
            lanecull::ClipSpace& space = prepared.camera.clip_space;
            const Double3 wanted{random_.range(-100, 100), random_.range(-100, 100), random_.range(-10, 10)};
            // clip = M (p - origin): moving the origin moves the camera.
            for (std::size_t j = 0; j < 3; ++j) space.origin[j] += wanted[j] - prepared.camera.eye[j];
            if (lanecull::prepare_view(std::span<const double, 16>(m), space, prepared.view).ok()) return prepared;
        }
    }

    Random random_;
    HullSet hulls_;
    std::vector<There> there_;
    std::vector<Handle> named_;
    std::size_t upper_ = 1000;
};

/// LANECULL_SOAK_FRAMES runs more (tests/README.md).
int soak_frames() {
    const char* frames = std::getenv("LANECULL_SOAK_FRAMES");
    return frames != nullptr ? std::atoi(frames) : scaled(20'000);
}

TEST(SceneEdits, LeaveTheVerdictsOfTheShadowCopy) {
    constexpr std::uint64_t seed = 99;
    Shadowed shadowed(seed);
    constexpr std::size_t objects = 10'000;
    shadowed.keep_to(objects);
    while (shadowed.size() < objects) {
        shadowed.add(static_cast<std::size_t>(shadowed.random().log_range(1, 2000)));
        if (testing::Test::HasFatalFailure()) return;
    }
    std::uint64_t moved = 0;
    std::uint64_t bytes = 0;
    const int frames = soak_frames();
    for (int frame = 0; frame < frames; ++frame) {
        SCOPED_TRACE(testing::Message() << "seed " << seed << ", frame " << frame);
        for (int edit = shadowed.random().below(4); edit-- > 0;)
            shadowed.edit(shadowed.random().chance(0.05) ? 500 : 20);
        if (shadowed.random().chance(0.5)) moved += shadowed.scene.improve(std::chrono::microseconds(20)).objects;
        shadowed.scene.refit(shadowed.random().chance(0.5) ? lanecull::Fit::tight : lanecull::Fit::grown);
        if (frame % 500 == 250) {
            ASSERT_TRUE(shadowed.scene.rebuild().ok());
        }
        if (frame % 97 == 5) shadowed.save_and_load();
        if (frame % 10 == 0) shadowed.compare();
        if (testing::Test::HasFatalFailure()) return;
        if (frame == frames / 2) bytes = shadowed.scene.bytes();
    }
    std::printf("seed %llu: %d frames, %llu objects moved by improve(), spread %.2f, %llu bytes then %llu\n",
                static_cast<unsigned long long>(seed), frames, static_cast<unsigned long long>(moved),
                shadowed.scene.spread(), static_cast<unsigned long long>(bytes),
                static_cast<unsigned long long>(shadowed.scene.bytes()));
    EXPECT_GT(moved, 0u);
    EXPECT_GT(shadowed.visible, 10u * static_cast<unsigned>(frames / 10));
    EXPECT_GT(shadowed.outside, 100u * static_cast<unsigned>(frames / 10));
    EXPECT_LT(static_cast<double>(shadowed.scene.bytes()), 1.5 * static_cast<double>(bytes) + 1e6);
}

/// All objects of a scene at once, by several threads: the same bytes as one thread leaves, and the verdicts of the
/// flat batch, with either fit.
TEST(SceneEdits, PlaceObjectsByManyThreads) {
    Random random(9);
    const PreparedCamera prepared = random_prepared_camera(random, Projection::perspective);
    constexpr std::size_t count = 20'000;
    std::vector<Object> before = random_objects(random, Kind::box, prepared.camera, count, {});
    const std::vector<Object> after = random_objects(random, Kind::box, prepared.camera, count, {});
    HeapMemory memory;
    const lanecull::Batch batch = make_batch(Kind::box, before, {}, memory),
                          to = make_batch(Kind::box, after, {}, memory);
    const ViewResult flat = run_cull(to, prepared.view);
    const unsigned threads = 3;
    for (const lanecull::Fit fit : {lanecull::Fit::tight, lanecull::Fit::grown}) {
        std::vector<std::vector<std::uint64_t>> seen;
        for (const lanecull::Runner& runner : {lanecull::serial_runner(), on_new_threads(threads)}) {
            Scene scene;
            std::vector<Handle> handles(count);
            ASSERT_TRUE(scene.add({&batch, 1}, handles));
            ASSERT_TRUE(scene.place(handles, to, runner));
            EXPECT_TRUE(scene.stale());
            scene.refit(fit, runner);
            std::vector<std::uint64_t> words(scene.visibility_words());
            std::vector<std::byte> scratch(scene.scratch_bytes(1));
            SceneOutput output;
            output.visible = words;
            ASSERT_TRUE(scene.cull({&prepared.view, 1}, {&output, 1}, scratch));
            for (std::size_t i = 0; i < count; ++i) {
                std::uint32_t slot = 0;
                ASSERT_TRUE(scene.slot_of(handles[i], slot));
                ASSERT_EQ((words[slot / 64] >> slot % 64 & 1) != 0, flat.visible(i)) << i;
            }
            seen.push_back(words);
        }
        EXPECT_EQ(seen[0], seen[1]);
    }
}

double sides_of(const lanecull::SceneBlock& block) {
    double sum = 0;
    for (std::size_t j = 0; j < 3; ++j)
        sum += static_cast<double>(block.upper[j]) - static_cast<double>(block.lower[j]);
    return sum;
}

/// Each block's spread is its sides' sum over what it was, the scene's is that of all, and sorting makes both 1.
TEST(SceneEdits, WidenTheBlocksTheyTouch) {
    Random random(8);
    constexpr std::size_t count = 4000;
    std::vector<float> place[3], radius(count, 0.5f);
    for (auto& axis : place) {
        for (std::size_t i = 0; i < count; ++i) axis.push_back(static_cast<float>(random.range(-100, 100)));
    }
    const lanecull::Batch batch =
        lanecull::Spheres{place[0].data(), place[1].data(), place[2].data(), radius.data(), count};
    Scene scene;
    std::vector<Handle> handles(count);
    ASSERT_TRUE(scene.add({&batch, 1}, handles).ok());
    std::vector<double> before;
    for (std::uint32_t b = 0; b < scene.blocks(); ++b) {
        EXPECT_EQ(scene.block(b).spread, 1);
        before.push_back(sides_of(scene.block(b)));
    }
    const float by[1] = {30};
    ASSERT_TRUE(scene.move(std::span(handles).first(1), by, by, by).ok());
    std::uint32_t slot = 0;
    ASSERT_TRUE(scene.slot_of(handles[0], slot).ok());
    scene.refit();
    double now = 0, then = 0;
    for (std::uint32_t b = 0; b < scene.blocks(); ++b) {
        const lanecull::SceneBlock block = scene.block(b);
        const bool touched = slot - block.first_slot < block.objects;
        EXPECT_NEAR(block.spread, sides_of(block) / before[b], 1e-6);
        EXPECT_EQ(block.spread > 1, touched) << "block " << b;
        now += sides_of(block);
        then += before[b];
    }
    EXPECT_NEAR(scene.spread(), now / then, 1e-6);
    ASSERT_TRUE(scene.rebuild().ok());
    for (std::uint32_t b = 0; b < scene.blocks(); ++b) EXPECT_EQ(scene.block(b).spread, 1);
}

/// Balls of radius 1 on a grid around a place.
struct ManyBalls {
    std::vector<float> x, y, z, radius;
    lanecull::Batch batch = lanecull::Spheres{};

    ManyBalls(float place, std::uint32_t count) : radius(count, 1) {
        for (std::uint32_t i = 0; i < count; ++i) {
            x.push_back(place + static_cast<float>(i % 128));
            y.push_back(static_cast<float>(i / 128 % 128));
            z.push_back(static_cast<float>(i / 128 / 128));
        }
        batch = lanecull::Spheres{x.data(), y.data(), z.data(), radius.data(), count};
    }
};

/// 64 blocks need no box above them, one more needs two, and 64 * 64 + 1 need two levels of boxes. The boxes of the
/// first blocks must be there, though nothing has touched these blocks since.
TEST(SceneEdits, NewLevelsContainTheBlocksThatWereThere) {
    const ManyBalls first(-1e6f, 64 * 128), second(1e6f, 64 * 64 * 128);
    Scene scene;
    std::vector<Handle> handles(first.x.size()), others(second.x.size());
    ASSERT_TRUE(scene.add({&first.batch, 1}, handles).ok());
    ASSERT_TRUE(scene.add({&second.batch, 1}, others).ok());
    ASSERT_GT(scene.blocks(), 64u * 64u);
    std::array<double, 24> corners{};
    for (std::size_t c = 0; c < 24; ++c)
        corners[c] = (c % 3 == 0 ? -1e6 : 0) + ((c / 3 >> c % 3 & 1) != 0 ? 1e3 : -1e3);
    View view;
    ASSERT_TRUE(lanecull::prepare_view_from_corners(corners, view).ok());
    std::vector<std::byte> scratch(scene.scratch_bytes(1));
    SceneOutput output;
    ASSERT_TRUE(scene.cull({&view, 1}, {&output, 1}, scratch).ok());
    EXPECT_EQ(output.visible_count, first.x.size());
}

/// A negative margin makes an object invalid. It is visible, and not inside, though the shape without it is.
TEST(SceneEdits, InvalidObjectsAreNotInside) {
    Random random(7);
    const PreparedCamera prepared = random_prepared_camera(random, Projection::orthographic);
    const Camera& camera = prepared.camera;
    const Double3 middle = camera.point(0.5 * (camera.x[0] + camera.x[1]), 0.5 * (camera.y[0] + camera.y[1]),
                                        0.5 * (camera.depth[0] + camera.depth[1]));
    const HullSet hulls = random_hulls(random, 1);
    for (const Kind kind : all_kinds) {
        for (const float margin : {0.0f, -1.0f, NAN, -INFINITY}) {
            Object object = object_at(random, kind, middle, 1e-3 * (camera.x[1] - camera.x[0]), hulls);
            object.margin = margin;
            HeapMemory memory;
            const lanecull::Batch batch = make_batch(kind, {&object, 1}, hulls, memory, {.streams = {.margin = true}});
            std::uint64_t visible = 0, inside = 0;
            std::vector<std::byte> scratch(lanecull::scratch_bytes({&batch, 1}, 1));
            lanecull::ViewOutput output{.visible = {&visible, 1}, .inside = {&inside, 1}};
            ASSERT_TRUE(lanecull::cull({&batch, 1}, {&prepared.view, 1}, {&output, 1}, scratch).ok());
            EXPECT_EQ(visible, 1u) << kind_name(kind);
            EXPECT_EQ(inside, margin == 0 ? 1u : 0u) << kind_name(kind) << ", margin " << margin;
        }
    }
}

/// More objects than there can be names. The arrays are not looked at.
TEST(SceneEdits, TooManyObjectsAreRefused) {
    Shadowed shadowed(13);
    shadowed.add(100);
    const float number[1] = {};
    for (const std::size_t batches : {std::size_t{1}, std::size_t{2}, std::size_t{5}}) {
        const std::vector<lanecull::Batch> many(batches, lanecull::Spheres{number, number, number, number, 0xffffffff});
        Handle handle = 0;
        const std::span<Handle> handles(&handle, batches * std::size_t{0xffffffff});
        EXPECT_FALSE(shadowed.scene.add(many, handles).ok());
        EXPECT_EQ(shadowed.scene.object_count(), 100u);
        EXPECT_EQ(shadowed.scene.handle_limit(), 100u);
    }
    shadowed.scene.refit();
    shadowed.compare();
}

/// Strides and first_index say how a batch is read and listed. They are no part of what a scene keeps.
TEST(SceneEdits, KeepObjectsFromAnyStride) {
    Random random(14);
    const HullSet hulls = random_hulls(random, 3);
    for (const Kind kind : all_kinds) {
        std::vector<Object> objects;
        for (int i = 0; i < 300; ++i) objects.push_back(object_at(random, kind, {0, 0, 0}, 1, hulls));
        std::vector<std::byte> files[3];
        const Format formats[] = {{}, {.stride_floats = 19, .first_index = 0xfffffff0}, {.stride_floats = 16384}};
        for (std::size_t f = 0; f < 3; ++f) {
            HeapMemory memory;
            const lanecull::Batch batch = make_batch(kind, objects, hulls, memory, formats[f]);
            Scene scene;
            std::vector<Handle> handles(objects.size());
            ASSERT_TRUE(scene.add({&batch, 1}, handles).ok());
            files[f] = SceneFile(scene).bytes();
        }
        EXPECT_EQ(files[0], files[1]) << kind_name(kind);
        EXPECT_EQ(files[0], files[2]) << kind_name(kind);
    }
}

TEST(SceneEdits, WhatWasNotRefitIsNotCulled) {
    Shadowed shadowed(3);
    shadowed.add(300);
    PreparedCamera prepared = random_prepared_camera(shadowed.random(), Projection::perspective);
    std::vector<std::byte> scratch(shadowed.scene.scratch_bytes(1));
    SceneOutput output;
    const auto cull = [&] { return shadowed.scene.cull({&prepared.view, 1}, {&output, 1}, scratch); };
    EXPECT_TRUE(cull().ok());
    shadowed.move(1);
    EXPECT_TRUE(shadowed.scene.stale());
    EXPECT_FALSE(cull().ok());
    EXPECT_NE(std::string(cull().message()).find("refit"), std::string::npos);
    shadowed.scene.refit();
    EXPECT_TRUE(cull().ok());
}

TEST(SceneEdits, BadOutputsAreNamed) {
    Shadowed shadowed(5);
    shadowed.add(300);
    const Scene& scene = shadowed.scene;
    PreparedCamera prepared = random_prepared_camera(shadowed.random(), Projection::perspective);
    const View views[] = {prepared.view, prepared.view};
    std::vector<std::byte> scratch(scene.scratch_bytes(2));
    std::vector<std::uint64_t> words(3 * scene.visibility_words());
    const auto part = [&](std::size_t first) { return std::span(words).subspan(first, scene.visibility_words()); };
    const auto message = [&](std::span<const View> of, std::span<SceneOutput> outputs, const lanecull::Options& how) {
        return std::string(scene.cull(of, outputs, scratch, how).message());
    };
    SceneOutput outputs[2];
    outputs[0].visible = part(0);
    outputs[1].visible = part(scene.visibility_words() - 1);
    EXPECT_EQ(message(views, outputs, {}), "outputs[0].visible: overlaps outputs[1].visible");
    outputs[1].visible = {reinterpret_cast<std::uint64_t*>(scratch.data()), scene.visibility_words()};
    EXPECT_EQ(message(views, outputs, {}), "outputs[1].visible: overlaps scratch");
    outputs[1].visible = std::span(words).first(1);
    EXPECT_NE(message(views, outputs, {}).find("outputs[1].visible: must have no words or "), std::string::npos);
    outputs[1].visible = part(scene.visibility_words());
    EXPECT_EQ(message(views, outputs, {}), "");
    EXPECT_EQ(message({}, {}, {}), "views: 1 to 64 are culled in one call, not 0");
    EXPECT_NE(message(views, std::span(outputs).first(1), {}).find("outputs: there must be one"), std::string::npos);
    EXPECT_EQ(message(views, outputs, {.method = static_cast<lanecull::Method>(77)}),
              "options.method: 77 is no method");
}

TEST(SceneEdits, BadArgumentsChangeNothing) {
    Shadowed shadowed(4);
    shadowed.add(200);
    const Handle there = shadowed.named()[0], twice[] = {there, there}, unknown[] = {there, 4711};
    const float by[2] = {1, 1};
    Scene& scene = shadowed.scene;
    const auto message = [](const lanecull::Status& status) { return std::string(status.message()); };
    EXPECT_NE(message(scene.remove(twice)).find("twice"), std::string::npos);
    EXPECT_NE(message(scene.remove(unknown)).find("handles[1]: 4711"), std::string::npos);
    EXPECT_NE(message(scene.move(unknown, by, by, by)).find("4711"), std::string::npos);
    EXPECT_NE(message(scene.move(twice, by, nullptr, by)).find("y:"), std::string::npos);
    const float numbers[1] = {}, identity[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    lanecull::Hull hull;
    ASSERT_TRUE(lanecull::prepare_hull(numbers, numbers, numbers, 1, hull));
    const lanecull::Spheres sphere{numbers, numbers, numbers, numbers, 1};
    const lanecull::Batch batch = sphere;
    HeapMemory memory;
    const HullSet hulls = random_hulls(shadowed.random(), 1);
    const Kind kind = shadowed.kind_of(there);
    const std::vector<Object> objects(2, object_at(shadowed.random(), kind, {}, 1, hulls));
    const lanecull::Batch two = make_batch(kind, objects, hulls, memory);
    EXPECT_NE(message(scene.replace(twice, batch)).find("objects:"), std::string::npos);
    EXPECT_NE(message(scene.place(twice, batch)).find("objects:"), std::string::npos);
    EXPECT_NE(message(scene.place(twice, two)).find("twice"), std::string::npos);
    EXPECT_NE(message(scene.place(unknown, two)).find("handles[1]: 4711"), std::string::npos);
    EXPECT_NE(message(scene.place(std::span(twice).first(1), batch, {})).find("runner.run"), std::string::npos);
    const lanecull::Batch box = lanecull::Boxes{numbers, numbers, numbers, numbers, numbers, numbers, 1};
    EXPECT_NE(message(scene.place(std::span(twice).first(1), kind == Kind::box ? batch : box)).find("another kind"),
              std::string::npos);
    Handle one[1];
    EXPECT_NE(message(scene.add({&batch, 1}, {one, 0})).find("handles:"), std::string::npos);
    EXPECT_NE(message(scene.add({&batch, 1}, one, {.origin = {0, 1e13, 0}})).find("origin[1]"), std::string::npos);
    const lanecull::Batch broken = lanecull::Spheres{numbers, nullptr, numbers, numbers, 1};
    EXPECT_NE(message(scene.add({&broken, 1}, one)).find("y: must not be null"), std::string::npos);
    const double position[3] = {};
    const lanecull::Transforms placed{
        .first = identity, .layout = lanecull::TransformLayout::columns_4x4, .positions = {position}};
    const lanecull::Boxes point{numbers, numbers, numbers, numbers, numbers, numbers, 1};
    for (const lanecull::Batch& with_position :
         {lanecull::Batch(lanecull::BoxInstances{placed, {point}, 1}),
          lanecull::Batch(
              lanecull::HullInstances{.transforms = placed, .hulls = &hull, .hull_count = 1, .count = 1})}) {
        EXPECT_NE(message(scene.add({&with_position, 1}, one)).find("batches[0].transforms.positions"),
                  std::string::npos);
        EXPECT_NE(message(scene.replace({&there, 1}, with_position)).find("batches[0].transforms.positions"),
                  std::string::npos);
    }
    EXPECT_EQ(scene.object_count(), 200u);
    scene.refit();
    shadowed.compare();
}

void damage(Random& random, std::vector<std::byte>& file) {
    const auto at = [&] { return static_cast<std::size_t>(random.bits() % std::max<std::size_t>(file.size(), 1)); };
    for (int n = 1 + random.below(3); n-- > 0 && !file.empty();) {
        switch (random.below(5)) {
            case 0:
                file[at()] ^= static_cast<std::byte>(1 << random.below(8));
                break;
            case 1:
                file[at()] = static_cast<std::byte>(random.bits());
                break;
            case 2: {  // a number in the header or table
                const std::size_t place = at() % std::min<std::size_t>(file.size(), 64 * 40) & ~std::size_t{3};
                const std::uint32_t values[] = {0,          1,          64,
                                                0x7fffffff, 0xffffffff, static_cast<std::uint32_t>(random.bits())};
                if (place + 4 <= file.size()) std::memcpy(&file[place], &values[random.below(6)], 4);
                break;
            }
            case 3:
                file.resize(at());
                break;
            default: {  // a part copied over another
                const std::size_t from = at(), to = at(), size = at() % 200;
                for (std::size_t i = 0; i < size && from + i < file.size() && to + i < file.size(); ++i) {
                    file[to + i] = file[from + i];
                }
            }
        }
    }
}

/// Gives a damaged file the right checksums, so that what lies behind them is tried.
void forge(std::vector<std::byte>& file) {
    using namespace lanecull::scene_file;
    Header header;
    if (file.size() < sizeof header) return;
    std::memcpy(&header, file.data(), sizeof header);
    header.file_bytes = file.size();
    header.checksum = checksum_of(file.data() + sizeof header, file.size() - sizeof header);
    header.header_checksum = checksum_of(&header, offsetof(Header, header_checksum));
    std::memcpy(file.data(), &header, sizeof header);
}

/// What was loaded from a forged file: other objects than were saved, but a scene like any other.
void expect_usable(Scene& scene, const View& view) {
    std::vector<std::uint64_t> words(scene.visibility_words());
    std::vector<Handle> handles(scene.object_count());
    std::vector<std::byte> scratch(scene.scratch_bytes(1));
    SceneOutput output;
    output.visible = words;
    output.handles = handles;
    ASSERT_TRUE(scene.cull({&view, 1}, {&output, 1}, scratch).ok());
    static_cast<void>(scene.improve(std::chrono::milliseconds(1)));
    std::uint64_t named = 0;
    for (Handle h = 0; h < 1000; ++h) {
        std::uint32_t slot = 0;
        named += scene.slot_of(h, slot).ok();
    }
    ASSERT_EQ(named, scene.object_count());
}

/// LANECULL_MUTATED_FILES runs more (tests/README.md).
TEST(SceneFiles, DamagedOnesAreRefusedWhole) {
    const char* wanted = std::getenv("LANECULL_MUTATED_FILES");
    const int count = wanted != nullptr ? std::atoi(wanted) : scaled(2000);
    constexpr std::uint64_t seed = 7;
    Shadowed shadowed(seed);
    for (int i = 0; i < 12; ++i) shadowed.add(40);
    shadowed.remove(30);
    shadowed.scene.refit();
    const std::vector<std::byte> good = SceneFile(shadowed.scene).bytes();
    PreparedCamera prepared = random_prepared_camera(shadowed.random(), Projection::perspective);
    int refused = 0, forged_loaded = 0, same = 0;
    for (int i = 0; i < count; ++i) {
        SCOPED_TRACE(testing::Message() << "seed " << seed << ", file " << i);
        std::vector<std::byte> file = good;
        damage(shadowed.random(), file);
        const bool forges = i % 2 == 1;
        if (forges) forge(file);
        Scene scene;
        const lanecull::Status status = Scene::load(std::span<const std::byte>(file), scene);
        if (!status.ok()) {
            ++refused;
            ASSERT_EQ(scene.object_count(), 0u);
            ASSERT_GT(std::strlen(status.message()), 5u);
            continue;
        }
        if (file == good) {
            ++same;
            continue;
        }
        ASSERT_TRUE(forges) << "damage was not noticed";
        ++forged_loaded;
        expect_usable(scene, prepared.view);
        if (HasFatalFailure()) return;
    }
    std::printf("seed %llu: %d files of %zu bytes: %d refused, %d of %d forged ones loaded, %d unchanged\n",
                static_cast<unsigned long long>(seed), count, good.size(), refused, forged_loaded, count / 2, same);
    EXPECT_GT(refused, count / 2 - same);
    EXPECT_GT(forged_loaded, 0);
}

TEST(SceneFiles, KeepEverything) {
    Shadowed shadowed(8);
    for (int i = 0; i < 20; ++i) shadowed.add(200);
    shadowed.remove(777);
    shadowed.scene.refit();
    const std::vector<std::byte> first = SceneFile(shadowed.scene).bytes();
    shadowed.save_and_load();
    EXPECT_EQ(SceneFile(shadowed.scene).bytes(), first);
    for (int i = 0; i < 10; ++i) shadowed.compare();
}

/// A file may be mapped: each array in it lies where its numbers may be read in place, and load() takes it from there.
TEST(SceneFiles, AreLoadedFromMappedMemory) {
    namespace format = lanecull::scene_file;
    Shadowed shadowed(12);
    for (int i = 0; i < 8; ++i) shadowed.add(200);
    shadowed.scene.refit();
    const SceneFile file(shadowed.scene);
    const std::size_t size = file.bytes().size();
    const int descriptor = open(file.path(), O_RDONLY);
    ASSERT_GE(descriptor, 0);
    void* mapped = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    close(descriptor);
    ASSERT_NE(mapped, MAP_FAILED);
    const auto* first = static_cast<const std::byte*>(mapped);
    format::Header header;
    std::memcpy(&header, first, sizeof header);
    ASSERT_GT(header.sections, 10u);
    for (std::uint64_t i = 0; i < header.sections; ++i) {
        format::Section section;
        std::memcpy(&section, first + sizeof header + i * sizeof section, sizeof section);
        EXPECT_EQ(section.offset % 64, 0u) << "section " << i;
        EXPECT_LE(section.offset + section.bytes, size) << "section " << i;
    }
    const lanecull::Status status = Scene::load(std::span(first, size), shadowed.scene);
    munmap(mapped, size);
    ASSERT_TRUE(status.ok()) << status.message();
    shadowed.compare();
}

TEST(SceneFiles, SayWhatIsWrong) {
    Shadowed shadowed(9);
    shadowed.add(100);
    shadowed.scene.refit();
    const std::vector<std::byte> good = SceneFile(shadowed.scene).bytes();
    const auto message = [](std::vector<std::byte> file) {
        Scene scene;
        return std::string(Scene::load(std::span<const std::byte>(file), scene).message());
    };
    using lanecull::scene_file::Header;
    EXPECT_EQ(message(good), "");
    EXPECT_EQ(message({}), "scene file: is shorter than a header");
    std::vector<std::byte> cut(good.begin(), good.end() - 64);
    EXPECT_EQ(message(cut), "scene file: has been cut off, or something follows it");
    std::vector<std::byte> foreign = good;
    foreign[0] = std::byte{'P'};
    EXPECT_EQ(message(foreign), "scene file: is of another kind");
    std::vector<std::byte> later = good;
    later[offsetof(Header, version)] = std::byte{2};
    EXPECT_EQ(message(later), "scene file: is of version 2, this library reads 1");
    std::vector<std::byte> flipped = good;
    flipped[good.size() / 2] ^= std::byte{4};
    EXPECT_EQ(message(flipped), "scene file: its checksum is another");
    Scene scene;
    EXPECT_NE(std::string(Scene::load("/nonexistent/scene", scene).message()).find("/nonexistent/scene"),
              std::string::npos);
    EXPECT_NE(std::string(Scene::load("/tmp", scene).message()).find("is not a file"), std::string::npos);
    EXPECT_NE(std::string(shadowed.scene.save("/nonexistent/scene").message()).find("cannot be written"),
              std::string::npos);
}

}  // namespace
