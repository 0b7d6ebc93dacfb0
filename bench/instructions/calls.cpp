/// The same call of cull() again and again, for bench/instructions/count: calls SHAPE PLACEMENT ISA CALLS
/// 9,984 objects, bits alone, by the standard camera; names as in the benchmarks' rows.

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <lanecull/cull.h>

#include "workloads/camera.hpp"
#include "workloads/workload.hpp"

int main(int argc, char** argv) {
    lanecull::Isa isa = lanecull::Isa::automatic;
    if (argc != 5 || !lanecull::isa_from_name(argv[3], isa)) return 2;
    for (const bench::Shape shape : bench::all_shapes) {
        if (std::strcmp(bench::name(shape), argv[1]) != 0) continue;
        for (const auto placement : {bench::Placement::uniform, bench::Placement::straddle}) {
            if (std::strcmp(bench::name(placement), argv[2]) != 0) continue;
            const lanecull::Batch& batch =
                bench::workload({.shape = shape, .placement = placement, .count = 9'984}).batch();
            const lanecull::View view = bench::prepare(bench::standard_camera());
            std::vector<std::uint64_t> visible(batch.count() / 64);
            std::vector<std::byte> scratch(lanecull::scratch_bytes({&batch, 1}, 1));
            lanecull::Output output{.visible = visible};
            for (long calls = std::strtol(argv[4], nullptr, 10); calls > 0; --calls) {
                if (!lanecull::cull({&batch, 1}, {&view, 1}, {&output, 1}, scratch, {.isa = isa})) return 1;
            }
            std::printf("%llu visible\n", static_cast<unsigned long long>(output.visible_count));
            return 0;
        }
    }
    return 2;
}
