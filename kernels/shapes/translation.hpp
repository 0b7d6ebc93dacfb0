#pragma once

/// Where transforms put their objects' own origins (PROOF.md, "Boxes under transforms").

#include <lanecull/transforms.hpp>

#include "base/rounding_bound.hpp"
#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"
#include "lanes/transforms.hpp"
#include "lanes/vec3w.hpp"

namespace lanecull {
namespace {

/// The translations of W transforms, with their positions, in a frame's relative coordinates.
struct TranslationW {
    Vec3W place;
    FloatW size;  // a plain sum of the sizes of what was added

    template <class Axes, class Objects>
    LANE_INLINE TranslationW(const Axes& axes, const Transforms& transforms, const TransformW& read,
                             const Objects& objects) {
        if (transforms.positions.first == nullptr) {
            place = axes.relative(read.translation);
            size = one_norm(place);
        } else {
            OffsetW offset = offsets_of(transforms, objects);
            Vec3W position = axes.relative(offset.high) + offset.low;
            place = position + read.translation;
            size = fma(FloatW(0x1p-24f), one_norm(offset.high), one_norm(position) + one_norm(read.translation)) *
                   FloatW(roundings::position_weight);
        }
    }
};

}  // namespace
}  // namespace lanecull
