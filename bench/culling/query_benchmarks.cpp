#include <string>

#include "culling/benchmarks.hpp"
#include "culling/measure.hpp"
#include "peers/frustum_queries.hpp"
#include "peers/frustum_tests.hpp"
#include "workloads/bits.hpp"

namespace bench {
namespace {

constexpr Size query_size = other_sizes[1];

void measure_queries(benchmark::State& state, const PairEngineEntry& library, Shape shape) {
    const PairWorkload& queries = frustum_queries(shape, query_size.count);
    const auto engine = library.make(queries);
    std::size_t kept = 0;
    const auto pass = [&] {
        kept = engine->count_intersecting({});
        benchmark::DoNotOptimize(kept);
        return true;
    };
    measure(state, static_cast<std::uint32_t>(queries.pairs.size()), 0, 1, pass, [&] { return kept; });
}

void measure_frustum_test(benchmark::State& state, const FrustumTestEntry& entry, const Key& key) {
    const Workload& objects = workload(key);
    const auto test = entry.make(standard_camera(), objects.batch());
    std::vector<std::uint64_t> bits((objects.count() + 63) / 64);
    const auto pass = [&] {
        test->run(bits);
        benchmark::ClobberMemory();
        return true;
    };
    measure(state, objects.count(), 0, 1, pass, [&] { return count_bits(bits); });
}

}  // namespace

void register_query_benchmarks() {
    for (const PairEngineEntry& library : query_engines()) {
        for (const Shape shape : query_shapes) {
            if (!library.has_hulls && shape == Shape::hull32) continue;  // before any workload is built
            const std::string full_name = std::string("query/") + name(shape) + '/' + library.name + query_size.suffix;
            benchmark::RegisterBenchmark(full_name.c_str(), [&library, shape](benchmark::State& state) {
                measure_queries(state, library, shape);
            })->Unit(benchmark::kMicrosecond);
        }
    }
    for (const FrustumTestEntry& test : frustum_tests()) {
        for (const Shape shape : frustum_test_shapes) {
            for (const Placement placement : {Placement::uniform, Placement::straddle}) {
                const std::string full_name =
                    std::string("frustum/") + name(shape) + '/' + name(placement) + '/' + test.name;
                const Key key{shape, placement};
                benchmark::RegisterBenchmark(full_name.c_str(), [&test, key](benchmark::State& state) {
                    measure_frustum_test(state, test, key);
                })->Unit(benchmark::kMicrosecond);
            }
        }
    }
}

}  // namespace bench
