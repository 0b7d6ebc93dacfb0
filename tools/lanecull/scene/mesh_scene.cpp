#include "scene/mesh_scene.hpp"

#include <algorithm>
#include <cfloat>
#include <filesystem>
#include <glm/common.hpp>
#include <utility>

#include "support/error.hpp"
#include "support/grouped.hpp"

namespace lanecull::program {

std::uint32_t MeshSceneBuilder::add_mesh(HullMesh mesh) {
    glm::dvec3 largest(0);
    for (std::size_t i = 0; i < mesh.x.size(); ++i) {
        largest = glm::max(largest, glm::abs(glm::dvec3(mesh.x[i], mesh.y[i], mesh.z[i])));
    }
    largest_.push_back(largest);
    instances_.meshes.push_back(std::move(mesh));
    return static_cast<std::uint32_t>(instances_.meshes.size() - 1);
}

void MeshSceneBuilder::add_object(std::uint32_t mesh, const glm::dmat4& world_from_mesh, std::string name,
                                  const std::string& where) {
    if (!is_within(FLT_MAX, mesh, world_from_mesh)) {
        fail("{}: {} is placed at coordinates that are not finite", file_, where);
    }
    objects_.push_back({mesh, glm::mat4x3(world_from_mesh), std::move(name), objects_.size()});
}

bool MeshSceneBuilder::is_within(double limit, std::uint32_t mesh, const glm::dmat4& world_from_mesh) const {
    glm::dvec3 farthest = glm::abs(glm::dvec3(world_from_mesh[3])), columns(0);
    for (int k = 0; k < 3; ++k) {
        const glm::dvec3 column = glm::abs(glm::dvec3(world_from_mesh[k]));
        farthest += column * largest_[mesh][k];
        columns += column;
    }
    const auto are_less = [](const glm::dvec3& v, double most) { return v.x < most && v.y < most && v.z < most; };
    return are_less(farthest, limit) && are_less(columns, FLT_MAX);  // false of NaN
}

Scene MeshSceneBuilder::finish() {
    if (objects_.empty()) fail("{}: no meshes with points in it", file_);
    // As the hull instances are kept, so that the names are in their order.
    std::ranges::stable_sort(objects_, {}, &Object::mesh);
    std::vector<std::string> names;
    names.reserve(objects_.size());
    for (Object& object : objects_) {
        instances_.add(object.mesh, object.transform);
        names.push_back(std::move(object.name));
    }
    std::size_t points = 0;
    for (const HullMesh& mesh : instances_.meshes) points += mesh.x.size();
    Scene scene;
    scene.name = std::filesystem::path(file_).filename().string();
    scene.description = fmt::format("{} of {}", counted(instances_.meshes.size(), "mesh", "meshes"),
                                    counted(points, "different point"));
    if (empty_ != 0) scene.description += fmt::format(", {} without points left out", empty_);
    scene.up = {0, 1, 0};
    scene.meshes = instances_.meshes.size();
    scene.add("meshes", std::move(instances_), std::move(names));
    return scene;
}

std::vector<std::uint32_t> MeshSceneBuilder::numbers() const {
    std::vector<std::uint32_t> result(objects_.size());
    for (std::size_t i = 0; i < objects_.size(); ++i) result[objects_[i].added] = static_cast<std::uint32_t>(i);
    return result;
}

}  // namespace lanecull::program
