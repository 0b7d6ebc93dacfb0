#pragma once

/// Boxes of every kind: how stage 1 sees them, and as zonotopes for what follows.

namespace lanecull {
namespace {

LANE_INLINE MaskW not_negative(const Vec3W& v) {
    const FloatW zero(0.0f);
    return (v.x >= zero) & (v.y >= zero) & (v.z >= zero);
}

/// A box along the world's axes, in relative coordinates.
struct AlignedBoxW {
    static LANE_INLINE float error_share(const Frame&) { return error_per_magnitude(roundings::zonotope); }
    static constexpr bool is_exact = true;

    Vec3W center, half;
    FloatW magnitude;
    MaskW valid;

    LANE_INLINE Vec3W support(const Frame&, const Vec3W& v) const {
        return {center.x + flip(half.x, v.x), center.y + flip(half.y, v.y), center.z + flip(half.z, v.z)};
    }
    LANE_INLINE FloatW reach(const NormalW& n) const { return dot(n.size, half); }
    LANE_INLINE FloatW reach(const Vec3W& n) const { return dot({abs(n.x), abs(n.y), abs(n.z)}, half); }
    LANE_INLINE const Vec3W& inner_point() const { return center; }

    /// Of what support() looks at.
    static constexpr std::uint32_t lane_numbers = 6;
    template <class Visit>
    LANE_INLINE void visit_lanes(const Visit& visit) {
        visit3(center, visit);
        visit3(half, visit);
    }
};

/// The same along a frame's: R's columns, scaled, are its axes there.
LANE_INLINE ZonotopeW<3, false> turned(const FrameAxesW& axes, const AlignedBoxW& box) {
    ZonotopeW<3, false> shape;
    shape.center = axes.turned(box.center);
    shape.axis[0] = axes.rotation.column_x() * box.half.x;
    shape.axis[1] = axes.rotation.column_y() * box.half.y;
    shape.axis[2] = axes.rotation.column_z() * box.half.z;
    shape.magnitude = box.magnitude;
    shape.valid = box.valid;
    return shape;
}
LANE_INLINE const AlignedBoxW& turned(const RelativeAxesW&, const AlignedBoxW& box) { return box; }

/// A ball around a box, for whoever is content to leave more open: half-extents summed up need no square root, and are
/// no more than 1.7 times as long as half the diagonal.
LANE_INLINE BallW ball_around(const Vec3W& center, const Vec3W& half) {
    return {center, (half.x + half.y) + half.z, later_bits(later_bits(half.x, half.y), half.z)};
}

struct BoxKind {
    using Shapes = Boxes;
    static constexpr bool knows_edges = true;
    static constexpr bool shares_vertices = false;
    static constexpr bool is_seen_as_ball = true;
    static constexpr bool has_stage_one(const Shapes&) { return true; }

    template <class Axes, class Fetch>
    static LANE_INLINE BallW ball(const Axes& axes, const Boxes& s, const Fetch& fetch) {
        Vec3W low = {fetch(s.min_x), fetch(s.min_y), fetch(s.min_z)};
        Vec3W high = {fetch(s.max_x), fetch(s.max_y), fetch(s.max_z)};
        return ball_around(axes.relative(low) + axes.relative(high), high - low);
    }
    static constexpr float ball_unit = 2;  // which saves halving it
    static constexpr bool has_ball_center = true;

    /// Where there are no pairs of sides (ball_sides.hpp): each plane looks at the one corner farthest on its inner
    /// side, chosen by the normal's signs: the same corner for every box. So the planes are sorted by corner, and each
    /// of the eight corners asked about its own. (Centre and half-extents take twice the products. Corners chosen plane
    /// by plane: by branches 0.67 ns a box, uniform, AVX-512 on Zen 4; by addresses of stored ones 1.09.)
    struct StageOne {
        using Doubt = DoubtW;

        RelativeAxesW axes;
        std::uint32_t end[8];  // of each corner's planes. Bit j of a corner: the maximum along axis j
        float normal[PreparedView::stage_one_planes][3], size[PreparedView::stage_one_planes][3];  // |n| by component
        float offset[PreparedView::stage_one_planes];

