#pragma once

/// The way of a range of objects: chunk by chunk, select -> classify -> drop the distant -> refine -> edges
/// or nearest -> separate. What a stage leaves open is bits; the next looks at whole words of them where they are many,
/// else at full packs that are gathered.
///
/// A chunk's words start with every object visible that stage 1 did not prove outside, and later stages only ever clear
/// bits: an object that anything forgets stays visible.

namespace lanecull {
namespace {

/// Growth: AsTheyAre or Grown (growth.hpp).
template <class Kind_, class Growth>
struct RangeOf {
    using Kind = Kind_;
    using Shapes = typename Kind::Shapes;
    static constexpr bool is_measured = is_measured_kind<Kind> && !Growth::grows;
    static constexpr bool looks_at_edges = Kind::knows_edges && !Growth::grows;
    static constexpr bool may_look_at_nearest = __is_same(Kind, CapsuleKind) && !Growth::grows;

    const Shapes& shapes;
    const Attributes& attributes;
    const PreparedView& view;
    const Method method;
    const Growth growth;
    const bool selects;                       // some objects may be left out, or kept, without a test
    const std::uint64_t accepts_inside;       // all bits where stage 1 sees all there is of the volume, else none
    const typename Kind::StageOne by_planes;  // those that the range is to be asked about
    /// Balls, in place of planes.
    const bool by_sides;
    const RefinePlanes planes;
    const bool looks_at_nearest;  // of what planes leave open
    Selection selection;
    Measures measures;
    Verdicts verdicts;
    bool few_were_open = false;  // the last chunk's: then the next is not sampled

    explicit RangeOf(const RangeWork& work, Method method_)
        : shapes(*static_cast<const Shapes*>(work.shapes)),
          attributes(*work.attributes),
          view(*work.view),
          method(method_),
          growth(attributes, view),
          selects(Growth::grows || lanecull::selects(attributes)),
          accepts_inside(view.planes_suffice && view.plane_count <= PreparedView::stage_one_planes ? ~std::uint64_t{0}
                                                                                                   : 0),
          by_planes(view, work.planes),
          by_sides(view.sides.known && population(work.planes) > RelativePlanesW::few),
          planes(view),
          looks_at_nearest(may_look_at_nearest && method == Method::automatic && measures_balls(view)),
          measures(is_measured && method == Method::automatic && has_closed_form<Kind>(view)),
          verdicts(work.certificates, work.first) {}

    /// The shapes of a pack of objects, in a frame's coordinates or in relative ones, with what they grow by.
    template <class Axes>
    LANE_INLINE auto load(const Axes& axes, const PickedObjects& pick) const {
        return growth.grow(axes, Kind::load_shapes(axes, shapes, pick), pick);
    }

    /// The objects of word w that are to be tested.
    LANE_INLINE std::uint64_t asked(const Chunk& chunk, std::uint32_t w) const {
        return selects ? selection.candidates[w] : chunk.all_of(w);
    }

    /// Stage 1: the chunk's words, and bits of what it leaves open. Not inlined, so that registers are the loop's
    /// alone; and prepared in here, for its many vectors are copied by an instruction that starts slowly.
    template <bool Selected, class Prepare>
    [[gnu::noinline]] Populations classify(const Prepare& prepare, Chunk& chunk) const {
        const auto stage_one = prepare();
        const Shapes s = shapes;  // copies, which nothing stored in the loop can change
        std::uint64_t visible_count = 0, open_count = 0;
        const auto settle = [&](std::uint32_t w, std::uint64_t all, const ClassifiedBits& classified) LANE_LAMBDA {
            const std::uint64_t visible = (Selected ? selection.candidates[w] : all) & ~classified.outside;
            const std::uint64_t open = visible & ~(classified.inside & accepts_inside);
            chunk.words[w] = visible;
            chunk.open[w] = open;
            visible_count += population(visible);
            open_count += population(open);
        };
        const std::uint32_t full_words = chunk.count / 64;
        for (std::uint32_t w = 0; w < full_words; ++w) {
            if (Selected && selection.candidates[w] == 0) {
                chunk.words[w] = chunk.open[w] = 0;
                continue;
            }
            settle(w, ~std::uint64_t{0}, classify_word(stage_one, s, chunk.first + 64 * w));
        }
        if (full_words < chunk.word_count()) {
            const std::uint32_t at = chunk.first + 64 * full_words;
            settle(full_words, chunk.all_of(full_words), classify_objects(stage_one, s, at, chunk.count % 64));
        }
        return {visible_count, open_count};
    }

