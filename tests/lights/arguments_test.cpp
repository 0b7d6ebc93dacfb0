#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include <lanecull/light_grid.h>

/// Every rule of assign_lights() for its arguments: a call that breaks one fails with a sentence that names it, and
/// writes nothing.

namespace {

using lanecull::Status;

class LightArguments : public testing::Test {
protected:
    static constexpr std::uint32_t sentinel = 0x77777777;

    LightArguments() {
        grid.clip_from_world = matrix;
        grid.tiles_x = 2, grid.tiles_y = 3;
        grid.boundaries = boundaries;
        lights.balls = {number, number, number, number, 1};
        lights.spots = {number, number, number, number, number, number, number, number, 1};
        lists.offsets = offsets, lists.indices = indices, lists.words = words;
        scratch.resize(lanecull::light_scratch_bytes(2, 3, 2, 2));
    }

    Status call() { return lanecull::assign_lights(grid, lights, lists, scratch, options); }

    /// Breaks a rule by `change`, and restores everything.
    void expect_failure(const std::string& named, const std::function<void()>& change) {
        const auto kept =
            std::tuple(grid, lights, lists, options, scratch, std::vector<double>(boundaries, boundaries + 3));
        change();
        const Status status = call();
        EXPECT_FALSE(status.ok()) << named;
        EXPECT_NE(std::string(status.message()).find(named), std::string::npos)
            << "\"" << status.message() << "\" does not name " << named;
        for (const std::uint32_t* written : {offsets, indices, words}) EXPECT_EQ(written[0], sentinel) << named;
        EXPECT_EQ(lists.entry_count, 0u);
        std::copy(std::get<5>(kept).begin(), std::get<5>(kept).end(), boundaries);
        std::tie(grid, lights, lists, options, scratch) =
            std::tuple(std::get<0>(kept), std::get<1>(kept), std::get<2>(kept), std::get<3>(kept), std::get<4>(kept));
    }

