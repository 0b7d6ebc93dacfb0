#pragma once

/// The view volume as a support mapping: lowest(v) is its point of smallest v . y, in view space. There is one struct
/// for each way of describing the volume. The view says which, so all lanes use the same.
///
/// Depth is cut per lane: V is replaced by a set that contains V's part up to the object's greatest depth (and so meets
/// the object exactly when V does). That keeps an infinite far plane finite, and lets the error bound measure the
/// object instead of the far plane. An orthographic box is cut on all sides.

#include <cstdint>

#include "base/rounding_bound.hpp"
#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"
#include "lanes/vec3w.hpp"
#include "view/prepared_view.hpp"

namespace lanecull {
namespace {

/// near <= z <= far, and x/z, y/z within their ranges.
struct FrustumW {
    static constexpr float error_factor(const PreparedView&) { return 0; }  // no more than any shape's

    FloatW x_low, x_high, y_low, y_high, near, far;
    FloatW magnitude;  // largest |coordinate|

    LANE_INLINE FrustumW(const PreparedView& view, const ExtentW& object)
        : x_low(view.x_range[0]),
          x_high(view.x_range[1]),
          y_low(view.y_range[0]),
          y_high(view.y_range[1]),
          near(view.z_range[0]),
          far(max(near, min(FloatW(view.z_range[1]), object.high.z))),
          magnitude(far * FloatW(view.slope_magnitude)) {}

    LANE_INLINE void rescale(FloatW scale) { near = near * scale, far = far * scale; }

    static constexpr std::uint32_t lane_numbers = 2;
    template <class Visit>
    LANE_INLINE void visit_lanes(const Visit& visit) {
        visit(near);
        visit(far);
    }

    LANE_INLINE Vec3W lowest(const Vec3W& v) const {
        const FloatW x = select(v.x > FloatW(0.0f), x_low, x_high);
        const FloatW y = select(v.y > FloatW(0.0f), y_low, y_high);
        const FloatW slope = fma(v.x, x, fma(v.y, y, v.z));  // v . (x, y, 1): falls with depth when negative
        const FloatW z = select(slope < FloatW(0.0f), far, near);
        return {x * z, y * z, z};
    }
};

/// Four edge rays (x, y, 1) t with near_k <= t <= far_k each.
struct EdgeFrustumW {
    static constexpr float error_factor(const PreparedView&) { return 0; }  // no more than any shape's

    FloatW x[4], y[4], near[4], far[4];
    FloatW magnitude;

    /// far_k is cut by a plane parallel to the far plane, not to the view plane: cutting all edges at the same depth
    /// would lose part of the far face between them.
    LANE_INLINE EdgeFrustumW(const PreparedView& view, const ExtentW& object) {
        const FloatW object_depth = object.high.z;
        float first_exit = view.edge_far[0];
        for (int k = 1; k < 4; ++k) first_exit = view.edge_far[k] < first_exit ? view.edge_far[k] : first_exit;
        const bool endless = !(view.z_range[1] < magnitude_limit);
        const MaskW cut = object_depth < FloatW(first_exit);
        // object_depth has been raised enough to cover these two roundings (roundings::depth).
        const FloatW share = max(object_depth, FloatW(0.0f)) / FloatW(first_exit);
        FloatW farthest(0.0f);
        for (int k = 0; k < 4; ++k) {
            x[k] = FloatW(view.edge_x[k]);
            y[k] = FloatW(view.edge_y[k]);
            near[k] = FloatW(view.edge_near[k]);
            const FloatW exit =
                endless ? object_depth : select(cut, share * FloatW(view.edge_far[k]), FloatW(view.edge_far[k]));
            far[k] = max(near[k], exit);
            farthest = max(farthest, far[k]);
        }
        magnitude = farthest * FloatW(view.slope_magnitude);
    }

    LANE_INLINE void rescale(FloatW scale) {
        for (int k = 0; k < 4; ++k) near[k] = near[k] * scale, far[k] = far[k] * scale;
    }

    static constexpr std::uint32_t lane_numbers = 8;
    template <class Visit>
    LANE_INLINE void visit_lanes(const Visit& visit) {
        for (int k = 0; k < 4; ++k) {
            visit(near[k]);
            visit(far[k]);
        }
    }

