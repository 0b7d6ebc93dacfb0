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

/// Those of the view's planes that are to be asked, broadcast once per chunk: enough for the loop to keep them in
/// registers. Where there are few, which is so of most blocks of a scene, a branch that is always the same passes over
/// the others. (Any number of them, in a loop that reads them from memory: 9 % dearer for spheres and all six.)
struct RelativePlanesW {
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
            offset[count++] = FloatW(view.offset[k]);
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
