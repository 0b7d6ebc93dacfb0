#pragma once

/// Stage 1 over the words of a chunk: tests all of its objects against planes or side slabs. Objects that it neither
/// culls nor accepts stay undecided. If most of a chunk would stay undecided, stage 1 is skipped and the next stage
/// gets all of the chunk.

#include <cstdint>

#include <lanecull/certificate.hpp>
#include <lanecull/cull.hpp>
#include <lanecull/prepared_view.hpp>

#include "cull/chunk.hpp"
#include "cull/classified.hpp"
#include "cull/classify_words.hpp"
#include "cull/closed_form.hpp"
#include "cull/kernel_work.hpp"
#include "cull/sphere_slabs.hpp"
#include "cull/volume_planes.hpp"
#include "lanes/expansion.hpp"
#include "lanes/frames.hpp"
#include "lanes/gather.hpp"
#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"
#include "lanes/vec3w.hpp"

namespace lanecull {
namespace {

/// Up to 64 objects, some of which may be invalid.
template <class StageOne, class Expansion, class Shapes>
[[gnu::noinline]] ClassifiedBits classify_objects(const StageOne& stage_one, const Expansion& expansion,
                                                  const Shapes& s, std::uint32_t first, std::uint32_t count) {
    ClassifiedBits classified;
    NoDoubtW no_doubt;
    for (std::uint32_t shift = 0; shift < count; shift += lanes) {
        const TailOfObjects fetch{first + shift, count - shift < lanes ? count - shift : lanes};
        classified.add(stage_one.classify(s, fetch, expansion.fetch(fetch), no_doubt), shift);
    }
    return classified;
}

/// 64 objects.
template <class StageOne, class Expansion, class Shapes>
LANE_INLINE ClassifiedBits classify_word(const StageOne& stage_one, const Expansion& expansion, const Shapes& s,
                                         std::uint32_t first) {
    // With narrower sets it is up to 9 % slower than packet by packet.
    if constexpr (lanes >= 8 && requires { stage_one.classify_word(s, first, expansion); }) {
        return stage_one.classify_word(s, first, expansion);
    }
    ClassifiedBits classified;
    typename StageOne::Doubt doubt;
    for (std::uint32_t shift = 0; shift < 64; shift += lanes) {
        const RunOfObjects fetch{first + shift};
        classified.add(stage_one.classify(s, fetch, expansion.fetch(fetch), doubt), shift);
    }
    return doubt.any() ? classify_objects(stage_one, expansion, s, first, 64) : classified;
}

/// Those of 64 objects that are valid and have their centre inside all of the volume's planes, whose offsets do not
/// count the view's margin.
template <class Range>
[[gnu::noinline]] std::uint64_t centers_inside(const Range& range, std::uint32_t first, std::uint64_t asked) {
    const PreparedView& view = range.view;
    const RelativeAxesW axes(view.frame);
    NoDoubtW no_doubt;
    ClassifiedBits classified;
    for (std::uint32_t shift = 0; shift < 64; shift += lanes) {
        if ((asked >> shift & all_lanes) == 0) continue;
        BallW ball = Range::Kind::ball(axes, range.shapes, RunOfObjects{first + shift});
        FloatW least(__builtin_inff());
        for (std::uint32_t k = 0; k < view.plane_count; ++k) {
            const FloatW offset(Range::Kind::ball_unit * view.offset[k]);
            least = min(least, dot_plus(broadcast3(view.normal[k]), ball.center, offset));
        }
        const auto sound = no_doubt.look_at(one_norm(ball.center) + ball.radius, ball.size);
        classified.add(sound & ClassifiedW{mask_of(0), least >= FloatW(0.0f)}, shift);
    }
    return classified.inside & asked;
}

/// Stage 1: fills the chunk's words and its undecided bits. Not inlined, so that the loop has all registers to itself.
/// `prepare` is called in here, because what it makes is many vectors, and the instruction that copies them starts
/// slowly. `expansion`: the objects'.
///
/// Stage 1 accepts what it finds inside its planes, if they are the volume's. Where the volume has more planes, or a
/// margin, by which these are moved out, objects are accepted by their centres instead; but not the last few of a
/// chunk.
template <bool Selected, class Prepare, class Expansion, class Range>
[[gnu::noinline]] Populations classify(const Range& range, const Prepare& prepare, const Expansion& expansion,
                                       Chunk& chunk) {
    const auto stage_one = prepare();
    const typename Range::Shapes s = range.shapes;  // copies, which nothing stored in the loop can change
    const bool by_center = range.accepts_centers;
    const auto of_word = [&](std::uint32_t first) LANE_LAMBDA {
        ClassifiedBits classified = classify_word(stage_one, expansion, s, first);
        if (by_center) classified.inside = centers_inside(range, first, ~classified.outside);
        return classified;
    };
    const auto of_objects = [&](std::uint32_t first, std::uint32_t count) LANE_LAMBDA {
        ClassifiedBits classified = classify_objects(stage_one, expansion, s, first, count);
        if (by_center) classified.inside = 0;
        return classified;
    };
    if constexpr (Selected) {
        return classify_words(chunk, CandidateObjects{range.selection.tested}, range.accepts_inside, of_word,
                              of_objects);
    } else {
        return classify_words(chunk, AllObjects{}, range.accepts_inside, of_word, of_objects);
    }
}

template <AskedDepths Asked, class Range>
inline Populations classify_by_slabs(const Range& range, Chunk& chunk) {
    return classify<false>(
        range, [&]() LANE_LAMBDA { return SphereSlabsStageOne<typename Range::Kind, Asked>(range.view); }, Unexpanded{},
        chunk);
}

template <bool Selected, class Expansion, class Range>
inline Populations classify_by_planes(const Range& range, const Expansion& expansion, Chunk& chunk) {
    return classify<Selected>(
        range, [&]() LANE_LAMBDA { return range.by_planes; }, expansion, chunk);
}

/// By side slabs, for all of a chunk's objects.
template <class Range>
inline Populations classify_by_slabs(const Range& range, Chunk& chunk) {
    switch (asked_depths(range.view)) {
        case AskedDepths::both:
            return classify_by_slabs<AskedDepths::both>(range, chunk);
        case AskedDepths::far:
            return classify_by_slabs<AskedDepths::far>(range, chunk);
        case AskedDepths::none:
            break;
    }
    return classify_by_slabs<AskedDepths::none>(range, chunk);
}

/// Prefetches the beginning of the next chunk, so that it arrives while this chunk's undecided objects are decided. The
/// indices and positions of kinds with transforms are not prefetched but read, so nothing is fetched of them where the
/// caller may not ask about it.
template <class Range>
inline void fetch_next(const Range& range, const Chunk& chunk) {
    if (Range::Kind::has_transforms && chunk.candidates != nullptr) return;
    const std::uint32_t next = chunk.first + chunk.count;
    if (range.shapes.count - next >= AheadOfObjects::objects)
        Range::Kind::ball(OwnAxes(range.view.frame), range.shapes, AheadOfObjects{next});
}

/// Notes stage 1's reasons. Objects that it leaves undecided are noted as kept, too; the stage that decides them notes
/// them again.
template <class Range>
inline void note_classified(const Range& range, const Chunk& chunk) {
    for (std::uint32_t w = 0; w < chunk.word_count(); ++w) {
        const std::uint64_t tested = range.asked(chunk, w);
        range.verdicts.note(chunk, w, tested & ~chunk.words[w], Reason::culled_plane);
        range.verdicts.note(chunk, w, tested & chunk.words[w], range.kept_by_stage_one());
    }
}

template <class Range>
inline Populations classify_tested(Range& range, Chunk& chunk, std::uint32_t tested) {
    Populations left;
    range.planes_wait = false;
    if (range.expansion.by_object()) {
        left = classify_by_planes<true>(range, range.expansion, chunk);
    } else if (!Range::Expansion::expands && range.by_slabs && !range.selects) {
        range.planes_wait = true;
        left = classify_by_slabs(range, chunk);
    } else {
        left = range.selects ? classify_by_planes<true>(range, Unexpanded{}, chunk)
                             : classify_by_planes<false>(range, Unexpanded{}, chunk);
    }
    fetch_next(range, chunk);
    range.verdicts.count(Reason::culled_plane) += tested - left.visible;
    if (range.verdicts.noted()) note_classified(range, chunk);
    return left;
}

/// In place of stage 1: leaves all objects that are to be tested visible and undecided. For batches that stage 1 cannot
/// test, for gjk_alone, for chunks of which stage 1 would leave half or more undecided, and for chunks in
/// which nothing is to be tested.
template <class Range>
inline Populations leave_undecided(const Range& range, Chunk& chunk, std::uint32_t tested) {
    for (std::uint32_t w = 0; w < chunk.word_count(); ++w) {
        chunk.words[w] = chunk.undecided[w] = range.asked(chunk, w);
    }
    return {tested, tested};
}

/// How many of `sampled_objects`, spread over the chunk, stage 1 leaves undecided. 0 for chunks that are too small to
/// sample.
template <class Range>
[[gnu::noinline]] std::uint32_t sample_undecided(const Range& range, const Chunk& chunk) {
    if (chunk.count < 4 * sampled_objects) return 0;
    NoDoubtW no_doubt;
    std::uint64_t undecided = 0;
    for (std::uint32_t at = 0; at < sampled_objects; at += lanes) {
        const RunOfObjects fetch{chunk.first + at * (chunk.count / sampled_objects)};
        ClassifiedW classified = range.by_planes.classify(range.shapes, fetch, range.expansion.fetch(fetch), no_doubt);
        const std::uint64_t inside = bits(classified.inside) & range.accepts_inside;
        undecided += population((bits(classified.outside) | inside) ^ all_lanes);
    }
    return static_cast<std::uint32_t>(undecided);
}

/// Whether so few objects of each word are to be tested that reading them one by one costs less than stage 1, which
/// reads the whole word: a lamp's six faces, asked about what its range reaches. A frame of 64 lamps over 10,000 boxes
/// takes 1.76 ms with it and 2.44 without (frame_lamps/flat/10k, AVX-512, Zen 4), with 4, 8 or 16 alike.
template <class Range>
inline bool are_scattered(const Range& range, const Chunk& chunk, std::uint32_t tested) {
    constexpr std::uint32_t few_of_word = 8;
    if (tested >= few_of_word * chunk.word_count()) return false;
    std::uint32_t words = 0;
    for (std::uint32_t w = 0; w < chunk.word_count(); ++w) words += range.selection.tested[w] != 0 ? 1 : 0;
    return tested < few_of_word * words;
}

/// Stage 1, or what takes its place. If the sample has many undecided objects and the view has a closed form for the
/// kind, the closed form tests the whole chunk. If stage 1 would leave half or more undecided, it is skipped, because
/// the next stage tests planes as well: this saves 13 % of a straddling box's time. Where the caller gives candidates
/// there is no sample: it would read objects that nobody asks about.
template <class Range>
inline Populations look_at_all(Range& range, Chunk& chunk, std::uint32_t tested) {
    const bool has_stage_one = range.method != gjk_alone && Range::Kind::has_stage_one(range.shapes);
    range.planes_wait = has_stage_one;
    if (tested == 0 || !has_stage_one) return leave_undecided(range, chunk, tested);
    if (!Range::Expansion::expands && range.selects && are_scattered(range, chunk, tested)) {
        return leave_undecided(range, chunk, tested);
    }
    if constexpr (Range::looks_at_edges || Range::may_look_at_nearest) {
        const bool samples =
            range.method == Method::automatic && !range.few_were_undecided && chunk.candidates == nullptr;
        const std::uint32_t undecided = samples ? sample_undecided(range, chunk) : 0;
        if constexpr (Range::may_have_closed_form) {
            range.closed_forms.all_at_once = range.closed_forms.have_closed_form && undecided >= many_undecided;
            if (range.closed_forms.all_at_once) return closed_form_of_all(range, chunk);
        }
        if (2 * undecided >= sampled_objects) return leave_undecided(range, chunk, tested);
    }
    const Populations left = classify_tested(range, chunk, tested);
    range.few_were_undecided = 2 * left.undecided * sampled_objects < many_undecided * std::uint64_t{chunk.count};
    return left;
}

}  // namespace
}  // namespace lanecull
