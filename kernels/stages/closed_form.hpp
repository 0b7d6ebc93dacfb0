#pragma once

/// The way of shapes for which a closed form tells whether they are apart from the volume: balls, by their distance
/// (volumes/distance.hpp), and boxes along the axes, by all directions that may part them (stages/box_axes.hpp). Where
/// few of a chunk's are near the volume's boundary stage 1 looks at planes, as for other shapes, and these few are
/// measured packet by packet; where many are, all are measured, and planes are not looked at. Which of the two it is
/// changes no verdict (roundings::early).

#include <cstdint>

#include <lanecull/certificate.hpp>
#include <lanecull/prepared_view.hpp>

#include "kinds/traits.hpp"
#include "lanes/gather.hpp"
#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"
#include "stages/box_axes.hpp"
#include "stages/chunk.hpp"
#include "stages/classified.hpp"
#include "stages/doubt.hpp"
#include "stages/packet.hpp"
#include "stages/undecided_list.hpp"
#include "volumes/distance.hpp"

namespace lanecull {
namespace {

/// Planes for all balls take two thirds of the time of measuring them; fetching and measuring one that they leave
/// undecided takes four times as long as measuring it in a row. So it pays from 1 in 12 on. (Boxes go by the same,
/// untried.)
constexpr std::uint32_t many_undecided = sampled_objects / 12 + 1;

struct ClosedForms {
    const bool have_closed_form;         // in this view
    bool all_at_once = false;            // the chunk's
    std::uint64_t overlap[chunk_words];  // then set: visible, measured, and not by its centre

    explicit ClosedForms(bool closed_form) : have_closed_form(closed_form) {}
};

template <class Kind>
constexpr bool is_measured_kind = Kind::closed_form != ClosedForm::none;

template <class Kind>
inline bool has_closed_form(const PreparedView& view) {
    if constexpr (Kind::closed_form == ClosedForm::ball) return knows_ball_distance(view);
    return parts_boxes(view);
}

/// Calls visit(test) with the view's own for the range's kind.
template <class Range, class Visit>
LANE_INLINE void with_test(const Range& range, const Visit& visit) {
    const PreparedView& view = range.view;
    if constexpr (Range::Kind::closed_form == ClosedForm::box) {
        visit(BoxTest<typename Range::Kind>(view));
    } else if (view.volume == VolumeKind::box) {
        visit(BallTest<typename Range::Kind, BoxDistance>(view));
    } else if (!is_symmetric(view)) {
        visit(BallTest<typename Range::Kind, PerspectiveDistance<false, true>>(view));
    } else if (view.volume == VolumeKind::edge_frustum) {
        visit(BallTest<typename Range::Kind, PerspectiveDistance<true, true>>(view));
    } else {
        visit(BallTest<typename Range::Kind, PerspectiveDistance<true, false>>(view));
    }
}

/// Up to 64 objects, some of which may be none, or too far away.
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

/// Stages 1 and 2 at once: the chunk's words. What overlaps stays undecided, for the tests that follow stage 1.
template <class Test, class Range>
[[gnu::noinline]] void closed_form_of_words(const Test& prepared, Range& range, Chunk& chunk) {
    const Test test = prepared;
    const typename Range::Shapes s = range.shapes;
    for (std::uint32_t w = 0; w < chunk.word_count(); ++w) {
        const std::uint64_t asked = range.asked(chunk, w);
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

/// The few that planes have left undecided. Returns how many of them still are.
template <class Test, class Range>
[[gnu::noinline]] std::uint64_t closed_form_of_listed(const Test& prepared, Range& range, Chunk& chunk,
                                                      UndecidedList& list) {
    const Test test = prepared;
    const typename Range::Shapes s = range.shapes;
    NoDoubtW no_doubt{Test::limit};
    const std::uint32_t waiting = list.take_all();
    std::uint64_t undecided = waiting;
    for (std::uint32_t at = 0; at < waiting; at += lanes) {
        Packet packet = list.packet(at, waiting);
        GatheredObjects gathered = packet.gathered(chunk.first);
        ClosedFormW measured = test.evaluate(s, gathered, no_doubt);
        const std::uint32_t apart = bits(measured.apart) & packet.active, meets = bits(measured.meets) & packet.active;
        const std::uint32_t inside = meets & bits(measured.by_center), overlap = meets & ~inside;
        chunk.clear(chunk.words, packet, apart);
        chunk.clear(chunk.undecided, packet, apart | meets);
        undecided -= population(apart | meets);
        range.verdicts.record(chunk, packet, apart, Reason::culled_gjk);
        range.verdicts.record(chunk, packet, inside, Reason::visible_inside);
        range.verdicts.record(chunk, packet, overlap, Reason::visible_overlap);
    }
    return undecided;
}

template <class Range>
Populations closed_form_of_all(Range& range, Chunk& chunk) {
    with_test(range, [&](const auto& test) LANE_LAMBDA { closed_form_of_words(test, range, chunk); });
    return {chunk.population(chunk.words), chunk.population(chunk.undecided)};
}

/// Of a chunk all of which is measured: what overlaps is visible. Returns how many are still undecided.
template <class Range>
std::uint64_t record_overlapping(Range& range, Chunk& chunk) {
    for (std::uint32_t w = 0; w < chunk.word_count(); ++w) {
        const std::uint64_t overlap = range.closed_forms.overlap[w] & chunk.undecided[w];
        range.verdicts.record(chunk, w, overlap, Reason::visible_overlap);
        chunk.undecided[w] &= ~overlap;
    }
    return chunk.population(chunk.undecided);
}

/// Of a part's undecided objects those that can be told by a closed form. Returns how many are still undecided.
template <class Range>
std::uint64_t decide_by_closed_form(Range& range, Chunk& part, UndecidedList& list, std::uint64_t undecided) {
    list.collect(part, part.undecided, 0);
    with_test(range, [&](const auto& test) LANE_LAMBDA { undecided = closed_form_of_listed(test, range, part, list); });
    return undecided;
}

}  // namespace
}  // namespace lanecull
