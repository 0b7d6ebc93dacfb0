#include <lanecull/library.h>
#include <atomic>
#include <barrier>
#include <string>
#include <thread>
#include <vector>

#include "culling/benchmarks.hpp"
#include "culling/measure.hpp"
#include "workloads/workload.hpp"
#include "yardsticks/read_memory.hpp"

namespace bench {
namespace {

using Words = std::vector<std::uint64_t, CacheLineAllocator<std::uint64_t>>;

/// As many bytes as ten million spheres take.
constexpr std::size_t word_count = 20'000'000;

/// Threads that each read a part of the words whenever the calling thread says so. The calling thread reads one, too.
class Readers {
public:
    Readers(const Words& words, int threads)
        : words_(words), share_(words.size() / 64 / shares(threads) * 64), gate_(threads) {
        for (int t = 1; t < threads; ++t)
            others_.emplace_back([this, t] {
                for (;;) {
                    gate_.arrive_and_wait();
                    if (stop_) return;
                    read(t);
                    gate_.arrive_and_wait();
                }
            });
    }
    ~Readers() {
        stop_ = true;
        gate_.arrive_and_wait();
        for (std::thread& thread : others_) thread.join();
    }

    void pass() {
        gate_.arrive_and_wait();
        read(0);
        gate_.arrive_and_wait();
    }

private:
    static std::size_t shares(int threads) { return static_cast<std::size_t>(threads); }
    void read(int t) {
        sum_.fetch_add(read_memory(words_.data() + share_ * shares(t), share_), std::memory_order_relaxed);
    }

    const Words& words_;
    std::size_t share_;
    std::barrier<> gate_;
    std::atomic<std::uint64_t> sum_ = 0;  // so that nobody can leave the reading out
    bool stop_ = false;                   // written before the gate opens
    std::vector<std::thread> others_;
};

void measure_reads(benchmark::State& state, int threads, bool large_pages) {
    const LargePages pages(large_pages);
    const Words words(word_count, 1);
    Readers readers(words, threads);
    const auto pass = [&] {
        readers.pass();
        return true;
    };
    measure(state, static_cast<std::uint32_t>(word_count), sizeof(std::uint64_t), threads, pass, [] { return 0; });
}

}  // namespace

void register_read_benchmarks() {
    if (!lanecull::isa_runnable(lanecull::Isa::avx2)) return;
    for (const int threads : thread_counts()) {
        for (const bool large_pages : {false, true}) {
            const std::string full_name = "read/threads:" + std::to_string(threads) + (large_pages ? "/2MB" : "");
            benchmark::RegisterBenchmark(full_name.c_str(), measure_reads, threads, large_pages)
                ->Unit(benchmark::kMicrosecond);
        }
    }
}

}  // namespace bench
