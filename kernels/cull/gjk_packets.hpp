#pragma once

/// Stage 2: GJK for everything listed, or nothing for Method::planes.
///
/// Of most kinds any W shapes can share a packet. A query takes some five steps in the mean, but the slowest of two
/// packets takes eight to ten. So once most lanes are decided, the others (stragglers) are set aside until they fill
/// packets, and go on in full packets. A lane may be set aside as often as it takes.

#include <lanecull/cull.h>

#include <cstdint>

#include "cull/chunk.hpp"
#include "cull/drive.hpp"
#include "cull/gjk.hpp"
#include "cull/kernel_work.hpp"
#include "cull/kind_traits.hpp"
#include "cull/reasons.hpp"
#include "cull/refine.hpp"
#include "cull/volume_support.hpp"
#include "lanes/frames.hpp"
#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"
#include "view/prepared_view.hpp"

namespace lanecull {
namespace {

/// Stage 2's query for a packet. With gjk_alone no stage before it has tested the objects, so invalid ones are found
/// here.
template <class Shape, class Range>
LANE_INLINE QueryW<Shape> query_for(Range& range, const Chunk& chunk, const Packet& packet, const Shape& shape) {
    std::uint32_t sound_lanes = packet.active;
    if (range.method == gjk_alone) {
        sound_lanes &= bits(sound(shape));
        range.verdicts.record(chunk, packet, packet.active & ~sound_lanes, Reason::visible_invalid);
    }
    return {shape, start_normal(range.view, shape), mask_of(sound_lanes)};
}

/// Returns the lanes that are decided.
template <class Range>
LANE_INLINE std::uint32_t record_query(Range& range, Chunk& chunk, const Packet& packet, const SeparatedW& separated) {
    Found<Reason::culled_gjk, Reason::visible_overlap, Reason::visible_touching, Reason::visible_cap> found{
        {bits(separated.apart), bits(separated.overlap), bits(separated.touching), bits(separated.cap)}};
    return packet.active & ~record(range.verdicts, chunk, packet, found);
}

/// Two packets go on until no more than a quarter of their lanes is undecided. Packets of new objects go on for no more
/// than early_iterations support points. Alternatives, and what they lost: kernels/REJECTED.md.
constexpr int few_undecided = static_cast<int>(lanes) / 2;
constexpr int early_iterations = 8;

/// Lanes that wait to go on with GJK: fewer than four packets of them.
template <class Query>
struct Stragglers {
    static constexpr std::uint32_t room = 5 * lanes;  // room for a whole store beyond the last

    std::uint32_t count = 0;
    alignas(64) std::int32_t entry[room];
    alignas(64) float number[Query::lane_numbers][room];

    /// Adds those of the query's lanes that are still active.
    LANE_INLINE void take(Query& query, IndexW entries) {
        const std::uint32_t active = bits(query.active);
        if (active == 0) return;
        const std::uint32_t end = count;  // a copy that no store can change
        std::uint32_t at = 0;
        query.visit_lanes([&](FloatW& value) LANE_LAMBDA { store_compressed(number[at++] + end, value, active); });
        store_compressed(entry + end, entries, active);
        count += static_cast<std::uint32_t>(__builtin_popcount(active));
    }

    /// Loads waiting packet number `packet` into `query`, which is another query to the same volume. It does not go
    /// into a copy of a query, because the instruction that copies so many registers starts slowly.
    LANE_INLINE void resume(Query& query, std::uint32_t packet) {
        const std::uint32_t first = packet * lanes, n = count > first ? count - first : 0;
        std::uint32_t at = 0;
        query.visit_lanes([&](FloatW& value) LANE_LAMBDA { value = load(number[at++] + first); });
        query.active = mask_of(n >= lanes ? all_lanes : (1u << n) - 1u);
        query.result = {mask_of(0), mask_of(0), mask_of(0), mask_of(0)};
    }
    LANE_INLINE Packet packet(std::uint32_t number_of_packet) const {
        const std::uint32_t first = number_of_packet * lanes;
        Packet packet(entry + first, count <= first ? 0 : count - first < lanes ? count - first : lanes);
        packet.neighbours = false;  // stragglers do not ascend: last - first = W - 1 does not mean W in a row
        return packet;
    }

