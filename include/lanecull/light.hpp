#pragma once

#include <limits>
#include <span>

#include <lanecull/plane.hpp>

/// Lights, for views of what casts shadows. Let V be the view's volume. Given a light, prepare_view() and the functions
/// like it make the volume of all casters whose shadow may fall into V, in place of V itself. The result is a view like
/// any other: objects that share no point with it cast no shadow that can be seen.
///
/// * Sun: V swept towards the sun. A caster meets this volume exactly when its shadow meets V. With an infinite reach
///   the sweep has no end. If V has no end either and the sun stands straight behind it (the direction away from the
///   sun runs inside of V for ever), the volume is all of space, or planes alone describe it. Then little or nothing is
///   culled.
/// * Lamp: the convex hull of V and the lamp. A caster meets this volume exactly when its shadow meets V, wherever the
///   lamp is, in V too. With `sides` V is first cut to them: a spot's pyramid.
/// * Lamp with a range: V is cut to the cube around the ball that the lamp reaches, and casters beyond the ball are
///   culled by their distance (Reason::culled_distance). This is conservative, not exact: a caster whose shadow
///   falls between ball and cube is kept. With three `sides` or more, a side of the cube that would cut off hardly more
///   than the margin is left out.
///
/// View::exact() says whether the casters' volume is exact to the error bound, or larger. If the light reaches nothing
/// of V, the view sees nothing: every object is culled.
///
/// A margin of the view widens what receives the shadow (for filters, texels, offsets), together with the limits by
/// `sides` and range. The volume is then everything within that margin of the one above; so it is right for lamps of
/// that radius too. Clip planes cut V before the light is taken into account.
///
/// Cost (benchmarks prepare/): 4 to 7 microseconds, 2 for one of many (prepare_caster_views()), more with clip planes.
/// Culling a million uniform boxes takes 1.3 to 1.5 times as long as by V itself with AVX-512, 1.6 to 1.9 with AVX2:
/// casters' volumes are larger and have more sides (benchmarks casters/).
namespace lanecull {

/// Light from one direction.
struct Sun {
    /// The direction to the sun, from anywhere; finite, of a length from 1e-150 to 1e150.
    double toward[3] = {0, 0, 0};
    /// >= 0. Casters stand up to `reach` times `toward` away from what they shade; if `toward` has length 1, `reach` is
    /// that distance in units. Infinite: any distance.
    double reach = std::numeric_limits<double>::infinity();
};

/// Light from a point: a lamp, one face of its cube map, or a spot.
struct Lamp {
    double at[3] = {0, 0, 0};                                ///< world coordinates, up to 1e30
    double range = std::numeric_limits<double>::infinity();  ///< > 0: the lamp lights what is no farther away
    /// The lamp lights only what lies inside all of these half-spaces: the sides of a spot's pyramid, or of a cube
    /// map's face. At most 8. Read while the view is prepared.
    std::span<const Plane> sides = {};
};

}  // namespace lanecull
