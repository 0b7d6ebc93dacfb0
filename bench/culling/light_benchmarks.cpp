#include <lanecull/light_grid.h>
#include <lanecull/tbb.hpp>

#include <bit>
#include <memory>
#include <string>
#include <vector>

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

/// The same grid and lights, as the library takes them.
struct LightCall {
    LightCall(const Scenery& scenery, lanecull::Isa isa, const lanecull::Runner& runner)
        : matrix(matrix_of(standard_camera())),
          lamps(lamps_of(standard_camera(), scenery.balls, scenery.spots)),
          options{.isa = isa, .runner = runner} {
        const ClusterGrid cells = cells_of(standard_camera(), scenery.nx, scenery.ny, scenery.nz);
        boundaries.assign(cells.depths.begin(), cells.depths.end());
        grid = {.clip_from_world = matrix.clip_from_world.data(),
                .clip_space = matrix.clip_space,
                .tiles_x = scenery.nx,
                .tiles_y = scenery.ny,
                .boundaries = boundaries};
        const std::uint32_t b = lamps.balls;
        lights.balls = {lamps.x.data(), lamps.y.data(), lamps.z.data(), lamps.range.data(), b};
        lights.spots = {.x = lamps.x.data() + b,
                        .y = lamps.y.data() + b,
                        .z = lamps.z.data() + b,
                        .range = lamps.range.data() + b,
                        .axis_x = lamps.axis_x.data(),
                        .axis_y = lamps.axis_y.data(),
                        .axis_z = lamps.axis_z.data(),
                        .tangent = lamps.tangent.data(),
                        .count = lamps.spots()};
        offsets.resize(std::size_t{scenery.nx} * scenery.ny * scenery.nz + 1);
        indices.resize(200 * std::size_t{lamps.count()});
        scratch.resize(lanecull::light_scratch_bytes(scenery.nx, scenery.ny, scenery.nz, lamps.count()));
        lists.offsets = offsets, lists.indices = indices;
    }
    LightCall(const LightCall&) = delete;

    [[nodiscard]] lanecull::Status run() { return lanecull::assign_lights(grid, lights, lists, scratch, options); }

    Matrix matrix;
    ClusterLights lamps;
    std::vector<double> boundaries;
    lanecull::LightGrid grid;
    lanecull::Lights lights;
    lanecull::LightLists lists;
    lanecull::LightOptions options;
    std::vector<std::uint32_t> offsets, indices;
    std::vector<std::byte> scratch;
};

/// Which of the lights light something in a box half as deep and as wide as they lie.
void measure_visible(benchmark::State& state, const Scenery& scenery, lanecull::Isa isa) {
    LightCall call(scenery, isa, {});
    const Camera camera = standard_camera();
    const glm::dvec3 middle = camera.eye + 60.0 * camera.forward();
    const lanecull::WorldBox box{{middle.x - 60, middle.y - 60, middle.z - 60},
                                 {middle.x + 60, middle.y + 60, middle.z + 60}};
    std::vector<std::uint64_t> visible((call.lamps.count() + 63) / 64);
    const auto pass = [&] {
        const lanecull::Status status =
            lanecull::cull_lights(call.grid, call.lights, {&box}, visible, call.scratch, call.options);
        if (!status) state.SkipWithError(status.message());
        benchmark::ClobberMemory();
        return status.ok();
    };
    measure(state, call.lamps.count(), 16, 1, pass, [&] { return call.lamps.count(); });
    std::uint64_t kept = 0;
    for (const std::uint64_t word : visible) kept += static_cast<std::uint64_t>(std::popcount(word));
    state.counters["visible"] = static_cast<double>(kept);
}

void measure_library(benchmark::State& state, const Scenery& scenery, lanecull::Isa isa, int threads) {
    lanecull::TbbRunner tbb(threads);
    LightCall call(scenery, isa, threads == 1 ? lanecull::Runner() : tbb.runner());
    const auto pass = [&] {
        const lanecull::Status status = call.run();
        if (!status) state.SkipWithError(status.message());
        benchmark::ClobberMemory();
        return status.ok();
    };
    measure(state, call.lamps.count(), 16, threads, pass, [&] { return call.lamps.count(); });
    state.counters["entries"] = static_cast<double>(call.lists.entry_count);
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
        for (const lanecull::Isa isa : lanecull::all_isas) {
            if (!lanecull::isa_runnable(isa)) continue;
            const std::string cull_name = std::string("lights/cull/") + scenery.name + "/" + lanecull::isa_name(isa);
            benchmark::RegisterBenchmark(cull_name.c_str(), measure_visible, scenery, isa);
            for (const int threads : {1, 2}) {
                const std::string name = std::string("lights/assign/") + scenery.name + "/" + lanecull::isa_name(isa) +
                                         (threads == 1 ? "" : "/threads:2");
                benchmark::RegisterBenchmark(name.c_str(), measure_library, scenery, isa, threads);
            }
        }
    }
}

}  // namespace bench
