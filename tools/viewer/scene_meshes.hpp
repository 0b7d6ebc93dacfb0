#pragma once

#include <lanecull/batch.h>
#include <array>
#include <cstdint>
#include <vector>

#include "scene/scene.hpp"

/// A scene's objects as meshes and draws. Each mesh lies within the object's culling shape, to rounding.
namespace lanecull::program {

/// A point of a mesh. `side`, -1, 0 or 1, moves along the instance's shift: capsules are balls pulled apart.
struct Vertex {
    float x, y, z, side;
};

/// Point (x, y, z, side) of the mesh is at center + x axes[0] + y axes[1] + z axes[2] + side shift, with
/// shift = (axes[0][3], axes[1][3], axes[2][3]).
struct Instance {
    std::array<float, 4> center;
    std::array<std::array<float, 4>, 3> axes;
};

/// Object i, counted through all batches, is instance i. Movable, not copyable: the batches point into it and into the
/// scene it was made of.
struct SceneMeshes {
    std::vector<Vertex> vertices;
    std::vector<std::uint32_t> indices;
    std::vector<Instance> instances;
    std::vector<std::uint32_t> colors;   ///< R8G8B8A8, one an object
    std::vector<DrawCommand> draws;      ///< one an object: what is drawn without culling
    std::vector<DrawCommand> templates;  ///< one a batch, for batches of one mesh
    std::vector<Batch> batches;          ///< the scene's, with draws

    SceneMeshes() = default;
    SceneMeshes(SceneMeshes&&) = default;
    SceneMeshes& operator=(SceneMeshes&&) = default;
};

/// What is drawn of a scene: not the boxes that stand in for meshes, and under the city a ground of flat boxes, its
/// last group.
[[nodiscard]] Scene scene_to_draw(Scene scene);

[[nodiscard]] SceneMeshes mesh_scene(const Scene& scene);

}  // namespace lanecull::program
