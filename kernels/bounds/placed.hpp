#pragma once

/// Transformed local boxes, placed: what all world bounds are made from. The bounds on rounding are derived in
/// bounds/PROOF.md, "World bounds".

#include "base/rounding_bound.hpp"
#include "lanes/frames.hpp"
#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"
#include "lanes/transforms.hpp"
#include "lanes/translation.hpp"
#include "lanes/vec3w.hpp"

namespace lanecull {
namespace {

/// A transformed box: its centre, its half-extents along the world's axes, and how far the two may be off together.
struct PlacedW {
    Vec3W center, reach, error;
    MaskW valid;
};

/// The error of coordinates is so many times the sizes of their terms.
constexpr float placed_share = 6 * unit_roundoff * (1 + 0x1p-16f);
/// What underflows adds up to less than 2^-146. The term for it is the smallest normal number, because a subnormal one
/// costs some processors 150 cycles an operation.
constexpr float placed_underflow = 0x1p-126f;

/// One coordinate. `size`: |twice_center| + twice_half, component by component.
LANE_INLINE void place(const Vec3W& row, FloatW translation, const LocalBoxW& box, const Vec3W& size, FloatW& center,
                       FloatW& reach, FloatW& error) {
    const FloatW half = 0.5f;
    Vec3W sizes{abs(row.x), abs(row.y), abs(row.z)};
    center = fma(half, dot(row, box.twice_center), translation);
    reach = half * dot(sizes, box.twice_half);
    error = fma(FloatW(placed_share), fma(half, dot(sizes, size), abs(translation)), FloatW(placed_underflow));
}

LANE_INLINE PlacedW placed(const TransformW& transform, const LocalBoxW& box) {
    Vec3W size{abs(box.twice_center.x) + box.twice_half.x, abs(box.twice_center.y) + box.twice_half.y,
               abs(box.twice_center.z) + box.twice_half.z};
    PlacedW p;
    place(transform.row[0], transform.translation.x, box, size, p.center.x, p.reach.x, p.error.x);
    place(transform.row[1], transform.translation.y, box, size, p.center.y, p.reach.y, p.error.y);
    place(transform.row[2], transform.translation.z, box, size, p.center.z, p.reach.z, p.error.z);
    p.valid = box.valid & transform.affine;
    return p;
}

/// Adds the offsets' first floats: one more rounding of the centre, of what it then is. Their second floats are off by
/// less than 2^-47 of the first ones.
LANE_INLINE void move(PlacedW& p, const OffsetW& offset) {
    const FloatW share = 2 * unit_roundoff, rest = 1 + 0x1p-20f, smallest = placed_underflow;
    const auto move_one = [&](FloatW& center, FloatW& error, FloatW high, FloatW low) LANE_LAMBDA {
        center = center + high;
        const FloatW off = fma(abs(high), FloatW(0x1p-47f), abs(low) + smallest);
        error = fma(abs(center), share, (error + off) * rest);
    };
    move_one(p.center.x, p.error.x, offset.high.x, offset.low.x);
    move_one(p.center.y, p.error.y, offset.high.y, offset.low.y);
    move_one(p.center.z, p.error.z, offset.high.z, offset.low.z);
}

/// Not inlined, with copies of the objects: few packets need it.
template <class Objects>
[[gnu::noinline, gnu::pure]] PlacedPointW place_center(const LocalBoxes& local, const Transforms& transforms,
                                                       Objects objects) {
    LocalCornersW corners = local_corners_of(local, objects);
    return place_halfway(OwnAxes(), transforms, objects, corners.lower, corners.upper);
}

/// Set: the box's middle is farther from its own origin than 3/2 of its half-extents. Where it is not, no term of the
/// placed centre is more than 4 times the centre and the reach together.
LANE_INLINE MaskW is_far(const LocalBoxW& box) {
    constexpr float sizes = 0.5f * cancels_mostly + 0.5f;
    const Vec3W &c = box.twice_center, &h = box.twice_half;
    // |c| + h is there already, and the maximum may lose a NaN, whose box is invalid.
    const auto excess = [](FloatW center, FloatW half)
                            LANE_LAMBDA { return fma(half, FloatW(-sizes), abs(center) + half); };
    return max(max(excess(c.x, h.x), excess(c.y, h.y)), excess(c.z, h.z)) > FloatW(0.0f);
}

/// Places the centres in doubles where they are much nearer than the numbers that they are the sums of, coordinate by
/// coordinate where that has the smaller error. What overflows in floats stays infinite.
template <class Objects>
LANE_INLINE void place_anew(PlacedW& p, const LocalBoxW& box, const LocalBoxes& local, const Transforms& transforms,
                            const Objects& objects) {
    const MaskW may_cancel = transforms.positions.first != nullptr ? mask_of(all_lanes) : is_far(box);
    if (!any(may_cancel)) [[likely]]
        return;
    const FloatW share(placed_share), size = one_norm(p.center) + one_norm(p.reach), errors = one_norm(p.error);
    const MaskW cancels =
        may_cancel & (errors > size * FloatW(cancels_mostly * placed_share)) & (errors < FloatW(__builtin_inff()));
    if (!any(cancels)) return;
    PlacedPointW anew = place_center(local, transforms, objects);
    const auto replace = [&](FloatW& center, FloatW reach, FloatW& error, FloatW by) LANE_LAMBDA {
        const FloatW off = fma(share, (abs(by) + reach) + anew.lost, FloatW(placed_underflow));
        const MaskW is_better = cancels & (off < error);
        center = select(is_better, by, center);
        error = select(is_better, off, error);
    };
    replace(p.center.x, p.reach.x, p.error.x, anew.place.x);
    replace(p.center.y, p.reach.y, p.error.y, anew.place.y);
    replace(p.center.z, p.reach.z, p.error.z, anew.place.z);
}

}  // namespace
}  // namespace lanecull
