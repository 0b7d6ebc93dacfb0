#pragma once

/// Tests a list's capsules by their shortest vector to the volume (cull/capsule_nearest.hpp). A few packets take a
/// step one after the other before any of them takes the next step. A capsule whose radius is no less than the vector's
/// length overlaps. Otherwise the vector is a direction like any that GJK takes, and the same comparison proves the
/// capsule apart. Of 100 straddling capsules 11 get here: 8 overlap, 3 are apart, and GJK is left with 3 of 1,000.
///
/// Times for a straddling capsule (AVX2, EPYC of family 25, model 1): with GJK instead of this stage 9.5 ns; with this
/// stage 8.1; with only the worst plane tested before it 6.5; and step by step instead of packet by packet 6.2.

#include <cstdint>

#include <lanecull/certificate.hpp>
#include <lanecull/prepared_view.hpp>

#include "cull/capsule_nearest.hpp"
#include "cull/certificates.hpp"
#include "cull/chunk.hpp"
#include "cull/gjk.hpp"
#include "cull/gjk_trace.hpp"
#include "cull/packet.hpp"
#include "cull/staged.hpp"
#include "cull/undecided_list.hpp"
#include "cull/volume_distance.hpp"
#include "cull/volume_support.hpp"
#include "lanes/frames.hpp"
#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"
#include "lanes/vec3w.hpp"

namespace lanecull {
namespace {

/// A few packets of capsules between the steps.
template <class Capsule>
struct FewCapsules {
    static constexpr std::uint32_t packets = 4;

    std::uint32_t count = 0;
    alignas(64) std::int32_t entry[packets * lanes];  // copies: the list is written to meanwhile
    StagedW<Capsule> staged[packets];
    Vec3W towards[packets];        // from the axis to the volume's nearest point, times a power of two in each lane
    std::uint32_t meets[packets];  // set: the radius reaches that point

    LANE_INLINE Packet packet(std::uint32_t k) const { return Packet(entry + k * lanes, count - k * lanes); }
};

template <class Distance, class Capsule>
[[gnu::noinline]] void find_nearest_by(const PreparedView& view, FewCapsules<Capsule>& few) {
    // Squares of larger numbers come near overflow.
    constexpr float largest = 1e15f;
    const Distance distance(view);
#pragma GCC unroll 1
    for (std::uint32_t k = 0; k * lanes < few.count; ++k) {
        Capsule capsule = few.staged[k].get();
        ShortestVectorW way = shortest_vector(distance, capsule);
        const Vec3W& w = way.from_nearest;
        const MaskW reaches = dot(w, w) <= capsule.radius * capsule.radius;
        few.meets[k] = bits(way.known & reaches & (capsule.magnitude < FloatW(largest)));
        few.towards[k] = -(w * exponent_scale(inf_norm(w)));
    }
}

template <class Capsule>
LANE_INLINE void find_nearest(const PreparedView& view, FewCapsules<Capsule>& few) {
    if (view.volume == VolumeKind::box) {
        find_nearest_by<BoxDistance>(view, few);
    } else if (!is_symmetric(view) || Depths(view).tilted()) {
        find_nearest_by<PerspectiveDistance<false, true>>(view, few);
    } else {
        find_nearest_by<PerspectiveDistance<true, false>>(view, few);
    }
}

/// Runs GJK's first step for capsules that are not known to overlap. What it proves apart is decided; the others stay
/// on the list.
template <class Volume, class Trace, class Range, class Capsule>
[[gnu::noinline]] void decide_few_by(Range& range, Chunk& chunk, UndecidedList& list, const FewCapsules<Capsule>& few) {
#pragma GCC unroll 1
    for (std::uint32_t k = 0; k * lanes < few.count; ++k) {
        Packet packet = few.packet(k);
        const std::uint32_t overlap = few.meets[k] & packet.active;
        Capsule capsule = few.staged[k].get();
        Gjk<Capsule, Volume, Trace> query(range.view, {capsule, few.towards[k], mask_of(packet.active & ~overlap)});
        query.begin_point(few.towards[k]);
        const std::uint32_t apart = bits(query.result.apart);
        chunk.clear(chunk.words, packet, apart);
        range.verdicts.record(chunk, packet, overlap, Reason::visible_overlap);
        record_traced(range.verdicts, chunk, packet, apart, Reason::culled_gjk, query.trace, range.view.frame);
        list.append(packet.entries, packet.active & ~(overlap | apart));
    }
}

template <class Range, class Capsule>
LANE_INLINE void decide_few(Range& range, Chunk& chunk, UndecidedList& list, const FewCapsules<Capsule>& few) {
    if (range.verdicts.noted()) {
        decide_few_by<AnyVolumeW, TraceW>(range, chunk, list, few);
    } else if (range.view.volume == VolumeKind::frustum) {
        decide_few_by<FrustumW, NotTraced>(range, chunk, list, few);
    } else if (range.view.volume == VolumeKind::edge_frustum) {
        decide_few_by<EdgeFrustumW, NotTraced>(range, chunk, list, few);
    } else {
        decide_few_by<OrthoBoxW, NotTraced>(range, chunk, list, few);
    }
}

/// Decides what it can, and takes it off the list.
template <class Range>
[[gnu::noinline]] void decide_at_nearest(Range& range, Chunk& chunk, UndecidedList& list) {
    const FrameAxesW axes(range.view.frame);
    FewCapsules<decltype(range.load_in_a_row(axes, 0))> few;
    constexpr std::uint32_t room = few.packets * lanes;
    const std::uint32_t waiting = list.take_all();
    for (std::uint32_t at = 0; at < waiting; at += room) {
        few.count = waiting - at < room ? waiting - at : room;
#pragma GCC unroll 1
        for (std::uint32_t k = 0; k * lanes < few.count; ++k) {
            store(few.entry + k * lanes, load(list.entry + at + k * lanes));
            auto shape = range.load(axes, few.packet(k).gathered(chunk.first));
            few.staged[k].put(shape);
        }
        find_nearest(range.view, few);
        decide_few(range, chunk, list, few);
    }
}

}  // namespace
}  // namespace lanecull
