#pragma once

/// Balls: spheres themselves, and the bounding spheres of other kinds.

#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"
#include "lanes/vec3w.hpp"

namespace lanecull {
namespace {

/// In the coordinates that it was asked for in.
struct BallW {
    Vec3W center;
    FloatW radius;
    FloatW size;  // of the object's sizes the one whose bits come last: negative, infinite or NaN if any is
};

/// A ball around a box, for whoever is content to leave more undecided: half-extents summed up need no square root, and
/// are no more than 1.7 times as long as half the diagonal.
LANE_INLINE BallW ball_around(const Vec3W& center, const Vec3W& half) {
    return {center, (half.x + half.y) + half.z, later_bits(later_bits(half.x, half.y), half.z)};
}

}  // namespace
}  // namespace lanecull