    /// Removes the first two packets, which have been resumed.
    LANE_INLINE void drop_two() {
        count -= count < 2 * lanes ? count : 2 * lanes;
        for (std::uint32_t i = 0; i < count; i += lanes) {
            store(entry + i, load(entry + 2 * lanes + i));
            for (auto& numbers : number) store(numbers + i, load(numbers + 2 * lanes + i));
        }
    }
    /// Fills the unused lanes of the first two packets with a number.
    LANE_INLINE void pad() {
        for (auto& numbers : number) {
            for (std::uint32_t i = count; i < 2 * lanes; ++i) numbers[i] = 1.0f;
        }
    }
};

/// Not inlined: kinds with the same shape share it.
template <class Query>
[[gnu::noinline]] void go_on_until(TwoInTurn<Query>& two, int few) {
    two.go_on_until(few);
}

/// Goes on with two packets of stragglers. The last ones of a call go on until they are decided.
template <class Range, class Query>
LANE_INLINE void decide_stragglers(Range& range, Chunk& chunk, TwoInTurn<Query>& late, Stragglers<Query>& stragglers,
                                   bool last) {
    Packet first = stragglers.packet(0), second = stragglers.packet(1);
    stragglers.resume(late.first, 0);
    stragglers.resume(late.second, 1);
    stragglers.drop_two();
    go_on_until(late, last && stragglers.count == 0 ? 0 : few_undecided);
    record_query(range, chunk, first, late.first.result);
    record_query(range, chunk, second, late.second.result);
    stragglers.take(late.first, first.entries);
    stragglers.take(late.second, second.entries);
}

template <class Volume, class Range>
[[gnu::noinline]] void separate_against(Range& range, Chunk& chunk, UndecidedList& list) {
    const PreparedView& view = range.view;
    // Made once a call, so that gcc keeps some of its many vectors in registers.
    const FrameAxesW axes(view.frame);
    const std::int32_t* const entries = list.entry;
    const std::uint32_t waiting = list.take_all();
    const auto shape_of = [&](const Packet& packet)
                              LANE_LAMBDA { return range.load(axes, packet.gathered(chunk.first)); };
    // The queries that stragglers go on in: made once, of any shape, for resume() to fill in.
    auto any = shape_of(Packet(entries, waiting < lanes ? waiting : lanes));
    using Shape = decltype(any);
    using Query = Gjk<Shape, Volume, NotTraced>;
    const QueryW<Shape> nothing{any, start_normal(view, any), mask_of(0)};
    TwoInTurn<Query> late{Query(view, nothing), Query(view, nothing)};
    Stragglers<Query> stragglers;
    for (std::uint32_t at = 0; at < waiting; at += 2 * lanes) {
        const std::uint32_t rest = waiting - at;
        Packet first(entries + at, rest), second(entries + at + lanes, rest > lanes ? rest - lanes : 0);
        Shape shape_0 = shape_of(first), shape_1 = shape_of(second);
        QueryW<Shape> query_0 = query_for(range, chunk, first, shape_0);
        QueryW<Shape> query_1 = query_for(range, chunk, second, shape_1);
        TwoInTurn<Query> two{Query(view, query_0), Query(view, query_1)};
        two.begin(query_0.start, query_1.start);
        two.go_on(early_iterations, few_undecided);
        record_query(range, chunk, first, two.first.result);
        record_query(range, chunk, second, two.second.result);
        stragglers.take(two.first, first.entries);
        stragglers.take(two.second, second.entries);
        const bool last = rest <= 2 * lanes;
        while (stragglers.count >= 2 * lanes || (last && stragglers.count > 0)) {
            if (stragglers.count < 2 * lanes) stragglers.pad();
            decide_stragglers(range, chunk, late, stragglers, last);
        }
    }
}

/// Whether GJK has its own copy for the view's kind of volume: the three that are used often.
LANE_INLINE bool is_asked_often(const PreparedView& view) {
    return view.volume == VolumeKind::frustum || view.volume == VolumeKind::edge_frustum ||
           view.volume == VolumeKind::box;
}

/// Against the view's volume, which is one of those three.
template <class Range>
inline void separate_from_volume(Range& range, Chunk& chunk, UndecidedList& list) {
    if (range.view.volume == VolumeKind::frustum) {
        separate_against<FrustumW>(range, chunk, list);
    } else if (range.view.volume == VolumeKind::edge_frustum) {
        separate_against<EdgeFrustumW>(range, chunk, list);
    } else {
        separate_against<OrthoBoxW>(range, chunk, list);
    }
}

/// Stage 2 for two packets of hulls; or of a rare case, which goes out of line.
template <class Shape, class Range>
LANE_INLINE void separate_packets(Range& range, Chunk& chunk, const Packet& first, const Shape& first_shape,
                                  const Packet& second, const Shape& second_shape) {
    SeparatedW separated[2];
    TraceW traces[2];
    QueryW<Shape> query_0 = query_for(range, chunk, first, first_shape);
    QueryW<Shape> query_1 = query_for(range, chunk, second, second_shape);
    TraceW* const wanted = range.verdicts.noted() ? traces : nullptr;
    if constexpr (Range::Kind::shares_vertices) {
        separate(range.view, query_0, query_1, separated, wanted);
    } else {
        separate_out_of_line(range.view, query_0, query_1, separated, wanted);
    }
    const std::uint32_t decided[2] = {record_query(range, chunk, first, separated[0]),
                                      record_query(range, chunk, second, separated[1])};
    if (wanted == nullptr) return;
    note_trace(range.verdicts, chunk, first, decided[0], traces[0], range.view.frame);
    note_trace(range.verdicts, chunk, second, decided[1], traces[1], range.view.frame);
}

/// Stage 2. Rare cases take the list two packets at a time, without compaction: expansion, polytopes, certificates.
template <class Range>
inline void separate_all(Range& range, Chunk& chunk, UndecidedList& list) {
    if constexpr (!Range::Expansion::expands) {
        if (!range.verdicts.noted() && is_asked_often(range.view)) {
            return separate_from_volume(range, chunk, list);
        }
    }
    FrameAxesW axes(range.view.frame);
    const std::uint32_t waiting = list.take_all();
    for (std::uint32_t at = 0; at < waiting; at += 2 * lanes) {
        Packet first = list.packet(at, waiting), second = list.packet(at + lanes, waiting);
        separate_packets(range, chunk, first, range.load(axes, first.gathered(chunk.first)), second,
                         range.load(axes, second.gathered(chunk.first)));
    }
}

/// For Method::planes: everything that is still undecided stays visible, because there is no other test.
template <class Range>
inline void keep_all(Range& range, const Chunk& chunk, UndecidedList& list) {
    drive(range.verdicts, chunk, ListPackets(list),
          [](const Packet& packet) LANE_LAMBDA { return Found<Reason::visible_planes>{{packet.active}}; });
}

}  // namespace
}  // namespace lanecull
