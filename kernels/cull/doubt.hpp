#pragma once

/// Doubt about a word of objects: one of them may be invalid, or so large that something overflows. Then plain
/// comparisons prove nothing, and the word is looked at again lane by lane. Doubt is collected for whole words, because
/// few objects give reason for it.

#include <cstdint>

#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"

namespace lanecull {
namespace {

/// Collects doubt from the packets of a word: negative sizes, and numbers so large that they may overflow. NaN need not
/// be found, because it fails comparisons by itself.
struct DoubtW {
    float limit = 1e30f;  // where the bound is below it, the magnitude is below magnitude_limit

    FloatW signs = FloatW(0.0f);    // sign bit set: a number that must not be negative had its sign bit set
    FloatW largest = FloatW(0.0f);  // the largest bound, NaN left out

    /// Which lanes are sound: all of them, until any() says otherwise.
    struct Sound {
        template <class Verdicts>
        LANE_INLINE Verdicts operator&(const Verdicts& verdicts) const {
            return verdicts;
        }
    };
    /// `sizes` must not be negative.
    template <class... Sizes>
    LANE_INLINE Sound look_at(FloatW bound, Sizes... sizes) {
        ((signs = joined_signs(signs, sizes)), ...);
        largest = max(bound, largest);  // max() returns its second operand if the first is NaN
        return {};
    }
    LANE_INLINE bool any() const { return (sign_bits(signs) | (bits(largest < FloatW(limit)) ^ all_lanes)) != 0; }
};

/// The same for tests whose bound does not contain the object's position. How far the object is beyond a plane takes
/// the bound's place: it is infinite or NaN if a coordinate is infinite.
struct PlaceDoubtW {
    static constexpr float limit = 1e30f;

    FloatW largest = FloatW(0.0f);  // the largest distance beyond a plane, NaN left out
    FloatW latest = FloatW(0.0f);   // the size whose bits come last: a negative, infinite or NaN one, if there is one

    LANE_INLINE DoubtW::Sound look_at(FloatW beyond, FloatW size) {
        largest = max(beyond, largest);
        latest = later_bits(size, latest);
        return {};
    }
    LANE_INLINE bool any() const { return any_bits_beyond(later_bits(largest, latest), limit); }
};

/// In place of doubt, for a word that is looked at again: says lane by lane which objects are sound.
struct NoDoubtW {
    float limit = 1e30f;

    struct Sound {
        MaskW lanes_;
        template <class Verdicts>
        LANE_INLINE Verdicts operator&(const Verdicts& verdicts) const {
            return verdicts.of(lanes_);
        }
    };
    template <class... Sizes>
    LANE_INLINE Sound look_at(FloatW bound, Sizes... sizes) const {
        return {((bound < FloatW(limit)) & ... & ((sizes >= FloatW(0.0f)) & (sizes < FloatW(limit))))};
    }
};

}  // namespace
}  // namespace lanecull
