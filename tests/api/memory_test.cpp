#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <tuple>
#include <utility>
#include <vector>

#include <lanecull/occluder.h>
#include <lanecull/scene.h>
#include <lanecull/shadow.h>
#include <lanecull/solids.h>
#include <lanecull/gjk/penetration.hpp>

#include "solids/merging.hpp"
#include "solids/meshes.hpp"
#include "support/memory.hpp"
#include "support/random.hpp"

/// What the headers say of memory, measured: of scenes, passes, solids and their choice, and of the stack.

namespace {

using lanecull::Handle;
using lanecull::Scene;
using lanecull::Status;

constexpr std::uint32_t object_count = 100'000;

/// Boxes of up to 2 across, anywhere in a cube of 1,000.
merging::BoxList many_boxes(std::uint32_t count) {
    Random random(20261127);
    merging::BoxList boxes;
    for (std::uint32_t i = 0; i < count; ++i) {
        merging::GivenBox box;
        for (std::size_t k = 0; k < 3; ++k) {
            box.lo[k] = static_cast<float>(random.range(0, 1000));
            box.hi[k] = box.lo[k] + static_cast<float>(random.range(0.1, 2));
        }
        boxes.add(box);
    }
    return boxes;
}

void add(Scene& scene, const lanecull::Batch& batch, std::vector<Handle>& handles,
         const lanecull::AddOptions& options = {}) {
    handles.resize(batch.count());
    const Status status = scene.add({&batch, 1}, handles, options);
    ASSERT_TRUE(status) << status.message();
    scene.refit();
}

TEST(Memory, OfScenes) {
    const merging::BoxList given = many_boxes(object_count);
    HeldMemory memory;
    std::vector<Handle> handles;
    for (const auto& [mobility, bytes] :
         {std::pair{lanecull::Mobility::fixed, 40.0}, {lanecull::Mobility::moving, 50.0}}) {
        Scene scene;
        add(scene, given.boxes(), handles, {.mobility = mobility});
        EXPECT_NEAR(static_cast<double>(scene.bytes()) / object_count, bytes, 2);
        EXPECT_NEAR(memory.now() / object_count, bytes, 3);
        static_cast<void>(memory.most());
        const Status status = scene.place(handles, given.boxes());
        ASSERT_TRUE(status) << status.message();
        EXPECT_NEAR((memory.most() - memory.now()) / object_count, 16, 2) << "while place() runs";
    }
}

TEST(Memory, OfScenesOfInstances) {
    const std::vector<float> matrices(12 * std::size_t{object_count}, 1.0f);
    const std::vector<std::uint32_t> first(object_count, 0);
    const float low = -1, high = 1;
    const lanecull::LocalBoxes local{{&low, &low, &low, &high, &high, &high, 1}, first.data()};
    HeldMemory memory;
    Scene scene;
    std::vector<Handle> handles;
    add(scene,
        lanecull::BoxInstances{
            {.first = matrices.data(), .layout = lanecull::TransformLayout::rows_3x4}, local, object_count},
        handles);
    EXPECT_NEAR(static_cast<double>(scene.bytes()) / object_count, 72 + 16 + 0.5, 2);
}

/// 8 bytes for each 64 objects and camera, the scratch memory of a cull, 3.7 KB for each view and pair, and 14 KB.
TEST(Memory, OfPasses) {
    const merging::BoxList given = many_boxes(object_count);
    const lanecull::Batch batch = given.boxes();
    for (const auto& [limits, views, sets] :
         {std::tuple{lanecull::PassLimits{.cameras = 1}, 1u, 1u},
          {lanecull::PassLimits{.cameras = 2, .cascades = 8, .point_lights = 0}, 10u, 2u},
          {lanecull::PassLimits{.cameras = 2, .cascades = 8, .point_lights = 50}, 10u + 6 * 50 + 2 * 50, 100u}}) {
        HeldMemory memory;
        lanecull::CullPass pass;
        ASSERT_TRUE(pass.reserve(limits, {&batch, 1}));
        const double words = 8.0 * sets * object_count / 64;
        const auto scratch = static_cast<double>(lanecull::scratch_bytes({&batch, 1}, std::min(views, 64u)));
        EXPECT_NEAR(memory.now(), words + scratch + 3700.0 * views + 14'000, 0.1 * memory.now())
            << limits.cameras << " cameras, " << limits.point_lights << " point lights";
    }
}

/// With solids 24 bytes for each, 260 bytes a view, 37 KB and a bit a solid for each of up to 64 views, eight times the
/// scratch memory of a choice, and the scratch memory of a cull of as many boxes.
TEST(Memory, OfPassesThatChooseOccluders) {
    const float center = 0;
    const lanecull::Batch batch = lanecull::Spheres{&center, &center, &center, &center, 1};
    for (lanecull::PassLimits limits : {lanecull::PassLimits{.cameras = 1, .cascades = 4},
                                        lanecull::PassLimits{.cameras = 1, .cascades = 4, .point_lights = 50}}) {
        const auto bytes = [&](std::uint32_t solids) {
            HeldMemory memory;
            lanecull::CullPass pass;
            limits.solids = solids;
            EXPECT_TRUE(pass.reserve(limits, {&batch, 1}));
            return static_cast<double>(memory.now());
        };
        constexpr std::uint32_t count = 10'000;
        const std::size_t views = 5 + std::size_t{6} * limits.point_lights, at_once = std::min<std::size_t>(views, 64);
        const lanecull::Batch boxes = lanecull::Boxes{&center, &center, &center, &center, &center, &center, count};
        const std::size_t scratch = lanecull::scratch_bytes({&boxes, 1}, at_once),
                          before = lanecull::scratch_bytes({&batch, 1}, at_once);
        const std::size_t expected = 24 * count + 256 * views + (36'864 + count / 8) * at_once +
                                     8 * lanecull::choose_scratch_bytes(count) + (scratch - before);
        EXPECT_NEAR(bytes(count) - bytes(0), static_cast<double>(expected), 0.01 * static_cast<double>(expected));
    }
}

/// With lights in cells 37 KB, 8 bytes for each 64 objects and camera, and more scratch memory where these need it.
TEST(Memory, OfPassesWithLightsInCells) {
    const merging::BoxList given = many_boxes(object_count);
    const lanecull::Batch batch = given.boxes();
    lanecull::PassLimits limits{.cameras = 2, .cascades = 0, .point_lights = 50};
    const auto bytes = [&] {
        HeldMemory memory;
        lanecull::CullPass pass;
        EXPECT_TRUE(pass.reserve(limits, {&batch, 1}));
        return static_cast<double>(memory.now());
    };
    const double without = bytes();
    limits.lights_in_cells = 1000;
    const double words = 8.0 * limits.cameras * object_count / 64;
    EXPECT_NEAR(bytes() - without, 36'864 + words, 1000);
    const auto scratch = static_cast<double>(lanecull::scratch_bytes({&batch, 1}, 64));
    limits.light_scratch_bytes = 10 * static_cast<std::uint64_t>(scratch);
    EXPECT_NEAR(bytes() - without, 36'864 + words + 9 * scratch, 1000);
}

TEST(Memory, OfSolids) {
    constexpr std::uint32_t count = 20'000;
    const merging::BoxList given = many_boxes(count);
    HeldMemory memory;
    {
        lanecull::SolidBoxes merged;
        ASSERT_TRUE(lanecull::merge_boxes(given.boxes(), merged));
        EXPECT_LE(memory.most(), 125.0 * count + 70e6);
    }
    const meshes::Mesh mesh = meshes::sphere(1, 100, 50);
    const lanecull::TriangleMesh view = mesh.view();
    {
        lanecull::SolidBoxes boxes;
        static_cast<void>(memory.most());
        ASSERT_TRUE(lanecull::solid_boxes(view, boxes, {.resolution = 64}));
        EXPECT_LE(memory.most(), 14.0 * 66 * 66 * 66 + 150.0 * view.triangle_count + 100'000);
    }
    lanecull::SolidHull hull;
    static_cast<void>(memory.most());
    ASSERT_TRUE(lanecull::solid_hull(view, {0, 0, 0}, hull));
    EXPECT_LE(memory.most(), 165.0 * view.triangle_count + 10'000);
    EXPECT_EQ(memory.now(), 0);
}

TEST(Memory, OfChoices) {
    for (const std::size_t solids : {std::size_t{0}, std::size_t{1000}, std::size_t{100'000}}) {
        EXPECT_NEAR(static_cast<double>(lanecull::choose_scratch_bytes(solids)),
                    24.0 * static_cast<double>(solids) + 80'000, 3000)
            << solids;
    }
}

TEST(Memory, OfTheStack) {
    namespace gjk = lanecull::gjk;
    using Doubles = gjk::Expansion<gjk::Vec3<double>, gjk::detail::most_expansion_points>;
    using Floats = gjk::Expansion<gjk::Vec3<float>, gjk::detail::most_expansion_points>;
    EXPECT_NEAR(static_cast<double>(sizeof(Doubles)), 60e3, 3e3) << "penetration.hpp says 60 KB";
    EXPECT_NEAR(static_cast<double>(sizeof(Floats)), 35e3, 3e3) << "penetration.hpp says 35 KB";
}

}  // namespace
