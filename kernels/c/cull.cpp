/// c/cull.h

#include <lanecull/c/cull.h>

#include <algorithm>

#include <lanecull/cull.hpp>

#include "c/cull_into.hpp"
#include "c/lists.hpp"
#include "c/options.hpp"
#include "c/outputs.hpp"
#include "c/same_layout.hpp"

using namespace lanecull;

static_assert(LANECULL_METHOD_AUTOMATIC == static_cast<int>(Method::automatic));
static_assert(LANECULL_METHOD_PLANES == static_cast<int>(Method::planes));
static_assert(LANECULL_CULLED_OCCLUDED == static_cast<int>(Reason::culled_occluded));
static_assert(LANECULL_VISIBLE_ALWAYS == static_cast<int>(Reason::visible_always));
static_assert(LANECULL_VISIBLE_INVALID == static_cast<int>(Reason::visible_invalid));

namespace lanecull::c {

Status CallOptions::take(void* memory, std::size_t bytes, const lanecull_cull_options* given,
                         const lanecull_runner* who) noexcept {
    if (Status status = c::take(static_cast<std::byte*>(memory), bytes, "scratch", scratch); !status) return status;
    if (Status status = take_options(given, options); !status) return status;
    return take_runner(who, options.runner);
}

Status take_options(const lanecull_cull_options* options, CullOptions& to) noexcept {
    if (options == nullptr) return {};
    if (Status status = check_struct(options, "options"); !status) return status;
    if (Status status = take_enum(options->method, Method::planes, "options.method", to.method); !status) return status;
    if (Status status = take_isa(options->isa, "options.isa", to.isa); !status) return status;
    return take(options->view_masks, options->view_mask_count, "options.view_masks", to.view_masks);
}

void take_draws(const lanecull_draw_output& given, Fields& fields, DrawOutput& to) noexcept {
    to.offset_bytes = given.offset_bytes;
    to.stride_bytes = or_default(given.stride_bytes, sizeof(DrawCommand));
    to.count = given.count;
    fields.take(static_cast<std::byte*>(given.memory), given.memory_bytes, "outputs.draws.memory", to.memory);
}

void take_output(const lanecull_view_output& given, Fields& fields, Output& to, Explanation& why,
                 SceneOutput&) noexcept {
    to.scene = nullptr;
    to.explanation = &why;
    fields.take(given.visible, given.visible_words, "outputs.visible", to.visible);
    fields.take(given.indices, given.index_capacity, "outputs.indices", to.indices);
    fields.take(given.inside, given.inside_words, "outputs.inside", to.inside);
    fields.take(same(given.runs), given.run_capacity, "outputs.runs", to.runs);
    fields.take(same(given.batch_ranges), given.batch_range_count, "outputs.batch_ranges", to.batch_ranges);
    fields.take(same(given.certificates), given.certificate_count, "outputs.certificates", why.certificates);
    fields.take(given.candidates, given.candidate_words, "outputs.candidates", to.candidates);
    fields.take(given.hidden_counts, given.hidden_count_count, "outputs.hidden_counts", to.hidden_counts);
    take_draws(given.draws, fields, to.draws);
    fields.check(given.statistics, "outputs.statistics");
    take_occluders(given, fields, to.occluders);
}

void give_statistics(const Counts& from, lanecull_statistics* to) noexcept {
    if (to == nullptr) return;
    static_assert(sizeof(lanecull_statistics) == (2 + reason_count) * sizeof(std::uint64_t));
    to->objects = from.objects();
    std::copy_n(from.by_reason, reason_count, &to->culled_plane);
}

void give_results(const Output& from, lanecull_view_output& to) noexcept {
    give_statistics(from.explanation->counts, to.statistics);
    to.visible_count = from.visible_count;
    to.run_count = from.run_count;
    to.draw_count = from.draw_count;
}

}  // namespace lanecull::c

size_t lanecull_visibility_words(const lanecull_batches* batches) {
    return batches != nullptr ? visibility_words(batches->all()) : 0;
}

size_t lanecull_scratch_bytes(const lanecull_batches* batches, uint32_t view_count) {
    return batches != nullptr ? scratch_bytes(batches->all(), view_count) : 0;
}

lanecull_status lanecull_cull(const lanecull_batches* batches, const lanecull_views* views, uint32_t first_view,
                              uint32_t view_count, lanecull_view_output* outputs, void* scratch, size_t scratch_bytes,
                              const lanecull_cull_options* options, const lanecull_runner* runner,
                              lanecull_message* message) {
    if (batches == nullptr) return c::refuse_null("batches", message);
    std::span<const View> chosen;
    c::CallOptions how;
    Status status = c::take_items(views, first_view, view_count, "views", chosen);
    if (status) status = how.take(scratch, scratch_bytes, options, runner);
    if (status) {
        status = c::cull_into(outputs, view_count, [&](std::span<Output> taken) {
            return cull(batches->all(), chosen, taken, how.scratch, how.options);
        });
    }
    return c::report(status, message);
}
