#pragma once

/// What the stages of a range share.

#include <cstdint>

#include <lanecull/batch.h>
#include <lanecull/cull.h>

#include "cull/chunk.hpp"
#include "cull/closed_form.hpp"
#include "cull/hide.hpp"
#include "cull/kernel_work.hpp"
#include "cull/planes_first.hpp"
#include "cull/reasons.hpp"
#include "cull/refine.hpp"
#include "cull/select.hpp"
#include "cull/volume_distance.hpp"
#include "lanes/gather.hpp"
#include "lanes/inline.hpp"
#include "view/prepared_view.hpp"

namespace lanecull {
namespace {

/// What takes the place of stage 1 in a chunk, or is it.
enum class StageOne : std::uint8_t {
    left_out,     ///< nothing is tested: later stages get every object
    slabs,        ///< balls against side slabs
    planes,       ///< objects, or balls around them, against planes
    closed_form,  ///< stages 1 and 2 at once
};

/// What stage 1 accepts.
enum class Accepts : std::uint8_t {
    nothing,
    inside,   ///< what it finds inside
    centers,  ///< objects whose centre is in the volume, which another test says
};

/// A range's objects and its view; what is decided once for all of the range's chunks; and what one chunk leaves for
/// the next. Stages are functions of it. Expansion_: Unexpanded or Expanded (lanes/expansion.hpp).
template <class Kind_, class Expansion_>
struct RangeContext {
    using Kind = Kind_;
    using Expansion = Expansion_;
    using Shapes = typename Kind::Shapes;
    static constexpr bool may_have_closed_form = is_measured_kind<Kind> && !Expansion::expands;
    static constexpr bool looks_at_edges = Kind::knows_edges && !Expansion::expands;
    static constexpr bool may_look_at_nearest = Kind::looks_at_nearest && !Expansion::expands;

    const Shapes& shapes;
    const Attributes& attributes;
    const PreparedView& view;
    const Method method;
    const Expansion expansion;
    const bool selects;           // some objects may be left out, or kept, without a test
    const Accepts accepts;        // where stage 1 tests slabs or planes
    const StageOne usual;         // stage 1 of chunks of which it decides enough
    const bool has_closed_form;   // for the kind in this view
    const bool looks_at_nearest;  // set: capsules that planes leave undecided are tested by their shortest vector
    const typename Kind::PlaneTest by_planes;  // stage 1's planes
    const RefinePlanes planes;
    Verdicts verdicts;
    HidingSolids hiding;
    // Of the chunk:
    StageOne stage_one = StageOne::left_out;
    bool few_were_undecided = false;     // in the chunk before: then this one is not sampled
    Selection selection;                 // if the range selects
    std::uint64_t overlap[chunk_words];  // after the closed form, set: overlaps, but not by its centre

    /// Stage 1's planes need not be the volume: a view may have more of them, and a margin moves them out.
    Accepts what_is_accepted() const {
        if (!view.planes_suffice) return Accepts::nothing;
        if (view.plane_count == planes_in_stage_one<Kind>(view) && view.margin == 0) return Accepts::inside;
        return Kind::has_ball_center && !expansion.by_object() ? Accepts::centers : Accepts::nothing;
    }
    StageOne usual_stage_one(std::uint32_t planes_tested) const {
        if (method == gjk_alone || !Kind::has_stage_one(shapes)) return StageOne::left_out;
        const bool slabs_pay = view.sides.known && population(planes_tested) > RelativePlanesW::few;
        const bool takes_planes = Expansion::expands || selects || accepts == Accepts::centers;
        return slabs_pay && !takes_planes ? StageOne::slabs : StageOne::planes;
    }

    explicit RangeContext(const RangeWork& work)
        : shapes(*static_cast<const Shapes*>(work.shapes)),
          attributes(*work.attributes),
          view(*work.view),
          method(view.volume != VolumeKind::planes_only ? work.method : Method::planes),
          expansion(attributes, view),
          selects(expansion.by_object() || work.candidates != nullptr || lanecull::selects(attributes)),
          accepts(what_is_accepted()),
          usual(usual_stage_one(work.planes)),
          has_closed_form(may_have_closed_form && method == Method::automatic && lanecull::has_closed_form<Kind>(view)),
          looks_at_nearest(may_look_at_nearest && method == Method::automatic && knows_ball_distance(view)),
          by_planes(view, work.planes),
          planes(view),
          verdicts(work.certificates, work.first),
          hiding(work, work.counting_of_word) {}

    /// The shapes of a packet of objects, in a frame's coordinates or in relative ones, with their expansion.
    template <class Axes>
    LANE_INLINE auto load(const Axes& axes, const GatheredObjects& gathered) const {
        return load_expanded<Kind>(expansion, axes, shapes, gathered);
    }

    template <class Axes>
    LANE_INLINE auto load_in_a_row(const Axes& axes, std::uint32_t first) const {
        return load(axes, GatheredObjects::in_a_row(first, 0));
    }

    /// What stage 1's accepts are recorded as. With Method::planes all that is kept is kept for one reason, so that it
    /// does not matter which stage came to it.
    LANE_INLINE Reason kept_by_stage_one() const {
        return method == Method::planes ? Reason::visible_planes : Reason::visible_inside;
    }

    /// Whether stage 1's planes are still to be tested for what no other test decides (cull/stage_one.hpp).
    LANE_INLINE bool planes_wait() const { return usual != StageOne::left_out && stage_one != StageOne::planes; }

    /// The objects of word w that are to be tested.
    LANE_INLINE std::uint64_t asked(const Chunk& chunk, std::uint32_t w) const {
        return selects ? selection.tested[w] : chunk.all_of(w);
    }
};

}  // namespace
}  // namespace lanecull
