#pragma once

/// Circles: against rectangles in closed form, all settled in stage 1; against others by sides first, as other kinds.

namespace lanecull::flat {
namespace {

/// A radius that is negative, infinite or NaN; or so large that its square might be.
struct RadiusDoubtW {
    FloatW last = FloatW(0.0f);

    LANE_INLINE void look_at(FloatW radius) { last = later_bits(last, radius); }
    LANE_INLINE bool any_invalid() const { return any_bits_beyond(last, 1e18f); }
};

/// The same, or a centre that is infinite or NaN, which its way along either side is then, too.
struct DiscDoubtW : RadiusDoubtW {
    FloatW sum = FloatW(0.0f);

    LANE_INLINE void look_at(FloatW radius, FloatW along) {
        RadiusDoubtW::look_at(radius);
        sum = sum + along;
    }
    LANE_INLINE bool any_invalid() const { return RadiusDoubtW::any_invalid() || bits(finite(sum)) != all_lanes; }
};

/// A rectangle. Past a corner, the distance is along both sides together.
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

    /// From the rectangle's middle, along its sides; longer than in the plane.
    LANE_INLINE Vec2W along_sides(const Vec2W& center) const {
        const Vec2W along = {fma(slope, center.y, center.x), fma(minus_slope, center.x, center.y)};
        return Centered ? along : Vec2W{along.x + middle[0], along.y + middle[1]};
    }
    /// What is left of the radius once the distance is taken off, of squares.
    LANE_INLINE FloatW rest(FloatW radius, const Vec2W& along) const {
        const Vec2W past = {excess(along.x, half[0]), excess(along.y, half[1])};
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
            const DiscW disc = load(view, this->origin, s, fetch);
            return classify_disc(disc, disc.valid);
        }
        /// The same of discs that are all valid, if `doubt` has none in the end.
        template <class Fetch>
        LANE_INLINE ClassifiedW classify(const PreparedView& view, const Circles& s, const Fetch& fetch,
                                         Doubt& doubt) const {
            const DiscW disc = load(view, this->origin, s, fetch);
            doubt.look_at(disc.radius);
            return classify_disc(disc, mask_of(all_lanes));
        }
        LANE_INLINE ClassifiedW classify_disc(const DiscW& disc, MaskW valid) const {
            const FloatW beyond = this->beyond(disc.center, no_reach).center;
            return classified({beyond, beyond}, disc.radius, disc.magnitude, valid);
        }
    };
};

/// Squares of what is 1e19 times as large as the view, and larger, overflow: that is left to stage 2.
template <bool Centered>
struct CircleKind::StageOne<RectangleW<Centered>> : RectangleW<Centered>, Everything {
    using Doubt = DiscDoubtW;
    static constexpr std::uint32_t first_edge = 0;

    LANE_INLINE explicit StageOne(const PreparedView& view) : RectangleW<Centered>(view) {}
    template <class Fetch>
    LANE_INLINE ClassifiedW classify(const PreparedView& view, const Circles& s, const Fetch& fetch) const {
        const DiscW disc = load(view, this->origin, s, fetch);
        const FloatW rest = this->rest(disc.radius, this->along_sides(disc.center));
        // Of a radius whose square just is a number, minus infinity says nothing.
        const MaskW told = sound(disc.valid, disc.magnitude) & finite(rest);
        return {bits(told & (rest < FloatW(0.0f))), bits(told)};
    }
    /// The same of discs that are all valid and none too large, if `doubt` has none in the end.
    template <class Fetch>
    LANE_INLINE ClassifiedW classify(const PreparedView& view, const Circles& s, const Fetch& fetch,
                                     Doubt& doubt) const {
        const DiscW disc = load(view, this->origin, s, fetch);
        const Vec2W along = this->along_sides(disc.center);
        doubt.look_at(disc.radius, along.x);
        return {bits(this->rest(disc.radius, along) < FloatW(0.0f)), all_lanes};
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
