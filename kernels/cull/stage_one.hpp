#pragma once

/// Stage 1: all objects of a chunk at once, word by word. It has four outcomes for a chunk: it is left out, it tests
/// side slabs, it tests planes, or a closed form takes its place. Objects that it neither culls nor accepts stay
/// undecided.

#include <cstdint>

#include <lanecull/cull.h>

#include "cull/chunk.hpp"
#include "cull/classified.hpp"
#include "cull/closed_form.hpp"
#include "cull/context.hpp"
#include "cull/drive.hpp"
#include "cull/planes_first.hpp"
#include "cull/sphere_slabs.hpp"
#include "lanes/expansion.hpp"
#include "lanes/frames.hpp"
#include "lanes/gather.hpp"
#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"
#include "lanes/vec3w.hpp"
#include "view/prepared_view.hpp"

namespace lanecull {
namespace {

/// How many objects of a chunk are tested to choose its stage 1, and from how many undecided ones on the closed form
/// tests all of the chunk. Testing planes for all balls takes two thirds of the time that the closed form takes for
/// all. Gathering and testing a ball that planes leave undecided takes four times as long as testing it in a row. So
/// the closed form for all pays from 1 in 12 on. (Boxes use the same limit, untried.)
constexpr std::uint32_t sampled_objects = 32;
constexpr std::uint32_t many_undecided = sampled_objects / 12 + 1;

/// How many of `sampled_objects`, spread over the chunk, planes leave undecided. 0 for chunks that are too small to
/// sample.
template <class Range>
[[gnu::noinline]] std::uint32_t sample_undecided(const Range& range, const Chunk& chunk) {
    if (chunk.count < 4 * sampled_objects) return 0;
    NoDoubtW no_doubt;
    std::uint64_t undecided = 0;
    for (std::uint32_t at = 0; at < sampled_objects; at += lanes) {
        const RunOfObjects fetch{chunk.first + at * (chunk.count / sampled_objects)};
        ClassifiedW found = range.by_planes.test(range.shapes, fetch, range.expansion.fetch(fetch), no_doubt);
        const std::uint32_t inside = range.accepts != Accepts::nothing ? bits(found.inside) : 0;
        undecided += population((bits(found.outside) | inside) ^ all_lanes);
    }
    return static_cast<std::uint32_t>(undecided);
}

/// Whether so few objects of each word are to be tested that reading them one by one costs less than stage 1, which
/// reads the whole word: a point light's six faces, whose candidates are what its range reaches. A frame of 64 point
/// lights over 10,000 boxes takes 1.76 ms with it and 2.44 without (frame_lamps/flat/10k, AVX-512, Zen 4), with 4, 8 or
/// 16 alike.
template <class Range>
inline bool are_scattered(const Range& range, const Chunk& chunk, std::uint32_t tested) {
    constexpr std::uint32_t few_of_word = 8;
    if (tested >= few_of_word * chunk.word_count()) return false;
    std::uint32_t words = 0;
    for (std::uint32_t w = 0; w < chunk.word_count(); ++w) words += range.selection.tested[w] != 0 ? 1 : 0;
    return tested < few_of_word * words;
}

/// Chooses a chunk's stage 1. If the sample has many undecided objects and the view has a closed form for the kind, the
/// closed form tests the whole chunk. If stage 1 would leave half or more undecided, it is left out, because the next
/// stage tests planes as well: this saves 13 % of a straddling box's time. Where the caller gives candidates there is
/// no sample: it would read objects that are no candidates.
template <class Range>
inline StageOne choose_stage_one(const Range& range, const Chunk& chunk, std::uint32_t tested) {
    if (tested == 0 || range.usual == StageOne::left_out) return StageOne::left_out;
    if (!Range::Expansion::expands && range.selects && are_scattered(range, chunk, tested)) return StageOne::left_out;
    if constexpr (Range::looks_at_edges || Range::may_look_at_nearest) {
        const bool samples =
            range.method == Method::automatic && !range.few_were_undecided && chunk.candidates == nullptr;
        const std::uint32_t undecided = samples ? sample_undecided(range, chunk) : 0;
        if (range.has_closed_form && undecided >= many_undecided) return StageOne::closed_form;
        if (2 * undecided >= sampled_objects) return StageOne::left_out;
    }
    return range.usual;
}

/// Up to 64 objects, some of which may be invalid or too large.
template <class Test, class Expansion, class Shapes>
[[gnu::noinline]] typename Test::Bits test_carefully(const Test& test, const Expansion& expansion, const Shapes& s,
                                                     std::uint32_t first, std::uint32_t count) {
    typename Test::Bits found;
    NoDoubtW no_doubt{Test::limit};
    for (std::uint32_t shift = 0; shift < count; shift += lanes) {
        const TailOfObjects fetch{first + shift, count - shift < lanes ? count - shift : lanes};
        found.add(test.test(s, fetch, expansion.fetch(fetch), no_doubt), shift);
    }
    return found;
}

/// 64 objects.
template <class Test, class Expansion, class Shapes>
LANE_INLINE typename Test::Bits test_word(const Test& test, const Expansion& expansion, const Shapes& s,
                                          std::uint32_t first) {
    auto doubt = Test::doubt();
    typename Test::Bits found;
    if constexpr (requires { test.test_word(s, first, expansion, doubt); }) {
        found = test.test_word(s, first, expansion, doubt);
    } else {
        for (std::uint32_t shift = 0; shift < 64; shift += lanes) {
            const RunOfObjects fetch{first + shift};
            found.add(test.test(s, fetch, expansion.fetch(fetch), doubt), shift);
        }
    }
    return doubt.any() ? test_carefully(test, expansion, s, first, 64) : found;
}

/// Those of 64 objects that are valid and have their centre inside all of the volume's planes, whose offsets do not
/// count the view's margin.
template <class Range>
[[gnu::noinline]] std::uint64_t centers_inside(const Range& range, std::uint32_t first, std::uint64_t asked) {
    const PreparedView& view = range.view;
    const RelativeAxesW axes(view.frame);
    NoDoubtW no_doubt;
    ClassifiedBits found;
    for (std::uint32_t shift = 0; shift < 64; shift += lanes) {
        if ((asked >> shift & all_lanes) == 0) continue;
        BallW ball = Range::Kind::ball(axes, range.shapes, RunOfObjects{first + shift});
        FloatW least(__builtin_inff());
        for (std::uint32_t k = 0; k < view.plane_count; ++k) {
            const FloatW offset(Range::Kind::ball_unit * view.offset[k]);
            least = min(least, dot_plus(broadcast3(view.normal[k]), ball.center, offset));
        }
        const auto sound = no_doubt.look_at(one_norm(ball.center) + ball.radius, ball.size);
        found.add(sound & ClassifiedW{mask_of(0), least >= FloatW(0.0f)}, shift);
    }
    return found.inside & asked;
}

/// Planes are loaded once a range, other tests once a chunk.
template <class Test, class PlaneTest>
LANE_INLINE Test made(const PreparedView& view, const PlaneTest& by_planes) {
    if constexpr (__is_same(Test, PlaneTest)) {
        return by_planes;
    } else {
        return Test(view);
    }
}

/// Fills the chunk's words. Not inlined, so that the loop has all registers to itself. The test is made in here,
/// because it is many vectors, and the instruction that copies them starts slowly. Selected: not all objects need be
/// tested. `expansion`: the objects'.
///
/// What the test finds inside is accepted, if it is inside the volume. Where the volume has more planes than are
/// tested, or a margin, by which these are moved out, objects are accepted by their centres instead; but not the last
/// few of a chunk.
template <class Test, bool Selected, class Expansion, class Range>
[[gnu::noinline]] Populations test_words(Range& range, const Expansion& expansion, Chunk& chunk) {
    constexpr bool by_planes = __is_same(Test, typename Range::Kind::PlaneTest);
    const Test test = made<Test>(range.view, range.by_planes);
    const typename Range::Shapes s = range.shapes;  // copies, which nothing stored in the loop can change
    const bool by_center = by_planes && range.accepts == Accepts::centers;
    const std::uint64_t accepts = Test::is_closed_form || range.accepts != Accepts::nothing ? ~std::uint64_t{0} : 0;
    const std::uint32_t first = chunk.first, whole_words = chunk.count / 64, rest = chunk.count % 64;
    Populations left = {};
    const auto fill = [&](std::uint32_t w, std::uint64_t asked, const typename Test::Bits& found) LANE_LAMBDA {
        std::uint64_t accepted = found.accepted() & accepts;
        if (by_center) accepted = w < whole_words ? centers_inside(range, first + 64 * w, asked & ~found.outside) : 0;
        if constexpr (Test::is_closed_form) range.overlap[w] = found.overlap();
        chunk.fill(w, asked & ~found.outside, accepted, left);
    };
    for (std::uint32_t w = 0; w < whole_words; ++w) {
        const std::uint64_t asked = Selected ? range.asked(chunk, w) : ~std::uint64_t{0};
        typename Test::Bits found;
        if (!Selected || asked != 0) found = test_word(test, expansion, s, first + 64 * w);
        fill(w, asked, found);
    }
    if (rest > 0) {
        const std::uint64_t asked = range.asked(chunk, whole_words);
        typename Test::Bits found;
        if (asked != 0) found = test_carefully(test, expansion, s, first + 64 * whole_words, rest);
        fill(whole_words, asked, found);
    }
    return left;
}

/// In place of stage 1: leaves all objects that are to be tested visible and undecided.
template <class Range>
inline Populations leave_undecided(const Range& range, Chunk& chunk, std::uint32_t tested) {
    for (std::uint32_t w = 0; w < chunk.word_count(); ++w) {
        chunk.words[w] = chunk.undecided[w] = range.asked(chunk, w);
    }
    return {tested, tested};
}

/// Prefetches the beginning of the next chunk, so that it arrives while this chunk's undecided objects are decided. The
/// indices and positions of kinds with transforms are not prefetched but read, so nothing is fetched of them where the
/// object may be no candidate.
template <class Range>
inline void fetch_next(const Range& range, const Chunk& chunk) {
    if (Range::Kind::has_transforms && chunk.candidates != nullptr) return;
    const std::uint32_t next = chunk.first + chunk.count;
    if (range.shapes.count - next >= AheadOfObjects::objects)
        Range::Kind::ball(OwnAxes(range.view.frame), range.shapes, AheadOfObjects{next});
}

/// Records what stage 1 culls. Objects that it leaves undecided are noted as kept, too; the stage that decides them
/// notes them again. What it accepts is counted later: eye limits and occluders may still cull it.
template <class Range>
inline void record_stage_one(Range& range, const Chunk& chunk, std::uint64_t culled) {
    const Reason reason = range.stage_one == StageOne::closed_form ? Reason::culled_gjk : Reason::culled_plane;
    range.verdicts.count(reason) += culled;
    if (!range.verdicts.noted()) return;
    for (std::uint32_t w = 0; w < chunk.word_count(); ++w) {
        const std::uint64_t tested = range.asked(chunk, w);
        range.verdicts.note(chunk, w, tested & ~chunk.words[w], reason);
        range.verdicts.note(chunk, w, tested & chunk.words[w], range.kept_by_stage_one());
    }
}

template <class Range>
inline Populations closed_form_of_words(Range& range, Chunk& chunk) {
    Populations left = {};
    with_closed_form(range, [&](auto test) LANE_LAMBDA {
        left = test_words<typename decltype(test)::Type, true>(range, Unexpanded{}, chunk);
    });
    return left;
}

template <class Range>
inline Populations test_planes(Range& range, Chunk& chunk) {
    using PlaneTest = typename Range::Kind::PlaneTest;
    if (range.expansion.by_object()) return test_words<PlaneTest, true>(range, range.expansion, chunk);
    return range.selects ? test_words<PlaneTest, true>(range, Unexpanded{}, chunk)
                         : test_words<PlaneTest, false>(range, Unexpanded{}, chunk);
}

/// Fills the chunk's words, and records what is culled of the `tested` objects.
template <class Range>
inline Populations run_stage_one(Range& range, Chunk& chunk, std::uint32_t tested) {
    using Kind = typename Range::Kind;
    const Unexpanded as_they_are{};
    Populations left = {};
    range.stage_one = choose_stage_one(range, chunk, tested);
    if (range.stage_one == StageOne::left_out) return leave_undecided(range, chunk, tested);
    if (range.stage_one == StageOne::planes) {
        left = test_planes(range, chunk);
    } else if constexpr (!Range::Expansion::expands) {
        if (range.stage_one == StageOne::closed_form) {
            if constexpr (Range::may_have_closed_form) left = closed_form_of_words(range, chunk);
        } else {
            const SlabDepths by = slab_depths(range.view);
            left = by == SlabDepths::both
                       ? test_words<SlabTest<Kind, SlabDepths::both>, false>(range, as_they_are, chunk)
                   : by == SlabDepths::far
                       ? test_words<SlabTest<Kind, SlabDepths::far>, false>(range, as_they_are, chunk)
                       : test_words<SlabTest<Kind, SlabDepths::none>, false>(range, as_they_are, chunk);
        }
    }
    record_stage_one(range, chunk, tested - left.visible);
    if (range.stage_one == StageOne::closed_form) return left;
    fetch_next(range, chunk);
    range.few_were_undecided = 2 * left.undecided * sampled_objects < many_undecided * std::uint64_t{chunk.count};
    return left;
}

/// Before GJK: stage 1's planes for what is left on the list, where stage 1 was left out or has not tested planes. It
/// is the same test with the same numbers, so an object's verdict does not depend on which test its chunk began with,
/// and so not on its neighbours. Without it, what stage 1 would cull is kept now and then: GJK counts the volume's
/// magnitude in its bound, or a hull's, which may be many times the object's, and stage 1 does not.
template <class Range>
[[gnu::noinline]] void test_planes_at_last(Range& range, Chunk& chunk, UndecidedList& list) {
    const Unexpanded unexpanded{};
    NoDoubtW no_doubt;
    drive(range.verdicts, chunk, ListPackets(list), [&](const Packet& packet) LANE_LAMBDA {
        const GatheredObjects gathered = packet.gathered(chunk.first);
        const ClassifiedW found = range.by_planes.test(range.shapes, gathered, unexpanded.fetch(gathered), no_doubt);
        return Found<Reason::culled_plane>{{bits(found.outside)}};
    });
}

}  // namespace
}  // namespace lanecull
