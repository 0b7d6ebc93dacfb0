#pragma once

/// Balls against volumes whose distance from a point has a closed form, in view space: boxes, and perspective volumes
/// between two depths. This needs no planes, no edges and no GJK.
///
/// At depth z a perspective volume is the rectangle -tan_x' z <= x <= tan_x z, likewise for y. The centre (x0, y0, z0)
/// is mirrored so that x0 and y0 are not negative, and only the sides of its own quarter count: where a rectangle
/// contains x = 0, the opposite side is never the nearer one. The squared distance from the rectangle at depth z is
/// convex in z. Half its derivative,
///     (z - z0) - tan_x max(0, x0 - tan_x z) - tan_y max(0, y0 - tan_y z),
/// is the least of four rising lines, one for each choice of the sides that are exceeded. So its root is the greatest
/// of the lines' four roots. That root, clamped to the volume's depths, is the depth of the volume's nearest point.

#include <cstdint>

#include "base/rounding_bound.hpp"
#include "cull/classified.hpp"
#include "lanes/box.hpp"
#include "lanes/expansion.hpp"
#include "lanes/frames.hpp"
#include "lanes/gather.hpp"
#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"
#include "lanes/vec3w.hpp"
#include "view/prepared_view.hpp"

namespace lanecull {
namespace {

/// The vector from the volume's nearest point to a place. x and y are without their signs unless a comment says
/// otherwise.
struct ShortestVectorW {
    Vec3W from_nearest;
    MaskW known;  // set: that point is in the volume itself, not only in what is described around it
};

struct Quarter {
    float tan_x, tan_y;
    float share_x, share_y, share_xy;  // 1 / (1 + tan_x^2), 1 / (1 + tan_y^2), 1 / (1 + tan_x^2 + tan_y^2)

    explicit Quarter(const float (&of)[5])
        : tan_x(of[0]), tan_y(of[1]), share_x(of[2]), share_y(of[3]), share_xy(of[4]) {}
};

/// The depths of a perspective volume, near and far; and the depths between which the volume is what is described.
/// Beyond those, its depth planes may be tilted, which those of a frustum may be as well, by a little. Beside a tilt of
/// as much as roundings `early` has room.
struct Depths {
    float near, far;
    float surely_near, surely_far;

    LANE_INLINE explicit Depths(const PreparedView& view)
        : near(view.z_range[0]), far(view.z_range[1]), surely_near(near), surely_far(far) {
        constexpr float little = 8 * unit_roundoff;
        float last_near = near, first_far = far;
        for (std::uint32_t k = 0; k < 4; ++k) {
            if (view.edge_near[k] > last_near) last_near = view.edge_near[k];
            if (view.edge_far[k] < first_far) first_far = view.edge_far[k];
        }
        if (last_near > near * (1 + little)) surely_near = last_near;
        if (first_far < far * (1 - little)) surely_far = first_far;
    }

    bool tilted() const { return surely_near > near || surely_far < far; }
    LANE_INLINE MaskW surely_hold(FloatW depth) const {
        return (depth >= FloatW(surely_near)) & (depth <= FloatW(surely_far));
    }
};

/// A row of R as a function of q = p - hi.
struct RowW {
    Vec3W n;
    FloatW constant;

    LANE_INLINE RowW(const Frame& frame, std::uint32_t k) {
        float components[3];
        double sum = 0;
        for (std::uint32_t j = 0; j < 3; ++j) {
            components[j] = frame.rotation[3 * k + j];
            sum -= static_cast<double>(components[j]) * static_cast<double>(frame.origin_lo[j]);
        }
        n = broadcast3(components);
        constant = FloatW(static_cast<float>(sum));
    }
    LANE_INLINE FloatW at(const Vec3W& q) const { return dot_plus(n, q, constant); }
};

/// Closed forms are used for volumes that are larger than this, or at least this far away from their apex. So a
/// millionth of it can be added to the bound, and its square is far from underflow.
constexpr float least_measure = 1e-9f;

/// How far a ball reaches, plus the bound of the errors of its distance.
struct BallBoundW {
    FloatW share;  // the factor of |q|_1 in the bound
    FloatW scale;  // the radius' factor, which covers errors relative to the distance
    FloatW fixed;  // the part of the bound that does not depend on the object

    LANE_INLINE BallBoundW(const PreparedView& view, double roundings)
        : share(static_cast<float>(roundings * static_cast<double>(unit_roundoff) * (1 + 0x1p-16))),
          scale(view.frame.ball_scale * (1 + 0x1p-20f)) {
        fixed = FloatW(fixed_part(view));
    }
    static LANE_INLINE float fixed_part(const PreparedView& view) {
        float lo = 0;
        for (const float a : view.frame.origin_lo) lo += __builtin_fabsf(a);
        return view.apex_error * (__builtin_sqrtf(3) * (1 + 0x1p-20f)) + 0x1p-20f * lo;
    }
    LANE_INLINE FloatW reach(const Vec3W& q, FloatW radius) const {
        return fma(radius, scale, fma(share, one_norm(q), fixed));
    }
};

/// Symmetric: the quarters are alike but for their rounding, so the largest stands for all. Tilted: depth planes may be
/// tilted.
template <bool Symmetric, bool Tilted>
struct PerspectiveDistance {
    Quarter quarter[Symmetric ? 1 : 2][Symmetric ? 1 : 2];  // [x < 0][y < 0]
    Depths depths;

