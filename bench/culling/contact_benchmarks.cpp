#include <string>
#include <vector>

#include <lanecull/gjk/contacts.hpp>
#include <lanecull/gjk/turning_cast.hpp>

#include "culling/benchmarks.hpp"
#include "culling/measure.hpp"
#include "peers/pairs.hpp"

/// What contact solvers call of gjk.hpp, on the pairs of oriented boxes, half of which intersect: signed distances,
/// contacts, and casts that turn by two radians about each box's first axis.
namespace bench {
namespace {

namespace gjk = lanecull::gjk;
using V = gjk::Vec3<double>;
using Box = gjk::OrientedBox<double>;

V vector(const glm::dvec3& v) { return {v.x, v.y, v.z}; }

struct Boxes {
    struct Pair {
        Box a, b;
        gjk::Motion<V> motion;
    };
    std::vector<Pair> pairs;

    explicit Boxes(const PairWorkload& workload) {
        const auto box = [](const PairShape& s) {
            return Box{vector(s.center), {{vector(s.axes[0]), vector(s.axes[1]), vector(s.axes[2])}}, vector(s.half)};
        };
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

}  // namespace

void register_contact_benchmarks() {
    add("signed", [](const Boxes::Pair& pair) { return gjk::signed_distance(pair.a, pair.b).distance < 0; });
    add("contacts", [](const Boxes::Pair& pair) { return gjk::contacts(pair.a, pair.b).count > 0; });
    add("turning", [](const Boxes::Pair& pair) {
        return gjk::cast_turning(pair.a, pair.motion, pair.b).verdict == gjk::Verdict::intersecting;
    });
}

}  // namespace bench