        LANE_INLINE StageOne(const PreparedView& view, std::uint32_t planes) : axes(view.frame) {
            std::uint32_t corner_of[PreparedView::stage_one_planes];  // 8: of none that is to be asked
            for (std::uint32_t k = 0; k < PreparedView::stage_one_planes; ++k) {
                const float(&n)[3] = view.normal[k];
                corner_of[k] = (n[0] > 0 ? 1u : 0u) | (n[1] > 0 ? 2u : 0u) | (n[2] > 0 ? 4u : 0u);
                if ((planes >> k & 1) == 0) corner_of[k] = 8;
            }
            std::uint32_t at = 0;
            for (std::uint32_t corner = 0; corner < 8; ++corner) {
                for (std::uint32_t k = 0; k < PreparedView::stage_one_planes; ++k) {
                    if (corner_of[k] != corner) continue;
                    for (std::uint32_t j = 0; j < 3; ++j) {
                        normal[at][j] = view.normal[k][j];
                        size[at][j] = __builtin_fabsf(view.normal[k][j]);
                    }
                    offset[at++] = view.offset[k];
                }
                end[corner] = at;
            }
        }

        /// A pack as the planes see it, in relative coordinates.
        template <class Growth>
        struct BoxesW {
            Vec3W minus_low, high;
            MaskW valid;
            Growth growth;
            FloatW least = FloatW(__builtin_inff());  // distance of a plane's corner from it

            template <class Fetch>
            LANE_INLINE BoxesW(const RelativeAxesW& axes, const Boxes& s, const Fetch& fetch, const Growth& growth_)
                : growth(growth_) {
                Vec3W a = {fetch(s.min_x), fetch(s.min_y), fetch(s.min_z)};
                Vec3W b = {fetch(s.max_x), fetch(s.max_y), fetch(s.max_z)};
                minus_low = axes.hi - a;
                high = axes.relative(b);
                valid = (a.x <= b.x) & (a.y <= b.y) & (a.z <= b.z);
            }

            /// Axis by axis a corner is the maximum, or the minimum with its sign turned.
            template <std::uint32_t Corner>
            LANE_INLINE void look_at(const Vec3W& n, const Vec3W& n_size, FloatW n_offset) {
                Vec3W corner = {Corner & 1 ? high.x : minus_low.x, Corner & 2 ? high.y : minus_low.y,
                                Corner & 4 ? high.z : minus_low.z};
                least = min(growth.beyond(n, dot_plus(n_size, corner, n_offset)), least);
            }

            /// Inside is only what is so by far: the planes' distances are the corner's, and the centre's are less by
            /// no more than the half-extents' sum, normals being no longer than 1. That settles all but a few of the
            /// boxes whose centre is inside for a sixth of the products.
            LANE_INLINE ClassifiedW classified() const {
                Vec3W extents = minus_low + high;
                const FloatW extent = (extents.x + extents.y) + extents.z;
                // The larger of |low| and |high|, where low <= high.
                const FloatW magnitude =
                    growth.enlarged(max(minus_low.x, high.x) + (max(minus_low.y, high.y) + max(minus_low.z, high.z)));
                const FloatW bound = FloatW(Growth::stage_one_error) * magnitude;
                const MaskW sound = (magnitude < FloatW(magnitude_limit)) & valid;
                return {sound & (least < -bound), sound & (least + least >= growth.enlarged(growth.enlarged(extent)))};
            }
        };

        /// From `Corner` on, each corner against its planes.
        template <std::uint32_t Corner, class Growth>
        LANE_INLINE void look_at_corners(BoxesW<Growth>& boxes) const {
            if constexpr (Corner < 8) {
#pragma GCC unroll 1
                for (std::uint32_t k = Corner == 0 ? 0 : end[Corner - 1]; k < end[Corner]; ++k) {
                    boxes.template look_at<Corner>(broadcast3(normal[k]), broadcast3(size[k]), FloatW(offset[k]));
                }
                look_at_corners<Corner + 1>(boxes);
            }
        }

