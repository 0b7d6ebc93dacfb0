#include "explain/explanation_query.hpp"

#include <cstddef>
#include <glm/mat3x3.hpp>
#include <glm/matrix.hpp>
#include <glm/vec3.hpp>
#include <variant>

namespace lanecull::program {
namespace {

using glm::dvec3;
using nlohmann::json;

json numbers(const dvec3& v) { return {v.x, v.y, v.z}; }

json shape(const SphereArrays& s, std::size_t i, const dvec3& eye) {
    return {{"kind", "sphere"}, {"center", numbers(dvec3(s.x[i], s.y[i], s.z[i]) - eye)}, {"radius", s.radius[i]}};
}

json shape(const BoxArrays& b, std::size_t i, const dvec3& eye) {
    return {{"kind", "aabb"},
            {"min", numbers(dvec3(b.min_x[i], b.min_y[i], b.min_z[i]) - eye)},
            {"max", numbers(dvec3(b.max_x[i], b.max_y[i], b.max_z[i]) - eye)}};
}

json shape(const CenteredBoxArrays& b, std::size_t i, const dvec3& eye) {
    return {{"kind", "aabb"},
            {"center", numbers(dvec3(b.x[i], b.y[i], b.z[i]) - eye)},
            {"half_extents", {b.half_x[i], b.half_y[i], b.half_z[i]}}};
}

json shape(const OrientedBoxArrays& b, std::size_t i, const dvec3& eye) {
    json axes, half;
    for (std::size_t k = 0; k < 3; ++k) {
        const float* axis = &b.axes[9 * i + 3 * k];
        axes.push_back({axis[0], axis[1], axis[2]});
        half.push_back(b.half_extents[3 * i + k]);
    }
    return {{"kind", "obb"},
            {"center", numbers(dvec3(b.x[i], b.y[i], b.z[i]) - eye)},
            {"half_extents", half},
            {"axes", axes}};
}

json shape(const CapsuleArrays& c, std::size_t i, const dvec3& eye) {
    return {{"kind", "capsule"},
            {"a", numbers(dvec3(c.a_x[i], c.a_y[i], c.a_z[i]) - eye)},
            {"b", numbers(dvec3(c.b_x[i], c.b_y[i], c.b_z[i]) - eye)},
            {"radius", c.radius[i]}};
}

json shape(const HullInstanceArrays& instances, std::size_t i, const dvec3& eye) {
    const HullMesh& mesh = instances.meshes[instances.hull_index[i]];
    const float* m = &instances.transforms[12 * i];
    const glm::dmat3 linear = glm::transpose(glm::dmat3(m[0], m[1], m[2], m[4], m[5], m[6], m[8], m[9], m[10]));
    const dvec3 shift = dvec3(m[3], m[7], m[11]) - eye;
    json vertices;
    for (std::size_t k = 0; k < mesh.x.size(); ++k) {
        vertices.push_back(numbers(linear * dvec3(mesh.x[k], mesh.y[k], mesh.z[k]) + shift));
    }
    return {{"kind", "hull"}, {"vertices", vertices}};
}

}  // namespace

json pair_query(const ExplanationInput& input, const Explanation& explanation) {
    const Camera& camera = input.path[input.frame];
    json corners;
    for (const dvec3& corner : camera.corners()) corners.push_back(numbers(corner - camera.eye));
    const Arrays& arrays = input.scene.groups[explanation.group].arrays;
    return {{"a", std::visit([&](const auto& kind) { return shape(kind, explanation.index, camera.eye); }, arrays)},
            {"b", {{"kind", "hull"}, {"vertices", corners}}}};
}

}  // namespace lanecull::program
