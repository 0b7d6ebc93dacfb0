#include <ode/ode.h>

#include <array>

#include "peers/frustum_queries.hpp"

/// ODE's collision functions, for one contact of an object and a volume, in the precision that it is packaged in.
/// Hulls it has only with their faces: the volume's are known, other hulls are left out.
namespace bench {
namespace {

class Library {
public:
    Library() { dInitODE2(0); }
    ~Library() { dCloseODE(); }
    Library(const Library&) = delete;
    Library& operator=(const Library&) = delete;
};

/// Six quadrilaterals, anticlockwise from outside; corners numbered as Camera::corners() has them: right, up and
/// forward are a left-handed frame.
constexpr unsigned faces[] = {4, 1, 3, 2, 0, 4, 6, 7, 5, 4, 4, 2, 6, 4, 0, 4, 5, 7, 3, 1, 4, 4, 5, 1, 0, 4, 3, 7, 6, 2};

/// A convex geometry, which points into this.
struct Volume {
    std::array<dReal, 24> points;
    std::array<dReal, 24> planes;
    dGeomID geometry;

    Volume(const std::vector<glm::dvec3>& corners, const glm::dvec3& center) {
        for (std::size_t c = 0; c < 8; ++c) {
            for (int j = 0; j < 3; ++j) points[3 * c + static_cast<std::size_t>(j)] = static_cast<dReal>(corners[c][j]);
        }
        for (std::size_t f = 0; f < 6; ++f) {
            const unsigned* face = faces + 5 * f + 1;
            const glm::dvec3& a = corners[face[0]];
            const glm::dvec3 n = glm::normalize(glm::cross(corners[face[1]] - a, corners[face[2]] - a));
            for (int j = 0; j < 3; ++j) planes[4 * f + static_cast<std::size_t>(j)] = static_cast<dReal>(n[j]);
            planes[4 * f + 3] = static_cast<dReal>(glm::dot(n, a));
        }
        geometry = dCreateConvex(nullptr, planes.data(), 6, points.data(), 8, faces);
        dGeomSetPosition(geometry, static_cast<dReal>(center.x), static_cast<dReal>(center.y),
                         static_cast<dReal>(center.z));
    }
};

class Engine final : public EngineOfPairs<Engine> {
public:
    explicit Engine(const PairWorkload& workload)
        : volume_(workload.hulls[workload.pairs[0][1].hull], workload.pairs[0][1].center) {
        for (const auto& pair : workload.pairs) objects_.push_back(make(pair[0]));
    }
    ~Engine() override {
        for (const dGeomID object : objects_) dGeomDestroy(object);
        dGeomDestroy(volume_.geometry);
    }

    [[nodiscard]] std::size_t count() const { return objects_.size(); }
    bool intersect(std::size_t i) {
        dContactGeom contact;
        return dCollide(objects_[i], volume_.geometry, 1 | static_cast<int>(CONTACTS_UNIMPORTANT), &contact,
                        sizeof contact) > 0;
    }
    double distance(std::size_t) { return 0; }  // it has none

private:
    static dGeomID make(const PairShape& shape) {
        const auto real = [](double value) { return static_cast<dReal>(value); };
        dGeomID made = nullptr;
        if (shape.kind == PairKind::sphere) {
            made = dCreateSphere(nullptr, real(shape.half.x));
        } else if (shape.kind == PairKind::capsule) {
            made = dCreateCapsule(nullptr, real(shape.half.x), real(2 * shape.half.z));
        } else {
            made = dCreateBox(nullptr, real(2 * shape.half.x), real(2 * shape.half.y), real(2 * shape.half.z));
        }
        const glm::dmat3& m = shape.axes;
        const dMatrix3 turn = {real(m[0][0]), real(m[1][0]), real(m[2][0]), 0,
                               real(m[0][1]), real(m[1][1]), real(m[2][1]), 0,
                               real(m[0][2]), real(m[1][2]), real(m[2][2]), 0};
        dGeomSetRotation(made, turn);
        dGeomSetPosition(made, real(shape.center.x), real(shape.center.y), real(shape.center.z));
        return made;
    }

    Volume volume_;
    std::vector<dGeomID> objects_;
};

}  // namespace

std::unique_ptr<PairEngine> ode_queries(const PairWorkload& workload) {
    static const Library library;
    return std::make_unique<Engine>(workload);
}

}  // namespace bench
