/// c/cull.h

#include <lanecull/c/cull.h>

#include <lanecull/cull.hpp>

#include "c/lists.hpp"
#include "c/options.hpp"
#include "c/outputs.hpp"
#include "c/same_layout.hpp"

using namespace lanecull;

static_assert(LANECULL_METHOD_AUTOMATIC == static_cast<int>(Method::automatic));
static_assert(LANECULL_METHOD_PLANES == static_cast<int>(Method::planes));
static_assert(LANECULL_METHOD_GJK == static_cast<int>(Method::gjk));
static_assert(LANECULL_CULLED_OCCLUDED == static_cast<int>(Reason::culled_occluded));
static_assert(LANECULL_VISIBLE_ALWAYS == static_cast<int>(Reason::visible_always));
static_assert(LANECULL_VISIBLE_INVALID == static_cast<int>(Reason::visible_invalid));

namespace lanecull::c {

Status take_options(const lanecull_cull_options* options, Options& to) noexcept {
    if (options == nullptr) return {};
    if (Status status = check_struct(options, "options"); !status) return status;
    if (Status status = take_enum(options->method, Method::gjk, "options.method", to.method); !status) return status;
    if (Status status = take_isa(options->isa, "options.isa", to.isa); !status) return status;
    return take(options->view_masks, options->view_mask_count, "options.view_masks", to.view_masks);
}

void take_draws(const lanecull_draw_output& given, Spans& spans, DrawOutput& to) noexcept {
    to.offset_bytes = given.offset_bytes;
    to.stride_bytes = or_default(given.stride_bytes, sizeof(DrawCommand));
    to.count = given.count;
    spans.take(static_cast<std::byte*>(given.memory), given.memory_bytes, "outputs.draws.memory", to.memory);
}

Status take_output(const lanecull_view_output& given, ViewOutput& to) noexcept {
    Spans spans;
    spans.take(given.visible, given.visible_words, "outputs.visible", to.visible);
    spans.take(given.indices, given.index_capacity, "outputs.indices", to.indices);
    spans.take(given.inside, given.inside_words, "outputs.inside", to.inside);
    spans.take(same(given.runs), given.run_capacity, "outputs.runs", to.runs);
    spans.take(same(given.batch_ranges), given.batch_range_count, "outputs.batch_ranges", to.batch_ranges);
    spans.take(same(given.certificates), given.certificate_count, "outputs.certificates", to.certificates);
    spans.take(given.candidates, given.candidate_words, "outputs.candidates", to.candidates);
    spans.take(given.hidden_counts, given.hidden_count_count, "outputs.hidden_counts", to.hidden_counts);
    take_draws(given.draws, spans, to.draws);
    if (Status status = spans.status(); !status) return status;
    if (Status status = check_optional(given.statistics, "outputs.statistics"); !status) return status;
    return take_occluders(given, to.occluders);
}

void give_statistics(const Statistics& from, lanecull_statistics* to) noexcept {
    if (to == nullptr) return;
    const std::size_t size = to->size;
    *to = {size,
           from.objects,
           from.culled_plane,
           from.culled_gjk,
           from.culled_distance,
           from.culled_near,
           from.culled_size,
           from.culled_disabled,
           from.culled_layer,
           from.culled_candidate,
           from.culled_occluded,
           from.visible_always,
           from.visible_inside,
           from.visible_vertex,
           from.visible_overlap,
           from.visible_touching,
           from.visible_cap,
           from.visible_planes,
           from.visible_invalid};
}

void give_results(const ViewOutput& from, lanecull_view_output& to) noexcept {
    give_statistics(from.statistics, to.statistics);
    to.visible_count = from.visible_count;
    to.run_count = from.run_count;
    to.draw_count = from.draw_count;
}

namespace {

Status cull_batches(const lanecull_batches* batches, std::span<const View> views, lanecull_view_output* outputs,
                    std::span<std::byte> scratch, const Options& options, const Runner& runner) noexcept {
    StackOutputs<ViewOutput> memory;
    if (batches == nullptr) return Status::failure("batches: must not be null");
    if (views.size() > memory.most) {
        return Status::failure("views: 1 to %zu are culled in one call, not %zu", memory.most, views.size());
    }
    const Row<lanecull_view_output> given(outputs);
    Status status = given.check(views.size(), "outputs");
    const std::span<ViewOutput> taken = memory.make(views.size());
    for (std::size_t v = 0; v < views.size() && status; ++v) status = take_output(given[v], taken[v]);
    if (status) status = cull(batches->all(), views, taken, scratch, options, runner);
    for (std::size_t v = 0; v < views.size() && status; ++v) give_results(taken[v], given[v]);
    return status;
}

}  // namespace
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
    std::span<const View> chosen;
    std::span<std::byte> memory;
    Options how;
    Runner who;
    Status status = c::take_items(views, first_view, view_count, "views", chosen);
    if (status) status = c::take(static_cast<std::byte*>(scratch), scratch_bytes, "scratch", memory);
    if (status) status = c::take_options(options, how);
    if (status) status = c::take_runner(runner, who);
    if (status) status = c::cull_batches(batches, chosen, outputs, memory, how, who);
    return c::report(status, message);
}