    /// 64 objects.
    template <class StageOne>
    LANE_INLINE ClassifiedBits classify_word(const StageOne& stage_one, const Shapes& s, std::uint32_t first) const {
        ClassifiedBits classified;
        typename StageOne::Doubt doubt;
        for (std::uint32_t shift = 0; shift < 64; shift += lanes) {
            const RunOfObjects fetch{first + shift};
            classified.add(stage_one.classify(s, fetch, growth.fetch(fetch), doubt), shift);
        }
        return doubt.any() ? classify_objects(stage_one, s, first, 64) : classified;
    }

    /// Up to 64 objects, some of which may be none.
    template <class StageOne>
    [[gnu::noinline]] ClassifiedBits classify_objects(const StageOne& stage_one, const Shapes& s, std::uint32_t first,
                                                      std::uint32_t count) const {
        ClassifiedBits classified;
        NoDoubtW no_doubt;
        for (std::uint32_t shift = 0; shift < count; shift += lanes) {
            const TailOfObjects fetch{first + shift, count - shift < lanes ? count - shift : lanes};
            classified.add(stage_one.classify(s, fetch, growth.fetch(fetch), no_doubt), shift);
        }
        return classified;
    }

    template <AskedDepths Asked>
    Populations classify_by_sides(Chunk& chunk) const {
        return classify<false>([this]() LANE_LAMBDA { return BallSidesStageOne<Kind, Asked>(view); }, chunk);
    }

    /// All of a chunk's objects, of their own size.
    Populations classify_as_they_are(Chunk& chunk) const {
        if constexpr (Kind::is_seen_as_ball) {
            if (by_sides) {
                switch (asked_depths(view)) {
                    case AskedDepths::both:
                        return classify_by_sides<AskedDepths::both>(chunk);
                    case AskedDepths::far:
                        return classify_by_sides<AskedDepths::far>(chunk);
                    case AskedDepths::none:
                        return classify_by_sides<AskedDepths::none>(chunk);
                }
            }
        }
        return classify<false>([this]() LANE_LAMBDA { return by_planes; }, chunk);
    }

    /// While a chunk's open objects are settled, the next one comes nearer.
    void fetch_next(const Chunk& chunk) const {
        if constexpr (Kind::is_seen_as_ball) {
            const std::uint32_t next = chunk.first + chunk.count;
            if (shapes.count - next >= AheadOfObjects::objects)
                Kind::ball(OwnAxes(view.frame), shapes, AheadOfObjects{next});
        }
    }

    Populations classify_candidates(Chunk& chunk, std::uint32_t candidates) {
        Populations left;
        if constexpr (Growth::grows) {
            left = classify<true>([this]() LANE_LAMBDA { return by_planes; }, chunk);
        } else if (selects) {
            left = classify<true>([this]() LANE_LAMBDA { return by_planes; }, chunk);
        } else {
            left = classify_as_they_are(chunk);
        }
        fetch_next(chunk);
        verdicts.count(Reason::culled_plane) += candidates - left.visible;
        if (verdicts.noted()) note_classified(chunk);
        return left;
    }

    /// What stage 1 leaves open is settled, and noted, again.
    void note_classified(const Chunk& chunk) const {
        for (std::uint32_t w = 0; w < chunk.word_count(); ++w) {
            const std::uint64_t tested = asked(chunk, w);
            verdicts.note(chunk, w, tested & ~chunk.words[w], Reason::culled_plane);
            verdicts.note(chunk, w, tested & chunk.words[w], Reason::visible_inside);
        }
    }

