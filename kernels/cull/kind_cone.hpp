#pragma once

/// Cones: stage 1 sees the hulls of their apex and of the ball around their base, which has a round base, too; later
/// stages load them as shapes.

#include <lanecull/batch.h>

#include "base/rounding_bound.hpp"
#include "cull/kind_capsule.hpp"
#include "cull/kind_cylinder.hpp"
#include "cull/kind_traits.hpp"
#include "lanes/cone.hpp"
#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"
#include "lanes/oval.hpp"
#include "lanes/sector.hpp"
#include "lanes/vec3w.hpp"

namespace lanecull {
namespace {

struct ConeKind : DiscKind<Cones, ConeW> {};

struct RoundConeKind : SegmentKind<Cones> {
    static constexpr bool knows_edges = true;

    template <class Axes, class Gathered>
    static LANE_INLINE SectorW load_shapes(const Axes& axes, const Cones& s, const Gathered& gathered) {
        const auto [a, b] = ends(s, gathered);
        const FloatW radius = gathered(s.radius);
        const Vec3W center = (axes.relative(a) + axes.relative(b)) * FloatW(0.5f);
        const AcrossW across(b - a);
        // In units of 1 / scale, of which height or width is at least 1.
        const FloatW scale = exponent_scale(max(inf_norm(b - a), radius));
        const FloatW height = sqrt(across.square) * (scale / across.scale), width = radius * scale;
        const FloatW size = sqrt(fma(height, height, width * width)), range = size / scale;
        SectorW shape;
        shape.center = axes.turned(center);
        shape.axis[0] = axes.turned(across.along * range);
        shape.axis[1] = axes.turned(across.first * range);
        shape.axis[2] = axes.turned(across.second * range);
        shape.cosine = height / size;
        shape.sine = width / size;
        shape.magnitude = fma(FloatW(roundings::sector_weight), range, one_norm(center));
        shape.valid = (radius >= FloatW(0.0f)) & (axis_size(a, b) >= FloatW(0.0f));
        return shape;
    }
};

template <>
struct KindOf<Cones> {
    using Kind = ConeKind;
    using OtherKind = RoundConeKind;
    static LANE_INLINE bool is_other(const Cones& s) { return s.end == ConeEnd::round; }
};

}  // namespace
}  // namespace lanecull
