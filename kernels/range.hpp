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

template <class Kind>
struct RangeOf {
    using Shapes = typename Kind::Shapes;

    const Shapes& shapes;
    const PreparedView& view;
    const Method method;
    Statistics statistics;

    /// Stage 1 for one pack: the bits of those that are not proved outside, and the open ones onto the list.
    template <class StageOne, class Fetch>
    static LANE_INLINE std::uint64_t classify_pack(const StageOne& stage_one, const Shapes& s, const Fetch& fetch,
                                                   IndexW objects, std::uint32_t active, OpenList& open) {
        const ClassifiedW classified = stage_one.classify(s, fetch);
        const std::uint32_t visible = ~bits(classified.outside) & active;
        open.append(objects, visible & ~bits(classified.inside));
        return visible;
    }

    void classify(Chunk& chunk, OpenList& open) {
        constexpr std::uint32_t packs_per_word = 64 / lanes;
        const typename Kind::StageOne stage_one(view);
        const Shapes s = shapes;  // a copy, which nothing stored in the loop can change
        IndexW objects = lane_numbers();
        const std::uint32_t full_words = chunk.count / 64;
        std::uint32_t at = chunk.first;
        std::uint64_t visible = 0;
        for (std::uint32_t w = 0; w < full_words; ++w) {
            std::uint64_t word = 0;
            for (std::uint32_t pack = 0; pack < packs_per_word; ++pack, at += lanes) {
                word |= classify_pack(stage_one, s, RunOfObjects{at}, objects, all_lanes, open) << pack * lanes;
                objects = objects + IndexW(static_cast<std::int32_t>(lanes));
            }
            chunk.words[w] = word;
            visible += static_cast<std::uint64_t>(__builtin_popcountll(word));
        }
        if (full_words < chunk.word_count()) {
            std::uint64_t word = 0;
            for (std::uint32_t shift = 0; at < chunk.first + chunk.count; shift += lanes, at += lanes) {
                const std::uint32_t rest = chunk.first + chunk.count - at;
                const std::uint32_t active = rest >= lanes ? all_lanes : (1u << rest) - 1u;
                word |=
                    classify_pack(stage_one, s, TailOfObjects{at, rest < lanes ? rest : lanes}, objects, active, open)
                    << shift;
                objects = objects + IndexW(static_cast<std::int32_t>(lanes));
            }
            chunk.words[full_words] = word;
            visible += static_cast<std::uint64_t>(__builtin_popcountll(word));
        }
        statistics.culled_plane += chunk.count - visible;
        if constexpr (Kind::asks_inside_later) accept_inside(stage_one, chunk, open);
        statistics.visible_inside += visible - open.count;
    }

    template <class StageOne>
    LANE_INLINE void accept_inside(const StageOne& stage_one, const Chunk& chunk, OpenList& open) {
        const std::uint32_t waiting = open.take_all();
        for (std::uint32_t at = 0; at < waiting; at += lanes) {
            const Pack pack(open, at, waiting);
            const MaskW inside = stage_one.inside(shapes, pack.pick(chunk.first));
            open.append(pack.entries, pack.active & ~bits(inside));
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
            const RefinedW refined = refine(view, Kind::load_shapes(view.frame, shapes, pack.pick(chunk.first)));
            const std::uint32_t invalid = bits(refined.invalid) & pack.active;
            statistics.visible_invalid += population(invalid);
            const std::uint32_t undecided = settle_by_points_and_planes(chunk, pack, refined, pack.active & ~invalid);
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

    void record(Chunk& chunk, const Pack& pack, const SeparatedW& separated) {
        const std::uint32_t apart = bits(separated.apart);
        chunk.clear(pack, apart);
        statistics.culled_gjk += population(apart);
        statistics.visible_overlap += population(bits(separated.overlap));
        statistics.visible_touching += population(bits(separated.touching));
        statistics.visible_cap += population(bits(separated.cap));
    }

    /// What stage 2 is asked about a pack: starting from the plane that refine_all() noted or, with Method::gjk, from
    /// the one found here.
    template <class Shape>
    LANE_INLINE QueryW<Shape> query_for(const Pack& pack, const Shape& shape) {
        if (method != Method::gjk) return {shape, plane_normals(view, pack.planes()), mask_of(pack.active)};
        const std::uint32_t sound_lanes = bits(sound(shape)) & pack.active;
        statistics.visible_invalid += population(pack.active & ~sound_lanes);
        return {shape, start_normal(view, shape), mask_of(sound_lanes)};
    }

    /// Stage 2, two packs at a time.
    void separate_all(Chunk& chunk, OpenList& open) {
        const std::uint32_t waiting = open.take_all();
        for (std::uint32_t at = 0; at < waiting; at += 2 * lanes) {
            const Pack first(open, at, waiting), second(open, at + lanes, waiting);
            const auto shape_of = [&](const Pack& pack) LANE_LAMBDA {
                return Kind::load_shapes(view.frame, shapes, pack.pick(chunk.first));
            };
            const auto first_shape = shape_of(first), second_shape = shape_of(second);
            SeparatedW separated[2];
            separate(view, query_for(first, first_shape), query_for(second, second_shape), separated);
            record(chunk, first, separated[0]);
            record(chunk, second, separated[1]);
        }
    }

    /// Everything that is still open stays visible, for want of another test.
    void keep_all(OpenList& open) { statistics.visible_planes += open.take_all(); }

    void settle(Chunk& chunk, OpenList& open) {
        if (method != Method::gjk) refine_all(chunk, open);
        if constexpr (Kind::shares_vertices) settle_by_vertices(*this, chunk, open);
        if (method == Method::planes) {
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
    const bool has_gjk = work.view->volume != VolumeKind::planes_only;
    const Method method = has_gjk ? work.method : Method::planes;
    RangeOf<Kind> range{*static_cast<const typename Kind::Shapes*>(work.shapes), *work.view, method, {}};
    range.run(work);
}

}  // namespace
}  // namespace lanecull
