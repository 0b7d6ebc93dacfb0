#pragma once

/// Stage 1, in relative coordinates: every object of a batch against the view's planes.
///
/// A lane leaves outside only by a comparison that succeeded: largest n . q + offset over the object, plus the bound,
/// below zero. NaN fails every comparison, and `magnitude` adds every number of the object so that none is overlooked.

namespace lanecull {
namespace {

struct ClassifiedW {
    MaskW outside;  // set: wholly behind one plane, proved
    MaskW inside;   // set: the object's centre is in the volume
};

constexpr float stage_one_error = error_per_magnitude(roundings::plane);

/// Smallest n . q + offset over the planes.
LANE_INLINE FloatW least_distance(const PreparedView& view, const Vec3W& q) {
    FloatW least = dot_plus(broadcast3(view.normal[0]), q, FloatW(view.offset[0]));
    for (std::uint32_t k = 1; k < PreparedView::max_planes; ++k) {
        least = min(least, dot_plus(broadcast3(view.normal[k]), q, FloatW(view.offset[k])));
    }
    return least;
}

/// Balls: spheres themselves, and the bounding spheres of other kinds.
LANE_INLINE ClassifiedW classify_ball(const PreparedView& view, const Vec3W& world, FloatW radius) {
    const Vec3W q = Origin(view).relative(world);
    const FloatW least = least_distance(view, q);
    const FloatW magnitude = one_norm(q) + radius;
    const FloatW reach = fma(FloatW(stage_one_error), magnitude, radius);
    const MaskW sound = (magnitude < FloatW(magnitude_limit)) & (radius >= FloatW(0.0f));
    return {sound & (least < -reach), sound & (least >= FloatW(0.0f))};
}

}  // namespace
}  // namespace lanecull
