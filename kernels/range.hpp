#pragma once

/// The way of a range of objects: chunk by chunk, classify -> refine -> separate, the open ones of each chunk compacted
/// to full packs in between.
///
/// A chunk's words start with every object visible that stage 1 did not prove outside, and later stages only ever clear
/// bits: an object that anything forgets stays visible.

namespace lanecull {
namespace {

constexpr std::uint32_t chunk_words = 64;
constexpr std::uint32_t chunk_objects = 64 * chunk_words;
constexpr std::uint32_t all_lanes = (1u << lanes) - 1u;
constexpr int plane_shift = 16;  // an entry of a list: object within the chunk, and its plane above

/// Objects of one chunk, waiting for the next stage. A stage reads it pack by pack and writes what it leaves open back
/// to the front: never beyond the pack it has just read, so one list serves all stages.
struct OpenList {
    std::uint32_t count = 0;
    alignas(64) std::int32_t entry[chunk_objects + lanes];  // room for a whole store beyond the last

    LANE_INLINE void append(IndexW entries, std::uint32_t chosen) {
        store_compressed(entry + count, entries, chosen);
        count += static_cast<std::uint32_t>(__builtin_popcount(chosen));
    }
    /// Hands over everything for reading and leaves the list empty.
    LANE_INLINE std::uint32_t take_all() {
        const std::uint32_t waiting = count;
        count = 0;
        return waiting;
    }
};

/// Entries [first, last) of a list, at most W. In a short pack the lanes beyond repeat the first one and are masked.
struct Pack {
    std::uint32_t active;
    IndexW entries;

    LANE_INLINE Pack(const OpenList& list, std::uint32_t first, std::uint32_t last) {
        const std::uint32_t n = last - first;
        active = n >= lanes ? all_lanes : (1u << n) - 1u;
        if (n >= lanes) {
            entries = load(list.entry + first);
            return;
        }
        alignas(64) std::int32_t padded[lanes];
        for (std::uint32_t i = 0; i < lanes; ++i) padded[i] = list.entry[i < n ? first + i : first];
        entries = load(padded);
    }
    LANE_INLINE IndexW objects() const { return entries & IndexW((1 << plane_shift) - 1); }
    LANE_INLINE IndexW planes() const { return entries >> plane_shift; }
};

LANE_INLINE std::uint64_t population(std::uint32_t bits) {
    return static_cast<std::uint64_t>(__builtin_popcount(bits));
}

struct Chunk {
    std::uint32_t first;  // object in the batch
    std::uint32_t count;
    std::uint64_t words[chunk_words];

    LANE_INLINE std::uint32_t word_count() const { return (count + 63) / 64; }

    /// Clears the bits of the pack's objects named by `culled`.
    LANE_INLINE void clear(const Pack& pack, std::uint32_t culled) {
        alignas(64) std::int32_t objects[lanes];
        store(objects, pack.objects());
        for (; culled != 0; culled &= culled - 1) {
            const auto object = static_cast<std::uint32_t>(objects[__builtin_ctz(culled)]);
            words[object / 64] &= ~(std::uint64_t{1} << object % 64);
        }
    }
};

template <class Kind>
struct RangeOf {
    using Shapes = typename Kind::Shapes;

    const Shapes& shapes;
    const PreparedView& view;
    const Method method;
    Statistics statistics;

    /// Stage 1 for one pack: its bits within the word, and the open ones onto the list.
    template <class Fetch>
    LANE_INLINE std::uint64_t classify_pack(const Fetch& fetch, std::uint32_t in_chunk, std::uint32_t active,
                                            OpenList& open) {
        const ClassifiedW classified = Kind::classify(view, shapes, fetch);
        const std::uint32_t inside = bits(classified.inside) & active;
        const std::uint32_t visible = ~bits(classified.outside) & active;
        const std::uint32_t undecided = visible & ~inside;
        open.append(lane_numbers() + IndexW(static_cast<std::int32_t>(in_chunk)), undecided);
        statistics.culled_plane += population(active & ~visible);
        statistics.visible_inside += population(inside);
        return visible;
    }

    void classify(Chunk& chunk, OpenList& open) {
        const std::uint32_t full = chunk.count / lanes * lanes;
        std::uint32_t at = 0;
        for (std::uint32_t w = 0; w < chunk.word_count(); ++w) {
            std::uint64_t word = 0;
            for (std::uint32_t shift = 0; shift < 64 && at < full; shift += lanes, at += lanes) {
                word |= classify_pack(RunOfObjects{chunk.first + at}, at, all_lanes, open) << shift;
            }
            chunk.words[w] = word;
        }
        if (const std::uint32_t rest = chunk.count - full; rest > 0) {
            const TailOfObjects tail{chunk.first + full, rest};
            chunk.words[full / 64] |= classify_pack(tail, full, (1u << rest) - 1u, open) << full % 64;
        }
    }

