#include "scene/mesh_solids.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <string_view>
#include <variant>
#include <vector>

#include "scene/mesh_bounds.hpp"
#include "support/error.hpp"
#include "support/parallel.hpp"

namespace lanecull::program {
namespace {

/// The first few boxes cover most, and choosing takes time for each.
constexpr std::uint32_t boxes_a_mesh = 4;

Status boxes_within(const HullMesh& mesh, SolidBoxes& boxes) {
    if (mesh.triangles.empty()) return Status::failure("mesh: it has no triangles");
    if (mesh.covers_holes) return Status::failure("mesh: its surfaces have holes, which its triangles cover");
    std::vector<std::uint32_t> indices;
    indices.reserve(3 * mesh.triangles.size());
    for (const auto& triangle : mesh.triangles) indices.insert(indices.end(), triangle.begin(), triangle.end());
    const TriangleMesh surface{
        .vertices = {mesh.x.data(), mesh.y.data(), mesh.z.data(), static_cast<std::uint32_t>(mesh.x.size())},
        .indices = indices.data(),
        .triangle_count = static_cast<std::uint32_t>(mesh.triangles.size())};
    return solid_boxes(surface, {.most = boxes_a_mesh}, boxes);
}

/// Without "mesh: ", since the sentence names the mesh.
std::string why(const Status& status) {
    std::string_view text = status.message();
    if (text.starts_with("mesh: ")) text.remove_prefix(6);
    return std::string(text);
}

SolidBox drawn_for(const HullInstanceArrays& instances, std::uint32_t object) {
    const FloatBox box = box_around(instances.meshes[instances.hull_index[object]], transform_of(instances, object));
    return {{box.lower.x, box.lower.y, box.lower.z}, {box.upper.x, box.upper.y, box.upper.z}};
}

}  // namespace

const HullInstanceArrays* meshes_of(const Group& group) {
    return group.drawn ? group.drawn.get() : std::get_if<HullInstanceArrays>(&group.arrays);
}

std::optional<SolidOrientedBox> placed(const Boxes& boxes, std::uint32_t i, const float* transform) {
    const SolidBox box{{boxes.min_x[i], boxes.min_y[i], boxes.min_z[i]},
                       {boxes.max_x[i], boxes.max_y[i], boxes.max_z[i]}};
    float matrix[12];
    std::copy_n(transform, 12, matrix);
    SolidOrientedBox solid;
    if (place_solid(box, matrix, solid) != OccluderRefusal::none) return std::nullopt;
    return solid;
}

Json mesh_solids_json(const MeshSolids& found) {
    Json result;
    result.set("boxes", found.boxes.size()).set("meshes", found.meshes).set("closed_meshes", found.closed_meshes);
    return result;
}

void MeshSolidFinder::search(const HullInstanceArrays& instances, std::span<const std::uint32_t> objects) {
    std::vector<std::pair<const HullMesh*, Found*>> fresh;
    for (const std::uint32_t object : objects) {
        const HullMesh& mesh = instances.meshes[instances.hull_index[object]];
        const auto [entry, is_new] = found_.try_emplace(&mesh);
        if (is_new) fresh.emplace_back(&mesh, &entry->second);
    }
    in_parallel(fresh.size(), [&](std::size_t k) {
        auto& [mesh, found] = fresh[k];
        found->status = boxes_within(*mesh, found->boxes);
    });
    MeshSolids& solids = scene_.mesh_solids;
    solids.meshes += fresh.size();
    for (const auto& [mesh, found] : fresh) solids.closed_meshes += found->status.ok() ? 1 : 0;
}

/// Returns whether the object has boxes.
bool MeshSolidFinder::place(std::uint32_t group, std::uint32_t object) {
    const HullInstanceArrays& instances = *meshes_of(scene_.groups[group]);
    const Boxes boxes = found_.at(&instances.meshes[instances.hull_index[object]]).boxes.boxes();
    const bool is_new = placed_.emplace(group, object).second;
    const SolidBox drawn = drawn_for(instances, object);
    bool any = false;
    for (std::uint32_t i = 0; i < boxes.count; ++i) {
        const auto box = placed(boxes, i, &instances.transforms[std::size_t{12} * object]);
        if (!box) continue;
        any = true;
        if (is_new) scene_.mesh_solids.boxes.push_back({*box, drawn, {group, object}});
    }
    return any;
}

void MeshSolidFinder::add_named(const std::string& name, std::uint32_t group, std::span<const std::uint32_t> objects) {
    const HullInstanceArrays& instances = *meshes_of(scene_.groups[group]);
    search(instances, objects);
    for (const std::uint32_t object : objects) {
        const HullMesh& mesh = instances.meshes[instances.hull_index[object]];
        const Status& status = found_.at(&mesh).status;
        const std::string which = mesh.name.empty() ? "number " + std::to_string(object) : mesh.name;
        if (!status) refuse("--solid {}: mesh {} of {}: {}", name, which, scene_.name, why(status));
        if (!place(group, object)) {
            refuse("--solid {}: mesh {} of {} is closed, but has no room for a box", name, which, scene_.name);
        }
    }
}

std::uint32_t MeshSolidFinder::add_closed() {
    for (std::uint32_t g = 0; g < scene_.groups.size(); ++g) {
        const HullInstanceArrays* instances = meshes_of(scene_.groups[g]);
        if (instances == nullptr || scene_.groups[g].stand_in) continue;
        std::vector<std::uint32_t> all(instances->hull_index.size());
        std::iota(all.begin(), all.end(), 0U);
        search(*instances, all);
        for (const std::uint32_t object : all) (void)place(g, object);
    }
    return static_cast<std::uint32_t>(found_.size());
}

}  // namespace lanecull::program
