#include <coal/narrowphase/gjk.h>
#include <coal/shape/geometric_shapes.h>

#include "peers/pairs.hpp"

/// coal's GJK (hpp-fcl until its version 3), in double precision, without the closed forms that it has for some kinds:
/// with its defaults, and with its momentum steps, by Polyak.
namespace bench {
namespace {

using Vector = coal::Vec3s;

/// Of vertices alone: up to 32, coal's support function does not use neighbours.
class Hull final : public coal::ConvexBase {
public:
    explicit Hull(const std::vector<glm::dvec3>& vertices) {
        auto corners = std::make_shared<std::vector<Vector>>();
        for (const glm::dvec3& v : vertices) corners->emplace_back(v.x, v.y, v.z);
        initialize(corners, static_cast<unsigned>(corners->size()));
    }
};

struct Object {
    std::unique_ptr<coal::ShapeBase> shape;
    coal::Transform3s pose;
};

std::unique_ptr<coal::ShapeBase> make_shape(const PairWorkload& workload, const PairShape& shape) {
    const glm::dvec3& half = shape.half;
    switch (shape.kind) {
        case PairKind::sphere:
            return std::make_unique<coal::Sphere>(half.x);
        case PairKind::capsule:
            return std::make_unique<coal::Capsule>(half.x, 2 * half.z);
        case PairKind::cylinder:
            return std::make_unique<coal::Cylinder>(half.x, 2 * half.z);
        case PairKind::cone:
            return std::make_unique<coal::Cone>(half.x, 2 * half.z);
        case PairKind::ellipsoid:
            return std::make_unique<coal::Ellipsoid>(half.x, half.y, half.z);
        case PairKind::hull32:
        case PairKind::volume:
            return std::make_unique<Hull>(workload.hulls[shape.hull]);
        default:
            return std::make_unique<coal::Box>(2 * half.x, 2 * half.y, 2 * half.z);
    }
}

template <coal::GJKVariant variant>
class Coal final : public EngineOfPairs<Coal<variant>> {
public:
    explicit Coal(const PairWorkload& workload) {
        for (const auto& pair : workload.pairs) {
            for (const PairShape& shape : pair) {
                coal::Matrix3s axes;
                for (int column = 0; column < 3; ++column)
                    for (int row = 0; row < 3; ++row) axes(row, column) = shape.axes[column][row];
                const Vector center(shape.center.x, shape.center.y, shape.center.z);
                objects_.push_back({make_shape(workload, shape), coal::Transform3s(axes, center)});
            }
        }
    }

    [[nodiscard]] std::size_t count() const { return objects_.size() / 2; }
    /// Ends at the first plane between the two.
    bool intersect(std::size_t i) { return !(evaluate(i, 0) > 0); }
    double distance(std::size_t i) { return std::max(0.0, evaluate(i, std::numeric_limits<double>::max())); }

private:
    /// With the limits and the tolerance that coal has by default. Balls are points, and capsules segments, with a
    /// radius.
    double evaluate(std::size_t i, double beyond) {
        const Object &a = objects_[2 * i], &b = objects_[2 * i + 1];
        coal::details::MinkowskiDiff difference;
        difference.set(a.shape.get(), b.shape.get(), a.pose, b.pose);
        coal::details::GJK gjk(coal::GJK_DEFAULT_MAX_ITERATIONS, coal::GJK_DEFAULT_TOLERANCE);
        gjk.gjk_variant = variant;
        gjk.setDistanceEarlyBreak(beyond);
        const auto status = gjk.evaluate(difference, Vector(1, 0, 0));
        const bool apart =
            status == coal::details::GJK::NoCollision || status == coal::details::GJK::NoCollisionEarlyStopped;
        return apart ? gjk.distance : 0;
    }

    std::vector<Object> objects_;
};

}  // namespace

std::unique_ptr<PairEngine> coal_pairs(const PairWorkload& workload) {
    return std::make_unique<Coal<coal::DefaultGJK>>(workload);
}
std::unique_ptr<PairEngine> coal_polyak_pairs(const PairWorkload& workload) {
    return std::make_unique<Coal<coal::PolyakAcceleration>>(workload);
}

}  // namespace bench
