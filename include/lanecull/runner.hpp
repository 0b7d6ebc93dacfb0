#pragma once

#include <cstdint>

#include <lanecull/export.hpp>

namespace lanecull {

/// A piece of work: `call(context, i)` does part i.
struct Task {
    void (*call)(void* context, std::uint32_t index) = nullptr;
    void* context = nullptr;

    void operator()(std::uint32_t index) const { call(context, index); }
};

/// Who runs a cull's parts: how to put the library on a job system, a thread pool, or one's own scheduler.
///
/// What a runner must do. `run(self, count, task)` calls task(i) exactly once for each i in [0, count), in any order,
/// on any threads, the calling one included or not, any number at the same time, and returns when all of them have
/// returned. `self` is whatever the runner needs. Two duties come with that:
///  - what the caller wrote before run() must be visible to every part, and what the parts wrote must be visible to
///    the caller after run(): each part *happens after* the call and *before* the return. Starting and joining
///    threads, mutexes and counters decremented with std::memory_order_acq_rel all do that; relaxed counters do not;
///  - `task` may be copied, but must not be called after run() has returned: what it points to is then gone.
///
/// What a runner may count on. One cull() calls run() at most twice, one call after the other, from the thread that
/// called cull(), with count > 0, the same both times, up to 2^32 - 1. The first time, a part is one range of one
/// batch in one view: whole words of 64 objects of the visibility bits, some thousand objects, 5 to 500 microseconds.
/// It writes those words, and numbers of its own in the scratch memory. The second time, when a view wants a list, a
/// part writes the indices, draw commands or runs of such a range's visible objects, a few microseconds. The parts of
/// one run() never write to the same byte, read nothing that another one writes, take no locks, wait for nothing,
/// allocate nothing and do not throw; each can be run wherever a function call can, with 64 KiB of stack. They set the
/// floating-point modes they need and restore those of their thread. Parts that are already coarse need no grouping; a
/// runner may group them.
///
/// Exceptions must not leave run(): cull() is noexcept, so one would end the program. A runner that cannot get a thread
/// runs the parts itself. It need not be re-entrant for one cull, as parts call no runner; but cull() may be called
/// from several threads at once, or from inside a job, with the same runner: then run() must allow that.
///
/// The order and the number of threads never change a result, not by a bit. A whole runner, which starts its threads
/// anew each time; `threads` must outlive it:
///
///     Runner on_new_threads(const unsigned& threads) {
///         return {const_cast<unsigned*>(&threads), [](void* self, std::uint32_t count, Task task) {
///                     std::atomic<std::uint64_t> next{0};  // wider than count, so that it cannot wrap
///                     const auto work = [&] {
///                         for (std::uint64_t i; (i = next++) < count;) task(static_cast<std::uint32_t>(i));
///                     };
///                     std::vector<std::thread> others;
///                     for (unsigned t = 1; t < *static_cast<unsigned*>(self); ++t) others.emplace_back(work);
///                     work();
///                     for (std::thread& thread : others) thread.join();
///                 }};
///     }
///
/// A pool that keeps its threads waits for its workers instead of joining them. A runner that is called from inside a
/// job of its own pool must not wait for jobs that no thread is free to start: the calling thread takes part in the
/// work, as above, and waits only for workers that have begun.
struct Runner {
    void* self = nullptr;
    void (*run)(void* self, std::uint32_t count, Task task) = nullptr;
};

/// Runs everything on the calling thread, in order.
[[nodiscard]] LANECULL_API Runner serial_runner() noexcept;

}  // namespace lanecull
