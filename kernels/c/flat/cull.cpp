/// c/flat/cull.h

#include <lanecull/c/flat/cull.h>

#include <lanecull/flat/cull.hpp>

#include "c/cull_into.hpp"
#include "c/flat/lists.hpp"
#include "c/options.hpp"

using namespace lanecull;

size_t lanecull_flat_visibility_words(const lanecull_flat_batches* batches) {
    return batches != nullptr ? flat::visibility_words(batches->all()) : 0;
}

size_t lanecull_flat_scratch_bytes(const lanecull_flat_batches* batches, uint32_t view_count) {
    return batches != nullptr ? flat::scratch_bytes(batches->all(), view_count) : 0;
}

lanecull_status lanecull_flat_cull(const lanecull_flat_batches* batches, const lanecull_flat_views* views,
                                   uint32_t first_view, uint32_t view_count, lanecull_view_output* outputs,
                                   void* scratch, size_t scratch_bytes, const lanecull_cull_options* options,
                                   const lanecull_runner* runner, lanecull_message* message) {
    if (batches == nullptr) return c::refuse_null("batches", message);
    std::span<const flat::View> chosen;
    c::CallOptions how;
    Status status = c::take_items(views, first_view, view_count, "views", chosen);
    if (status) status = how.take(scratch, scratch_bytes, options, runner);
    if (status) {
        status = c::cull_into(outputs, view_count, [&](std::span<Output> taken) {
            return flat::cull(batches->all(), chosen, taken, how.scratch, how.options);
        });
    }
    return c::report(status, message);
}