    explicit PerspectiveDistance(const PreparedView& view) requires Symmetric : quarter{{Quarter(larger(view))}},
                                                                                depths(view) {}
    explicit PerspectiveDistance(const PreparedView& view) requires(!Symmetric)
        : quarter{{Quarter(view.quarter[0][0]), Quarter(view.quarter[0][1])},
                  {Quarter(view.quarter[1][0]), Quarter(view.quarter[1][1])}},
          depths(view) {}

    /// The largest quarter; the quarters differ by rounding alone.
    static const float (&larger(const PreparedView& view))[5] {
        return view.quarter[-view.x_range[0] > view.x_range[1]][-view.y_range[0] > view.y_range[1]];
    }

    LANE_INLINE FloatW of_quarter(const Vec3W& y, float Quarter::*number) const {
        const FloatW first(quarter[0][0].*number);
        if constexpr (Symmetric) {
            return first;
        } else {
            const MaskW left = y.x < FloatW(0.0f), below = y.y < FloatW(0.0f);
            return select(left, select(below, FloatW(quarter[1][1].*number), FloatW(quarter[1][0].*number)),
                          select(below, FloatW(quarter[0][1].*number), first));
        }
    }

    /// The depth of the volume's nearest point.
    LANE_INLINE FloatW depth(const Vec3W& y) const {
        const auto number = [&](float Quarter::*which) LANE_LAMBDA { return of_quarter(y, which); };
        const FloatW tan_x = number(&Quarter::tan_x), tan_y = number(&Quarter::tan_y), x0 = abs(y.x), y0 = abs(y.y);
        const FloatW beyond_x = fma(x0, tan_x, y.z), beyond_y = fma(y0, tan_y, y.z);
        const FloatW beyond_both = fma(y0, tan_y, beyond_x);
        const FloatW root = max(max(y.z, beyond_x * number(&Quarter::share_x)),
                                max(beyond_y * number(&Quarter::share_y), beyond_both * number(&Quarter::share_xy)));
        return min(max(root, FloatW(depths.near)), FloatW(depths.far));
    }

    LANE_INLINE ShortestVectorW way(const Vec3W& y, FloatW depth) const {
        const FloatW tan_x = of_quarter(y, &Quarter::tan_x), tan_y = of_quarter(y, &Quarter::tan_y), zero(0.0f);
        return {{max(fma(-depth, tan_x, abs(y.x)), zero), max(fma(-depth, tan_y, abs(y.y)), zero), y.z - depth},
                Tilted ? depths.surely_hold(depth) : mask_of(all_lanes)};
    }

    /// The same, x and y with their signs.
    LANE_INLINE ShortestVectorW signed_way(const Vec3W& y) const {
        ShortestVectorW way = this->way(y, depth(y));
        way.from_nearest.x = flip(way.from_nearest.x, y.x);
        way.from_nearest.y = flip(way.from_nearest.y, y.y);
        return way;
    }

    template <std::uint32_t N>
    LANE_INLINE void ways(const Vec3W (&y)[N], ShortestVectorW (&way)[N]) const {
        FloatW depth[N];
        for (std::uint32_t i = 0; i < N; ++i) depth[i] = this->depth(y[i]);
        for (std::uint32_t i = 0; i < N; ++i) way[i] = this->way(y[i], depth[i]);
    }
};

/// Orthographic volumes.
struct BoxDistance {
    float low[3], high[3];

    explicit BoxDistance(const PreparedView& view)
        : low{view.x_range[0], view.y_range[0], view.z_range[0]},
          high{view.x_range[1], view.y_range[1], view.z_range[1]} {}

    template <std::uint32_t N>
    LANE_INLINE void ways(const Vec3W (&y)[N], ShortestVectorW (&way)[N]) const {
        for (std::uint32_t i = 0; i < N; ++i) way[i] = this->way(y[i]);
    }

    LANE_INLINE ShortestVectorW way(const Vec3W& y) const {
        const auto beyond = [&](FloatW a, int k)
                                LANE_LAMBDA { return max(max(FloatW(low[k]) - a, a - FloatW(high[k])), FloatW(0.0f)); };
        return {{beyond(y.x, 0), beyond(y.y, 1), beyond(y.z, 2)}, mask_of(all_lanes)};
    }
    LANE_INLINE ShortestVectorW signed_way(const Vec3W& y) const {
        const auto beyond = [&](FloatW a, int k)
                                LANE_LAMBDA { return a - min(max(a, FloatW(low[k])), FloatW(high[k])); };
        return {{beyond(y.x, 0), beyond(y.y, 1), beyond(y.z, 2)}, mask_of(all_lanes)};
    }
};

/// The closed form of a kind with ClosedForm::ball.
template <class Kind, class Distance>
struct BallTest : ClosedFormTest {
    static constexpr float limit = 1e15f;  // squares of larger reaches come near overflow
    static LANE_INLINE DoubtW doubt() { return {limit}; }

