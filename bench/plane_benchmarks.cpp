#include <lanecull/isa.hpp>
#include <string>

#include "benchmarks.hpp"
#include "bits.hpp"
#include "measure.hpp"
#include "yardstick_planes_input.hpp"

namespace bench {
namespace {

struct PlaneRun {
    Key key;
    const PlaneLoops& loops;
};

/// Measures `loop(planes, shapes, bits)`.
template <class Loop, class Shapes>
void measure_loop(benchmark::State& state, double bytes_per_object, Loop loop, const Shapes& shapes) {
    const SixPlanes planes = six_planes(standard_camera());
    std::vector<std::uint64_t> bits((shapes.count + 63) / 64);
    const auto pass = [&] {
        loop(planes, shapes, bits.data());
        benchmark::ClobberMemory();
        return true;
    };
    measure(state, shapes.count, bytes_per_object, 1, pass, [&] { return count_bits(bits); });
}

void measure_planes(benchmark::State& state, const PlaneRun& run) {
    const Workload& objects = workload(run.key);
    const auto& shapes = objects.batch().shapes;
    if (const auto* spheres = std::get_if<lanecull::Spheres>(&shapes))
        measure_loop(state, objects.bytes_per_object(), run.loops.spheres, *spheres);
    else if (const auto* boxes = std::get_if<lanecull::Boxes>(&shapes))
        measure_loop(state, objects.bytes_per_object(), run.loops.boxes, *boxes);
    else
        measure_loop(state, 60, run.loops.oriented_boxes,
                     OrientedBoxTable(std::get<lanecull::OrientedBoxes>(shapes)).streams());
}

void add(const Key& key, lanecull::Isa isa, const PlaneLoops& loops, const char* size) {
    const std::string full_name =
        std::string("planes/") + name(key.shape) + '/' + name(key.placement) + '/' + lanecull::isa_name(isa) + size;
    benchmark::RegisterBenchmark(full_name.c_str(), measure_planes, PlaneRun{key, loops})
        ->Unit(benchmark::kMicrosecond);
}

/// A chain of dependent additions, one a cycle: turns the other figures into cycles.
void measure_clock(benchmark::State& state) {
    constexpr int additions = 100'000;
    std::uint64_t chain = 0;
    const Stopwatch stopwatch(1);
    for (auto _ : state)
        for (int i = 0; i < additions; ++i) {
            ++chain;
            benchmark::DoNotOptimize(chain);
        }
    state.counters["GHz"] = 1e-9 * additions * static_cast<double>(state.iterations()) / stopwatch.seconds();
}

}  // namespace

void register_plane_benchmarks() {
    constexpr std::pair<lanecull::Isa, const PlaneLoops*> sets[] = {{lanecull::Isa::avx2, &plane_loops_avx2},
                                                                    {lanecull::Isa::avx512, &plane_loops_avx512}};
    for (const auto& [isa, loops] : sets) {
        if (!lanecull::isa_runnable(isa)) continue;
        for (const Shape shape : {Shape::sphere, Shape::box, Shape::obb}) {
            for (const Placement placement : {Placement::uniform, Placement::straddle})
                add({shape, placement}, isa, *loops, "");
            add({shape, Placement::uniform, 1'536}, isa, *loops, "/1k");
            add({shape, Placement::uniform, 9'984}, isa, *loops, "/10k");
        }
        for (const Shape shape : {Shape::sphere, Shape::box})
            add({shape, Placement::uniform, 10'000'000}, isa, *loops, "/10M");
    }
    benchmark::RegisterBenchmark("clock", measure_clock);
}

}  // namespace bench
