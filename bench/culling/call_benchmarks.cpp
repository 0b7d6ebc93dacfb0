#include <benchmark/benchmark.h>

#include <lanecull/lanecull.h>
#include <array>
#include <lanecull/cull.hpp>
#include <lanecull/zones.hpp>
#include <string>
#include <vector>

#include "culling/benchmarks.hpp"

/// What a call costs besides its objects: one ball in 1, 8 or 64 views, from C++, from C, and from C++ by a ZonedRunner
/// whose callbacks do nothing. The differences are those of the C interface and of zones.

namespace bench {
namespace {

constexpr float at[] = {0}, radius[] = {1};
constexpr std::array<double, 3> center = {0, 0, 0};

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

void call_c(benchmark::State& state, std::uint32_t views) {
    const lanecull_spheres balls = {sizeof balls, at, at, at, radius, 1};
    lanecull_batch batch = {};
    batch.size = sizeof batch;
    batch.spheres = &balls;
    lanecull_batches* batches = nullptr;
    lanecull_views* all = nullptr;
    lanecull_message message = {};
    bool fine = lanecull_create_batches(1, &batches, &message) == LANECULL_OK &&
                lanecull_create_views(views, &all, &message) == LANECULL_OK &&
                lanecull_set_batch(batches, 0, &batch, &message) == LANECULL_OK;
    for (std::uint32_t v = 0; v < views && fine; ++v) {
        fine = lanecull_prepare_view_from_ball(all, v, center.data(), 1, nullptr, &message) == LANECULL_OK;
    }
    std::vector<std::uint64_t> words(views);
    std::vector<lanecull_view_output> outputs(views);
    for (std::size_t v = 0; v < views; ++v) {
        outputs[v] = {};
        outputs[v].size = sizeof outputs[v];
        outputs[v].visible = &words[v];
        outputs[v].visible_words = 1;
    }
    std::vector<std::byte> scratch(lanecull_scratch_bytes(batches, views));
    for (auto _ : state) {
        if (!fine) break;
        fine = lanecull_cull(batches, all, 0, views, outputs.data(), scratch.data(), scratch.size(), nullptr, nullptr,
                             &message) == LANECULL_OK;
    }
    if (!fine) state.SkipWithError(message.text);
    lanecull_destroy_views(all);
    lanecull_destroy_batches(batches);
}

}  // namespace

void register_call_benchmarks() {
    for (const std::uint32_t views : {1U, 8U, 64U}) {
        const std::string count = std::to_string(views);
        benchmark::RegisterBenchmark(("calls/cpp/" + count).c_str(),
                                     [views](benchmark::State& state) { call_cpp(state, views, {}); });
        benchmark::RegisterBenchmark(("calls/zoned/" + count).c_str(),
                                     [views](benchmark::State& state) { call_zoned(state, views); });
        benchmark::RegisterBenchmark(("calls/c/" + count).c_str(),
                                     [views](benchmark::State& state) { call_c(state, views); });
    }
}

}  // namespace bench
