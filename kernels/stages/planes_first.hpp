#pragma once

/// Stage 1, in relative coordinates: every object of a batch against the view's planes.
///
/// A lane leaves outside only by a comparison that succeeded: largest n . q + offset over the object, plus the bound,
/// below zero. NaN fails every comparison, and `magnitude` adds every number of the object so that none is overlooked.
/// Whether objects are valid at all is asked of whole words: few are not.

namespace lanecull {
namespace {

struct ClassifiedW {
    MaskW outside;  // set: wholly behind one plane, proved
    MaskW inside;   // set: the object's centre is in the volume

    LANE_INLINE ClassifiedW of(MaskW lanes_) const { return {lanes_ & outside, lanes_ & inside}; }
};

/// What a closed form says of a pack (measure.hpp). What is in no lane of the three is for others to settle.
struct MeasuredW {
    MaskW apart;      // set: proved
    MaskW meets;      // set: a point of the object is in the volume, as far as floats tell
    MaskW by_center;  // set where `meets` is: that is its centre

    LANE_INLINE MeasuredW of(MaskW lanes_) const { return {lanes_ & apart, lanes_ & meets, by_center}; }
};

/// Of up to 64 objects.
struct MeasuredBits {
    std::uint64_t apart = 0, meets = 0, by_center = 0;

    LANE_INLINE void add(const MeasuredW& measured, std::uint32_t shift) {
        apart |= std::uint64_t{bits(measured.apart)} << shift;
        meets |= std::uint64_t{bits(measured.meets)} << shift;
        by_center |= std::uint64_t{bits(measured.by_center)} << shift;
    }
    [[nodiscard]] LANE_INLINE std::uint64_t inside() const { return meets & by_center; }
    [[nodiscard]] LANE_INLINE std::uint64_t overlap() const { return meets & ~by_center; }
};

/// Of up to 64 objects.
struct ClassifiedBits {
    std::uint64_t outside = 0, inside = 0;

    LANE_INLINE void add(const ClassifiedW& classified, std::uint32_t shift) {
        outside |= std::uint64_t{bits(classified.outside)} << shift;
        inside |= std::uint64_t{bits(classified.inside)} << shift;
    }
};

/// What makes comparisons prove nothing: an object that is none, or numbers so large that they may overflow. Collected
/// from the packs of a word. NaN fails comparisons by itself, and need not be found.
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

/// Those of the view's planes that are to be asked, broadcast once per chunk: enough for the loop to keep them in
/// registers. Where there are few, which is so of most blocks of a scene, a branch that is always the same passes over
/// the others. (Any number of them, in a loop that reads them from memory: 9 % dearer for spheres and all six.)
struct RelativePlanesW {
    using Doubt = DoubtW;
    static constexpr std::uint32_t few = 2;

    RelativeAxesW axes;
    Vec3W normal[PreparedView::stage_one_planes];
    FloatW offset[PreparedView::stage_one_planes];
    bool are_few;

    LANE_INLINE RelativePlanesW(const PreparedView& view, std::uint32_t planes) : axes(view.frame) {
        std::uint32_t count = 0;
        for (std::uint32_t k = 0; k < PreparedView::stage_one_planes; ++k) {
            if ((planes >> k & 1) == 0) continue;
            normal[count] = broadcast3(view.normal[k]);
            offset[count++] = FloatW(view.offset[k]);
        }
        are_few = count <= few;
        for (; count < PreparedView::stage_one_planes; ++count) {
            normal[count] = {FloatW(0.0f), FloatW(0.0f), FloatW(0.0f)};  // everything is inside of these
            offset[count] = FloatW(__builtin_inff());
        }
    }

    /// Smallest value of a function of (normal, offset) over the planes.
    template <class Function>
    LANE_INLINE FloatW least(const Function& function) const {
        FloatW smallest = function(0);
        for (std::uint32_t k = 1; k < few; ++k) smallest = min(smallest, function(k));
        if (are_few) return smallest;
        for (std::uint32_t k = few; k < PreparedView::stage_one_planes; ++k) smallest = min(smallest, function(k));
        return smallest;
    }
};

/// In the coordinates that it was asked for in.
struct BallW {
    Vec3W center;
    FloatW radius;
    FloatW size;  // of the object's sizes the one whose bits come last: negative, infinite or NaN if any is
};

/// Balls, in relative coordinates: spheres themselves, and the bounding spheres of other kinds.
template <class Growth, class Doubt>
LANE_INLINE ClassifiedW classify_ball(const RelativePlanesW& planes, const BallW& ball, const Growth& growth,
                                      Doubt& doubt) {
    const Vec3W& q = ball.center;
    FloatW least_center(0.0f);
    const FloatW least = planes.least([&](std::uint32_t k) LANE_LAMBDA {
        const FloatW at_center = dot_plus(planes.normal[k], q, planes.offset[k]);
        least_center = k == 0 ? at_center : min(least_center, at_center);
        return growth.beyond(planes.normal[k], at_center);
    });
    const FloatW magnitude = growth.enlarged(one_norm(q) + ball.radius);
    const FloatW reach = fma(FloatW(Growth::stage_one_error), magnitude, ball.radius);
    return doubt.look_at(reach, ball.size) & ClassifiedW{least < -reach, least_center >= FloatW(0.0f)};
}

/// Kinds that are seen as balls.
template <class Kind>
struct BallStageOne : RelativePlanesW {
    using RelativePlanesW::RelativePlanesW;

    template <class Fetch, class Growth, class Doubt>
    LANE_INLINE ClassifiedW classify(const typename Kind::Shapes& s, const Fetch& fetch, const Growth& growth,
                                     Doubt& doubt) const {
        ClassifiedW classified = classify_ball(*this, Kind::ball(axes, s, fetch), growth, doubt);
        if constexpr (Kind::has_ball_center) return classified;
        return {classified.outside, mask_of(0)};
    }
};

}  // namespace
}  // namespace lanecull
