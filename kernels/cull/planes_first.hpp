#pragma once

/// Stage 1, in relative coordinates: every object of a batch against the view's planes.
///
/// A lane is outside only by a comparison that succeeds: the largest n . q + offset over the object, plus the bound, is
/// below zero. NaN fails every comparison, and `magnitude` adds every number of the object so that none is overlooked.
/// Whether objects are valid at all is tested for whole words (cull/classified.hpp), because few are not.

#include <cstdint>

#include "cull/classified.hpp"
#include "cull/volume_planes.hpp"
#include "lanes/box.hpp"
#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"
#include "lanes/vec3w.hpp"

namespace lanecull {
namespace {

/// Balls, in relative coordinates: spheres themselves, and the bounding spheres of other kinds. What is in the volume
/// with `inner` around its centre counts as inside.
template <class Expansion, class Doubt>
LANE_INLINE ClassifiedW classify_ball(const RelativePlanesW& planes, const BallW& ball, FloatW inner,
                                      const Expansion& expansion, Doubt& doubt) {
    const Vec3W& q = ball.center;
    FloatW least_center(0.0f);
    const FloatW least = planes.least([&](std::uint32_t k) LANE_LAMBDA {
        const FloatW at_center = dot_plus(planes.normal[k], q, planes.offset[k]);
        least_center = k == 0 ? at_center : min(least_center, at_center);
        return expansion.beyond(planes.normal[k], at_center);
    });
    const FloatW magnitude = expansion.enlarged(one_norm(q) + ball.radius);
    const FloatW reach = fma(FloatW(Expansion::stage_one_error), magnitude, ball.radius);
    const auto sound = doubt.look_at(reach, ball.size);
    return sound & ClassifiedW{least < -reach, least_center >= inner};
}

/// Stage 1 by planes for kinds that it sees as balls.
template <class Kind>
struct BallStageOne : RelativePlanesW {
    using RelativePlanesW::RelativePlanesW;

    template <class Fetch, class Expansion, class Doubt>
    LANE_INLINE ClassifiedW classify(const typename Kind::Shapes& s, const Fetch& fetch, const Expansion& expansion,
                                     Doubt& doubt) const {
        BallW ball = Kind::ball(axes, s, fetch);
        // An object that need not contain its ball's centre is inside if the whole ball is.
        const FloatW inner = Kind::has_ball_center ? FloatW(0.0f) : ball.radius;
        return classify_ball(*this, ball, inner, expansion, doubt);
    }
};

}  // namespace
}  // namespace lanecull