    /// Where stage 1 has nothing to go by, or GJK is to decide everything: all visible, all open.
    void open_all(Chunk& chunk, OpenList& open) {
        for (std::uint32_t w = 0; w < chunk.word_count(); ++w) chunk.words[w] = ~std::uint64_t{0};
        if (chunk.count % 64 != 0) chunk.words[chunk.count / 64] = (std::uint64_t{1} << chunk.count % 64) - 1;
        open.count = chunk.count;
        for (std::uint32_t i = 0; i < chunk.count; ++i) open.entry[i] = static_cast<std::int32_t>(i);
    }

    /// Planes again with the object's own shape; leaves open what only stage 2 can settle, with the plane to start
    /// from.
    void refine_all(Chunk& chunk, OpenList& open) {
        const std::uint32_t waiting = open.take_all();
        for (std::uint32_t at = 0; at < waiting; at += lanes) {
            const Pack pack(open, at, waiting);
            const RefinedW refined = refine(view, Kind::load(view, shapes, PickedObjects{chunk.first, pack.objects()}));
            const std::uint32_t invalid = bits(refined.invalid) & pack.active;
            std::uint32_t undecided = pack.active & ~invalid;
            statistics.visible_invalid += population(invalid);
            if (method != Method::gjk) undecided = settle_by_points_and_planes(chunk, pack, refined, undecided);
            open.append(pack.objects() + refined.worst_plane * IndexW(1 << plane_shift), undecided);
        }
    }

    LANE_INLINE std::uint32_t settle_by_points_and_planes(Chunk& chunk, const Pack& pack, const RefinedW& refined,
                                                          std::uint32_t undecided) {
        const std::uint32_t outside = bits(refined.outside) & undecided;
        const std::uint32_t inside = bits(refined.inside) & undecided & ~outside;
        const std::uint32_t vertex = bits(refined.vertex_inside) & undecided & ~outside & ~inside;
        chunk.clear(pack, outside);
        statistics.culled_plane += population(outside);
        statistics.visible_inside += population(inside);
        statistics.visible_vertex += population(vertex);
        return undecided & ~(outside | inside | vertex);
    }

    template <class Shape>
    LANE_INLINE void separate_pack(Chunk& chunk, const Pack& pack, const Shape& shape) {
        const SeparatedW separated = separate(view, shape, plane_normals(view, pack.planes()), mask_of(pack.active));
        const std::uint32_t apart = bits(separated.apart);
        chunk.clear(pack, apart);
        statistics.culled_gjk += population(apart);
        statistics.visible_overlap += population(bits(separated.overlap));
        statistics.visible_touching += population(bits(separated.touching));
        statistics.visible_cap += population(bits(separated.cap));
    }

    void separate_all(Chunk& chunk, OpenList& open) {
        const std::uint32_t waiting = open.take_all();
        for (std::uint32_t at = 0; at < waiting; at += lanes) {
            const Pack pack(open, at, waiting);
            separate_pack(chunk, pack, Kind::load(view, shapes, PickedObjects{chunk.first, pack.objects()}));
        }
    }

    /// Everything that is still open stays visible, for want of another test.
    void keep_all(OpenList& open) { statistics.visible_planes += open.take_all(); }

    void settle(Chunk& chunk, OpenList& open) {
        const bool has_gjk = method != Method::planes && view.volume != VolumeKind::planes_only;
        if constexpr (Kind::shares_vertices) {
            settle_by_vertices(*this, chunk, open);
        }
        if (!has_gjk) {
            keep_all(open);
        } else if constexpr (Kind::shares_vertices) {
            separate_runs(*this, chunk, open);
        } else {
            separate_all(chunk, open);
        }
    }

    void run(const RangeWork& work) {
        OpenList open;
        for (std::uint32_t done = 0; done < work.count; done += chunk_objects) {
            Chunk chunk;
            chunk.first = work.first + done;
            chunk.count = work.count - done < chunk_objects ? work.count - done : chunk_objects;
            if (method == Method::gjk || !Kind::has_stage_one(shapes)) {
                open_all(chunk, open);
            } else {
                classify(chunk, open);
            }
            refine_all(chunk, open);
            settle(chunk, open);
            for (std::uint32_t w = 0; w < chunk.word_count(); ++w) {
                if (work.visible != nullptr) work.visible[done / 64 + w] = chunk.words[w];
                if (work.kept != nullptr) work.kept[done / 64 + w] = chunk.words[w];
            }
        }
        statistics.objects = work.count;
        *work.statistics = statistics;
    }
};

template <class Kind>
void cull_range(const RangeWork& work) {
    RangeOf<Kind> range{*static_cast<const typename Kind::Shapes*>(work.shapes), *work.view, work.method, {}};
    range.run(work);
}

}  // namespace
}  // namespace lanecull
