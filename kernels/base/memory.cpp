#include <lanecull/memory.hpp>

#include <cstdlib>

namespace lanecull {
namespace {

MemoryHooks hooks = {nullptr, [](void*, std::size_t bytes) { return std::malloc(bytes); },
                     [](void*, void* memory, std::size_t bytes) { return std::realloc(memory, bytes); },
                     [](void*, void* memory) { std::free(memory); }};

}  // namespace

Status set_memory_hooks(const MemoryHooks& given) noexcept {
    if (given.allocate == nullptr) return Status::failure("hooks.allocate: must not be null");
    if (given.reallocate == nullptr) return Status::failure("hooks.reallocate: must not be null");
    if (given.release == nullptr) return Status::failure("hooks.release: must not be null");
    hooks = given;
    return {};
}

const MemoryHooks& memory_hooks() noexcept { return hooks; }

}  // namespace lanecull
