#include "peers/frustum_queries.hpp"

#include <glm/geometric.hpp>
#include <map>

#include "workloads/camera.hpp"

namespace bench {
namespace {

/// Floats as they lie in a batch, tightly packed records included, become the numbers of a PairShape.
struct Objects {
    PairWorkload& out;

    static glm::dvec3 at(const float* x, const float* y, const float* z, std::uint32_t i) { return {x[i], y[i], z[i]}; }

    void add(const PairShape& shape) const { out.pairs.push_back({shape, {}}); }

    void operator()(const lanecull::Spheres& s) const {
        for (std::uint32_t i = 0; i < s.count; ++i)
            add({.kind = PairKind::sphere, .center = at(s.x, s.y, s.z, i), .half = glm::dvec3(s.radius[i])});
    }

    void operator()(const lanecull::Boxes& b) const {
        for (std::uint32_t i = 0; i < b.count; ++i) {
            const glm::dvec3 low = at(b.min_x, b.min_y, b.min_z, i), high = at(b.max_x, b.max_y, b.max_z, i);
            add({.kind = PairKind::box, .center = 0.5 * (low + high), .half = 0.5 * (high - low)});
        }
    }

    void operator()(const lanecull::OrientedBoxes& b) const {
        for (std::uint32_t i = 0; i < b.count; ++i) {
            const float *axes = b.axes.first + 9 * std::size_t{i}, *half = b.half_extents.first + 3 * std::size_t{i};
            PairShape box{.kind = PairKind::obb, .center = at(b.x, b.y, b.z, i), .half = {half[0], half[1], half[2]}};
            for (int k = 0; k < 3; ++k) box.axes[k] = {axes[3 * k], axes[3 * k + 1], axes[3 * k + 2]};
            add(box);
        }
    }

    void operator()(const lanecull::Capsules& c) const {
        for (std::uint32_t i = 0; i < c.count; ++i) {
            const glm::dvec3 a = at(c.a_x, c.a_y, c.a_z, i), b = at(c.b_x, c.b_y, c.b_z, i),
                             axis = glm::normalize(b - a);
            const glm::dvec3 across =
                glm::normalize(glm::cross(axis, std::abs(axis.x) < 0.5 ? glm::dvec3(1, 0, 0) : glm::dvec3(0, 1, 0)));
            add({.kind = PairKind::capsule,
                 .center = 0.5 * (a + b),
                 .axes = glm::dmat3(across, glm::cross(axis, across), axis),
                 .half = {c.radius[i], c.radius[i], 0.5 * glm::length(b - a)}});
        }
    }

    /// A hull for each instance: its transform scales, and the poses of rigid bodies cannot.
    void operator()(const lanecull::HullInstances& h) const {
        for (std::uint32_t i = 0; i < h.count; ++i) {
            const float* t = h.transforms.first + 12 * std::size_t{i};
            const lanecull::Hull& hull = h.hulls[h.hull_index[i]];
            std::vector<glm::dvec3>& vertices = out.hulls.emplace_back();
            for (std::uint32_t v = 0; v < hull.count; ++v) {
                const glm::dvec3 p = at(hull.x, hull.y, hull.z, v);
                glm::dvec3 turned;
                for (int row = 0; row < 3; ++row)
                    turned[row] = glm::dot(glm::dvec3(t[4 * row], t[4 * row + 1], t[4 * row + 2]), p);
                vertices.push_back(turned);
            }
            add({.kind = PairKind::hull32,
                 .center = {t[3], t[7], t[11]},
                 .hull = static_cast<std::uint32_t>(out.hulls.size() - 1)});
        }
    }

    template <class Other>
    void operator()(const Other&) const {}
};

PairKind kind_of(Shape shape) {
    switch (shape) {
        case Shape::sphere:
            return PairKind::sphere;
        case Shape::box:
            return PairKind::box;
        case Shape::obb:
            return PairKind::obb;
        case Shape::capsule:
            return PairKind::capsule;
        default:
            return PairKind::hull32;
    }
}

PairWorkload build(Shape shape, std::uint32_t count) {
    PairWorkload queries{kind_of(shape), {}, {}, {}};
    with_shapes(workload({shape, Placement::straddle, count}).batch(), Objects{queries});
    PairShape volume{.kind = PairKind::volume, .hull = static_cast<std::uint32_t>(queries.hulls.size())};
    const auto corners = standard_camera().corners();
    for (const glm::dvec3& corner : corners) volume.center += corner / 8.0;
    std::vector<glm::dvec3>& vertices = queries.hulls.emplace_back();
    for (const glm::dvec3& corner : corners) vertices.push_back(corner - volume.center);
    for (auto& pair : queries.pairs) pair[1] = volume;
    return queries;
}

}  // namespace

std::span<const PairEngineEntry> query_engines() {
    static const std::vector<PairEngineEntry> engines = [] {
        std::vector<PairEngineEntry> found;
#if defined(LANECULL_BENCH_CCD)
        found.push_back({"libccd", libccd_pairs});
#endif
#if defined(LANECULL_BENCH_BULLET)
        found.push_back({"bullet", bullet_pairs});
#endif
#if defined(LANECULL_BENCH_FCL)
        found.push_back({"fcl", fcl_pairs});
#endif
#if defined(LANECULL_BENCH_ODE)
        found.push_back({.name = "ode", .make = ode_queries, .has_hulls = false});
#endif
        return found;
    }();
    return engines;
}

const PairWorkload& frustum_queries(Shape shape, std::uint32_t count) {
    static std::map<std::pair<Shape, std::uint32_t>, PairWorkload> built;
    const auto [entry, is_new] = built.try_emplace({shape, count});
    if (is_new) entry->second = build(shape, count);
    return entry->second;
}

}  // namespace bench
