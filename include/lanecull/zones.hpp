#pragma once

#include <cstdint>

#include <lanecull/runner.hpp>

/// Zones: where a call's time goes, for profilers such as Tracy and Perfetto, or Chrome's trace viewer.
///
///     lanecull::ZonedRunner zoned({&profiler, begin, end}, threads);  // `threads`: the runner of before
///     lanecull::cull(batches, views, outputs, scratch, {}, zoned);
///
/// Every call that takes a runner can be looked at like this. A call's phases are its uses of the runner. What it does
/// between them is short: checks of arguments, sums over ranges (benchmarks calls/zoned). Calls without a ZonedRunner
/// do nothing for any of this.
namespace lanecull {

/// A piece of a call's work.
struct Zone {
    /// `phase`: all tasks that the runner gets at once. `range`: one of them, such as some thousand objects of a batch
    /// against a view.
    enum class Level : std::uint8_t { phase, range };

    const char* name = nullptr;  ///< that of the phase (Task::name); never null, and it stays valid
    Level level = Level::phase;
    std::uint32_t index = 0;  ///< `range`: which task of the phase; `phase`: how many it has
};

/// What is called at the begin and end of each zone, with `self` first. A phase's calls are made on the thread that
/// called the library, a range's on the thread that runs it. Zones of one thread are nested: what began last ends
/// first. Both are needed; they must not throw, and take calls from several threads at once if the runner has them.
struct ZoneCallbacks {
    void* self = nullptr;
    void (*begin)(void* self, const Zone& zone) = nullptr;
    void (*end)(void* self, const Zone& zone) = nullptr;
};

/// A runner that runs tasks by another one and reports their zones. It must outlive the calls that it is handed to. It
/// may be used by several calls at once if the other runner may.
class ZonedRunner {
public:
    explicit ZonedRunner(const ZoneCallbacks& callbacks, const Runner& runner = {}) noexcept
        : callbacks_(callbacks), runner_(runner) {}

    operator Runner() noexcept { return {this, run}; }

private:
    struct Zoned {
        const ZoneCallbacks& callbacks;
        Task task;
        const char* name;
    };

    static void run(void* self, std::uint32_t count, Task task) {
        const ZonedRunner& zoned = *static_cast<const ZonedRunner*>(self);
        Zoned work{zoned.callbacks_, task, task.name != nullptr ? task.name : "tasks"};
        const Zone phase{work.name, Zone::Level::phase, count};
        zoned.callbacks_.begin(zoned.callbacks_.self, phase);
        zoned.runner_(count, {run_range, &work, task.name});
        zoned.callbacks_.end(zoned.callbacks_.self, phase);
    }

    static void run_range(void* context, std::uint32_t index) {
        const Zoned& work = *static_cast<const Zoned*>(context);
        const Zone range{work.name, Zone::Level::range, index};
        work.callbacks.begin(work.callbacks.self, range);
        work.task(index);
        work.callbacks.end(work.callbacks.self, range);
    }

    ZoneCallbacks callbacks_;
    Runner runner_;
};

}  // namespace lanecull
