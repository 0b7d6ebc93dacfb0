#pragma once

/// Hull instances: stage 1 sees their bounding spheres, the stages after it their hulls' boxes. Instances of different
/// hulls can share a packet as long as only the boxes are read.

#include <cstdint>

#include <lanecull/batch.h>

#include "base/rounding_bound.hpp"
#include "cull/kind_traits.hpp"
#include "cull/planes_first.hpp"
#include "lanes/box.hpp"
#include "lanes/gather.hpp"
#include "lanes/hull.hpp"
#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"
#include "lanes/vec3w.hpp"
#include "lanes/zonotope.hpp"
#include "view/prepared_view.hpp"

namespace lanecull {
namespace {

/// The image of the box around a hull's vertices, which contains the instance, and that of the mean vertex, which is a
/// point of it. For stages that need no vertices: eye limits, hiding, what lies wholly inside.
struct HullBoxW : ZonotopeW<3, false> {
    static LANE_INLINE float error_factor(const Frame&) { return error_per_magnitude(roundings::hull); }

    Vec3W mean;
    LANE_INLINE const Vec3W& inner_point() const { return mean; }
};

struct HullKind : KindDefaultsW {
    using Shapes = HullInstances;
    static constexpr bool shares_vertices = true;
    static constexpr bool has_transforms = true;
    static constexpr PairForm pair_form = PairForm::hull;
    static constexpr bool stores_ball = true;
    static constexpr bool has_stage_one(const Shapes& s) { return s.bounding_radius != nullptr; }

    template <class Axes, class Fetch>
    static LANE_INLINE BallW ball(const Axes& axes, const HullInstances& s, const Fetch& fetch) {
        const FloatW radius = fetch(s.bounding_radius);
        return {axes.relative({fetch(s.bounding_x), fetch(s.bounding_y), fetch(s.bounding_z)}), radius, radius};
    }
    static constexpr bool has_ball_center = false;  // the ball's centre need not be a point of the hull
    using PlaneTest = BallPlaneTest<HullKind>;

    template <class Axes>
    static LANE_INLINE HullBoxW load_shapes(const Axes& axes, const HullInstances& s, const GatheredObjects& gathered) {
        HullsOfLanes hulls;
        hulls.hold(s, [&](std::uint32_t lane) LANE_LAMBDA { return gathered.hull_index(s, lane); });
        const HullBoundsW bounds = hulls.read_bounds();
        PlacementW placement(axes, s, gathered, bounds.middle, hulls.away);
        HullBoxW shape{placement.image(bounds.center(), bounds.half(), bounds.largest()), placement.place(bounds.mean)};
        shape.valid = mask_of(hulls.valid) & placement.affine;
        return shape;
    }
};

template <>
struct KindOf<HullInstances> {
    using Kind = HullKind;
};

}  // namespace
}  // namespace lanecull
