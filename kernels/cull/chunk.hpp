#pragma once

/// What passes between steps: a chunk, which is the piece of a range that goes through the stages together, with its
/// words of visibility bits and of undecided objects; the list of the undecided; and the packets that a step reads, of
/// a list or straight from a chunk's bits.
///
/// Chunks are long because stage 1 is fastest without interruption: chunks of 4,864 objects took 5 to 12 % longer where
/// objects come from caches, 12 to 23 % from memory. The stages after stage 1 take a chunk in parts. A part has no more
/// undecided objects than a list holds; lists are short because the stack is small (types.h).

#include <cstdint>

#include "lanes/gather.hpp"
#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"

namespace lanecull {
namespace {

constexpr std::uint32_t chunk_words = 256;
constexpr std::uint32_t chunk_objects = 64 * chunk_words;

LANE_INLINE std::uint64_t population(std::uint64_t bits) {
    return static_cast<std::uint64_t>(__builtin_popcountll(bits));
}

/// Entries [first, last) of a list: at most W, perhaps none. The lanes beyond them are object 0 and masked. Or W
/// objects in a row.
struct Packet {
    std::uint32_t active;
    IndexW entries;
    std::uint32_t first_object = 0;
    bool neighbours = false;  // set: W objects in a row

    /// W objects in a row from first_object_ on, of which those in the lanes `active_` count. From `end` on, lanes
    /// repeat the last object before it.
    LANE_INLINE Packet(std::uint32_t first_object_, std::uint32_t active_, std::uint32_t end)
        : active(active_),
          entries(lane_numbers() + IndexW(static_cast<std::int32_t>(first_object_))),
          first_object(first_object_),
          neighbours(end - first_object_ >= lanes) {
        if (neighbours) return;
        alignas(64) std::int32_t padded[lanes];
        for (std::uint32_t i = 0; i < lanes; ++i) {
            padded[i] = static_cast<std::int32_t>(first_object + i < end ? first_object + i : end - 1);
        }
        entries = load(padded);
    }

    LANE_INLINE Packet(std::uint32_t active_, IndexW entries_, std::uint32_t first_object_, bool neighbours_)
        : active(active_), entries(entries_), first_object(first_object_), neighbours(neighbours_) {}

    LANE_INLINE Packet(const std::int32_t* entry, std::uint32_t n) {
        active = n >= lanes ? all_lanes : (1u << n) - 1u;
        if (n >= lanes) {
            entries = load(entry);
            const auto object = [&](std::uint32_t at) LANE_LAMBDA { return static_cast<std::uint32_t>(entry[at]); };
            first_object = object(0);
            neighbours = object(lanes - 1) - first_object == lanes - 1;  // lists ascend
            return;
        }
        alignas(64) std::int32_t padded[lanes];
        for (std::uint32_t i = 0; i < lanes; ++i) padded[i] = i < n ? entry[i] : 0;
        entries = load(padded);
    }
    LANE_INLINE IndexW objects() const { return entries; }
    LANE_INLINE GatheredObjects gathered(std::uint32_t chunk_first) const {
        return {chunk_first, objects(), neighbours, chunk_first + first_object};
    }
};

/// How many bits are set.
struct Populations {
    std::uint64_t visible, undecided;
};

/// Up to chunk_objects objects in a row, or whole words of them.
struct Chunk {
    std::uint32_t first;  // object in the batch
    std::uint32_t count;
    std::uint64_t* words;             // set: not culled so far
    std::uint64_t* undecided;         // set: undecided; set in `words` as well
    const std::uint64_t* candidates;  // the caller's, of the chunk's words; or null

    LANE_INLINE std::uint32_t word_count() const { return (count + 63) / 64; }
    /// The bits of all objects in word w.
    LANE_INLINE std::uint64_t all_of(std::uint32_t w) const {
        const std::uint32_t rest = count - 64 * w;
        return rest >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << rest) - 1;
    }
    /// Of these, the candidates.
    LANE_INLINE std::uint64_t candidates_of(std::uint32_t w) const {
        return candidates != nullptr ? all_of(w) & candidates[w] : all_of(w);
    }
    LANE_INLINE std::uint32_t population(const std::uint64_t* of) const {
        std::uint64_t sum = 0;
        for (std::uint32_t w = 0; w < word_count(); ++w) sum += lanecull::population(of[w]);
        return static_cast<std::uint32_t>(sum);
    }
    /// Words [begin, end).
    LANE_INLINE Chunk part(std::uint32_t begin, std::uint32_t end) const {
        const std::uint32_t objects = end < word_count() ? 64 * (end - begin) : count - 64 * begin;
        return {first + 64 * begin, objects, words + begin, undecided + begin,
                candidates != nullptr ? candidates + begin : nullptr};
    }

