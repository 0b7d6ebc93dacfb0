#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <numeric>

#include <lanecull/scene.h>
#include <lanecull/shadow.h>

#include "support/culling.hpp"
#include "support/generate.hpp"
#include "support/scene_file.hpp"

/// What a scene keeps for drawing: objects' commands, written in the order of handles; and boxes around its objects.

namespace {

using lanecull::Batch;
using lanecull::DrawCommand;
using lanecull::DrawTemplates;
using lanecull::Handle;
using lanecull::Output;
using lanecull::Scene;
using lanecull::SceneOutput;
using lanecull::View;

bool operator==(const DrawCommand& a, const DrawCommand& b) { return std::memcmp(&a, &b, sizeof a) == 0; }

/// Batches of every kind. Commands of even ones are copies of one template, those of odd ones are records of 28 bytes;
/// the last has none.
struct Drawn {
    static constexpr std::uint32_t count = 700;

    HeapMemory memory;
    Random random{91};
    PreparedCamera camera = random_prepared_camera(random, Projection::perspective);
    HullSet hulls = random_hulls(random, 3);
    std::vector<Batch> batches;
    std::vector<DrawCommand> templates;            // of even batches
    std::vector<std::vector<std::uint32_t>> rows;  // of odd ones, 7 numbers an object
    std::vector<DrawCommand> commands;             // of each object

    Drawn() {
        templates.reserve(std::size(all_kinds));
        for (const Kind kind : all_kinds) {
            const auto objects = random_objects(random, kind, camera.camera, count, hulls);
            batches.push_back(make_batch(kind, objects, hulls, memory));
            give_commands(batches.back(), static_cast<std::uint32_t>(batches.size()) - 1);
        }
    }

