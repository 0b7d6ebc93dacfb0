#include <lanecull/library.h>

#include <memory>
#include <string>

#include "culling/benchmarks.hpp"
#include "culling/measure.hpp"
#include "workloads/lamps.hpp"
#include "yardsticks/yardstick_lights.hpp"

/// Lights in cells of a view, beside an expert's loop of Persson's refinement of spheres. The times are a light's;
/// `entries` is how long all lists are together.
namespace bench {
namespace {

struct Scenery {
    const char* name;
    std::uint32_t nx, ny, nz, balls, spots;
};
constexpr Scenery sceneries[] = {
    {"256", 16, 9, 24, 256, 0}, {"1k", 16, 9, 24, 512, 512}, {"10k", 32, 18, 32, 5000, 5000}};

void measure_yardstick(benchmark::State& state, const Scenery& scenery, const ClusterLoop* loop) {
    const Camera camera = standard_camera();
    const ClusterGrid grid = cells_of(camera, scenery.nx, scenery.ny, scenery.nz);
    const ClusterLights lights = lamps_of(camera, scenery.balls, scenery.spots);
    const std::unique_ptr<void, void (*)(void*)> prepared(loop->prepare(grid, lights), loop->destroy);
    ClusterLists lists;
    const auto pass = [&] {
        loop->run(prepared.get(), grid, lights, lists);
        benchmark::ClobberMemory();
        return true;
    };
    measure(state, lights.count(), 16, 1, pass, [&] { return lights.count(); });
    state.counters["entries"] = static_cast<double>(lists.offsets.back());
}

void add_yardstick(lanecull::Isa isa, const Scenery& scenery, const ClusterLoop& loop) {
    if (!lanecull::isa_runnable(isa)) return;
    const std::string name = std::string("lights/yardstick/") + scenery.name + "/" + lanecull::isa_name(isa);
    benchmark::RegisterBenchmark(name.c_str(), measure_yardstick, scenery, &loop);
}

}  // namespace

void register_light_benchmarks() {
    for (const Scenery& scenery : sceneries) {
        add_yardstick(lanecull::Isa::avx2, scenery, cluster_loop_avx2);
        add_yardstick(lanecull::Isa::avx512, scenery, cluster_loop_avx512);
    }
}

}  // namespace bench
