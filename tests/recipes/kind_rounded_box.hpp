#pragma once

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

struct RoundedBoxKind : KindDefaultsW {
    using Shapes = RoundedBoxes;

    template <class Axes, class Fetch>
    static LANE_INLINE BallW ball(const Axes& axes, const RoundedBoxes& s, const Fetch& fetch) {
        const FloatW half = 0.5f, radius = fetch(s.radius);
        Vec3W low = {fetch(s.min_x), fetch(s.min_y), fetch(s.min_z)};
        Vec3W high = {fetch(s.max_x), fetch(s.max_y), fetch(s.max_z)};
        BallW box = ball_around((axes.relative(low) + axes.relative(high)) * half, (high - low) * half);
        return {box.center, box.radius + radius, later_bits(box.size, radius)};
    }
    using PlaneTest = BallPlaneTest<RoundedBoxKind>;

    template <class Axes, class Gathered>
    static LANE_INLINE ZonotopeW<3, true> load_shapes(const Axes& axes, const RoundedBoxes& s,
                                                      const Gathered& gathered) {
        Vec3W low = {gathered(s.min_x), gathered(s.min_y), gathered(s.min_z)};
        Vec3W high = {gathered(s.max_x), gathered(s.max_y), gathered(s.max_z)};
        Vec3W a = axes.relative(low), b = axes.relative(high), half = (b - a) * FloatW(0.5f);
        const FloatW zero(0.0f);
        ZonotopeW<3, true> shape;
        shape.center = axes.turned((a + b) * FloatW(0.5f));
        shape.axis[0] = axes.turned({half.x, zero, zero});
        shape.axis[1] = axes.turned({zero, half.y, zero});
        shape.axis[2] = axes.turned({zero, zero, half.z});
        shape.radius = gathered(s.radius);
        shape.magnitude = one_norm(a) + one_norm(b) + shape.radius;
        shape.valid = (low.x <= high.x) & (low.y <= high.y) & (low.z <= high.z) & (shape.radius >= zero);
        return shape;
    }

    static LANE_INLINE PlaceStreams stored_place(const RoundedBoxes& s) { return {s.min_x, s.min_y, s.min_z}; }
};

template <>
struct KindOf<RoundedBoxes> {
    using Kind = RoundedBoxKind;
};

}  // namespace
}  // namespace lanecull
