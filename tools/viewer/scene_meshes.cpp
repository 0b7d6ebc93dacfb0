#include "scene_meshes.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <glm/geometric.hpp>
#include <glm/mat3x3.hpp>
#include <glm/vec3.hpp>
#include <iterator>
#include <numbers>
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

    MeshRange add_box() {
        std::vector<Vertex> corners;
        for (unsigned i = 0; i < 8; ++i) {
            const auto side = [i](unsigned bit) { return (i >> bit & 1U) != 0 ? 1.0F : -1.0F; };
            corners.push_back({side(0), side(1), side(2), 0});
        }
        return add(corners, {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                             2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5});
    }

    /// A ball of radius 1 cut at the equator, its halves on either side: inscribed, and a millionth smaller, so that
    /// rounding leaves no corner outside.
    MeshRange add_round() {
        constexpr std::uint32_t around = 10, quarter = 3, rings = 2 * (quarter + 1);
        constexpr double radius = 1 - 1e-6, pi = std::numbers::pi;
        std::vector<Vertex> vertices;
        for (std::uint32_t ring = 0; ring < rings; ++ring) {
            const bool upper = ring <= quarter;
            const double latitude = pi / 2 * (1 - double(upper ? ring : ring - 1) / quarter);
            for (std::uint32_t s = 0; s < around; ++s) {
                const double longitude = 2 * pi * s / around, out = radius * std::cos(latitude);
                vertices.push_back({float(out * std::cos(longitude)), float(out * std::sin(longitude)),
                                    float(radius * std::sin(latitude)), upper ? 1.0F : -1.0F});
            }
        }
        std::vector<std::uint32_t> indices;
        for (std::uint32_t ring = 0; ring + 1 < rings; ++ring) {
            for (std::uint32_t s = 0; s < around; ++s) {
                const std::uint32_t a = ring * around + s, b = ring * around + (s + 1) % around;
                indices.insert(indices.end(), {a, b, a + around, b, b + around, a + around});
            }
        }
        return add(vertices, indices);
    }

    MeshRange add_solid(const SolidMesh& mesh) {
        std::vector<Vertex> vertices;
        for (const glm::vec3& p : mesh.points) vertices.push_back({p.x, p.y, p.z, 0});
        std::vector<std::uint32_t> indices;
        for (const auto& triangle : mesh.triangles) indices.insert(indices.end(), triangle.begin(), triangle.end());
        return add(vertices, indices);
    }

private:
    SceneMeshes& meshes_;
};

Instance instance_of(const Solid& solid) {
    glm::mat3 axes = solid.axes;
    glm::vec3 shift(0);
    if (solid.form == Solid::Form::round) {
        shift = solid.axes[0];
        const float length = glm::length(shift);
        const glm::vec3 w = length > 0 ? shift / length : glm::vec3(0, 0, 1);
        const glm::vec3 u =
            glm::normalize(glm::cross(w, std::abs(w.x) < 0.6F ? glm::vec3(1, 0, 0) : glm::vec3(0, 1, 0)));
        axes = {solid.radius * u, solid.radius * glm::cross(w, u), solid.radius * w};
    }
    Instance instance{};
    for (int row = 0; row < 3; ++row) {
        const auto r = static_cast<std::size_t>(row);
        instance.center[r] = static_cast<float>(solid.center[row]);
        for (int k = 0; k < 3; ++k) instance.axes[static_cast<std::size_t>(k)][r] = axes[k][row];
        instance.axes[r][3] = shift[row];
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
    std::erase_if(scene.groups, [](const Group& group) { return group.stand_in; });
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
    const MeshRange box = meshes.add_box(), round = meshes.add_round();
    result.batches = scene.batches();
    for (std::size_t g = 0; g < scene.groups.size(); ++g) {
        const Arrays& arrays = scene.groups[g].arrays;
        std::vector<SolidHull> hulls;
        std::vector<MeshRange> hull_ranges;
        const auto* instances = std::get_if<HullInstanceArrays>(&arrays);
        if (instances != nullptr) hulls = solid_hulls(*instances);
        for (const SolidHull& hull : hulls) hull_ranges.push_back(meshes.add_solid(hull.mesh));
        result.templates.push_back({});
        for (std::uint32_t i = 0; i < object_count(arrays); ++i) {
            const Solid solid = solid_of(arrays, hulls, i);
            const auto object = static_cast<std::uint32_t>(result.instances.size());
            const MeshRange& mesh = instances != nullptr               ? hull_ranges[instances->hull_index[i]]
                                    : solid.form == Solid::Form::round ? round
                                                                       : box;
            result.draws.push_back(mesh.command(object));
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
