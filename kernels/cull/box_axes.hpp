#pragma once

/// Boxes along the world's axes against every direction that can separate a box from the volume: the volume's planes,
/// the sides of the box around the volume, and the lines of the volume's silhouettes as seen along the axes
/// (view/silhouettes.hpp). In each direction, one corner of a box lies farthest on the volume's side; it is the same
/// corner for all boxes. A plane takes three products, a line of a silhouette two, a side none. This test needs no
/// planes through edges and no GJK.

#include <cstdint>

#include "base/rounding_bound.hpp"
#include "cull/classified.hpp"
#include "lanes/expansion.hpp"
#include "lanes/frames.hpp"
#include "lanes/gather.hpp"
#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"
#include "lanes/vec3w.hpp"
#include "view/prepared_view.hpp"

namespace lanecull {
namespace {

/// The corners of W boxes. Along each axis a corner has the maximum, or the minimum negated, because normals are stored
/// as their absolute values.
struct BoxCornersW {
    Vec3W minus_low, high;

    template <std::uint32_t Axis>
    LANE_INLINE FloatW low_end() const {
        return Axis == 0 ? minus_low.x : Axis == 1 ? minus_low.y : minus_low.z;
    }
    template <std::uint32_t Axis>
    LANE_INLINE FloatW high_end() const {
        return Axis == 0 ? high.x : Axis == 1 ? high.y : high.z;
    }
    template <std::uint32_t Axis>
    LANE_INLINE FloatW end(bool upper) const {
        return upper ? high_end<Axis>() : low_end<Axis>();
    }
};

template <class Kind>
struct BoxTest : ClosedFormTest {
    static constexpr float limit = 1e30f;
    static LANE_INLINE DoubtW doubt() { return {limit}; }

    RelativeAxesW axes;
    const PreparedView& view;

    explicit BoxTest(const PreparedView& view_) : axes(view_.frame), view(view_) {}

    /// N packets of boxes that are tested together: each direction is loaded once for all of them.
    template <std::uint32_t N>
    struct PacksW {
        BoxCornersW box[N];
        FloatW magnitude[N], least[N];
        Vec3W extents[N];
    };

    template <std::uint32_t Corner, std::uint32_t N>
    LANE_INLINE void look_at_planes(PacksW<N>& packets, std::uint32_t k = 0) const {
        if constexpr (Corner < 8) {
#pragma GCC unroll 1
            for (; k < view.corner_end[Corner]; ++k) {
                const float(&plane)[4] = view.corner_plane[k];
                Vec3W n = {FloatW(plane[0]), FloatW(plane[1]), FloatW(plane[2])};
                const FloatW offset(plane[3]);
                for (std::uint32_t i = 0; i < N; ++i) {
                    const BoxCornersW& box = packets.box[i];
                    Vec3W corner = {box.end<0>(Corner & 1), box.end<1>(Corner & 2), box.end<2>(Corner & 4)};
                    packets.least[i] = min(dot_plus(n, corner, offset), packets.least[i]);
                }
            }
            look_at_planes<Corner + 1>(packets, k);
        }
    }

    /// Group = 4 axis + corner: the lines of that axis' silhouette that face that corner. Bit 0 of the corner is set
    /// for the maximum along u, bit 1 for the maximum along v.
    template <std::uint32_t Group, std::uint32_t N>
    LANE_INLINE void look_at_outlines(PacksW<N>& packets, std::uint32_t k = 0) const {
        if constexpr (Group < 12) {
#pragma GCC unroll 1
            for (; k < view.outline_end[Group]; ++k) {
                const FloatW n_u(view.outline[k][0]), n_v(view.outline[k][1]), offset(view.outline[k][2]);
                for (std::uint32_t i = 0; i < N; ++i) {
                    const BoxCornersW& box = packets.box[i];
                    const FloatW u = box.end<(Group / 4 + 1) % 3>(Group & 1),
                                 v = box.end<(Group / 4 + 2) % 3>(Group & 2);
                    packets.least[i] = min(fma(n_u, u, fma(n_v, v, offset)), packets.least[i]);
                }
            }
            look_at_outlines<Group + 1>(packets, k);
        }
    }

