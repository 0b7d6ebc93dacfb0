#pragma once

/// The planes of a view: read, rounded outward and appended, or made from the points and rays whose hull the view is.
/// kernels/PROOF.md has the reasons ("Planes", "Planes of hulls").

#include <cstddef>
#include <span>

#include <lanecull/plane.hpp>
#include <lanecull/prepared_view.hpp>
#include <lanecull/status.hpp>

#include "base/affine.hpp"
#include "view/double_description.hpp"

namespace lanecull {

/// A plane as a function of world points, its normal of length 1 or so. `name` is the argument's.
[[nodiscard]] Status read_plane(const Plane& plane, const char* name, std::size_t index, Affine& half_space);

/// Appends f >= 0, a function of p - c, to the view's planes: the normal no longer than 1, the offset raised by all
/// that does not depend on the object. False when it cannot be told well enough.
bool add_plane(const Affine& f, const IntoViewSpace& seen, PreparedView& view);
/// Everything is inside of an unused plane.
void pad_planes(PreparedView& view);

/// The half-space with inward normal n that just holds all generators. Where a ray runs along its plane, n is turned a
/// little towards `forward`, which all rays follow. False where there is none.
[[nodiscard]] bool touching_plane(Double3 n, const Double3& forward, std::span<const Generator> generators, Affine& f);

/// Planes around the hull of generators, functions of p - c, which take the place of planes that are given.
void add_hull_planes(std::span<const Generator> generators, const Interval3x3& rotation, PreparedView& view);

}  // namespace lanecull
