#pragma once

/// Spheres: how stage 1 sees them, and how later stages load them as shapes.

#include <lanecull/batch.h>

#include "cull/kind_traits.hpp"
#include "cull/planes_first.hpp"
#include "lanes/box.hpp"
#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"
#include "lanes/vec3w.hpp"
#include "lanes/zonotope.hpp"

namespace lanecull {
namespace {

struct SphereKind : KindDefaultsW {
    using Shapes = Spheres;
    static constexpr bool knows_edges = true;
    static constexpr ClosedForm closed_form = ClosedForm::ball;
    static constexpr PairForm pair_form = PairForm::round;

    template <class Axes, class Fetch>
    static LANE_INLINE BallW ball(const Axes& axes, const Spheres& s, const Fetch& fetch) {
        const FloatW radius = fetch(s.radius);
        return {axes.relative({fetch(s.x), fetch(s.y), fetch(s.z)}), radius, radius};
    }
    using PlaneTest = BallPlaneTest<SphereKind>;

    template <class Axes, class Gathered>
    static LANE_INLINE ZonotopeW<0, true> load_shapes(const Axes& axes, const Spheres& s, const Gathered& gathered) {
        Vec3W q = axes.relative({gathered(s.x), gathered(s.y), gathered(s.z)});
        ZonotopeW<0, true> shape;
        shape.center = axes.turned(q);
        shape.radius = gathered(s.radius);
        shape.magnitude = one_norm(q) + shape.radius;
        shape.valid = shape.radius >= FloatW(0.0f);
        return shape;
    }

    static LANE_INLINE PlaceStreams stored_place(const Spheres& s) { return {s.x, s.y, s.z}; }
};

template <>
struct KindOf<Spheres> {
    using Kind = SphereKind;
};

}  // namespace
}  // namespace lanecull
