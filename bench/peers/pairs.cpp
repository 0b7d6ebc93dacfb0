#include "peers/pairs.hpp"

#include <algorithm>
#include <cmath>
#include <glm/ext/quaternion_double.hpp>
#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>
#include <map>

#include "workloads/random.hpp"

namespace bench {
namespace {

constexpr std::uint32_t pair_count = 2'000, hull_count = 16, hull_vertices = 32;

glm::dvec3 uniform_vector(Random& random, double low, double high) {
    const double x = random.uniform(low, high), y = random.uniform(low, high);
    return {x, y, random.uniform(low, high)};
}

glm::dvec3 unit_vector(Random& random) {
    for (;;) {
        const glm::dvec3 p = uniform_vector(random, -1, 1);
        if (glm::dot(p, p) <= 1 && glm::dot(p, p) > 0.01) return glm::normalize(p);
    }
}

glm::dmat3 rotation(Random& random) {
    for (;;) {
        const glm::dvec3 v = uniform_vector(random, -1, 1);
        const glm::dquat q(random.uniform(-1, 1), v.x, v.y, v.z);
        if (glm::dot(q, q) > 0.01 && glm::dot(q, q) <= 1) return glm::mat3_cast(glm::normalize(q));
    }
}

/// About as far as the shape reaches, in the mean over directions.
double reach(PairKind kind, const PairShape& shape) {
    const glm::dvec3& half = shape.half;
    switch (kind) {
        case PairKind::sphere:
            return half.x;
        case PairKind::capsule:
            return half.x + 0.5 * half.z;
        case PairKind::cylinder:
            return 0.75 * half.x + 0.5 * half.z;
        case PairKind::cone:
            return 0.5 * (half.x + half.z);
        case PairKind::ellipsoid:
        case PairKind::hull32:
            return (half.x + half.y + half.z) / 3;
        default:
            return 0.5 * (half.x + half.y + half.z);
    }
}

/// What the first and the second shape of a workload's pairs are.
std::array<PairKind, 2> kinds_of(PairKind workload) {
    if (workload == PairKind::sphere_hull) return {PairKind::sphere, PairKind::hull32};
    if (workload == PairKind::capsule_hull) return {PairKind::capsule, PairKind::hull32};
    return {workload, workload};
}

PairWorkload build(PairKind kind) {
    PairWorkload workload{kind, {}, {}, {}};
    Random random(0x9a125u + static_cast<std::uint64_t>(kind));
    const std::array<PairKind, 2> kinds = kinds_of(kind);
    std::vector<glm::dvec3> hull_sizes;
    for (std::uint32_t h = 0; kinds[1] == PairKind::hull32 && h < hull_count; ++h) {
        std::vector<glm::dvec3>& hull = workload.hulls.emplace_back();
        const glm::dvec3 half = hull_sizes.emplace_back(uniform_vector(random, 0.5, 5));
        for (std::uint32_t v = 0; v < hull_vertices; ++v) {
            hull.emplace_back(glm::vec3(half * unit_vector(random)));  // floats: the same numbers for every library
        }
    }
    for (std::uint32_t i = 0; i < pair_count; ++i) {
        std::array<PairShape, 2>& pair = workload.pairs.emplace_back();
        for (std::size_t k = 0; k < 2; ++k) {
            PairShape& shape = pair[k];
            shape.kind = kinds[k];
            shape.half = uniform_vector(random, 0.5, 5);
            if (shape.kind != PairKind::box && shape.kind != PairKind::sphere) shape.axes = rotation(random);
            if (shape.kind != PairKind::hull32) continue;
            shape.hull = random.below(hull_count);
            shape.half = hull_sizes[shape.hull];
        }
        pair[0].center = uniform_vector(random, -50, 50);
        const double apart = random.uniform(0, 1.5) * (reach(kinds[0], pair[0]) + reach(kinds[1], pair[1]));
        pair[1].center = pair[0].center + apart * unit_vector(random);
    }
    for (const auto& [a, b] : workload.pairs) {
        const glm::dvec3 way = b.center - a.center;
        workload.motions.push_back(2.0 * way + glm::length(way) * unit_vector(random));
    }
    return workload;
}

}  // namespace

const char* name(PairKind kind) {
    static constexpr const char* names[] = {"sphere",   "box",  "obb",       "capsule",       "hull32",
                                            "cylinder", "cone", "ellipsoid", "sphere_hull32", "capsule_hull32",
                                            "volume"};
    return names[static_cast<std::size_t>(kind)];
}

const PairWorkload& pair_workload(PairKind kind) {
    static std::map<PairKind, PairWorkload> built;
    const auto [entry, is_new] = built.try_emplace(kind);
    if (is_new) entry->second = build(kind);
    return entry->second;
}

std::span<const PairEngineEntry> pair_engines() {
    static constexpr PairEngineEntry engines[] = {
        {.name = "lanes",
         .make = lanes_pairs,
         .has_cast = true,
         .has_depth = true,
         .has_turning = true,
         .has_curved = false},
        {.name = "lanecull", .make = lanecull_pairs, .has_cast = true, .has_mixed = false},
        {.name = "lanecull_float", .make = lanecull_float_pairs, .has_cast = true, .has_mixed = false},
        {.name = "lanecull_millionth", .make = lanecull_millionth_pairs, .has_boolean = false, .has_mixed = false},
#if defined(LANECULL_BENCH_CCD)
        {.name = "libccd", .make = libccd_pairs, .has_distance = false},
#endif
#if defined(LANECULL_BENCH_BULLET)
        {.name = "bullet", .make = bullet_pairs, .has_ellipsoids = false},
#endif
#if defined(LANECULL_BENCH_FCL)
        {.name = "fcl", .make = fcl_pairs},
        {.name = "fcl_libccd", .make = fcl_libccd_pairs, .has_boolean = false, .has_mixed = false},
#endif
#if defined(LANECULL_BENCH_COAL)
        {.name = "coal", .make = coal_pairs},
        {.name = "coal_polyak", .make = coal_polyak_pairs},
#endif
#if defined(LANECULL_BENCH_JOLT)
        {.name = "jolt", .make = jolt_pairs},
#endif
#if defined(LANECULL_BENCH_BOX3D)
        {.name = "box3d", .make = box3d_pairs, .has_curved = false},
#endif
    };
    return engines;
}

}  // namespace bench
