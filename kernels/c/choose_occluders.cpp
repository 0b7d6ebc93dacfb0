/// c/choose_occluders.h

#include <lanecull/c/choose_occluders.h>

#include <lanecull/choose_occluders.hpp>

#include "c/lists.hpp"
#include "c/solid_set.hpp"

using namespace lanecull;

namespace lanecull::c {
namespace {

Status take_choose_options(const lanecull_choose_options* given, ChooseOptions& to) noexcept {
    if (given == nullptr) return {};
    if (Status status = check_struct(given, "options"); !status) return status;
    to.raster = {given->per_distance, given->depth_per_square, given->depth_per_distance};
    Fields fields;
    fields.take(given->candidates, given->candidate_words, "options.candidates", to.candidates);
    fields.take(given->last_chosen, given->last_chosen_count, "options.last_chosen", to.last_chosen);
    fields.take(given->last_hidden, given->last_hidden_count, "options.last_hidden", to.last_hidden);
    return fields.status();
}

}  // namespace
}  // namespace lanecull::c

size_t lanecull_choose_scratch_bytes(size_t solids) { return choose_scratch_bytes(solids); }

lanecull_status lanecull_choose_occluders(const lanecull_solid_set* solids, const lanecull_views* views, uint32_t i,
                                          lanecull_occluders* occluders, uint32_t* indices, size_t index_count,
                                          void* scratch, size_t scratch_bytes, uint32_t* count,
                                          const lanecull_choose_options* options, lanecull_message* message) {
    if (occluders == nullptr) return c::refuse_null("occluders", message);
    if (count == nullptr) return c::refuse_null("count", message);
    SolidSet set;
    ChooseOptions how;
    std::span<const View> view;
    std::span<std::uint32_t> chosen;
    std::span<std::byte> memory;
    Status status = c::take_solids(solids, set);
    if (status) status = c::take_items(views, i, 1, "views", view);
    if (status) status = c::take(indices, index_count, "indices", chosen);
    if (status) status = c::take(static_cast<std::byte*>(scratch), scratch_bytes, "scratch", memory);
    if (status) status = c::take_choose_options(options, how);
    if (status) {
        status = choose_occluders(set, view[0], occluders->viewpoint, occluders->all(), chosen, memory, *count, how);
    }
    return c::report(status, message);
}
