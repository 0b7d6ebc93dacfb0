/// c/memory.h

#include <lanecull/c/memory.h>

#include <lanecull/memory.hpp>

#include "c/given.hpp"

using namespace lanecull;

lanecull_status lanecull_set_memory_hooks(const lanecull_memory_hooks* hooks, lanecull_message* message) {
    Status status = c::check_struct(hooks, "hooks");
    if (status) status = set_memory_hooks({hooks->self, hooks->allocate, hooks->reallocate, hooks->release});
    return c::report(status, message);
}
