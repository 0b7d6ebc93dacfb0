#pragma once

/// Boxes of every kind: how stage 1 sees them, and as zonotopes for what follows.

namespace lanecull {
namespace {

LANE_INLINE MaskW not_negative(const Vec3W& v) {
    const FloatW zero(0.0f);
    return (v.x >= zero) & (v.y >= zero) & (v.z >= zero);
}

/// An axis-aligned box from its relative centre and half-extents. R's columns, scaled, are its axes in view space.
LANE_INLINE ZonotopeW<3, false> aligned_box(const PreparedView& view, const Vec3W& center, const Vec3W& half) {
    const UniformMatrix rotation(view.rotation);
    ZonotopeW<3, false> shape;
    shape.center = rotation * center;
    shape.axis[0] = rotation.column_x() * half.x;
    shape.axis[1] = rotation.column_y() * half.y;
    shape.axis[2] = rotation.column_z() * half.z;
    shape.magnitude = one_norm(center) + one_norm(half);
    return shape;
}

struct BoxKind {
    using Shapes = Boxes;
    static constexpr bool shares_vertices = false;
    static constexpr bool has_stage_one(const Shapes&) { return true; }

    /// Each plane looks at the one corner farthest on its inner side, chosen by the normal's signs: the same corner for
    /// every box, so the choice is an address and costs nothing per lane.
    template <class Fetch>
    static LANE_INLINE ClassifiedW classify(const PreparedView& view, const Boxes& s, const Fetch& fetch) {
        const Origin origin(view);
        const Vec3W low = {fetch(s.min_x), fetch(s.min_y), fetch(s.min_z)};
        const Vec3W high = {fetch(s.max_x), fetch(s.max_y), fetch(s.max_z)};
        const Vec3W corner[2] = {origin.relative(low), origin.relative(high)};
        FloatW least(0.0f);
        for (std::uint32_t k = 0; k < PreparedView::max_planes; ++k) {
            const auto& n = view.normal[k];
            const Vec3W p = {corner[n[0] > 0].x, corner[n[1] > 0].y, corner[n[2] > 0].z};
            const FloatW distance = dot_plus(broadcast3(n), p, FloatW(view.offset[k]));
            least = k == 0 ? distance : min(least, distance);
        }
        const FloatW magnitude = one_norm(corner[0]) + one_norm(corner[1]);
        const FloatW bound = FloatW(stage_one_error) * magnitude;
        const MaskW sound =
            (magnitude < FloatW(magnitude_limit)) & (low.x <= high.x) & (low.y <= high.y) & (low.z <= high.z);
        return {sound & (least < -bound), mask_of(0)};
    }

    static LANE_INLINE ZonotopeW<3, false> load(const PreparedView& view, const Boxes& s, const PickedObjects& pick) {
        const Origin origin(view);
        const Vec3W low = {pick(s.min_x), pick(s.min_y), pick(s.min_z)};
        const Vec3W high = {pick(s.max_x), pick(s.max_y), pick(s.max_z)};
        const Vec3W a = origin.relative(low), b = origin.relative(high);
        ZonotopeW<3, false> shape = aligned_box(view, (a + b) * FloatW(0.5f), (b - a) * FloatW(0.5f));
        shape.magnitude = one_norm(a) + one_norm(b);
        shape.valid = (low.x <= high.x) & (low.y <= high.y) & (low.z <= high.z);
        return shape;
    }
};

struct CenteredBoxKind {
    using Shapes = CenteredBoxes;
    static constexpr bool shares_vertices = false;
    static constexpr bool has_stage_one(const Shapes&) { return true; }

    template <class Fetch>
    static LANE_INLINE ClassifiedW classify(const PreparedView& view, const CenteredBoxes& s, const Fetch& fetch) {
        const Vec3W q = Origin(view).relative({fetch(s.x), fetch(s.y), fetch(s.z)});
        const Vec3W half = {fetch(s.half_x), fetch(s.half_y), fetch(s.half_z)};
        FloatW least(0.0f), least_center(0.0f);
        for (std::uint32_t k = 0; k < PreparedView::max_planes; ++k) {
            const Vec3W n = broadcast3(view.normal[k]);
            const Vec3W n_abs = {abs(n.x), abs(n.y), abs(n.z)};
            const FloatW at_center = dot_plus(n, q, FloatW(view.offset[k]));
            const FloatW at_corner = dot_plus(n_abs, half, at_center);
            least_center = k == 0 ? at_center : min(least_center, at_center);
            least = k == 0 ? at_corner : min(least, at_corner);
        }
        const FloatW magnitude = one_norm(q) + one_norm(half);
        const FloatW bound = FloatW(stage_one_error) * magnitude;
        const MaskW sound = (magnitude < FloatW(magnitude_limit)) & not_negative(half);
        return {sound & (least < -bound), sound & (least_center >= FloatW(0.0f))};
    }

    static LANE_INLINE ZonotopeW<3, false> load(const PreparedView& view, const CenteredBoxes& s,
                                                const PickedObjects& pick) {
        const Vec3W half = {pick(s.half_x), pick(s.half_y), pick(s.half_z)};
        const Vec3W center = Origin(view).relative({pick(s.x), pick(s.y), pick(s.z)});
        ZonotopeW<3, false> shape = aligned_box(view, center, half);
        shape.valid = not_negative(half);
        return shape;
    }
};

struct OrientedBoxKind {
    using Shapes = OrientedBoxes;
    static constexpr bool shares_vertices = false;
    static constexpr bool has_stage_one(const Shapes& s) { return s.bounding_radius != nullptr; }

    template <class Fetch>
    static LANE_INLINE ClassifiedW classify(const PreparedView& view, const OrientedBoxes& s, const Fetch& fetch) {
        return classify_ball(view, {fetch(s.x), fetch(s.y), fetch(s.z)}, fetch(s.bounding_radius));
    }

    static LANE_INLINE ZonotopeW<3, false> load(const PreparedView& view, const OrientedBoxes& s,
                                                const PickedObjects& pick) {
        const UniformMatrix rotation(view.rotation);
        const Vec3W q = Origin(view).relative({pick(s.x), pick(s.y), pick(s.z)});
        const Vec3W half = pick.record3<3>(s.half_extents, 0);
        const FloatW extent[3] = {half.x, half.y, half.z};
        ZonotopeW<3, false> shape;
        shape.center = rotation * q;
        shape.magnitude = one_norm(q);
        for (std::uint32_t k = 0; k < 3; ++k) {
            const Vec3W axis = pick.record3<9>(s.axes, 3 * k) * extent[k];
            shape.axis[k] = rotation * axis;
            shape.magnitude = shape.magnitude + one_norm(axis);
        }
        shape.valid = not_negative(half);
        return shape;
    }
};

}  // namespace
}  // namespace lanecull