    /// Fills word w: of the visible objects those that are not accepted are undecided. Adds to what is left.
    LANE_INLINE void fill(std::uint32_t w, std::uint64_t visible, std::uint64_t accepted, Populations& left) const {
        words[w] = visible;
        undecided[w] = visible & ~accepted;
        left.visible += lanecull::population(visible);
        left.undecided += lanecull::population(visible & ~accepted);
    }
    /// Clears the undecided bits of culled objects. Counts what is left.
    LANE_INLINE Populations close_culled() {
        for (std::uint32_t w = 0; w < word_count(); ++w) undecided[w] &= words[w];
        return {population(words), population(undecided)};
    }

    /// Clears the bits of the packet's objects in the lanes `of_lanes`. `of` is the chunk's `words` or `undecided`.
    static LANE_INLINE void clear(std::uint64_t* of, const Packet& packet, std::uint64_t of_lanes) {
        const std::uint32_t shift = packet.first_object % 64;
        if (packet.neighbours && shift + lanes <= 64) {
            of[packet.first_object / 64] &= ~(of_lanes << shift);
            return;
        }
        alignas(64) std::int32_t objects[lanes];
        store(objects, packet.objects());
        for (; of_lanes != 0; of_lanes &= of_lanes - 1) {
            const auto object = static_cast<std::uint32_t>(objects[__builtin_ctzll(of_lanes)]);
            of[object / 64] &= ~(std::uint64_t{1} << object % 64);
        }
    }
};

constexpr std::uint32_t list_objects = 2560;

/// Objects of a chunk or a part of it that wait for the next stage. A stage reads the list packet by packet and writes
/// what it leaves undecided back to the front. It never writes beyond the packet that it has just read, so one list
/// serves all stages. (append() stores W entries. After a packet of fewer entries that is not the last of the list,
/// this would overwrite entries that have not been read; append_short() does not.)
struct UndecidedList {
    std::uint32_t count = 0;
    alignas(64) std::int32_t entry[list_objects + lanes];  // room for a whole store beyond the last

    LANE_INLINE void append(IndexW entries, std::uint32_t chosen) {
        store_compressed(entry + count, entries, chosen);
        count += static_cast<std::uint32_t>(__builtin_popcount(chosen));
    }
    /// The same, but writes only the chosen entries: for packets that may be shorter than W.
    LANE_INLINE void append_short(IndexW entries, std::uint32_t chosen) {
        alignas(64) std::int32_t front[lanes];
        store_compressed(front, entries, chosen);
        const auto n = static_cast<std::uint32_t>(__builtin_popcount(chosen));
        for (std::uint32_t i = 0; i < n; ++i) entry[count + i] = front[i];
        count += n;
    }
    /// Replaces the list by the objects whose bits are set in words `begin` and on, up to the first word that there is
    /// no room for. Returns that word, or the chunk's end.
    LANE_INLINE std::uint32_t collect(const Chunk& chunk, const std::uint64_t* set, std::uint32_t begin) {
        count = 0;
        std::uint32_t w = begin;
        for (const std::uint32_t end = chunk.word_count(); w < end; ++w) {
            if (set[w] == 0) continue;
            const std::uint64_t objects = population(set[w]);
            if (count + objects > list_objects) break;
            if (objects <= 8) {
                for (std::uint64_t rest = set[w]; rest != 0; rest &= rest - 1) {
                    entry[count++] = static_cast<std::int32_t>(64 * w) + __builtin_ctzll(rest);
                }
                continue;
            }
            for (std::uint32_t shift = 0; shift < 64; shift += lanes) {
                append(lane_numbers() + IndexW(static_cast<std::int32_t>(64 * w + shift)),
                       static_cast<std::uint32_t>(set[w] >> shift) & all_lanes);
            }
        }
        return w;
    }

