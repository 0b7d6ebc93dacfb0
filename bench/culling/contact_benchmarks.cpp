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

/// What contact solvers call of gjk.hpp, on pairs of three kinds, half of which intersect: depths, signed distances,
/// contacts, and casts that turn by two radians about the first shape's first axis.
namespace bench {
namespace {

namespace gjk = lanecull::gjk;
using V = gjk::Vec3<double>;
V vector(const glm::dvec3& v) { return {v.x, v.y, v.z}; }
gjk::Matrix<double, 3> matrix(const glm::dmat3& m) { return {{vector(m[0]), vector(m[1]), vector(m[2])}}; }

/// query(a, b, motion), true if the two meet, of a workload's pairs, one after the other, whose shapes make(workload,
/// shape) has made before.
template <class Make, class Query>
void add_each(PairKind kind, const char* what, const Make& make, const Query& query) {
    benchmark::RegisterBenchmark(
        (std::string("pair/") + name(kind) + '/' + what + "/lanecull").c_str(),
        [kind, make, query](benchmark::State& state) {
            using Shape = decltype(make(std::declval<const PairWorkload&>(), std::declval<const PairShape&>()));
            const PairWorkload& workload = pair_workload(kind);
            std::vector<std::pair<Shape, Shape>> pairs;
            std::vector<gjk::Motion<V>> motions;
            for (const auto& [a, b] : workload.pairs) {
                motions.push_back({vector(workload.motions[pairs.size()]), 2.0 * vector(a.axes[0]), vector(a.center)});
                pairs.emplace_back(make(workload, a), make(workload, b));
            }
            std::size_t met = 0;
            measure(
                state, static_cast<std::uint32_t>(pairs.size()), 0, 1,
                [&] {
                    met = 0;
                    for (std::size_t i = 0; i < pairs.size(); ++i) {
                        met += query(pairs[i].first, pairs[i].second, motions[i]) ? 1 : 0;
                    }
                    return true;
                },
                [&] { return met; });
        })
        ->Unit(benchmark::kMicrosecond);
}

template <class Make>
void add_kind(PairKind kind, const Make& make) {
    add_each(kind, "depth", make, [](const auto& a, const auto& b, const gjk::Motion<V>&) {
        const auto found = gjk::penetration(a, b);
        benchmark::DoNotOptimize(found.depth);
        return found.verdict == gjk::Verdict::intersecting;
    });
    add_each(kind, "signed", make, [](const auto& a, const auto& b, const gjk::Motion<V>&) {
        return gjk::signed_distance(a, b).distance < 0;
    });
    add_each(kind, "contacts", make,
             [](const auto& a, const auto& b, const gjk::Motion<V>&) { return gjk::contacts(a, b).count > 0; });
    add_each(kind, "turning", make, [](const auto& a, const auto& b, const gjk::Motion<V>& motion) {
        const gjk::CastOptions<V> options{.width = 1e-4, .max_queries = 256};  // as lanes have it
        return gjk::cast_turning(a, motion, b, options).verdict == gjk::Verdict::intersecting;
    });
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
    add_kind(PairKind::obb, [](const PairWorkload&, const PairShape& s) {
        return gjk::OrientedBox<double>{vector(s.center), matrix(s.axes), vector(s.half)};
    });
    add_kind(PairKind::capsule, [](const PairWorkload&, const PairShape& s) {
        const glm::dvec3 arm = s.half.z * s.axes[2];
        return gjk::Capsule<double>{vector(s.center - arm), vector(s.center + arm), s.half.x};
    });
    add_kind(PairKind::hull32, [](const PairWorkload& workload, const PairShape& s) {
        return gjk::Placed<gjk::Hull<double>>{gjk::Hull<double>(vertices_of(workload, s.hull)),
                                              {matrix(s.axes), vector(s.center)}};
    });
}

}  // namespace bench