    LANE_INLINE FloatW least_side(const BoxCornersW& box) const {
        Vec3W low = broadcast3(view.bounds[0]), high = broadcast3(view.bounds[1]);
        Vec3W below = box.high + low, above = box.minus_low + high;
        return min(min(min(below.x, below.y), min(below.z, above.x)), min(above.y, above.z));
    }

    template <std::uint32_t N, class Fetch>
    LANE_INLINE void load(const Boxes& s, const Fetch& fetch, PacksW<N>& packets, std::uint32_t i) const {
        Vec3W a = {fetch(s.min_x), fetch(s.min_y), fetch(s.min_z)};
        Vec3W b = {fetch(s.max_x), fetch(s.max_y), fetch(s.max_z)};
        BoxCornersW box = {axes.hi - a, axes.relative(b)};
        packets.box[i] = box;
        // The larger of |low| and |high|, where low <= high.
        packets.magnitude[i] =
            max(box.minus_low.x, box.high.x) + (max(box.minus_low.y, box.high.y) + max(box.minus_low.z, box.high.z));
        packets.extents[i] = b - a;
    }
    template <std::uint32_t N, class Fetch>
    LANE_INLINE void load(const CenteredBoxes& s, const Fetch& fetch, PacksW<N>& packets, std::uint32_t i) const {
        Vec3W half = {fetch(s.half_x), fetch(s.half_y), fetch(s.half_z)};
        Vec3W q = axes.relative({fetch(s.x), fetch(s.y), fetch(s.z)});
        packets.box[i] = {half - q, half + q};
        packets.magnitude[i] = one_norm(q) + one_norm(half);
        packets.extents[i] = half + half;
    }

    template <std::uint32_t N>
    LANE_INLINE void look(PacksW<N>& packets) const {
        for (std::uint32_t i = 0; i < N; ++i) packets.least[i] = least_side(packets.box[i]);
        look_at_planes<0>(packets);
        look_at_outlines<0>(packets);
    }

    /// A NaN in any number of the box shows in its extents. Whether the centre is inside is decided as in stage 1: it
    /// is less far inside than the corners by no more than the sum of the half-extents.
    template <std::uint32_t N, class Doubt>
    LANE_INLINE ClosedFormW verdict(const PacksW<N>& packets, std::uint32_t i, Doubt& doubt) const {
        const Vec3W& extents = packets.extents[i];
        const FloatW least = packets.least[i], extent = (extents.x + extents.y) + extents.z;
        const FloatW bound =
            FloatW(error_per_magnitude(roundings::plane)) * fma(extent, FloatW(0x1p-20f), packets.magnitude[i]);
        return doubt.look_at(packets.magnitude[i] + extent, extents.x, extents.y, extents.z) &
               ClosedFormW{least < -bound, least >= -bound, least + least >= extent};
    }

    template <class Fetch, class Doubt>
    LANE_INLINE ClosedFormW test(const typename Kind::Shapes& s, const Fetch& fetch, NoExpansionW, Doubt& doubt) const {
        PacksW<1> packet;
        load(s, fetch, packet, 0);
        look(packet);
        return verdict(packet, 0, doubt);
    }

    /// 64 objects in a row, four packets at a time, though AVX2's registers hold no more than two. Two packets at a
    /// time take a quarter longer for a box (AVX-512: a third), because fewer boxes share the cost of each loop and of
    /// loading its direction.
    template <class Doubt>
    LANE_INLINE ClosedFormBits test_word(const typename Kind::Shapes& s, std::uint32_t first, Unexpanded,
                                         Doubt& doubt) const {
        constexpr std::uint32_t at_once = 4;
        ClosedFormBits measured;
        for (std::uint32_t shift = 0; shift < 64; shift += at_once * lanes) {
            PacksW<at_once> packets;
            for (std::uint32_t i = 0; i < at_once; ++i) load(s, RunOfObjects{first + shift + i * lanes}, packets, i);
            look(packets);
            for (std::uint32_t i = 0; i < at_once; ++i) measured.add(verdict(packets, i, doubt), shift + i * lanes);
        }
        return measured;
    }
};

/// Whether the view's directions are known to be all that can separate a box from its volume.
inline bool parts_boxes(const PreparedView& view) { return view.outlines_known && view.planes_suffice; }

}  // namespace
}  // namespace lanecull
