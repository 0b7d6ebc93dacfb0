#pragma once

/// Boxes against the view's bounding box and edges. Stage 1 tries all directions that can separate them from a convex
/// polygon, so it decides all boxes.
///
/// The bounding box decides by comparisons, without a bound. The edges matter only for boxes that share a point with
/// the bounding box. For these the view's own size bounds the error, and the edges' offsets include that bound.

#include <cstdint>

#include "flat/kinds.hpp"
#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"

namespace lanecull::flat {
namespace {

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
        /// The same without looking at validity. It holds if, in the end, `doubt` reports no invalid box.
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

}  // namespace
}  // namespace lanecull::flat
