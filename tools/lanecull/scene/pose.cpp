#include "scene/pose.hpp"

#include <cstdint>
#include <variant>

#include "scene/mesh_bounds.hpp"

namespace lanecull::program {
namespace {

void place(BoxArrays& boxes, std::size_t i, const FloatBox& box) {
    boxes.min_x[i] = box.lower.x;
    boxes.min_y[i] = box.lower.y;
    boxes.min_z[i] = box.lower.z;
    boxes.max_x[i] = box.upper.x;
    boxes.max_y[i] = box.upper.y;
    boxes.max_z[i] = box.upper.z;
}

}  // namespace

void pose(Scene& scene, std::size_t frame) {
    const Motion& motion = scene.motion;
    if (motion.objects.empty()) return;
    Group& first = scene.groups.front();
    HullInstanceArrays& meshes = first.drawn ? *first.drawn : std::get<HullInstanceArrays>(first.arrays);
    const float* transform = &motion.transforms[12 * motion.objects.size() * frame];
    for (const std::uint32_t i : motion.objects) {
        meshes.place(i, transform);
        transform += 12;
    }
    for (Group& group : scene.groups) {
        auto* boxes = std::get_if<BoxArrays>(&group.arrays);
        if (boxes == nullptr) continue;
        for (const std::uint32_t i : motion.objects) {
            place(*boxes, i, box_around(meshes.meshes[meshes.hull_index[i]], transform_of(meshes, i)));
        }
    }
}

}  // namespace lanecull::program
