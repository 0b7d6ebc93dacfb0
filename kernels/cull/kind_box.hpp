#pragma once

/// Boxes by their corners: how stage 1 sees them, and how later stages load them as shapes.

#include <cstdint>

#include <lanecull/batch.h>

#include "base/rounding_bound.hpp"
#include "cull/classified.hpp"
#include "cull/kind_traits.hpp"
#include "cull/planes_first.hpp"
#include "lanes/box.hpp"
#include "lanes/frames.hpp"
#include "lanes/gather.hpp"
#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"
#include "lanes/vec3w.hpp"
#include "view/prepared_view.hpp"

namespace lanecull {
namespace {

struct BoxKind : KindDefaultsW {
    using Shapes = Boxes;
    static constexpr bool knows_edges = true;
    static constexpr ClosedForm closed_form = ClosedForm::box;
    static constexpr bool stage_one_takes_more_planes = true;
    static constexpr PairForm pair_form = PairForm::aligned_box;

    template <class Axes, class Fetch>
    static LANE_INLINE BallW ball(const Axes& axes, const Boxes& s, const Fetch& fetch) {
        Vec3W low = {fetch(s.min_x), fetch(s.min_y), fetch(s.min_z)};
        Vec3W high = {fetch(s.max_x), fetch(s.max_y), fetch(s.max_z)};
        return ball_around(axes.relative(low) + axes.relative(high), high - low);
    }
    static constexpr float ball_unit = 2;  // ball() gives twice the ball, which saves halving

    /// Stage 1 by planes, where it is not by side slabs (cull/sphere_slabs.hpp). A plane tests one corner of a
    /// box, the one farthest on its inner side. The signs of the plane's normal choose it, so it is the same corner for
    /// every box. So planes are sorted by corner, and each of the eight corners is tested against its own planes.
    /// (Centre and half-extents take twice the products. Corners chosen plane by plane take 0.67 ns a box by branches,
    /// uniform, AVX-512 on Zen 4, and 1.09 by addresses of stored corners.)
    struct PlaneTest : StageOneTest {
        static LANE_INLINE NoDoubtW doubt() { return {}; }

        RelativeAxesW axes;
        std::uint32_t end[8];  // of each corner's planes. Bit j of a corner: the maximum along axis j
        float normal[PreparedView::max_planes][3], size[PreparedView::max_planes][3];  // |n| by component
        float offset[PreparedView::max_planes];

        LANE_INLINE PlaneTest(const PreparedView& view, std::uint32_t planes) : axes(view.frame) {
            const std::uint32_t count = planes_in_stage_one<BoxKind>(view);
            planes |= ~std::uint32_t{0} << PreparedView::stage_one_planes;  // of those beyond nothing is known
            std::uint32_t corner_of[PreparedView::max_planes];              // 8: the plane is not to be tested
            for (std::uint32_t k = 0; k < count; ++k) {
                const float(&n)[3] = view.normal[k];
                corner_of[k] = (n[0] > 0 ? 1u : 0u) | (n[1] > 0 ? 2u : 0u) | (n[2] > 0 ? 4u : 0u);
                if ((planes >> k & 1) == 0) corner_of[k] = 8;
            }
            std::uint32_t at = 0;
            for (std::uint32_t corner = 0; corner < 8; ++corner) {
                for (std::uint32_t k = 0; k < count; ++k) {
                    if (corner_of[k] != corner) continue;
                    for (std::uint32_t j = 0; j < 3; ++j) {
                        normal[at][j] = view.normal[k][j];
                        size[at][j] = __builtin_fabsf(view.normal[k][j]);
                    }
                    offset[at++] = view.offset[k] + moved_out(view);
                }
                end[corner] = at;
            }
        }

        /// A packet as the planes see it, in relative coordinates.
        template <class Expansion>
        struct BoxesW {
            Vec3W minus_low, high;
            MaskW valid;
            Expansion expansion;
            FloatW least = FloatW(__builtin_inff());  // smallest distance of a corner from its plane

            template <class Fetch>
            LANE_INLINE BoxesW(const RelativeAxesW& axes, const Boxes& s, const Fetch& fetch, const Expansion& growth_)
                : expansion(growth_) {
                Vec3W a = {fetch(s.min_x), fetch(s.min_y), fetch(s.min_z)};
                Vec3W b = {fetch(s.max_x), fetch(s.max_y), fetch(s.max_z)};
                minus_low = axes.hi - a;
                high = axes.relative(b);
                valid = (a.x <= b.x) & (a.y <= b.y) & (a.z <= b.z);
            }

