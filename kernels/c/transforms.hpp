#pragma once

/// Kinds of C as those of C++, where more than batches take them.

#include <lanecull/c/batch.h>
#include <lanecull/batch.hpp>

#include "c/given.hpp"
#include "c/same_layout.hpp"

namespace lanecull::c {

inline Records records_of(const lanecull_records& r) { return {r.first, or_default(r.stride_bytes, Records::packed)}; }

inline Boxes boxes_of(const lanecull_boxes& s) {
    return {s.min_x, s.min_y, s.min_z, s.max_x, s.max_y, s.max_z, s.count};
}

inline OrientedBoxes oriented_boxes_of(const lanecull_oriented_boxes& s) {
    return {
        s.x,    s.y, s.z, records_of(s.axes), records_of(s.quaternions), records_of(s.half_extents), s.bounding_radius,
        s.count};
}

inline Status take_transforms(const lanecull_transforms* given, Transforms& to) {
    if (Status status = check_struct(given, "transforms"); !status) return status;
    to.first = given->first;
    to.stride_bytes = or_default(given->stride_bytes, Records::packed);
    to.positions = {given->positions.first, or_default(given->positions.stride_bytes, Records::packed)};
    for (int k = 0; k < 3; ++k) to.origin[k] = given->origin[k];
    if (given->layout == 0) return Status::failure("transforms.layout: must name a layout, and 0 names none");
    return take_enum(given->layout, TransformLayout::columns_4x4, "transforms.layout", to.layout);
}

inline Status take_hull_instances(const lanecull_hull_instances& s, HullInstances& to) {
    to.hulls = same(s.hulls);
    to.hull_count = s.hull_count;
    to.hull_index = s.hull_index;
    to.bounding_x = s.bounding_x, to.bounding_y = s.bounding_y, to.bounding_z = s.bounding_z;
    to.bounding_radius = s.bounding_radius;
    to.count = s.count;
    return take_transforms(s.transforms, to.transforms);
}

inline Status take_box_instances(const lanecull_box_instances& s, BoxInstances& to) {
    to.count = s.count;
    if (Status status = check_struct(s.boxes, "boxes"); !status) return status;
    to.local = {boxes_of(*s.boxes), s.box_index, records_of(s.lower), records_of(s.upper)};
    return take_transforms(s.transforms, to.transforms);
}

static_assert(LANECULL_ROWS_3X4 == static_cast<int>(TransformLayout::rows_3x4));
static_assert(LANECULL_COLUMNS_3X4 == static_cast<int>(TransformLayout::columns_3x4));
static_assert(LANECULL_ROWS_4X4 == static_cast<int>(TransformLayout::rows_4x4));
static_assert(LANECULL_COLUMNS_4X4 == static_cast<int>(TransformLayout::columns_4x4));

}  // namespace lanecull::c
