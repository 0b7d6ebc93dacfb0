#pragma once

/// Stage 2: GJK on W pairs of an object and the view volume V, in view space.
///
/// The simplex lives in the Minkowski difference D = object - V, and asks whether D contains the origin. Each step
/// takes D's point a farthest in direction v, a guess of the way from D to the origin; where even that point stays
/// behind the origin, dot(a, v) < 0, v separates the two. Only that comparison, with the error bound added, culls a
/// lane.
///
/// After Gino van den Bergen's and Casey Muratori's accounts of GJK: the newest point a is always part of the next
/// simplex, so only Voronoi regions that touch a are looked at.

namespace lanecull {
namespace {

constexpr int max_iterations = 16;  // 8 loses 1 in 4,000 provable culls, more than 16 gain nothing measurable

struct SeparatedW {
    MaskW apart;     // set: culled, proved
    MaskW overlap;   // set: the simplex encloses the origin
    MaskW touching;  // set: dot(a, v) < 0 twice in a row without proof, or no direction left
    MaskW cap;       // set: still undecided after max_iterations
};

template <class Shape, class Volume>
struct Gjk {
    const PreparedView& view;
    const Shape& shape;
    const Volume& volume;

    FloatW error;  // dot(a, v) is off by less than error |v|_1, downward
    MaskW active;
    MaskW was_behind;  // the step before found dot(a, v) < 0
    SeparatedW result;

    // The simplex: b, c, d newest first. A lane's d counts only where has_face is set; b, c, d then wind so that
    // (c - b) x (d - b) points towards the origin.
    Vec3W b, c, d;
    MaskW has_face;
    Vec3W v;

    LANE_INLINE Gjk(const PreparedView& view_, const Shape& shape_, const Volume& volume_, MaskW lanes_)
        : view(view_), shape(shape_), volume(volume_), active(lanes_) {
        const FloatW magnitude = shape.magnitude + volume.magnitude;
        constexpr float per_magnitude = error_per_magnitude(Shape::bound_count);
        error = fma(FloatW(per_magnitude), magnitude, FloatW(view.apex_error));
        was_behind = mask_of(0);
        result = {mask_of(0), mask_of(0), active & ~(magnitude < FloatW(magnitude_limit)), mask_of(0)};
        active = active & ~result.touching;
    }

    LANE_INLINE void retire(MaskW lanes_, MaskW& reason) {
        reason = reason | (active & lanes_);
        active = active & ~lanes_;
    }

    /// Takes the next direction, scaled by a power of two (no rounding) to |v|_inf in [1, 2), and returns the support
    /// point in it; lanes that it decides retire.
    LANE_INLINE Vec3W step(const Vec3W& direction) {
        const FloatW length = inf_norm(direction);
        v = direction * exponent_scale(length);
        retire(~(length > FloatW(0.0f)), result.touching);
        const Vec3W a = shape.support(view, v) - volume.lowest(v);
        const FloatW progress = dot(a, v);
        const MaskW behind = progress < FloatW(0.0f);
        retire(fma(error, one_norm(v), progress) < FloatW(-underflow_guard), result.apart);
        retire(behind & was_behind, result.touching);
        was_behind = behind;
        return a;
    }

    /// The simplex a, b, c (, d) with a new: keeps the feature nearest to the origin and returns the way from it.
    LANE_INLINE Vec3W advance(const Vec3W& a) {
        const Vec3W ao = -a;
        const Vec3W ab = b - a, ac = c - a, ad = d - a;

        // Tetrahedron: three faces meet in a. Outward normals, given how b, c, d wind.
        const Vec3W abc = cross(ab, ac), acd = cross(ac, ad), adb = cross(ad, ab);
        const FloatW zero(0.0f);
        const MaskW beyond_abc = dot(abc, ao) > zero;
        const MaskW beyond_acd = has_face & ~beyond_abc & (dot(acd, ao) > zero);
        const MaskW beyond_adb = has_face & ~beyond_abc & ~beyond_acd & (dot(adb, ao) > zero);
        retire(has_face & ~beyond_abc & ~beyond_acd & ~beyond_adb, result.overlap);

        // Triangle a, p, q: of a tetrahedron the first face that the origin is beyond (choosing among two such faces
        // saves 1-10 % of the steps and costs a fifth of each).
        const Vec3W p = select(beyond_acd, c, select(beyond_adb, d, b));
        const Vec3W q = select(beyond_acd, d, select(beyond_adb, b, c));
        const Vec3W ap = p - a, aq = q - a;
        const Vec3W n = select(beyond_acd, acd, select(beyond_adb, adb, abc));

        const MaskW beyond_ap = dot(cross(ap, n), ao) > zero;
        const MaskW beyond_aq = ~beyond_ap & (dot(cross(n, aq), ao) > zero);
        const MaskW on_edge = beyond_ap | beyond_aq;
        const MaskW below = ~has_face & (dot(n, ao) < zero);  // a lone triangle has two sides

        const Vec3W along = select(beyond_ap, ap, aq);
        const Vec3W from_edge = cross(cross(along, ao), along);
        const Vec3W from_face = select(below, -n, n);

        b = a;
        c = select(beyond_aq | (~on_edge & below), q, p);
        d = select(below, p, q);
        has_face = ~on_edge;
        return select(on_edge, from_edge, from_face);
    }

    LANE_INLINE void run(const Vec3W& start) {
        c = step(start);
        b = step(-c);
        d = b;
        has_face = mask_of(0);
        const Vec3W along = c - b;
        Vec3W direction = cross(cross(along, -b), along);
        for (int iteration = 2; iteration < max_iterations && any(active); ++iteration) {
            const Vec3W a = step(direction);
            direction = advance(a);
        }
        retire(active, result.cap);
    }
};

/// An upper bound of the shape's greatest depth.
template <class Shape>
LANE_INLINE FloatW greatest_depth(const PreparedView& view, const Shape& shape) {
    constexpr float error = error_per_magnitude(roundings::depth + Shape::bound_count);
    return fma(FloatW(error), shape.magnitude, shape.depth()) + FloatW(view.apex_error);
}

template <class Shape>
LANE_INLINE SeparatedW separate(const PreparedView& view, const Shape& shape, const Vec3W& start, MaskW active) {
    const FloatW depth = greatest_depth(view, shape);
    const auto against = [&](const auto& volume) LANE_LAMBDA {
        Gjk gjk(view, shape, volume, active);
        gjk.run(start);
        return gjk.result;
    };
    switch (view.volume) {
        case VolumeKind::frustum:
            return against(FrustumW(view, depth));
        case VolumeKind::edge_frustum:
            return against(EdgeFrustumW(view, depth));
        default:
            return against(OrthoBoxW(view, depth));
    }
}

}  // namespace
}  // namespace lanecull
