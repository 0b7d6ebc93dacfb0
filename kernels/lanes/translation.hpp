#pragma once

/// Where transforms put their objects' own origins, and points far from these (lanes/PROOF.md, "Boxes under
/// transforms").

#include <cstddef>
#include <cstdint>

#include <lanecull/batch.h>

#include "base/rounding_bound.hpp"
#include "lanes/frames.hpp"
#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"
#include "lanes/transforms.hpp"
#include "lanes/vec3w.hpp"

namespace lanecull {
namespace {

/// Sums of floats that are so many times larger than what comes out of them are made in doubles. Fewer would not be
/// worth the time.
constexpr float cancels_mostly = 4;

/// The translations of W transforms, with their positions, in a frame's relative coordinates.
struct TranslationW {
    Vec3W place;
    FloatW size;    // a plain sum of the sizes of what was added
    MaskW cancels;  // set: the position and the translation cancel, mostly

    template <class Axes, class Objects>
    LANE_INLINE TranslationW(const Axes& axes, const Transforms& transforms, const TransformW& read,
                             const Objects& objects) {
        if (transforms.positions.first == nullptr) {
            place = axes.relative(read.translation);
            size = one_norm(place);
            cancels = mask_of(0);
        } else {
            OffsetW offset = offsets_of(transforms, objects);
            Vec3W position = axes.relative(offset.high) + offset.low;
            place = position + read.translation;
            size = fma(FloatW(0x1p-24f), one_norm(offset.high), one_norm(position) + one_norm(read.translation)) *
                   FloatW(roundings::position_weight);
            cancels = size > one_norm(place) * FloatW(cancels_mostly);
        }
    }
};

/// A vector in each lane, for loops over lanes.
struct VectorsOfLanes {
    alignas(64) float number[3][lanes];

    VectorsOfLanes() = default;
    LANE_INLINE explicit VectorsOfLanes(const Vec3W& of) {
        store(number[0], of.x);
        store(number[1], of.y);
        store(number[2], of.z);
    }
    [[nodiscard]] LANE_INLINE Vec3W vector() const { return {load(number[0]), load(number[1]), load(number[2])}; }
};

/// Points of W objects in a frame's relative coordinates.
struct PlacedPointW {
    Vec3W place;
    FloatW lost;  // the magnitude that stands for what sums in doubles lose; infinite where there is no bound
};

/// The points halfway between `a` and `b`, which are in the objects' own coordinates. They are placed in doubles, in
/// which products of floats are exact, and rounded once. So neither their distance from the objects' own origins nor
/// that of the frame from the world's is lost in rounding.
template <class Axes, class Objects>
LANE_INLINE PlacedPointW place_halfway(const Axes& axes, const Transforms& transforms, const Objects& objects,
                                       const Vec3W& a, const Vec3W& b) {
    TransformW read = transforms_of(transforms, objects);
    const VectorsOfLanes from(a), to(b),
        row[3] = {VectorsOfLanes(read.row[0]), VectorsOfLanes(read.row[1]), VectorsOfLanes(read.row[2])},
        translation(read.translation), high(axes.exact_origin().high), low(axes.exact_origin().low);
    const bool has_positions = transforms.positions.first != nullptr;
    alignas(64) double point[3][lanes], offset[3][lanes] = {}, sizes[lanes] = {};
    for (std::size_t k = 0; k < 3; ++k) {
        for (std::uint32_t lane = 0; lane < lanes; ++lane) {
            point[k][lane] = 0.5 * (double{from.number[k][lane]} + double{to.number[k][lane]});
        }
        for (std::uint32_t lane = 0; has_positions && lane < lanes; ++lane) {
            offset[k][lane] = position_of(transforms, objects, lane)[k] - transforms.origin[k];
        }
    }
    VectorsOfLanes place;
    for (std::size_t r = 0; r < 3; ++r) {
        for (std::uint32_t lane = 0; lane < lanes; ++lane) {
            double sum = offset[r][lane] - double{high.number[r][lane]},
                   size = __builtin_fabs(offset[r][lane]) + __builtin_fabs(double{high.number[r][lane]});
            const auto add = [&](double term) LANE_LAMBDA {
                sum += term;
                size += __builtin_fabs(term);
            };
            add(translation.number[r][lane]);
            add(-double{low.number[r][lane]});
            for (std::size_t k = 0; k < 3; ++k) add(double{row[r].number[k][lane]} * point[k][lane]);
            place.number[r][lane] = static_cast<float>(sum);
            sizes[lane] += size;
        }
    }
    alignas(64) float lost[lanes];
    for (std::uint32_t lane = 0; lane < lanes; ++lane) {
        constexpr double limit = magnitude_limit;
        lost[lane] =
            sizes[lane] < limit ? static_cast<float>(sizes[lane] * roundings::doubles_share) : __builtin_inff();
    }
    return {place.vector(), load(lost)};
}

}  // namespace
}  // namespace lanecull