    /// Clears the undecided bits from word `begin` on, but for those of the list's objects.
    LANE_INLINE void put_back(const Chunk& chunk, std::uint32_t begin) const {
        for (std::uint32_t w = begin; w < chunk.word_count(); ++w) chunk.undecided[w] = 0;
        for (std::uint32_t i = 0; i < count; ++i) chunk.undecided[entry[i] / 64] |= std::uint64_t{1} << entry[i] % 64;
    }

    /// Entries [first, last): at most W of them, and perhaps none.
    LANE_INLINE Packet packet(std::uint32_t first, std::uint32_t last) const {
        return Packet(entry + first, last > first ? last - first : 0);
    }

    /// Hands over everything for reading and leaves the list empty.
    LANE_INLINE std::uint32_t take_all() {
        const std::uint32_t waiting = count;
        count = 0;
        return waiting;
    }
};

/// The packets of a list, which are taken off it. What a step leaves undecided goes back.
struct ListPackets {
    UndecidedList& list;
    const std::uint32_t waiting;
    std::uint32_t at = 0;

    LANE_INLINE explicit ListPackets(UndecidedList& list_) : list(list_), waiting(list_.take_all()) {}
    LANE_INLINE bool more() const { return at < waiting; }
    LANE_INLINE Packet next() {
        const std::uint32_t first = at;
        at += lanes;
        return list.packet(first, waiting);
    }
    LANE_INLINE void leave(const Packet& packet, std::uint32_t undecided) { list.append(packet.entries, undecided); }
};

/// Packets of the objects whose bits are set. If they are many, a packet is W neighbours, some of them masked, and is
/// read by plain loads. If they are few, packets are full and come from a list, by gathers (22 cycles each on Zen 4).
/// From a third of the objects on, gathers cost more than idle lanes.
struct Packets {
    const Chunk& chunk;
    const std::uint64_t* const set;
    UndecidedList& list;
    bool in_a_row;
    std::uint32_t at = 0, listed = 0, word = 0;  // words before `word` have been listed

    LANE_INLINE Packets(const Chunk& chunk_, const std::uint64_t* set_, UndecidedList& list_)
        : Packets(chunk_, set_, list_, are_many(chunk_, chunk_.population(set_))) {}
    LANE_INLINE Packets(const Chunk& chunk_, const std::uint64_t* set_, UndecidedList& list_, bool in_a_row_)
        : chunk(chunk_), set(set_), list(list_), in_a_row(in_a_row_) {}
    static LANE_INLINE bool are_many(const Chunk& chunk, std::uint64_t set) { return 3 * set >= chunk.count; }
    /// Whether a third of the lanes is set in those packets of neighbours that have any: objects that a place in space
    /// has in common follow each other.
    static LANE_INLINE bool are_together(const Chunk& chunk, const std::uint64_t* set) {
        std::uint64_t rows = 0;
        for (std::uint32_t w = 0; w < chunk.word_count(); ++w) {
            for (std::uint32_t at = 0; at < 64; at += lanes) rows += (set[w] >> at & all_lanes) != 0 ? 1 : 0;
        }
        return 3 * std::uint64_t{chunk.population(set)} >= lanes * rows;
    }

    LANE_INLINE bool more() {
        if (!in_a_row) return at < listed || list_more();
        while (at < chunk.count && lanes_set() == 0) at += lanes;
        return at < chunk.count;
    }
    LANE_INLINE Packet next() {
        const std::uint32_t first = at;
        at += lanes;
        if (!in_a_row) return list.packet(first, listed);
        return Packet(first, static_cast<std::uint32_t>(set[first / 64] >> first % 64) & all_lanes, chunk.count);
    }
    /// What a step leaves undecided is not listed: no other step follows, or undecided bits say it.
    LANE_INLINE void leave(const Packet&, std::uint32_t) {}

private:
    LANE_INLINE bool list_more() {
        word = list.collect(chunk, set, word);
        listed = list.take_all();
        at = 0;
        return listed > 0;
    }
    LANE_INLINE std::uint32_t lanes_set() const {
        return static_cast<std::uint32_t>(set[at / 64] >> at % 64) & all_lanes;
    }
};

}  // namespace
}  // namespace lanecull