            /// Tests the corner against a plane; n_size is |n|. Along each axis the corner has the maximum, or the
            /// minimum negated.
            template <std::uint32_t Corner>
            LANE_INLINE void look_at(const Vec3W& n, const Vec3W& n_size, FloatW n_offset) {
                Vec3W corner = {Corner & 1 ? high.x : minus_low.x, Corner & 2 ? high.y : minus_low.y,
                                Corner & 4 ? high.z : minus_low.z};
                least = min(expansion.beyond(n, dot_plus(n_size, corner, n_offset)), least);
            }

            /// A box counts as inside only if it is so by far. The distances of the planes are those of corners; the
            /// centre's are less by no more than the sum of the half-extents, because normals are no longer than 1.
            /// This finds all but a few of the boxes whose centre is inside, for a sixth of the products.
            LANE_INLINE ClassifiedW classified() const {
                Vec3W extents = minus_low + high;
                const FloatW extent = (extents.x + extents.y) + extents.z;
                // The larger of |low| and |high|, where low <= high.
                const FloatW magnitude = expansion.enlarged(max(minus_low.x, high.x) +
                                                            (max(minus_low.y, high.y) + max(minus_low.z, high.z)));
                const FloatW bound = FloatW(Expansion::stage_one_error) * magnitude;
                const MaskW sound = (magnitude < FloatW(magnitude_limit)) & valid;
                return {sound & (least < -bound),
                        sound & (least + least >= expansion.enlarged(expansion.enlarged(extent)))};
            }
        };

        /// Tests each corner, from `Corner` on, of some packets against its planes.
        template <std::uint32_t Corner, class... Packets>
        LANE_INLINE void look_at_corners(Packets&... packets) const {
            if constexpr (Corner < 8) {
#pragma GCC unroll 1
                for (std::uint32_t k = Corner == 0 ? 0 : end[Corner - 1]; k < end[Corner]; ++k) {
                    Vec3W n = broadcast3(normal[k]), n_size = broadcast3(size[k]);
                    const FloatW n_offset(offset[k]);
                    (packets.template look_at<Corner>(n, n_size, n_offset), ...);
                }
                look_at_corners<Corner + 1>(packets...);
            }
        }

        template <class Fetch, class Expansion, class Doubt>
        LANE_INLINE ClassifiedW test(const Boxes& s, const Fetch& fetch, const Expansion& expansion, Doubt&) const {
            BoxesW<Expansion> boxes(axes, s, fetch, expansion);
            look_at_corners<0>(boxes);
            return boxes.classified();
        }

        /// 64 objects in a row, two packets at a time: a plane's corner is chosen, and the plane loaded, once for both.
        /// (Four at a time: 3 % faster with planes alone and AVX-512, as fast in views of casters.)
        /// With narrower sets than 8 lanes it is up to 9 % slower than packet by packet.
        template <class Expansion>
        LANE_INLINE ClassifiedBits test_word(const Boxes& s, std::uint32_t at, const Expansion& expansion,
                                             NoDoubtW) const requires(lanes >= 8) {
            ClassifiedBits classified;
            for (std::uint32_t shift = 0; shift < 64; shift += 2 * lanes) {
                const RunOfObjects one{at + shift}, other{at + shift + lanes};
                using Growth = decltype(expansion.fetch(one));
                BoxesW<Growth> a(axes, s, one, expansion.fetch(one)), b(axes, s, other, expansion.fetch(other));
                look_at_corners<0>(a, b);
                classified.add(a.classified(), shift);
                classified.add(b.classified(), shift + lanes);
            }
            return classified;
        }
    };

    template <class Axes, class Gathered>
    static LANE_INLINE auto load_shapes(const Axes& axes, const Boxes& s, const Gathered& gathered) {
        Vec3W low = {gathered(s.min_x), gathered(s.min_y), gathered(s.min_z)};
        Vec3W high = {gathered(s.max_x), gathered(s.max_y), gathered(s.max_z)};
        Vec3W a = axes.relative(low), b = axes.relative(high);
        const MaskW valid = (low.x <= high.x) & (low.y <= high.y) & (low.z <= high.z);
        return turned_box(axes, (a + b) * FloatW(0.5f), (b - a) * FloatW(0.5f), one_norm(a) + one_norm(b), valid);
    }

    static LANE_INLINE CornersW load_corners(const Boxes& s, const GatheredObjects& objects) {
        Vec3W low = {objects(s.min_x), objects(s.min_y), objects(s.min_z)};
        Vec3W high = {objects(s.max_x), objects(s.max_y), objects(s.max_z)};
        return {low, high, one_norm(low) + one_norm(high), (low.x <= high.x) & (low.y <= high.y) & (low.z <= high.z)};
    }

    static LANE_INLINE PlaceStreams stored_place(const Boxes& s) { return {s.min_x, s.min_y, s.min_z}; }
};

template <>
struct KindOf<Boxes> {
    using Kind = BoxKind;
};

}  // namespace
}  // namespace lanecull
