#include <lanecull/solids.h>

#include "out_of_memory/fail_create.hpp"
#include "solids/merging.hpp"
#include "solids/meshes.hpp"

/// Boxes and hulls within what is drawn.

namespace {

using lanecull::SolidBoxes;

std::string text_of(const SolidBoxes& boxes) {
    std::string text = merging::BoxList(boxes.boxes()).describe();
    for (std::uint32_t i = 0; i < boxes.count(); ++i) {
        for (const std::uint32_t owner : boxes.owners(i)) text += " " + std::to_string(owner);
    }
    return text;
}

/// Other boxes than the call finds.
std::unique_ptr<SolidBoxes> some_boxes() {
    merging::BoxList one;
    one.add({{0, 0, 0}, {1, 2, 3}});
    auto boxes = std::make_unique<SolidBoxes>();
    EXPECT_TRUE(lanecull::merge_boxes(one.boxes(), *boxes));
    return boxes;
}

Seen look(const SolidBoxes& boxes) { return {text_of(boxes)}; }

TEST(SolidsOutOfMemory, WhereBoxesAreMerged) {
    Random random(7);
    for (int family = 0; family < static_cast<int>(merging::Family::families); ++family) {
        const merging::BoxList given = merging::random_boxes(random, static_cast<merging::Family>(family));
        for (const std::uint32_t most : {0U, 3U}) {
            lanecull::MergeOptions options;
            if (most != 0) options.max_boxes = most;
            fail_each(
                std::string("merge_boxes, ") + merging::name(static_cast<merging::Family>(family)) + " " +
                    std::to_string(given.size()) + " to " + std::to_string(most),
                some_boxes, [&](SolidBoxes& boxes) { return lanecull::merge_boxes(given.boxes(), boxes, options); },
                look);
        }
    }
}

TEST(SolidsOutOfMemory, WhereBoxesOfAMeshAreFound) {
    for (const auto& [name, mesh] : {std::pair{"a house", meshes::house()}, {"a ball", meshes::sphere(1, 12, 8)}}) {
        for (const std::uint32_t resolution : {4U, 8U}) {
            fail_each(
                std::string("solid_boxes, ") + name + " " + std::to_string(resolution), some_boxes,
                [&, &mesh = mesh](SolidBoxes& boxes) {
                    return lanecull::solid_boxes(mesh.view(), boxes, {.resolution = resolution});
                },
                look);
        }
    }
}

TEST(SolidsOutOfMemory, WhereAHullOfAMeshIsFound) {
    const meshes::Mesh ball = meshes::sphere(1, 12, 8);
    fail_each(
        "solid_hull", [] { return std::make_unique<lanecull::SolidHull>(); },
        [&](lanecull::SolidHull& hull) {
            return lanecull::solid_hull(ball.view(), {0, 0, 0}, hull);
        },
        [](const lanecull::SolidHull& hull) {
            Seen seen{std::to_string(hull.triangle_count)};
            for (const auto& corner : hull.corner) {
                for (const float x : corner) seen.exact += std::to_string(x) + " ";
            }
            return seen;
        });
}

TEST(SolidsOutOfMemory, WhereSolidBoxesAreMade) {
    fail_create<lanecull_solid_boxes>("lanecull_create_solid_boxes", lanecull_create_solid_boxes,
                                      lanecull_destroy_solid_boxes);
    merging::BoxList one;
    one.add({{0, 0, 0}, {1, 2, 3}});
    fail_first<SolidBoxes>("SolidBoxes(), merge_boxes",
                           [&](SolidBoxes& boxes) { return lanecull::merge_boxes(one.boxes(), boxes); });
    const meshes::Mesh house = meshes::house();
    fail_first<SolidBoxes>("SolidBoxes(), solid_boxes", [&](SolidBoxes& boxes) {
        return lanecull::solid_boxes(house.view(), boxes, {.resolution = 4});
    });
}

}  // namespace