    LANE_INLINE Vec3W lowest(const Vec3W& v) const {
        Vec3W best;
        FloatW best_value(0.0f);
        for (int k = 0; k < 4; ++k) {
            const FloatW slope = fma(v.x, x[k], fma(v.y, y[k], v.z));
            const FloatW z = select(slope < FloatW(0.0f), far[k], near[k]);
            const FloatW value = slope * z;
            if (k == 0) {
                best = {x[k], y[k], z};
                best_value = value;
                continue;
            }
            const MaskW better = value < best_value;
            best = select(better, Vec3W{x[k], y[k], z}, best);
            best_value = min(value, best_value);
        }
        return {best.x * best.z, best.y * best.z, best.z};
    }
};

/// Orthographic: x, y and z within their ranges, cut to the object's own, so that the bound measures the object and not
/// the volume.
struct OrthoBoxW {
    static constexpr float error_factor(const PreparedView&) { return 0; }  // no more than any shape's

    Vec3W low, high;
    FloatW magnitude;

    LANE_INLINE OrthoBoxW(const PreparedView& view, const ExtentW& object) {
        const auto cut = [](FloatW a, const float(&range)[2])
                             LANE_LAMBDA { return max(FloatW(range[0]), min(FloatW(range[1]), a)); };
        low = {cut(object.low.x, view.x_range), cut(object.low.y, view.y_range), cut(object.low.z, view.z_range)};
        high = {cut(object.high.x, view.x_range), cut(object.high.y, view.y_range), cut(object.high.z, view.z_range)};
        magnitude = max(inf_norm(low), inf_norm(high));
    }

    LANE_INLINE void rescale(FloatW scale) {
        low = low * scale;
        high = high * scale;
    }

    static constexpr std::uint32_t lane_numbers = 6;
    template <class Visit>
    LANE_INLINE void visit_lanes(const Visit& visit) {
        visit3(low, visit);
        visit3(high, visit);
    }

    LANE_INLINE Vec3W lowest(const Vec3W& v) const {
        const FloatW zero(0.0f);
        return {select(v.x > zero, low.x, high.x), select(v.y > zero, low.y, high.y),
                select(v.z > zero, low.z, high.z)};
    }
};

/// The hull of near and far points, or of near points and rays (PreparedView), perhaps swept, up to the object's depth
/// D.
///
/// Points: let min N and min F be the smallest depths of the near and of the far points, and s in [0, 1] the fraction
/// of the way from min N to min F at which D lies. V's part up to D lies in the hull of the near points N and of
/// (1 - s) N + s F: a point (1 - t) n + t f of V is no less deep than (1 - t) min N + t min F, so t <= s. Rays: their
/// depth grows by at least 1, so N + t ray needs only t <= D - min N. Sweeps: where the sweep leads deeper, only its
/// part from near_depth to D is needed; where it leads back, near_depth is lower by all of it.
struct PolytopeW {
    static LANE_INLINE float error_factor(const PreparedView& view) {
        return error_per_magnitude(view.is_swept ? roundings::swept_polytope : roundings::polytope);
    }

    const PreparedView& view;
    FloatW near_only;                    // the factor of a near point by itself
    FloatW near_fraction, far_fraction;  // the factors of a near point and of a far point, or ray, together
    FloatW swept;                        // the factor of the sweep
    FloatW magnitude;

    LANE_INLINE PolytopeW(const PreparedView& view_, const ExtentW& object)
        : view(view_),
          near_only(1.0f),
          near_fraction(1.0f),
          far_fraction(0.0f),
          swept(view.sweep_limit),
          magnitude(view.near_magnitude) {
        const FloatW way = max(object.high.z - FloatW(view.near_depth), FloatW(0.0f)) * FloatW(1 + 0x1p-20f);
        if (view.is_swept) {
            if (view.sweep_inverse > 0) swept = min(way * FloatW(view.sweep_inverse), swept);
            magnitude = fma(swept, FloatW(view.sweep_magnitude), magnitude);
        }
        if (view.far_count == 0) return;
        if (view.far_is_rays) {
            far_fraction = way;
        } else {
            far_fraction = min(way * FloatW(view.depth_inverse), FloatW(1.0f));
            near_fraction = FloatW(1.0f) - far_fraction;
        }
        magnitude = fma(far_fraction, FloatW(view.far_magnitude), magnitude);
    }

    LANE_INLINE void rescale(FloatW scale) {
        near_only = near_only * scale;
        near_fraction = near_fraction * scale;
        far_fraction = far_fraction * scale;
        swept = swept * scale;
    }

