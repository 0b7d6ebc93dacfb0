#pragma once

/// The pipeline of a range of 2D shapes: chunk by chunk, classify (stage 1), then separate (stage 2). Stage 1 leaves a
/// bit for each undecided object. Stage 2 takes whole words where many of their bits are set; elsewhere it gathers full
/// packets.
///
/// After stage 1 every object of a chunk that is not proved outside is visible. Stage 2 only clears bits.

#include <cstdint>

#include <lanecull/cull.h>

#include "cull/chunk.hpp"
#include "cull/classified.hpp"
#include "cull/drive.hpp"
#include "cull/reasons.hpp"
#include "flat/kinds.hpp"
#include "flat/prepared_view.hpp"
#include "flat/separate.hpp"
#include "flat/work.hpp"
#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"

namespace lanecull::flat {
namespace {

LANE_INLINE void add(ClassifiedBits& word, const ClassifiedW& packet, std::uint32_t shift) {
    word.outside |= std::uint64_t{packet.outside} << shift;
    word.inside |= std::uint64_t{packet.decided} << shift;
}

template <class Kind>
struct FlatRange {
    using Shapes = typename Kind::Shapes;

    const Shapes& shapes;
    const PreparedView& view;
    const Method method;
    Verdicts verdicts;

    explicit FlatRange(const RangeWork& work)
        : shapes(*static_cast<const Shapes*>(work.shapes)),
          view(*work.view),
          method(work.method),
          verdicts(work.certificates, work.first) {}

    /// Fills the chunk's words with the results of stage 1, and sets the bits of undecided objects. `classify_packet`
    /// classifies whole packets. Selected: only candidates are tested.
    template <bool Selected, class StageOne, class ClassifyPacket>
    LANE_INLINE Populations fill(const StageOne& stage_one, Chunk& chunk, const ClassifyPacket& classify_packet) const {
        const bool all_edges = StageOne::looks_at_all_edges || view.edge_count <= PreparedView::stage_one_edges;
        const std::uint64_t accepts = all_edges ? ~std::uint64_t{0} : 0;
        const std::uint32_t full_words = chunk.count / 64, rest = chunk.count % 64;
        Populations left = {};
        for (std::uint32_t w = 0; w < full_words; ++w) {
            const std::uint64_t asked = Selected ? chunk.candidates[w] : ~std::uint64_t{0};
            ClassifiedBits word;
            for (std::uint32_t shift = 0; shift < 64 && (!Selected || asked != 0); shift += lanes) {
                add(word, classify_packet(RunOfObjects{chunk.first + 64 * w + shift}), shift);
            }
            chunk.fill(w, asked & ~word.outside, word.inside & accepts, left);
        }
        if (rest == 0) return left;
        const std::uint64_t asked = chunk.candidates_of(full_words);
        ClassifiedBits word;
        for (std::uint32_t shift = 0; shift < rest && asked != 0; shift += lanes) {
            const TailOfObjects tail{chunk.first + 64 * full_words + shift,
                                     rest - shift < lanes ? rest - shift : lanes};
            add(word, stage_one.classify(view, shapes, tail), shift);
        }
        chunk.fill(full_words, asked & ~word.outside, word.inside & accepts, left);
        return left;
    }
    template <class StageOne, class ClassifyPacket>
    LANE_INLINE Populations fill(const StageOne& stage_one, Chunk& chunk, const ClassifyPacket& classify_packet) const {
        return chunk.candidates == nullptr ? fill<false>(stage_one, chunk, classify_packet)
                                           : fill<true>(stage_one, chunk, classify_packet);
    }

