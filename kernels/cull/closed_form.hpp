#pragma once

/// Decides objects by a closed form: spheres by their distance from the volume (cull/volume_distance.hpp), boxes along
/// the axes by all directions that can separate them from it (cull/box_axes.hpp). If few of a chunk's objects are near
/// the volume's boundary, stage 1 tests planes, as for other kinds, and the closed form tests the few that stay
/// undecided, packet by packet. If many are, the closed form tests all of the chunk's objects, and planes are not
/// tested. Which of the two runs changes no verdict (roundings::early).

#include <cstdint>

#include <lanecull/certificate.hpp>
#include <lanecull/prepared_view.hpp>

#include "cull/box_axes.hpp"
#include "cull/chunk.hpp"
#include "cull/classified.hpp"
#include "cull/drive.hpp"
#include "cull/kind_traits.hpp"
#include "cull/packet.hpp"
#include "cull/volume_distance.hpp"
#include "lanes/gather.hpp"
#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"

namespace lanecull {
namespace {

/// From this many undecided objects of a sample on, the closed form tests all of a chunk. Testing planes for all balls
/// takes two thirds of the time that the closed form takes for all. Gathering and testing a ball that planes leave
/// undecided takes four times as long as testing it in a row. So the closed form for all pays from 1 in 12 on. (Boxes
/// use the same limit, untried.)
constexpr std::uint32_t many_undecided = sampled_objects / 12 + 1;

struct ClosedForms {
    const bool have_closed_form;         // for the range's kind in this view
    bool all_at_once = false;            // set: the closed form tests all of this chunk's objects
    std::uint64_t overlap[chunk_words];  // if it does, set: overlaps, but not by its centre

    explicit ClosedForms(bool closed_form) : have_closed_form(closed_form) {}
};

template <class Kind>
constexpr bool is_measured_kind = Kind::closed_form != ClosedForm::none;

template <class Kind>
inline bool has_closed_form(const PreparedView& view) {
    if constexpr (Kind::closed_form == ClosedForm::ball) return knows_ball_distance(view);
    return parts_boxes(view);
}

/// Calls visit(test) with the test for the range's kind and the view's volume.
template <class Range, class Visit>
LANE_INLINE void with_test(const Range& range, const Visit& visit) {
    const PreparedView& view = range.view;
    if constexpr (Range::Kind::closed_form == ClosedForm::box) {
        visit(BoxTest<typename Range::Kind>(view));
    } else if (view.volume == VolumeKind::box) {
        visit(BallTest<typename Range::Kind, BoxDistance>(view));
    } else if (!is_symmetric(view)) {
        visit(BallTest<typename Range::Kind, PerspectiveDistance<false, true>>(view));
    } else if (Depths(view).tilted()) {
        visit(BallTest<typename Range::Kind, PerspectiveDistance<true, true>>(view));
    } else {
        visit(BallTest<typename Range::Kind, PerspectiveDistance<true, false>>(view));
    }
}

/// Up to 64 objects, some of which may be invalid or too far away.
template <class Test, class Shapes>
[[gnu::noinline]] ClosedFormBits closed_form_carefully(const Test& test, const Shapes& s, std::uint32_t first,
                                                       std::uint32_t count) {
    ClosedFormBits measured;
    NoDoubtW no_doubt{Test::limit};
    for (std::uint32_t shift = 0; shift < count; shift += lanes) {
        const TailOfObjects fetch{first + shift, count - shift < lanes ? count - shift : lanes};
        measured.add(test.evaluate(s, fetch, no_doubt), shift);
    }
    return measured;
}

template <class Test, class Shapes>
LANE_INLINE ClosedFormBits closed_form_of_word(const Test& test, const Shapes& s, std::uint32_t first) {
    DoubtW doubt{Test::limit};
    ClosedFormBits measured = test.evaluate_row(s, first, doubt);
    return doubt.any() ? closed_form_carefully(test, s, first, 64) : measured;
}

/// Stages 1 and 2 at once: fills the chunk's words. Objects that overlap, but not by their centre, stay undecided while
/// the eye limits are tested; record_overlapping() accepts them after that.
template <class Test, class Range>
[[gnu::noinline]] void closed_form_of_words(const Test& prepared, Range& range, Chunk& chunk) {
    const Test test = prepared;
    const typename Range::Shapes s = range.shapes;
    for (std::uint32_t w = 0; w < chunk.word_count(); ++w) {
        const std::uint64_t asked = range.asked(chunk, w);
        if (asked == 0) {
            chunk.words[w] = chunk.undecided[w] = range.closed_forms.overlap[w] = 0;
            continue;
        }
        const std::uint32_t first = chunk.first + 64 * w, rest = chunk.count - 64 * w;
        ClosedFormBits measured =
            rest < 64 ? closed_form_carefully(test, s, first, rest) : closed_form_of_word(test, s, first);
        chunk.words[w] = asked & ~measured.apart;
        chunk.undecided[w] = asked & ~(measured.apart | measured.inside());
        range.closed_forms.overlap[w] = measured.overlap();
        range.verdicts.record(chunk, w, asked & measured.apart, Reason::culled_gjk);
        if (range.verdicts.noted()) range.verdicts.note(chunk, w, chunk.words[w], Reason::visible_inside);
    }
}

/// Tests the few objects that planes have left undecided.
template <class Test, class Range>
[[gnu::noinline]] void closed_form_of_listed(const Test& prepared, Range& range, Chunk& chunk, UndecidedList& list) {
    const Test test = prepared;
    const typename Range::Shapes s = range.shapes;
    NoDoubtW no_doubt{Test::limit};
    drive(range.verdicts, chunk, ListPackets(list), [&](const Packet& packet) LANE_LAMBDA {
        ClosedFormW measured = test.evaluate(s, packet.gathered(chunk.first), no_doubt);
        const std::uint32_t meets = bits(measured.meets);
        return Found<Reason::culled_gjk, Reason::visible_inside, Reason::visible_overlap>{
            {bits(measured.apart), meets & bits(measured.by_center), meets}};
    });
}

template <class Range>
Populations closed_form_of_all(Range& range, Chunk& chunk) {
    with_test(range, [&](const auto& test) LANE_LAMBDA { closed_form_of_words(test, range, chunk); });
    return {chunk.population(chunk.words), chunk.population(chunk.undecided)};
}

/// After closed_form_of_all(): accepts the objects that overlap. Returns how many are still undecided.
template <class Range>
std::uint64_t record_overlapping(Range& range, Chunk& chunk) {
    for (std::uint32_t w = 0; w < chunk.word_count(); ++w) {
        const std::uint64_t overlap = range.closed_forms.overlap[w] & chunk.undecided[w];
        range.verdicts.record(chunk, w, overlap, Reason::visible_overlap);
        chunk.undecided[w] &= ~overlap;
    }
    return chunk.population(chunk.undecided);
}

/// Decides those of the list's objects that a closed form can decide.
template <class Range>
void decide_by_closed_form(Range& range, Chunk& part, UndecidedList& list) {
    with_test(range, [&](const auto& test) LANE_LAMBDA { closed_form_of_listed(test, range, part, list); });
}

}  // namespace
}  // namespace lanecull
