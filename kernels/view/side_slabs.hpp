#pragma once

#include <lanecull/prepared_view.hpp>

namespace lanecull {

/// Fills the pairs of sides that stage 1 asks balls about (stages/sphere_slabs.hpp) from a perspective volume's slopes
/// and depths; leaves them unknown where they would not tell enough. Why they tell no more: kernels/PROOF.md, "Balls in
/// view space".
void describe_sides(PreparedView& view);

/// Fills what balls' distances are measured by.
void describe_distances(PreparedView& view);

}  // namespace lanecull
