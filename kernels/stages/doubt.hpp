#pragma once

/// Whether a word of objects may be taken at the word of plain comparisons: all are valid, and of a size that overflows
/// nowhere. It is asked of whole words, for few objects are not.

#include <cstdint>

#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"

namespace lanecull {
namespace {

/// What makes comparisons prove nothing: an object that is none, or numbers so large that they may overflow. Collected
/// from the packets of a word. NaN fails comparisons by itself, and need not be found.
struct DoubtW {
    float limit = 1e30f;  // of a bound: its magnitude is below magnitude_limit

    FloatW signs = FloatW(0.0f);    // sign bit set: that of a number was which must not be negative
    FloatW largest = FloatW(0.0f);  // bound, but for NaN

    /// Which lanes are sound: all, for now.
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
        largest = max(bound, largest);  // the second of two where the first is NaN
        return {};
    }
    LANE_INLINE bool any() const { return (sign_bits(signs) | (bits(largest < FloatW(limit)) ^ all_lanes)) != 0; }
};

/// The same where the bound holds no number that says where an object is: it is doubted by how far beyond a plane it
/// is, which is infinite, or NaN, where such a number is infinite.
struct PlaceDoubtW {
    static constexpr float limit = 1e30f;

    FloatW largest = FloatW(0.0f);  // beyond, but for NaN
    FloatW latest = FloatW(0.0f);   // size: what is negative, infinite or NaN comes last

    LANE_INLINE DoubtW::Sound look_at(FloatW beyond, FloatW size) {
        largest = max(beyond, largest);
        latest = later_bits(size, latest);
        return {};
    }
    LANE_INLINE bool any() const { return any_bits_beyond(later_bits(largest, latest), limit); }
};

/// In its place, for a word in doubt: object by object.
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
