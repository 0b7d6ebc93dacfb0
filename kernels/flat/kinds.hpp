#pragma once

/// Stage 1, kind by kind: tests every object of a batch against the view's edges. Each kind also has load(), which
/// loads objects for stage 2.
///
/// A lane becomes outside only by a comparison that succeeded: the largest n . q + offset over the object, plus the
/// bound, is below zero. If the bound is NaN or infinite, the comparison fails. The magnitude adds up every number of
/// the object, so NaN or infinity in any of them reaches the bound.
///
/// Boxes against the view's bounding box and edges. Stage 1 tries all directions that can separate them from a convex
/// polygon, so it decides all boxes.
///
/// The bounding box decides by comparisons, without a bound. The edges matter only for boxes that share a point with
/// the bounding box. For these the view's own size bounds the error, and the edges' offsets include that bound.
///
/// Circles. Against rectangles stage 1 decides them all, in closed form. Against other views stage 1 tests sides, as
/// for other kinds.

#include <lanecull/cull.h>
#include <lanecull/flat.h>

#include <cstdint>

#include "flat/bound.hpp"
#include "flat/prepared_view.hpp"
#include "flat/shapes.hpp"
#include "flat/sides.hpp"
#include "lanes/gather.hpp"
#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"
#include "lanes/vec2w.hpp"

namespace lanecull::flat {
namespace {

struct ClassifiedW {
    std::uint32_t outside;  // set: wholly beyond a side, proved
    std::uint32_t decided;  // set: visible if not outside, provided that the view has no other edges than those tested
};

/// What stage 1 finds out about shapes. All of a shape's numbers are in its magnitude: if one is NaN or infinite, so is
/// the bound, and every comparison is false.
LANE_INLINE ClassifiedW classified(const BeyondW& beyond, FloatW radius, FloatW magnitude, MaskW valid) {
    const FloatW bound = FloatW(error_factor) * magnitude;
    return {bits(valid & (beyond.figure > radius + bound)), bits(valid & (beyond.center < -bound))};
}

/// A StageOne's Doubt collects, from many packets and without comparisons, whether any of their shapes may be invalid;
/// it is tested once for all. NoDoubtW: each packet tests validity anyway, so nothing is left to test.
struct NoDoubtW {};

/// A stage 1 that tests the first few sides, and finds out which shapes have their centre inside.
struct FirstSides {
    static constexpr Reason decided = Reason::visible_inside;  // the reason of what stage 1 decides as visible
    static constexpr bool looks_at_all_edges = false;
    static constexpr std::uint32_t first_edge = PreparedView::stage_one_edges;  // stage 2 tests edges from this on
    using Doubt = NoDoubtW;
};
/// A stage 1 that tries every direction which can separate a shape from the view.
struct Everything {
    static constexpr Reason decided = Reason::visible_planes;
    static constexpr bool looks_at_all_edges = true;
};

/// Calls `run` with the stage 1 for views with parallel sides, or with that for others.
template <class Kind, class Run>
LANE_INLINE auto with_stage_one(const PreparedView& view, const Run& run) {
    if (view.has_slabs) return run(typename Kind::template StageOne<SlabsW>(view));
    return run(typename Kind::template StageOne<EdgesW>(view));
}

LANE_INLINE FloatW no_reach(const Vec2W&) { return FloatW(0.0f); }

struct CapsuleKind {
    using Shapes = Capsules;

    template <class Fetch>
    static LANE_INLINE CapsuleW load(const PreparedView&, const Vec2W& origin, const Capsules& s, const Fetch& fetch) {
        CapsuleW shape;
        shape.a = Vec2W{fetch(s.a_x), fetch(s.a_y)} - origin;
        shape.b = Vec2W{fetch(s.b_x), fetch(s.b_y)} - origin;
        shape.radius = fetch(s.radius);
        shape.magnitude = one_norm(shape.a) + one_norm(shape.b) + shape.radius;
        shape.valid = not_negative(shape.radius);
        return shape;
    }