    /// Where stage 1 has nothing to go by, or GJK is to decide everything: all candidates visible, all open.
    Populations open_all(Chunk& chunk, std::uint32_t candidates) const {
        for (std::uint32_t w = 0; w < chunk.word_count(); ++w) {
            chunk.words[w] = chunk.open[w] = asked(chunk, w);
        }
        return {candidates, candidates};
    }

    /// Clears the bits of objects that are too far away or too small. Not inlined, like the next two: it is rare.
    [[gnu::noinline]] Populations drop_distant(Chunk& chunk, OpenList& list) {
        const FloatW endless(__builtin_inff()), nothing(0.0f);
        FrameAxesW axes(view.eye);
        for (Packs packs(chunk, chunk.words, list); packs.more();) {
            Pack pack = packs.next();
            PickedObjects pick = pack.pick(chunk.first);
            DistantW distant = too_distant(
                view, load(axes, pick), attributes.max_distance != nullptr ? pick(attributes.max_distance) : endless,
                attributes.min_projected_size != nullptr ? pick(attributes.min_projected_size) : nothing);
            const std::uint32_t far = bits(distant.far) & pack.active, small = bits(distant.small) & pack.active & ~far;
            chunk.clear(chunk.words, pack, far | small);
            verdicts.settle(chunk, pack, far, Reason::culled_distance);
            verdicts.settle(chunk, pack, small, Reason::culled_size);
        }
        return chunk.close_culled();
    }

    /// The same of objects that the view's lamp does not reach.
    [[gnu::noinline]] Populations drop_beyond_light(Chunk& chunk, OpenList& list) {
        FrameAxesW axes(view.light);
        for (Packs packs(chunk, chunk.words, list); packs.more();) {
            Pack pack = packs.next();
            SeenFromW seen(view.light, view.light_error, load(axes, pack.pick(chunk.first)));
            const std::uint32_t far = bits(seen.beyond(FloatW(view.light_range))) & pack.active;
            chunk.clear(chunk.words, pack, far);
            verdicts.settle(chunk, pack, far, Reason::culled_distance);
        }
        return chunk.close_culled();
    }

    /// Planes again with the object's own shape, and points of it: lists what only stage 2 can settle. Where many
    /// objects are open, whole words are looked at, as in stage 1. Where a closer look follows one plane will do.
    void refine_all(Chunk& chunk, OpenList& list, std::uint64_t open) {
        if constexpr (looks_at_edges) {
            refine_by<true>(chunk, list, open);
        } else if constexpr (may_look_at_nearest) {
            looks_at_nearest ? refine_by<true>(chunk, list, open) : refine_by<false>(chunk, list, open);
        } else {
            refine_by<false>(chunk, list, open);
        }
    }

    template <bool OnePlane>
    void refine_by(Chunk& chunk, OpenList& list, std::uint64_t open) {
        const std::uint32_t whole_words = Packs::are_many(chunk, open) ? chunk.count / 64 : 0;
        refine_words<OnePlane>(chunk, whole_words);
        refine_listed<OnePlane>(chunk, list, whole_words);
        list.collect(chunk, chunk.open, 0);
    }

    template <bool OnePlane, class Shape>
    LANE_INLINE RefinedW refine_pack(const Shape& shape) const {
        if constexpr (OnePlane) {
            return refine_by_one_plane(planes, shape, worst_plane_of(planes, shape.center));
        }
        return refine(planes, shape);
    }

    template <class Axes>
    LANE_INLINE auto load_in_a_row(const Axes& axes, std::uint32_t first) const {
        return load(axes, PickedObjects::in_a_row(first, 0));
    }

