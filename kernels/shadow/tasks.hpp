#pragma once

/// Work that may fail, in tasks of a runner.

#include <cstdint>

#include <lanecull/runner.hpp>
#include <lanecull/status.hpp>

#include "base/array.hpp"
#include "base/float_modes.hpp"

namespace lanecull {

/// Calls work(i) for i from 0 to count - 1. Returns the failure of the smallest i: that one is called again, since a
/// Status is too large to keep one a task. `failed` has an entry for each.
template <class Work>
Status run_tasks(std::uint32_t count, Array<std::uint8_t>& failed, const Work& work, const Runner& runner) {
    if (count == 0) return {};
    struct Tasks {
        const Work& work;
        std::uint8_t* failed;
    } tasks{work, failed.data()};
    const auto run = [](void* self, std::uint32_t i) {
        const FloatModes modes;
        const Tasks& all = *static_cast<const Tasks*>(self);
        all.failed[i] = all.work(i).ok() ? 0 : 1;
    };
    runner.run(runner.self, count, {run, &tasks, "prepare views"});
    for (std::uint32_t i = 0; i < count; ++i) {
        if (failed[i] != 0) return work(i);
    }
    return {};
}

}  // namespace lanecull
