#include <ccd/ccd.h>

#include <cmath>

#include "peers/pairs.hpp"
#include "workloads/camera.hpp"

/// libccd's GJK, in the double precision that it is packaged in, with support functions as its users write them.
namespace bench {
namespace {

struct Shape {
    PairShape shape;
    const glm::dvec3* vertices = nullptr;
    std::size_t count = 0;
    bool turned = true;  ///< else its axes are the coordinates'
};

/// The farthest point of a disk of some radius, across the axes' last column.
glm::dvec3 on_rim(const glm::dmat3& axes, double radius, const glm::dvec3& d) {
    const double x = glm::dot(axes[0], d), y = glm::dot(axes[1], d);
    const double length = std::sqrt(x * x + y * y);
    return length > 0 ? radius / length * (x * axes[0] + y * axes[1]) : radius * axes[0];
}

/// In closed form: eight corners take libccd a tenth longer.
glm::dvec3 corner_of_volume(const glm::dvec3& d) {
    static const Camera camera = standard_camera();
    const glm::dvec3 along = d * camera.axes;
    const double x = std::copysign(camera.tan_x, along.x), y = std::copysign(camera.tan_y, along.y);
    const double depth = x * along.x + y * along.y + along.z > 0 ? camera.far_depth : camera.near_depth;
    return camera.eye + camera.axes * glm::dvec3(depth * x, depth * y, depth);
}

glm::dvec3 support_of(const Shape& s, const glm::dvec3& d) {
    const glm::dvec3& half = s.shape.half;
    switch (s.shape.kind) {
        case PairKind::sphere:
            return s.shape.center + half.x / std::sqrt(glm::dot(d, d)) * d;
        case PairKind::box:
            return s.shape.center +
                   glm::dvec3(std::copysign(half.x, d.x), std::copysign(half.y, d.y), std::copysign(half.z, d.z));
        case PairKind::obb: {
            const glm::dvec3 along = d * s.shape.axes;
            return s.shape.center + s.shape.axes * glm::dvec3(std::copysign(half.x, along.x),
                                                              std::copysign(half.y, along.y),
                                                              std::copysign(half.z, along.z));
        }
        case PairKind::capsule: {
            const glm::dvec3& axis = s.shape.axes[2];
            return s.shape.center + std::copysign(half.z, glm::dot(axis, d)) * axis +
                   half.x / std::sqrt(glm::dot(d, d)) * d;
        }
        case PairKind::cylinder: {
            const glm::dvec3& axis = s.shape.axes[2];
            return s.shape.center + std::copysign(half.z, glm::dot(axis, d)) * axis + on_rim(s.shape.axes, half.x, d);
        }
        case PairKind::cone: {
            const glm::dvec3 apex = half.z * s.shape.axes[2], rim = on_rim(s.shape.axes, half.x, d) - apex;
            return s.shape.center + (glm::dot(apex, d) > glm::dot(rim, d) ? apex : rim);
        }
        case PairKind::ellipsoid: {
            const glm::dvec3 along = half * (d * s.shape.axes);
            return s.shape.center + s.shape.axes * (half * along / std::sqrt(glm::dot(along, along)));
        }
        case PairKind::volume:
            return corner_of_volume(d);
        default: {
            const glm::dvec3 along = s.turned ? d * s.shape.axes : d;
            std::size_t best = 0;
            double farthest = -INFINITY;
            for (std::size_t i = 0; i < s.count; ++i) {
                const double value = glm::dot(along, s.vertices[i]);
                best = value > farthest ? i : best;
                farthest = value > farthest ? value : farthest;
            }
            return s.shape.center + (s.turned ? s.shape.axes * s.vertices[best] : s.vertices[best]);
        }
    }
}

void support(const void* object, const ccd_vec3_t* direction, ccd_vec3_t* point) {
    const double* d = direction->v;
    const glm::dvec3 p = support_of(*static_cast<const Shape*>(object), {d[0], d[1], d[2]});
    ccdVec3Set(point, p.x, p.y, p.z);
}

class Engine final : public EngineOfPairs<Engine> {
public:
    explicit Engine(const PairWorkload& workload) {
        for (const auto& pair : workload.pairs) {
            for (std::size_t k = 0; k < 2; ++k) {
                Shape& shape = shapes_.emplace_back(Shape{pair[k]});
                if (pair[k].kind != PairKind::hull32) continue;
                shape.vertices = workload.hulls[pair[k].hull].data();
                shape.turned = pair[k].axes != glm::dmat3(1);
                shape.count = workload.hulls[pair[k].hull].size();
            }
        }
        CCD_INIT(&ccd_);
        ccd_.support1 = ccd_.support2 = support;
        ccd_.max_iterations = 100;
    }

    [[nodiscard]] std::size_t count() const { return shapes_.size() / 2; }
    bool intersect(std::size_t i) { return ccdGJKIntersect(&shapes_[2 * i], &shapes_[2 * i + 1], &ccd_) != 0; }
    double distance(std::size_t) { return 0; }  // it has none

private:
    std::vector<Shape> shapes_;
    ccd_t ccd_;
};

}  // namespace

std::unique_ptr<PairEngine> libccd_pairs(const PairWorkload& workload) { return std::make_unique<Engine>(workload); }

}  // namespace bench
