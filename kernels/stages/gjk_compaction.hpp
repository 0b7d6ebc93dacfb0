#pragma once

/// Stage 2 for shapes of which any W make a pack. Queries take some five steps in the mean, and the slowest of two
/// packs eight to ten: once most are decided the others wait for lanes of their kind, and go on in full packs, as often
/// as it takes.

#include <cstdint>

#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"
#include "shapes/frames.hpp"
#include "stages/gjk.hpp"
#include "stages/gjk_packs.hpp"
#include "stages/gjk_trace.hpp"
#include "stages/refine.hpp"
#include "stages/undecided_list.hpp"
#include "volumes/support.hpp"

namespace lanecull {
namespace {

/// Two packs go on until no more than a quarter of their lanes is undecided, and those of new objects for so many
/// supports at most. Alternatives, and what they lost: kernels/REJECTED.md.
constexpr int few_undecided = static_cast<int>(lanes) / 2;
constexpr int early_iterations = 8;

/// Lanes of GJK on their way, fewer than four packs of them.
template <class Query>
struct Stragglers {
    static constexpr std::uint32_t room = 5 * lanes;  // a whole store beyond the last

    std::uint32_t count = 0;
    alignas(64) std::int32_t entry[room];
    alignas(64) float number[Query::lane_numbers][room];

    /// Those of the query's lanes that are still active.
    LANE_INLINE void take(Query& query, IndexW entries) {
        const std::uint32_t active = bits(query.active);
        if (active == 0) return;
        const std::uint32_t end = count;  // which no store can change
        std::uint32_t at = 0;
        query.visit_lanes([&](FloatW& value) LANE_LAMBDA { store_compressed(number[at++] + end, value, active); });
        store_compressed(entry + end, entries, active);
        count += static_cast<std::uint32_t>(__builtin_popcount(active));
    }

    /// Number `pack` of the packs that wait, in the place of another query to the same volume: not of a copy of one, as
    /// an instruction that copies so many registers starts slowly.
    LANE_INLINE void resume(Query& query, std::uint32_t pack) {
        const std::uint32_t first = pack * lanes, n = count > first ? count - first : 0;
        std::uint32_t at = 0;
        query.visit_lanes([&](FloatW& value) LANE_LAMBDA { value = load(number[at++] + first); });
        query.active = mask_of(n >= lanes ? all_lanes : (1u << n) - 1u);
        query.result = {mask_of(0), mask_of(0), mask_of(0), mask_of(0)};
    }
    LANE_INLINE Packet pack(std::uint32_t number_of_pack) const {
        const std::uint32_t first = number_of_pack * lanes;
        Packet pack(entry + first, count <= first ? 0 : count - first < lanes ? count - first : lanes);
        pack.neighbours = false;  // W - 1 from first to last is not W in a row: those that wait again do not ascend
        return pack;
    }

    /// The first two packs have gone.
    LANE_INLINE void drop_two() {
        count -= count < 2 * lanes ? count : 2 * lanes;
        for (std::uint32_t i = 0; i < count; i += lanes) {
            store(entry + i, load(entry + 2 * lanes + i));
            for (auto& numbers : number) store(numbers + i, load(numbers + 2 * lanes + i));
        }
    }
    /// Lanes that nobody has written are at least numbers.
    LANE_INLINE void pad() {
        for (auto& numbers : number) {
            for (std::uint32_t i = count; i < 2 * lanes; ++i) numbers[i] = 1.0f;
        }
    }
};

/// Not inlined: kinds that are one shape share it.
template <class Query>
[[gnu::noinline]] void go_on_until(TwoInTurn<Query>& two, int few) {
    two.go_on_until(few);
}

/// A list's packs as separate_against() asks for them: shapes, queries, and where verdicts go.
template <class Range>
struct ListedPacks {
    Range& range;
    Chunk& chunk;
    const std::int32_t* entries;
    std::uint32_t count;
    const PreparedView& view;

    LANE_INLINE ListedPacks(Range& range_, Chunk& chunk_, UndecidedList& list)
        : range(range_), chunk(chunk_), entries(list.entry), count(list.take_all()), view(range.view) {}

