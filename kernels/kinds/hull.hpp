#pragma once

/// Hull instances: stage 1 sees their bounding spheres, the stages after it their hulls' boxes. Instances of different
/// hulls can share a packet as long as only the boxes are looked at.

#include <cstdint>

#include <lanecull/batch.hpp>
#include <lanecull/prepared_view.hpp>

#include "base/rounding_bound.hpp"
#include "kinds/traits.hpp"
#include "lanes/gather.hpp"
#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"
#include "lanes/vec3w.hpp"
#include "shapes/hull.hpp"
#include "shapes/sphere.hpp"
#include "shapes/zonotope.hpp"
#include "stages/planes_first.hpp"

namespace lanecull {
namespace {

/// The image of a hull's box, which contains the instance. Planes may cull by it, but a corner of it in the volume does
/// not make the instance visible. The image of the hull's mean vertex in the volume does.
struct HullBoxW : ZonotopeW<3, false> {
    static LANE_INLINE float error_factor(const Frame&) { return error_per_magnitude(roundings::hull); }
    static constexpr bool is_exact = false;

    Vec3W mean;
    LANE_INLINE const Vec3W& inner_point() const { return mean; }
};

/// The boxes and mean vertices of a packet's hulls, lane by lane. A hull index out of range reads hull 0 and is not
/// valid.
struct HullBoundsW {
    Vec3W box_center, box_half, largest, mean;
    MaskW valid;

    template <class Gathered>
    LANE_INLINE HullBoundsW(const HullInstances& s, const Gathered& gathered) {
        alignas(64) float lower[3][lanes], upper[3][lanes], average[3][lanes];
        std::uint32_t valid_lanes = 0;
        for (std::uint32_t lane = 0; lane < lanes; ++lane) {
            const std::uint32_t wanted = gathered.hull_index(s, lane);
            if (wanted < s.hull_count) valid_lanes |= 1u << lane;
            const Hull& hull = s.hulls[wanted < s.hull_count ? wanted : 0];
            for (int k = 0; k < 3; ++k) {
                lower[k][lane] = hull.lower[k];
                upper[k][lane] = hull.upper[k];
                average[k][lane] = hull.mean[k];
            }
        }
        const auto three = [](const float(&rows)[3][lanes]) LANE_LAMBDA {
            return Vec3W{load(rows[0]), load(rows[1]), load(rows[2])};
        };
        Vec3W low = three(lower), high = three(upper);
        const FloatW half(0.5f);
        box_center = low * half + high * half;
        const FloatW lost(0x1p-148f);  // by halving numbers of denormal size, which columns may enlarge
        box_half = high * half - low * half + Vec3W{lost, lost, lost};
        largest = {max(abs(low.x), abs(high.x)), max(abs(low.y), abs(high.y)), max(abs(low.z), abs(high.z))};
        mean = three(average);
        valid = mask_of(valid_lanes);
    }
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
    using StageOne = BallStageOne<HullKind>;

    template <class Axes>
    static LANE_INLINE HullBoxW load_shapes(const Axes& axes, const HullInstances& s, const GatheredObjects& gathered) {
        HullBoundsW bounds(s, gathered);
        PlacementW placement(axes, s, gathered);
        HullBoxW shape{placement.image(bounds.box_center, bounds.box_half, bounds.largest),
                       placement.place(bounds.mean)};
        shape.valid = bounds.valid & placement.affine;
        return shape;
    }
};

template <>
struct KindOf<HullInstances> {
    using Kind = HullKind;
};

}  // namespace
}  // namespace lanecull
