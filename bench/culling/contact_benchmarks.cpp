#include <map>
#include <string>
#include <utility>
#include <vector>

#include <lanecull/gjk/contacts.hpp>
#include <lanecull/gjk/hull.hpp>
#include <lanecull/gjk/turning_cast.hpp>

#include "culling/benchmarks.hpp"
#include "culling/measure.hpp"
#include "peers/pairs.hpp"

/// What contact solvers call of gjk.hpp, on the pairs of oriented boxes, half of which intersect: signed distances,
/// contacts, and casts that turn by two radians about each box's first axis. Depths also of other kinds.
namespace bench {
namespace {

namespace gjk = lanecull::gjk;
using V = gjk::Vec3<double>;
using Box = gjk::OrientedBox<double>;

V vector(const glm::dvec3& v) { return {v.x, v.y, v.z}; }
gjk::Matrix<double, 3> matrix(const glm::dmat3& m) { return {{vector(m[0]), vector(m[1]), vector(m[2])}}; }

struct Boxes {
    struct Pair {
        Box a, b;
        gjk::Motion<V> motion;
    };
    std::vector<Pair> pairs;

    explicit Boxes(const PairWorkload& workload) {
        const auto box = [](const PairShape& s) { return Box{vector(s.center), matrix(s.axes), vector(s.half)}; };
        for (std::size_t i = 0; i < workload.pairs.size(); ++i) {
            const auto& [a, b] = workload.pairs[i];
            pairs.push_back({box(a), box(b), {vector(workload.motions[i]), 2.0 * vector(a.axes[0]), vector(a.center)}});
        }
    }
};

template <class Query>
void add(const char* name, Query query) {
    benchmark::RegisterBenchmark((std::string("pair/obb/") + name + "/lanecull").c_str(), [query](
                                                                                              benchmark::State& state) {
        const Boxes boxes(pair_workload(PairKind::obb));
        std::size_t met = 0;
        measure(
            state, static_cast<std::uint32_t>(boxes.pairs.size()), 0, 1,
            [&] {
                met = 0;
                for (const Boxes::Pair& pair : boxes.pairs) met += query(pair) ? 1 : 0;
                return true;
            },
            [&] { return met; });
    })->Unit(benchmark::kMicrosecond);
}

/// Depths of a workload's pairs, one after the other, whose shapes make(shape) has made before.
template <class Make>
void add_depths(PairKind kind, const Make& make) {
    benchmark::RegisterBenchmark(
        (std::string("pair/") + name(kind) + "/depth/lanecull").c_str(),
        [kind, make](benchmark::State& state) {
            using Shape = decltype(make(std::declval<const PairWorkload&>(), std::declval<const PairShape&>()));
            const PairWorkload& workload = pair_workload(kind);
            std::vector<std::pair<Shape, Shape>> pairs;
            for (const auto& [a, b] : workload.pairs) pairs.emplace_back(make(workload, a), make(workload, b));
            std::size_t met = 0;
            measure(
                state, static_cast<std::uint32_t>(pairs.size()), 0, 1,
                [&] {
                    met = 0;
                    for (const auto& [a, b] : pairs) {
                        const auto found = gjk::penetration(a, b);
                        benchmark::DoNotOptimize(found.depth);
                        met += found.verdict == gjk::Verdict::intersecting ? 1 : 0;
                    }
                    return true;
                },
                [&] { return met; });
        })
        ->Unit(benchmark::kMicrosecond);
}

/// A hull's vertices, which hulls point into.
const std::vector<V>& vertices_of(const PairWorkload& workload, std::uint32_t hull) {
    static std::map<std::uint32_t, std::vector<V>> all;
    std::vector<V>& vertices = all[hull];
    if (vertices.empty()) {
        for (const glm::dvec3& v : workload.hulls[hull]) vertices.push_back(vector(v));
    }
    return vertices;
}

}  // namespace

void register_contact_benchmarks() {
    add_depths(PairKind::obb, [](const PairWorkload&, const PairShape& s) {
        return Box{vector(s.center), matrix(s.axes), vector(s.half)};
    });
    add_depths(PairKind::capsule, [](const PairWorkload&, const PairShape& s) {
        const glm::dvec3 arm = s.half.z * s.axes[2];
        return gjk::Capsule<double>{vector(s.center - arm), vector(s.center + arm), s.half.x};
    });
    add_depths(PairKind::hull32, [](const PairWorkload& workload, const PairShape& s) {
        return gjk::Placed<gjk::Hull<double>>{gjk::Hull<double>(vertices_of(workload, s.hull)),
                                              {matrix(s.axes), vector(s.center)}};
    });
    add("signed", [](const Boxes::Pair& pair) { return gjk::signed_distance(pair.a, pair.b).distance < 0; });
    add("contacts", [](const Boxes::Pair& pair) { return gjk::contacts(pair.a, pair.b).count > 0; });
    add("turning", [](const Boxes::Pair& pair) {
        return gjk::cast_turning(pair.a, pair.motion, pair.b).verdict == gjk::Verdict::intersecting;
    });
}

}  // namespace bench
