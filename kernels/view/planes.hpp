#pragma once

/// The planes of a view. They are read, rounded outward and appended; or they are made from the points and rays whose
/// hull the view is. view/PROOF.md has the reasons ("Planes", "Planes of hulls").

#include <cstddef>
#include <span>

#include <lanecull/view.h>

#include "base/affine.hpp"
#include "base/fixed_list.hpp"
#include "view/double_description.hpp"
#include "view/prepared_view.hpp"

namespace lanecull {

/// The rules for a plane that a caller gives.
[[nodiscard]] Status check_plane(const Plane& plane, const char* name, std::size_t index);
/// Reads a plane as a function of world points, with a normal of length about 1. Messages call the argument `name`.
[[nodiscard]] Status read_plane(const Plane& plane, const char* name, std::size_t index, Affine& half_space);

/// Appends f >= 0, a function of p - c, to the view's planes. The normal gets a length of at most 1; the offset is
/// raised by all parts of the rounding bound that do not depend on the object. False if the plane is not known well
/// enough.
bool add_plane(const Affine& f, const NormalsInView& seen, PreparedView& view);
/// Fills the unused ones of stage 1's planes with planes that every object is inside of.
void pad_planes(PreparedView& view);

/// The hull of generators, of which extents along directions are computed.
class HullSupport {
public:
    struct Extreme {
        double points, rays;  ///< at most n . p and n . r, wherever p and r are in their errors; infinity without any
    };

    explicit HullSupport(std::span<const Generator> generators);
    [[nodiscard]] Extreme least_along(const Double3& n) const;

private:
    struct Point {
        Double3 middle;
        /// n . p is off by |n|_1 times this, at most: by p's error, by roundings, which SumOfProducts counts, and by
        /// what underflows.
        double slack;
    };

    FixedList<Point, LitGenerators::capacity> points_;
    FixedList<Interval3, LitGenerators::capacity> rays_;
};

/// Finds the half-space with inward normal n that just holds all generators. If a ray runs along its plane, n is turned
/// a little towards `forward`, along which all rays lead. False if there is none.
[[nodiscard]] bool touching_plane(Double3 n, const Double3& forward, const HullSupport& hull, Affine& f);

/// Adds planes around the hull of generators, which are functions of p - c. For volumes that are given without planes.
void add_hull_planes(std::span<const Generator> generators, const Interval3x3& rotation, PreparedView& view);

}  // namespace lanecull
