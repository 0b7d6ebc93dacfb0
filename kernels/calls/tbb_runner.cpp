#include <lanecull/tbb.hpp>

#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_group.h>

#include <algorithm>
#include <atomic>

#include "calls/work_stealing.hpp"

namespace lanecull {
namespace {

/// Gives the core's other hardware thread precedence while this one waits.
inline void pause() {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
}

/// One run(): a oneTBB task for each thread; the threads share the parts. Alternatives, by the time that two threads
/// take in calls of 10 to 50 microseconds, as a multiple of this one's (two cores of Zen 5):
/// - parallel_for over the parts: 1.015 to 1.04;
/// - without the wait in wait(): 1.015 to 1.03;
/// - a thread that never sleeps, in place of oneTBB's: 0.95 to 0.98.
/// Longer calls differ by less. These lost, too:
/// - parallel_for with equal shares (static_partitioner), where visible objects are in a row: 1.90 times one thread's
///   speed, this 1.96;
/// - one part after the other from a common counter: parts that are side by side in memory then go to different cores,
///   so from memory 1.4 to 1.66 times one thread's speed, this 1.9;
/// - shares that are remembered from call to call (affinity_partitioner): no gain, and two calls must not use them at
///   once.
struct Sharing {
    Task task;
    Shares shares;
    oneapi::tbb::task_group others;
    alignas(64) std::atomic<int> working{0};  // other threads that work

    /// Works as thread `first`, the calling one, and starts last - first - 1 others. Starts them by halves: those that
    /// are awake help to wake the rest.
    void work(int first, int last) {
        while (last - first > 1) {
            const int middle = first + (last - first) / 2;
            others.run([this, middle, last] {
                working.fetch_add(1, std::memory_order_relaxed);
                work(middle, last);
                working.fetch_sub(1, std::memory_order_relaxed);
            });
            last = middle;
        }
        const auto thread = static_cast<std::uint32_t>(oneapi::tbb::this_task_arena::current_thread_index());
        while (const auto part = shares.take(thread)) task(*part);
    }

    /// oneTBB's own wait() checks only every 0.3 microseconds whether all is done. So this first waits for the last
    /// parts itself, for some tens of microseconds. Then oneTBB waits for the rest and runs tasks that have not begun.
    /// Only its wait() guarantees that all parts are done.
    void wait() {
        for (int i = 0; i < 2000 && working.load(std::memory_order_relaxed) > 0; ++i) pause();
        others.wait();
    }
};

}  // namespace

struct TbbRunner::Arena {
    explicit Arena(int threads) : arena(threads > 0 ? threads : oneapi::tbb::task_arena::automatic) {}

    static void run(void* self, std::uint32_t count, Task task) {
        // One part has nobody to be shared with. oneTBB would take 0.2 microseconds, a fifth of what 1,500 spheres
        // take, and might wake a thread.
        if (count == 1) return task(0);
        auto& arena = static_cast<Arena*>(self)->arena;
        arena.execute([&] {
            const auto threads = static_cast<std::uint32_t>(arena.max_concurrency());
            Sharing sharing{task, {count, threads}, {}};
            sharing.work(0, static_cast<int>(std::min(count, threads)));
            sharing.wait();
        });
    }

    oneapi::tbb::task_arena arena;
};

TbbRunner::TbbRunner(int threads) : arena_(std::make_unique<Arena>(threads)) {}
TbbRunner::~TbbRunner() = default;
TbbRunner::TbbRunner(TbbRunner&&) noexcept = default;
TbbRunner& TbbRunner::operator=(TbbRunner&&) noexcept = default;

int TbbRunner::threads() const noexcept { return arena_->arena.max_concurrency(); }
Runner TbbRunner::runner() noexcept { return {arena_.get(), &Arena::run}; }

}  // namespace lanecull
