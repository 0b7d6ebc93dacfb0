#include <string>

#include "culling/benchmarks.hpp"
#include "culling/cull_run.hpp"
#include "culling/measure.hpp"
#include "workloads/bits.hpp"
#include "workloads/camera.hpp"
#include "yardsticks/textbook_input.hpp"

namespace bench {
namespace {

void measure_textbook(benchmark::State& state, const Key& key) {
    const Workload& objects = workload(key);
    const textbook::Frustum frustum = textbook_frustum(standard_camera());
    std::vector<std::uint64_t> bits((objects.count() + 63) / 64);
    const auto pass = [&] {
        textbook_overlaps(objects.batch(), frustum, bits);
        return true;
    };
    measure(state, objects.count(), objects.bytes_per_object(), 1, pass, [&] { return count_bits(bits); });
}

void add_all(const std::string& prefix, const Key& key, const std::string& suffix) {
    for (const lanecull::Isa isa : lanecull::all_isas) {
        if (!lanecull::isa_runnable(isa)) continue;
        const CullRun run{.key = key, .method = gjk_alone, .isa = isa};
        benchmark::RegisterBenchmark((prefix + lanecull::isa_name(isa) + suffix).c_str(), measure_cull, run)
            ->Unit(benchmark::kMicrosecond);
    }
    if (lanecull::isa_runnable(lanecull::Isa::avx2))  // the set that textbook_gjk.cpp is compiled for
        benchmark::RegisterBenchmark((prefix + "textbook" + suffix).c_str(), measure_textbook, key)
            ->Unit(benchmark::kMicrosecond);
}

}  // namespace

void register_gjk_benchmarks() {
    for (const Shape shape : all_shapes) {
        const std::string prefix = std::string("gjk/") + name(shape) + '/';
        add_all(prefix, {shape, Placement::straddle}, "");
        add_all(prefix, {shape, Placement::straddle, 9'984}, "/10k");
        add_all(prefix, {shape, Placement::undecided}, "/undecided");
    }
}

}  // namespace bench