    /// 64 objects.
    template <bool OnePlane, class Axes>
    LANE_INLINE RefinedBits refine_word(const Axes& axes, std::uint32_t first) const {
        RefinedBits refined;
        if constexpr (OnePlane) {
            WorstPlaneW worst[64 / lanes];
            ParkedW<decltype(load_in_a_row(axes, 0))> parked[64 / lanes];
#pragma GCC unroll 1
            for (std::uint32_t k = 0; k < 64 / lanes; ++k) {
                auto shape = load_in_a_row(axes, first + k * lanes);
                parked[k].put(shape);
                worst[k] = worst_plane_of(planes, shape.center);
            }
#pragma GCC unroll 1
            for (std::uint32_t k = 0; k < 64 / lanes; ++k) {
                refined.add(refine_by_one_plane(planes, parked[k].get(), worst[k]), k * lanes);
            }
        } else {
            for (std::uint32_t shift = 0; shift < 64; shift += lanes) {
                refined.add(refine(planes, load_in_a_row(axes, first + shift)), shift);
            }
        }
        return refined;
    }

    /// Words [0, end) of the chunk, which are whole.
    template <bool OnePlane>
    [[gnu::noinline]] void refine_words(Chunk& chunk, std::uint32_t end) {
        const RelativeAxesW axes(view.frame);
        for (std::uint32_t w = 0; w < end; ++w) {
            RefinedBits refined = refine_word<OnePlane>(axes, chunk.first + 64 * w);
            refined.decide(chunk.open[w]);
            chunk.words[w] &= ~refined.outside;
            chunk.open[w] &= ~refined.settled();
            verdicts.settle(chunk, w, refined.invalid, Reason::visible_invalid);
            verdicts.settle(chunk, w, refined.outside, Reason::culled_plane);
            verdicts.settle(chunk, w, refined.inside, Reason::visible_inside);
            verdicts.settle(chunk, w, refined.vertex_inside, Reason::visible_vertex);
        }
    }

    /// Words from `begin` on, in packs of open objects.
    template <bool OnePlane>
    void refine_listed(Chunk& chunk, OpenList& list, std::uint32_t begin) {
        RelativeAxesW axes(view.frame);
        list.collect(chunk, chunk.open, begin);
        for (std::uint32_t at = 0; at < list.count; at += lanes) {
            Pack pack(list, at, list.count);
            RefinedBits refined;
            refined.add(refine_pack<OnePlane>(load(axes, pack.pick(chunk.first))), 0);
            refined.decide(pack.active);
            chunk.clear(chunk.words, pack, refined.outside);
            chunk.clear(chunk.open, pack, refined.settled());
            verdicts.settle(chunk, pack, refined.invalid, Reason::visible_invalid);
            verdicts.settle(chunk, pack, refined.outside, Reason::culled_plane);
            verdicts.settle(chunk, pack, refined.inside, Reason::visible_inside);
            verdicts.settle(chunk, pack, refined.vertex_inside, Reason::visible_vertex);
        }
    }

    /// Stage 2 for two packs: of hulls, and of what is rare, which goes out of line.
    template <class Shape>
    LANE_INLINE void separate_packs(Chunk& chunk, const Pack& first, const Shape& first_shape, const Pack& second,
                                    const Shape& second_shape) {
        SeparatedW separated[2];
        TraceW traces[2];
        QueryW<Shape> query_0 = query_for(chunk, first, first_shape);
        QueryW<Shape> query_1 = query_for(chunk, second, second_shape);
        TraceW* const wanted = verdicts.noted() ? traces : nullptr;
        if constexpr (Kind::shares_vertices) {
            separate(view, query_0, query_1, separated, wanted);
        } else {
            separate_out_of_line(view, query_0, query_1, separated, wanted);
        }
        chunk.clear(chunk.words, first, bits(separated[0].apart));
        chunk.clear(chunk.words, second, bits(separated[1].apart));
        verdicts.settle(chunk, first, separated[0], traces[0], view.frame);
        verdicts.settle(chunk, second, separated[1], traces[1], view.frame);
    }

    /// What stage 2 is asked about a pack. With Method::gjk nobody has looked at its objects before.
    template <class Shape>
    LANE_INLINE QueryW<Shape> query_for(const Chunk& chunk, const Pack& pack, const Shape& shape) {
        std::uint32_t sound_lanes = pack.active;
        if (method == Method::gjk) {
            sound_lanes &= bits(sound(shape));
            verdicts.settle(chunk, pack, pack.active & ~sound_lanes, Reason::visible_invalid);
        }
        return {shape, start_normal(view, shape), mask_of(sound_lanes)};
    }

