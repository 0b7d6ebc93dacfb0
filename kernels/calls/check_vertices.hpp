#pragma once

#include <lanecull/bounds.hpp>

#include "calls/check.hpp"

namespace lanecull {

/// Checks the preconditions of Vertices, except those on the coordinates' values.
inline Status check(const Vertices& v) {
    if (v.x == nullptr || v.y == nullptr || v.z == nullptr) {
        return Status::failure("vertices.%s: must not be null", v.x == nullptr ? "x" : v.y == nullptr ? "y" : "z");
    }
    if (v.count == 0) return Status::failure("vertices.count: there must be at least one");
    if (v.stride_bytes % sizeof(float) != 0 || v.stride_bytes == 0 || v.stride_bytes > max_stride_bytes) {
        return Status::failure("vertices.stride_bytes: %zu is not a multiple of 4 from 4 to %zu", v.stride_bytes,
                               max_stride_bytes);
    }
    return {};
}

}  // namespace lanecull
