#pragma once

/// Stage 1 by planes, in relative coordinates: every object of a batch against up to six of the view's planes, boxes
/// against all of them. Where the view has a margin, planes are moved out by it, so that objects are tested as they
/// are.
///
/// A lane is outside only by a comparison that succeeds: the largest n . q + offset over the object, plus the bound, is
/// below zero. NaN fails every comparison, and `magnitude` adds every number of the object so that none is overlooked.
/// Whether objects are valid at all is tested for whole words (cull/classified.hpp), because few are not.

#include <cstdint>

#include "base/rounding_bound.hpp"
#include "cull/classified.hpp"
#include "lanes/box.hpp"
#include "lanes/frames.hpp"
#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"
#include "lanes/vec3w.hpp"
#include "view/prepared_view.hpp"

namespace lanecull {
namespace {

/// How far stage 1 moves planes out: by the view's margin, and by what stage 1 requires on top of a distance of that
/// size. 0 without a margin.
inline float moved_out(const PreparedView& view) {
    return view.margin * (1 + 2 * error_per_magnitude(roundings::early));
}

/// How many of the view's planes stage 1 tests for objects of this kind: the first so many. Kinds that keep planes in
/// memory may take all of them, so that most of a directional light's or a point light's view is decided in one pass.
/// But not where the view has a margin: what planes that are moved out leave is accepted by its centre anyway. Nor
/// where a point light's range bounds the volume: then the first six planes cull most, and all of them take up to 1.4
/// times as long.
template <class Kind>
LANE_INLINE std::uint32_t planes_in_stage_one(const PreparedView& view) {
    const bool all = Kind::stage_one_takes_more_planes && view.margin == 0 && view.light_range == 0;
    return all || view.plane_count < PreparedView::stage_one_planes ? view.plane_count : PreparedView::stage_one_planes;
}

/// The view's planes that stage 1 tests, broadcast once per chunk, so that the loop can keep them in registers. Where
/// they are few, which is so for most blocks of a scene, a branch that always goes the same way skips the others. (Any
/// number of planes, in a loop that reads them from memory: 9 % slower for spheres and all six planes.)
struct RelativePlanesW : StageOneTest {
    static constexpr std::uint32_t few = 2;

    RelativeAxesW axes;
    Vec3W normal[PreparedView::stage_one_planes];
    FloatW offset[PreparedView::stage_one_planes];
    bool are_few;

    LANE_INLINE RelativePlanesW(const PreparedView& view, std::uint32_t planes) : axes(view.frame) {
        std::uint32_t count = 0;
        for (std::uint32_t k = 0; k < PreparedView::stage_one_planes; ++k) {
            if ((planes >> k & 1) == 0) continue;
            normal[count] = broadcast3(view.normal[k]);
            offset[count++] = FloatW(view.offset[k] + moved_out(view));
        }
        are_few = count <= few;
        for (; count < PreparedView::stage_one_planes; ++count) {
            normal[count] = {FloatW(0.0f), FloatW(0.0f), FloatW(0.0f)};  // everything is inside of these
            offset[count] = FloatW(__builtin_inff());
        }
    }

    /// Smallest value of a function of (normal, offset) over the planes.
    template <class Function>
    LANE_INLINE FloatW least(const Function& function) const {
        FloatW smallest = function(0);
        for (std::uint32_t k = 1; k < few; ++k) smallest = min(smallest, function(k));
        if (are_few) return smallest;
        for (std::uint32_t k = few; k < PreparedView::stage_one_planes; ++k) smallest = min(smallest, function(k));
        return smallest;
    }
};

/// Balls, in relative coordinates: spheres themselves, and the bounding spheres of other kinds. What is in the volume
/// with `inner` around its centre counts as inside.
template <class Expansion, class Doubt>
LANE_INLINE ClassifiedW test_ball(const RelativePlanesW& planes, const BallW& ball, FloatW inner,
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
struct BallPlaneTest : RelativePlanesW {
    using RelativePlanesW::RelativePlanesW;

    template <class Fetch, class Expansion, class Doubt>
    LANE_INLINE ClassifiedW test(const typename Kind::Shapes& s, const Fetch& fetch, const Expansion& expansion,
                                 Doubt& doubt) const {
        BallW ball = Kind::ball(axes, s, fetch);
        // An object that need not contain its ball's centre is inside if the whole ball is.
        const FloatW inner = Kind::has_ball_center ? FloatW(0.0f) : ball.radius;
        return test_ball(*this, ball, inner, expansion, doubt);
    }
};

}  // namespace
}  // namespace lanecull
