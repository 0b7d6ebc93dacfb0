#pragma once

/// Vertices and their bounds, of C as those of C++.

#include <cstddef>

#include <lanecull/c/bounds.h>
#include <lanecull/bounds.hpp>

#include "c/given.hpp"

namespace lanecull::c {

inline Status take_vertices(const lanecull_vertices* given, Vertices& to) noexcept {
    if (Status status = check_struct(given, "vertices"); !status) return status;
    to = {given->x, given->y, given->z, given->count, or_default(given->stride_bytes, sizeof(float))};
    return {};
}

static_assert(sizeof(BoxBounds) == sizeof(lanecull_box_bounds) &&
              offsetof(BoxBounds, upper) == offsetof(lanecull_box_bounds, upper));
inline BoxBounds* same(lanecull_box_bounds* box) { return reinterpret_cast<BoxBounds*>(box); }

static_assert(sizeof(SphereBounds) == sizeof(lanecull_sphere_bounds) &&
              offsetof(SphereBounds, radius) == offsetof(lanecull_sphere_bounds, radius));
inline SphereBounds* same(lanecull_sphere_bounds* sphere) { return reinterpret_cast<SphereBounds*>(sphere); }

static_assert(sizeof(OrientedBoxBounds) == sizeof(lanecull_oriented_box_bounds) &&
              offsetof(OrientedBoxBounds, axes) == offsetof(lanecull_oriented_box_bounds, axes) &&
              offsetof(OrientedBoxBounds, half_extents) == offsetof(lanecull_oriented_box_bounds, half_extents));
inline OrientedBoxBounds* same(lanecull_oriented_box_bounds* box) { return reinterpret_cast<OrientedBoxBounds*>(box); }

}  // namespace lanecull::c
