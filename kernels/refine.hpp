#pragma once

/// Between the stages, in relative coordinates: packs of objects that stage 1 left open. Planes once more, now with the
/// object's own shape (stage 1 may have seen a bounding sphere); two cheap ways of being visible; and for the rest the
/// plane that GJK starts from.

namespace lanecull {
namespace {

struct RefinedW {
    MaskW invalid;        // set: not finite, or not a shape
    MaskW outside;        // set: wholly behind one plane, proved
    MaskW inside;         // set: the inner point is in the volume
    MaskW vertex_inside;  // set: the point deepest behind the worst plane is in the volume
    IndexW worst_plane;   // the plane that the object is farthest behind, or least far inside of
};

/// Calls `visit(k)` for every plane: the usual six without a loop, then what few views have besides.
template <class Visit>
LANE_INLINE void for_each_plane(const PreparedView& view, const Visit& visit) {
    for (std::uint32_t k = 0; k < PreparedView::stage_one_planes; ++k) visit(k);
    for (std::uint32_t k = PreparedView::stage_one_planes; k < view.plane_count; ++k) visit(k);
}

/// Smallest n . y + offset over the planes, in view space.
LANE_INLINE FloatW least_view_distance(const PreparedView& view, const Vec3W& y) {
    FloatW least(0.0f);
    for_each_plane(view, [&](std::uint32_t k) LANE_LAMBDA {
        const FloatW distance = dot_plus(broadcast3(view.view_normal[k]), y, FloatW(view.view_offset[k]));
        least = k == 0 ? distance : min(least, distance);
    });
    return least;
}

/// The same in relative coordinates.
LANE_INLINE FloatW least_distance(const PreparedView& view, const Vec3W& q) {
    FloatW least(0.0f);
    for_each_plane(view, [&](std::uint32_t k) LANE_LAMBDA {
        const FloatW distance = dot_plus(broadcast3(view.normal[k]), q, FloatW(view.offset[k]));
        least = k == 0 ? distance : min(least, distance);
    });
    return least;
}

/// The inward normals of one plane a lane, in view space.
LANE_INLINE Vec3W plane_normals(const PreparedView& view, IndexW plane) {
    const IndexW row = plane * IndexW(3);
    return {gather(view.view_normal[0], row), gather(view.view_normal[0] + 1, row),
            gather(view.view_normal[0] + 2, row)};
}

/// Set: finite, and a shape.
template <class Shape>
LANE_INLINE MaskW sound(const Shape& shape) {
    return shape.valid & (shape.magnitude < FloatW(magnitude_limit));
}

/// Relative coordinates as a frame: R is the identity.
constexpr Frame world_axes{};

/// The planes against the shape.
struct WorstPlaneW {
    MaskW sound;
    FloatW distance;  // of the shape's point farthest inside of it; negative: the shape is outside, but for errors
    IndexW plane;
    Vec3W normal;
};

template <class Shape>
LANE_INLINE WorstPlaneW worst_plane(const PreparedView& view, const Shape& shape) {
    FloatW worst(0.0f), plane(0.0f);
    Vec3W normal = broadcast3(view.normal[0]);
    for_each_plane(view, [&](std::uint32_t k) LANE_LAMBDA {
        const Vec3W n = broadcast3(view.normal[k]);
        const FloatW distance = dot_plus(n, shape.center, FloatW(view.offset[k])) + shape.reach(n);
        if (k == 0) {
            worst = distance;
            normal = n;
            return;
        }
        const MaskW worse = distance < worst;
        plane = select(worse, FloatW(static_cast<float>(k)), plane);
        normal = select(worse, n, normal);
        worst = min(worst, distance);
    });
    return {sound(shape), worst, to_index(plane), normal};
}

/// Where GJK starts without refine(), in view space: the plane that the centre is farthest behind. Counting the shape's
/// reach as well takes three times the work and saves no step.
template <class Shape>
LANE_INLINE Vec3W start_normal(const PreparedView& view, const Shape& shape) {
    Vec3W normal = broadcast3(view.view_normal[0]);
    FloatW worst(0.0f);
    for_each_plane(view, [&](std::uint32_t k) LANE_LAMBDA {
        const Vec3W n = broadcast3(view.view_normal[k]);
        const FloatW distance = dot_plus(n, shape.center, FloatW(view.view_offset[k]));
        normal = k == 0 ? n : select(distance < worst, n, normal);
        worst = k == 0 ? distance : min(worst, distance);
    });
    return normal;
}

template <class Shape>
LANE_INLINE RefinedW refine(const PreparedView& view, const Shape& shape) {
    const WorstPlaneW worst = worst_plane(view, shape);
    const FloatW bound = FloatW(Shape::error_share(world_axes)) * shape.magnitude;

    RefinedW result;
    result.invalid = ~worst.sound;
    result.worst_plane = worst.plane;
    result.outside = worst.sound & (worst.distance < -bound);
    result.inside = mask_of(0);
    result.vertex_inside = mask_of(0);
    // Planes around a hull need not be all of its facets.
    if (!view.planes_suffice) return result;
    result.inside = worst.sound & (least_distance(view, shape.inner_point()) >= FloatW(0.0f));
    if constexpr (Shape::is_exact) {
        const Vec3W deepest = shape.support(world_axes, worst.normal);
        result.vertex_inside = worst.sound & (least_distance(view, deepest) >= FloatW(0.0f));
    }
    return result;
}

}  // namespace
}  // namespace lanecull
