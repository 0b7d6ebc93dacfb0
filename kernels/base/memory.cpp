#include <lanecull/memory.hpp>

#include <cstdlib>

namespace lanecull {
namespace {

MemoryHooks in_use = {nullptr, [](void*, std::size_t bytes) { return std::malloc(bytes); },
                      [](void*, void* memory, std::size_t bytes) { return std::realloc(memory, bytes); },
                      [](void*, void* memory) { std::free(memory); }};

}  // namespace

Status set_memory_hooks(const MemoryHooks& hooks) noexcept {
    if (hooks.allocate == nullptr) return Status::failure("hooks.allocate: must not be null");
    if (hooks.reallocate == nullptr) return Status::failure("hooks.reallocate: must not be null");
    if (hooks.release == nullptr) return Status::failure("hooks.release: must not be null");
    in_use = hooks;
    return {};
}

const MemoryHooks& memory_hooks() noexcept { return in_use; }

}  // namespace lanecull