    RelativeAxesW axes;
    RowW row[3];
    Distance distance;
    BallBoundW bound;

    explicit BallTest(const PreparedView& view)
        : axes(view.frame),
          row{RowW(view.frame, 0), RowW(view.frame, 1), RowW(view.frame, 2)},
          distance(view),
          bound(view, static_cast<double>(view.measured_roundings)) {
        bound.fixed = bound.fixed + FloatW(least_measure * 0x1p-20f);
    }

    /// Tests N packets at once. The view's numbers are more than there are registers; each is loaded once for all
    /// packets.
    template <std::uint32_t N, class Doubt>
    LANE_INLINE void measure(const BallW (&ball)[N], Doubt& doubt, ClosedFormW (&measured)[N]) const {
        Vec3W y[N];
        for (std::uint32_t i = 0; i < N; ++i) y[i].x = row[0].at(ball[i].center);
        for (std::uint32_t i = 0; i < N; ++i) y[i].y = row[1].at(ball[i].center);
        for (std::uint32_t i = 0; i < N; ++i) y[i].z = row[2].at(ball[i].center);
        FloatW reach[N];
        for (std::uint32_t i = 0; i < N; ++i) reach[i] = bound.reach(ball[i].center, ball[i].radius);
        ShortestVectorW way[N];
        distance.ways(y, way);
        for (std::uint32_t i = 0; i < N; ++i) {
            const FloatW square = dot(way[i].from_nearest, way[i].from_nearest), reach_square = reach[i] * reach[i];
            measured[i] =
                doubt.look_at(reach[i], ball[i].radius) &
                ClosedFormW{square > reach_square, way[i].known & (square <= reach_square), square <= FloatW(0.0f)};
        }
    }

    template <class Fetch, class Doubt>
    LANE_INLINE ClosedFormW test(const typename Kind::Shapes& s, const Fetch& fetch, NoExpansionW, Doubt& doubt) const {
        const BallW ball[] = {Kind::ball(axes, s, fetch)};
        ClosedFormW measured[1];
        measure(ball, doubt, measured);
        return measured[0];
    }

    /// 64 objects in a row, two packets at a time.
    template <class Doubt>
    LANE_INLINE ClosedFormBits test_word(const typename Kind::Shapes& s, std::uint32_t first, Unexpanded,
                                         Doubt& doubt) const {
        ClosedFormBits measured;
#pragma GCC unroll 1
        for (std::uint32_t shift = 0; shift < 64; shift += 2 * lanes) {
            const BallTest& test = loaded_anew(*this);
            const BallW ball[] = {Kind::ball(test.axes, s, RunOfObjects{first + shift}),
                                  Kind::ball(test.axes, s, RunOfObjects{first + shift + lanes})};
            ClosedFormW packets[2];
            test.measure(ball, doubt, packets);
            measured.add(packets[0], shift);
            measured.add(packets[1], shift + lanes);
        }
        return measured;
    }
};

inline bool is_perspective(const PreparedView& view) {
    return view.is_described && view.frame.rigid &&
           (view.volume == VolumeKind::frustum || view.volume == VolumeKind::edge_frustum) &&
           view.slope_magnitude < 0x1p20f && view.z_range[0] >= 0;
}
/// Whether a ball's distance from the view's volume has a closed form. In orthographic volumes what the bound has
/// without an object must be little beside what is near the volume: else planes would cull what the distance takes for
/// touching. In perspective ones it is, for lo is no more than the slopes times the depths that are seen.
inline bool knows_ball_distance(const PreparedView& view) {
    if (view.frame.rigid && view.volume == VolumeKind::box) {
        constexpr int room = roundings::early - roundings::plane - 2 * (roundings::ball_moved + roundings::slack);
        const float least = BallBoundW::fixed_part(view) / error_per_magnitude(room);
        for (const auto* range : {view.x_range, view.y_range, view.z_range}) {
            const float low = __builtin_fabsf(range[0]), high = __builtin_fabsf(range[1]);
            if (!(range[1] - range[0] >= least_measure && low >= least && high >= least)) return false;
        }
        return true;
    }
    return is_perspective(view) && view.z_range[0] >= least_measure && view.x_range[0] <= 0 && view.x_range[1] >= 0 &&
           view.y_range[0] <= 0 && view.y_range[1] >= 0 && view.measured_roundings <= roundings::measured_ball;
}
inline bool is_symmetric(const PreparedView& view) {
    const auto even = [](const float(&range)[2]) {
        return __builtin_fabsf(range[0] + range[1]) <= 0x1p-22f * range[1];
    };
    return even(view.x_range) && even(view.y_range);
}

}  // namespace
}  // namespace lanecull
