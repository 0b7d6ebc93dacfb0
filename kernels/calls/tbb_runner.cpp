#include <lanecull/tbb.hpp>

#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_group.h>

#include <algorithm>
#include <atomic>

#include "calls/work_stealing.hpp"

namespace lanecull {
namespace {

/// Lets the core's other hardware thread go ahead while this one waits.
inline void pause() {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
}

/// One run(): a oneTBB task for each thread, and the parts, which they share. What two threads take, in calls of 10 to
/// 50 microseconds, as a multiple of this (two cores of Zen 5): parallel_for over the parts 1.015 to 1.04, without the
/// wait below 1.015 to 1.03; a thread that never sleeps instead of oneTBB's 0.95 to 0.98. Longer calls differ by less.
/// What else lost: parallel_for with equal shares (static_partitioner) where visible objects are in a row, 1.90 times
/// one thread's speed for 1.96; one part after the other from a common counter, for parts side by side in memory then
/// go to different cores: from memory 1.4 to 1.66 times for 1.9; shares remembered from call to call
/// (affinity_partitioner), which gained nothing and must not be used by two calls at once.
struct Sharing {
    Task task;
    Shares shares;
    oneapi::tbb::task_group others;
    alignas(64) std::atomic<int> working{0};  // of the others

    /// On the calling thread and last - first - 1 others, woken by halves: those that are awake help to wake the rest.
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

    /// oneTBB looks whether it is done every 0.3 microseconds, so that the last part is awaited here, for some tens of
    /// microseconds; then it is oneTBB's again, as are tasks that have not begun. That all parts are done only its
    /// wait() tells.
    void wait() {
        for (int i = 0; i < 2000 && working.load(std::memory_order_relaxed) > 0; ++i) pause();
        others.wait();
    }
};

}  // namespace

struct TbbRunner::Arena {
    explicit Arena(int threads) : arena(threads > 0 ? threads : oneapi::tbb::task_arena::automatic) {}

    static void run(void* self, std::uint32_t count, Task task) {
        // Nobody to share with: oneTBB takes 0.2 microseconds, a fifth of what 1,500 spheres take, and may wake a
        // thread.
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