    /// Made once a call: of its many vectors gcc keeps some in registers then.
    LANE_INLINE FrameAxesW axes() const { return FrameAxesW(view.frame); }

    LANE_INLINE void prepare(const Packet&, const Packet&) const {}
    LANE_INLINE auto load(const FrameAxesW& axes, const Packet& pack, int) const {
        return range.load(axes, pack.gathered(chunk.first));
    }
    template <class Shape>
    LANE_INLINE QueryW<Shape> query(const Packet& pack, const Shape& shape, int) const {
        return query_for(range, chunk, pack, shape);
    }
    LANE_INLINE void record(const Packet& pack, const SeparatedW& separated) const {
        record_query(range, chunk, pack, separated);
    }
    /// Any shape at all.
    LANE_INLINE auto placeholder(const FrameAxesW& axes) const {
        return load(axes, Packet(entries, count < lanes ? count : lanes), 0);
    }
};

/// Two packs of stragglers. The last ones go on to the end.
template <class Packets, class Query>
LANE_INLINE void decide_stragglers(const Packets& packs, TwoInTurn<Query>& late, Stragglers<Query>& stragglers,
                                   bool last) {
    Packet first = stragglers.pack(0), second = stragglers.pack(1);
    stragglers.resume(late.first, 0);
    stragglers.resume(late.second, 1);
    stragglers.drop_two();
    go_on_until(late, last && stragglers.count == 0 ? 0 : few_undecided);
    packs.record(first, late.first.result);
    packs.record(second, late.second.result);
    stragglers.take(late.first, first.entries);
    stragglers.take(late.second, second.entries);
}

template <class Volume, class Packets>
[[gnu::noinline]] void separate_against(const Packets& packs) {
    auto axes = packs.axes();
    using Shape = decltype(packs.placeholder(axes));
    using Query = Gjk<Shape, Volume, NotTraced>;
    const std::int32_t* const entries = packs.entries;
    const std::uint32_t waiting = packs.count;
    const PreparedView& view = packs.view;
    // Those that go on: made once, for resume() to fill in.
    Shape any = packs.placeholder(axes);
    const QueryW<Shape> nothing{any, start_normal(view, any), mask_of(0)};
    TwoInTurn<Query> late{Query(view, nothing), Query(view, nothing)};
    Stragglers<Query> stragglers;
    for (std::uint32_t at = 0; at < waiting; at += 2 * lanes) {
        const std::uint32_t rest = waiting - at;
        Packet first(entries + at, rest), second(entries + at + lanes, rest > lanes ? rest - lanes : 0);
        packs.prepare(first, second);
        Shape shape_0 = packs.load(axes, first, 0);
        Shape shape_1 = packs.load(axes, second, 1);
        QueryW<Shape> query_0 = packs.query(first, shape_0, 0);
        QueryW<Shape> query_1 = packs.query(second, shape_1, 1);
        TwoInTurn<Query> two{Query(view, query_0), Query(view, query_1)};
        two.begin(query_0.start, query_1.start);
        two.go_on(early_iterations, few_undecided);
        packs.record(first, two.first.result);
        packs.record(second, two.second.result);
        stragglers.take(two.first, first.entries);
        stragglers.take(two.second, second.entries);
        const bool last = rest <= 2 * lanes;
        while (stragglers.count >= 2 * lanes || (last && stragglers.count > 0)) {
            if (stragglers.count < 2 * lanes) stragglers.pad();
            decide_stragglers(packs, late, stragglers, last);
        }
    }
}

/// Whether GJK is compiled for the view's volume: one that is asked often.
LANE_INLINE bool is_asked_often(const PreparedView& view) {
    return view.volume == VolumeKind::frustum || view.volume == VolumeKind::edge_frustum ||
           view.volume == VolumeKind::box;
}

/// Against whichever of these the view has.
template <class Packets>
inline void separate_from_volume(const Packets& packs) {
    if (packs.view.volume == VolumeKind::frustum) {
        separate_against<FrustumW>(packs);
    } else if (packs.view.volume == VolumeKind::edge_frustum) {
        separate_against<EdgeFrustumW>(packs);
    } else {
        separate_against<OrthoBoxW>(packs);
    }
}

}  // namespace
}  // namespace lanecull
