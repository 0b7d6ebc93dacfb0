#pragma once

/// Boxes by centre and half-extents: how stage 1 sees them, and how later stages load them as shapes.

#include <cstdint>

#include <lanecull/batch.h>

#include "cull/classified.hpp"
#include "cull/kind_traits.hpp"
#include "cull/planes_first.hpp"
#include "lanes/box.hpp"
#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"
#include "lanes/vec3w.hpp"
#include "view/prepared_view.hpp"

namespace lanecull {
namespace {

struct CenteredBoxKind : KindDefaultsW {
    using Shapes = CenteredBoxes;
    static constexpr bool knows_edges = true;
    static constexpr ClosedForm closed_form = ClosedForm::box;
    static constexpr PairForm pair_form = PairForm::aligned_box;

    template <class Axes, class Fetch>
    static LANE_INLINE BallW ball(const Axes& axes, const CenteredBoxes& s, const Fetch& fetch) {
        return ball_around(axes.relative({fetch(s.x), fetch(s.y), fetch(s.z)}),
                           {fetch(s.half_x), fetch(s.half_y), fetch(s.half_z)});
    }

    struct PlaneTest : RelativePlanesW {
        Vec3W normal_size[PreparedView::stage_one_planes];  // |n| component by component

        LANE_INLINE PlaneTest(const PreparedView& view, std::uint32_t planes) : RelativePlanesW(view, planes) {
            for (std::uint32_t k = 0; k < PreparedView::stage_one_planes; ++k) {
                normal_size[k] = {abs(normal[k].x), abs(normal[k].y), abs(normal[k].z)};
            }
        }

        template <class Fetch, class Expansion, class Doubt>
        LANE_INLINE ClassifiedW test(const CenteredBoxes& s, const Fetch& fetch, const Expansion& expansion,
                                     Doubt& doubt) const {
            Vec3W q = axes.relative({fetch(s.x), fetch(s.y), fetch(s.z)});
            Vec3W half = {fetch(s.half_x), fetch(s.half_y), fetch(s.half_z)};
            FloatW least_center(0.0f);
            const FloatW least = this->least([&](std::uint32_t k) LANE_LAMBDA {
                const FloatW at_center = dot_plus(normal[k], q, offset[k]);
                least_center = k == 0 ? at_center : min(least_center, at_center);
                return expansion.beyond(normal[k], dot_plus(normal_size[k], half, at_center));
            });
            const FloatW magnitude = expansion.enlarged(one_norm(q) + one_norm(half));
            const FloatW bound = FloatW(Expansion::stage_one_error) * magnitude;
            const auto sound = doubt.look_at(bound, half.x, half.y, half.z);
            return sound & ClassifiedW{least < -bound, least_center >= FloatW(0.0f)};
        }
    };

    template <class Axes, class Gathered>
    static LANE_INLINE auto load_shapes(const Axes& axes, const CenteredBoxes& s, const Gathered& gathered) {
        Vec3W half = {gathered(s.half_x), gathered(s.half_y), gathered(s.half_z)};
        Vec3W center = axes.relative({gathered(s.x), gathered(s.y), gathered(s.z)});
        return turned_box(axes, center, half, one_norm(center) + one_norm(half), not_negative(half));
    }

    static LANE_INLINE PlaceStreams stored_place(const CenteredBoxes& s) { return {s.x, s.y, s.z}; }
};

template <>
struct KindOf<CenteredBoxes> {
    using Kind = CenteredBoxKind;
};

}  // namespace
}  // namespace lanecull
