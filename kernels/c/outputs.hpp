#pragma once

/// Outputs of C as those of C++, and back.

#include <span>

#include <lanecull/c/cull.h>
#include <lanecull/cull.hpp>
#include <lanecull/scene.hpp>

#include "c/given.hpp"
#include "c/lists.hpp"

namespace lanecull::c {

void take_draws(const lanecull_draw_output& given, Fields& fields, DrawOutput& to) noexcept;
/// Sets all that a call is asked for, and no results: `to`, `why` and `own` may be memory that nothing was written to.
/// `to` points to the other two. `own` is for outputs of scenes.
void take_output(const lanecull_view_output& given, Fields& fields, Output& to, Explanation& why,
                 SceneOutput& own) noexcept;
/// The occluders of an output of either kind.
template <class Given>
void take_occluders(const Given& given, Fields& fields, std::span<const Occluder>& to) noexcept {
    to = {};
    if (given.occluders == nullptr) return;
    fields.join(take_items(given.occluders, given.first_occluder, given.occluder_count, "outputs.occluders", to));
}

void give_statistics(const Counts& from, lanecull_statistics* to) noexcept;
void give_results(const Output& from, lanecull_view_output& to) noexcept;

}  // namespace lanecull::c