    LANE_INLINE Vec3W lowest(const Vec3W& v) const {
        Vec3W still = lowest_unswept(v);
        if (!view.is_swept) return still;
        const FloatW zero(0.0f);
        Vec3W sweep = broadcast3(view.sweep);
        return still + sweep * select(dot(sweep, v) < zero, swept, zero);
    }

    LANE_INLINE Vec3W lowest_unswept(const Vec3W& v) const {
        const PointsOfView points{view.point_x, view.point_y, view.point_z};
        Vec3W near = points.lowest(0, view.near_count, v);
        if (view.far_count == 0) return near * near_only;
        Vec3W far = points.lowest(view.near_count, view.far_count, v);
        const FloatW at_near = dot(near, v);
        const MaskW take_far = fma(near_fraction, at_near, far_fraction * dot(far, v)) < near_only * at_near;
        return select(take_far, near * near_fraction + far * far_fraction, near * near_only);
    }

    /// The view's points, each broadcast to all lanes.
    struct PointsOfView {
        const float *x, *y, *z;

        LANE_INLINE Vec3W lowest(std::uint32_t first, std::uint32_t count, const Vec3W& v) const {
            Vec3W best = {FloatW(x[first]), FloatW(y[first]), FloatW(z[first])};
            FloatW least = dot(best, v);
            for (std::uint32_t j = first + 1; j < first + count; ++j) {
                Vec3W p = {FloatW(x[j]), FloatW(y[j]), FloatW(z[j])};
                const FloatW value = dot(p, v);
                best = select(value < least, p, best);
                least = min(value, least);
            }
            return best;
        }
    };
};

/// Any of the four volumes. Each step tests anew which one it is: for what is rare, where four copies of GJK would cost
/// more than they bring.
struct AnyVolumeW {
    static LANE_INLINE float error_factor(const PreparedView& view) {
        return view.volume == VolumeKind::polytope ? PolytopeW::error_factor(view) : 0.0f;
    }

    union {
        FrustumW frustum;
        EdgeFrustumW edge_frustum;
        OrthoBoxW box;
        PolytopeW polytope;
    };
    VolumeKind kind;
    FloatW magnitude;

    LANE_INLINE AnyVolumeW(const PreparedView& view, const ExtentW& object) : AnyVolumeW(of(view, object)) {}

    LANE_INLINE void rescale(FloatW scale) {
        visit([&](auto& volume) LANE_LAMBDA { volume.rescale(scale); });
    }
    /// Not inlined: GJK calls it at eight places, and it is the code of four volumes.
    [[gnu::noinline]] Vec3W lowest(const Vec3W& v) {
        Vec3W point = v;
        visit([&](const auto& volume) LANE_LAMBDA { point = volume.lowest(v); });
        return point;
    }

private:
    LANE_INLINE explicit AnyVolumeW(const FrustumW& v)
        : frustum(v), kind(VolumeKind::frustum), magnitude(v.magnitude) {}
    LANE_INLINE explicit AnyVolumeW(const EdgeFrustumW& v)
        : edge_frustum(v), kind(VolumeKind::edge_frustum), magnitude(v.magnitude) {}
    LANE_INLINE explicit AnyVolumeW(const OrthoBoxW& v) : box(v), kind(VolumeKind::box), magnitude(v.magnitude) {}
    LANE_INLINE explicit AnyVolumeW(const PolytopeW& v)
        : polytope(v), kind(VolumeKind::polytope), magnitude(v.magnitude) {}

    static LANE_INLINE AnyVolumeW of(const PreparedView& view, const ExtentW& object) {
        switch (view.volume) {
            case VolumeKind::frustum:
                return AnyVolumeW(FrustumW(view, object));
            case VolumeKind::edge_frustum:
                return AnyVolumeW(EdgeFrustumW(view, object));
            case VolumeKind::polytope:
                return AnyVolumeW(PolytopeW(view, object));
            default:
                return AnyVolumeW(OrthoBoxW(view, object));
        }
    }

    template <class Visit>
    LANE_INLINE void visit(const Visit& visit) {
        switch (kind) {
            case VolumeKind::frustum:
                return visit(frustum);
            case VolumeKind::edge_frustum:
                return visit(edge_frustum);
            case VolumeKind::polytope:
                return visit(polytope);
            default:
                return visit(box);
        }
    }
};

}  // namespace
}  // namespace lanecull
