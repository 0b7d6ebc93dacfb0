#pragma once

/// Results of stage 1 and of closed forms, for a packet and for up to 64 objects.
///
/// Doubt about a word of objects: one of them may be invalid, or so large that something overflows. Then plain
/// comparisons prove nothing, and the word is tested again lane by lane. Doubt is collected for whole words, because
/// few objects give reason for it.

#include <cstdint>

#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"

namespace lanecull {
namespace {

struct ClassifiedW {
    MaskW outside;  // set: wholly behind one plane, proved
    MaskW inside;   // set: the object's centre is in the volume; or, if that is enough, no plane is before the object

    LANE_INLINE ClassifiedW of(MaskW lanes_) const { return {lanes_ & outside, lanes_ & inside}; }
};

/// Of up to 64 objects.
struct ClassifiedBits {
    std::uint64_t outside = 0, inside = 0;

    LANE_INLINE void add(const ClassifiedW& classified, std::uint32_t shift) {
        outside |= std::uint64_t{bits(classified.outside)} << shift;
        inside |= std::uint64_t{bits(classified.inside)} << shift;
    }
    [[nodiscard]] LANE_INLINE std::uint64_t accepted() const { return inside; }
};

/// Result of a closed form for a packet (cull/closed_form.hpp). Lanes in which neither `apart` nor `meets` is set are
/// left to later stages.
struct ClosedFormW {
    MaskW apart;      // set: proved
    MaskW meets;      // set: a point of the object is in the volume, by plain float comparison
    MaskW by_center;  // where `meets` is set, set: that point is the object's centre

    LANE_INLINE ClosedFormW of(MaskW lanes_) const { return {lanes_ & apart, lanes_ & meets, by_center}; }
};

/// Of up to 64 objects.
struct ClosedFormBits {
    std::uint64_t outside = 0, meets = 0, by_center = 0;

    LANE_INLINE void add(const ClosedFormW& measured, std::uint32_t shift) {
        outside |= std::uint64_t{bits(measured.apart)} << shift;
        meets |= std::uint64_t{bits(measured.meets)} << shift;
        by_center |= std::uint64_t{bits(measured.by_center)} << shift;
    }
    [[nodiscard]] LANE_INLINE std::uint64_t accepted() const { return meets & by_center; }
    [[nodiscard]] LANE_INLINE std::uint64_t overlap() const { return meets & ~by_center; }
};

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

/// In place of doubt, for a word that is tested again: says lane by lane which objects are sound.
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
    static LANE_INLINE bool any() { return false; }
};

/// What a test of stage 1 has besides test(shapes, fetch, expansion, doubt). Where one test of 64 objects in a row is
/// faster than packets one by one, it has test_word(shapes, first, expansion, doubt) as well.
struct StageOneTest {
    using Bits = ClassifiedBits;
    static constexpr bool is_closed_form = false;
    static constexpr float limit = 1e30f;
    static LANE_INLINE DoubtW doubt() { return {}; }
};
struct ClosedFormTest {
    using Bits = ClosedFormBits;
    static constexpr bool is_closed_form = true;
};

}  // namespace
}  // namespace lanecull
