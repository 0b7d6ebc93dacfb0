#pragma once

#include <cstdint>

namespace lanecull {

/// A piece of work: `call(context, i)` does part i.
struct Task {
    void (*call)(void* context, std::uint32_t index) = nullptr;
    void* context = nullptr;

    void operator()(std::uint32_t index) const { call(context, index); }
};

/// Who runs a cull's parts. `run(self, count, task)` must call task(i) exactly once for each i in [0, count), in any
/// order, on any threads, and return when all of them are done and their writes are visible to the caller. The parts
/// write disjoint memory, do not block, do not throw and need no more than 64 KiB of stack.
///
/// The order and the number of threads never change a result.
struct Runner {
    void* self = nullptr;
    void (*run)(void* self, std::uint32_t count, Task task) = nullptr;
};

/// Runs everything on the calling thread, in order.
[[nodiscard]] Runner serial_runner() noexcept;

}  // namespace lanecull
