#pragma once

/// The way of a range of figures: chunk by chunk, classify -> separate. What stage 1 leaves undecided is bits; stage 2
/// looks at whole words of them where they are many, else at full packs that are gathered.
///
/// A chunk's words start with every object visible that stage 1 did not prove outside, and stage 2 only clears bits.

#include <cstdint>

#include <lanecull/certificate.hpp>

#include "flat/kind_box.hpp"
#include "flat/kind_circle.hpp"
#include "flat/kinds.hpp"
#include "flat/separate.hpp"
#include "flat/work.hpp"
#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"
#include "stages/undecided_list.hpp"

namespace lanecull::flat {
namespace {

/// What decided each object: counted always, and noted object by object where the caller asks for certificates.
struct ReasonsOf {
    std::uint64_t counts[static_cast<int>(Reason::visible_invalid) + 1] = {};
    Certificate* const certificates;  // of the range's objects; or null
    const std::uint32_t first_object;

    ReasonsOf(Certificate* certificates_, std::uint32_t first_object_)
        : certificates(certificates_), first_object(first_object_) {}

    LANE_INLINE void count(std::uint64_t objects, Reason reason) { counts[static_cast<int>(reason)] += objects; }

    /// The pack's objects in the lanes `decided`.
    LANE_INLINE void record(const Chunk& chunk, const Packet& pack, std::uint32_t decided, Reason reason) {
        count(population(decided), reason);
        if (certificates != nullptr) note(chunk, pack, decided, reason);
    }

    [[gnu::noinline]] void note(const Chunk& chunk, const Packet& pack, std::uint32_t decided, Reason reason) const {
        alignas(64) std::int32_t objects[lanes];
        store(objects, pack.objects());
        for (; decided != 0; decided &= decided - 1) {
            note(chunk, static_cast<std::uint32_t>(objects[__builtin_ctz(decided)]), reason);
        }
    }

    /// The objects whose bits are set in word w of the chunk.
    [[gnu::noinline]] void note_word(const Chunk& chunk, std::uint32_t w, std::uint64_t decided, Reason reason) const {
        for (; decided != 0; decided &= decided - 1) {
            note(chunk, 64 * w + static_cast<std::uint32_t>(__builtin_ctzll(decided)), reason);
        }
    }

    LANE_INLINE void note(const Chunk& chunk, std::uint32_t object, Reason reason) const {
        Certificate& certificate = certificates[chunk.first - first_object + object];
        certificate = Certificate{};
        certificate.reason = reason;
        certificate.far = __builtin_inff();
    }

    void write(std::uint32_t objects, Statistics& s) const {
        const auto of = [&](Reason reason) LANE_LAMBDA { return counts[static_cast<int>(reason)]; };
        s = {};
        s.objects = objects;
        s.culled_plane = of(Reason::culled_plane);
        s.culled_gjk = of(Reason::culled_gjk);
        s.visible_inside = of(Reason::visible_inside);
        s.visible_overlap = of(Reason::visible_overlap);
        s.visible_touching = of(Reason::visible_touching);
        s.visible_planes = of(Reason::visible_planes);
        s.visible_invalid = of(Reason::visible_invalid);
    }
};

/// Of 64 objects.
struct ClassifiedWord {
    std::uint64_t outside = 0, decided = 0;

    LANE_INLINE void add(const ClassifiedW& pack, std::uint32_t shift) {
        outside |= std::uint64_t{pack.outside} << shift;
        decided |= std::uint64_t{pack.decided} << shift;
    }
};

template <class Kind>
struct FlatRange {
    using Shapes = typename Kind::Shapes;

    const Shapes& shapes;
    const PreparedView& view;
    const Method method;
    ReasonsOf reasons;

    explicit FlatRange(const RangeWork& work)
        : shapes(*static_cast<const Shapes*>(work.shapes)),
          view(*work.view),
          method(work.method),
          reasons(work.certificates, work.first) {}

    /// Fills the chunk's words by what stage 1 says, and bits of what it leaves undecided. `classify_pack` is for whole
    /// packs.
    template <class StageOne, class ClassifyPack>
    LANE_INLINE Populations fill(const StageOne& stage_one, Chunk& chunk, const ClassifyPack& classify_pack) const {
        const bool all_edges = StageOne::looks_at_all_edges || view.edge_count <= PreparedView::stage_one_edges;
        const std::uint64_t accepts = all_edges ? ~std::uint64_t{0} : 0;
        Populations left = {0, 0};
        const auto decide = [&](std::uint32_t w, std::uint64_t visible, std::uint64_t decided) LANE_LAMBDA {
            const std::uint64_t undecided = visible & ~(decided & accepts);
            chunk.words[w] = visible;
            chunk.undecided[w] = undecided;
            left.visible += population(visible);
            left.undecided += population(undecided);
        };
        const std::uint32_t full_words = chunk.count / 64;
        for (std::uint32_t w = 0; w < full_words; ++w) {
            ClassifiedWord word;
            for (std::uint32_t shift = 0; shift < 64; shift += lanes) {
                word.add(classify_pack(RunOfObjects{chunk.first + 64 * w + shift}), shift);
            }
            decide(w, ~word.outside, word.decided);
        }
        if (full_words == chunk.word_count()) return left;
        ClassifiedWord word;
        for (std::uint32_t at = 64 * full_words; at < chunk.count; at += lanes) {
            const std::uint32_t rest = chunk.count - at;
            const TailOfObjects tail{chunk.first + at, rest < lanes ? rest : lanes};
            word.add(stage_one.classify(view, shapes, tail), at % 64);
        }
        decide(full_words, chunk.all_of(full_words) & ~word.outside, word.decided);
        return left;
    }

