#pragma once

/// Stage 2 for shapes of which any W make a pack. Queries take some five steps in the mean, and the slowest of two
/// packs eight to ten: after `early_iterations` the lanes that are still open wait for others of their kind, and go on
/// in full packs.

namespace lanecull {
namespace {

/// Of boxes 17 %, of spheres 22 % are open then.
constexpr int early_iterations = 5;

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
        std::uint32_t at = 0;
        query.visit_lanes([&](FloatW& value) LANE_LAMBDA { store_compressed(number[at++] + count, value, active); });
        store_compressed(entry + count, entries, active);
        count += static_cast<std::uint32_t>(__builtin_popcount(active));
    }

    /// Number `pack` of the packs that wait, in the place of another query to the same volume.
    LANE_INLINE Query resume(const Query& like, std::uint32_t pack) {
        Query query = like;
        const std::uint32_t first = pack * lanes, n = count > first ? count - first : 0;
        std::uint32_t at = 0;
        query.visit_lanes([&](FloatW& value) LANE_LAMBDA { value = load(number[at++] + first); });
        query.active = mask_of(n >= lanes ? all_lanes : (1u << n) - 1u);
        query.result = {mask_of(0), mask_of(0), mask_of(0), mask_of(0)};
        return query;
    }
    LANE_INLINE Pack pack(std::uint32_t number_of_pack) const {
        const std::uint32_t first = number_of_pack * lanes;
        return Pack(entry + first, count <= first ? 0 : count - first < lanes ? count - first : lanes);
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
[[gnu::noinline]] void go_on_to_the_end(TwoInTurn<Query>& two) {
    two.go_on(early_iterations, max_iterations);
}

template <class Range, class Query>
LANE_INLINE void settle_stragglers(Range& range, Chunk& chunk, const Query& like, Stragglers<Query>& stragglers) {
    TwoInTurn<Query> two{stragglers.resume(like, 0), stragglers.resume(like, 1)};
    go_on_to_the_end(two);
    range.settle_query(chunk, stragglers.pack(0), two.first.finish());
    range.settle_query(chunk, stragglers.pack(1), two.second.finish());
    stragglers.drop_two();
}

template <class Volume, class Range>
[[gnu::noinline]] void separate_against(Range& range, Chunk& chunk, OpenList& list) {
    FrameAxesW axes(range.view.frame);
    using Shape = decltype(range.load(axes, Pack(list, 0, 0).pick(0)));
    using Query = Gjk<Shape, Volume, NotTraced>;
    Stragglers<Query> stragglers;
    const std::uint32_t waiting = list.take_all();
    for (std::uint32_t at = 0; at < waiting; at += 2 * lanes) {
        Pack first(list, at, waiting), second(list, at + lanes, waiting);
        const Shape shape_0 = range.load(axes, first.pick(chunk.first));
        const Shape shape_1 = range.load(axes, second.pick(chunk.first));
        QueryW<Shape> query_0 = range.query_for(chunk, first, shape_0);
        QueryW<Shape> query_1 = range.query_for(chunk, second, shape_1);
        TwoInTurn<Query> two{Query(range.view, query_0), Query(range.view, query_1)};
        two.begin(query_0.start, query_1.start);
        two.go_on(first_iterations, early_iterations);
        range.settle_query(chunk, first, two.first.result);
        range.settle_query(chunk, second, two.second.result);
        stragglers.take(two.first, first.entries);
        stragglers.take(two.second, second.entries);
        const bool last = at + 2 * lanes >= waiting;
        if (last) stragglers.pad();
        while (stragglers.count >= 2 * lanes || (last && stragglers.count > 0)) {
            settle_stragglers(range, chunk, two.first, stragglers);
        }
    }
}

}  // namespace
}  // namespace lanecull
