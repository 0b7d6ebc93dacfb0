#pragma once

/// A box around the visible objects of a batch, W objects at a time.

#include <cstdint>

#include <lanecull/batch.hpp>
#include <lanecull/prepared_view.hpp>

#include "base/rounding_bound.hpp"
#include "bounds/visible_work.hpp"
#include "lanes/gather.hpp"
#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"
#include "lanes/vec3w.hpp"
#include "shapes/expansion.hpp"
#include "shapes/frames.hpp"
#include "stages/packet.hpp"

namespace lanecull {
namespace {

/// W objects as a shape whose extent is asked for.
template <class Kind>
LANE_INLINE auto load_for_extent(const RelativeAxesW& axes, const typename Kind::Shapes& s,
                                 const GatheredObjects& objects) {
    if constexpr (requires { Kind::load_corners(s, objects); }) {
        return Kind::load_corners(s, objects);
    } else {
        return Kind::load_shapes(axes, s, objects);
    }
}

/// The box around all objects that were added, lane by lane.
class ExtentSumW {
public:
    /// Adds the objects in the lanes `active`. `valid` is clear for those that are none. A shape's extent is off by at
    /// most K u G, as its support points are (PROOF.md), and what is taken away is rounded once more.
    template <class Shape>
    LANE_INLINE void add(const Shape& shape, const Frame& world, std::uint32_t active, MaskW valid) {
        const float factor = Shape::error_factor(world);
        const FloatW pad = factor == 0 ? FloatW(0.0f)
                                       : fma(FloatW(factor + error_per_magnitude(roundings::sum_growth)),
                                             shape.magnitude, FloatW(underflow));
        const MaskW bounded = valid & shape.valid & (shape.magnitude < FloatW(magnitude_limit)) & mask_of(active);
        ExtentW extent = shape.extent();
        Vec3W around{pad, pad, pad};
        // No lane that counts has a NaN, which min and max would lose.
        low_ = smaller(low_, select(bounded, extent.low - around, none().low));
        high_ = larger(high_, select(bounded, extent.high + around, none().high));
        unbounded_ |= active & ~bits(bounded);
    }

    LANE_INLINE void write(WorldExtent& to) const {
        write(low_.x, to.low[0], false), write(low_.y, to.low[1], false), write(low_.z, to.low[2], false);
        write(high_.x, to.high[0], true), write(high_.y, to.high[1], true), write(high_.z, to.high[2], true);
        to.is_endless = unbounded_ != 0;
    }

private:
    static constexpr float underflow = 0x1p-126f;  // what products lose, rounded to denormal numbers

    static LANE_INLINE ExtentW none() {
        const FloatW end(__builtin_inff()), minus(-__builtin_inff());
        return {{end, end, end}, {minus, minus, minus}};
    }
    static LANE_INLINE Vec3W smaller(const Vec3W& a, const Vec3W& b) {
        return {min(a.x, b.x), min(a.y, b.y), min(a.z, b.z)};
    }
    static LANE_INLINE Vec3W larger(const Vec3W& a, const Vec3W& b) {
        return {max(a.x, b.x), max(a.y, b.y), max(a.z, b.z)};
    }
    static LANE_INLINE void write(FloatW values, float& to, bool largest) {
        alignas(64) float all[lanes];
        store(all, values);
        to = all[0];
        for (std::uint32_t lane = 1; lane < lanes; ++lane) {
            if (largest ? all[lane] > to : all[lane] < to) to = all[lane];
        }
    }

    Vec3W low_ = none().low, high_ = none().high;
    std::uint32_t unbounded_ = 0;
};

/// Set: the margin is not negative. Other numbers that are none are in the magnitude.
LANE_INLINE MaskW valid_margin(const Attributes& a, const GatheredObjects& objects) {
    return a.margin == nullptr ? mask_of(all_lanes) : objects(a.margin) >= FloatW(0.0f);
}

/// The object's own coordinates, in which no origin is subtracted and nothing is turned.
template <class Kind, class Expansion>
LANE_INLINE void find_extent(const VisibleWork& work, const Expansion& expansion, WorldExtent& extent) {
    const typename Kind::Shapes s = *static_cast<const typename Kind::Shapes*>(work.shapes);
    const Attributes attributes = *work.attributes;
    const Frame world;
    const RelativeAxesW axes(world);
    ExtentSumW sum;
    for (std::uint32_t done = 0; done < work.count; done += 64) {
        const std::uint32_t rest = work.count - done, end = rest < 64 ? rest : 64;
        const std::uint64_t word = work.words[done / 64];
        for (std::uint32_t at = 0; at < end && word != 0; at += lanes) {
            const std::uint32_t there = end - at >= lanes ? all_lanes : (1u << (end - at)) - 1u;
            const auto active = static_cast<std::uint32_t>(word >> at) & there;
            if (active == 0) continue;
            const GatheredObjects objects = Packet(at, active, end).gathered(work.first + done);
            const auto shape = expansion.expand(axes, load_for_extent<Kind>(axes, s, objects), objects);
            MaskW valid = mask_of(all_lanes);
            if constexpr (Expansion::expands) valid = valid_margin(attributes, objects);
            sum.add(shape, world, active, valid);
        }
    }
    sum.write(extent);
}

template <class Kind>
LANE_INLINE void find_visible_extent(const VisibleWork& work, WorldExtent& extent) {
    if (work.attributes->margin != nullptr || work.attributes->sweep_x != nullptr) {
        find_extent<Kind>(work, Expanded(*work.attributes, 0), extent);
    } else {
        find_extent<Kind>(work, Unexpanded(), extent);
    }
}

}  // namespace
}  // namespace lanecull