        template <class Fetch, class Growth, class Doubt>
        LANE_INLINE ClassifiedW classify(const Boxes& s, const Fetch& fetch, const Growth& growth, Doubt&) const {
            BoxesW<Growth> boxes(axes, s, fetch, growth);
            look_at_corners<0>(boxes);
            return boxes.classified();
        }
    };

    template <class Axes, class Pick>
    static LANE_INLINE auto load_shapes(const Axes& axes, const Boxes& s, const Pick& pick) {
        Vec3W low = {pick(s.min_x), pick(s.min_y), pick(s.min_z)};
        Vec3W high = {pick(s.max_x), pick(s.max_y), pick(s.max_z)};
        Vec3W a = axes.relative(low), b = axes.relative(high);
        const MaskW valid = (low.x <= high.x) & (low.y <= high.y) & (low.z <= high.z);
        return turned(axes,
                      AlignedBoxW{(a + b) * FloatW(0.5f), (b - a) * FloatW(0.5f), one_norm(a) + one_norm(b), valid});
    }
};

struct CenteredBoxKind {
    using Shapes = CenteredBoxes;
    static constexpr bool knows_edges = true;
    static constexpr bool shares_vertices = false;
    static constexpr bool is_seen_as_ball = true;
    static constexpr bool has_stage_one(const Shapes&) { return true; }

    template <class Axes, class Fetch>
    static LANE_INLINE BallW ball(const Axes& axes, const CenteredBoxes& s, const Fetch& fetch) {
        return ball_around(axes.relative({fetch(s.x), fetch(s.y), fetch(s.z)}),
                           {fetch(s.half_x), fetch(s.half_y), fetch(s.half_z)});
    }
    static constexpr float ball_unit = 1;
    static constexpr bool has_ball_center = true;

    struct StageOne : RelativePlanesW {
        Vec3W normal_size[PreparedView::stage_one_planes];  // |n| component by component

        LANE_INLINE StageOne(const PreparedView& view, std::uint32_t planes) : RelativePlanesW(view, planes) {
            for (std::uint32_t k = 0; k < PreparedView::stage_one_planes; ++k) {
                normal_size[k] = {abs(normal[k].x), abs(normal[k].y), abs(normal[k].z)};
            }
        }

        template <class Fetch, class Growth, class Doubt>
        LANE_INLINE ClassifiedW classify(const CenteredBoxes& s, const Fetch& fetch, const Growth& growth,
                                         Doubt& doubt) const {
            Vec3W q = axes.relative({fetch(s.x), fetch(s.y), fetch(s.z)});
            Vec3W half = {fetch(s.half_x), fetch(s.half_y), fetch(s.half_z)};
            FloatW least_center(0.0f);
            const FloatW least = this->least([&](std::uint32_t k) LANE_LAMBDA {
                const FloatW at_center = dot_plus(normal[k], q, offset[k]);
                least_center = k == 0 ? at_center : min(least_center, at_center);
                return growth.beyond(normal[k], dot_plus(normal_size[k], half, at_center));
            });
            const FloatW magnitude = growth.enlarged(one_norm(q) + one_norm(half));
            const FloatW bound = FloatW(Growth::stage_one_error) * magnitude;
            return doubt.look_at(bound, half.x, half.y, half.z) &
                   ClassifiedW{least < -bound, least_center >= FloatW(0.0f)};
        }
    };

    template <class Axes, class Pick>
    static LANE_INLINE auto load_shapes(const Axes& axes, const CenteredBoxes& s, const Pick& pick) {
        Vec3W half = {pick(s.half_x), pick(s.half_y), pick(s.half_z)};
        Vec3W center = axes.relative({pick(s.x), pick(s.y), pick(s.z)});
        return turned(axes, AlignedBoxW{center, half, one_norm(center) + one_norm(half), not_negative(half)});
    }
};

/// The columns of the rotation matrix of q / |q|, from records (x, y, z, w).
struct QuaternionAxesW {
    Vec3W axis[3];
    MaskW valid;

