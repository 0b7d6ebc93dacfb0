#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "frame/reference.hpp"
#include "support/memory.hpp"
#include "support/new_threads.hpp"

/// Lights in cells of a pass's cameras: those that single calls find and assign.

namespace {

using namespace frame_tests;
using lanecull::CullPass;
using lanecull::Runner;
using lanecull::WorldBox;

/// The lights of a camera, the cells of its view, and memory for the lists.
struct Lit {
    static constexpr std::uint32_t tiles_x = 8, tiles_y = 6;

    std::vector<float> ball[4], spot[8];
    std::vector<double> depths;
    std::vector<std::uint32_t> offsets, indices;
    std::vector<std::uint64_t> visible;
    lanecull::LightLists lists;
    lanecull::PassLightCells cells;

    Lit(std::uint32_t balls, std::uint32_t spots, std::uint64_t seed) : depths(9) {
        Random random(seed);
        const auto add = [&](std::vector<float>& to, double low, double high) {
            to.push_back(static_cast<float>(random.range(low, high)));
        };
        for (std::uint32_t i = 0; i < balls + spots; ++i) {
            std::vector<float>* const of = i < balls ? ball : spot;
            for (std::size_t k = 0; k < 3; ++k) add(of[k], -200, 200);
            add(of[3], 5, 30);
            for (std::size_t k = 4; k < 8 && i >= balls; ++k) add(of[k], k == 7 ? 0.1 : -1, 1);
        }
        require(lanecull::split_depths(1, 200, 1, depths));
        cells.grid = {.tiles_x = tiles_x, .tiles_y = tiles_y, .boundaries = depths};
        cells.lights.balls = {ball[0].data(), ball[1].data(), ball[2].data(), ball[3].data(), balls};
        cells.lights.spots = {spot[0].data(), spot[1].data(), spot[2].data(), spot[3].data(), spot[4].data(),
                              spot[5].data(), spot[6].data(), spot[7].data(), spots};
        offsets.resize(tiles_x * tiles_y * 8 + 1), indices.resize(offsets.size() * 20);
        visible.resize((balls + spots + 63) / 64);
        lists.offsets = offsets, lists.indices = indices;
        cells.lists = &lists;
        cells.visible = visible;
    }
    Lit(const Lit&) = delete;
    Lit& operator=(const Lit&) = delete;

