#pragma once

/// Balls: spheres themselves, and the bounding spheres of other kinds.

#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"
#include "lanes/vec3w.hpp"

namespace lanecull {
namespace {

/// A ball in the coordinates of the axes that it was made with.
struct BallW {
    Vec3W center;
    FloatW radius;
    FloatW size;  // the object's size whose bits come last: negative, infinite or NaN if any of its sizes is
};

/// A ball around a box, larger than need be, for tests that may leave more undecided. The sum of the half-extents needs
/// no square root, and is no more than sqrt(3) times as long as half the diagonal.
LANE_INLINE BallW ball_around(const Vec3W& center, const Vec3W& half) {
    return {center, (half.x + half.y) + half.z, later_bits(later_bits(half.x, half.y), half.z)};
}

}  // namespace
}  // namespace lanecull
