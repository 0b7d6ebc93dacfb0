#pragma once

/// Objects of every kind as one of the forms, relative to a place in floats.

#include <cstddef>
#include <cstdint>
#include <utility>

#include <lanecull/batch.h>

#include "calls/kinds.hpp"
#include "cull/every_kind.hpp"
#include "cull/kind_traits.hpp"
#include "lanes/box.hpp"
#include "lanes/gather.hpp"
#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"
#include "lanes/transforms.hpp"
#include "lanes/translation.hpp"
#include "lanes/vec3w.hpp"
#include "pairs/shapes.hpp"
#include "pairs/work.hpp"

namespace lanecull::pairs {
namespace {

template <std::size_t k>
using KindAt = typename KindOf<Kinds::At<k>>::Kind;
constexpr std::size_t kind_count = Kinds::size;

/// Bit k: the kind at place k of Kinds.
using KindSet = std::uint32_t;
constexpr KindSet all_kinds = (KindSet{1} << kind_count) - 1;

template <class Kind>
constexpr bool takes(PairForm form) {
    if constexpr (requires { Kind::pair_form; }) return Kind::pair_form == form;
    return false;
}
template <std::size_t... k>
constexpr KindSet find_kinds(PairForm form, std::index_sequence<k...>) {
    return ((takes<KindAt<k>>(form) ? KindSet{1} << k : 0) | ...);
}
template <PairForm form>
constexpr KindSet kinds_of = find_kinds(form, std::make_index_sequence<kind_count>());

template <std::size_t... k>
constexpr KindSet find_transformed(std::index_sequence<k...>) {
    return ((KindAt<k>::has_transforms ? KindSet{1} << k : 0) | ...);
}
constexpr KindSet transformed_kinds = find_transformed(std::make_index_sequence<kind_count>());

/// Kinds of no form, whose pairs doubles decide alone.
constexpr KindSet formless_kinds = all_kinds & ~(kinds_of<PairForm::round> | kinds_of<PairForm::box> |
                                                 kinds_of<PairForm::aligned_box> | kinds_of<PairForm::hull>);

LANE_INLINE bool has(KindSet kinds, std::uint8_t kind) { return (kinds >> kind & 1) != 0; }
LANE_INLINE bool is_aligned(const Side& side) { return has(kinds_of<PairForm::aligned_box>, side.kind); }

/// Calls visit.operator()<Kind>(shapes) for the side's kind, which is one of `kinds`.
template <KindSet kinds, std::size_t k = 0, class Visit>
LANE_INLINE auto with_kind(const Side& side, const Visit& visit) {
    if constexpr ((kinds >> k & 1) == 0) {
        return with_kind<kinds, k + 1>(side, visit);
    } else {
        using Kind = KindAt<k>;
        const auto& shapes = *static_cast<const typename Kind::Shapes*>(side.shapes);
        if constexpr (kinds >> (k + 1) == 0) {
            return visit.template operator()<Kind>(shapes);
        } else {
            return side.kind == k ? visit.template operator()<Kind>(shapes) : with_kind<kinds, k + 1>(side, visit);
        }
    }
}

LANE_INLINE Vec3W pick_place(const PlaceStreams& streams, const GatheredAnywhere& gathered) {
    return {gathered(streams.x), gathered(streams.y), gathered(streams.z)};
}

/// The translations, with positions as floats.
LANE_INLINE Vec3W place_of(const Transforms& transforms, const GatheredAnywhere& gathered) {
    Vec3W place = transforms_of(transforms, gathered).translation;
    return transforms.positions.first == nullptr ? place : place + offsets_of(transforms, gathered).high;
}

/// A place at or near each object, in floats. Kinds give streams, not the place: most have theirs in the same members,
/// and compilers need no branch then.
LANE_INLINE Vec3W stored_place(const Side& side, const GatheredAnywhere& gathered) {
    if (has(transformed_kinds, side.kind)) {
        return with_kind<transformed_kinds>(
            side, [&]<class Kind>(const auto& s) LANE_LAMBDA { return place_of(s.transforms, gathered); });
    }
    const PlaceStreams place = with_kind<all_kinds & ~transformed_kinds>(
        side, [&]<class Kind>(const auto& s) LANE_LAMBDA { return Kind::stored_place(s); });
    return pick_place(place, gathered);
}

LANE_INLINE RoundW form_of(const ZonotopeW<1, true>& capsule) { return {capsule}; }
LANE_INLINE RoundW form_of(const ZonotopeW<0, true>& ball) {
    const FloatW zero(0.0f);
    return {{ball.center, {{zero, zero, zero}}, ball.radius, ball.magnitude, ball.valid}};
}
LANE_INLINE BoxW form_of(const ZonotopeW<3, false>& box) { return {box}; }
LANE_INLINE BoxW form_of(const AlignedBoxW& box) {
    const FloatW zero(0.0f);
    const Vec3W& half = box.half;
    return {{box.center,
             {{half.x, zero, zero}, {zero, half.y, zero}, {zero, zero, half.z}},
             zero,
             box.magnitude,
             box.valid}};
}

LANE_INLINE AlignedBoxW turned(const RelativeToW&, const AlignedBoxW& box) { return box; }

/// Of a side that is_aligned().
LANE_INLINE AlignedBoxW load_aligned(const Side& side, const RelativeToW& axes, const GatheredAnywhere& gathered) {
    return with_kind<kinds_of<PairForm::aligned_box>>(
        side, [&]<class Kind>(const auto& s) LANE_LAMBDA { return Kind::load_shapes(axes, s, gathered); });
}

template <class Kind>
[[gnu::noinline]] auto load_kind(const typename Kind::Shapes& s, const RelativeToW& axes,
                                 const GatheredAnywhere& gathered) {
    return form_of(Kind::load_shapes(axes, s, gathered));
}

template <PairForm form>
LANE_INLINE auto load_one_of(const Side& side, const RelativeToW& axes, const GatheredAnywhere& gathered) {
    return with_kind<kinds_of<form>>(
        side, [&]<class Kind>(const auto& s) LANE_LAMBDA { return load_kind<Kind>(s, axes, gathered); });
}

template <class Form>
LANE_INLINE Form load_form(const Side& side, const RelativeToW& axes, const GatheredAnywhere& gathered) {
    if constexpr (__is_same(Form, RoundW)) {
        return load_one_of<PairForm::round>(side, axes, gathered);
    } else if constexpr (__is_same(Form, BoxW)) {
        return is_aligned(side) ? form_of(load_aligned(side, axes, gathered))
                                : load_one_of<PairForm::box>(side, axes, gathered);
    } else {
        return HullsW(axes, *static_cast<const HullInstances*>(side.shapes), gathered);
    }
}

/// What bounds all of each object's numbers; infinite or NaN if the object is invalid.
template <KindSet kinds>
LANE_INLINE FloatW magnitude_of(const Side& side, const RelativeToW& axes, const GatheredAnywhere& gathered) {
    const auto of_valid = [](const auto& shape)
                              LANE_LAMBDA { return select(shape.valid, shape.magnitude, FloatW(__builtin_inff())); };
    if (has(kinds_of<PairForm::hull>, side.kind)) return of_valid(load_form<HullsW>(side, axes, gathered));
    return with_kind<kinds & ~kinds_of<PairForm::hull>>(
        side, [&]<class Kind>(const auto& s) LANE_LAMBDA { return of_valid(Kind::load_shapes(axes, s, gathered)); });
}

/// Moves the origin to near objects that lie far from the places that their transforms give, for their sizes. Returns
/// whether it has moved in any lane; the objects are to be loaded again then.
LANE_INLINE bool move_to(RelativeToW& axes, const Vec3W& middle, MaskW away) {
    axes.origin = select(away, axes.origin + middle, axes.origin);
    return any(away);
}
LANE_INLINE bool move_to_middle(RelativeToW&, const RoundW&) { return false; }
LANE_INLINE bool move_to_middle(RelativeToW& axes, const BoxW& box) {
    const FloatW size = one_norm(box.axis[0]) + one_norm(box.axis[1]) + one_norm(box.axis[2]);
    return move_to(axes, box.center, one_norm(box.center) > size * FloatW(cancels_mostly));
}
LANE_INLINE bool move_to_middle(RelativeToW& axes, const HullsW& hull) {
    return move_to(axes, hull.placement.offset, mask_of(hull.hulls.away));
}

}  // namespace
}  // namespace lanecull::pairs
