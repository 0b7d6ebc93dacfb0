#pragma once

/// Local boxes under transforms, placed: parallelepipeds. The bounds on rounding are in lanes/PROOF.md, "Boxes under
/// transforms".

#include <lanecull/batch.h>

#include "base/rounding_bound.hpp"
#include "lanes/box.hpp"
#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"
#include "lanes/transforms.hpp"
#include "lanes/translation.hpp"
#include "lanes/vec3w.hpp"
#include "lanes/zonotope.hpp"

namespace lanecull {
namespace {

/// W transforms and their local boxes. All lengths are twice as large as they are, because sums of two ends do not
/// underflow, and halves of them may.
struct InstanceW {
    TransformW transform;
    LocalBoxW box;
    Vec3W center;  // twice A c + t
    FloatW reach;  // the one-norms of the axes, summed: no point is farther from the centre
    FloatW size;   // a plain sum of the sizes of all numbers, but for what doubles added: twice G

    template <class Axes, class Objects>
    LANE_INLINE InstanceW(const Axes& axes, const BoxInstances& s, const Objects& objects)
        : transform(transforms_of(s.transforms, objects)), box(local_boxes_of(s.local, objects)) {
        TranslationW translation(axes, s.transforms, transform, objects);
        const Vec3W& t = translation.place;
        const Vec3W(&row)[3] = transform.row;
        const Vec3W &c = box.twice_center, &h = box.twice_half;
        const FloatW two = 2.0f;
        center = {fma(two, t.x, dot(row[0], c)), fma(two, t.y, dot(row[1], c)), fma(two, t.z, dot(row[2], c))};
        Vec3W columns = {one_norm(transform.column(0)), one_norm(transform.column(1)), one_norm(transform.column(2))};
        reach = dot(columns, h);
        const FloatW away = dot(columns, {abs(c.x), abs(c.y), abs(c.z)});
        size = fma(two, translation.size, away) + reach;
        // Where neither is set, the sizes are not so many times larger than what comes out of them.
        const MaskW may_cancel = (away > reach * FloatW(0.5f * cancels_mostly - 0.5f)) | translation.cancels;
        if (any(may_cancel)) [[unlikely]]
            place_anew(axes, s, objects, may_cancel);
    }

    [[nodiscard]] LANE_INLINE MaskW valid() const { return box.valid & transform.affine; }

    /// Twice the j-th half-axis.
    [[nodiscard]] LANE_INLINE Vec3W axis(int j) const {
        const Vec3W& h = box.twice_half;
        return transform.column(j) * (j == 0 ? h.x : j == 1 ? h.y : h.z);
    }

    /// Twice a ball around the centre, as computed, that holds the object, and `early` roundings more. Its centre and
    /// radius are NaN for what is not valid.
    [[nodiscard]] LANE_INLINE BallW ball() const {
        const FloatW none = __builtin_nanf("");
        const FloatW around = fma(FloatW(error_per_magnitude(roundings::early)), size, reach);
        const FloatW radius = select(valid(), around, none);
        return {{select(valid(), center.x, none), center.y, center.z}, radius, radius};
    }

    template <class Axes>
    [[nodiscard]] LANE_INLINE ZonotopeW<3, false> shape(const Axes& axes) const {
        const FloatW half = 0.5f;
        ZonotopeW<3, false> shape;
        shape.center = axes.turned(center * half);
        for (int j = 0; j < 3; ++j) shape.axis[j] = axes.turned(axis(j) * half);
        shape.magnitude = size * FloatW(0.5f * roundings::instance_weight);
        shape.valid = valid();
        return shape;
    }

private:
    /// Places the centres in doubles where they are much nearer than the numbers that they are the sums of.
    template <class Axes, class Objects>
    LANE_INLINE void place_anew(const Axes& axes, const BoxInstances& s, const Objects& objects, MaskW may_cancel) {
        const MaskW cancels = may_cancel & (size > (one_norm(center) + reach) * FloatW(cancels_mostly));
        if (!any(cancels)) return;
        const FloatW two = 2.0f;
        PlacedPointW anew = place_center(axes, s, objects);
        center = select(cancels, anew.place * two, center);
        size = select(cancels, fma(two, one_norm(anew.place) + anew.lost, reach), size);
    }

    /// Axes and objects are copied, so that the caller's may stay in registers.
    template <class Axes, class Objects>
    [[gnu::noinline, gnu::pure]] static PlacedPointW place_center(Axes axes, const BoxInstances& s, Objects objects) {
        LocalCornersW corners = local_corners_of(s.local, objects);
        return place_halfway(axes, s.transforms, objects, corners.lower, corners.upper);
    }
};

}  // namespace
}  // namespace lanecull
