// First of Jolt's headers.
#include <Jolt/Jolt.h>

#include <Jolt/Geometry/AABox.h>
#include <Jolt/Geometry/GJKClosestPoint.h>

#include <algorithm>
#include <cfloat>
#include <cmath>

#include "peers/pairs.hpp"

/// Jolt's GJK, in single precision, a template of two shapes: its own supports, and for kinds that it has none for, a
/// user's. Balls are points, and capsules segments, with a radius, as in Jolt's shapes. Without its depth step.
namespace bench {
namespace {

using JPH::Vec3;

Vec3 vector(const glm::dvec3& v) { return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)}; }

/// Along z, as all axes.
struct Segment {
    float half;
    [[nodiscard]] Vec3 GetSupport(Vec3 d) const { return {0, 0, std::copysign(half, d.GetZ())}; }
};

struct Disk {
    float radius;
    [[nodiscard]] Vec3 GetSupport(Vec3 d) const {
        const float x = d.GetX(), y = d.GetY(), length = std::sqrt(x * x + y * y);
        return length > 0 ? Vec3(radius / length * x, radius / length * y, 0) : Vec3::sZero();
    }
};

struct Cylinder {
    Segment axis;
    Disk disk;
    [[nodiscard]] Vec3 GetSupport(Vec3 d) const { return axis.GetSupport(d) + disk.GetSupport(d); }
};

struct Cone {
    float half;
    Disk base;
    [[nodiscard]] Vec3 GetSupport(Vec3 d) const {
        const Vec3 apex(0, 0, half), rim = base.GetSupport(d) - apex;
        return apex.Dot(d) > rim.Dot(d) ? apex : rim;
    }
};

struct Ellipsoid {
    Vec3 half;
    [[nodiscard]] Vec3 GetSupport(Vec3 d) const {
        const Vec3 scaled = half * d;
        const float length = scaled.Length();
        return length > 0 ? half * scaled / length : Vec3::sZero();
    }
};

using Vertices = std::vector<Vec3>;
using Hull = JPH::PolygonConvexSupport<Vertices>;

template <class Support>
struct Object {
    Support support;
    float radius;
    JPH::Mat44 pose;
};

template <class A, class B>
class Engine final : public EngineOfPairs<Engine<A, B>> {
public:
    template <class MakeA, class MakeB>
    Engine(const PairWorkload& workload, MakeA make_a, MakeB make_b) {
        for (const auto& vertices : workload.hulls) {
            Vertices& hull = hulls_.emplace_back();
            for (const glm::dvec3& v : vertices) hull.push_back(vector(v));
        }
        for (const auto& [a, b] : workload.pairs) {
            pairs_.push_back({{make_a(a, hulls_), radius(a), pose(a)}, {make_b(b, hulls_), radius(b), pose(b)}});
        }
    }

    [[nodiscard]] std::size_t count() const { return pairs_.size(); }
    /// Ends once the two are apart by more than their radii.
    bool intersect(std::size_t i) {
        const float radii = pairs_[i].a.radius + pairs_[i].b.radius;
        return squared_distance(i, radii * radii) <= radii * radii;
    }
    double distance(std::size_t i) {
        const float radii = pairs_[i].a.radius + pairs_[i].b.radius;
        return std::max(0.0f, std::sqrt(squared_distance(i, FLT_MAX)) - radii);
    }

private:
    struct Pair {
        Object<A> a;
        Object<B> b;
    };

    static float radius(const PairShape& s) {
        const bool round = s.kind == PairKind::sphere || s.kind == PairKind::capsule;
        return round ? static_cast<float>(s.half.x) : 0;
    }

    static JPH::Mat44 pose(const PairShape& s) {
        const auto column = [&](int k) { return JPH::Vec4(vector(s.axes[k]), 0); };
        return {column(0), column(1), column(2), vector(s.center)};
    }

    /// Of points, segments and what has no radius: as Jolt's collisions of two convex shapes have it, from the way
    /// between their centres, in the coordinates of the first.
    float squared_distance(std::size_t i, float most) {
        constexpr float tolerance = 1e-6f;
        const auto& [a, b] = pairs_[i];
        const JPH::Mat44 b_to_a = a.pose.InversedRotationTranslation() * b.pose;
        Vec3 axis = b_to_a.GetTranslation(), on_a, on_b;
        if (axis.IsNearZero()) axis = Vec3::sAxisX();
        const JPH::TransformedConvexObject<B> placed_b(b_to_a, b.support);
        return gjk_.GetClosestPoints(a.support, placed_b, tolerance, most, axis, on_a, on_b);
    }

    std::vector<Vertices> hulls_;  ///< supports refer to them
    std::vector<Pair> pairs_;
    JPH::GJKClosestPoint gjk_;
};

template <class MakeA, class MakeB>
std::unique_ptr<PairEngine> engine(const PairWorkload& workload, MakeA make_a, MakeB make_b) {
    const std::vector<Vertices> hulls;
    using A = decltype(make_a(workload.pairs[0][0], hulls));
    using B = decltype(make_b(workload.pairs[0][1], hulls));
    return std::make_unique<Engine<A, B>>(workload, make_a, make_b);
}

}  // namespace

std::unique_ptr<PairEngine> jolt_pairs(const PairWorkload& workload) {
    using Hulls = std::vector<Vertices>;
    const auto of_two = [&](auto make) { return engine(workload, make, make); };
    const auto point = [](const PairShape&, const Hulls&) { return JPH::PointConvexSupport{Vec3::sZero()}; };
    const auto segment = [](const PairShape& s, const Hulls&) { return Segment{static_cast<float>(s.half.z)}; };
    const auto disk = [](const PairShape& s) { return Disk{static_cast<float>(s.half.x)}; };
    const auto hull = [](const PairShape& s, const Hulls& hulls) { return Hull(hulls[s.hull]); };
    switch (workload.kind) {
        case PairKind::sphere:
            return of_two(point);
        case PairKind::capsule:
            return of_two(segment);
        case PairKind::cylinder:
            return of_two([&](const PairShape& s, const Hulls& hulls) { return Cylinder{segment(s, hulls), disk(s)}; });
        case PairKind::cone:
            return of_two([&](const PairShape& s, const Hulls&) {
                return Cone{static_cast<float>(s.half.z), disk(s)};
            });
        case PairKind::ellipsoid:
            return of_two([](const PairShape& s, const Hulls&) { return Ellipsoid{vector(s.half)}; });
        case PairKind::hull32:
            return of_two(hull);
        case PairKind::sphere_hull:
            return engine(workload, point, hull);
        case PairKind::capsule_hull:
            return engine(workload, segment, hull);
        default:
            return of_two([](const PairShape& s, const Hulls&) { return JPH::AABox(-vector(s.half), vector(s.half)); });
    }
}

}  // namespace bench
