#pragma once

/// Cylinders, and what cones have of them: stage 1 sees larger shapes around them; later stages load them as shapes.

#include <lanecull/batch.h>

#include "base/rounding_bound.hpp"
#include "cull/kind_capsule.hpp"
#include "cull/kind_traits.hpp"
#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"
#include "lanes/oval.hpp"
#include "lanes/vec3w.hpp"

namespace lanecull {
namespace {

/// Objects with a disc across their axis: at both ends, or at one.
template <class Shapes, class Shape>
struct DiscKind : SegmentKind<Shapes> {
    static constexpr bool knows_edges = true;

    /// The axis is the difference of the ends as they are stored, so that flat objects lie as they should wherever they
    /// are.
    template <class Axes, class Gathered>
    static LANE_INLINE Shape load_shapes(const Axes& axes, const Shapes& s, const Gathered& gathered) {
        const auto [a, b] = DiscKind::ends(s, gathered);
        const FloatW half(0.5f), radius = gathered(s.radius);
        Vec3W center = (axes.relative(a) + axes.relative(b)) * half, axis = (b - a) * half;
        const AcrossW across(b - a);
        Vec3W side[2] = {across.first * radius, across.second * radius};
        Shape shape;
        shape.center = axes.turned(center);
        shape.axis[0] = axes.turned(axis);
        shape.axis[1] = axes.turned(side[0]);
        shape.axis[2] = axes.turned(side[1]);
        shape.magnitude = fma(FloatW(Shape::disc_weight), one_norm(side[0]) + one_norm(side[1]),
                              one_norm(center) + one_norm(axis) + radius);
        shape.valid = (radius >= FloatW(0.0f)) & (DiscKind::axis_size(a, b) >= FloatW(0.0f));
        return shape;
    }
};

struct CylinderKind : DiscKind<Cylinders, OvalW<1>> {};

template <>
struct KindOf<Cylinders> {
    using Kind = CylinderKind;
};

}  // namespace
}  // namespace lanecull