    /// Stage 1 of a chunk. Whether any object in it is invalid is asked once, in the end; if so, once more object by
    /// object. Not inlined, like the next, so that registers are the loop's alone.
    template <class StageOne>
    [[gnu::noinline]] Populations classify(const StageOne& prepared, Chunk& chunk) const {
        if constexpr (!std::is_same_v<typename StageOne::Doubt, NoDoubtW>) {
            const StageOne stage_one = prepared;
            const Shapes s = shapes;  // copies, which nothing stored in the loop can change
            typename StageOne::Doubt doubt;
            const Populations left = fill(prepared, chunk, [&](const RunOfObjects& run) LANE_LAMBDA {
                return stage_one.classify(view, s, run, doubt);
            });
            if (!doubt.any_invalid()) return left;
        }
        return classify_each(prepared, chunk);
    }

    template <class StageOne>
    [[gnu::noinline]] Populations classify_each(const StageOne& prepared, Chunk& chunk) const {
        const StageOne stage_one = prepared;
        const Shapes s = shapes;
        return fill(prepared, chunk,
                    [&](const RunOfObjects& run) LANE_LAMBDA { return stage_one.classify(view, s, run); });
    }

    /// What stage 1 leaves undecided is noted again by stage 2.
    void note_classified(const Chunk& chunk, Reason decided) const {
        for (std::uint32_t w = 0; w < chunk.word_count(); ++w) {
            reasons.note_word(chunk, w, chunk.all_of(w) & ~chunk.words[w], Reason::culled_plane);
            reasons.note_word(chunk, w, chunk.words[w], decided);
        }
    }

    /// Not inlined, like the next: most objects never get there.
    [[gnu::noinline]] void separate(Chunk& chunk, UndecidedList& list, std::uint32_t first_edge) {
        Vec2W origin = broadcast2(view.origin);
        for (Packets packs(chunk, chunk.undecided, list); packs.more();) {
            Packet pack = packs.next();
            const auto shape = Kind::load(view, origin, shapes, pack.gathered(chunk.first));
            const std::uint32_t valid = bits(sound(shape.valid, shape.magnitude)) & pack.active;
            SeparatedW found = {mask_of(0), mask_of(0), mask_of(0)};
            try_edges(view, shape, first_edge, found);
            if (method != Method::planes) try_proposals(view, shape, found);
            decide(chunk, pack, valid, found);
        }
    }

    LANE_INLINE void decide(Chunk& chunk, const Packet& pack, std::uint32_t valid, const SeparatedW& found) {
        const std::uint32_t outside = bits(found.outside) & valid, apart = bits(found.apart) & valid & ~outside;
        const std::uint32_t kept = valid & ~(outside | apart), touching = kept & bits(found.touching);
        chunk.clear(chunk.words, pack, outside | apart);
        reasons.record(chunk, pack, pack.active & ~valid, Reason::visible_invalid);
        reasons.record(chunk, pack, outside, Reason::culled_plane);
        reasons.record(chunk, pack, apart, Reason::culled_gjk);
        reasons.record(chunk, pack, touching, Reason::visible_touching);
        reasons.record(chunk, pack, kept & ~touching,
                       method == Method::planes ? Reason::visible_planes : Reason::visible_overlap);
    }

    /// The bits of the objects proved wholly inside, among those that stayed visible.
    [[gnu::noinline]] void find_inside(const Chunk& chunk, UndecidedList& list, std::uint64_t* inside) const {
        Vec2W origin = broadcast2(view.origin);
        std::uint64_t straddling[chunk_words];
        for (std::uint32_t w = 0; w < chunk.word_count(); ++w) straddling[w] = chunk.words[w];
        for (Packets packs(chunk, chunk.words, list); view.inside_known && packs.more();) {
            Packet pack = packs.next();
            const auto shape = Kind::load(view, origin, shapes, pack.gathered(chunk.first));
            chunk.clear(straddling, pack, bits(wholly_inside(view, shape)) & pack.active);
        }
        for (std::uint32_t w = 0; w < chunk.word_count(); ++w) inside[w] = chunk.words[w] & ~straddling[w];
    }

    template <class StageOne>
    LANE_INLINE void run(const StageOne& stage_one, const RangeTask& task) {
        UndecidedList list;
        std::uint64_t words[chunk_words], undecided[chunk_words];
        for (std::uint32_t done = 0; done < task.count; done += chunk_objects) {
            const std::uint32_t rest = task.count - done;
            Chunk chunk{task.first + done, rest < chunk_objects ? rest : chunk_objects, words, undecided};
            const Populations left = classify(stage_one, chunk);
            reasons.count(chunk.count - left.visible, Reason::culled_plane);
            reasons.count(left.visible - left.undecided, StageOne::decided);
            if (reasons.certificates != nullptr) note_classified(chunk, StageOne::decided);
            if (left.undecided > 0) separate(chunk, list, StageOne::first_edge);
            for (std::uint32_t w = 0; w < chunk.word_count(); ++w) {
                if (task.visible != nullptr) task.visible[done / 64 + w] = chunk.words[w];
                if (task.kept != nullptr) task.kept[done / 64 + w] = chunk.words[w];
            }
            if (task.inside != nullptr) find_inside(chunk, list, task.inside + done / 64);
        }
        reasons.write(task.count, *task.statistics);
    }
};

template <class Kind>
void cull_flat_range(const RangeWork& work) {
    FlatRange<Kind> range(work);
    with_stage_one<Kind>(*work.view, [&](const auto& stage_one) LANE_LAMBDA { range.run(stage_one, work); });
}

}  // namespace
}  // namespace lanecull::flat
