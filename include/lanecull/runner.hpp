#pragma once

#include <cstdint>

#include <lanecull/language.hpp>

namespace lanecull {

/// A piece of work in many tasks: `call(context, i)` does task i.
struct Task {
    void (*call)(void* context, std::uint32_t index) = nullptr;
    void* context = nullptr;
    /// What the tasks do, for profilers (zones.hpp): "cull", "write lists", ... Null, or valid for ever. Runners need
    /// not look at it.
    const char* name = nullptr;

    void operator()(std::uint32_t index) const { call(context, index); }
};

/// Who runs a cull's tasks: how to put the library on a job system, a thread pool or a scheduler of your own.
///
/// What a runner must do. `run(self, count, task)` calls task(i) exactly once for each i in [0, count) and returns when
/// all of these calls have returned. The calls may be made in any order, on any threads, with or without the calling
/// one, any number at the same time. `self` is whatever the runner needs. Two more duties:
///  - what the caller wrote before run() must be visible to every task, and what the tasks wrote must be visible to the
///    caller after run(): each task *happens after* the call and *before* the return. Starting and joining threads,
///    mutexes, and counters decremented with std::memory_order_acq_rel all do that; relaxed counters do not;
///  - `task` may be copied, but must not be called after run() has returned, because what it points to no longer
///    exists.
///
/// What a runner may rely on. One cull() calls run() at most twice, one call after the other, from the thread that
/// called cull(), with the same count both times, from 1 to 2^32 - 1. In the first run() a task is one range of one
/// batch in one view: whole words of 64 objects of the visibility bits, at most 16,384 objects, and as a rule some
/// thousand. It writes those words, and numbers of its own in the scratch memory. The second run() happens if a view
/// wants a list: a task writes the indices, draw commands or runs of such a range's visible objects. (Benchmarks cull/
/// and outputs/ tell how long an object takes.)
///
/// The tasks of one run() never write to the same byte, read nothing that another one writes, take no locks, wait for
/// nothing, allocate nothing and do not throw. Each can run wherever a function call can, with 64 KiB of stack. Tasks
/// set the floating-point modes that they need and restore those of their thread. Tasks are coarse enough that they
/// need no grouping; a runner may group them.
///
/// Exceptions must not leave run(): cull() is noexcept, so an exception would end the program. A runner that cannot get
/// a thread runs the tasks itself. It need not be re-entrant for one cull, since tasks call no runner. But if cull() is
/// called from several threads at once, or from inside a job, with the same runner, run() must allow that.
///
/// Neither the order nor the number of threads changes a result by a single bit. A complete runner that starts its
/// threads anew each time; `threads` must outlive it:
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
/// work, as above, and waits only for workers that have started.
///
/// Without `run` the calling thread does everything, in order.
struct Runner {
    void* self = nullptr;
    void (*run)(void* self, std::uint32_t count, Task task) = nullptr;

    void operator()(std::uint32_t count, const Task& task) const {
        if (run != nullptr) return run(self, count, task);
        for (std::uint32_t i = 0; i < count; ++i) task(i);
    }
};

}  // namespace lanecull
