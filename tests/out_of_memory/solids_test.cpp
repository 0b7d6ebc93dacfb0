#include <lanecull/scene.h>
#include <lanecull/shadow.h>
#include <lanecull/solids.h>

#include "frame/world.hpp"
#include "out_of_memory/fail_each.hpp"
#include "solids/merging.hpp"
#include "solids/meshes.hpp"

/// Boxes and hulls within what is drawn; passes, of which reserve() alone takes memory.

namespace {

using lanecull::CullPass;
using lanecull::SolidBoxes;

Seen look(const SolidBoxes& boxes) {
    std::string text = merging::BoxList(boxes.boxes()).describe();
    for (std::uint32_t i = 0; i < boxes.count(); ++i) {
        for (const std::uint32_t owner : boxes.owners(i)) text += " " + std::to_string(owner);
    }
    return {text};
}

/// find(boxes), for boxes that are others before.
template <class Find>
void fail_boxes(const std::string& function, const Find& find) {
    const auto other_boxes = [] {
        merging::BoxList one;
        one.add({{0, 0, 0}, {1, 2, 3}});
        auto boxes = std::make_unique<SolidBoxes>();
        EXPECT_TRUE(lanecull::merge_boxes(one.boxes(), *boxes));
        return boxes;
    };
    fail_write<SolidBoxes>(function, other_boxes, find, look);
}

TEST(SolidsOutOfMemory, WhereBoxesAreMerged) {
    Random random(7);
    for (int family = 0; family < static_cast<int>(merging::Family::families); ++family) {
        const merging::BoxList given = merging::random_boxes(random, static_cast<merging::Family>(family));
        for (const std::uint32_t most : {0U, 3U}) {
            const lanecull::MergeOptions options{.max_boxes = most};
            fail_boxes(std::string("merge_boxes, ") + merging::name(static_cast<merging::Family>(family)) + " to " +
                           std::to_string(most),
                       [&](SolidBoxes& boxes) { return lanecull::merge_boxes(given.boxes(), boxes, options); });
        }
    }
}

TEST(SolidsOutOfMemory, WhereAMeshIsFilled) {
    const meshes::Mesh house = meshes::house(), ball = meshes::sphere(1, 12, 8);
    for (const meshes::Mesh* mesh : {&house, &ball}) {
        for (const std::uint32_t resolution : {4U, 8U}) {
            fail_boxes("solid_boxes, " + std::to_string(resolution), [&](SolidBoxes& boxes) {
                return lanecull::solid_boxes(mesh->view(), boxes, {.resolution = resolution});
            });
        }
    }
    fail_each(
        "solid_hull", [] { return std::make_unique<lanecull::SolidHull>(); },
        [&](lanecull::SolidHull& hull) {
            return lanecull::solid_hull(ball.view(), {0, 0, 0}, hull);
        },
        [](const lanecull::SolidHull& hull) {
            return Seen{std::to_string(hull.triangle_count), text_of(std::as_bytes(std::span(hull.corner)))};
        });
}

/// The planned frame is forgotten where there is memory, and otherwise kept.
TEST(PassesOutOfMemory, WhereAPassIsReserved) {
    const frame_tests::World world(300);
    frame_tests::Made made;
    made.add_camera({}, 3);
    made.add_point_light({0, 0, -20}, 30);
    std::vector<lanecull::Handle> handles(world.objects());
    lanecull::Scene scene;
    ASSERT_TRUE(scene.add(world.batches, handles));
    scene.refit();
    std::vector<lanecull::Output> outputs(lanecull::view_count(made.frame()));
    const auto planned = [&] {
        auto pass = std::make_unique<CullPass>();
        EXPECT_TRUE(pass->reserve(made.limits(), world.batches));
        EXPECT_TRUE(pass->reserve(made.limits(), scene));
        EXPECT_TRUE(pass->plan(made.frame(), world.batches));
        return pass;
    };
    const auto look_at = [&](CullPass& pass) {
        Seen seen{"", std::to_string(pass.view_count())};
        if (pass.view_count() == 0) return seen;
        EXPECT_TRUE(pass.prepare());
        EXPECT_TRUE(pass.cull(world.batches, outputs));
        for (const lanecull::Output& output : outputs) seen.exact += " " + std::to_string(output.visible_count);
        return seen;
    };
    const lanecull::PassLimits more{3, 20, 40};
    fail_write<CullPass>(
        "CullPass::reserve", planned, [&](CullPass& pass) { return pass.reserve(more, world.batches); }, look_at);
    fail_write<CullPass>(
        "CullPass::reserve, for a scene", planned, [&](CullPass& pass) { return pass.reserve(more, scene); }, look_at);
}

}  // namespace
