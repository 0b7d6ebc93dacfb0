#include "scene/mesh_solids.hpp"

#include <iterator>

#include "scene/mesh_bounds.hpp"
#include "scene/scene_solids.hpp"
#include "support/error.hpp"
#include "support/parallel.hpp"
#include "support/text.hpp"

namespace lanecull::program {
namespace {

/// The first few boxes cover most, and choosing takes time for each.
constexpr std::uint32_t boxes_a_mesh = 4;

/// A hull counts where it is so much larger than the largest box. Of a mesh that is a box, it is not.
constexpr double worth_a_hull = 1.1;

/// A mesh for the library.
struct Surface {
    std::vector<std::uint32_t> indices;
    TriangleMesh mesh;

    explicit Surface(const HullMesh& given) {
        indices.reserve(3 * given.triangles.size());
        for (const auto& triangle : given.triangles) indices.insert(indices.end(), triangle.begin(), triangle.end());
        mesh = {
            .vertices = {given.x.data(), given.y.data(), given.z.data(), static_cast<std::uint32_t>(given.x.size())},
            .indices = indices.data(),
            .triangle_count = static_cast<std::uint32_t>(given.triangles.size())};
    }
};

/// Returns why the mesh cannot be searched, without its name; empty if it could be.
std::string boxes_within(const HullMesh& mesh, const Surface& surface, SolidBoxes& boxes) {
    if (mesh.triangles.empty()) return "it has no triangles";
    if (mesh.covers_holes) return "its surfaces have holes, which its triangles cover";
    std::string why = solid_boxes(surface.mesh, boxes, {.max_boxes = boxes_a_mesh}).message().text;
    if (why.starts_with("mesh: ")) why.erase(0, 6);
    return why;
}

/// The hull about the middle of the first of a mesh's boxes, which is its largest; null if that is hardly smaller.
std::shared_ptr<const SolidHull> hull_within(const Surface& surface, const Boxes& boxes) {
    if (boxes.count == 0) return nullptr;
    const float low[3] = {boxes.min_x[0], boxes.min_y[0], boxes.min_z[0]};
    const float high[3] = {boxes.max_x[0], boxes.max_y[0], boxes.max_z[0]};
    float middle[3];
    double of_box = 1, of_hull = 0;
    for (int k = 0; k < 3; ++k) {
        middle[k] = 0.5F * low[k] + 0.5F * high[k];
        of_box *= static_cast<double>(high[k]) - static_cast<double>(low[k]);
    }
    SolidHull hull;
    if (!solid_hull(surface.mesh, middle, hull, &of_hull) || of_hull < worth_a_hull * of_box) return nullptr;
    return std::make_shared<const SolidHull>(hull);
}

/// Null where its objects have none.
const HullInstanceArrays* meshes_of(const Group& group) {
    return group.drawn ? group.drawn.get() : std::get_if<HullInstanceArrays>(&group.arrays);
}

const HullMesh& mesh_of(const HullInstanceArrays& instances, std::uint32_t object) {
    return instances.meshes[instances.hull_index[object]];
}

std::vector<std::uint32_t> numbers_up_to(std::size_t count) {
    std::vector<std::uint32_t> numbers(count);
    std::iota(numbers.begin(), numbers.end(), 0U);
    return numbers;
}

/// The group's objects of that name, and those that are drawn by a mesh of that name; all of a group of that name.
std::vector<std::uint32_t> called(const Group& group, const std::string& name) {
    std::vector<std::uint32_t> objects = numbers_up_to(object_count(group.arrays));
    const HullInstanceArrays* instances = meshes_of(group);
    if (group.name == name) return objects;
    std::erase_if(objects, [&](std::uint32_t i) {
        const bool by_name = i < group.names.size() && group.names[i] == name;
        return name.empty() || !(by_name || (instances != nullptr && mesh_of(*instances, i).name == name));
    });
    return objects;
}

SolidBox drawn_for(const HullInstanceArrays& instances, std::uint32_t object) {
    const FloatBox box = box_around(mesh_of(instances, object), transform_of(instances, object));
    return {{box.lower.x, box.lower.y, box.lower.z}, {box.upper.x, box.upper.y, box.upper.z}};
}

}  // namespace

std::optional<SolidOrientedBox> placed(const Boxes& boxes, std::uint32_t i, const float* transform) {
    const SolidBox box{{boxes.min_x[i], boxes.min_y[i], boxes.min_z[i]},
                       {boxes.max_x[i], boxes.max_y[i], boxes.max_z[i]}};
    float matrix[12];
    std::copy_n(transform, 12, matrix);
    SolidOrientedBox solid;
    if (place_solid(box, matrix, solid) != OccluderRefusal::none) return std::nullopt;
    return solid;
}

void MeshSolidFinder::search(const HullInstanceArrays& instances, std::span<const std::uint32_t> objects) {
    std::vector<std::pair<const HullMesh*, Found*>> fresh;
    for (const std::uint32_t object : objects) {
        const HullMesh& mesh = mesh_of(instances, object);
        const auto [entry, is_new] = found_.try_emplace(&mesh);
        if (is_new) fresh.emplace_back(&mesh, &entry->second);
    }
    in_parallel(fresh.size(), [&](std::size_t k) {
        auto& [mesh, found] = fresh[k];
        const Surface surface(*mesh);
        found->why = boxes_within(*mesh, surface, found->boxes);
        if (found->why.empty()) found->hull = hull_within(surface, found->boxes.boxes());
    });
    MeshSolids& solids = scene_.mesh_solids;
    solids.meshes += fresh.size();
    for (const auto& [mesh, found] : fresh) solids.closed_meshes += found->why.empty() ? 1 : 0;
}

/// Returns whether the object has boxes. Where it has none, it has no hull.
bool MeshSolidFinder::place(std::uint32_t group, std::uint32_t object) {
    const HullInstanceArrays& instances = *meshes_of(scene_.groups[group]);
    const Found& found = found_.at(&mesh_of(instances, object));
    const Boxes boxes = found.boxes.boxes();
    const bool is_new = placed_.emplace(group, object).second;
    const SolidBox drawn = drawn_for(instances, object);
    bool any = false;
    for (std::uint32_t i = 0; i < boxes.count; ++i) {
        const auto box = placed(boxes, i, &instances.transforms[std::size_t{12} * object]);
        if (!box) continue;
        any = true;
        if (is_new) scene_.mesh_solids.boxes.push_back({*box, drawn, {group, object}});
    }
    if (is_new && found.hull != nullptr) {
        MeshSolids::Hull& hull = scene_.mesh_solids.hulls.emplace_back();
        hull = {found.hull, {}, drawn, {group, object}};
        std::copy_n(&instances.transforms[std::size_t{12} * object], 12, hull.transform.begin());
    }
    return any;
}

void MeshSolidFinder::add_named(const std::string& name, std::uint32_t group, std::span<const std::uint32_t> objects) {
    const HullInstanceArrays& instances = *meshes_of(scene_.groups[group]);
    search(instances, objects);
    for (const std::uint32_t object : objects) {
        const HullMesh& mesh = mesh_of(instances, object);
        const std::string& why = found_.at(&mesh).why;
        const std::string which = mesh.name.empty() ? "number " + std::to_string(object) : mesh.name;
        if (!why.empty()) refuse("--solid {}: mesh {} of {}: {}", name, which, scene_.name, why);
        if (!place(group, object)) {
            refuse("--solid {}: mesh {} of {} is closed, but has no room for a box", name, which, scene_.name);
        }
    }
}

std::uint32_t MeshSolidFinder::add_closed() {
    for (std::uint32_t g = 0; g < scene_.groups.size(); ++g) {
        const HullInstanceArrays* instances = meshes_of(scene_.groups[g]);
        if (instances == nullptr) continue;
        const std::vector<std::uint32_t> objects = numbers_up_to(instances->hull_index.size());
        search(*instances, objects);
        for (const std::uint32_t object : objects) (void)place(g, object);
    }
    return static_cast<std::uint32_t>(found_.size());
}

void MeshSolidFinder::add_inscribed(const AxisArrays& of, decltype(inscribe_capsule)* inscribe, std::uint32_t group,
                                    std::span<const std::uint32_t> objects) {
    for (const std::uint32_t i : objects) {
        SolidHull shape;
        const float a[3] = {of.a_x[i], of.a_y[i], of.a_z[i]}, b[3] = {of.b_x[i], of.b_y[i], of.b_z[i]};
        if (!placed_.emplace(group, i).second || !inscribe(a, b, of.radius[i], shape)) continue;
        MeshSolids::Hull& hull = scene_.mesh_solids.hulls.emplace_back();
        hull = {std::make_shared<const SolidHull>(shape), {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}, {}, {group, i}};
        std::copy_n(shape.drawn.lower, 3, hull.drawn.min);
        std::copy_n(shape.drawn.upper, 3, hull.drawn.max);
    }
}

namespace {

void make_closed_solid(Scene& scene, MeshSolidFinder& finder) {
    const std::uint32_t meshes = finder.add_closed();
    if (meshes == 0) refuse("--solid {}: {} has no meshes", all_closed, scene.name);
    if (!scene.mesh_solids.boxes.empty()) return;
    refuse("--solid {}: none of the {} of {} is closed and has room for a box", all_closed,
           counted(meshes, "mesh", "meshes"), scene.name);
}

void make_solid(Scene& scene, MeshSolidFinder& finder, const std::string& name, std::uint32_t g,
                const std::vector<std::uint32_t>& objects) {
    Group& group = scene.groups[g];
    if (meshes_of(group) != nullptr) return finder.add_named(name, g, objects);
    if (const auto* capsules = std::get_if<CapsuleArrays>(&group.arrays)) {
        return finder.add_inscribed(*capsules, inscribe_capsule, g, objects);
    }
    if (const auto* cylinders = std::get_if<CylinderArrays>(&group.arrays)) {
        return finder.add_inscribed(*cylinders, inscribe_cylinder, g, objects);
    }
    if (!is_of_boxes(group)) {
        refuse("--solid {}: its objects are no boxes, capsules, cylinders or meshes, but {}", name,
               kind_name(group.arrays));
    }
    std::vector<std::uint32_t> solid;
    std::ranges::set_union(group.solid_objects, objects, std::back_inserter(solid));
    group.solid_objects = std::move(solid);
}

}  // namespace

void make_solid(Scene& scene, std::span<const std::string> names) {
    MeshSolidFinder finder(scene);
    for (const std::string& name : names) {
        if (name == all_closed) {
            make_closed_solid(scene, finder);
            continue;
        }
        const auto named = std::ranges::find(scene.groups, name, &Group::name);
        std::size_t found = 0;
        for (std::uint32_t g = 0; g < scene.groups.size(); ++g) {
            if (named != scene.groups.end() && &*named != &scene.groups[g]) continue;
            const std::vector<std::uint32_t> objects = called(scene.groups[g], name);
            if (!objects.empty()) make_solid(scene, finder, name, g, objects);
            found += objects.size();
        }
        if (found != 0) continue;
        std::string groups;
        for (const Group& one : scene.groups) groups += (groups.empty() ? "" : ", ") + one.name;
        refuse("--solid {}: no group, object or mesh of {} has that name; of groups there are {}", name, scene.name,
               groups);
    }
}

}  // namespace lanecull::program
