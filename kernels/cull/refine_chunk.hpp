#pragma once

/// refine.hpp over a chunk: whole words where many of its objects are undecided, else packets of a list.

#include <cstdint>

#include <lanecull/certificate.hpp>
#include <lanecull/cull.hpp>

#include "cull/chunk.hpp"
#include "cull/packet.hpp"
#include "cull/refine.hpp"
#include "cull/staged.hpp"
#include "cull/undecided_list.hpp"
#include "lanes/frames.hpp"
#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"

namespace lanecull {
namespace {

/// Which planes refine() asks, and whether it accepts what it does not cull.
enum class RefineBy { one_plane, all_planes, planes_alone };

template <RefineBy By, class Shape, class Range>
LANE_INLINE RefinedW refine_packet(const Range& range, const Shape& shape) {
    if constexpr (By == RefineBy::one_plane) {
        return refine_by_one_plane(range.planes, shape, worst_plane_of(range.planes, shape.center));
    } else if constexpr (By == RefineBy::planes_alone) {
        return refine_by_planes_alone(range.planes, shape);
    } else {
        return refine(range.planes, shape);
    }
}

/// 64 objects.
template <RefineBy By, class Axes, class Range>
LANE_INLINE RefinedBits refine_word(const Range& range, const Axes& axes, std::uint32_t first) {
    RefinedBits refined;
    if constexpr (By == RefineBy::one_plane) {
        WorstPlaneW worst[64 / lanes];
        StagedW<decltype(range.load_in_a_row(axes, 0))> staged[64 / lanes];
#pragma GCC unroll 1
        for (std::uint32_t k = 0; k < 64 / lanes; ++k) {
            auto shape = range.load_in_a_row(axes, first + k * lanes);
            staged[k].put(shape);
            worst[k] = worst_plane_of(range.planes, shape.center);
        }
#pragma GCC unroll 1
        for (std::uint32_t k = 0; k < 64 / lanes; ++k) {
            refined.add(refine_by_one_plane(range.planes, staged[k].get(), worst[k]), k * lanes);
        }
    } else {
        for (std::uint32_t shift = 0; shift < 64; shift += lanes) {
            refined.add(refine_packet<By>(range, range.load_in_a_row(axes, first + shift)), shift);
        }
    }
    return refined;
}

/// Words [0, end) of the chunk, which are whole.
template <RefineBy By, class Range>
[[gnu::noinline]] void refine_words(Range& range, Chunk& chunk, std::uint32_t end) {
    const RelativeAxesW axes(range.view.frame);
    for (std::uint32_t w = 0; w < end; ++w) {
        RefinedBits refined = refine_word<By>(range, axes, chunk.first + 64 * w);
        refined.decide(chunk.undecided[w]);
        chunk.words[w] &= ~refined.outside;
        chunk.undecided[w] &= ~refined.decided();
        range.verdicts.record(chunk, w, refined.invalid, Reason::visible_invalid);
        range.verdicts.record(chunk, w, refined.outside, Reason::culled_plane);
        range.verdicts.record(chunk, w, refined.inside, Reason::visible_inside);
        range.verdicts.record(chunk, w, refined.vertex_inside, Reason::visible_vertex);
    }
}

/// Words from `begin` on, in packets of undecided objects. The list is left with those that stay so.
template <RefineBy By, class Range>
inline void refine_listed(Range& range, Chunk& chunk, UndecidedList& list, std::uint32_t begin) {
    RelativeAxesW axes(range.view.frame);
    list.collect(chunk, chunk.undecided, begin);
    const std::uint32_t waiting = list.take_all();
    for (std::uint32_t at = 0; at < waiting; at += lanes) {
        Packet packet = list.packet(at, waiting);
        RefinedBits refined;
        refined.add(refine_packet<By>(range, range.load(axes, packet.gathered(chunk.first))), 0);
        refined.decide(packet.active);
        chunk.clear(chunk.words, packet, refined.outside);
        chunk.clear(chunk.undecided, packet, refined.decided());
        range.verdicts.record(chunk, packet, refined.invalid, Reason::visible_invalid);
        range.verdicts.record(chunk, packet, refined.outside, Reason::culled_plane);
        range.verdicts.record(chunk, packet, refined.inside, Reason::visible_inside);
        range.verdicts.record(chunk, packet, refined.vertex_inside, Reason::visible_vertex);
        list.append(packet.entries, packet.active & ~static_cast<std::uint32_t>(refined.decided()));
    }
}

template <RefineBy By, class Range>
inline void refine_by(Range& range, Chunk& chunk, UndecidedList& list, std::uint64_t undecided) {
    const std::uint32_t whole_words = Packets::are_many(chunk, undecided) ? chunk.count / 64 : 0;
    refine_words<By>(range, chunk, whole_words);
    refine_listed<By>(range, chunk, list, whole_words);
    if (whole_words > 0) list.collect(chunk, chunk.undecided, 0);
}

/// Refines a chunk: tests planes against the objects' own shapes, and looks for points of the objects in the volume.
/// Lists what is left for later stages. Where many objects are undecided, whole words are tested, as in stage 1. Where
/// edges or the shortest vector follow, one plane is enough.
template <class Range>
inline void refine_all(Range& range, Chunk& chunk, UndecidedList& list, std::uint64_t undecided) {
    if (range.method == Method::planes) return refine_by<RefineBy::planes_alone>(range, chunk, list, undecided);
    if constexpr (Range::looks_at_edges) {
        refine_by<RefineBy::one_plane>(range, chunk, list, undecided);
    } else if constexpr (Range::may_look_at_nearest) {
        range.looks_at_nearest ? refine_by<RefineBy::one_plane>(range, chunk, list, undecided)
                               : refine_by<RefineBy::all_planes>(range, chunk, list, undecided);
    } else {
        refine_by<RefineBy::all_planes>(range, chunk, list, undecided);
    }
}

}  // namespace
}  // namespace lanecull
