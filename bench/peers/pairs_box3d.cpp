#include <box3d/collision.h>

#include <algorithm>
#include <glm/gtc/quaternion.hpp>

#include "peers/pairs.hpp"

/// box3d's GJK, in single precision, of vertices and a radius: it has no other shapes. Yes or no takes the distance as
/// well, as in its tests of overlap, without the half millimetre that they forgive.
namespace bench {
namespace {

b3Vec3 vector(const glm::dvec3& v) {
    return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)};
}

class Engine final : public EngineOfPairs<Engine> {
public:
    explicit Engine(const PairWorkload& workload) {
        for (const auto& pair : workload.pairs) {
            for (const PairShape& shape : pair) add(workload, shape);
        }
    }

    [[nodiscard]] std::size_t count() const { return objects_.size() / 2; }
    bool intersect(std::size_t i) { return !(distance(i) > 0); }
    double distance(std::size_t i) {
        const Object &a = objects_[2 * i], &b = objects_[2 * i + 1];
        const b3DistanceInput input{proxy(a), proxy(b), b3InvMulTransforms(a.pose, b.pose), true};
        b3SimplexCache nothing_before{};
        return b3ShapeDistance(&input, &nothing_before, nullptr, 0).distance;
    }

private:
    struct Object {
        std::vector<b3Vec3> vertices;
        float radius;
        b3Transform pose;
    };

    static b3ShapeProxy proxy(const Object& object) {
        return {object.vertices.data(), static_cast<int>(object.vertices.size()), object.radius};
    }

    void add(const PairWorkload& workload, const PairShape& shape) {
        const glm::dvec3& half = shape.half;
        std::vector<b3Vec3> vertices;
        float radius = 0;
        switch (shape.kind) {
            case PairKind::sphere:
                vertices = {vector(glm::dvec3(0))};
                radius = static_cast<float>(half.x);
                break;
            case PairKind::capsule:
                vertices = {vector({0, 0, -half.z}), vector({0, 0, half.z})};
                radius = static_cast<float>(half.x);
                break;
            case PairKind::hull32:
                for (const glm::dvec3& v : workload.hulls[shape.hull]) vertices.push_back(vector(v));
                break;
            default:
                for (int k = 0; k < 8; ++k) {
                    const glm::dvec3 corner(k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1);
                    vertices.push_back(vector(half * corner));
                }
                break;
        }
        const glm::dquat q = glm::quat_cast(shape.axes);
        const b3Quat turn{vector({q.x, q.y, q.z}), static_cast<float>(q.w)};
        objects_.push_back({std::move(vertices), radius, {vector(shape.center), turn}});
    }

    std::vector<Object> objects_;
};

}  // namespace

std::unique_ptr<PairEngine> box3d_pairs(const PairWorkload& workload) { return std::make_unique<Engine>(workload); }

}  // namespace bench
