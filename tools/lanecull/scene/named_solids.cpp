#include "scene/named_solids.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "scene/mesh_solids.hpp"
#include "scene/scene_solids.hpp"
#include "support/error.hpp"

namespace lanecull::program {
namespace {

std::vector<std::uint32_t> all_of(const Group& group) {
    std::vector<std::uint32_t> objects(object_count(group.arrays));
    std::iota(objects.begin(), objects.end(), 0U);
    return objects;
}

/// The group's objects of that name, and those that are drawn by a mesh of that name.
std::vector<std::uint32_t> called(const Group& group, const std::string& name) {
    std::vector<std::uint32_t> objects;
    if (name.empty()) return objects;
    const HullInstanceArrays* instances = meshes_of(group);
    for (std::uint32_t i = 0; i < object_count(group.arrays); ++i) {
        const bool by_name = i < group.names.size() && group.names[i] == name;
        const bool by_mesh = instances != nullptr && instances->meshes[instances->hull_index[i]].name == name;
        if (by_name || by_mesh) objects.push_back(i);
    }
    return objects;
}

class NamedSolids {
public:
    explicit NamedSolids(Scene& scene) : scene_(scene), finder_(scene) {}

    void add(const std::string& name) {
        if (name == all_closed) return add_closed();
        const auto group = std::ranges::find(scene_.groups, name, &Group::name);
        if (group != scene_.groups.end()) return add(name, *group, all_of(*group));
        bool any = false;
        for (Group& one : scene_.groups) {
            const std::vector<std::uint32_t> objects = one.stand_in ? std::vector<std::uint32_t>() : called(one, name);
            if (!objects.empty()) add(name, one, objects);
            any = any || !objects.empty();
        }
        if (!any) refuse_unknown(name);
    }

private:
    void add_closed() {
        const std::uint32_t meshes = finder_.add_closed();
        if (meshes == 0) {
            const char* where = scene_.motion.objects.empty() ? "" : " at rest";
            refuse("--solid {}: {} has no meshes{}", all_closed, scene_.name, where);
        }
        if (scene_.mesh_solids.boxes.empty()) {
            refuse("--solid {}: none of the {} mesh{} of {} is closed and has room for a box", all_closed, meshes,
                   meshes == 1 ? "" : "es", scene_.name);
        }
    }

    void add(const std::string& name, Group& group, const std::vector<std::uint32_t>& objects) {
        if (group.stand_in) refuse("--solid {}: these boxes are not drawn; they are around what is", name);
        if (meshes_of(group) != nullptr) {
            const bool moves = std::ranges::any_of(objects, [&](std::uint32_t i) { return scene_.motion.moves(i); });
            if (moves) refuse("--solid {}: the animation moves it, and only what rests is solid", name);
            finder_.add_named(name, static_cast<std::uint32_t>(&group - scene_.groups.data()), objects);
            return;
        }
        if (!is_of_boxes(group)) {
            refuse("--solid {}: its objects are no boxes and no meshes, but {}", name, kind_name(group.arrays));
        }
        std::vector<std::uint32_t> solid;
        std::ranges::set_union(group.solid_objects, objects, std::back_inserter(solid));
        group.solid_objects = std::move(solid);
    }

    [[noreturn]] void refuse_unknown(const std::string& name) const {
        std::string groups;
        for (const Group& one : scene_.groups) groups += (groups.empty() ? "" : ", ") + one.name;
        refuse("--solid {}: no group, object or mesh of {} has that name; of groups there are {}", name, scene_.name,
               groups);
    }

    Scene& scene_;
    MeshSolidFinder finder_;
};

}  // namespace

void make_solid(Scene& scene, std::span<const std::string> names) {
    NamedSolids solids(scene);
    for (const std::string& name : names) solids.add(name);
}

}  // namespace lanecull::program
