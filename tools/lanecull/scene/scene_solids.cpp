#include "scene/scene_solids.hpp"

#include <cfloat>
#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

namespace lanecull::program {
namespace {

SolidBox solid(const BoxArrays& b, std::size_t i) {
    return {{b.min_x[i], b.min_y[i], b.min_z[i]}, {b.max_x[i], b.max_y[i], b.max_z[i]}};
}

SolidOrientedBox solid(const CenteredBoxArrays& b, std::size_t i) {
    return {.center = {b.x[i], b.y[i], b.z[i]}, .half_extents = {b.half_x[i], b.half_y[i], b.half_z[i]}};
}

SolidOrientedBox solid(const OrientedBoxArrays& b, std::size_t i) {
    SolidOrientedBox box{.center = {b.x[i], b.y[i], b.z[i]}};
    for (std::size_t k = 0; k < 3; ++k) {
        box.half_extents[k] = b.half_extents[3 * i + k];
        std::copy_n(&b.axes[9 * i + 3 * k], 3, box.axes[k]);
    }
    return box;
}

/// What is left of nothing is no solid: choose_occluders() passes it over.
SolidBox smaller(SolidBox box, double inset) {
    for (int k = 0; k < 3; ++k) {
        box.min[k] = static_cast<float>(box.min[k] + inset);
        box.max[k] = static_cast<float>(box.max[k] - inset);
    }
    return box;
}

SolidOrientedBox smaller(SolidOrientedBox box, double inset) {
    if (inset == 0) return box;
    const glm::dmat3 edges = edges_of(box).half;
    const double volume = std::abs(glm::determinant(edges));
    for (int k = 0; k < 3; ++k) {
        const double area = glm::length(glm::cross(edges[(k + 1) % 3], edges[(k + 2) % 3]));
        const double share = inset * area / volume;  // of the centre's distance from the facet
        box.half_extents[k] = static_cast<float>(box.half_extents[k] * std::max(0.0, 1 - share));
    }
    return box;
}

glm::dvec3 corner_of(const SolidHull& hull, std::uint32_t c) {
    return {hull.corner[c][0], hull.corner[c][1], hull.corner[c][2]};
}

/// The 3x4 matrix of an instance.
struct Placement {
    glm::dmat3 axes;
    glm::dvec3 place;

