#pragma once

/// All memory that the library takes, by the caller's hooks.

#include <cstddef>
#include <new>

#include <lanecull/memory.hpp>

namespace lanecull {

[[nodiscard]] inline void* allocate(std::size_t bytes) noexcept {
    const MemoryHooks& hooks = memory_hooks();
    return hooks.allocate(hooks.self, bytes);
}
[[nodiscard]] inline void* reallocate(void* memory, std::size_t bytes) noexcept {
    const MemoryHooks& hooks = memory_hooks();
    return hooks.reallocate(hooks.self, memory, bytes);
}
inline void release(void* memory) noexcept {
    const MemoryHooks& hooks = memory_hooks();
    if (memory != nullptr) hooks.release(hooks.self, memory);
}

/// A base of what is made by new (std::nothrow) and destroyed by delete.
struct Allocated {
    static void* operator new(std::size_t bytes, const std::nothrow_t& /*unused*/) noexcept { return allocate(bytes); }
    static void operator delete(void* memory, const std::nothrow_t& /*unused*/) noexcept { release(memory); }
    static void operator delete(void* memory) noexcept { release(memory); }  // NOLINT(misc-new-delete-overloads)
};

}  // namespace lanecull
