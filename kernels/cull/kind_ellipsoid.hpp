#pragma once

/// Ellipsoids: stage 1 sees their bounding spheres; later stages load them as shapes.

#include <cstdint>

#include <lanecull/batch.h>

#include "base/rounding_bound.hpp"
#include "cull/kind_traits.hpp"
#include "cull/planes_first.hpp"
#include "lanes/box.hpp"
#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"
#include "lanes/oval.hpp"
#include "lanes/quaternion.hpp"
#include "lanes/vec3w.hpp"

namespace lanecull {
namespace {

struct EllipsoidKind : KindDefaultsW {
    using Shapes = Ellipsoids;
    static constexpr bool knows_edges = true;
    static constexpr bool stores_ball = true;
    static constexpr bool has_stage_one(const Shapes& s) { return s.bounding_radius != nullptr; }

    template <class Axes, class Fetch>
    static LANE_INLINE BallW ball(const Axes& axes, const Ellipsoids& s, const Fetch& fetch) {
        const FloatW radius = fetch(s.bounding_radius);
        return {axes.relative({fetch(s.x), fetch(s.y), fetch(s.z)}), radius, radius};
    }
    using PlaneTest = BallPlaneTest<EllipsoidKind>;

    template <class Axes, class Gathered>
    static LANE_INLINE OvalW<0> load_shapes(const Axes& axes, const Ellipsoids& s, const Gathered& gathered) {
        Vec3W q = axes.relative({gathered(s.x), gathered(s.y), gathered(s.z)});
        Vec3W half = gathered.template records<3>(s.half_axes).three(0);
        const FloatW length[3] = {half.x, half.y, half.z};
        const QuaternionAxesW turned(s.quaternions, gathered);
        OvalW<0> shape;
        shape.center = axes.turned(q);
        shape.magnitude = one_norm(q);
        shape.valid = not_negative(half) & turned.valid;
        for (std::uint32_t k = 0; k < 3; ++k) {
            Vec3W axis = turned.axis[k] * length[k];
            shape.axis[k] = axes.turned(axis);
            shape.magnitude = fma(FloatW(roundings::ellipsoid_weight), one_norm(axis), shape.magnitude);
        }
        return shape;
    }

    static LANE_INLINE PlaceStreams stored_place(const Ellipsoids& s) { return {s.x, s.y, s.z}; }
};

template <>
struct KindOf<Ellipsoids> {
    using Kind = EllipsoidKind;
};

}  // namespace
}  // namespace lanecull
