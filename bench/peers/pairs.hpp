#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <glm/mat3x3.hpp>
#include <glm/vec3.hpp>
#include <memory>
#include <span>
#include <vector>

/// Pairs of shapes for the pairwise algorithms and their yardsticks.
namespace bench {

enum class PairKind {
    sphere,
    box,  ///< along the axes
    obb,
    capsule,
    hull32,
    cylinder,
    cone,
    ellipsoid,
    sphere_hull,   ///< of a workload: a sphere and a hull of 32
    capsule_hull,  ///< a capsule and one
    volume,        ///< the standard view's, for frustum_queries.hpp alone
};
inline constexpr PairKind all_pair_kinds[] = {
    PairKind::sphere,   PairKind::box,  PairKind::obb,       PairKind::capsule,     PairKind::hull32,
    PairKind::cylinder, PairKind::cone, PairKind::ellipsoid, PairKind::sphere_hull, PairKind::capsule_hull};
const char* name(PairKind kind);

/// One shape before any library has it. Sphere: radius half.x. Box, ellipsoid: half-extents, along the columns of
/// `axes`. Capsule, cylinder, cone: from -half.z to half.z (the apex) along the axes' last column, radius half.x. Hull:
/// the vertices of `hull`, turned by `axes`. The volume is also the hull of its corners.
struct PairShape {
    PairKind kind = PairKind::sphere;
    glm::dvec3 center{0};
    glm::dmat3 axes{1};
    glm::dvec3 half{1};
    std::uint32_t hull = 0;
};

struct PairWorkload {
    PairKind kind;  ///< of the first shapes
    std::vector<std::array<PairShape, 2>> pairs;
    std::vector<glm::dvec3> motions;  ///< of each pair's first: twice the way to the second, and as far aside
    std::vector<std::vector<glm::dvec3>> hulls;  ///< vertices around the origin
};

/// Both of a kind, or of two, about half of them intersecting: 2,000 pairs, which leaves the caches to their shapes.
/// Sizes are uniform in 0.5 to 5, turns are uniform, and the centres are apart by 0 to 1.5 times what the shapes' sizes
/// add up to.
[[nodiscard]] const PairWorkload& pair_workload(PairKind kind);

/// A library with all pairs in its own form, made before the clock starts.
class PairEngine {
public:
    virtual ~PairEngine() = default;
    /// How many intersect; `verdicts`, one a pair, where it is not empty.
    virtual std::size_t count_intersecting(std::span<bool> verdicts = {}) = 0;
    /// The sum of all distances, 0 of those that intersect.
    virtual double sum_distances(std::span<double> distances = {}) = 0;
    /// The sum of all times of first contact, 1 where there is none.
    virtual double sum_casts(std::span<double> = {}) { return 0; }
    /// The sum of all depths, 0 of those that are apart.
    virtual double sum_depths() { return 0; }
    /// How many meet on the way, the first turning by two radians about its centre and the first of its axes.
    virtual std::size_t count_turning() { return 0; }
    /// How many points all pairs have at which the two touch.
    virtual std::size_t count_contacts() { return 0; }
};

/// The loops over all pairs of an engine that has count(), intersect(i) and distance(i), the i-th pair's.
template <class Self>
class EngineOfPairs : public PairEngine {
public:
    std::size_t count_intersecting(std::span<bool> verdicts) final {
        std::size_t intersecting = 0;
        for (std::size_t i = 0, count = self().count(); i < count; ++i) {
            const bool meet = self().intersect(i);
            intersecting += meet ? 1 : 0;
            if (!verdicts.empty()) verdicts[i] = meet;
        }
        return intersecting;
    }

    double sum_distances(std::span<double> distances) final {
        double sum = 0;
        for (std::size_t i = 0, count = self().count(); i < count; ++i) {
            const double d = self().distance(i);
            sum += d;
            if (!distances.empty()) distances[i] = d;
        }
        return sum;
    }

private:
    Self& self() { return static_cast<Self&>(*this); }
};

/// What there is of an engine's name and functions; null members where the build has no such library.
struct PairEngineEntry {
    const char* name;
    std::unique_ptr<PairEngine> (*make)(const PairWorkload& workload);
    bool has_boolean = true, has_distance = true, has_cast = false;
    bool has_depth = false;  ///< with contacts
    bool has_turning = false;
    bool has_ellipsoids = true, has_hulls = true;
    bool has_curved = true;  ///< cylinders, cones and ellipsoids
    bool has_mixed = true;   ///< pairs of two kinds

    [[nodiscard]] bool has(PairKind kind) const {
        const bool mixed = kind == PairKind::sphere_hull || kind == PairKind::capsule_hull;
        if (mixed && !has_mixed) return false;
        if (!mixed && kind >= PairKind::cylinder && !has_curved) return false;
        return (has_ellipsoids || kind != PairKind::ellipsoid) && (has_hulls || kind != PairKind::hull32);
    }
};
[[nodiscard]] std::span<const PairEngineEntry> pair_engines();

std::unique_ptr<PairEngine> lanes_pairs(const PairWorkload& workload);
std::unique_ptr<PairEngine> lanecull_pairs(const PairWorkload& workload);
std::unique_ptr<PairEngine> lanecull_millionth_pairs(const PairWorkload& workload);
std::unique_ptr<PairEngine> lanecull_float_pairs(const PairWorkload& workload);
std::unique_ptr<PairEngine> libccd_pairs(const PairWorkload& workload);
std::unique_ptr<PairEngine> ode_queries(const PairWorkload& workload);
std::unique_ptr<PairEngine> bullet_pairs(const PairWorkload& workload);
std::unique_ptr<PairEngine> fcl_pairs(const PairWorkload& workload);
std::unique_ptr<PairEngine> fcl_libccd_pairs(const PairWorkload& workload);
std::unique_ptr<PairEngine> coal_pairs(const PairWorkload& workload);
std::unique_ptr<PairEngine> coal_polyak_pairs(const PairWorkload& workload);
std::unique_ptr<PairEngine> jolt_pairs(const PairWorkload& workload);
std::unique_ptr<PairEngine> box3d_pairs(const PairWorkload& workload);

}  // namespace bench
