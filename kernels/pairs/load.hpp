#pragma once

/// Objects of every kind as one of the forms, relative to a place that is exact as stored.

#include <cstdint>

#include <lanecull/batch.hpp>

#include "kinds/box.hpp"
#include "kinds/capsule.hpp"
#include "kinds/centered_box.hpp"
#include "kinds/oriented_box.hpp"
#include "kinds/sphere.hpp"
#include "lanes/gather.hpp"
#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"
#include "lanes/vec3w.hpp"
#include "pairs/shapes.hpp"
#include "pairs/work.hpp"
#include "shapes/box.hpp"

namespace lanecull::pairs {
namespace {

/// A place of each object that its record has as it stands.
LANE_INLINE Vec3W stored_place(const Side& side, const PickedAnywhere& pick) {
    const auto three = [&](const float* x, const float* y, const float* z) LANE_LAMBDA {
        return Vec3W{pick(x), pick(y), pick(z)};
    };
    switch (side.kind) {
        case Kind::spheres: {
            const auto& s = *static_cast<const Spheres*>(side.shapes);
            return three(s.x, s.y, s.z);
        }
        case Kind::boxes: {
            const auto& s = *static_cast<const Boxes*>(side.shapes);
            return three(s.min_x, s.min_y, s.min_z);
        }
        case Kind::centered_boxes: {
            const auto& s = *static_cast<const CenteredBoxes*>(side.shapes);
            return three(s.x, s.y, s.z);
        }
        case Kind::oriented_boxes: {
            const auto& s = *static_cast<const OrientedBoxes*>(side.shapes);
            return three(s.x, s.y, s.z);
        }
        case Kind::capsules: {
            const auto& s = *static_cast<const Capsules*>(side.shapes);
            return three(s.a_x, s.a_y, s.a_z);
        }
        default: {
            RecordsW<12> rows = pick.records<12>(static_cast<const HullInstances*>(side.shapes)->transforms);
            return {rows.value[3], rows.value[7], rows.value[11]};
        }
    }
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

LANE_INLINE bool is_aligned(Kind kind) { return kind == Kind::boxes || kind == Kind::centered_boxes; }

/// Of a kind that is_aligned().
LANE_INLINE AlignedBoxW load_aligned(const Side& side, const RelativeToW& axes, const PickedAnywhere& pick) {
    if (side.kind == Kind::boxes) return BoxKind::load_shapes(axes, *static_cast<const Boxes*>(side.shapes), pick);
    return CenteredBoxKind::load_shapes(axes, *static_cast<const CenteredBoxes*>(side.shapes), pick);
}

template <class ShapeKind>
[[gnu::noinline]] auto load_kind(const Side& side, const RelativeToW& axes, const PickedAnywhere& pick) {
    return form_of(ShapeKind::load_shapes(axes, *static_cast<const typename ShapeKind::Shapes*>(side.shapes), pick));
}

template <class Form>
LANE_INLINE Form load_form(const Side& side, const RelativeToW& axes, const PickedAnywhere& pick) {
    if constexpr (__is_same(Form, RoundW)) {
        return side.kind == Kind::spheres ? load_kind<SphereKind>(side, axes, pick)
                                          : load_kind<CapsuleKind>(side, axes, pick);
    } else if constexpr (__is_same(Form, BoxW)) {
        return is_aligned(side.kind) ? form_of(load_aligned(side, axes, pick))
                                     : load_kind<OrientedBoxKind>(side, axes, pick);
    } else {
        return HullsW(axes, *static_cast<const HullInstances*>(side.shapes), pick);
    }
}

}  // namespace
}  // namespace lanecull::pairs