    double matrix[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1, -1, 0, 0, -0.1, 0};
    double boundaries[3] = {1, 2, 4};
    const float number[1] = {1};
    std::uint32_t offsets[13] = {sentinel}, indices[24] = {sentinel}, words[12] = {sentinel};
    lanecull::LightGrid grid;
    lanecull::Lights lights;
    lanecull::LightLists lists;
    lanecull::LightOptions options;
    std::vector<std::byte> scratch;
};

TEST_F(LightArguments, Hold) {
    EXPECT_TRUE(call());
    EXPECT_NE(offsets[0], sentinel);
    lights = {};
    lists.words = {};
    EXPECT_TRUE(call());
    EXPECT_EQ(lists.entry_count, 0u);
}

TEST_F(LightArguments, OfGrids) {
    const double none = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
    expect_failure("grid.clip_from_world", [&] { grid.clip_from_world = nullptr; });
    expect_failure("grid.clip_from_world", [&] { matrix[0] = 0; });
    matrix[0] = none;
    expect_failure("grid.clip_from_world: element 0", [] {});
    matrix[0] = 1;
    expect_failure("grid.clip_space.origin", [&] { grid.clip_space.origin[0] = infinity; });
    expect_failure("grid.clip_space.layout", [&] { grid.clip_space.layout = static_cast<lanecull::MatrixLayout>(9); });
    for (const std::uint32_t tiles : {0u, 65u}) {
        expect_failure("grid.tiles_x", [&] { grid.tiles_x = tiles; });
        expect_failure("grid.tiles_y", [&] { grid.tiles_y = tiles; });
    }
    expect_failure("grid.boundaries", [&] { grid.boundaries = {nullptr, 3}; });
    expect_failure("grid.boundaries", [&] { grid.boundaries.count = 1; });
    expect_failure("grid.boundaries", [&] { grid.boundaries.count = 130; });
    expect_failure("grid.boundaries: element 0", [&] { boundaries[0] = 0; });
    expect_failure("grid.boundaries: element 1", [&] { boundaries[1] = infinity; });
    expect_failure("grid.boundaries: element 1", [&] { boundaries[1] = 1; });
    expect_failure("grid.boundaries: element 2", [&] { boundaries[2] = none; });
    expect_failure("grid.sight", [&] { grid.sight = static_cast<lanecull::SightDirection>(2); });
    expect_failure("grid.reserved", [&] { grid.reserved[3] = 1; });
}

TEST_F(LightArguments, OfLights) {
    expect_failure("lights.balls.radius", [&] { lights.balls.radius = nullptr; });
    expect_failure("lights.spots.axis_y", [&] { lights.spots.axis_y = nullptr; });
    expect_failure("lights.visible", [&] { lights.visible = {nullptr, 1}; });
    const std::uint64_t two[2] = {};
    expect_failure("lights.visible", [&] { lights.visible = two; });
    expect_failure("lights.spots.end", [&] { lights.spots.end = static_cast<lanecull::SpotEnd>(2); });
    expect_failure("lights.reserved", [&] { lights.reserved[0] = 1; });
    expect_failure("lights: ", [&] { lights.balls.count = 0xffffffff; });
}

TEST_F(LightArguments, OfVisibleLights) {
    std::uint64_t visible[2] = {sentinel, sentinel};
    lanecull::LightReceivers receivers;
    lanecull::Occluder wall;
    const auto expect_refused = [&](const std::string& named, const std::function<void()>& change) {
        const auto kept = std::tuple(grid, lights, receivers, options, scratch);
        change();
        const std::size_t count = named == "visible" ? 2 : 1;
        const Status status = lanecull::cull_lights(grid, lights, receivers, {visible, count}, scratch, options);
        EXPECT_FALSE(status.ok()) << named;
        EXPECT_NE(std::string(status.message()).find(named), std::string::npos)
            << "\"" << status.message() << "\" does not name " << named;
        EXPECT_EQ(visible[0], sentinel);
        std::tie(grid, lights, receivers, options, scratch) = kept;
    };
    EXPECT_TRUE(lanecull::cull_lights(grid, lights, receivers, {visible, 1}, scratch, options));
    EXPECT_LE(visible[0], 3u);
    visible[0] = sentinel;
    const lanecull::Owner owner{};
    expect_refused("visible", [] {});
    expect_refused("grid.clip_from_world", [&] { grid.clip_from_world = nullptr; });
    expect_refused("grid.clip_space.origin", [&] { grid.clip_space.origin[0] = HUGE_VAL; });
    expect_refused("grid.reserved", [&] { grid.reserved[0] = 1; });
    expect_refused("lights.balls.x", [&] { lights.balls.x = nullptr; });
    expect_refused("lights.visible", [&] { lights.visible = {visible, 2}; });
    expect_refused("lights: ", [&] { lights.balls.count = 0xffffffff; });
    expect_refused("receivers.reserved", [&] { receivers.reserved[2] = 1; });
    expect_refused("receivers.occluders[0]: ", [&] { receivers.occluders = {&wall, 1}; });
    expect_refused("receivers.occluders[0].owners", [&] {
        lanecull::Viewpoint eye;
        ASSERT_TRUE(lanecull::prepare_viewpoint(matrix, {}, eye));
        ASSERT_EQ(lanecull::prepare_occluder(lanecull::SolidBox{{-1, -1, -3}, {1, 1, -2}}, eye, wall),
                  lanecull::OccluderRefusal::none);
        wall.owners = {&owner, 1};
        receivers.occluders = {&wall, 1};
    });
    expect_refused("options.reserved", [&] { options.reserved[1] = 1; });
    expect_refused("options.isa", [&] { options.isa = static_cast<lanecull::Isa>(77); });
    expect_refused("light_scratch_bytes() is enough", [&] { scratch.clear(); });
    const std::size_t bytes = scratch.size();
    EXPECT_FALSE(Status(lanecull_cull_lights(nullptr, &lights, nullptr, nullptr, visible, 1, scratch.data(), bytes)));
    EXPECT_FALSE(Status(lanecull_cull_lights(&grid, nullptr, nullptr, nullptr, visible, 1, scratch.data(), bytes)));
    EXPECT_FALSE(Status(lanecull_cull_lights(&grid, &lights, nullptr, nullptr, nullptr, 1, scratch.data(), bytes)));
}

TEST_F(LightArguments, OfOutputs) {
    expect_failure("lists.offsets", [&] { lists.offsets.count = 12; });
    expect_failure("lists.offsets", [&] { lists.offsets.items = nullptr; });
    expect_failure("lists.indices", [&] { lists.indices.items = nullptr; });
    expect_failure("lists.words", [&] { lists.words.count = 11; });
    expect_failure("lists.reserved", [&] { lists.reserved[0] = 1; });
    expect_failure("options.reserved", [&] { options.reserved[0] = 1; });
    expect_failure("options.reserved", [&] { options.reserved_too = 1; });
    expect_failure("options.isa", [&] { options.isa = static_cast<lanecull::Isa>(77); });
    expect_failure("light_scratch_bytes() asks for ", [&] { scratch.pop_back(); });
    EXPECT_FALSE(
        Status(lanecull_assign_lights(nullptr, &lights, nullptr, &lists, scratch.data(), scratch.size())).ok());
    EXPECT_FALSE(Status(lanecull_assign_lights(&grid, nullptr, nullptr, &lists, scratch.data(), scratch.size())).ok());
    EXPECT_FALSE(Status(lanecull_assign_lights(&grid, &lights, nullptr, nullptr, scratch.data(), scratch.size())).ok());
    EXPECT_FALSE(Status(lanecull_assign_lights(&grid, &lights, nullptr, &lists, nullptr, scratch.size())).ok());
}

}  // namespace
