#pragma once

/// Oriented boxes: stage 1 sees their bounding spheres; later stages load them as shapes.

#include <cstdint>

#include <lanecull/batch.h>

#include "base/rounding_bound.hpp"
#include "cull/kind_traits.hpp"
#include "cull/planes_first.hpp"
#include "lanes/box.hpp"
#include "lanes/gather.hpp"
#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"
#include "lanes/quaternion.hpp"
#include "lanes/vec3w.hpp"
#include "lanes/zonotope.hpp"

namespace lanecull {
namespace {

struct OrientedBoxKind : KindDefaultsW {
    using Shapes = OrientedBoxes;
    static constexpr bool knows_edges = true;
    static constexpr PairForm pair_form = PairForm::box;
    static constexpr bool stores_ball = true;
    static constexpr bool has_stage_one(const Shapes& s) { return s.bounding_radius != nullptr; }

    template <class Axes, class Fetch>
    static LANE_INLINE BallW ball(const Axes& axes, const OrientedBoxes& s, const Fetch& fetch) {
        const FloatW radius = fetch(s.bounding_radius);
        return {axes.relative({fetch(s.x), fetch(s.y), fetch(s.z)}), radius, radius};
    }
    using PlaneTest = BallPlaneTest<OrientedBoxKind>;

    template <class Axes, class Gathered>
    static LANE_INLINE ZonotopeW<3, false> load_shapes(const Axes& axes, const OrientedBoxes& s,
                                                       const Gathered& gathered) {
        Vec3W q = axes.relative({gathered(s.x), gathered(s.y), gathered(s.z)});
        Vec3W half = gathered.template records<3>(s.half_extents).three(0);
        const FloatW extent[3] = {half.x, half.y, half.z};
        ZonotopeW<3, false> shape;
        shape.center = axes.turned(q);
        shape.magnitude = one_norm(q);
        shape.valid = not_negative(half);
        if (s.axes.first != nullptr) {
            RecordsW<9> directions = gathered.template records<9>(s.axes);
            for (std::uint32_t k = 0; k < 3; ++k) {
                Vec3W axis = directions.three(3 * k) * extent[k];
                shape.axis[k] = axes.turned(axis);
                shape.magnitude = shape.magnitude + one_norm(axis);
            }
        } else {
            QuaternionAxesW turned(s.quaternions, gathered);
            shape.valid = shape.valid & turned.valid;
            for (std::uint32_t k = 0; k < 3; ++k) {
                Vec3W axis = turned.axis[k] * extent[k];
                shape.axis[k] = axes.turned(axis);
                shape.magnitude = fma(FloatW(roundings::quaternion_weight), one_norm(axis), shape.magnitude);
            }
        }
        return shape;
    }

    static LANE_INLINE PlaceStreams stored_place(const OrientedBoxes& s) { return {s.x, s.y, s.z}; }
};

template <>
struct KindOf<OrientedBoxes> {
    using Kind = OrientedBoxKind;
};

}  // namespace
}  // namespace lanecull
