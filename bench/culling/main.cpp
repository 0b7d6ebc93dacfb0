#include <benchmark/benchmark.h>

#include <cstdio>
#include <exception>

#include "culling/benchmarks.hpp"

int main(int argc, char** argv) try {
    bench::register_attribute_benchmarks();
    bench::register_call_benchmarks();
    bench::register_cull_benchmarks();
    bench::register_gjk_benchmarks();
    bench::register_occluder_benchmarks();
    bench::register_output_benchmarks();
    bench::register_pack_benchmarks();
    bench::register_pair_benchmarks();
    bench::register_contact_benchmarks();
    bench::register_query_benchmarks();
    bench::register_read_benchmarks();
    bench::register_server_benchmarks();
    bench::register_step_benchmarks();
    bench::register_thread_benchmarks();
    bench::register_light_benchmarks();
    bench::register_loop_benchmarks();
    bench::register_view_benchmarks();
    bench::register_solid_benchmarks();
    bench::register_world_benchmarks();
    bench::register_frame_benchmarks();
    bench::register_place_benchmarks();
    benchmark::AddCustomContext("compiler", LANECULL_COMPILER);
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
    benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
    return 0;
} catch (const std::exception& error) {
    std::fprintf(stderr, "lanecull_bench: %s\n", error.what());
    return 1;
}
