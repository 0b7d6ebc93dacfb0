#pragma once

#include <lanecull/solids.hpp>

#include "scene/array.hpp"
#include "solids/triangle.hpp"

namespace lanecull::solids {

inline Status no_memory() {
    return Status::failure(StatusCode::out_of_memory, "solid_boxes: there is not enough memory");
}

/// Reads the mesh's triangles. Fails if it breaks a rule of TriangleMesh, if it is not closed, or for lack of memory.
[[nodiscard]] Status read_closed_mesh(const TriangleMesh& mesh, Array<Triangle>& triangles);

/// The integral of the winding number, as computed in doubles: for a surface that does not meet itself its volume, and
/// negative if its triangles are clockwise seen from outside.
[[nodiscard]] double signed_volume(const Array<Triangle>& triangles);

}  // namespace lanecull::solids