    explicit Placement(const float (&m)[12])
        : axes(m[0], m[4], m[8], m[1], m[5], m[9], m[2], m[6], m[10]), place(m[3], m[7], m[11]) {}
};

glm::dvec3 mean_corner(const SolidHull& hull) {
    glm::dvec3 sum(0);
    for (std::uint32_t c = 0; c < hull.corner_count; ++c) sum += corner_of(hull, c);
    return sum / static_cast<double>(hull.corner_count);
}

/// Smaller about its mean corner, so that each facet moves inward by `inset` and by what the new matrix is rounded. A
/// hull of which nothing is left becomes flat, and choose_occluders() passes it over.
SolidHullInstance smaller(SolidHullInstance placed, double inset) {
    if (inset == 0) return placed;
    const SolidHull& hull = *placed.hull;
    const Placement at(placed.transform);
    const glm::dvec3 mean = mean_corner(hull);
    double least = HUGE_VAL, rounding = 0;
    for (std::uint32_t t = 0; t < hull.triangle_count; ++t) {
        const auto corner = [&](int v) { return at.axes * (corner_of(hull, hull.triangle[t][v]) - mean); };
        const glm::dvec3 normal = glm::cross(corner(1) - corner(0), corner(2) - corner(0));
        least = std::min(least, std::abs(glm::dot(normal, corner(0))) / glm::length(normal));
    }
    for (std::uint32_t c = 0; c < hull.corner_count; ++c) {
        glm::dvec3 sum = glm::abs(at.place) + glm::abs(at.axes * mean);
        for (int k = 0; k < 3; ++k) sum += glm::abs(at.axes[k] * corner_of(hull, c)[k]);
        rounding = std::max(rounding, 0x1p-23 * glm::length(sum));
    }
    const double share = (inset + rounding) / least;
    const double left = share < 1 ? 1 - share : 0;
    const glm::dmat3 axes = left * at.axes;
    const glm::dvec3 place = at.place + (at.axes - axes) * mean;
    for (int k = 0; k < 3; ++k) {
        for (int j = 0; j < 3; ++j) placed.transform[4 * k + j] = static_cast<float>(axes[j][k]);
        placed.transform[4 * k + 3] = static_cast<float>(place[k]);
    }
    return placed;
}

/// Around the box and `reach` more, in floats.
SolidBox around(const Bounds& bounds, double reach) {
    SolidBox box;
    for (int k = 0; k < 3; ++k) {
        const double low = bounds.lower[k] - reach, high = bounds.upper[k] + reach;
        box.min[k] = static_cast<float>(low);
        box.max[k] = static_cast<float>(high);
        if (static_cast<double>(box.min[k]) > low) box.min[k] = std::nextafter(box.min[k], -FLT_MAX);
        if (static_cast<double>(box.max[k]) < high) box.max[k] = std::nextafter(box.max[k], FLT_MAX);
    }
    return box;
}

Bounds bounds_of(const SolidBox& box) {
    return {{box.min[0], box.min[1], box.min[2]}, {box.max[0], box.max[1], box.max[2]}};
}

template <class Kind>
constexpr bool has_boxes = requires(const Kind& kind) {
    solid(kind, 0);
};

}  // namespace

double rounding_of_floats(const Scene& scene) {
    const Bounds bounds = scene.bounds();
    const glm::dvec3 largest = glm::max(glm::abs(bounds.lower), glm::abs(bounds.upper));
    return 0x1p-20 * std::max({largest.x, largest.y, largest.z});
}

SceneSolids::SceneSolids(const Scene& scene, double inset) {
    std::vector<Owner> of_oriented;
    std::vector<SolidBox> drawn_for_oriented;
    const auto add = [&](const SolidBox& box, Owner owner, const Bounds& bounds) {
        boxes.push_back(smaller(box, inset));
        owners.push_back(owner);
        drawn.push_back(around(bounds, inset));
    };
    const auto add_oriented = [&](const SolidOrientedBox& box, Owner owner, const Bounds& bounds) {
        oriented_boxes.push_back(smaller(box, inset));
        of_oriented.push_back(owner);
        drawn_for_oriented.push_back(around(bounds, inset));
    };
    for (std::uint32_t g = 0; g < scene.groups.size(); ++g) {
        const auto add_group = [&]<class Kind>(const Kind& kind) {
            for (const std::uint32_t i : scene.groups[g].solid_objects) {
                if constexpr (std::is_same_v<Kind, BoxArrays>) {
                    add(solid(kind, i), {g, i}, kind.bounds(i));
                } else if constexpr (has_boxes<Kind>) {
                    add_oriented(solid(kind, i), {g, i}, kind.bounds(i));
                }
            }
        };
        std::visit(add_group, scene.groups[g].arrays);
    }
    for (const MeshSolids::Box& mesh : scene.mesh_solids.boxes)
        add_oriented(mesh.box, mesh.owner, bounds_of(mesh.drawn));
    owners.insert(owners.end(), of_oriented.begin(), of_oriented.end());
    drawn.insert(drawn.end(), drawn_for_oriented.begin(), drawn_for_oriented.end());
    for (const MeshSolids::Hull& mesh : scene.mesh_solids.hulls) {
        SolidHullInstance& hull = hulls.emplace_back();
        hull.hull = shapes.emplace_back(mesh.shape).get();
        std::copy_n(mesh.transform.begin(), 12, hull.transform);
        hull = smaller(hull, inset);
        owners.push_back(mesh.owner);
        drawn.push_back(around(bounds_of(mesh.drawn), inset));
    }
}

SceneSolids SceneSolids::boxes_alone() const {
    SceneSolids result;
    result.boxes = boxes;
    result.oriented_boxes = oriented_boxes;
    result.drawn.assign(drawn.begin(), drawn.end() - static_cast<std::ptrdiff_t>(hulls.size()));
    if (!owners.empty()) result.owners.assign(owners.begin(), owners.end() - static_cast<std::ptrdiff_t>(hulls.size()));
    return result;
}

bool is_of_boxes(const Group& group) {
    return std::visit([]<class Kind>(const Kind&) { return has_boxes<Kind>; }, group.arrays);
}

BoxEdges edges_of(const SolidBox& box) {
    const Bounds bounds = bounds_of(box);
    const glm::dvec3 half = 0.5 * bounds.size();
    return {bounds.center(), {half.x, 0, 0, 0, half.y, 0, 0, 0, half.z}};
}

BoxEdges edges_of(const SolidOrientedBox& box) {
    BoxEdges edges{{box.center[0], box.center[1], box.center[2]}, {}};
    for (int k = 0; k < 3; ++k) {
        const float* axis = box.axes[k];
        edges.half[k] = static_cast<double>(box.half_extents[k]) * glm::dvec3(axis[0], axis[1], axis[2]);
    }
    return edges;
}

BoxEdges edges_of(const SolidHullInstance& placed) {
    const SolidHull& hull = *placed.hull;
    const Placement at(placed.transform);
    const glm::dvec3 mean = mean_corner(hull);
    const glm::dvec3 low(hull.drawn.lower[0], hull.drawn.lower[1], hull.drawn.lower[2]);
    const glm::dvec3 high(hull.drawn.upper[0], hull.drawn.upper[1], hull.drawn.upper[2]);
    double volume = 0;
    for (std::uint32_t t = 0; t < hull.triangle_count; ++t) {
        const auto corner = [&](int v) { return corner_of(hull, hull.triangle[t][v]) - mean; };
        volume += glm::dot(corner(0), glm::cross(corner(1), corner(2))) / 6;
    }
    const glm::dvec3 size = high - low;
    const glm::dvec3 half = 0.5 * std::cbrt(std::abs(volume) / (size.x * size.y * size.z)) * size;
    BoxEdges edges{at.axes * (0.5 * (low + high)) + at.place, {}};
    for (int k = 0; k < 3; ++k) edges.half[k] = half[k] * at.axes[k];
    return edges;
}

}  // namespace lanecull::program
