#pragma once

/// The way of a range of objects: chunk by chunk, select -> classify -> drop the distant -> refine -> separate, the
/// open ones of each chunk compacted to full packs in between.
///
/// A chunk's words start with every object visible that stage 1 did not prove outside, and later stages only ever clear
/// bits: an object that anything forgets stays visible.

namespace lanecull {
namespace {

/// Growth: AsTheyAre or Grown (growth.hpp).
template <class Kind, class Growth>
struct RangeOf {
    using Shapes = typename Kind::Shapes;

    const Shapes& shapes;
    const Attributes& attributes;
    const PreparedView& view;
    const Method method;
    const Growth growth;
    const bool selects;                  // some objects may be left out, or kept, without a test
    const std::uint32_t accepts_inside;  // all lanes where stage 1 sees all there is of the volume, else none
    Selection selection;
    Verdicts verdicts;

    explicit RangeOf(const RangeWork& work, Method method_)
        : shapes(*static_cast<const Shapes*>(work.shapes)),
          attributes(*work.attributes),
          view(*work.view),
          method(method_),
          growth(attributes, view),
          selects(Growth::grows || lanecull::selects(attributes)),
          accepts_inside(view.planes_suffice && view.plane_count <= PreparedView::stage_one_planes ? all_lanes : 0),
          verdicts(work.certificates, work.first) {}

    /// The shapes of a pack of objects, in a frame's coordinates, with what they grow by.
    LANE_INLINE auto load(const Frame& frame, const PickedObjects& pick) const {
        return growth.grow(frame, Kind::load_shapes(frame, shapes, pick), pick);
    }

    /// Stage 1 for one pack: the bits of those that are not proved outside, and the open ones onto the list.
    template <class StageOne, class Fetch>
    LANE_INLINE std::uint64_t classify_pack(const StageOne& stage_one, const Shapes& s, const Fetch& fetch,
                                            IndexW objects, std::uint32_t active, OpenList& open) const {
        const ClassifiedW classified = stage_one.classify(s, fetch, growth.fetch(fetch));
        const std::uint32_t visible = ~bits(classified.outside) & active;
        open.append(objects, visible & ~(bits(classified.inside) & accepts_inside));
        return visible;
    }

    /// Fills the chunk's words and the list with what stage 1 leaves of the candidates. Not inlined, so that registers
    /// are the loop's alone.
    template <bool Selected>
    [[gnu::noinline]] void classify(Chunk& chunk, OpenList& open) const {
        constexpr std::uint32_t packs_per_word = 64 / lanes;
        const typename Kind::StageOne stage_one(view);
        const Shapes s = shapes;  // a copy, which nothing stored in the loop can change
        const auto candidates = [&](std::uint32_t w, std::uint32_t shift) LANE_LAMBDA {
            if constexpr (!Selected) return all_lanes;
            return static_cast<std::uint32_t>(selection.candidates[w] >> shift) & all_lanes;
        };
        IndexW objects = lane_numbers();
        const std::uint32_t full_words = chunk.count / 64;
        std::uint32_t at = chunk.first;
        for (std::uint32_t w = 0; w < full_words; ++w) {
            std::uint64_t word = 0;
            if (Selected && selection.candidates[w] == 0) {
                chunk.words[w] = 0;
                objects = objects + IndexW(64);
                at += 64;
                continue;
            }
            for (std::uint32_t pack = 0; pack < packs_per_word; ++pack, at += lanes) {
                word |= classify_pack(stage_one, s, RunOfObjects{at}, objects, candidates(w, pack * lanes), open)
                        << pack * lanes;
                objects = objects + IndexW(static_cast<std::int32_t>(lanes));
            }
            chunk.words[w] = word;
        }
        if (full_words == chunk.word_count()) return;
        std::uint64_t word = 0;
        for (std::uint32_t shift = 0; at < chunk.first + chunk.count; shift += lanes, at += lanes) {
            const std::uint32_t rest = chunk.first + chunk.count - at;
            const std::uint32_t active =
                (rest >= lanes ? all_lanes : (1u << rest) - 1u) & candidates(full_words, shift);
            word |= classify_pack(stage_one, s, TailOfObjects{at, rest < lanes ? rest : lanes}, objects, active, open)
                    << shift;
            objects = objects + IndexW(static_cast<std::int32_t>(lanes));
        }
        chunk.words[full_words] = word;
    }

