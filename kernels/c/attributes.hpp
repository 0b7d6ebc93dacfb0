#pragma once

#include <lanecull/c/batch.h>
#include <lanecull/batch.hpp>
#include <lanecull/status.hpp>

#include "c/given.hpp"

namespace lanecull::c {

/// Null: none. Messages call them `name`.
inline Status take_attributes(const lanecull_attributes* given, const char* name, Attributes& to) {
    if (given == nullptr) return {};
    const lanecull_attributes& a = *given;
    if (Status status = check_struct(given, name); !status) return status;
    to.margin = a.margin;
    to.sweep_x = a.sweep_x, to.sweep_y = a.sweep_y, to.sweep_z = a.sweep_z;
    to.flags = a.flags, to.layers = a.layers;
    to.max_distance = a.max_distance;
    to.min_projected_size = a.min_projected_size;
    to.min_distance = a.min_distance;
    return {};
}

}  // namespace lanecull::c
