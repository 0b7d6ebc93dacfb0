#pragma once

/// One pair of convex shapes at a time, for tools, editors and gameplay. Do they intersect? How far apart are they, and
/// where are they nearest? How deep are they in each other? When does a moving one first touch the other? Headers only,
/// which need the standard library alone; floats or doubles, 3D or 2D; without exceptions, run-time types or
/// allocation. Must not be compiled with -ffast-math, which makes the proofs void.
///
/// Bounds and verdicts are proved for the default floating-point environment: rounding to nearest, and numbers that
/// underflow are kept. The code does not read the modes that are set. Directed rounding doubles every rounding, and
/// the bounds count them once. If numbers are flushed to zero (FTZ, DAZ), a cylinder, cone or sector whose axis is
/// shorter than the smallest normal number loses its disk. Otherwise the bounds leave room for both, without a proof:
/// the project's tests find no pair that shares a point and is separated in these modes.
///
/// ```cpp
/// #include <lanecull/gjk.hpp>
/// #include <cmath>
///
/// namespace gjk = lanecull::gjk;
///
/// int main() {
///     const gjk::Box<double> crate{{0, 0, 0}, {1, 1, 1}};               // center, half extents
///     const gjk::Capsule<double> pole{{3, 0, -5}, {3, 0, 5}, 0.5};      // from, to, radius
///     if (gjk::may_intersect(crate, pole)) return 1;                    // false is proof
///
///     const auto found = gjk::distance(crate, pole);                    // found.a, found.b: where they are nearest
///     if (found.verdict != gjk::Verdict::separated) return 1;
///     return std::abs(found.distance - 1.5) < 1e-14 && std::abs(found.b.x - 2.5) < 1e-14 ? 0 : 1;
/// }
/// ```
///
/// Contacts and casts that turn have headers of their own, gjk/contacts.hpp and gjk/turning_cast.hpp.
///
/// gjk/shapes.hpp, hull.hpp and views.hpp have the shapes; gjk/detail/support.hpp says how to write a shape of your
/// own. The examples in these headers are compiled and run by the project's tests. All functions are thread-safe: they
/// keep nothing and write only what they return.

#include <lanecull/gjk/cast.hpp>
#include <lanecull/gjk/distance.hpp>
#include <lanecull/gjk/hull.hpp>
#include <lanecull/gjk/intersect.hpp>
#include <lanecull/gjk/penetration.hpp>
#include <lanecull/gjk/shapes.hpp>
#include <lanecull/gjk/signed_distance.hpp>
#include <lanecull/gjk/views.hpp>