    /// Stage 1 of a chunk. Asks once, at the end, whether any object in it may be invalid; if so, classifies the chunk
    /// again, testing each object's validity. Not inlined, nor is the next, so that the loop has all registers to
    /// itself.
    template <class StageOne>
    [[gnu::noinline]] Populations classify(const StageOne& prepared, Chunk& chunk) const {
        if constexpr (!std::is_same_v<typename StageOne::Doubt, NoDoubtW>) {
            const StageOne stage_one = prepared;
            const Shapes s = shapes;  // a copy, which no store in the loop can change
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

    /// Records the objects that are no candidates. Returns how many are.
    [[gnu::noinline]] std::uint64_t record_candidates(const Chunk& chunk) {
        std::uint64_t candidates = 0;
        for (std::uint32_t w = 0; w < chunk.word_count(); ++w) {
            const std::uint64_t asked = chunk.candidates_of(w);
            verdicts.record(chunk, w, chunk.all_of(w) & ~asked, Reason::culled_candidate);
            candidates += population(asked);
        }
        return candidates;
    }

    /// Stage 2 notes the objects that stage 1 leaves undecided once more.
    void note_classified(const Chunk& chunk, Reason decided) const {
        for (std::uint32_t w = 0; w < chunk.word_count(); ++w) {
            verdicts.note(chunk, w, chunk.candidates_of(w) & ~chunk.words[w], Reason::culled_plane);
            verdicts.note(chunk, w, chunk.words[w], decided);
        }
    }

    /// Stage 2. Not inlined, nor is the next: most objects never get there.
    [[gnu::noinline]] void separate(Chunk& chunk, UndecidedList& list, std::uint32_t first_edge) {
        Vec2W origin = broadcast2(view.origin);
        const bool by_planes = method == Method::planes;
        drive(verdicts, chunk, Packets(chunk, chunk.undecided, list), [&](const Packet& packet) LANE_LAMBDA {
            const auto shape = Kind::load(view, origin, shapes, packet.gathered(chunk.first));
            SeparatedW found = {mask_of(0), mask_of(0), mask_of(0)};
            try_edges(view, shape, first_edge, found);
            if (!by_planes) try_proposals(view, shape, found);
            return Found<Reason::visible_invalid, Reason::culled_plane, Reason::culled_gjk, Reason::visible_touching,
                         Reason::visible_planes, Reason::visible_overlap>{
                {bits(~sound(shape.valid, shape.magnitude)), bits(found.outside), bits(found.apart),
                 bits(found.touching), by_planes ? all_lanes : 0, all_lanes}};
        });
    }

    /// Sets the bits of objects that are proved to lie wholly inside, among those that stayed visible.
    [[gnu::noinline]] void find_inside(const Chunk& chunk, UndecidedList& list, std::uint64_t* inside) const {
        Vec2W origin = broadcast2(view.origin);
        write_inside(chunk, list, inside, [&](const Packet& packet) LANE_LAMBDA {
            if (!view.inside_known) return 0u;
            return bits(wholly_inside(view, Kind::load(view, origin, shapes, packet.gathered(chunk.first))));
        });
    }

    template <class StageOne>
    LANE_INLINE void cull_chunk(const StageOne& stage_one, Chunk& chunk, UndecidedList& list) {
        const std::uint64_t candidates = chunk.candidates == nullptr ? chunk.count : record_candidates(chunk);
        const Populations left = classify(stage_one, chunk);
        verdicts.count(Reason::culled_plane) += candidates - left.visible;
        verdicts.count(StageOne::decided) += left.visible - left.undecided;
        if (verdicts.noted()) note_classified(chunk, StageOne::decided);
        if (left.undecided > 0) separate(chunk, list, StageOne::first_edge);
    }

    template <class StageOne>
    LANE_INLINE void run(const StageOne& stage_one, const RangeTask& task) {
        for (Chunks chunks(task); chunks.more();) {
            Chunk chunk = chunks.next();
            cull_chunk(stage_one, chunk, chunks.list);
            if (std::uint64_t* const inside = chunks.write(chunk)) find_inside(chunk, chunks.list, inside);
        }
        *task.counts = verdicts.counts;
    }
};

template <class Kind>
void cull_flat_range(const RangeWork& work) {
    FlatRange<Kind> range(work);
    with_stage_one<Kind>(*work.view, [&](const auto& stage_one) LANE_LAMBDA { range.run(stage_one, work); });
}

}  // namespace
}  // namespace lanecull::flat
