#pragma once

/// Boxes against the view's bounding box and edges. All that tells them apart from a convex polygon is in stage 1.
///
/// The bounding box decides by comparing, without a bound. For the edges boxes are cut to it, which bounds their
/// coordinates, and so the error, by the view's own: the share of both is in the edges' offsets.

namespace lanecull::flat {
namespace {

/// W boxes as they are stored.
struct CornersW {
    Vec2W low, high;

    template <class Fetch>
    LANE_INLINE CornersW(const Boxes& s, const Fetch& fetch)
        : low{fetch(s.min_x), fetch(s.min_y)}, high{fetch(s.max_x), fetch(s.max_y)} {}

    /// Finite, and min <= max. Differences make infinities NaN or leave them infinite.
    LANE_INLINE MaskW valid() const {
        const Vec2W size = high - low;
        return not_negative(min(size.x, size.y)) & (size.x + size.y < FloatW(magnitude_limit));
    }
};

/// A size that is negative, infinite or NaN.
struct BoxDoubtW {
    FloatW sum = FloatW(0.0f);    // of all sizes: NaN or infinite if one is
    FloatW signs = FloatW(1.0f);  // sign bit set: a size was negative

    LANE_INLINE void look_at(const CornersW& box) {
        const Vec2W size = box.high - box.low;
        sum = sum + (size.x + size.y);
        signs = joined_signs(signs, joined_signs(size.x, size.y));
    }
    LANE_INLINE bool any_invalid() const {
        return (sign_bits(signs) | (all_lanes & ~bits(sum < FloatW(magnitude_limit)))) != 0;
    }
};

/// The view's bounding box, compared exactly; all there is of an upright rectangle.
struct UprightW {
    Vec2W beyond_low, beyond_high;

    LANE_INLINE explicit UprightW(const PreparedView& view)
        : beyond_low(broadcast2(view.beyond_low)), beyond_high(broadcast2(view.beyond_high)) {}

    LANE_INLINE std::uint32_t outside(const PreparedView&, const CornersW& box) const {
        return bits((box.high.x < beyond_low.x) | (box.low.x > beyond_high.x) | (box.high.y < beyond_low.y) |
                    (box.low.y > beyond_high.y));
    }
};

/// The part of boxes in the view's bounding box, in relative coordinates.
struct CutW {
    Vec2W origin, from, to;

    LANE_INLINE explicit CutW(const PreparedView& view)
        : origin(broadcast2(view.origin)), from(broadcast2(view.box_low)), to(broadcast2(view.box_high)) {}

    LANE_INLINE Vec2W low(const CornersW& box) const { return {max(box.low.x, from.x), max(box.low.y, from.y)}; }
    LANE_INLINE Vec2W high(const CornersW& box) const { return {min(box.high.x, to.x), min(box.high.y, to.y)}; }
};

/// The view has parallel sides: what is left of a slab and the box's reach once the centre's way is taken off is
/// negative for a box beyond.
struct TurnedW : CutW {
    UprightW bounding_box;
    Vec2W normal[2], size[2];
    FloatW middle[2], half[2];  // twice as large, as is all that follows

    LANE_INLINE explicit TurnedW(const PreparedView& view) : CutW(view), bounding_box(view) {
        for (std::uint32_t k = 0; k < 2; ++k) {
            normal[k] = broadcast2(view.normal[k]);
            size[k] = {abs(normal[k].x), abs(normal[k].y)};
            middle[k] = FloatW(2 * view.slab_middle[k]);
            half[k] = FloatW(2 * view.slab_box_half[k]);
        }
    }

    LANE_INLINE std::uint32_t outside(const PreparedView& view, const CornersW& box) const {
        const Vec2W a = low(box), b = high(box);
        const Vec2W left = b - a, sum = (a - origin) + (b - origin);
        const auto rest = [&](int k) LANE_LAMBDA {
            return dot_plus(size[k], left, half[k]) - abs(dot_plus(normal[k], sum, middle[k]));
        };
        return bounding_box.outside(view, box) | sign_bits(joined_signs(rest(0), rest(1)));
    }
};

/// Any view. Each edge looks at the one corner farthest on its inner side, the same corner for every box.
struct AnySidesW : CutW {
    UprightW bounding_box;

    LANE_INLINE explicit AnySidesW(const PreparedView& view) : CutW(view), bounding_box(view) {}

    LANE_INLINE std::uint32_t outside(const PreparedView& view, const CornersW& box) const {
        const Vec2W a = low(box) - origin, b = high(box) - origin;
        FloatW least(__builtin_inff());
        std::uint32_t k = 0;
        const auto look_at = [&](const Vec2W& corner, std::uint32_t end) LANE_LAMBDA {
            for (; k < end; ++k) {
                least = min(dot_plus(broadcast2(view.corner_normal[k]), corner, FloatW(view.corner_offset[k])), least);
            }
        };
        look_at(a, view.corner_end[0]);
        look_at({b.x, a.y}, view.corner_end[1]);
        look_at({a.x, b.y}, view.corner_end[2]);
        look_at(b, view.corner_end[3]);
        return bounding_box.outside(view, box) | bits(least < FloatW(0.0f));
    }
};

struct BoxKind {
    using Shapes = Boxes;
    static constexpr Reason settled = Reason::visible_planes;
    static constexpr bool looks_at_all_edges = true;
    using Doubt = BoxDoubtW;
    static constexpr std::uint32_t first_edge = PreparedView::max_edges;

    template <class Fetch>
    static LANE_INLINE AlignedBoxW load(const PreparedView& view, const Vec2W& origin, const Boxes& s,
                                        const Fetch& fetch) {
        const CornersW box(s, fetch);
        const CutW cut(view);
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
    struct StageOne : Sides {
        using Sides::Sides;
        template <class Fetch>
        LANE_INLINE ClassifiedW classify(const PreparedView& view, const Boxes& s, const Fetch& fetch) const {
            const CornersW box(s, fetch);
            const std::uint32_t valid = bits(box.valid());
            return {this->outside(view, box) & valid, valid};
        }
        /// The same of boxes that are all valid, if `doubt` has none in the end.
        template <class Fetch>
        LANE_INLINE ClassifiedW classify(const PreparedView& view, const Boxes& s, const Fetch& fetch,
                                         Doubt& doubt) const {
            const CornersW box(s, fetch);
            doubt.look_at(box);
            return {this->outside(view, box), all_lanes};
        }
    };
};

template <class Kind, class Run>
requires std::is_same_v<Kind, BoxKind> LANE_INLINE auto with_stage_one(const PreparedView& view, const Run& run) {
    if (view.aligned) return run(BoxKind::StageOne<UprightW>(view));
    if (view.has_slabs) return run(BoxKind::StageOne<TurnedW>(view));
    return run(BoxKind::StageOne<AnySidesW>(view));
}

}  // namespace
}  // namespace lanecull::flat
