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

struct CapsuleKind : KindDefaultsW {
    using Shapes = Capsules;
    static constexpr bool looks_at_nearest = true;
    static constexpr PairForm pair_form = PairForm::round;

    /// A ball around a capsule, larger than need be, for tests that may leave more undecided. As for boxes, a sum takes
    /// the place of a length: half of the axis' components, summed up.
    template <class Axes, class Fetch>
    static LANE_INLINE BallW ball(const Axes& axes, const Capsules& s, const Fetch& fetch) {
        Vec3W a = {fetch(s.a_x), fetch(s.a_y), fetch(s.a_z)}, b = {fetch(s.b_x), fetch(s.b_y), fetch(s.b_z)};
        const FloatW radius = fetch(s.radius), around = one_norm(b - a) + (radius + radius);
        return {axes.relative(a) + axes.relative(b), around, later_bits(radius, around)};
    }
    static constexpr float ball_unit = 2;  // ball() gives twice the ball, which saves halving

    struct PlaneTest : RelativePlanesW {
        using RelativePlanesW::RelativePlanesW;

        template <class Fetch, class Expansion, class Doubt>
        LANE_INLINE ClassifiedW test(const Capsules& s, const Fetch& fetch, const Expansion& expansion,
                                     Doubt& doubt) const {
            Vec3W a = axes.relative({fetch(s.a_x), fetch(s.a_y), fetch(s.a_z)});
            Vec3W b = axes.relative({fetch(s.b_x), fetch(s.b_y), fetch(s.b_z)});
            const FloatW radius = fetch(s.radius);
            FloatW least_sum(0.0f);  // smallest over the planes: twice the distance of the segment's middle
            const FloatW least = this->least([&](std::uint32_t k) LANE_LAMBDA {
                const FloatW at_a = dot_plus(normal[k], a, offset[k]), at_b = dot_plus(normal[k], b, offset[k]);
                least_sum = k == 0 ? at_a + at_b : min(least_sum, at_a + at_b);
                return expansion.beyond(normal[k], max(at_a, at_b));
            });
            const FloatW magnitude = expansion.enlarged(one_norm(a) + one_norm(b) + radius);
            const FloatW reach = fma(FloatW(Expansion::stage_one_error), magnitude, radius);
            const auto sound = doubt.look_at(reach, radius);
            return sound & ClassifiedW{least < -reach, least_sum >= FloatW(0.0f)};
        }
    };

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

    static LANE_INLINE PlaceStreams stored_place(const Capsules& s) { return {s.a_x, s.a_y, s.a_z}; }
};

template <>
struct KindOf<Capsules> {
    using Kind = CapsuleKind;
};

}  // namespace
}  // namespace lanecull
