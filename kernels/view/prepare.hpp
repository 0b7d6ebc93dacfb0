#pragma once

/// Steps that every kind of view is prepared by. kernels/README.md derives them.

#include <lanecull/view.hpp>

#include "base/affine.hpp"
#include "view/double_description.hpp"

namespace lanecull {

struct ViewAccess {
    static void set(View& view, const PreparedView& prepared) { view.prepared_ = prepared; }
};

inline constexpr double coordinate_limit = 1e30;

/// A plane as a function of world points, its normal of length 1 or so. `name` is the argument's.
[[nodiscard]] Status read_plane(const Plane& plane, const char* name, std::size_t index, Affine& half_space);

/// c as two floats a component, near a point in world coordinates; returns its exact place.
Interval3 choose_origin(const Double3& near, Frame& frame);

/// R's rows as floats. Whether they are orthonormal, within that rounding, decides how balls are treated.
Interval3x3 choose_rotation(const Double3 (&axis)[3], Frame& frame);
/// Orthonormal rows, the third along `forward`.
Interval3x3 choose_rotation_along(const Double3& forward, Frame& frame);

/// The volume's error from being `distance` off, and from subtracting the origin in floats.
float apex_error_of(double distance, const Frame& frame);

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

/// Fills the polytope's points and rays. False, with the view none the worse, when they are not known well enough.
bool describe_polytope(std::span<const Generator> generators, const Interval3x3& rotation, PreparedView& view);

/// The same, where the planes are the volume and decide alone unless the corners are known as well as floats can be:
/// worse ones cull less than planes do.
void describe_if_known_well(std::span<const Generator> generators, const Interval3x3& rotation, PreparedView& view);

}  // namespace lanecull
