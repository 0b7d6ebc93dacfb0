#pragma once

/// Sets of solids of C as those of C++.

#include <cstddef>

#include <lanecull/c/choose_occluders.h>
#include <lanecull/choose_occluders.hpp>

#include "c/given.hpp"
#include "c/same_layout.hpp"

namespace lanecull::c {

inline Status take_solids(const lanecull_solid_set* given, SolidSet& to) noexcept {
    if (Status status = check_struct(given, "solids"); !status) return status;
    const std::size_t count = given->box_count + given->oriented_box_count + given->hull_count;
    Fields fields;
    fields.take(same(given->boxes), given->box_count, "solids.boxes", to.boxes);
    fields.take(same(given->oriented_boxes), given->oriented_box_count, "solids.oriented_boxes", to.oriented_boxes);
    fields.take(same(given->hulls), given->hull_count, "solids.hulls", to.hulls);
    if (given->drawn != nullptr) to.drawn = {same(given->drawn), count};
    if (given->owners != nullptr) to.owners = {same(given->owners), count};
    return fields.status();
}

}  // namespace lanecull::c
