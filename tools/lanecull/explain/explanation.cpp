#include "explain/explanation.hpp"

#include <cmath>
#include <glm/geometric.hpp>
#include <lanecull/gjk/shapes.hpp>

#include "support/error.hpp"

namespace lanecull::program {
namespace {

using glm::dvec3;

/// An object: the convex hull of points, of an ellipsoid about each of some centres, and of a round cone.
struct Core {
    std::vector<dvec3> points = {}, centers = {};
    glm::dmat3 half_axes{0};  ///< of the ellipsoids
    std::optional<gjk::SphericalSector<double>> sector = {};
};

/// The corners of a box, its half axes the columns of `half`.
Core box(const dvec3& center, const glm::dmat3& half) {
    Core core;
    for (int corner = 0; corner < 8; ++corner) {
        const dvec3 signs(corner & 1 ? 1 : -1, corner & 2 ? 1 : -1, corner & 4 ? 1 : -1);
        core.points.push_back(center + half * signs);
    }
    return core;
}

glm::dmat3 diagonal(const dvec3& d) { return {{d.x, 0, 0}, {0, d.y, 0}, {0, 0, d.z}}; }

Core core_of(const SphereArrays& s, std::size_t i) { return {{}, {{s.x[i], s.y[i], s.z[i]}}, glm::dmat3(s.radius[i])}; }

Core core_of(const BoxArrays& b, std::size_t i) {
    const dvec3 lower(b.min_x[i], b.min_y[i], b.min_z[i]), upper(b.max_x[i], b.max_y[i], b.max_z[i]);
    return box(0.5 * (lower + upper), diagonal(0.5 * (upper - lower)));
}

Core core_of(const CenteredBoxArrays& b, std::size_t i) {
    return box({b.x[i], b.y[i], b.z[i]}, diagonal({b.half_x[i], b.half_y[i], b.half_z[i]}));
}

Core core_of(const OrientedBoxArrays& b, std::size_t i) {
    glm::dmat3 half;
    for (int k = 0; k < 3; ++k) {
        const float* axis = &b.axes[9 * i + 3 * static_cast<std::size_t>(k)];
        half[k] = double{b.half_extents[3 * i + static_cast<std::size_t>(k)]} * dvec3(axis[0], axis[1], axis[2]);
    }
    return box({b.x[i], b.y[i], b.z[i]}, half);
}

Core core_of(const CapsuleArrays& c, std::size_t i) { return {{}, {c.a(i), c.b(i)}, glm::dmat3(c.radius[i])}; }

Core core_of(const CylinderArrays& c, std::size_t i) { return {{}, {c.a(i), c.b(i)}, c.disc(i)}; }

Core core_of(const ConeArrays& c, std::size_t i) { return {{c.a(i)}, {c.b(i)}, c.disc(i)}; }

Core core_of(const RoundConeArrays& c, std::size_t i) {
    const auto point = [](const dvec3& p) { return gjk::Vec3<double>{p.x, p.y, p.z}; };
    return {.sector = gjk::SphericalSector<double>{point(c.b(i)), point(c.a(i)), double{c.radius[i]}}};
}

Core core_of(const EllipsoidArrays& e, std::size_t i) { return {{}, {{e.x[i], e.y[i], e.z[i]}}, e.axes(i)}; }

Core core_of(const HullInstanceArrays& instances, std::size_t i) {
    const HullMesh& mesh = instances.meshes[instances.hull_index[i]];
    const float* m = &instances.transforms[12 * i];
    const glm::dmat3 linear(m[0], m[4], m[8], m[1], m[5], m[9], m[2], m[6], m[10]);
    Core core;
    for (std::size_t k = 0; k < mesh.x.size(); ++k) {
        core.points.push_back(linear * dvec3(mesh.x[k], mesh.y[k], mesh.z[k]) + dvec3(m[3], m[7], m[11]));
    }
    return core;
}

/// From where to where it reaches along a direction, counted from an origin.
Extent extent(const Core& core, const dvec3& direction, const dvec3& origin) {
    Extent result{HUGE_VAL, -HUGE_VAL};
    const auto add = [&](const dvec3& point, double reach) {
        const double at = glm::dot(direction, point - origin);
        result = {std::min(result.low, at - reach), std::max(result.high, at + reach)};
    };
    const double reach = glm::length(direction * core.half_axes);
    for (const dvec3& point : core.points) add(point, 0);
    for (const dvec3& center : core.centers) add(center, reach);
    for (const double sign : {-1.0, 1.0}) {
        if (!core.sector) break;
        const auto p = core.sector->support(sign * gjk::Vec3<double>{direction.x, direction.y, direction.z});
        add({p.x, p.y, p.z}, 0);
    }
    return result;
}

Core core_of(const Arrays& arrays, std::size_t i) {
    return std::visit([&](const auto& kind) { return core_of(kind, i); }, arrays);
}

/// The occluders that `lanecull cull` chooses for the frame. No owners: their batches are not culled by themselves, and
/// all objects of the program's scenes are drawn.
std::vector<Occluder> occluders_of(const ExplanationInput& input, OccluderChoice& choice) {
    const Camera& camera = input.path[input.frame];
    const std::span<const Occluder> chosen = choice.choose(camera, camera.view());
    std::vector<Occluder> occluders(chosen.begin(), chosen.end());
    for (Occluder& occluder : occluders) occluder.owners = {};
    return occluders;
}

Certificate certificate_of(const Batch& batch, std::uint32_t i, const View& view, std::span<const Occluder> occluders,
                           const CullOptions& options) {
    std::vector<Certificate> certificates(batch.count());
    std::vector<std::byte> scratch(scratch_bytes({&batch, 1}, 1));
    Explanation why{.certificates = certificates};
    Output output{.occluders = occluders, .explanation = &why};
    require(cull({&batch, 1}, {&view, 1}, {&output, 1}, scratch, options));
    return certificates[i];
}

ExplainedWall wall_of(const Scene& scene, const Owner& owner) {
    ExplainedWall wall{owner.object, owner.batch, exact_bounds(scene.groups[owner.batch].arrays, owner.object)};
    for (std::size_t g = 0; g < owner.batch; ++g) wall.object += object_count(scene.groups[g].arrays);
    return wall;
}

/// What is no more than the roundings of doubles on the way is nothing.
double significant(double sum, double term) { return std::abs(sum) < 1e-13 * std::abs(term) ? 0 : sum; }

}  // namespace

Bounds exact_bounds(const Arrays& arrays, std::size_t i) {
    const Core core = core_of(arrays, i);
    Bounds bounds;
    for (int k = 0; k < 3; ++k) {
        dvec3 axis(0);
        axis[k] = 1;
        const auto [low, high] = extent(core, axis, dvec3(0));
        bounds.lower[k] = low, bounds.upper[k] = high;
    }
    return bounds;
}

std::array<Extent, 6> distances_to_planes(const Arrays& arrays, std::uint32_t i, const Camera& camera) {
    const Core core = core_of(arrays, i);
    const std::array planes = camera.planes();
    std::array<Extent, 6> distances{};
    for (std::size_t k = 0; k < planes.size(); ++k) {
        const auto [low, high] = extent(core, dvec3(planes[k]), camera.eye);
        const double w = planes[k].w, size = std::max({std::abs(low), std::abs(high), std::abs(w)});
        distances[k] = {significant(low + w, size), significant(high + w, size)};
    }
    return distances;
}

ObjectExplanation explain(const ExplanationInput& input) {
    const Camera& camera = input.path[input.frame];
    ObjectExplanation result{};
    const ObjectPlace place = result.place = place_of(input.scene, input.object);
    std::optional<OccluderChoice> choice;
    std::vector<Occluder> occluders;
    if (input.occluders) occluders = occluders_of(input, choice.emplace(input.scene, *input.occluders));
    result.occluders = occluders.size();
    const Batch batch = input.scene.batches()[place.group];
    const View view = camera.view();
    result.exact = certificate_of(batch, place.index, view, occluders, {.isa = input.isa});
    result.planes = certificate_of(batch, place.index, view, occluders, {.method = Method::planes, .isa = input.isa});
    if (result.exact.reason == Reason::culled_occluded) {
        result.wall = wall_of(input.scene, choice->solids().owners[choice->chosen()[result.exact.occluder]]);
    }
    result.distances = distances_to_planes(input.scene.groups[place.group].arrays, place.index, camera);
    return result;
}

}  // namespace lanecull::program
