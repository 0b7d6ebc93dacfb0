#include <fcl/geometry/shape/box.h>
#include <fcl/geometry/shape/capsule.h>
#include <fcl/geometry/shape/cone.h>
#include <fcl/geometry/shape/convex.h>
#include <fcl/geometry/shape/cylinder.h>
#include <fcl/geometry/shape/ellipsoid.h>
#include <fcl/geometry/shape/sphere.h>
#include <fcl/narrowphase/detail/convexity_based_algorithm/gjk.h>
#include <fcl/narrowphase/detail/convexity_based_algorithm/gjk_libccd.h>

#include <algorithm>

#include "peers/pairs.hpp"

/// FCL's two GJKs, in double precision, without the closed forms that it has for some kinds: its own, and its fork of
/// libccd's, which is what it computes distances with by default.
namespace bench {
namespace {

using Shape = fcl::ShapeBase<double>;
using Pose = fcl::Transform3<double>;

constexpr unsigned max_iterations = 128;
constexpr double tolerance = 1e-6;

struct Object {
    std::unique_ptr<Shape> shape;
    Pose pose;
};

/// Hulls have vertices and no faces: up to 32 vertices, FCL's support function does not use faces.
std::unique_ptr<Shape> make_shape(const PairWorkload& workload, const PairShape& shape) {
    switch (shape.kind) {
        case PairKind::sphere:
            return std::make_unique<fcl::Sphere<double>>(shape.half.x);
        case PairKind::capsule:
            return std::make_unique<fcl::Capsule<double>>(shape.half.x, 2 * shape.half.z);
        case PairKind::cylinder:
            return std::make_unique<fcl::Cylinder<double>>(shape.half.x, 2 * shape.half.z);
        case PairKind::cone:
            return std::make_unique<fcl::Cone<double>>(shape.half.x, 2 * shape.half.z);
        case PairKind::ellipsoid:
            return std::make_unique<fcl::Ellipsoid<double>>(shape.half.x, shape.half.y, shape.half.z);
        case PairKind::hull32:
        case PairKind::volume: {
            auto vertices = std::make_shared<std::vector<fcl::Vector3<double>>>();
            for (const glm::dvec3& v : workload.hulls[shape.hull]) vertices->emplace_back(v.x, v.y, v.z);
            return std::make_unique<fcl::Convex<double>>(vertices, 0, std::make_shared<std::vector<int>>());
        }
        default:
            return std::make_unique<fcl::Box<double>>(2 * shape.half.x, 2 * shape.half.y, 2 * shape.half.z);
    }
}

std::vector<Object> make_objects(const PairWorkload& workload) {
    std::vector<Object> objects;
    for (const auto& pair : workload.pairs) {
        for (const PairShape& shape : pair) {
            Pose pose = Pose::Identity();
            for (int column = 0; column < 3; ++column) {
                for (int row = 0; row < 3; ++row) pose.linear()(row, column) = shape.axes[column][row];
                pose.translation()(column) = shape.center[column];
            }
            objects.push_back({make_shape(workload, shape), pose});
        }
    }
    return objects;
}

class OwnGjk final : public EngineOfPairs<OwnGjk> {
public:
    explicit OwnGjk(const PairWorkload& workload) : objects_(make_objects(workload)) {}

    [[nodiscard]] std::size_t count() const { return objects_.size() / 2; }
    bool intersect(std::size_t i) { return distance(i) == 0; }

    /// As fcl::detail::GJKSolver_indep does it.
    double distance(std::size_t i) {
        const Object &a = objects_[2 * i], &b = objects_[2 * i + 1];
        fcl::detail::MinkowskiDiff<double> difference;
        difference.shapes[0] = a.shape.get();
        difference.shapes[1] = b.shape.get();
        difference.toshape1.noalias() = b.pose.linear().transpose() * a.pose.linear();
        difference.toshape0 = a.pose.inverse(Eigen::Isometry) * b.pose;
        fcl::detail::GJK<double> gjk(max_iterations, tolerance);
        const auto status = gjk.evaluate(difference, -fcl::Vector3<double>(1, 0, 0));
        return status == fcl::detail::GJK<double>::Valid ? gjk.distance : 0;
    }

private:
    std::vector<Object> objects_;
};

class LibccdFork final : public EngineOfPairs<LibccdFork> {
public:
    explicit LibccdFork(const PairWorkload& workload) {
        for (const Object& object : make_objects(workload)) {
            switch (workload.kind) {
                case PairKind::sphere:
                    add<fcl::Sphere<double>>(object);
                    break;
                case PairKind::capsule:
                    add<fcl::Capsule<double>>(object);
                    break;
                case PairKind::cylinder:
                    add<fcl::Cylinder<double>>(object);
                    break;
                case PairKind::cone:
                    add<fcl::Cone<double>>(object);
                    break;
                case PairKind::ellipsoid:
                    add<fcl::Ellipsoid<double>>(object);
                    break;
                case PairKind::hull32:
                    kept_.push_back(make_shape(workload, workload.pairs[objects_.size() / 2][objects_.size() % 2]));
                    add<fcl::Convex<double>>({nullptr, object.pose}, kept_.back().get());
                    break;
                default:
                    add<fcl::Box<double>>(object);
                    break;
            }
        }
    }
    ~LibccdFork() override {
        for (void* object : objects_) delete_(object);
    }

    [[nodiscard]] std::size_t count() const { return objects_.size() / 2; }

    /// By distance: FCL answers yes or no with MPR instead of this GJK.
    bool intersect(std::size_t i) { return distance(i) == 0; }

    double distance(std::size_t i) {
        double d = 0;
        const bool apart = fcl::detail::GJKDistance<double>(objects_[2 * i], support_, objects_[2 * i + 1], support_,
                                                            max_iterations, tolerance, &d, nullptr, nullptr);
        return apart ? d : 0;
    }

private:
    template <class S>
    void add(const Object& object, const Shape* shape = nullptr) {
        using Initializer = fcl::detail::GJKInitializer<double, S>;
        const auto* of = static_cast<const S*>(shape != nullptr ? shape : object.shape.get());
        objects_.push_back(Initializer::createGJKObject(*of, object.pose));
        support_ = Initializer::getSupportFunction();
        delete_ = Initializer::deleteGJKObject;
    }

    std::vector<std::unique_ptr<Shape>> kept_;
    std::vector<void*> objects_;
    fcl::detail::GJKSupportFunction support_ = nullptr;
    void (*delete_)(void*) = nullptr;
};

}  // namespace

std::unique_ptr<PairEngine> fcl_pairs(const PairWorkload& workload) { return std::make_unique<OwnGjk>(workload); }
std::unique_ptr<PairEngine> fcl_libccd_pairs(const PairWorkload& workload) {
    return std::make_unique<LibccdFork>(workload);
}

}  // namespace bench
