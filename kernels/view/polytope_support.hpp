#pragma once

/// The support mapping of a volume that is described by points and rays. view/PROOF.md has the reasons
/// ("Polytopes").

#include <cmath>
#include <span>

#include "base/affine.hpp"
#include "view/double_description.hpp"
#include "view/prepared_view.hpp"

namespace lanecull {

/// Fills in the polytope's points and rays. False, with the view unchanged, if they are not known well enough: its
/// `apex_error` would be above `most_error`, for one.
bool describe_polytope(std::span<const Generator> generators, const Interval3x3& rotation, PreparedView& view,
                       double most_error = HUGE_VAL);

/// The same for views whose planes are the volume. Does nothing unless the corners are known as well as floats can
/// represent them: with worse corners less is culled than by the planes alone.
bool describe_if_known_well(std::span<const Generator> generators, const Interval3x3& rotation, PreparedView& view);

/// Describes a volume, which is what half-spaces leave, by its corners, too; or as nothing, where it has no point for
/// certain. Leaves the view as it is if the corners are not known well enough.
void describe_by_corners(std::span<const Affine> half_spaces, const Interval3x3& rotation, PreparedView& view);

}  // namespace lanecull