    void give_commands(Batch& batch, std::uint32_t b) {
        if (b + 1 == std::size(all_kinds)) {
            commands.insert(commands.end(), count, DrawCommand{0, 0, 0, 0, 0});
        } else if (b % 2 == 0) {
            templates.push_back({36 + b, 2, b, -5, 1000 * b});
            batch.draws = {&templates.back()};
            for (std::uint32_t i = 0; i < count; ++i) commands.push_back({36 + b, 2, b, -5, 1000 * b + i});
        } else {
            std::vector<std::uint32_t>& row = rows.emplace_back();
            for (std::uint32_t i = 0; i < count; ++i) {
                row.insert(row.end(), {i, 1, 7 * i, b, 3 * i, 0xdead, 0xdead});
                commands.push_back({i, 1, 7 * i, static_cast<std::int32_t>(b), 3 * i});
            }
            batch.draws = {reinterpret_cast<const DrawCommand*>(row.data()), DrawTemplates::Per::object, 28};
        }
    }
    [[nodiscard]] std::size_t objects() const { return commands.size(); }
};

/// Culls with one view, and expects the commands of the handles that come out.
void expect_commands(const Scene& scene, const View& view, const std::map<Handle, DrawCommand>& of,
                     const lanecull::CullOptions& options = {}) {
    const auto objects = static_cast<std::size_t>(scene.object_count());
    std::vector<Handle> handles(objects);
    std::vector<DrawCommand> draws(objects);
    std::vector<std::byte> scratch(lanecull::scratch_bytes(scene, 1));
    std::uint32_t count = 0;
    SceneOutput of_scene{.handles = handles};
    Output output{.scene = &of_scene};
    output.draws = {.memory = std::as_writable_bytes(std::span(draws)), .count = &count};
    ASSERT_TRUE(lanecull::cull(scene, {&view, 1}, {&output, 1}, scratch, options));
    ASSERT_GT(output.visible_count, 0u);
    ASSERT_EQ(output.draw_count, output.visible_count);
    ASSERT_EQ(count, output.visible_count);
    for (std::size_t i = 0; i < count; ++i) ASSERT_TRUE(draws[i] == of.at(handles[i])) << "command " << i;
}

TEST(SceneDraws, AreThoseOfTheBatches) {
    Drawn drawn;
    Scene scene;
    std::vector<Handle> handles(drawn.objects());
    ASSERT_TRUE(scene.add(drawn.batches, handles));
    std::map<Handle, DrawCommand> of;
    for (std::size_t i = 0; i < handles.size(); ++i) of[handles[i]] = drawn.commands[i];
    for (const lanecull::Isa isa : runnable_isas()) expect_commands(scene, drawn.camera.view, of, {.isa = isa});
    expect_commands(scene, drawn.camera.view, of, {.method = lanecull::gjk_alone});
}

/// Commands stay with their objects through edits of every kind, and in files.
TEST(SceneDraws, StayWithTheirObjects) {
    Drawn drawn;
    Random random(17);
    Scene scene;
    std::map<Handle, DrawCommand> of;
    std::vector<Handle> handles(drawn.objects());
    // The last batch first, which has no commands, and the others in pieces: a store may get its first command late.
    std::size_t first = drawn.objects();
    for (std::size_t b = drawn.batches.size(); b-- > 0;) {
        first -= Drawn::count;
        const std::span<Handle> own = std::span(handles).subspan(first, Drawn::count);
        ASSERT_TRUE(scene.add({&drawn.batches[b], 1}, own, {.mobility = lanecull::Mobility::moving}));
        for (std::size_t i = 0; i < Drawn::count; ++i) of[own[i]] = drawn.commands[first + i];
    }
    for (int round = 0; round < 8; ++round) {
        // Replaced by another batch's objects, half of them of another kind.
        const int batches = static_cast<int>(drawn.batches.size());
        const auto to = static_cast<std::size_t>(random.below(batches));
        const auto from = static_cast<std::size_t>(random.below(batches));
        std::vector<Handle> chosen;
        for (std::size_t i = 0; i < Drawn::count; ++i) chosen.push_back(handles[to * Drawn::count + i]);
        ASSERT_TRUE(scene.replace(chosen, drawn.batches[from]));
        for (std::size_t i = 0; i < Drawn::count; ++i) of[chosen[i]] = drawn.commands[from * Drawn::count + i];
        // Placed: commands stay.
        ASSERT_TRUE(scene.place(chosen, drawn.batches[from]));
        // Moved to other blocks, and some removed and added again.
        std::vector<float> by(300);
        for (float& step : by) step = static_cast<float>(random.range(-3, 3));
        const std::span<const Handle> some = std::span(chosen).first(300);
        ASSERT_TRUE(scene.move(some, by.data(), by.data(), by.data()));
        scene.refit();
        expect_commands(scene, drawn.camera.view, of);
        static_cast<void>(scene.improve(~std::uint64_t{0}));
        ASSERT_TRUE(scene.remove(chosen));
        ASSERT_TRUE(scene.add({&drawn.batches[to], 1}, chosen));
        for (std::size_t i = 0; i < Drawn::count; ++i) {
            handles[to * Drawn::count + i] = chosen[i];
            of[chosen[i]] = drawn.commands[to * Drawn::count + i];
        }
        scene.refit();
        expect_commands(scene, drawn.camera.view, of);
    }
    ASSERT_TRUE(scene.rebuild());
    expect_commands(scene, drawn.camera.view, of);
    const SceneFile file(scene);
    Scene loaded;
    ASSERT_TRUE(Scene::load(file.path(), loaded));
    expect_commands(loaded, drawn.camera.view, of);
}

TEST(SceneDraws, StayWithinTheirMemory) {
    Drawn drawn;
    Scene scene;
    std::vector<Handle> handles(drawn.objects());
    ASSERT_TRUE(scene.add(drawn.batches, handles));
    std::vector<DrawCommand> all(drawn.objects());
    std::vector<std::byte> scratch(lanecull::scratch_bytes(scene, 1));
    Output output;
    output.draws.memory = std::as_writable_bytes(std::span(all));
    ASSERT_TRUE(lanecull::cull(scene, {&drawn.camera.view, 1}, {&output, 1}, scratch));
    const std::uint64_t visible = output.visible_count;
    ASSERT_GT(visible, 5u);
    for (const std::size_t room : {std::size_t{0}, std::size_t{1}, std::size_t{5}, visible - 1, visible, visible + 1}) {
        constexpr std::size_t offset = 12, stride = 32;
        const std::byte untouched{0x77};
        std::vector<std::byte> memory(offset + stride * room, untouched);
        memory.insert(memory.end(), 19, untouched);  // one byte short of another command
        output.draws = {memory, offset, stride};
        ASSERT_TRUE(lanecull::cull(scene, {&drawn.camera.view, 1}, {&output, 1}, scratch));
        ASSERT_EQ(output.visible_count, visible);
        ASSERT_EQ(output.draw_count, std::min<std::uint64_t>(room, visible));
        for (std::size_t i = 0; i < std::min(room, all.size()); ++i) {
            const std::span<const std::byte> here = std::span(memory).subspan(offset + i * stride, stride);
            const std::size_t written = i < visible ? sizeof(DrawCommand) : 0;
            EXPECT_EQ(std::memcmp(here.data(), all.data() + i, written), 0) << i;
            EXPECT_TRUE(std::ranges::all_of(here.subspan(written), [&](std::byte b) { return b == untouched; })) << i;
        }
    }
}

TEST(SceneDraws, BadOutputsAreNamed) {
    Drawn drawn;
    Scene scene;
    std::vector<Handle> handles(drawn.objects());
    ASSERT_TRUE(scene.add(drawn.batches, handles));
    std::vector<std::byte> scratch(lanecull::scratch_bytes(scene, 1));
    std::vector<DrawCommand> memory(100);
    std::vector<Handle> visible(100);
    const auto expect_named = [&](const lanecull::DrawOutput& draws, const char* name) {
        SceneOutput of_scene{.handles = visible};
        Output output{.draws = draws, .scene = &of_scene};
        const lanecull::Status status = lanecull::cull(scene, {&drawn.camera.view, 1}, {&output, 1}, scratch);
        EXPECT_FALSE(status) << name;
        EXPECT_NE(std::strstr(status.message(), name), nullptr) << status.message();
    };
    const std::span<std::byte> bytes = std::as_writable_bytes(std::span(memory));
    expect_named({bytes, 0, 22}, "outputs[0].draws.stride_bytes");
    expect_named({bytes, 0, 16}, "outputs[0].draws.stride_bytes");
    expect_named({bytes, 2001, 20}, "outputs[0].draws.offset_bytes");
    expect_named({bytes, 2, 20}, "outputs[0].draws");
    expect_named({std::as_writable_bytes(std::span(visible))}, "overlaps");
    expect_named({bytes, 0, 20, &memory[3].first_index}, "overlaps");
}

/// Boxes around what is visible are those of the batches, object by object, also from far origins.
TEST(SceneBounds, AreThoseOfTheBatches) {
    Drawn drawn;
    const double origins[][3] = {{0, 0, 0}, {1e7 + 0.3, -12345.678, 1e-3}};
    for (const auto& origin : origins) {
        Scene scene;
        std::vector<Handle> handles(drawn.objects());
        lanecull::AddOptions options;
        std::copy(origin, origin + 3, options.origin);
        ASSERT_TRUE(scene.add(drawn.batches, handles, options));
        for (const std::size_t step : {std::size_t{1}, std::size_t{7}, std::size_t{1999}}) {
            std::vector<std::uint64_t> flat(lanecull::visibility_words(drawn.batches));
            std::vector<std::uint64_t> slots(lanecull::visibility_words(scene));
            for (std::size_t i = step / 2; i < handles.size(); i += step) {
                const std::size_t bit = i / Drawn::count * ((Drawn::count + 63) / 64 * 64) + i % Drawn::count;
                flat[bit / 64] |= std::uint64_t{1} << bit % 64;
                std::uint32_t slot = 0;
                ASSERT_TRUE(scene.slot_of(handles[i], slot));
                slots[slot / 64] |= std::uint64_t{1} << slot % 64;
            }
            lanecull::WorldBox expected, found;
            ASSERT_TRUE(lanecull::visible_bounds(drawn.batches, flat, expected));
            ASSERT_TRUE(lanecull::visible_bounds(scene, slots, found));
            ASSERT_TRUE(std::isfinite(expected.upper[0] - expected.lower[0]));
            for (std::size_t k = 0; k < 3; ++k) {
                const double low = expected.lower[k] + origin[k], high = expected.upper[k] + origin[k];
                const double slack = 1e-15 * (std::fabs(low) + std::fabs(high));
                EXPECT_LE(found.lower[k], low) << step;
                EXPECT_GE(found.upper[k], high) << step;
                EXPECT_NEAR(found.lower[k], low, slack) << step;
                EXPECT_NEAR(found.upper[k], high, slack) << step;
            }
        }
    }
}

/// The same slice by slice. With an origin of their own objects' slices are wider by a rounding.
TEST(SceneBounds, OfSlicesAreThoseOfTheBatches) {
    Drawn drawn;
    const double origins[][3] = {{0, 0, 0}, {1e4 + 0.3, -1234.5, 1e-3}};
    std::size_t smaller = 0;
    for (const auto& origin : origins) {
        Scene scene;
        std::vector<Handle> handles(drawn.objects());
        lanecull::AddOptions options;
        std::copy(origin, origin + 3, options.origin);
        ASSERT_TRUE(scene.add(drawn.batches, handles, options));
        std::vector<std::uint64_t> flat(lanecull::visibility_words(drawn.batches)),
            slots(lanecull::visibility_words(scene));
        for (std::size_t i = 0; i < handles.size(); i += 3) {
            const std::size_t bit = i / Drawn::count * ((Drawn::count + 63) / 64 * 64) + i % Drawn::count;
            flat[bit / 64] |= std::uint64_t{1} << bit % 64;
            std::uint32_t slot = 0;
            ASSERT_TRUE(scene.slot_of(handles[i], slot));
            slots[slot / 64] |= std::uint64_t{1} << slot % 64;
        }
        // A camera at the batches' place; in the scene they and it are moved by the origin.
        const Camera& camera = drawn.camera.camera;
        const double depths[] = {camera.depth[0], 4000, 20'000};
        lanecull::ClipSpace space = camera.clip_space;
        lanecull::WorldBox expected[2], found[2];
        ASSERT_TRUE(lanecull::slice_bounds(drawn.batches, flat, camera.matrix, space, depths, expected));
        for (std::size_t k = 0; k < 3; ++k) space.origin[k] += origin[k];
        ASSERT_TRUE(lanecull::slice_bounds(scene, slots, camera.matrix, space, depths, found));
        for (std::size_t s = 0; s < 2; ++s) {
            for (std::size_t k = 0; k < 3; ++k) {
                const double low = expected[s].lower[k] + origin[k], high = expected[s].upper[k] + origin[k];
                EXPECT_LE(found[s].lower[k], low) << s;
                EXPECT_GE(found[s].upper[k], high) << s;
                EXPECT_NEAR(found[s].lower[k], low, 1e-15 * std::fabs(low)) << s;
                EXPECT_NEAR(found[s].upper[k], high, 1e-15 * std::fabs(high)) << s;
            }
        }
        smaller += !std::ranges::equal(expected[0].lower, expected[1].lower) ||
                   !std::ranges::equal(expected[0].upper, expected[1].upper);
        const lanecull::Status status = lanecull::slice_bounds(scene, slots, camera.matrix, space, {depths, 2}, found);
        EXPECT_NE(std::strstr(status.message(), "depths"), nullptr) << status.message();
        std::vector<lanecull::WorldBox> many(9);
        const std::vector<double> ten = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
        EXPECT_FALSE(lanecull::slice_bounds(scene, slots, camera.matrix, space, ten, many));
        EXPECT_FALSE(lanecull::slice_bounds(scene, {}, camera.matrix, space, depths, found));
    }
    EXPECT_GT(smaller, 0u);
}

TEST(SceneBounds, OfNothingAreEmpty) {
    Drawn drawn;
    Scene scene, empty;
    std::vector<Handle> handles(drawn.objects());
    ASSERT_TRUE(scene.add(drawn.batches, handles, {.origin = {3, 0, -5}}));
    lanecull::WorldBox box;
    ASSERT_TRUE(lanecull::visible_bounds(scene, std::vector<std::uint64_t>(lanecull::visibility_words(scene)), box));
    EXPECT_EQ(box.lower[0], HUGE_VAL);
    EXPECT_EQ(box.upper[2], -HUGE_VAL);
    ASSERT_TRUE(lanecull::visible_bounds(empty, {}, box));
    EXPECT_EQ(box.lower[1], HUGE_VAL);
    const lanecull::Status status = lanecull::visible_bounds(scene, std::vector<std::uint64_t>(1), box);
    EXPECT_FALSE(status);
    EXPECT_NE(std::strstr(status.message(), "visible: "), nullptr) << status.message();
}

/// An invalid object has no end, and neither has the box around it.
TEST(SceneBounds, HaveNoEndAroundInvalidObjects) {
    for (const std::uint32_t count : {3u, 20'000u}) {  // of so many, blocks are asked first
        std::vector<float> x(count, 3), one(count, 1);
        x[0] = 1, x[1] = std::nanf("");
        const Batch batch = lanecull::Spheres{x.data(), one.data(), one.data(), one.data(), count};
        Scene scene;
        std::vector<Handle> handles(count);
        ASSERT_TRUE(scene.add({&batch, 1}, handles, {.origin = {10, 20, 30}}));
        std::vector<std::uint64_t> slots(lanecull::visibility_words(scene));
        for (const std::size_t object : {0u, 1u}) {
            std::uint32_t slot = 0;
            ASSERT_TRUE(scene.slot_of(handles[object], slot));
            slots[slot / 64] |= std::uint64_t{1} << slot % 64;
            lanecull::WorldBox box;
            ASSERT_TRUE(lanecull::visible_bounds(scene, slots, box));
            EXPECT_EQ(std::isfinite(box.lower[0]), object == 0);
            EXPECT_EQ(std::isfinite(box.upper[2]), object == 0);
        }
    }
}

}  // namespace
