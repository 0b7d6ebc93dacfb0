#pragma once

#include <cstddef>
#include <glm/mat3x3.hpp>
#include <glm/vec3.hpp>
#include <lanecull/gjk.hpp>
#include <memory>
#include <span>
#include <vector>

#include "peers/pairs.hpp"

/// The library's own pairwise GJK, as its users write it; each precision in a file of its own, because compilers inline
/// less the more there is in a file, and nobody has so many pairs of types in one.
namespace bench {
namespace {

namespace gjk = lanecull::gjk;

template <class T>
gjk::Vec3<T> vector(const glm::dvec3& v) {
    return {static_cast<T>(v.x), static_cast<T>(v.y), static_cast<T>(v.z)};
}

template <class T>
gjk::Matrix<T, 3> matrix(const glm::dmat3& m) {
    return {{vector<T>(m[0]), vector<T>(m[1]), vector<T>(m[2])}};
}

/// How near the bounds of a distance are to be: as our defaults have it, or within the millionth where FCL stops.
enum class Accuracy { own, millionth };

template <class T, Accuracy accuracy>
constexpr gjk::DistanceOptions<gjk::Vec3<T>> options() {
    gjk::DistanceOptions<gjk::Vec3<T>> chosen;
    if (accuracy == Accuracy::millionth) chosen.relative = T(1e-6);
    return chosen;
}

template <class T, Accuracy accuracy, class S>
class Engine final : public EngineOfPairs<Engine<T, accuracy, S>> {
public:
    template <class MakeShape>
    Engine(const PairWorkload& workload, MakeShape make_shape) {
        for (const auto& [a, b] : workload.pairs) pairs_.push_back({make_shape(a), make_shape(b)});
        for (const glm::dvec3& motion : workload.motions) motions_.push_back(vector<T>(motion));
    }

    [[nodiscard]] std::size_t count() const { return pairs_.size(); }
    bool intersect(std::size_t i) { return gjk::may_intersect(pairs_[i].a, pairs_[i].b); }
    double distance(std::size_t i) {
        return static_cast<double>(gjk::distance(pairs_[i].a, pairs_[i].b, options<T, accuracy>()).distance);
    }

    /// To a ten-thousandth of the motion, as the lanes have it.
    double sum_casts(std::span<double> times) final {
        double sum = 0;
        gjk::CastOptions<gjk::Vec3<T>> options;
        options.width = T(1e-4);
        for (std::size_t i = 0; i < pairs_.size(); ++i) {
            const auto found = gjk::cast(pairs_[i].a, motions_[i], pairs_[i].b, options);
            const double time = found.verdict == gjk::Verdict::separated ? 1 : static_cast<double>(found.earliest);
            sum += time;
            if (!times.empty()) times[i] = time;
        }
        return sum;
    }

private:
    struct Pair {
        S a, b;
    };
    std::vector<Pair> pairs_;
    std::vector<gjk::Vec3<T>> motions_;
};

template <class T, Accuracy accuracy, class MakeShape>
std::unique_ptr<PairEngine> engine(const PairWorkload& workload, MakeShape make_shape) {
    using S = decltype(make_shape(workload.pairs[0][0]));
    return std::make_unique<Engine<T, accuracy, S>>(workload, make_shape);
}

/// Hulls point into their vertices, which live here.
template <class T>
std::vector<std::vector<gjk::Vec3<T>>>& hull_vertices(const PairWorkload& workload) {
    static std::vector<std::vector<gjk::Vec3<T>>> hulls;
    if (!hulls.empty()) return hulls;
    for (const auto& vertices : workload.hulls) {
        std::vector<gjk::Vec3<T>>& hull = hulls.emplace_back();
        for (const glm::dvec3& v : vertices) hull.push_back(vector<T>(v));
    }
    return hulls;
}

template <class T, Accuracy accuracy = Accuracy::own>
std::unique_ptr<PairEngine> make(const PairWorkload& workload) {
    switch (workload.kind) {
        case PairKind::sphere:
            return engine<T, accuracy>(workload, [](const PairShape& s) {
                return gjk::Sphere<T>{vector<T>(s.center), static_cast<T>(s.half.x)};
            });
        case PairKind::box:
            return engine<T, accuracy>(workload, [](const PairShape& s) {
                return gjk::Box<T>{vector<T>(s.center), vector<T>(s.half)};
            });
        case PairKind::obb:
            return engine<T, accuracy>(workload, [](const PairShape& s) {
                return gjk::OrientedBox<T>{vector<T>(s.center), matrix<T>(s.axes), vector<T>(s.half)};
            });
        case PairKind::capsule:
            return engine<T, accuracy>(workload, [](const PairShape& s) {
                const glm::dvec3 arm = s.half.z * s.axes[2];
                return gjk::Capsule<T>{vector<T>(s.center - arm), vector<T>(s.center + arm), static_cast<T>(s.half.x)};
            });
        case PairKind::cylinder:
            return engine<T, accuracy>(workload, [](const PairShape& s) {
                const glm::dvec3 arm = s.half.z * s.axes[2];
                return gjk::Cylinder<T>{vector<T>(s.center - arm), vector<T>(s.center + arm), static_cast<T>(s.half.x)};
            });
        case PairKind::cone:
            return engine<T, accuracy>(workload, [](const PairShape& s) {
                const glm::dvec3 arm = s.half.z * s.axes[2];
                return gjk::Cone<T>{vector<T>(s.center - arm), vector<T>(s.center + arm), static_cast<T>(s.half.x)};
            });
        case PairKind::ellipsoid:
            return engine<T, accuracy>(workload, [](const PairShape& s) {
                return gjk::Ellipsoid<T>{vector<T>(s.center), matrix<T>(s.axes), vector<T>(s.half)};
            });
        default: {
            auto& hulls = hull_vertices<T>(workload);
            return engine<T, accuracy>(workload, [&](const PairShape& s) {
                return gjk::Placed<gjk::Hull<T>>{gjk::Hull<T>(hulls[s.hull]), {matrix<T>(s.axes), vector<T>(s.center)}};
            });
        }
    }
}

}  // namespace
}  // namespace bench
