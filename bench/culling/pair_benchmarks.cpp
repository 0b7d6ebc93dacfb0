#include <string>

#include "culling/benchmarks.hpp"
#include "culling/measure.hpp"
#include "peers/pairs.hpp"

namespace bench {
namespace {

template <class Pass>
void measure_pairs(benchmark::State& state, const PairEngineEntry& entry, PairKind kind, Pass pass) {
    const PairWorkload& workload = pair_workload(kind);
    const auto engine = entry.make(workload);
    const std::size_t intersecting = engine->count_intersecting({});
    measure(
        state, static_cast<std::uint32_t>(workload.pairs.size()), 0, 1,
        [&] {
            auto result = pass(*engine);
            benchmark::DoNotOptimize(result);
            return true;
        },
        [&] { return intersecting; });
}

}  // namespace

void register_pair_benchmarks() {
    for (const PairKind kind : all_pair_kinds) {
        for (const PairEngineEntry& entry : pair_engines()) {
            if (!entry.has(kind)) continue;
            const std::string prefix = std::string("pair/") + name(kind) + '/';
            const auto add = [&](const char* what, auto pass) {
                benchmark::RegisterBenchmark((prefix + what + '/' + entry.name).c_str(), [&entry, kind, pass](
                                                                                             benchmark::State& state) {
                    measure_pairs(state, entry, kind, pass);
                })->Unit(benchmark::kMicrosecond);
            };
            if (entry.has_boolean) add("boolean", [](PairEngine& engine) { return engine.count_intersecting({}); });
            if (entry.has_cast) add("cast", [](PairEngine& engine) { return engine.sum_casts({}); });
            if (entry.has_distance) add("distance", [](PairEngine& engine) { return engine.sum_distances({}); });
        }
    }
}

}  // namespace bench
