#include "explain/explanation_query.hpp"

#include <cstddef>
#include <glm/geometric.hpp>
#include <glm/mat3x3.hpp>
#include <glm/matrix.hpp>
#include <glm/vec3.hpp>
#include <utility>
#include <variant>

#include "support/json.hpp"

namespace lanecull::program {
namespace {

using glm::dvec3;

Json numbers(const dvec3& v) { return Json::array({v.x, v.y, v.z}); }

Json of_kind(const char* kind) {
    Json shape;
    shape.set("kind", kind);
    return shape;
}

Json shape(const SphereArrays& s, std::size_t i, const dvec3& eye) {
    Json result = of_kind("sphere");
    result.set("center", numbers(dvec3(s.x[i], s.y[i], s.z[i]) - eye)).set("radius", s.radius[i]);
    return result;
}

Json shape(const BoxArrays& b, std::size_t i, const dvec3& eye) {
    Json result = of_kind("aabb");
    result.set("min", numbers(dvec3(b.min_x[i], b.min_y[i], b.min_z[i]) - eye));
    result.set("max", numbers(dvec3(b.max_x[i], b.max_y[i], b.max_z[i]) - eye));
    return result;
}

Json shape(const CenteredBoxArrays& b, std::size_t i, const dvec3& eye) {
    Json result = of_kind("aabb");
    result.set("center", numbers(dvec3(b.x[i], b.y[i], b.z[i]) - eye));
    result.set("half_extents", Json::array({b.half_x[i], b.half_y[i], b.half_z[i]}));
    return result;
}

Json shape(const OrientedBoxArrays& b, std::size_t i, const dvec3& eye) {
    Json axes, half;
    for (std::size_t k = 0; k < 3; ++k) {
        const float* axis = &b.axes[9 * i + 3 * k];
        axes.add(Json::array({axis[0], axis[1], axis[2]}));
        half.add(b.half_extents[3 * i + k]);
    }
    Json result = of_kind("obb");
    result.set("center", numbers(dvec3(b.x[i], b.y[i], b.z[i]) - eye));
    result.set("half_extents", std::move(half)).set("axes", std::move(axes));
    return result;
}

Json shape(const CapsuleArrays& c, std::size_t i, const dvec3& eye) {
    Json result = of_kind("capsule");
    result.set("a", numbers(dvec3(c.a_x[i], c.a_y[i], c.a_z[i]) - eye));
    result.set("b", numbers(dvec3(c.b_x[i], c.b_y[i], c.b_z[i]) - eye));
    result.set("radius", c.radius[i]);
    return result;
}

Json hull_of(Json vertices) {
    Json result = of_kind("hull");
    result.set("vertices", std::move(vertices));
    return result;
}

Json shape(const HullInstanceArrays& instances, std::size_t i, const dvec3& eye) {
    const HullMesh& mesh = instances.meshes[instances.hull_index[i]];
    const float* m = &instances.transforms[12 * i];
    const glm::dmat3 linear = glm::transpose(glm::dmat3(m[0], m[1], m[2], m[4], m[5], m[6], m[8], m[9], m[10]));
    const dvec3 shift = dvec3(m[3], m[7], m[11]) - eye;
    Json vertices;
    for (std::size_t k = 0; k < mesh.x.size(); ++k) {
        vertices.add(numbers(linear * dvec3(mesh.x[k], mesh.y[k], mesh.z[k]) + shift));
    }
    return hull_of(std::move(vertices));
}

}  // namespace

namespace {

/// A depth at which a volume without an end may end: it is as far from the object then as before.
double beyond(const ExplanationInput& input, const Explanation& explanation) {
    const Camera& camera = input.path[input.frame];
    Bounds around = exact_bounds(input.scene.groups[explanation.group].arrays, explanation.index);
    around.add(camera.eye);
    return 4 * (glm::length(around.size()) + camera.near * camera.corner_distance());
}

}  // namespace

std::string pair_query(const ExplanationInput& input, const Explanation& explanation) {
    const Camera& camera = input.path[input.frame];
    Json corners;
    for (const dvec3& corner : camera.bounded(beyond(input, explanation)).corners())
        corners.add(numbers(corner - camera.eye));
    const Arrays& arrays = input.scene.groups[explanation.group].arrays;
    Json query;
    query.set("a", std::visit([&](const auto& kind) { return shape(kind, explanation.index, camera.eye); }, arrays));
    query.set("b", hull_of(std::move(corners)));
    return query.line();
}

}  // namespace lanecull::program
