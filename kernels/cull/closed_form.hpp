#pragma once

/// Decides objects by a closed form: spheres by their distance from the volume (cull/volume_distance.hpp), boxes along
/// the axes by all directions that can separate them from it (cull/box_axes.hpp). If few of a chunk's objects are near
/// the volume's boundary, stage 1 tests planes, as for other kinds, and the closed form tests the few that stay
/// undecided, packet by packet. If many are, the closed form tests all of the chunk's objects, and planes are not
/// tested. Which of the two runs changes no verdict (roundings::early).

#include <cstdint>

#include <lanecull/cull.h>

#include "cull/box_axes.hpp"
#include "cull/chunk.hpp"
#include "cull/classified.hpp"
#include "cull/drive.hpp"
#include "cull/kind_traits.hpp"
#include "cull/volume_distance.hpp"
#include "lanes/expansion.hpp"
#include "lanes/gather.hpp"
#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"
#include "view/prepared_view.hpp"

namespace lanecull {
namespace {

template <class Kind>
constexpr bool is_measured_kind = Kind::closed_form != ClosedForm::none;

template <class Kind>
inline bool has_closed_form(const PreparedView& view) {
    if constexpr (Kind::closed_form == ClosedForm::ball) return knows_ball_distance(view);
    return parts_boxes(view);
}

/// A test's type, as an argument.
template <class Type_>
struct TypeOf {
    using Type = Type_;
};

/// Calls visit(TypeOf<...>{}) with the test for the range's kind and the view's volume.
template <class Range, class Visit>
LANE_INLINE void with_closed_form(const Range& range, const Visit& visit) {
    using Kind = typename Range::Kind;
    const PreparedView& view = range.view;
    if constexpr (Kind::closed_form == ClosedForm::box) {
        visit(TypeOf<BoxTest<Kind>>{});
    } else if (view.volume == VolumeKind::box) {
        visit(TypeOf<BallTest<Kind, BoxDistance>>{});
    } else if (!is_symmetric(view)) {
        visit(TypeOf<BallTest<Kind, PerspectiveDistance<false, true>>>{});
    } else if (Depths(view).tilted()) {
        visit(TypeOf<BallTest<Kind, PerspectiveDistance<true, true>>>{});
    } else {
        visit(TypeOf<BallTest<Kind, PerspectiveDistance<true, false>>>{});
    }
}

/// Tests a list: the few objects that planes have left undecided.
template <class Test, class Range>
[[gnu::noinline]] void measure_listed(Range& range, Chunk& chunk, UndecidedList& list) {
    const Test test(range.view);
    const typename Range::Shapes s = range.shapes;
    NoDoubtW no_doubt{Test::limit};
    drive(range.verdicts, chunk, ListPackets(list), [&](const Packet& packet) LANE_LAMBDA {
        ClosedFormW measured = test.test(s, packet.gathered(chunk.first), NoExpansionW{}, no_doubt);
        const std::uint32_t meets = bits(measured.meets);
        return Found<Reason::culled_gjk, Reason::visible_inside, Reason::visible_overlap>{
            {bits(measured.apart), meets & bits(measured.by_center), meets}};
    });
}

/// Decides those of the list's objects that a closed form can decide.
template <class Range>
inline void decide_by_closed_form(Range& range, Chunk& part, UndecidedList& list) {
    with_closed_form(range,
                     [&](auto test) LANE_LAMBDA { measure_listed<typename decltype(test)::Type>(range, part, list); });
}

/// Where a closed form took the place of stage 1: accepts the objects that overlap, but not by their centre. They stay
/// undecided while eye limits and occluders are tested. Returns how many objects are still undecided.
template <class Range>
std::uint64_t accept_overlapping(Range& range, Chunk& chunk) {
    for (std::uint32_t w = 0; w < chunk.word_count(); ++w) {
        Found<Reason::visible_overlap> found{{range.overlap[w]}};
        record(range.verdicts, chunk, w, found);
    }
    return chunk.population(chunk.undecided);
}

}  // namespace
}  // namespace lanecull
