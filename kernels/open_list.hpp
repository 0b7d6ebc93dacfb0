#pragma once

/// What passes between the stages of a chunk: its words of visibility bits, and the list of objects that are still
/// open.

namespace lanecull {
namespace {

constexpr std::uint32_t chunk_words = 64;
constexpr std::uint32_t chunk_objects = 64 * chunk_words;
constexpr int plane_shift = 16;  // an entry of a list: object within the chunk, and its plane above

/// Objects of one chunk, waiting for the next stage. A stage reads it pack by pack and writes what it leaves open back
/// to the front: never beyond the pack it has just read, so one list serves all stages. (A whole store reaches W
/// entries far: after a pack of fewer entries, the last of a list apart, it would bury some that nobody has read.)
struct OpenList {
    std::uint32_t count = 0;
    alignas(64) std::int32_t entry[chunk_objects + lanes];  // room for a whole store beyond the last

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
    /// Hands over everything for reading and leaves the list empty.
    LANE_INLINE std::uint32_t take_all() {
        const std::uint32_t waiting = count;
        count = 0;
        return waiting;
    }
};

constexpr std::int32_t object_mask = (1 << plane_shift) - 1;

/// Entries [first, last) of a list, at most W and perhaps none. The lanes beyond are object 0 and masked.
struct Pack {
    std::uint32_t active;
    IndexW entries;
    std::uint32_t first_object = 0;
    bool neighbours = false;  // set: W objects in a row

    LANE_INLINE Pack(const OpenList& list, std::uint32_t first, std::uint32_t last) {
        const std::uint32_t n = last > first ? last - first : 0;
        active = n >= lanes ? all_lanes : (1u << n) - 1u;
        if (n >= lanes) {
            entries = load(list.entry + first);
            const auto object = [&](std::uint32_t at)
                                    LANE_LAMBDA { return static_cast<std::uint32_t>(list.entry[at] & object_mask); };
            first_object = object(first);
            neighbours = object(first + lanes - 1) - first_object == lanes - 1;  // lists ascend
            return;
        }
        alignas(64) std::int32_t padded[lanes];
        for (std::uint32_t i = 0; i < lanes; ++i) padded[i] = i < n ? list.entry[first + i] : 0;
        entries = load(padded);
    }
    LANE_INLINE IndexW objects() const { return entries & IndexW(object_mask); }
    LANE_INLINE IndexW planes() const { return entries >> plane_shift; }
    LANE_INLINE PickedObjects pick(std::uint32_t chunk_first) const {
        return {chunk_first, objects(), neighbours, chunk_first + first_object};
    }
};

LANE_INLINE std::uint64_t population(std::uint64_t bits) {
    return static_cast<std::uint64_t>(__builtin_popcountll(bits));
}

struct Chunk {
    std::uint32_t first;  // object in the batch
    std::uint32_t count;
    std::uint64_t words[chunk_words];

    LANE_INLINE std::uint32_t word_count() const { return (count + 63) / 64; }
    /// The bits of all objects in word w.
    LANE_INLINE std::uint64_t all_of(std::uint32_t w) const {
        const std::uint32_t rest = count - 64 * w;
        return rest >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << rest) - 1;
    }
    LANE_INLINE bool has(std::uint32_t object) const { return (words[object / 64] >> object % 64 & 1) != 0; }
    LANE_INLINE std::uint32_t population() const {
        std::uint64_t sum = 0;
        for (std::uint32_t w = 0; w < word_count(); ++w) sum += lanecull::population(words[w]);
        return static_cast<std::uint32_t>(sum);
    }

    /// Clears the bits of the pack's objects named by `culled`.
    LANE_INLINE void clear(const Pack& pack, std::uint32_t culled) {
        const std::uint32_t shift = pack.first_object % 64;
        if (pack.neighbours && shift + lanes <= 64) {
            words[pack.first_object / 64] &= ~(std::uint64_t{culled} << shift);
            return;
        }
        alignas(64) std::int32_t objects[lanes];
        store(objects, pack.objects());
        for (; culled != 0; culled &= culled - 1) {
            const auto object = static_cast<std::uint32_t>(objects[__builtin_ctz(culled)]);
            words[object / 64] &= ~(std::uint64_t{1} << object % 64);
        }
    }
};

}  // namespace
}  // namespace lanecull
