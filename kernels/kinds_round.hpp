#pragma once

/// Spheres and capsules: how stage 1 sees them, and as zonotopes for what follows.

namespace lanecull {
namespace {

struct SphereKind {
    using Shapes = Spheres;
    static constexpr bool shares_vertices = false;
    static constexpr bool has_stage_one(const Shapes&) { return true; }

    template <class Fetch>
    static LANE_INLINE ClassifiedW classify(const PreparedView& view, const Spheres& s, const Fetch& fetch) {
        return classify_ball(view, {fetch(s.x), fetch(s.y), fetch(s.z)}, fetch(s.radius));
    }

    static LANE_INLINE ZonotopeW<0, true> load(const PreparedView& view, const Spheres& s, const PickedObjects& pick) {
        const Vec3W q = Origin(view).relative({pick(s.x), pick(s.y), pick(s.z)});
        ZonotopeW<0, true> shape;
        shape.center = UniformMatrix(view.rotation) * q;
        shape.radius = pick(s.radius);
        shape.magnitude = one_norm(q) + shape.radius;
        shape.valid = shape.radius >= FloatW(0.0f);
        return shape;
    }
};

struct CapsuleKind {
    using Shapes = Capsules;
    static constexpr bool shares_vertices = false;
    static constexpr bool has_stage_one(const Shapes&) { return true; }

    template <class Fetch>
    static LANE_INLINE ClassifiedW classify(const PreparedView& view, const Capsules& s, const Fetch& fetch) {
        const Origin origin(view);
        const Vec3W a = origin.relative({fetch(s.a_x), fetch(s.a_y), fetch(s.a_z)});
        const Vec3W b = origin.relative({fetch(s.b_x), fetch(s.b_y), fetch(s.b_z)});
        const FloatW radius = fetch(s.radius);
        FloatW least_far_end(0.0f), least_middle(0.0f);  // over the planes: of the end farther inside; twice the middle
        for (std::uint32_t k = 0; k < PreparedView::max_planes; ++k) {
            const Vec3W n = broadcast3(view.normal[k]);
            const FloatW offset(view.offset[k]);
            const FloatW at_a = dot_plus(n, a, offset), at_b = dot_plus(n, b, offset);
            least_far_end = k == 0 ? max(at_a, at_b) : min(least_far_end, max(at_a, at_b));
            least_middle = k == 0 ? at_a + at_b : min(least_middle, at_a + at_b);
        }
        const FloatW magnitude = one_norm(a) + one_norm(b) + radius;
        const FloatW reach = fma(FloatW(stage_one_error), magnitude, radius);
        const MaskW sound = (magnitude < FloatW(magnitude_limit)) & (radius >= FloatW(0.0f));
        return {sound & (least_far_end < -reach), sound & (least_middle >= FloatW(0.0f))};
    }

    static LANE_INLINE ZonotopeW<1, true> load(const PreparedView& view, const Capsules& s, const PickedObjects& pick) {
        const Origin origin(view);
        const UniformMatrix rotation(view.rotation);
        const Vec3W a = origin.relative({pick(s.a_x), pick(s.a_y), pick(s.a_z)});
        const Vec3W b = origin.relative({pick(s.b_x), pick(s.b_y), pick(s.b_z)});
        ZonotopeW<1, true> shape;
        shape.center = rotation * ((a + b) * FloatW(0.5f));
        shape.axis[0] = rotation * ((b - a) * FloatW(0.5f));
        shape.radius = pick(s.radius);
        shape.magnitude = one_norm(a) + one_norm(b) + shape.radius;
        shape.valid = shape.radius >= FloatW(0.0f);
        return shape;
    }
};

}  // namespace
}  // namespace lanecull
