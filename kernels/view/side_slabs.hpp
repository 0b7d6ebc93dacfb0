#pragma once

#include <lanecull/prepared_view.hpp>

namespace lanecull {

/// Fills in the side slabs that stage 1 tests balls against (cull/sphere_slabs.hpp), from a perspective volume's
/// slopes and depths. Leaves them unknown if they would not decide enough. kernels/PROOF.md, "Stage 1: balls against
/// side slabs", has the reasons.
void describe_sides(PreparedView& view);

/// Fills in the numbers for balls' distances.
void describe_distances(PreparedView& view);

}  // namespace lanecull
