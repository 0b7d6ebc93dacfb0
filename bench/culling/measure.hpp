#pragma once

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdint>
#include <ctime>
#include <thread>
#include <vector>

namespace bench {

/// 1, 2, 4, ... and all of the machine's.
inline std::vector<int> thread_counts() {
    const int all = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
    std::vector<int> counts;
    for (int n = 1; n < all; n *= 2) counts.push_back(n);
    counts.push_back(all);
    return counts;
}

/// Whose time counts: the thread's own while one thread works, so that a busy machine disturbs less; else wall time.
class Stopwatch {
public:
    explicit Stopwatch(int threads)
        : clock_(threads == 1 ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC), start_(seconds_now()) {}

    [[nodiscard]] double seconds() const { return seconds_now() - start_; }

private:
    [[nodiscard]] double seconds_now() const {
        timespec t;
        clock_gettime(clock_, &t);
        return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
    }

    clockid_t clock_;
    double start_;
};

/// What a benchmark has found out; `kept` objects were reported visible.
inline void report(benchmark::State& state, std::uint32_t objects, double bytes_per_object, double seconds_per_object,
                   std::uint64_t kept) {
    state.counters["objects"] = static_cast<double>(objects);
    state.counters["kept"] = static_cast<double>(kept) / static_cast<double>(objects);
    state.counters["ns_per_object"] = 1e9 * seconds_per_object;
    state.counters["bytes_per_second"] =
        benchmark::Counter(bytes_per_object / seconds_per_object, {}, benchmark::Counter::kIs1024);
}

/// Passes that are not measured: one faults the pages in. Threads besides have to wake up, and the system to find each
/// a core of its own, which may take it some milliseconds. Returns false where a pass did.
template <class Pass>
bool warm_up(int threads, const Pass& pass) {
    constexpr double long_enough = 0.02;
    const Stopwatch stopwatch(threads);
    do {
        if (!pass()) return false;
    } while (threads > 1 && stopwatch.seconds() < long_enough);
    return true;
}

/// Runs `pass` (one pass over all objects) as the state asks and reports per object. `pass` returns false after telling
/// the state what went wrong; `kept` counts the objects the last pass reported visible.
template <class Pass, class Kept>
void measure(benchmark::State& state, std::uint32_t objects, double bytes_per_object, int threads, const Pass& pass,
             const Kept& kept) {
    if (!warm_up(threads, pass)) return;
    const Stopwatch stopwatch(threads);
    for (auto _ : state)
        if (!pass()) return;
    const double seconds_per_object =
        stopwatch.seconds() / static_cast<double>(state.iterations()) / static_cast<double>(objects);
    report(state, objects, bytes_per_object, seconds_per_object, static_cast<std::uint64_t>(kept()));
}

}  // namespace bench
