#pragma once

/// The pipeline of a range, chunk by chunk:
///
///     select          which objects are tested at all
///     stage 1         all of them: left out, slabs, planes or a closed form
///     limits, hide    what is too far, too near, too small or hidden
///     then part by part, a list of undecided objects each:
///         closed form, refine, edges or nearest; hulls: their vertices
///         planes at last, GJK
///     inside          a second bit for what is wholly inside
///
/// A chunk's words start with every object visible that stage 1 did not prove outside. Later stages only ever clear
/// bits, so an object that some stage forgets stays visible. At the end the bits of objects that are forced to be
/// visible are set.

#include <cstdint>

#include <lanecull/cull.h>

#include "cull/chunk.hpp"
#include "cull/closed_form.hpp"
#include "cull/context.hpp"
#include "cull/drive.hpp"
#include "cull/edges.hpp"
#include "cull/eye_limits.hpp"
#include "cull/gjk_hulls.hpp"
#include "cull/gjk_packets.hpp"
#include "cull/hide.hpp"
#include "cull/kernel_work.hpp"
#include "cull/nearest.hpp"
#include "cull/refine.hpp"
#include "cull/select.hpp"
#include "cull/stage_one.hpp"
#include "lanes/expansion.hpp"
#include "lanes/inline.hpp"
#include "view/prepared_view.hpp"

namespace lanecull {
namespace {

/// The steps between stage 1 and GJK. Each takes off the list what it decides. `in_place`: see refine_all().
template <class Range>
inline void shorten(Range& range, Chunk& part, UndecidedList& list, bool in_place) {
    if constexpr (Range::Kind::shares_vertices) {
        decide_by_vertices(range, part, list);
    } else {
        refine_all(range, part, list, in_place);
    }
    if constexpr (Range::looks_at_edges) {
        if (range.method != Method::planes) decide_at_edges(range, part, list);
    }
    if constexpr (Range::may_look_at_nearest) {
        if (range.looks_at_nearest) decide_at_nearest(range, part, list);
    }
    if constexpr (!Range::Expansion::expands) {
        if (range.planes_wait()) test_planes_at_last(range, part, list);
    }
}

/// Decides a chunk, or a part of one, with no more undecided objects than the list holds.
template <class Range>
inline void decide_part(Range& range, Chunk& part, UndecidedList& list, std::uint64_t undecided) {
    const bool measures = range.has_closed_form && range.stage_one != StageOne::closed_form;
    const bool refines = !Range::Kind::shares_vertices && range.method != gjk_alone;
    const bool in_place = refines && !measures && Packets::are_many(part, undecided);
    if (!in_place) list.collect(part, part.undecided, 0);
    if constexpr (Range::may_have_closed_form) {
        if (measures) decide_by_closed_form(range, part, list);
    }
    if (list.count == 0 && !in_place) return;
    if (range.method != gjk_alone) shorten(range, part, list, in_place);
    if (range.method == Method::planes) {
        keep_all(range, part, list);
    } else if constexpr (Range::Kind::shares_vertices) {
        separate_hulls(range, part, list);
    } else {
        separate_all(range, part, list);
    }
}

/// Decides a chunk's undecided objects, part by part.
template <class Range>
inline void decide(Range& range, Chunk& chunk, UndecidedList& list, std::uint64_t undecided) {
    if constexpr (Range::may_have_closed_form) {
        if (range.stage_one == StageOne::closed_form) undecided = accept_overlapping(range, chunk);
    }
    if (undecided <= list_objects) return decide_part(range, chunk, list, undecided);
    for (std::uint32_t begin = 0, end = 0; begin < chunk.word_count(); begin = end) {
        for (undecided = 0; end < chunk.word_count(); ++end) {
            const std::uint64_t more = population(chunk.undecided[end]);
            if (undecided + more > list_objects) break;
            undecided += more;
        }
        Chunk part = chunk.part(begin, end);
        decide_part(range, part, list, undecided);
    }
}

/// The bits of the objects proved wholly inside, among those that stayed visible. A negative margin would make a shape
/// smaller: what is invalid by its attributes is never inside.
template <class Range>
[[gnu::noinline]] void find_inside(Range& range, const Chunk& chunk, UndecidedList& list, std::uint64_t* inside) {
    const FrameAxesW axes(range.view.frame);
    write_inside(chunk, list, inside, [&](const Packet& packet) LANE_LAMBDA {
        const GatheredObjects objects = packet.gathered(chunk.first);
        return bits(wholly_inside(range.view, range.load(axes, objects))) &
               ~invalid_attributes(range.attributes, objects);
    });
}

template <class Range>
inline void cull_chunk(Range& range, Chunk& chunk, UndecidedList& list) {
    const std::uint32_t tested =
        range.selects ? select_objects(range.attributes, range.view, chunk, range.selection, range.verdicts)
                      : chunk.count;
    Populations left = run_stage_one(range, chunk, tested);
    if (has_eye_limits(range.attributes)) left = drop_distant(range, chunk, list);
    if (range.view.light_range > 0) left = drop_beyond_light(range, chunk, list);
    if (range.hiding.any()) {
        left = drop_hidden(range, chunk, list);
        if constexpr (Range::Kind::shares_vertices) left = drop_hidden_hulls(range, chunk, list);
    }
    range.verdicts.count(range.kept_by_stage_one()) += left.visible - left.undecided;
    if (left.undecided > 0) decide(range, chunk, list, left.undecided);
    if (range.selects) {
        for (std::uint32_t w = 0; w < chunk.word_count(); ++w) chunk.words[w] |= range.selection.forced[w];
    }
}

/// Culls a range of objects of one kind; Range is a RangeContext. The kernels of `generated/cull/` call it.
template <class Range>
void cull_range(const RangeWork& work) {
    Range range(work);
    for (Chunks chunks(work); chunks.more();) {
        Chunk chunk = chunks.next();
        cull_chunk(range, chunk, chunks.list);
        if (std::uint64_t* const inside = chunks.write(chunk)) find_inside(range, chunk, chunks.list, inside);
    }
    *work.counts = range.verdicts.counts;
}

/// Whether objects of the range may have a margin or a sweep.
inline bool may_be_expanded(const RangeWork& work) {
    const Attributes& a = *work.attributes;
    return a.margin != nullptr || a.sweep_x != nullptr || work.view->margin > 0;
}

}  // namespace
}  // namespace lanecull