    LANE_INLINE void settle_query(Chunk& chunk, const Pack& pack, const SeparatedW& separated) {
        chunk.clear(chunk.words, pack, bits(separated.apart));
        verdicts.settle(chunk, pack, bits(separated.apart), Reason::culled_gjk);
        verdicts.settle(chunk, pack, bits(separated.overlap), Reason::visible_overlap);
        verdicts.settle(chunk, pack, bits(separated.touching), Reason::visible_touching);
        verdicts.settle(chunk, pack, bits(separated.cap), Reason::visible_cap);
    }

    /// Stage 2. What is rare goes two packs at a time: with growth, polytopes, certificates.
    void separate_all(Chunk& chunk, OpenList& list) {
        if constexpr (!Growth::grows) {
            if (!verdicts.noted()) {
                switch (view.volume) {
                    case VolumeKind::frustum:
                        return separate_against<FrustumW>(*this, chunk, list);
                    case VolumeKind::edge_frustum:
                        return separate_against<EdgeFrustumW>(*this, chunk, list);
                    case VolumeKind::box:
                        return separate_against<OrthoBoxW>(*this, chunk, list);
                    default:
                        break;
                }
            }
        }
        FrameAxesW axes(view.frame);
        const std::uint32_t waiting = list.take_all();
        for (std::uint32_t at = 0; at < waiting; at += 2 * lanes) {
            Pack first(list, at, waiting), second(list, at + lanes, waiting);
            separate_packs(chunk, first, load(axes, first.pick(chunk.first)), second,
                           load(axes, second.pick(chunk.first)));
        }
    }

    /// Everything that is still open stays visible, for want of another test.
    void keep_all(const Chunk& chunk, OpenList& open) {
        const std::uint32_t waiting = open.take_all();
        verdicts.count(Reason::visible_planes) += waiting;
        if (!verdicts.noted()) return;
        for (std::uint32_t at = 0; at < waiting; at += lanes) {
            Pack pack(open, at, waiting);
            verdicts.note(chunk, pack, pack.active, Reason::visible_planes);
        }
    }

    /// A chunk's open objects, part by part.
    void settle(Chunk& chunk, OpenList& list, std::uint64_t open) {
        if constexpr (is_measured) {
            if (measures.all_measured) open = settle_overlapping(*this, chunk);
        }
        if (open <= list_objects) return settle_part(chunk, list, open);
        for (std::uint32_t begin = 0, end = 0; begin < chunk.word_count(); begin = end) {
            for (open = 0; end < chunk.word_count(); ++end) {
                const std::uint64_t more = population(chunk.open[end]);
                if (open + more > list_objects) break;
                open += more;
            }
            Chunk part = chunk.part(begin, end);
            settle_part(part, list, open);
        }
    }

    /// No more open ones than the list holds.
    void settle_part(Chunk& chunk, OpenList& list, std::uint64_t open) {
        if constexpr (is_measured) {
            if (measures.have_closed_form && !measures.all_measured) open = settle_measured(*this, chunk, list, open);
        }
        if (open == 0) return;
        if (method == Method::gjk) {
            list.collect(chunk, chunk.open, 0);
        } else {
            refine_all(chunk, list, open);
            if constexpr (looks_at_edges) settle_at_edges(*this, chunk, list);
            if constexpr (may_look_at_nearest) {
                if (looks_at_nearest) settle_at_nearest(*this, chunk, list);
            }
        }
        if constexpr (Kind::shares_vertices) settle_by_vertices(*this, chunk, list);
        if (method == Method::planes) {
            keep_all(chunk, list);
        } else if constexpr (Kind::shares_vertices) {
            separate_runs(*this, chunk, list);
        } else {
            separate_all(chunk, list);
        }
    }

