#pragma once

/// Capsules: how stage 1 sees them, and how later stages load them as shapes.

#include <cstdint>

#include <lanecull/batch.h>

#include "cull/classified.hpp"
#include "cull/kind_traits.hpp"
#include "cull/planes_first.hpp"
#include "lanes/box.hpp"
#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"
#include "lanes/vec3w.hpp"
#include "lanes/zonotope.hpp"

namespace lanecull {
namespace {

/// Objects within `radius` of the segment from a to b. Stage 1 sees capsules, and of cones the hull of the apex and the
/// ball around the base.
template <class Shapes_>
struct SegmentKind : KindDefaultsW {
    using Shapes = Shapes_;
    /// Cylinders and cones need an axis.
    static constexpr bool needs_axis = !__is_same(Shapes, Capsules);
    /// Cones have no radius about their first end, the apex.
    static constexpr bool is_pointed = __is_same(Shapes, Cones);

    struct EndsW {
        Vec3W a, b;
    };
    template <class Fetch>
    static LANE_INLINE EndsW ends(const Shapes& s, const Fetch& fetch) {
        if constexpr (is_pointed) {
            return {{fetch(s.apex_x), fetch(s.apex_y), fetch(s.apex_z)},
                    {fetch(s.base_x), fetch(s.base_y), fetch(s.base_z)}};
        } else {
            return {{fetch(s.a_x), fetch(s.a_y), fetch(s.a_z)}, {fetch(s.b_x), fetch(s.b_y), fetch(s.b_z)}};
        }
    }

    /// Negative if there is no axis: a difference of two floats is 0 only where they are equal, and the smallest number
    /// that is taken away changes no larger one by more than it is rounded. The ends are those that are stored, for
    /// relative ones may have become equal.
    static LANE_INLINE FloatW axis_size(const Vec3W& a, const Vec3W& b) { return one_norm(b - a) - FloatW(0x1p-149f); }

    /// A ball around a capsule, larger than need be, for tests that may leave more undecided. As for boxes, a sum takes
    /// the place of a length: half of the axis' components, summed up.
    template <class Axes, class Fetch>
    static LANE_INLINE BallW ball(const Axes& axes, const Shapes& s, const Fetch& fetch) {
        const auto [a, b] = ends(s, fetch);
        const FloatW radius = fetch(s.radius), around = one_norm(b - a) + (radius + radius);
        FloatW size = later_bits(radius, around);
        if constexpr (needs_axis) size = later_bits(size, axis_size(a, b));
        return {axes.relative(a) + axes.relative(b), around, size};
    }
    static constexpr float ball_unit = 2;  // ball() gives twice the ball, which saves halving

    struct PlaneTest : RelativePlanesW {
        using RelativePlanesW::RelativePlanesW;

        template <class Fetch, class Expansion, class Doubt>
        LANE_INLINE ClassifiedW test(const Shapes& s, const Fetch& fetch, const Expansion& expansion,
                                     Doubt& doubt) const {
            const EndsW stored = ends(s, fetch);
            Vec3W a = axes.relative(stored.a), b = axes.relative(stored.b);
            const FloatW radius = fetch(s.radius), everywhere = is_pointed ? FloatW(0.0f) : radius;
            FloatW least_sum(0.0f);  // smallest over the planes: twice the distance of the segment's middle
            const FloatW least = this->least([&](std::uint32_t k) LANE_LAMBDA {
                const FloatW at_a = dot_plus(normal[k], a, offset[k]), at_b = dot_plus(normal[k], b, offset[k]);
                least_sum = k == 0 ? at_a + at_b : min(least_sum, at_a + at_b);
                return expansion.beyond(normal[k], max(at_a, is_pointed ? at_b + radius : at_b));
            });
            const FloatW magnitude = expansion.enlarged(one_norm(a) + one_norm(b) + radius);
            const FloatW reach = fma(FloatW(Expansion::stage_one_error), magnitude, everywhere);
            const auto classified = ClassifiedW{least < -reach, least_sum >= FloatW(0.0f)};
            if constexpr (needs_axis) {
                return doubt.look_at(reach, radius, axis_size(stored.a, stored.b)) & classified;
            } else {
                return doubt.look_at(reach, radius) & classified;
            }
        }
    };

    static LANE_INLINE PlaceStreams stored_place(const Shapes& s) {
        if constexpr (is_pointed) {
            return {s.apex_x, s.apex_y, s.apex_z};
        } else {
            return {s.a_x, s.a_y, s.a_z};
        }
    }
};

struct CapsuleKind : SegmentKind<Capsules> {
    static constexpr bool looks_at_nearest = true;
    static constexpr PairForm pair_form = PairForm::round;

    template <class Axes, class Gathered>
    static LANE_INLINE ZonotopeW<1, true> load_shapes(const Axes& axes, const Capsules& s, const Gathered& gathered) {
        Vec3W a = axes.relative({gathered(s.a_x), gathered(s.a_y), gathered(s.a_z)});
        Vec3W b = axes.relative({gathered(s.b_x), gathered(s.b_y), gathered(s.b_z)});
        Vec3W center = (a + b) * FloatW(0.5f), axis = (b - a) * FloatW(0.5f);
        ZonotopeW<1, true> shape;
        shape.center = axes.turned(center);
        shape.axis[0] = axes.turned(axis);
        shape.radius = gathered(s.radius);
        shape.magnitude = one_norm(center) + one_norm(axis) + shape.radius;
        shape.valid = shape.radius >= FloatW(0.0f);
        return shape;
    }
};

template <>
struct KindOf<Capsules> {
    using Kind = CapsuleKind;
};

}  // namespace
}  // namespace lanecull
