#pragma once

#include <limits>
#include <span>

#include <lanecull/plane.hpp>

/// Lights, for views of what casts shadows: given a light, prepare_view() and the others like it make, instead of the
/// view's volume V, the volume of all casters whose shadow may fall into V. It is a view like another: objects that
/// share no point with it cast no shadow that can be seen.
///
/// * Sun: V swept towards the sun. A caster meets it exactly when its shadow meets V. With an infinite reach the
///   sweep has no end. Where V has no end either and the sun stands straight behind it (the way to the sun turned round
///   runs inside of V for ever), it is all of space, or planes alone tell it: then little or nothing is culled.
/// * Lamp: the convex hull of V and the lamp; a caster meets it exactly when its shadow meets V, wherever the lamp is,
/// in
///   V too. With `sides` V is first cut to them: a spot's pyramid.
/// * Lamp with a range: V is cut to the cube around the ball that the lamp reaches, and casters beyond the ball are
///   rejected by their distance (Statistics::culled_distance). Conservative, not exact: a caster whose shadow falls
///   between ball and cube is kept.
///
/// View::exact() tells whether the caster volume is V's to the bound or larger. Where the light reaches nothing of V,
/// preparing succeeds and every object is culled.
///
/// A margin of the view widens what receives the shadow (filters, texels, offsets); what `sides` and range limit is
/// widened with it. The volume is then all within that margin of the one above, which holds lamps of that radius too.
/// Clip planes cut V before the light counts.
///
/// Cost: preparing takes some 50 microseconds, 100 of a lamp with a range, more with clip planes. Culling a million
/// uniform boxes takes 1.3 to 2.0 times as long as by V itself, which casters' volumes are larger than.
namespace lanecull {

/// Light from one direction.
struct Sun {
    /// From anywhere to the sun; finite, not 0, of a length from 1e-150 to 1e150.
    double toward[3] = {0, 0, 0};
    /// >= 0. Casters stand up to `reach` times `toward` away from what they shade: with a `toward` of length 1, so many
    /// units. Infinite: any distance.
    double reach = std::numeric_limits<double>::infinity();
};

/// Light from a point: a lamp, one face of its cube map, or a spot.
struct Lamp {
    double at[3] = {0, 0, 0};                                ///< world coordinates, up to 1e30
    double range = std::numeric_limits<double>::infinity();  ///< > 0: it lights what is no farther away
    /// It lights what lies inside of all of these alone: the sides of a spot's pyramid, or of a cube map's face. At
    /// most 8; read while the view is prepared.
    std::span<const Plane> sides = {};
};

}  // namespace lanecull
