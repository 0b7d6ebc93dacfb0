#include <lanecull/library.h>
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "culling/benchmarks.hpp"
#include "culling/cull_run.hpp"
#include "culling/measure.hpp"

/// What several threads in one call are compared with: what the cores give when no thread waits for another, and how
/// long a word takes from one thread to another.
namespace bench {
namespace {

/// A thread that culls objects of its own over and over, alone, while this lives.
class Apart {
public:
    Apart(const Workload& objects, const CullRun& run)
        : thread_([this, &objects, run] {
              CullPass cull(objects, run);
              while (!stop_.load(std::memory_order_relaxed)) {
                  if (!cull()) return failed_.store(true);
                  passes_.store(passes_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
              }
          }) {}
    ~Apart() {
        stop_ = true;
        thread_.join();
    }

    [[nodiscard]] std::uint64_t passes() const { return passes_.load(std::memory_order_relaxed); }
    /// Whether it has finished a first pass, or has failed.
    [[nodiscard]] bool begun() const { return passes() > 0 || failed(); }
    [[nodiscard]] bool failed() const { return failed_; }

private:
    alignas(64) std::atomic<std::uint64_t> passes_ = 0;
    alignas(64) std::atomic<bool> stop_ = false;
    std::atomic<bool> failed_ = false;
    std::thread thread_;  // the last: it uses the others
};

/// `run.threads` threads, each with as many of the objects.
void measure_apart(benchmark::State& state, CullRun run) {
    const auto threads = static_cast<std::uint32_t>(std::exchange(run.threads, 1));
    run.key.count /= threads;
    const Workload& objects = workload(run.key);
    std::vector<std::unique_ptr<Apart>> others;
    for (run.key.copy = 1; run.key.copy < threads; ++run.key.copy)
        others.push_back(std::make_unique<Apart>(workload(run.key), run));
    CullPass cull(objects, run);
    if (!warm_up(static_cast<int>(threads), [&] { return cull().ok(); }))
        return state.SkipWithError("cannot be culled");
    for (const auto& other : others)
        while (!other->begun()) std::this_thread::yield();

    const auto others_passes = [&] {
        std::uint64_t sum = 0;
        for (const auto& other : others) sum += other->passes();
        return sum;
    };
    const std::uint64_t before = others_passes();
    const Stopwatch stopwatch(static_cast<int>(threads));
    for (auto _ : state)
        if (!cull()) return state.SkipWithError("cannot be culled");
    const double seconds = stopwatch.seconds();
    const std::uint64_t passes = static_cast<std::uint64_t>(state.iterations()) + others_passes() - before;
    if (std::ranges::any_of(others, &Apart::failed)) return state.SkipWithError("another thread failed");
    report(state, objects.count(), objects.bytes_per_object(),
           seconds / static_cast<double>(passes) / static_cast<double>(objects.count()), cull.kept());
}

/// A number goes to another thread and back.
void measure_handoff(benchmark::State& state) {
    constexpr std::uint32_t rounds = 1000;
    constexpr std::uint64_t stop = ~std::uint64_t{0};
    alignas(64) std::atomic<std::uint64_t> word = 0;  // odd: the other's turn
    std::thread other([&] {
        for (std::uint64_t seen = 0; (seen = word.load(std::memory_order_acquire)) != stop;)
            if (seen % 2 == 1) word.store(seen + 1, std::memory_order_release);
    });
    const auto pass = [&] {
        for (std::uint32_t i = 0; i < rounds; ++i) {
            const std::uint64_t next = word.load(std::memory_order_relaxed) + 2;
            word.store(next - 1, std::memory_order_release);
            while (word.load(std::memory_order_acquire) != next) {
            }
        }
        return true;
    };
    measure(state, 2 * rounds, 0, 2, pass, [] { return 0; });
    word = stop;
    other.join();
}

void add_apart(const CullRun& run, const char* size) {
    const std::string full_name = std::string("apart/") + name(run.key.shape) + '/' + name(run.key.placement) + '/' +
                                  lanecull::isa_name(run.isa) + "/threads:" + std::to_string(run.threads) + size;
    benchmark::RegisterBenchmark(full_name.c_str(), measure_apart, run)->Unit(benchmark::kMicrosecond);
}

}  // namespace

void register_thread_benchmarks() {
    lanecull::Isa widest = lanecull::Isa::automatic;
    if (std::thread::hardware_concurrency() < 2 || !lanecull::resolve_isa(widest, widest)) return;
    for (const int threads : thread_counts()) {
        if (threads == 1) continue;
        for (const Placement placement : {Placement::uniform, Placement::straddle}) {
            for (const Shape shape : all_shapes)
                add_apart({.key = {shape, placement}, .isa = widest, .threads = threads}, "");
            for (const Shape shape : {Shape::sphere, Shape::box})
                add_apart({.key = {shape, placement, 1'000'000}, .isa = widest, .threads = threads}, "/1M");
        }
    }
    benchmark::RegisterBenchmark("handoff", measure_handoff)->Unit(benchmark::kMicrosecond);
}

}  // namespace bench
