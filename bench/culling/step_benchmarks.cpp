#include <lanecull/cull.h>
#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "culling/benchmarks.hpp"
#include "culling/cull_run.hpp"
#include "culling/measure.hpp"
#include "workloads/camera.hpp"
#include "workloads/workload.hpp"

/// How many points GJK took, as its certificates say. No times.
namespace bench {
namespace {

struct StepRun {
    Key key;
    lanecull::Method method;
    lanecull::Isa isa;
};

std::vector<lanecull::Certificate> certificates_of(const StepRun& run) {
    const Workload& objects = workload(run.key);
    const lanecull::View view = prepare(standard_camera());
    const std::span batches(&objects.batch(), 1);
    std::vector<lanecull::Certificate> certificates(objects.count());
    std::vector<std::byte> scratch(lanecull::scratch_bytes(batches, 1));
    lanecull::Explanation why{.certificates = certificates};
    lanecull::Output output{.explanation = &why};
    if (!lanecull::cull(batches, {&view, 1}, {&output, 1}, scratch, {.method = run.method, .isa = run.isa}))
        certificates.clear();
    return certificates;
}

/// The fraction of the lanes' time that goes into steps, if each pack takes `lanes` of the queried objects in order and
/// waits for its last lane.
double lane_utilisation(const std::vector<unsigned>& steps, std::size_t lanes) {
    std::uint64_t taken = 0, offered = 0;
    for (std::size_t i = 0; i < steps.size(); i += lanes) {
        const std::span pack(steps.data() + i, std::min(lanes, steps.size() - i));
        for (const unsigned s : pack) taken += s;
        offered += lanes * *std::ranges::max_element(pack);
    }
    return offered > 0 ? static_cast<double>(taken) / static_cast<double>(offered) : 0;
}

void count_steps(benchmark::State& state, const StepRun& run, std::size_t lanes) {
    std::vector<unsigned> steps;
    std::size_t objects = 0;
    for (auto _ : state) {
        const auto certificates = certificates_of(run);
        objects = certificates.size();
        steps.clear();
        for (const lanecull::Certificate& c : certificates) {
            if (c.steps > 0) steps.push_back(c.steps);
        }
    }
    if (steps.empty()) return state.SkipWithError("GJK looked at nothing");
    double sum = 0;
    for (const unsigned s : steps) sum += s;
    state.counters["objects"] = static_cast<double>(objects);
    state.counters["queried"] = static_cast<double>(steps.size()) / static_cast<double>(objects);
    state.counters["supports"] = sum / static_cast<double>(steps.size());
    state.counters["most_supports"] = *std::ranges::max_element(steps);
    state.counters["utilisation"] = lane_utilisation(steps, lanes);
}

}  // namespace

void register_step_benchmarks() {
    constexpr std::pair<lanecull::Isa, std::size_t> sets[] = {{lanecull::Isa::avx2, 8}, {lanecull::Isa::avx512, 16}};
    for (const auto& [isa, lanes] : sets) {
        if (!lanecull::isa_runnable(isa)) continue;
        for (const Shape shape : all_shapes) {
            for (const lanecull::Method method : {lanecull::Method::automatic, gjk_alone}) {
                const std::string full_name = std::string("steps/") + name(shape) + '/' +
                                              (method == gjk_alone ? "gjk/" : "automatic/") + lanecull::isa_name(isa);
                const StepRun run{{shape, Placement::straddle}, method, isa};
                benchmark::RegisterBenchmark(full_name.c_str(), count_steps, run, lanes)->Iterations(1);
            }
        }
    }
}

}  // namespace bench
