#include <lanecull/library.h>

#include <cstdlib>

#include "base/failure.hpp"

namespace lanecull {
namespace {

MemoryHooks in_use = {nullptr, [](void*, std::size_t bytes) { return std::malloc(bytes); },
                      [](void*, void* memory, std::size_t bytes) { return std::realloc(memory, bytes); },
                      [](void*, void* memory) { std::free(memory); }};

}  // namespace
}  // namespace lanecull

using namespace lanecull;

lanecull_status lanecull_set_memory_hooks(const lanecull_memory_hooks* hooks) noexcept {
    if (hooks == nullptr) return failure("hooks: must not be null");
    if (hooks->allocate == nullptr) return failure("hooks.allocate: must not be null");
    if (hooks->reallocate == nullptr) return failure("hooks.reallocate: must not be null");
    if (hooks->release == nullptr) return failure("hooks.release: must not be null");
    in_use = *hooks;
    return Status();
}

const lanecull_memory_hooks* lanecull_current_memory_hooks() noexcept { return &in_use; }

uint32_t lanecull_library_form() noexcept { return LANECULL_FORM; }