    /// The bits of the objects proved wholly inside, among those that stayed visible.
    [[gnu::noinline]] void find_inside(const Chunk& chunk, OpenList& list, std::uint64_t* inside) {
        FrameAxesW axes(view.frame);
        std::uint64_t straddling[chunk_words];
        __builtin_memcpy(straddling, chunk.words, chunk.word_count() * sizeof(std::uint64_t));
        for (Packs packs(chunk, chunk.words, list); packs.more();) {
            Pack pack = packs.next();
            chunk.clear(straddling, pack, bits(wholly_inside(view, load(axes, pack.pick(chunk.first)))) & pack.active);
        }
        for (std::uint32_t w = 0; w < chunk.word_count(); ++w) inside[w] = chunk.words[w] & ~straddling[w];
    }

    /// Of `sampled_objects`, all over the chunk, how many stage 1 leaves open. Few where chunks are too small to ask.
    [[gnu::noinline]] std::uint32_t sample_open(const Chunk& chunk) const {
        if (chunk.count < 4 * sampled_objects) return 0;
        NoDoubtW no_doubt;
        std::uint64_t open = 0;
        for (std::uint32_t at = 0; at < sampled_objects; at += lanes) {
            const RunOfObjects fetch{chunk.first + at * (chunk.count / sampled_objects)};
            ClassifiedW classified = by_planes.classify(shapes, fetch, growth.fetch(fetch), no_doubt);
            const std::uint64_t inside = bits(classified.inside) & accepts_inside;
            open += population((bits(classified.outside) | inside) ^ all_lanes);
        }
        return static_cast<std::uint32_t>(open);
    }

    /// Stage 1. Where it would leave most objects open the next stage, which looks at planes as well, has them all:
    /// 13 % of a straddling box's time.
    Populations look_at_all(Chunk& chunk, std::uint32_t candidates) {
        if (method == Method::gjk || !Kind::has_stage_one(shapes)) return open_all(chunk, candidates);
        if constexpr (looks_at_edges || may_look_at_nearest) {
            const std::uint32_t open = method == Method::automatic && !few_were_open ? sample_open(chunk) : 0;
            if constexpr (is_measured) {
                measures.all_measured = measures.have_closed_form && open >= many_open;
                if (measures.all_measured) return measure_all(*this, chunk);
            }
            if (2 * open >= sampled_objects) return open_all(chunk, candidates);
        }
        const Populations left = classify_candidates(chunk, candidates);
        few_were_open = 2 * left.open * sampled_objects < many_open * std::uint64_t{chunk.count};
        return left;
    }

    void cull_chunk(Chunk& chunk, OpenList& list) {
        const std::uint32_t candidates =
            selects ? select_objects(attributes, view.layer_mask, chunk, selection, verdicts) : chunk.count;
        Populations left = look_at_all(chunk, candidates);
        if (attributes.max_distance != nullptr || attributes.min_projected_size != nullptr) {
            left = drop_distant(chunk, list);
        }
        if (view.light_range > 0) left = drop_beyond_light(chunk, list);
        verdicts.count(Reason::visible_inside) += left.visible - left.open;
        if (left.open > 0) settle(chunk, list, left.open);
        if (selects) {
            for (std::uint32_t w = 0; w < chunk.word_count(); ++w) chunk.words[w] |= selection.forced[w];
        }
    }

    void run(const RangeWork& work) {
        OpenList list;
        std::uint64_t words[chunk_words], open[chunk_words];
        for (std::uint32_t done = 0; done < work.count; done += chunk_objects) {
            const std::uint32_t rest = work.count - done;
            Chunk chunk{work.first + done, rest < chunk_objects ? rest : chunk_objects, words, open};
            cull_chunk(chunk, list);
            const std::size_t bytes = chunk.word_count() * sizeof(std::uint64_t);
            if (work.visible != nullptr) __builtin_memcpy(work.visible + done / 64, chunk.words, bytes);
            if (work.kept != nullptr) __builtin_memcpy(work.kept + done / 64, chunk.words, bytes);
            if (work.inside != nullptr) find_inside(chunk, list, work.inside + done / 64);
        }
        verdicts.write(work.count, *work.statistics);
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
