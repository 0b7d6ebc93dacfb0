/// Threads for the Python package: a runner (lanecull/types.h) on a pool that lasts as long as the process. It needs no
/// library but C++'s, which a wheel brings along.

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <system_error>
#include <thread>

#include <pthread.h>

#include <lanecull/types.h>

namespace {

/// What one call of the runner has to do. It is on the caller's stack, who waits until no worker is in it.
struct Work {
    Work(std::uint32_t how_many, const lanecull_task& what) : task(what), count(how_many) {}

    const lanecull_task& task;
    const std::uint64_t count;
    std::atomic<std::uint64_t> next{0};  // wider than the runner's count, so that it cannot wrap
    unsigned workers = 0;                // the pool's mutex guards this and the list
    Work* after = nullptr;

    void take_part() {
        for (std::uint64_t i; (i = next++) < count;) task.call(task.context, static_cast<std::uint32_t>(i));
    }
};

/// Threads in a call, the caller's among them.
std::atomic<unsigned> wanted{std::max(1u, std::thread::hardware_concurrency())};

class Pool {
public:
    void run(Work& work) {
        {
            const std::lock_guard lock(mutex_);
            start();
            work.after = first_;
            first_ = &work;
            wake_.notify_all();
        }
        work.take_part();
        std::unique_lock lock(mutex_);
        remove(work);
        left_.wait(lock, [&] { return work.workers == 0; });
    }

    /// Threads that are too many end.
    void wake() {
        const std::lock_guard lock(mutex_);
        wake_.notify_all();
    }

private:
    /// The threads that are missing; none that the system refuses.
    void start() {
        try {
            for (; started_ + 1 < wanted; ++started_) std::thread([this] { serve(); }).detach();
        } catch (const std::system_error&) {
            return;
        }
    }

    void serve() {
        std::unique_lock lock(mutex_);
        for (;;) {
            wake_.wait(lock, [&] { return first_ != nullptr || started_ >= wanted; });
            if (started_ >= wanted) {
                --started_;
                return;
            }
            Work& work = *first_;
            ++work.workers;
            lock.unlock();
            work.take_part();
            lock.lock();
            remove(work);
            if (--work.workers == 0) left_.notify_all();
        }
    }

    /// Takes what has no tasks left off the list, unless somebody else has.
    void remove(const Work& work) {
        for (Work** at = &first_; *at != nullptr; at = &(*at)->after) {
            if (*at == &work) {
                *at = work.after;
                return;
            }
        }
    }

    std::mutex mutex_;
    std::condition_variable wake_, left_;
    Work* first_ = nullptr;
    unsigned started_ = 0;  // threads that serve
};

/// Never destroyed, for threads wait in it when the process ends. A child of fork() has none of its parent's threads.
Pool* pool = new Pool;
[[maybe_unused]] const int at_fork = pthread_atfork(nullptr, nullptr, [] { pool = new Pool; });

}  // namespace

extern "C" {
LANECULL_EXPORT void lanecull_python_run(void*, std::uint32_t count, const lanecull_task* task) {
    Work work(count, *task);
    if (count > 1 && wanted > 1) {
        pool->run(work);
    } else {
        work.take_part();
    }
}

/// count: at least 1.
LANECULL_EXPORT void lanecull_python_set_threads(std::uint32_t count) {
    wanted = count;
    pool->wake();
}

LANECULL_EXPORT std::uint32_t lanecull_python_threads() { return wanted; }
}
