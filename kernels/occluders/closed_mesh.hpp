#pragma once

#include <lanecull/solids.hpp>

#include "base/array.hpp"
#include "occluders/triangle.hpp"

namespace lanecull::solids {

inline Status no_memory() {
    return Status::failure(StatusCode::out_of_memory, "solid_boxes: there is not enough memory");
}

/// Reads the mesh's triangles. Fails if it breaks a rule of TriangleMesh, if it is not closed, or for lack of memory.
[[nodiscard]] Status read_closed_mesh(const TriangleMesh& mesh, Array<Triangle>& triangles);

}  // namespace lanecull::solids
