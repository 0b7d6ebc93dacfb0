#include <lanecull/library.h>
#include <string>

#include "culling/benchmarks.hpp"
#include "culling/measure.hpp"
#include "workloads/bits.hpp"
#include "yardsticks/yardstick_exact_input.hpp"

namespace bench {
namespace {

/// Six planes, or the exact test.
template <class Loops>
struct LoopRun {
    Key key;
    Loops loops;
};

void volume_of(const Camera& camera, SixPlanes& planes) { planes = six_planes(camera); }
void volume_of(const Camera& camera, ExactVolume& volume) { volume = exact_volume(camera); }

/// Measures `loop(volume, shapes, bits)`.
template <class Volume, class Shapes>
void measure_loop(benchmark::State& state, double bytes_per_object, void (*loop)(const Volume&, Shapes, std::uint64_t*),
                  const Shapes& shapes) {
    Volume volume;
    volume_of(standard_camera(), volume);
    std::vector<std::uint64_t> bits((shapes.count + 63) / 64);
    const auto pass = [&] {
        loop(volume, shapes, bits.data());
        benchmark::ClobberMemory();
        return true;
    };
    measure(state, shapes.count, bytes_per_object, 1, pass, [&] { return count_bits(bits); });
}

template <class Loops>
void measure_loops(benchmark::State& state, const LoopRun<Loops>& run) {
    const Workload& objects = workload(run.key);
    const lanecull::Batch& batch = objects.batch();
    if (const auto* spheres = batch.get_if<lanecull::Spheres>())
        measure_loop(state, objects.bytes_per_object(), run.loops.spheres, *spheres);
    else if (const auto* boxes = batch.get_if<lanecull::Boxes>())
        measure_loop(state, objects.bytes_per_object(), run.loops.boxes, *boxes);
    else
        measure_loop(state, 60, run.loops.oriented_boxes,
                     OrientedBoxTable(*batch.get_if<lanecull::OrientedBoxes>()).streams());
}

template <class Loops>
void add(const char* yardstick, const Key& key, lanecull::Isa isa, const Loops& loops, const char* size) {
    const std::string full_name = std::string(yardstick) + '/' + name(key.shape) + '/' + name(key.placement) + '/' +
                                  lanecull::isa_name(isa) + size;
    benchmark::RegisterBenchmark(full_name.c_str(), measure_loops<Loops>, LoopRun<Loops>{key, loops})
        ->Unit(benchmark::kMicrosecond);
}

template <class Loops>
void add_all(const char* yardstick, lanecull::Isa isa, const Loops& loops) {
    for (const Shape shape : {Shape::sphere, Shape::box, Shape::obb}) {
        for (const Placement placement : {Placement::uniform, Placement::straddle}) {
            add(yardstick, {shape, placement}, isa, loops, "");
            add(yardstick, {shape, placement, 9'984}, isa, loops, "/10k");
        }
        add(yardstick, {shape, Placement::uniform, 1'536}, isa, loops, "/1k");
    }
    for (const auto& [count, suffix] : other_sizes)
        for (const Shape shape : {Shape::sphere, Shape::box})
            if (count >= 1'000'000) add(yardstick, {shape, Placement::uniform, count}, isa, loops, suffix);
}

void add_closed(lanecull::Isa isa, ExactLoops loops) {
    loops.spheres = loops.spheres_closed;
    for (const Placement placement : {Placement::uniform, Placement::straddle})
        add("closed", {Shape::sphere, placement}, isa, loops, "");
}

/// A chain of dependent additions, one a cycle: turns the other figures into cycles.
void measure_clock(benchmark::State& state) {
    constexpr int additions = 100'000;
    std::uint64_t chain = 0;
    const Stopwatch stopwatch(1);
    for (auto _ : state)
        for (int i = 0; i < additions; ++i) {
            // In a register: DoNotOptimize() lets compilers keep it in memory, where an addition takes one cycle or
            // four.
            asm volatile("add $1, %0" : "+r"(chain));
        }
    state.counters["GHz"] = 1e-9 * additions * static_cast<double>(state.iterations()) / stopwatch.seconds();
}

}  // namespace

void register_loop_benchmarks() {
    if (lanecull::isa_runnable(lanecull::Isa::avx2)) {
        add_all("planes", lanecull::Isa::avx2, plane_loops_avx2);
        add_all("exact", lanecull::Isa::avx2, exact_loops_avx2);
        add_closed(lanecull::Isa::avx2, exact_loops_avx2);
    }
    if (lanecull::isa_runnable(lanecull::Isa::avx512)) {
        add_all("planes", lanecull::Isa::avx512, plane_loops_avx512);
        add_all("exact", lanecull::Isa::avx512, exact_loops_avx512);
        add_closed(lanecull::Isa::avx512, exact_loops_avx512);
    }
    benchmark::RegisterBenchmark("clock", measure_clock);
}

}  // namespace bench
