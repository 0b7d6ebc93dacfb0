#include "../../tools/viewer/frame_occluders.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/mat3x3.hpp>
#include <glm/matrix.hpp>
#include <glm/vec3.hpp>
#include <numbers>
#include <random>

#include "../../tools/viewer/scene_meshes.hpp"
#include "view/prepared_occluder.hpp"

/// The solid boxes by which the viewer hides objects.

namespace {

using namespace lanecull::program;
using glm::dmat3, glm::dvec3;

/// Boxes before the eye, none behind another, far from the origin, where roundings are large.
struct Row {
    Camera camera;
    Scene scene;

    explicit Row(unsigned seed) {
        std::mt19937 random(seed);
        const auto between = [&](double low, double high) {
            return static_cast<float>(std::uniform_real_distribution<double>(low, high)(random));
        };
        camera = {.eye = {41234.5, -30123.25, 5.5}, .forward = {0, 1, 0}, .vertical_fov = 1, .near = 0.1, .far = 500};
        BoxArrays boxes;
        OrientedBoxArrays turned;
        for (int i = -8; i < 8; ++i) {
            const glm::vec3 center = glm::vec3(camera.eye) + glm::vec3(2.5F * float(i) + 1, between(40, 60), 0);
            const glm::vec3 half(between(0.4, 0.9), between(0.4, 0.9), between(0.4, 0.9));
            if (i % 2 == 0) {
                boxes.add(center - half, center + half);
            } else {
                const float angle = between(0, std::numbers::pi);
                turned.add(
                    center,
                    glm::mat3({std::cos(angle), std::sin(angle), 0}, {-std::sin(angle), std::cos(angle), 0}, {0, 0, 1}),
                    half);
            }
        }
        scene.name = "row";
        scene.add_solid("boxes", std::move(boxes));
        scene.add_solid("turned boxes", std::move(turned));
    }
};

/// How far inside of what is drawn for an object a box lies, in units of length; negative where a corner sticks out.
double depth_within(const Instance& drawn, const BoxEdges& box) {
    dmat3 axes;
    dvec3 center;
    for (int row = 0; row < 3; ++row) {
        const auto r = static_cast<std::size_t>(row);
        center[row] = drawn.center[r];
        for (int k = 0; k < 3; ++k) axes[k][row] = drawn.axes[static_cast<std::size_t>(k)][r];
    }
    const dmat3 inverse = glm::inverse(axes);
    double depth = 1e300;
    for (int i = 0; i < 8; ++i) {
        const dvec3 sides((i & 1) != 0 ? 1 : -1, (i & 2) != 0 ? 1 : -1, (i & 4) != 0 ? 1 : -1);
        const dvec3 at = inverse * (box.center + box.half * sides - center);
        for (int k = 0; k < 3; ++k) depth = std::min(depth, (1 - std::abs(at[k])) * glm::length(axes[k]));
    }
    return depth;
}

/// Positions of what is drawn are rounded to floats. The solid lies within what is drawn for it, by as much as what it
/// hides may be off too; without the inset it does not.
TEST(FrameOccluders, LieWithinWhatIsDrawn) {
    int outside_as_given = 0, chosen = 0;
    for (unsigned seed = 0; seed < 20; ++seed) {
        SCOPED_TRACE(seed);
        const Row row(seed);
        const SceneMeshes meshes = mesh_scene(row.scene);
        const SceneSolids as_given(row.scene);
        FrameOccluders occluders(row.scene, 64, {640, 360, 8});
        const auto frame = occluders.choose(row.camera, row.camera.viewpoint(), row.camera.view());
        const std::vector<BoxEdges> boxes = occluders.boxes();
        ASSERT_EQ(boxes.size(), frame.size());
        chosen += static_cast<int>(frame.size());
        const double roundings = 4 * std::numbers::sqrt3 * 0x1p-24 * 41300;
        for (std::size_t i = 0; i < frame.size(); ++i) {
            ASSERT_EQ(frame[i].owners.size(), 1U);
            const lanecull::Owner owner = frame[i].owners[0];
            const std::size_t object = meshes.batches[owner.batch].first_index + owner.object;
            EXPECT_GE(depth_within(meshes.instances[object], boxes[i]), roundings);
            const BoxEdges given = as_given.visit(object, [](const auto& box) { return edges_of(box); });
            outside_as_given += depth_within(meshes.instances[object], given) < 0 ? 1 : 0;
        }
    }
    EXPECT_GE(chosen, 20 * 8);
    EXPECT_GE(outside_as_given, chosen / 4) << "roundings move nothing here: the test shows nothing";
}

/// Pixels of a picture four times as small are four times as wide, and so is the margin: fewer objects are hidden.
TEST(FrameOccluders, HaveTheMarginOfTheirPicture) {
    const Row row(7);
    const auto offsets = [&](std::uint32_t width, std::uint32_t height) {
        FrameOccluders occluders(row.scene, 1, {1, 1, 8});
        occluders.resize(width, height);
        const auto frame = occluders.choose(row.camera, row.camera.viewpoint(), row.camera.view());
        EXPECT_EQ(frame.size(), 1U);
        return std::vector<float>(contents_of(frame[0]).offset,
                                  contents_of(frame[0]).offset + contents_of(frame[0]).count);
    };
    const std::vector<float> fine = offsets(2560, 1440), coarse = offsets(640, 360);
    ASSERT_EQ(fine.size(), coarse.size());
    double shrunk = 0;
    for (std::size_t k = 0; k < fine.size(); ++k) shrunk = std::max(shrunk, double(fine[k]) - coarse[k]);
    EXPECT_GT(shrunk, 0);
}

}  // namespace
