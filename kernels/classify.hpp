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

/// The view's planes, broadcast once per chunk: enough for the loop to keep them in registers.
struct RelativePlanesW {
    RelativeAxesW axes;
    Vec3W normal[PreparedView::stage_one_planes];
    FloatW offset[PreparedView::stage_one_planes];

    LANE_INLINE explicit RelativePlanesW(const PreparedView& view) : axes(view.frame) {
        for (std::uint32_t k = 0; k < PreparedView::stage_one_planes; ++k) {
            normal[k] = broadcast3(view.normal[k]);
            offset[k] = FloatW(view.offset[k]);
        }
    }

    /// Smallest value of a function of (normal, offset) over the planes.
    template <class Function>
    LANE_INLINE FloatW least(const Function& function) const {
        FloatW smallest = function(0);
        for (std::uint32_t k = 1; k < PreparedView::stage_one_planes; ++k) smallest = min(smallest, function(k));
        return smallest;
    }
};

/// Balls: spheres themselves, and the bounding spheres of other kinds.
template <class Growth>
LANE_INLINE ClassifiedW classify_ball(const RelativePlanesW& planes, const Vec3W& world, FloatW radius,
                                      const Growth& growth) {
    const Vec3W q = planes.axes.relative(world);
    FloatW least_center(0.0f);
    const FloatW least = planes.least([&](std::uint32_t k) LANE_LAMBDA {
        const FloatW at_center = dot_plus(planes.normal[k], q, planes.offset[k]);
        least_center = k == 0 ? at_center : min(least_center, at_center);
        return growth.beyond(planes.normal[k], at_center);
    });
    const FloatW magnitude = growth.enlarged(one_norm(q) + radius);
    const FloatW reach = fma(FloatW(Growth::stage_one_error), magnitude, radius);
    const MaskW sound = (magnitude < FloatW(magnitude_limit)) & (radius >= FloatW(0.0f));
    return {sound & (least < -reach), sound & (least_center >= FloatW(0.0f))};
}

}  // namespace
}  // namespace lanecull
