#pragma once

/// Stage 1 for balls and perspective volumes, in view space. It takes three dot products, and tests a pair of opposite
/// sides by |x| and a pair by |y|, where six planes take six dot products (view/side_slabs.cpp prepares the numbers). A
/// ball is culled if its centre is beyond a side or a depth by more than the radius and an allowance for rounding. The
/// allowance grows with the depth, not with each object's coordinates: an object far from the volume's axis is about as
/// far beyond the volume's sides, and the radius is counted a little larger than it is. So no object's coordinates are
/// summed up.
///
/// Boxes along the axes are tested as balls, too, with the sum of their half-extents for a radius. A box's corners are
/// not needed, so a packet takes 33 operations, and of uniform boxes no more than 1 % stay undecided. Capsules are also
/// tested as balls: 0.91 instead of 1.48 ns (uniform, AVX2, EPYC of family 25, model 1).
///
/// The volume lies where low z <= x <= high z. With m the middle of the two slopes and t half of their difference, that
/// is |x - m z| <= t z. This is divided by the length of the longer of the two sides' normals, so no side is taken for
/// farther away than it is. So whatever is outside by the sides is behind a plane of the view.
///
/// Whatever is outside by its depth is also behind a plane of the view, though depth planes may be tilted and the
/// depths tested are those of the outermost edge. With T the tangent of the tilt towards x or y, a ball between the
/// sides reaches no farther than (2 + slope) times its reach beyond the edges that limit the plane there, and the plane
/// is no more than 2 T times that deeper. That is less than depth_share of the reach, and the depth test requires that
/// much on top.
///
/// Where the volume is off its axis, the distance from the side with the shorter normal is underestimated. Balls that
/// are missed by this are left to stage 2.

#include <cstdint>
#include <type_traits>

#include "base/rounding_bound.hpp"
#include "cull/classified.hpp"
#include "cull/kind_traits.hpp"
#include "lanes/box.hpp"
#include "lanes/frames.hpp"
#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"
#include "lanes/vec3w.hpp"
#include "view/prepared_view.hpp"

namespace lanecull {
namespace {

/// Which depths balls are tested against. Where the near plane is near and the world's origin is not too far away,
/// balls are not tested against the near plane (behind the apex they are beyond the sides) and not brought to relative
/// coordinates. That saves a fifth of all operations.
enum class SlabDepths { both, far, none };
inline SlabDepths slab_depths(const PreparedView& view) {
    if (origin_rounding(view) >= view.sides.allowance) return SlabDepths::both;
    return view.sides.far_depth < __builtin_inff() ? SlabDepths::far : SlabDepths::none;
}

/// The row and the constant of a function of p - (hi + lo), as a function of p - hi or of p.
LANE_INLINE Vec3W row_of(const double (&row)[3]) {
    return {FloatW(static_cast<float>(row[0])), FloatW(static_cast<float>(row[1])), FloatW(static_cast<float>(row[2]))};
}
LANE_INLINE FloatW constant_of(const double (&row)[3], const Frame& frame, bool of_p, double unit) {
    double constant = 0;
    for (std::uint32_t j = 0; j < 3; ++j) {
        const auto hi = static_cast<double>(frame.origin_hi[j]), lo = static_cast<double>(frame.origin_lo[j]);
        constant -= row[j] * (of_p ? hi + lo : lo);
    }
    return FloatW(static_cast<float>(unit * constant));
}

/// Asked: slab_depths().
template <class Kind, SlabDepths Asked>
struct SlabTest : StageOneTest {
    static LANE_INLINE PlaceDoubtW doubt() { return {}; }
    static constexpr bool of_p = Asked != SlabDepths::both;
    static constexpr float unit = Kind::ball_unit;  // all lengths here are multiplied by it

    using Axes = std::conditional_t<of_p, OwnAxes, RelativeAxesW>;

    Axes axes;
    Vec3W x, y, z;
    FloatW x_0, y_0, z_0;
    FloatW minus_slope_x, minus_slope_y;
    FloatW near, far, inner_near, inner_far;
    FloatW scale, share, fixed;
    FloatW inside;  // 0 or negative: a centre counts as inside if it is beyond no side and no depth by more than this

    LANE_INLINE explicit SlabTest(const PreparedView& view)
        : axes(view.frame),
          x(row_of(view.sides.row[0])),
          y(row_of(view.sides.row[1])),
          z(row_of(view.sides.row[2])),
          x_0(constant_of(view.sides.row[0], view.frame, of_p, unit)),
          y_0(constant_of(view.sides.row[1], view.frame, of_p, unit)),
          z_0(constant_of(view.sides.row[2], view.frame, of_p, unit)),
          minus_slope_x(-view.sides.slope_x),
          minus_slope_y(-view.sides.slope_y),
          near(unit * view.sides.near_depth),
          far(unit * view.sides.far_depth),
          inner_near(unit * view.sides.inner_near),
          inner_far(unit * view.sides.inner_far),
          scale(view.sides.scale),
          share(view.sides.share),
          fixed(unit * (view.sides.fixed + (of_p ? origin_rounding(view) : 0.0f))),
          inside(of_p ? unit * -(view.sides.near_reach + origin_rounding(view)) : 0.0f) {}

    LANE_INLINE FloatW beyond_sides(const Vec3W& p, FloatW depth) const {
        return max(fma(depth, minus_slope_x, abs(dot_plus(x, p, x_0))),
                   fma(depth, minus_slope_y, abs(dot_plus(y, p, y_0))));
    }

    template <class Fetch, class Expansion, class Doubt>
    LANE_INLINE ClassifiedW test(const typename Kind::Shapes& s, const Fetch& fetch, const Expansion&,
                                 Doubt& doubt) const {
        BallW ball = Kind::ball(axes, s, fetch);
        const FloatW depth = dot_plus(z, ball.center, z_0), sides = beyond_sides(ball.center, depth);
        // The order matters: max() returns its second operand if either is NaN. `sides` comes second, and it is NaN or
        // +inf for infinite input; so the result is NaN or +inf as well, never finite. A centre deeper than inner_far
        // never counts as inside, even if the volume is endless.
        FloatW beyond = sides, without = max(depth - inner_far, sides);
        if constexpr (Asked == SlabDepths::far) beyond = without = max(depth - far, sides);
        if constexpr (Asked == SlabDepths::both) {
            beyond = max(max(near - depth, depth - far), sides);
            without = max(inner_near - depth, without);
        }
        const FloatW reach = fma(ball.radius, scale, fma(depth, share, fixed));
        const auto sound = doubt.look_at(beyond, ball.size);
        // An object that need not contain its ball's centre is inside if the whole ball is.
        if constexpr (!Kind::has_ball_center) without = fma(ball.radius, scale, without);
        return sound & ClassifiedW{beyond > reach, without <= inside};
    }
};

}  // namespace
}  // namespace lanecull