    void classify_candidates(Chunk& chunk, OpenList& open, std::uint32_t candidates) {
        if constexpr (Growth::grows) {
            classify<true>(chunk, open);
        } else if (selects) {
            classify<true>(chunk, open);
        } else {
            classify<false>(chunk, open);
        }
        verdicts.count(Reason::culled_plane) += candidates - chunk.population();
        if constexpr (Kind::asks_inside_later) {
            if (accepts_inside != 0) accept_inside(chunk, open);
        }
        if (verdicts.noted()) note_classified(chunk);
    }

    /// What stage 1 leaves open is settled, and noted, again.
    void note_classified(const Chunk& chunk) const {
        for (std::uint32_t w = 0; w < chunk.word_count(); ++w) {
            const std::uint64_t tested = selects ? selection.candidates[w] : chunk.all_of(w);
            verdicts.note(chunk, w, tested & ~chunk.words[w], Reason::culled_plane);
            verdicts.note(chunk, w, tested & chunk.words[w], Reason::visible_inside);
        }
    }

    void accept_inside(const Chunk& chunk, OpenList& open) {
        const typename Kind::StageOne stage_one(view);
        const std::uint32_t waiting = open.take_all();
        for (std::uint32_t at = 0; at < waiting; at += lanes) {
            const Pack pack(open, at, waiting);
            const MaskW inside = stage_one.inside(shapes, pack.pick(chunk.first));
            open.append(pack.entries, pack.active & ~bits(inside));
        }
    }

    /// Where stage 1 has nothing to go by, or GJK is to decide everything: all candidates visible, all open.
    void open_all(Chunk& chunk, OpenList& open) {
        if (selects) {
            for (std::uint32_t w = 0; w < chunk.word_count(); ++w) chunk.words[w] = selection.candidates[w];
            return list_visible(chunk, open);
        }
        for (std::uint32_t w = 0; w < chunk.word_count(); ++w) chunk.words[w] = chunk.all_of(w);
        open.count = chunk.count;
        for (std::uint32_t i = 0; i < chunk.count; ++i) open.entry[i] = static_cast<std::int32_t>(i);
    }

    void list_visible(const Chunk& chunk, OpenList& open) {
        IndexW objects = lane_numbers();
        for (std::uint32_t w = 0; w < chunk.word_count(); ++w) {
            for (std::uint32_t shift = 0; shift < 64; shift += lanes) {
                open.append(objects, static_cast<std::uint32_t>(chunk.words[w] >> shift) & all_lanes);
                objects = objects + IndexW(static_cast<std::int32_t>(lanes));
            }
        }
    }

    /// Calls `visit(pack, shape)` for the objects whose bits are set in `words`, in packs.
    template <class Visit>
    LANE_INLINE void visit_shapes(const Chunk& chunk, const Frame& frame, const Visit& visit) {
        OpenList visible;
        list_visible(chunk, visible);
        for (std::uint32_t at = 0; at < visible.count; at += lanes) {
            const Pack pack(visible, at, visible.count);
            visit(pack, load(frame, pack.pick(chunk.first)));
        }
    }

    /// Clears the bits of objects that are too far away or too small, and takes them off the list. Not inlined, like
    /// find_inside(): its own list is 16 KiB of stack that others need not have.
    [[gnu::noinline]] void drop_distant(Chunk& chunk, OpenList& open) {
        const FloatW endless(__builtin_inff()), nothing(0.0f);
        Chunk left = chunk;
        visit_shapes(chunk, view.eye, [&](const Pack& pack, const auto& shape) LANE_LAMBDA {
            const PickedObjects pick = pack.pick(chunk.first);
            const DistantW distant =
                too_distant(view, shape, attributes.max_distance != nullptr ? pick(attributes.max_distance) : endless,
                            attributes.min_projected_size != nullptr ? pick(attributes.min_projected_size) : nothing);
            const std::uint32_t far = bits(distant.far) & pack.active, small = bits(distant.small) & pack.active & ~far;
            left.clear(pack, far | small);
            verdicts.settle(chunk, pack, far, Reason::culled_distance);
            verdicts.settle(chunk, pack, small, Reason::culled_size);
        });
        keep(left, chunk, open);
    }

