#pragma once

/// What the stages of a range share.

#include <cstdint>

#include <lanecull/batch.hpp>
#include <lanecull/cull.hpp>
#include <lanecull/prepared_view.hpp>

#include "cull/chunk.hpp"
#include "cull/closed_form.hpp"
#include "cull/hide.hpp"
#include "cull/kernel_work.hpp"
#include "cull/reasons.hpp"
#include "cull/refine.hpp"
#include "cull/select.hpp"
#include "cull/volume_distance.hpp"
#include "cull/volume_planes.hpp"
#include "lanes/gather.hpp"
#include "lanes/inline.hpp"

namespace lanecull {
namespace {

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
    const bool selects;                  // some objects may be left out, or kept, without a test
    const bool accepts_centers;          // set: stage 1 accepts objects by their centres
    const std::uint64_t accepts_inside;  // all bits where what stage 1 finds inside is inside the volume, else none
    const typename Kind::StageOne by_planes;  // the planes that stage 1 tests this range against
    /// Set: stage 1 tests balls against side slabs instead of planes.
    const bool by_slabs;
    const RefinePlanes planes;
    const bool looks_at_nearest;  // set: capsules that planes leave undecided are tested by their shortest vector
    Selection selection;
    ClosedForms closed_forms;
    Verdicts verdicts;
    HidingSolids hiding;
    bool planes_wait = false;  // set: stage 1's planes have not been tested for this chunk, but are to be at last
    bool few_were_undecided = false;  // in the last chunk: then the next one is not sampled

    /// Whether the planes that stage 1 tests are the view's. A margin moves them out.
    static bool tests_volume(const PreparedView& view) {
        return view.plane_count == planes_in_stage_one<Kind>(view) && view.margin == 0;
    }

    explicit RangeContext(const RangeWork& work, Method method_)
        : shapes(*static_cast<const Shapes*>(work.shapes)),
          attributes(*work.attributes),
          view(*work.view),
          method(method_),
          expansion(attributes, view),
          selects(expansion.by_object() || work.candidates != nullptr || lanecull::selects(attributes)),
          accepts_centers(Kind::has_ball_center && !expansion.by_object() && view.planes_suffice &&
                          !tests_volume(view)),
          accepts_inside(accepts_centers || (view.planes_suffice && tests_volume(view)) ? ~std::uint64_t{0} : 0),
          by_planes(view, work.planes),
          by_slabs(view.sides.known && population(work.planes) > RelativePlanesW::few),
          planes(view),
          looks_at_nearest(may_look_at_nearest && method == Method::automatic && knows_ball_distance(view)),
          closed_forms(may_have_closed_form && method == Method::automatic && has_closed_form<Kind>(view)),
          verdicts(work.certificates, work.first),
          hiding(work) {}

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

    /// The objects of word w that are to be tested.
    LANE_INLINE std::uint64_t asked(const Chunk& chunk, std::uint32_t w) const {
        return selects ? selection.tested[w] : chunk.all_of(w);
    }
};

}  // namespace
}  // namespace lanecull