    [[nodiscard]] std::size_t scratch_bytes() const {
        return lanecull::light_scratch_bytes(tiles_x, tiles_y, 8, cells.lights.balls.count + cells.lights.spots.count);
    }
    void add_to(lanecull::PassLimits& limits) const {
        limits.lights_in_cells = cells.lights.balls.count + cells.lights.spots.count;
        limits.light_scratch_bytes = scratch_bytes();
    }
    [[nodiscard]] std::vector<std::uint32_t> entries() const {
        return {indices.begin(), indices.begin() + static_cast<std::ptrdiff_t>(lists.entry_count)};
    }
};

/// The same by single calls: what the camera sees, a box around it, the lights that light something of it, the lists.
void assign_by_hand(const World& world, const PassCamera& camera, const lanecull::View& view,
                    const lanecull::LightReceivers& known, Lit& lit) {
    WorldBox box;
    require(lanecull::visible_bounds(world.batches, culled(world, view), box));
    for (std::size_t k = 0; k < 3; ++k) {
        box.lower[k] = std::nextafter(box.lower[k] - camera.options.margin, -HUGE_VAL);
        box.upper[k] = std::nextafter(box.upper[k] + camera.options.margin, HUGE_VAL);
    }
    lanecull::LightReceivers receivers = known;
    receivers.bounds = &box;
    lanecull::LightGrid grid = lit.cells.grid;
    grid.clip_from_world = camera.clip_from_world;
    grid.clip_space = camera.clip_space;
    std::vector<std::byte> scratch(lit.scratch_bytes());
    lanecull::Lights lights = lit.cells.lights;
    require(lanecull::cull_lights(grid, lights, receivers, lit.visible, scratch));
    lights.visible = lit.visible;
    require(lanecull::assign_lights(grid, lights, lit.lists, scratch));
}

void expect_same(const Lit& found, const Lit& expected) {
    EXPECT_EQ(found.visible, expected.visible);
    EXPECT_EQ(found.offsets, expected.offsets);
    EXPECT_EQ(found.entries(), expected.entries());
    EXPECT_EQ(found.lists.entry_count, expected.lists.entry_count);
}

TEST(PassLights, AreThoseOfSingleCalls) {
    const World world(60);  // so few that boxes around them leave lights out
    const Ordered ordered(world);
    Random random(41);
    std::uint64_t entries = 0, lit_lights = 0, lights = 0, seen = 0;
    for (int i = 0; i < 10; ++i) {
        Made made;
        made.add_camera(random_looking(random), 2);
        made.add_camera(random_looking(random), 0);
        made.cameras[1].options.margin = 1;
        made.add_point_light({0, 0, -30}, 40);
        Lit first(150, 100, 5), second(70, 0, 6), by_hand(150, 100, 5), second_by_hand(70, 0, 6);
        made.cameras[0].light_cells = &first.cells, made.cameras[1].light_cells = &second.cells;
        lanecull::PassLimits limits = made.limits();
        first.add_to(limits);
        HeldMemory memory;
        CullPass pass;
        require(pass.reserve(limits, world.batches));
        require(pass.reserve(limits, ordered.scene));
        FlatLists lists(world, 10);
        lists.outputs[1].visible = {};  // the pass needs its bits all the same
        require(pass.run(made.frame(), world.batches, lists.outputs));
        assign_by_hand(world, made.cameras[0], pass.view(0), {}, by_hand);
        assign_by_hand(world, made.cameras[1], pass.view(1), {}, second_by_hand);
        expect_same(first, by_hand), expect_same(second, second_by_hand);
        EXPECT_TRUE(lists.outputs[1].visible.empty()) << "it is the pass's own";
        seen += lists.outputs[1].visible_count;

        std::vector<lanecull::Output> outputs(10);
        const unsigned threads = 3;
        for (const Runner& runner : {Runner(), on_new_threads(threads)}) {
            std::ranges::fill(first.offsets, 7u), std::ranges::fill(first.visible, 7u);
            static_cast<void>(memory.most());
            const double before = memory.now();
            require(pass.run(made.frame(), ordered.scene, outputs, lanecull::Casters::volume, {.runner = runner}));
            EXPECT_EQ(memory.most(), before) << "a frame allocates";
            // The box around a scene's objects may be larger by rounding; here it makes no difference.
            expect_same(first, by_hand), expect_same(second, second_by_hand);
        }
        entries += first.lists.entry_count, lights += 64 * first.visible.size(), lit_lights += count_of(first.visible);
    }
    EXPECT_GT(entries, 1000u);
    EXPECT_GT(seen, 10u);
    EXPECT_LT(lit_lights, lights / 4);
}

/// What is none of the objects is lit, too: by every light that is in view.
TEST(PassLights, MayLightMoreThanTheObjects) {
    const World nothing(0);
    Made made;
    made.add_camera({}, 0);
    Lit lit(200, 0, 9);
    made.cameras[0].light_cells = &lit.cells;
    lanecull::PassLimits limits = made.limits();
    lit.add_to(limits);
    CullPass pass;
    require(pass.reserve(limits, nothing.batches));
    FlatLists lists(nothing, 1);
    require(pass.run(made.frame(), nothing.batches, lists.outputs));
    EXPECT_EQ(count_of(lit.visible), 0u);
    EXPECT_EQ(lit.lists.entry_count, 0u);
    lit.cells.has_other_receivers = 1;
    require(pass.run(made.frame(), nothing.batches, lists.outputs));
    const lanecull::Batch balls = lit.cells.lights.balls;
    EXPECT_EQ(lit.visible, culled({&balls, 1}, pass.view(0)));
    EXPECT_GT(lit.lists.entry_count, 20u);
}

/// An occluder hides lights, unless an object that draws it is not seen.
TEST(PassLights, AreHiddenByWhatIsDrawn) {
    const World world(2000);
    const Ordered ordered(world);
    Made made;
    made.add_camera({}, 0);
    lanecull::Viewpoint eye;
    const PassCamera& camera = made.cameras[0];
    require(lanecull::prepare_viewpoint(camera.clip_from_world, camera.clip_space, eye));
    lanecull::Occluder wall;
    ASSERT_EQ(lanecull::prepare_occluder(lanecull::SolidBox{{-30, -30, -31}, {30, 30, -30}}, eye, wall),
              lanecull::OccluderRefusal::none);
    Lit lit(500, 0, 9), plain(500, 0, 9);
    made.cameras[0].light_cells = &plain.cells;
    lanecull::PassLimits limits = made.limits();
    lit.add_to(limits);
    CullPass pass;
    require(pass.reserve(limits, world.batches));
    require(pass.reserve(limits, ordered.scene));
    FlatLists lists(world, 1);
    require(pass.run(made.frame(), world.batches, lists.outputs));
    made.cameras[0].light_cells = &lit.cells;
    lists.outputs[0].occluders = {&wall, 1};
    require(pass.run(made.frame(), world.batches, lists.outputs));
    EXPECT_LT(count_of(lit.visible), count_of(plain.visible));
    EXPECT_EQ(both(lit.visible, plain.visible), lit.visible);
    const Words hidden = lit.visible, seen = lists.views[0].visible;

    const auto first_ball = [&](bool is_seen) {
        std::uint32_t i = 0;
        while (has(seen, 64 * world.words_of_batch() + i) != is_seen) ++i;
        return i;  // of the second batch
    };
    for (const bool is_seen : {true, false}) {
        const std::uint32_t box = first_ball(is_seen);
        lanecull::Owner owner{1, box};
        wall.owners = {&owner, 1};
        require(pass.run(made.frame(), world.batches, lists.outputs));
        EXPECT_EQ(lit.visible == hidden, is_seen);
        owner = {0, ordered.handles[world.count() + box]};
        lanecull::Output output{.occluders = {&wall, 1}};
        require(pass.run(made.frame(), ordered.scene, {&output, 1}));
        EXPECT_EQ(lit.visible == hidden, is_seen) << "in a scene";
    }
}

TEST(PassLights, AreRefusedIfTheyBreakARule) {
    const World world(10);
    Made made;
    made.add_camera({}, 0);
    made.add_camera({}, 0);
    Lit lit(20, 5, 1);
    lanecull::PassLimits limits = made.limits();
    lit.add_to(limits);
    CullPass pass, small;
    require(pass.reserve(limits, world.batches));
    FlatLists lists(world, 2);
    made.cameras[1].light_cells = &lit.cells;
    const auto message = [&](auto change) {
        const auto kept = std::tuple(lit.cells, lit.lists, lit.depths);
        require(pass.plan(made.frame(), world.batches));
        require(pass.prepare());
        const Words before = lists.views[0].visible;
        change();
        std::string text(pass.cull(world.batches, lists.outputs).message());
        EXPECT_EQ(lists.views[0].visible, before) << "something is written";
        EXPECT_EQ(text, std::string(pass.plan(made.frame(), world.batches).message()));
        std::tie(lit.cells, lit.lists, lit.depths) = kept;
        const std::string begin = "frame.cameras[1].light_cells->";
        EXPECT_EQ(text.substr(0, begin.size()), begin);
        return text.substr(std::min(text.size(), begin.size()));
    };
    EXPECT_EQ(message([&] { lit.cells.lists = nullptr; }), "lists: must not be null");
    EXPECT_EQ(message([&] { lit.cells.visible = {nullptr, 1}; }), "visible: must not be null, with a length of 1");
    EXPECT_EQ(message([&] { lit.cells.visible.count = 2; }), "visible: must have 1 words or none, not 2");
    EXPECT_EQ(message([&] { lit.cells.grid.tiles_x = 0; }), "grid.tiles_x: 1 to 64, not 0");
    EXPECT_EQ(message([&] { lit.cells.lights.balls.x = nullptr; }), "lights.balls.x: must not be null");
    EXPECT_EQ(message([&] { lit.cells.lights.balls.count = 21; }),
              "lights: 26, but reserve() was for 25 (limits.lights_in_cells)");
    EXPECT_EQ(message([&] { lit.cells.grid.tiles_y = 60, lit.lists.offsets = {}; }).substr(0, 12), "grid: needs ");
    EXPECT_EQ(message([&] { lit.cells.reserved[1] = 1; }).substr(0, 9), "reserved:");
    EXPECT_EQ(message([&] { lit.cells.reserved_too = 1; }).substr(0, 9), "reserved:");
    EXPECT_EQ(message([&] { lit.depths[0] = 1e-35; }).substr(0, 28), "grid.boundaries: element 0 i");
    EXPECT_TRUE(pass.run(made.frame(), world.batches, lists.outputs));
    made.cameras[1].clip_from_world[0] = NAN;
    EXPECT_EQ(std::string(pass.plan(made.frame(), world.batches).message()).substr(0, 42),
              "frame.cameras[1].clip_from_world: element ");
    limits = {.cameras = 2, .reserved = {0, 1}};
    EXPECT_EQ(std::string(small.reserve(limits, world.batches).message()).substr(0, 16), "limits.reserved:");
    limits = {.cameras = 2, .light_scratch_bytes = ~std::uint64_t{0}};
    EXPECT_EQ(std::string(small.reserve(limits, world.batches).message()),
              "limits.light_scratch_bytes: more than there can be");
}

}  // namespace