    template <class Sides>
    struct StageOne : Sides, FirstSides {
        LANE_INLINE explicit StageOne(const PreparedView& view) : Sides(view) {}
        template <class Fetch>
        LANE_INLINE ClassifiedW classify(const PreparedView& view, const Capsules& s, const Fetch& fetch) const {
            CapsuleW shape = load(view, this->origin, s, fetch);
            Vec2W center = (shape.a + shape.b) * FloatW(0.5f), to_b = (shape.b - shape.a) * FloatW(0.5f);
            BeyondW beyond = this->beyond(center, [&](const Vec2W& n) LANE_LAMBDA { return abs(dot(n, to_b)); });
            return classified(beyond, shape.radius, shape.magnitude, shape.valid);
        }
    };
};

struct OrientedBoxKind {
    using Shapes = OrientedBoxes;

    template <class Fetch>
    static LANE_INLINE OrientedBoxW load(const PreparedView&, const Vec2W& origin, const OrientedBoxes& s,
                                         const Fetch& fetch) {
        OrientedBoxW shape;
        shape.center = Vec2W{fetch(s.x), fetch(s.y)} - origin;
        shape.axis = {fetch(s.axis_x), fetch(s.axis_y)};
        shape.half_x = fetch(s.half_x);
        shape.half_y = fetch(s.half_y);
        shape.magnitude = one_norm(shape.center) + turned_magnitude(shape.axis, shape.half_x + shape.half_y);
        shape.valid = not_negative(shape.half_x) & not_negative(shape.half_y);
        return shape;
    }

    template <class Sides>
    struct StageOne : Sides, FirstSides {
        LANE_INLINE explicit StageOne(const PreparedView& view) : Sides(view) {}
        template <class Fetch>
        LANE_INLINE ClassifiedW classify(const PreparedView& view, const OrientedBoxes& s, const Fetch& fetch) const {
            OrientedBoxW shape = load(view, this->origin, s, fetch);
            BeyondW beyond = this->beyond(shape.center, [&](const Vec2W& n) LANE_LAMBDA { return shape.reach(n); });
            return classified(beyond, FloatW(0.0f), shape.magnitude, sound(shape.valid, shape.magnitude));
        }
    };
};

struct PolygonKind {
    using Shapes = PolygonInstances;

    template <class Fetch>
    static LANE_INLINE PolygonW load(const PreparedView&, const Vec2W& origin, const PolygonInstances& s,
                                     const Fetch& fetch) {
        Vec2W center = Vec2W{fetch(s.x), fetch(s.y)} - origin, turn = {fetch(s.turn_x), fetch(s.turn_y)};
        const FloatW magnitude = one_norm(center) + turned_magnitude(turn, FloatW(s.polygon->magnitude));
        return {*s.polygon, center, turn, magnitude, mask_of(all_lanes)};
    }

    template <class Sides>
    struct StageOne : Sides, FirstSides {
        static constexpr std::uint32_t first_edge = 0;  // stage 2 tests all edges, as stage 1 tests a disc

        LANE_INLINE explicit StageOne(const PreparedView& view) : Sides(view) {}
        template <class Fetch>
        LANE_INLINE ClassifiedW classify(const PreparedView& view, const PolygonInstances& s,
                                         const Fetch& fetch) const {
            PolygonW shape = load(view, this->origin, s, fetch);
            // The square of a turn beyond 1e18 overflows, and that of one below 1e-18 underflows. For these the
            // one-norm takes the place of the length.
            const FloatW size = one_norm(shape.turn), square = dot(shape.turn, shape.turn);
            const MaskW normal_size = (size > FloatW(1e-18f)) & (size < FloatW(1e18f));
            const FloatW scale = lanecull::select(normal_size, sqrt(square), size);
            Vec2W mean = shape.center + turned(shape.turn, broadcast2(s.polygon->mean));
            const FloatW beyond = this->beyond(mean, no_reach).center;
            return classified({beyond, beyond}, scale * FloatW(s.polygon->radius), shape.magnitude,
                              sound(shape.valid, shape.magnitude));
        }
    };
};

/// W boxes as they are stored.
struct CornersW {
    Vec2W low, high;

