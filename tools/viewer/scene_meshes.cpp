#include "scene_meshes.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <glm/mat3x3.hpp>
#include <glm/vec3.hpp>
#include <iterator>
#include <map>
#include <utility>
#include <variant>

#include "picture/solids.hpp"
#include "scene/random.hpp"

namespace lanecull::program {
namespace {

/// Indices of a mesh in SceneMeshes, as a command of the object with that instance.
struct MeshRange {
    std::uint32_t first_index, index_count;
    std::int32_t vertex_offset;

    [[nodiscard]] DrawCommand command(std::uint32_t instance) const {
        return {index_count, 1, first_index, vertex_offset, instance};
    }
};

class Meshes {
public:
    explicit Meshes(SceneMeshes& meshes) : meshes_(meshes) {}

    MeshRange add(const std::vector<Vertex>& vertices, const std::vector<std::uint32_t>& indices) {
        const MeshRange range{static_cast<std::uint32_t>(meshes_.indices.size()),
                              static_cast<std::uint32_t>(indices.size()),
                              static_cast<std::int32_t>(meshes_.vertices.size())};
        meshes_.vertices.insert(meshes_.vertices.end(), vertices.begin(), vertices.end());
        meshes_.indices.insert(meshes_.indices.end(), indices.begin(), indices.end());
        return range;
    }

    /// A round solid's halves are on either side.
    MeshRange add_solid(const SolidMesh& mesh, bool is_round = false) {
        std::vector<Vertex> vertices;
        for (const glm::vec3& p : mesh.points) {
            const float side = 2 * vertices.size() < mesh.points.size() ? 1.0F : -1.0F;
            vertices.push_back({p.x, p.y, p.z, is_round ? side : 0});
        }
        std::vector<std::uint32_t> indices;
        for (const auto& [a, b, c, d] : mesh.facets) {
            indices.insert(indices.end(), {a, b, c});
            if (c != d) indices.insert(indices.end(), {a, c, d});
        }
        return add(vertices, indices);
    }

private:
    SceneMeshes& meshes_;
};

Instance instance_of(const Solid& solid) {
    Instance instance{};
    for (int row = 0; row < 3; ++row) {
        const auto r = static_cast<std::size_t>(row);
        instance.center[r] = static_cast<float>(solid.center[row]);
        for (int k = 0; k < 3; ++k) instance.axes[static_cast<std::size_t>(k)][r] = solid.axes[k][row];
        instance.axes[r][3] = solid.shift[row];
    }
    return instance;
}

/// A group's colour, a little lighter or darker from object to object.
std::uint32_t color_of(std::size_t group, std::uint32_t object) {
    static constexpr std::uint8_t palette[][3] = {{196, 178, 160}, {176, 188, 200}, {190, 150, 110}, {120, 124, 130},
                                                  {178, 70, 60},   {96, 140, 72},   {236, 210, 130}, {210, 210, 214},
                                                  {70, 74, 80},    {150, 128, 168}, {122, 126, 120}};
    const auto& base = palette[group % std::size(palette)];
    const double tint = Random(object).between(0.8, 1.15);
    std::uint32_t color = 0xFF000000U;
    for (unsigned k = 0; k < 3; ++k) color |= static_cast<std::uint32_t>(std::min(255.0, base[k] * tint)) << 8 * k;
    return color;
}

}  // namespace

Scene scene_to_draw(Scene scene) {
    if (scene.name != "city") return scene;
    constexpr int tiles = 16;  // each way
    const Bounds bounds = scene.bounds();
    BoxArrays ground;
    const auto edge = [&](int axis, int i) {
        return static_cast<float>(bounds.lower[axis] + bounds.size()[axis] * i / tiles);
    };
    for (int x = 0; x < tiles; ++x) {
        for (int y = 0; y < tiles; ++y) ground.add({edge(0, x), edge(1, y), -1}, {edge(0, x + 1), edge(1, y + 1), 0});
    }
    scene.add("ground", std::move(ground));
    return scene;
}

SceneMeshes mesh_scene(const Scene& scene) {
    SceneMeshes result;
    Meshes meshes(result);
    SolidMesh ball = ball_mesh(3);
    for (glm::vec3& p : ball.points) p *= 1 - 1e-6F;  // rounding leaves no corner outside
    std::map<const SolidMesh*, MeshRange> ranges{{nullptr, meshes.add_solid(ball, true)}};
    for (const SolidMesh* mesh : {&box_mesh(), &cylinder_mesh(), &cone_mesh()}) ranges[mesh] = meshes.add_solid(*mesh);
    result.batches = scene.batches();
    for (std::size_t g = 0; g < scene.groups.size(); ++g) {
        const Arrays& arrays = scene.groups[g].arrays;
        std::vector<SolidHull> hulls;
        const auto* instances = std::get_if<HullInstanceArrays>(&arrays);
        if (instances != nullptr) hulls = solid_hulls(*instances);
        for (const SolidHull& hull : hulls) ranges[&hull.mesh] = meshes.add_solid(hull.mesh);
        result.templates.push_back({});
        for (std::uint32_t i = 0; i < object_count(arrays); ++i) {
            const Solid solid = solid_of(arrays, hulls, i);
            const auto object = static_cast<std::uint32_t>(result.instances.size());
            result.draws.push_back(ranges.at(solid.mesh).command(object));
            if (i == 0) result.templates.back() = result.draws.back();
            result.instances.push_back(instance_of(solid));
            result.colors.push_back(color_of(g, object));
        }
    }
    for (std::size_t g = 0; g < scene.groups.size(); ++g) {
        Batch& batch = result.batches[g];
        const bool many_meshes = std::holds_alternative<HullInstanceArrays>(scene.groups[g].arrays);
        batch.draws = many_meshes ? DrawTemplates{&result.draws[batch.first_index], DrawTemplates::Per::object}
                                  : DrawTemplates{&result.templates[g], DrawTemplates::Per::batch};
    }
    return result;
}

}  // namespace lanecull::program
