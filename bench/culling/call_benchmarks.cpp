#include <benchmark/benchmark.h>

#include <lanecull/cull.h>
#include <lanecull/library.h>
#include <string>
#include <vector>

#include "culling/benchmarks.hpp"

/// What a call costs besides its objects: one ball in 1, 8 or 64 views, and the same by a ZonedRunner whose callbacks
/// do nothing.

namespace bench {
namespace {

constexpr float at[] = {0}, radius[] = {1};
constexpr double center[3] = {0, 0, 0};

void call_cpp(benchmark::State& state, std::size_t views, const lanecull::Runner& runner) {
    const lanecull::Batch batch = lanecull::Spheres{at, at, at, radius, 1};
    lanecull::View view;
    static_cast<void>(lanecull::prepare_view_from_ball(center, 1, view));
    const std::vector<lanecull::View> all(views, view);
    std::vector<std::uint64_t> words(views);
    std::vector<lanecull::Output> outputs(views);
    for (std::size_t v = 0; v < views; ++v) outputs[v].visible = {&words[v], 1};
    std::vector<std::byte> scratch(lanecull::scratch_bytes({&batch, 1}, views));
    for (auto _ : state) {
        const lanecull::Status status = lanecull::cull({&batch, 1}, all, outputs, scratch, {.runner = runner});
        if (!status) return state.SkipWithError(status.message());
    }
}

void call_zoned(benchmark::State& state, std::size_t views) {
    const auto nothing = [](void*, const lanecull::Zone& zone) { benchmark::DoNotOptimize(zone.index); };
    lanecull::ZonedRunner zoned({nullptr, nothing, nothing});
    call_cpp(state, views, zoned);
}

}  // namespace

void register_call_benchmarks() {
    for (const std::uint32_t views : {1U, 8U, 64U}) {
        const std::string count = std::to_string(views);
        benchmark::RegisterBenchmark(("calls/cpp/" + count).c_str(),
                                     [views](benchmark::State& state) { call_cpp(state, views, {}); });
        benchmark::RegisterBenchmark(("calls/zoned/" + count).c_str(),
                                     [views](benchmark::State& state) { call_zoned(state, views); });
    }
}

}  // namespace bench
