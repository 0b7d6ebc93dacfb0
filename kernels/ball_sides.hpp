#pragma once

/// Stage 1 for balls and perspective volumes, in view space: three dot products and a pair of sides each with |x| and
/// |y|, where six planes take six dot products. Of spheres, uniform, that saves a fifth (AVX-512, Zen 4).
///
/// The volume lies where low z <= x <= high z. With m the middle of the slopes and t half of what is between them that
/// is |x - m z| <= t z; divided by the longer of the two sides' normals no side is taken for farther away than it is.
/// So whatever sides tell outside is behind a plane of the view. So is what depths tell, though depth planes may be
/// tilted and the depths tested are those of the outermost edge. With T the tangent of the tilt towards x or y, a ball
/// between the sides reaches no farther than (2 + slope) reach beyond the edges that limit the plane there, and the
/// plane is no more than 2 T times that deeper: less than depth_share of the reach, which depths are asked for on top.
///
/// How far a volume off its axis is from its shorter normal's side is underestimated: such balls are left to stage 2.

namespace lanecull {
namespace {

constexpr float depth_share = 0x1p-6f;

inline bool has_pairs_of_sides(const PreparedView& view) {
    if (!is_perspective(view)) return false;
    for (std::uint32_t k = 4; k < view.plane_count; ++k) {  // the depth planes
        const float(&n)[3] = view.view_normal[k];
        const float x = __builtin_fabsf(n[0]), y = __builtin_fabsf(n[1]), across = x > y ? x : y;
        if (!(2 * across * (2 + view.slope_magnitude) <= 0.5f * depth_share * __builtin_fabsf(n[2]))) return false;
    }
    return true;
}

/// Tilted: depth planes are not parallel to the view plane.
template <class Kind, bool Tilted>
struct BallSidesStageOne {
    RelativeAxesW axes;
    FloatW slope_x, slope_y;
    RowW x, y, z;  // x and y slanted and scaled
    FloatW near, far;
    FloatW surely_near, surely_far;  // where depth planes are tilted: between them is the volume's own
    BallBoundW bound;

    LANE_INLINE explicit BallSidesStageOne(const PreparedView& view)
        : axes(view.frame),
          x(slanted(view.frame, 0, view.x_range, slope_x)),
          y(slanted(view.frame, 1, view.y_range, slope_y)),
          z(view.frame, 2, 1, 0),
          bound(view, roundings::early) {
        const Depths depths(view);
        near = FloatW(depths.near), far = FloatW(depths.far);
        surely_near = FloatW(depths.surely_near), surely_far = FloatW(depths.surely_far);
    }

    static LANE_INLINE RowW slanted(const Frame& frame, std::uint32_t k, const float (&range)[2], FloatW& slope) {
        const double low = range[0], high = range[1];
        const double steepest = low * low > high * high ? low * low : high * high;
        const double scale = 1 / __builtin_sqrt(1 + steepest);
        slope = FloatW(static_cast<float>(0.5 * (high - low) * scale));
        return RowW(frame, k, scale, -0.5 * (low + high) * scale);
    }

    template <class Fetch, class Growth, class Doubt>
    LANE_INLINE ClassifiedW classify(const typename Kind::Shapes& s, const Fetch& fetch, const Growth&,
                                     Doubt& doubt) const {
        const BallW ball = Kind::ball(s, fetch);
        const Vec3W q = axes.relative(ball.center);
        const FloatW depth = z.at(q);
        const FloatW sides = min(fms(depth, slope_x, abs(x.at(q))), fms(depth, slope_y, abs(y.at(q))));
        const FloatW least = min(sides, FloatW(1 - depth_share) * min(depth - near, far - depth));
        const FloatW reach = bound.reach(q, ball.radius);
        const MaskW outside = least < -reach;
        if constexpr (!Kind::has_ball_center)
            return doubt.look_at(reach, ball.radius) & ClassifiedW{outside, mask_of(0)};
        FloatW within = least;
        if constexpr (Tilted) within = min(sides, min(depth - surely_near, surely_far - depth));
        return doubt.look_at(reach, ball.radius) & ClassifiedW{outside, within >= FloatW(0.0f)};
    }
};

}  // namespace
}  // namespace lanecull
