#include <BulletCollision/CollisionShapes/btBoxShape.h>
#include <BulletCollision/CollisionShapes/btCapsuleShape.h>
#include <BulletCollision/CollisionShapes/btConeShape.h>
#include <BulletCollision/CollisionShapes/btConvexHullShape.h>
#include <BulletCollision/CollisionShapes/btCylinderShape.h>
#include <BulletCollision/CollisionShapes/btSphereShape.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkPairDetector.h>
#include <BulletCollision/NarrowPhaseCollision/btPointCollector.h>
#include <BulletCollision/NarrowPhaseCollision/btVoronoiSimplexSolver.h>

#include "peers/pairs.hpp"

/// Bullet's GJK, in the single precision that it is packaged in. Without its depth solver: the distance of shapes that
/// intersect is 0. Boxes, cylinders, cones and hulls without the margins that Bullet gives them; it has no ellipsoids.
namespace bench {
namespace {

btVector3 vector(const glm::dvec3& v) {
    return {static_cast<btScalar>(v.x), static_cast<btScalar>(v.y), static_cast<btScalar>(v.z)};
}

class Engine final : public EngineOfPairs<Engine> {
public:
    explicit Engine(const PairWorkload& workload) {
        for (const auto& pair : workload.pairs) {
            for (const PairShape& shape : pair) add(workload, shape);
        }
    }

    [[nodiscard]] std::size_t count() const { return objects_.size() / 2; }

    double distance(std::size_t i) {
        const Object &a = objects_[2 * i], &b = objects_[2 * i + 1];
        btGjkPairDetector detector(a.shape.get(), b.shape.get(), &simplex_, nullptr);
        const btPointCollector result = ask(detector, a, b, 1e15f);
        return result.m_hasResult ? std::max<double>(0, result.m_distance) : 0;
    }

    /// The detector may stop once the shapes are apart by more than their margins (round shapes consist of their
    /// margins); it then returns 10.
    bool intersect(std::size_t i) {
        const Object &a = objects_[2 * i], &b = objects_[2 * i + 1];
        const btScalar margins = a.shape->getMargin() + b.shape->getMargin();
        btGjkPairDetector detector(a.shape.get(), b.shape.get(), &simplex_, nullptr);
        const btPointCollector result = ask(detector, a, b, margins);
        if (result.m_hasResult) return result.m_distance <= 0;
        return detector.m_degenerateSimplex != 10;
    }

private:
    struct Object {
        std::unique_ptr<btConvexShape> shape;
        btTransform pose;
    };

    void add(const PairWorkload& workload, const PairShape& shape) {
        const auto scalar = [](double value) { return static_cast<btScalar>(value); };
        std::unique_ptr<btConvexShape> made;
        switch (shape.kind) {
            case PairKind::sphere:
                made = std::make_unique<btSphereShape>(scalar(shape.half.x));
                break;
            case PairKind::capsule:
                made = std::make_unique<btCapsuleShapeZ>(scalar(shape.half.x), scalar(2 * shape.half.z));
                break;
            case PairKind::cylinder:
                made = std::make_unique<btCylinderShapeZ>(
                    btVector3(scalar(shape.half.x), scalar(shape.half.x), scalar(shape.half.z)));
                made->setMargin(0);
                break;
            case PairKind::cone:
                made = std::make_unique<btConeShapeZ>(scalar(shape.half.x), scalar(2 * shape.half.z));
                made->setMargin(0);
                break;
            case PairKind::hull32:
            case PairKind::volume: {
                auto hull = std::make_unique<btConvexHullShape>();
                for (const glm::dvec3& v : workload.hulls[shape.hull]) hull->addPoint(vector(v), false);
                hull->recalcLocalAabb();
                hull->setMargin(0);
                made = std::move(hull);
                break;
            }
            default:
                made = std::make_unique<btBoxShape>(vector(shape.half));
                made->setMargin(0);
                break;
        }
        const glm::dmat3& m = shape.axes;
        const btMatrix3x3 turn(scalar(m[0][0]), scalar(m[1][0]), scalar(m[2][0]), scalar(m[0][1]), scalar(m[1][1]),
                               scalar(m[2][1]), scalar(m[0][2]), scalar(m[1][2]), scalar(m[2][2]));
        objects_.push_back({std::move(made), btTransform(turn, vector(shape.center))});
    }

    static btPointCollector ask(btGjkPairDetector& detector, const Object& a, const Object& b, btScalar limit) {
        btGjkPairDetector::ClosestPointInput input;
        input.m_transformA = a.pose;
        input.m_transformB = b.pose;
        input.m_maximumDistanceSquared = limit * limit;
        btPointCollector result;
        detector.getClosestPoints(input, result, nullptr);
        return result;
    }

    std::vector<Object> objects_;
    btVoronoiSimplexSolver simplex_;
};

}  // namespace

std::unique_ptr<PairEngine> bullet_pairs(const PairWorkload& workload) { return std::make_unique<Engine>(workload); }

}  // namespace bench
