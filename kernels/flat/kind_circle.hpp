#pragma once

/// Circles. Against rectangles stage 1 decides them all, in closed form. Against other views stage 1 tests sides, as
/// for other kinds.

#include <cstdint>

#include "flat/kinds.hpp"
#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"

namespace lanecull::flat {
namespace {

/// Whether some radius of many packets is negative, infinite or NaN.
struct RadiusDoubtW {
    FloatW last = FloatW(0.0f);

    LANE_INLINE void look_at(FloatW radius) { last = later_bits(last, radius); }
    LANE_INLINE bool any_invalid() const { return any_bits_beyond(last, magnitude_limit); }
};

/// Whether, in many packets, some radius is negative, or some square overflows; squares of infinite or NaN numbers do.
/// The results of two packets are multiplied and the product is added to the sum. It is finite if both results are and
/// neither is above 1e19.
struct DiscDoubtW {
    FloatW sign = FloatW(0.0f), sum = FloatW(0.0f), waiting = FloatW(0.0f);
    bool waits = false;

    LANE_INLINE void look_at(FloatW radius, FloatW rest) {
        sign = joined_signs(sign, radius);
        if (waits) sum = fma(waiting, rest, sum);
        waiting = rest;
        waits = !waits;
    }
    LANE_INLINE bool any_invalid() const {
        return (sign_bits(sign) | (all_lanes & ~bits(finite(sum) & finite(waiting)))) != 0;
    }
};

/// A rectangle. Past one of its corners, the distance combines both sides.
template <bool Centered>
struct RectangleW {
    Vec2W origin;
    FloatW slope, minus_slope, scale, middle[2], half[2];

    LANE_INLINE explicit RectangleW(const PreparedView& view)
        : origin(broadcast2(view.origin)),
          slope(view.disc_slope),
          minus_slope(-view.disc_slope),
          scale(view.disc_scale) {
        for (std::uint32_t k = 0; k < 2; ++k) {
            middle[k] = FloatW(view.disc_middle[k]);
            half[k] = FloatW(view.disc_half[k]);
        }
    }

    /// radius^2 times the scale, less the squared distance: negative if the circle is apart. `back` is the vector from
    /// the centre to the origin. With this sign, the coordinates are operands in memory (saves a 40th of the time).
    LANE_INLINE FloatW rest(FloatW radius, const Vec2W& back) const {
        Vec2W along = {fma(slope, back.y, back.x), fma(minus_slope, back.x, back.y)};
        if constexpr (!Centered) along = {along.x - middle[0], along.y - middle[1]};
        Vec2W past = {excess(along.x, half[0]), excess(along.y, half[1])};
        return fms(radius * radius, scale, dot(past, past));
    }
};

struct CircleKind {
    using Shapes = Circles;

    template <class Fetch>
    static LANE_INLINE DiscW load(const PreparedView&, const Vec2W& origin, const Circles& s, const Fetch& fetch) {
        DiscW shape;
        shape.center = Vec2W{fetch(s.x), fetch(s.y)} - origin;
        shape.radius = fetch(s.radius);
        shape.magnitude = one_norm(shape.center) + shape.radius;
        shape.valid = not_negative(shape.radius);
        return shape;
    }

    template <class Sides>
    struct StageOne : Sides, FirstSides {
        using Doubt = RadiusDoubtW;

        LANE_INLINE explicit StageOne(const PreparedView& view) : Sides(view) {}
        template <class Fetch>
        LANE_INLINE ClassifiedW classify(const PreparedView& view, const Circles& s, const Fetch& fetch) const {
            DiscW disc = load(view, this->origin, s, fetch);
            return classify_disc(disc, disc.valid);
        }
        /// The same without looking at validity. It holds if, in the end, `doubt` reports no invalid disc.
        template <class Fetch>
        LANE_INLINE ClassifiedW classify(const PreparedView& view, const Circles& s, const Fetch& fetch,
                                         Doubt& doubt) const {
            DiscW disc = load(view, this->origin, s, fetch);
            doubt.look_at(disc.radius);
            return classify_disc(disc, mask_of(all_lanes));
        }
        LANE_INLINE ClassifiedW classify_disc(const DiscW& disc, MaskW valid) const {
            const FloatW beyond = this->beyond(disc.center, no_reach).center;
            return classified({beyond, beyond}, disc.radius, disc.magnitude, valid);
        }
    };
};

/// Squares overflow where an object is 1e19 times as large as the view, or larger. Such objects are left to stage 2.
template <bool Centered>
struct CircleKind::StageOne<RectangleW<Centered>> : RectangleW<Centered>, Everything {
    using Doubt = DiscDoubtW;
    static constexpr std::uint32_t first_edge = 0;

    LANE_INLINE explicit StageOne(const PreparedView& view) : RectangleW<Centered>(view) {}
    template <class Fetch>
    LANE_INLINE ClassifiedW classify(const PreparedView& view, const Circles& s, const Fetch& fetch) const {
        DiscW disc = load(view, this->origin, s, fetch);
        const FloatW rest = this->rest(disc.radius, -disc.center);
        // If the radius' square is only just finite, a rest of minus infinity proves nothing.
        const MaskW told = sound(disc.valid, disc.magnitude) & finite(rest);
        return {bits(told & (rest < FloatW(0.0f))), bits(told)};
    }
    /// The same without looking at validity and size. It holds if, in the end, `doubt` reports no disc that is invalid
    /// or too large.
    template <class Fetch>
    LANE_INLINE ClassifiedW classify(const PreparedView&, const Circles& s, const Fetch& fetch, Doubt& doubt) const {
        const FloatW radius = fetch(s.radius);
        const FloatW rest = this->rest(radius, this->origin - Vec2W{fetch(s.x), fetch(s.y)});
        doubt.look_at(radius, rest);
        return {bits(rest < FloatW(0.0f)), all_lanes};
    }
};

template <class Kind, class Run>
requires std::is_same_v<Kind, CircleKind> LANE_INLINE auto with_stage_one(const PreparedView& view, const Run& run) {
    const bool centered = view.disc_middle[0] == 0 && view.disc_middle[1] == 0;
    if (view.rectangular && centered) return run(CircleKind::StageOne<RectangleW<true>>(view));
    if (view.rectangular) return run(CircleKind::StageOne<RectangleW<false>>(view));
    if (view.has_slabs) return run(CircleKind::StageOne<SlabsW>(view));
    return run(CircleKind::StageOne<EdgesW>(view));
}

}  // namespace
}  // namespace lanecull::flat
