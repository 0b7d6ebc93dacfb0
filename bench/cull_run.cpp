#include "cull_run.hpp"

#include <lanecull/tbb.hpp>
#include <map>

#include "camera.hpp"
#include "measure.hpp"

namespace bench {
namespace {

/// One a thread count, kept: starting threads is not what is measured.
lanecull::Runner runner(int threads) {
    if (threads == 1) return lanecull::serial_runner();
    static std::map<int, lanecull::TbbRunner> runners;
    return runners.try_emplace(threads, threads).first->second.runner();
}

}  // namespace

void measure_cull(benchmark::State& state, const CullRun& run) {
    const Workload& objects = workload(run.key);
    const lanecull::View view = prepare(standard_camera());
    lanecull::Batch batch = objects.batch();
    batch.attributes = run.attributes;
    const std::span<const lanecull::Batch> batches(&batch, 1);
    std::vector<std::uint64_t> bits(lanecull::visibility_words(batches));
    std::vector<std::uint32_t> indices(run.list ? objects.count() : 0);
    std::vector<std::byte> scratch(lanecull::scratch_bytes(batches, 1));
    lanecull::ViewOutput output;
    output.visible = bits;
    output.indices = indices;
    const lanecull::Runner threads = runner(run.threads);

    const auto pass = [&] {
        const lanecull::Status status =
            lanecull::cull(batches, {&view, 1}, {&output, 1}, scratch, {.method = run.method, .isa = run.isa}, threads);
        if (!status) state.SkipWithError(status.message());
        return status.ok();
    };
    measure(state, objects.count(), objects.bytes_per_object(), run.threads, pass,
            [&] { return output.visible_count; });
}

}  // namespace bench
