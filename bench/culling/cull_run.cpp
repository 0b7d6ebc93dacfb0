#include "culling/cull_run.hpp"

#include <lanecull/tbb.hpp>
#include <map>

#include "culling/measure.hpp"
#include "workloads/camera.hpp"

namespace bench {
namespace {

/// One a thread count, kept: starting threads is not what is measured.
lanecull::Runner runner(int threads) {
    if (threads == 1) return {};
    static std::map<int, lanecull::TbbRunner> runners;
    return runners.try_emplace(threads, threads).first->second.runner();
}

}  // namespace

CullPass::CullPass(const Workload& objects, const CullRun& run)
    : view_(prepare(standard_camera())),
      batch_(objects.batch()),
      options_{.method = run.method, .isa = run.isa, .runner = runner(run.threads)},
      indices_(run.list ? objects.count() : 0) {
    batch_.attributes = run.attributes;
    bits_.resize(lanecull::visibility_words({&batch_, 1}));
    scratch_.resize(lanecull::scratch_bytes({&batch_, 1}, 1));
    output_.visible = bits_;
    output_.indices = indices_;
}

lanecull::Status CullPass::operator()() {
    return lanecull::cull({&batch_, 1}, {&view_, 1}, {&output_, 1}, scratch_, options_);
}

void measure_cull(benchmark::State& state, const CullRun& run) {
    const Workload& objects = workload(run.key);
    CullPass cull(objects, run);
    const auto pass = [&] {
        const lanecull::Status status = cull();
        if (!status) state.SkipWithError(status.message());
        return status.ok();
    };
    measure(state, objects.count(), objects.bytes_per_object(), run.threads, pass, [&] { return cull.kept(); });
}

}  // namespace bench