    template <class Pick>
    LANE_INLINE QuaternionAxesW(const Records& quaternions, const Pick& pick) {
        RecordsW<4> record = pick.template records<4>(quaternions);
        Vec3W v = record.three(0);
        const FloatW w = record.value[3];
        const FloatW square = fma(v.z, v.z, fma(v.y, v.y, fma(v.x, v.x, w * w)));
        valid = (square > FloatW(1e-36f)) & (square < FloatW(1e36f));
        const FloatW inverse = FloatW(1.0f) / square, twice = inverse + inverse;
        // w^2 + a^2 - b^2 - c^2
        const auto diagonal = [&](FloatW a, FloatW b, FloatW c)
                                  LANE_LAMBDA { return fma(-c, c, fma(-b, b, fma(a, a, w * w))) * inverse; };
        const auto sum = [&](FloatW a, FloatW b, FloatW c) LANE_LAMBDA { return fma(a, b, c * w) * twice; };
        const auto difference = [&](FloatW a, FloatW b, FloatW c) LANE_LAMBDA { return fms(a, b, c * w) * twice; };
        axis[0] = {diagonal(v.x, v.y, v.z), sum(v.x, v.y, v.z), difference(v.x, v.z, v.y)};
        axis[1] = {difference(v.x, v.y, v.z), diagonal(v.y, v.x, v.z), sum(v.y, v.z, v.x)};
        axis[2] = {sum(v.x, v.z, v.y), difference(v.y, v.z, v.x), diagonal(v.z, v.x, v.y)};
    }
};

struct OrientedBoxKind {
    using Shapes = OrientedBoxes;
    static constexpr bool knows_edges = true;
    static constexpr bool shares_vertices = false;
    static constexpr bool is_seen_as_ball = true;
    static constexpr bool has_stage_one(const Shapes& s) { return s.bounding_radius != nullptr; }

    template <class Axes, class Fetch>
    static LANE_INLINE BallW ball(const Axes& axes, const OrientedBoxes& s, const Fetch& fetch) {
        const FloatW radius = fetch(s.bounding_radius);
        return {axes.relative({fetch(s.x), fetch(s.y), fetch(s.z)}), radius, radius};
    }
    static constexpr float ball_unit = 1;
    static constexpr bool has_ball_center = true;  // the ball's centre is a point of the object
    using StageOne = BallStageOne<OrientedBoxKind>;

    template <class Axes, class Pick>
    static LANE_INLINE ZonotopeW<3, false> load_shapes(const Axes& axes, const OrientedBoxes& s, const Pick& pick) {
        Vec3W q = axes.relative({pick(s.x), pick(s.y), pick(s.z)});
        Vec3W half = pick.template records<3>(s.half_extents).three(0);
        const FloatW extent[3] = {half.x, half.y, half.z};
        ZonotopeW<3, false> shape;
        shape.center = axes.turned(q);
        shape.magnitude = one_norm(q);
        shape.valid = not_negative(half);
        if (s.axes.first != nullptr) {
            RecordsW<9> directions = pick.template records<9>(s.axes);
            for (std::uint32_t k = 0; k < 3; ++k) {
                Vec3W axis = directions.three(3 * k) * extent[k];
                shape.axis[k] = axes.turned(axis);
                shape.magnitude = shape.magnitude + one_norm(axis);
            }
        } else {
            QuaternionAxesW turned(s.quaternions, pick);
            shape.valid = shape.valid & turned.valid;
            for (std::uint32_t k = 0; k < 3; ++k) {
                Vec3W axis = turned.axis[k] * extent[k];
                shape.axis[k] = axes.turned(axis);
                shape.magnitude = fma(FloatW(roundings::quaternion_weight), one_norm(axis), shape.magnitude);
            }
        }
        return shape;
    }
};

}  // namespace
}  // namespace lanecull