    template <class Fetch>
    LANE_INLINE CornersW(const Boxes& s, const Fetch& fetch)
        : low{fetch(s.min_x), fetch(s.min_y)}, high{fetch(s.max_x), fetch(s.max_y)} {}

    /// Set: finite, and min <= max. If a coordinate is infinite, the differences are NaN or infinite.
    LANE_INLINE MaskW valid() const {
        Vec2W size = high - low;
        return not_negative(min(size.x, size.y)) & (size.x + size.y < FloatW(magnitude_limit));
    }
};

/// Whether some box of many packets has a size that is negative, infinite or NaN, or so large that valid() has to look.
struct BoxDoubtW {
    FloatW last = FloatW(0.0f);

    LANE_INLINE void look_at(const CornersW& box) {
        Vec2W size = box.high - box.low;
        last = later_bits(last, later_bits(size.x, size.y));
    }
    LANE_INLINE bool any_invalid() const { return any_bits_beyond(last, 0.25f * magnitude_limit); }
};

/// The view's bounding box, compared exactly. An upright rectangle has no other sides.
struct UprightW {
    Vec2W beyond_low, beyond_high;

    LANE_INLINE explicit UprightW(const PreparedView& view)
        : beyond_low(broadcast2(view.beyond_low)), beyond_high(broadcast2(view.beyond_high)) {}

    /// Bits of the lanes that are outside, if their boxes are valid.
    LANE_INLINE std::uint32_t outside(const PreparedView&, const CornersW& box) const {
        MaskW inside = not_less(mask_of(all_lanes), box.high.x, beyond_low.x);
        inside = not_less(inside, box.high.y, beyond_low.y);
        inside = not_less(inside, beyond_high.x, box.low.x);
        return all_lanes & ~bits(not_less(inside, beyond_high.y, box.low.y));
    }
};

/// How far boxes lie past the sides of the bounding box. The signs of these differences are exact. For the edges they
/// are also coordinates: of each corner, relative to the bounding box's opposite corner.
struct PastW {
    Vec2W low, high;  // past the lower sides, past the higher ones

    LANE_INLINE PastW(const CornersW& box, const Vec2W& beyond_low, const Vec2W& beyond_high)
        : low(box.high - beyond_low), high(beyond_high - box.low) {}

    /// Corner c's `past`, with c as PreparedView numbers corners.
    LANE_INLINE Vec2W corner(std::uint32_t c) const { return {c & 1 ? low.x : high.x, c & 2 ? low.y : high.y}; }
    /// Negative if the box is beyond a side.
    LANE_INLINE FloatW sign() const { return joined_signs(joined_signs(low.x, low.y, high.x), high.y); }
};

/// A view with one edge for each corner, opposite edges in the same direction, such as a turned rectangle. Then each
/// edge has one weight that is 1. Steep: it is y's for the edges of corners 0 and 3, x's for the others. Not steep: the
/// reverse.
template <bool Steep>
struct FourSidesW : UprightW {
    FloatW weight[4], least[4];

    static bool fits(const PreparedView& view) {
        bool fit = view.edge_count == 4;
        for (std::uint32_t c = 0; c < 4; ++c) {
            fit = fit && view.corner_end[c] == c + 1 && view.corner_weight[c][is_by_y(c) ? 1 : 0] == 1;
        }
        return fit;
    }
    LANE_INLINE explicit FourSidesW(const PreparedView& view) : UprightW(view) {
        for (std::uint32_t c = 0; c < 4; ++c) {
            weight[c] = FloatW(view.corner_weight[c][is_by_y(c) ? 0 : 1]);
            least[c] = FloatW(view.corner_least[c]);
        }
    }