    /// The same of objects that the view's lamp does not reach.
    [[gnu::noinline]] void drop_beyond_light(Chunk& chunk, OpenList& open) {
        Chunk left = chunk;
        visit_shapes(chunk, view.light, [&](const Pack& pack, const auto& shape) LANE_LAMBDA {
            const SeenFromW seen(view.light, view.light_error, shape);
            const std::uint32_t far = bits(seen.beyond(FloatW(view.light_range))) & pack.active;
            left.clear(pack, far);
            verdicts.settle(chunk, pack, far, Reason::culled_distance);
        });
        keep(left, chunk, open);
    }

    /// What is left takes the chunk's place; the list keeps what is left of it.
    static void keep(const Chunk& left, Chunk& chunk, OpenList& open) {
        chunk = left;
        const std::uint32_t waiting = open.take_all();
        for (std::uint32_t i = 0; i < waiting; ++i) {
            if (chunk.has(static_cast<std::uint32_t>(open.entry[i] & object_mask))) {
                open.entry[open.count++] = open.entry[i];
            }
        }
    }

    /// Planes again with the object's own shape; leaves open what only stage 2 can settle, with the plane to start
    /// from.
    void refine_all(Chunk& chunk, OpenList& open) {
        const std::uint32_t waiting = open.take_all();
        for (std::uint32_t at = 0; at < waiting; at += lanes) {
            const Pack pack(open, at, waiting);
            const RefinedW refined = refine(view, load(view.frame, pack.pick(chunk.first)));
            const std::uint32_t invalid = bits(refined.invalid) & pack.active;
            verdicts.settle(chunk, pack, invalid, Reason::visible_invalid);
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
        verdicts.settle(chunk, pack, outside, Reason::culled_plane);
        verdicts.settle(chunk, pack, inside, Reason::visible_inside);
        verdicts.settle(chunk, pack, vertex, Reason::visible_vertex);
        return undecided & ~(outside | inside | vertex);
    }

    /// Stage 2 for two packs.
    template <class Shape>
    LANE_INLINE void separate_packs(Chunk& chunk, const Pack& first, const Shape& first_shape, const Pack& second,
                                    const Shape& second_shape) {
        SeparatedW separated[2];
        TraceW traces[2];
        separate(view, query_for(chunk, first, first_shape), query_for(chunk, second, second_shape), separated,
                 verdicts.noted() ? traces : nullptr);
        chunk.clear(first, bits(separated[0].apart));
        chunk.clear(second, bits(separated[1].apart));
        verdicts.settle(chunk, first, separated[0], traces[0], view.frame);
        verdicts.settle(chunk, second, separated[1], traces[1], view.frame);
    }

    /// What stage 2 is asked about a pack: starting from the plane that refine_all() noted or, with Method::gjk, from
    /// the one found here.
    template <class Shape>
    LANE_INLINE QueryW<Shape> query_for(const Chunk& chunk, const Pack& pack, const Shape& shape) {
        if (method != Method::gjk) return {shape, plane_normals(view, pack.planes()), mask_of(pack.active)};
        const std::uint32_t sound_lanes = bits(sound(shape)) & pack.active;
        verdicts.settle(chunk, pack, pack.active & ~sound_lanes, Reason::visible_invalid);
        return {shape, start_normal(view, shape), mask_of(sound_lanes)};
    }

    /// Stage 2, two packs at a time.
    void separate_all(Chunk& chunk, OpenList& open) {
        const std::uint32_t waiting = open.take_all();
        for (std::uint32_t at = 0; at < waiting; at += 2 * lanes) {
            const Pack first(open, at, waiting), second(open, at + lanes, waiting);
            const auto shape_of = [&](const Pack& pack)
                                      LANE_LAMBDA { return load(view.frame, pack.pick(chunk.first)); };
            separate_packs(chunk, first, shape_of(first), second, shape_of(second));
        }
    }

    /// Everything that is still open stays visible, for want of another test.
    void keep_all(const Chunk& chunk, OpenList& open) {
        const std::uint32_t waiting = open.take_all();
        verdicts.count(Reason::visible_planes) += waiting;
        if (!verdicts.noted()) return;
        for (std::uint32_t at = 0; at < waiting; at += lanes) {
            const Pack pack(open, at, waiting);
            verdicts.note(chunk, pack, pack.active, Reason::visible_planes);
        }
    }

    void settle(Chunk& chunk, OpenList& open) {
        if (method != Method::gjk) refine_all(chunk, open);
        if constexpr (Kind::shares_vertices) settle_by_vertices(*this, chunk, open);
        if (method == Method::planes) {
            keep_all(chunk, open);
        } else if constexpr (Kind::shares_vertices) {
            separate_runs(*this, chunk, open);
        } else {
            separate_all(chunk, open);
        }
    }

    /// The bits of the objects proved wholly inside, among those that stayed visible.
    [[gnu::noinline]] void find_inside(const Chunk& chunk, std::uint64_t* inside) {
        Chunk straddling = chunk;
        visit_shapes(chunk, view.frame, [&](const Pack& pack, const auto& shape) LANE_LAMBDA {
            straddling.clear(pack, bits(wholly_inside(view, shape)) & pack.active);
        });
        for (std::uint32_t w = 0; w < chunk.word_count(); ++w) inside[w] = chunk.words[w] & ~straddling.words[w];
    }

    void cull_chunk(Chunk& chunk, OpenList& open) {
        const std::uint32_t candidates =
            selects ? select_objects(attributes, view.layer_mask, chunk, selection, verdicts) : chunk.count;
        if (method == Method::gjk || !Kind::has_stage_one(shapes)) {
            open_all(chunk, open);
        } else {
            classify_candidates(chunk, open, candidates);
        }
        if (attributes.max_distance != nullptr || attributes.min_projected_size != nullptr) drop_distant(chunk, open);
        if (view.light_range > 0) drop_beyond_light(chunk, open);
        verdicts.count(Reason::visible_inside) += chunk.population() - open.count;
        settle(chunk, open);
        if (selects) {
            for (std::uint32_t w = 0; w < chunk.word_count(); ++w) chunk.words[w] |= selection.forced[w];
        }
    }

    void run(const RangeWork& work) {
        OpenList open;
        for (std::uint32_t done = 0; done < work.count; done += chunk_objects) {
            Chunk chunk;
            chunk.first = work.first + done;
            chunk.count = work.count - done < chunk_objects ? work.count - done : chunk_objects;
            cull_chunk(chunk, open);
            for (std::uint32_t w = 0; w < chunk.word_count(); ++w) {
                if (work.visible != nullptr) work.visible[done / 64 + w] = chunk.words[w];
                if (work.kept != nullptr) work.kept[done / 64 + w] = chunk.words[w];
            }
            if (work.inside != nullptr) find_inside(chunk, work.inside + done / 64);
        }
        *work.statistics = verdicts.statistics(work.count);
    }
};

template <class Kind>
void cull_range(const RangeWork& work) {
    const bool has_gjk = work.view->volume != VolumeKind::planes_only;
    const Method method = has_gjk ? work.method : Method::planes;
    const Attributes& a = *work.attributes;
    if (a.margin != nullptr || a.sweep_x != nullptr || work.view->margin > 0) {
        RangeOf<Kind, Grown>(work, method).run(work);
    } else {
        RangeOf<Kind, AsTheyAre>(work, method).run(work);
    }
}

}  // namespace
}  // namespace lanecull
