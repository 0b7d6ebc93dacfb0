#pragma once

/// What passes between the stages of a chunk: its words of visibility bits, bits of the objects that are still
/// undecided, and the list of those that stage 2 is to decide.
///
/// Stage 1 is fastest without interruption, so chunks are long: of 4,864 objects, 5 to 12 % slower where they come from
/// caches, 12 to 23 % from memory. What follows it takes a chunk in parts of which no more are undecided than a list
/// holds, as there is not much of a stack (runner.hpp).

#include <cstdint>

#include "lanes/gather.hpp"
#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"

namespace lanecull {
namespace {

constexpr std::uint32_t chunk_words = 256;
constexpr std::uint32_t chunk_objects = 64 * chunk_words;
constexpr std::uint32_t list_objects = 2560;
constexpr std::uint32_t sampled_objects = 32;  // of a chunk, to find out how many are near the volume's boundary

struct Chunk;

/// Objects of a chunk or a part of it, waiting for the next stage. A stage reads it pack by pack and writes what it
/// leaves undecided back to the front: never beyond the pack it has just read, so one list serves all stages. (A whole
/// store reaches W entries far: after a pack of fewer entries, the last of a list apart, it would bury some that nobody
/// has read.)
struct UndecidedList {
    std::uint32_t count = 0;
    alignas(64) std::int32_t entry[list_objects + lanes];  // room for a whole store beyond the last

    LANE_INLINE void append(IndexW entries, std::uint32_t chosen) {
        store_compressed(entry + count, entries, chosen);
        count += static_cast<std::uint32_t>(__builtin_popcount(chosen));
    }
    /// The same without touching what lies beyond, for packs that were shorter than W.
    LANE_INLINE void append_short(IndexW entries, std::uint32_t chosen) {
        alignas(64) std::int32_t front[lanes];
        store_compressed(front, entries, chosen);
        const auto n = static_cast<std::uint32_t>(__builtin_popcount(chosen));
        for (std::uint32_t i = 0; i < n; ++i) entry[count + i] = front[i];
        count += n;
    }
    /// The objects whose bits are set in words `begin` and on, instead of what was listed, but for words that it has no
    /// room for. Returns the first of these, or the chunk's end.
    LANE_INLINE std::uint32_t collect(const Chunk& chunk, const std::uint64_t* set, std::uint32_t begin);

    /// Hands over everything for reading and leaves the list empty.
    LANE_INLINE std::uint32_t take_all() {
        const std::uint32_t waiting = count;
        count = 0;
        return waiting;
    }
};

/// Entries [first, last) of a list, at most W and perhaps none, the lanes beyond being object 0 and masked; or W
/// objects in a row.
struct Packet {
    std::uint32_t active;
    IndexW entries;
    std::uint32_t first_object = 0;
    bool neighbours = false;  // set: W objects in a row

    /// Those of W objects in a row, below `end`, that are named by `active_`.
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

    LANE_INLINE Packet(const UndecidedList& list, std::uint32_t first, std::uint32_t last)
        : Packet(list.entry + first, last > first ? last - first : 0) {}

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

LANE_INLINE std::uint64_t population(std::uint64_t bits) {
    return static_cast<std::uint64_t>(__builtin_popcountll(bits));
}

/// How many bits are set.
struct Populations {
    std::uint64_t visible, undecided;
};

/// Up to chunk_objects objects in a row, or whole words of them.
struct Chunk {
    std::uint32_t first;  // object in the batch
    std::uint32_t count;
    std::uint64_t* words;      // set: visible, as far as is known
    std::uint64_t* undecided;  // set: not decided; visible as well

    LANE_INLINE std::uint32_t word_count() const { return (count + 63) / 64; }
    /// The bits of all objects in word w.
    LANE_INLINE std::uint64_t all_of(std::uint32_t w) const {
        const std::uint32_t rest = count - 64 * w;
        return rest >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << rest) - 1;
    }
    LANE_INLINE std::uint32_t population(const std::uint64_t* of) const {
        std::uint64_t sum = 0;
        for (std::uint32_t w = 0; w < word_count(); ++w) sum += lanecull::population(of[w]);
        return static_cast<std::uint32_t>(sum);
    }
    /// Words [begin, end).
    LANE_INLINE Chunk part(std::uint32_t begin, std::uint32_t end) const {
        const std::uint32_t objects = end < word_count() ? 64 * (end - begin) : count - 64 * begin;
        return {first + 64 * begin, objects, words + begin, undecided + begin};
    }

    /// What is culled is decided.
    LANE_INLINE Populations close_culled() {
        for (std::uint32_t w = 0; w < word_count(); ++w) undecided[w] &= words[w];
        return {population(words), population(undecided)};
    }

    /// Clears, in its words or in those of what is undecided, the bits of the pack's objects in these lanes.
    static LANE_INLINE void clear(std::uint64_t* of, const Packet& pack, std::uint64_t of_lanes) {
        const std::uint32_t shift = pack.first_object % 64;
        if (pack.neighbours && shift + lanes <= 64) {
            of[pack.first_object / 64] &= ~(of_lanes << shift);
            return;
        }
        alignas(64) std::int32_t objects[lanes];
        store(objects, pack.objects());
        for (; of_lanes != 0; of_lanes &= of_lanes - 1) {
            const auto object = static_cast<std::uint32_t>(objects[__builtin_ctzll(of_lanes)]);
            of[object / 64] &= ~(std::uint64_t{1} << object % 64);
        }
    }
};

LANE_INLINE std::uint32_t UndecidedList::collect(const Chunk& chunk, const std::uint64_t* set, std::uint32_t begin) {
    count = 0;
    std::uint32_t w = begin;
    for (; w < chunk.word_count(); ++w) {
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

/// Packets of the objects whose bits are set. Where they are many, W neighbours at a time, some of them masked: plain
/// loads. Where they are few, full packs from a list: gathers, which cost more than the lanes that stay idle from a
/// third of the objects on (22 cycles each on Zen 4).
struct Packets {
    const Chunk& chunk;
    const std::uint64_t* const set;
    UndecidedList& list;
    bool in_a_row;
    std::uint32_t at = 0, listed = 0, word = 0;  // those before the last have been listed

    LANE_INLINE Packets(const Chunk& chunk_, const std::uint64_t* set_, UndecidedList& list_)
        : chunk(chunk_), set(set_), list(list_), in_a_row(are_many(chunk_, chunk_.population(set_))) {}
    static LANE_INLINE bool are_many(const Chunk& chunk, std::uint64_t set) { return 3 * set >= chunk.count; }

    LANE_INLINE bool more() {
        if (!in_a_row) return at < listed || list_more();
        while (at < chunk.count && lanes_set() == 0) at += lanes;
        return at < chunk.count;
    }
    LANE_INLINE Packet next() {
        const std::uint32_t first = at;
        at += lanes;
        if (!in_a_row) return Packet(list, first, listed);
        return Packet(first, static_cast<std::uint32_t>(set[first / 64] >> first % 64) & all_lanes, chunk.count);
    }

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