    LANE_INLINE std::uint32_t outside(const PreparedView&, const CornersW& box) const {
        PastW past(box, beyond_low, beyond_high);
        const auto way_in = [&](std::uint32_t c, FloatW x, FloatW y) LANE_LAMBDA {
            return (is_by_y(c) ? fma(x, weight[c], y) : fma(y, weight[c], x)) - least[c];
        };
        const FloatW first = way_in(0, past.high.x, past.high.y), second = way_in(1, past.low.x, past.high.y);
        const FloatW third = way_in(2, past.high.x, past.low.y), fourth = way_in(3, past.low.x, past.low.y);
        return sign_bits(joined_signs(joined_signs(past.sign(), first, second), third, fourth));
    }

private:
    static constexpr bool is_by_y(std::uint32_t c) { return (c == 0 || c == 3) == Steep; }
};

/// Any view.
struct AnySidesW : UprightW {
    using UprightW::UprightW;

    LANE_INLINE std::uint32_t outside(const PreparedView& view, const CornersW& box) const {
        PastW past(box, beyond_low, beyond_high);
        FloatW sign = past.sign();
        std::uint32_t k = 0;
        for (std::uint32_t c = 0; c < 4; ++c) {
            Vec2W at = past.corner(c);
            for (; k < view.corner_end[c]; ++k) {
                sign = joined_signs(sign, dot(broadcast2(view.corner_weight[k]), at) - FloatW(view.corner_least[k]));
            }
        }
        return sign_bits(sign);
    }
};

/// Cuts boxes to the view's bounding box, in relative coordinates.
struct CutW {
    Vec2W from, to;

    LANE_INLINE explicit CutW(const PreparedView& view)
        : from(broadcast2(view.box_low)), to(broadcast2(view.box_high)) {}

    LANE_INLINE Vec2W low(const CornersW& box) const { return {max(box.low.x, from.x), max(box.low.y, from.y)}; }
    LANE_INLINE Vec2W high(const CornersW& box) const { return {min(box.high.x, to.x), min(box.high.y, to.y)}; }
};

struct BoxKind {
    using Shapes = Boxes;

    template <class Fetch>
    static LANE_INLINE AlignedBoxW load(const PreparedView& view, const Vec2W& origin, const Boxes& s,
                                        const Fetch& fetch) {
        CornersW box(s, fetch);
        CutW cut(view);
        AlignedBoxW shape;
        shape.low = cut.low(box) - origin;
        shape.high = cut.high(box) - origin;
        shape.magnitude = FloatW(view.magnitude);
        shape.valid = box.valid();
        shape.whole =
            (box.low.x >= cut.from.x) & (box.low.y >= cut.from.y) & (box.high.x <= cut.to.x) & (box.high.y <= cut.to.y);
        return shape;
    }

    template <class Sides>
    struct StageOne : Sides, Everything {
        using Doubt = BoxDoubtW;
        static constexpr std::uint32_t first_edge = PreparedView::max_edges;

        LANE_INLINE explicit StageOne(const PreparedView& view) : Sides(view) {}
        template <class Fetch>
        LANE_INLINE ClassifiedW classify(const PreparedView& view, const Boxes& s, const Fetch& fetch) const {
            CornersW box(s, fetch);
            const std::uint32_t valid = bits(box.valid());
            return {valid & this->outside(view, box), valid};
        }
        /// The same without a test of validity. It holds if, in the end, `doubt` reports no invalid box.
        template <class Fetch>
        LANE_INLINE ClassifiedW classify(const PreparedView& view, const Boxes& s, const Fetch& fetch,
                                         Doubt& doubt) const {
            CornersW box(s, fetch);
            doubt.look_at(box);
            return {this->outside(view, box), all_lanes};
        }
    };
};

template <class Kind, class Run>
requires std::is_same_v<Kind, BoxKind> LANE_INLINE auto with_stage_one(const PreparedView& view, const Run& run) {
    if (view.aligned) return run(BoxKind::StageOne<UprightW>(view));
    if (FourSidesW<false>::fits(view)) return run(BoxKind::StageOne<FourSidesW<false>>(view));
    if (FourSidesW<true>::fits(view)) return run(BoxKind::StageOne<FourSidesW<true>>(view));
    return run(BoxKind::StageOne<AnySidesW>(view));
}

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
        /// The same without a test of validity. It holds if, in the end, `doubt` reports no invalid disc.
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
    /// The same without a test of validity and size. It holds if, in the end, `doubt` reports no disc that is invalid
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
