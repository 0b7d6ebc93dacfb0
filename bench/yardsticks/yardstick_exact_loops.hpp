#pragma once

#include <lanecull/batch.h>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <xsimd/xsimd.hpp>

#include "yardsticks/textbook_gjk.hpp"
#include "yardsticks/yardstick_exact.hpp"
#include "yardsticks/yardstick_planes.hpp"
#include "yardsticks/yardstick_planes_loops.hpp"

namespace bench {
namespace {

/// An axis that may separate an axis-aligned box from the volume, which spans middle - half to middle + half on it.
struct BoxAxis {
    float n[3], abs_n[3], minus_middle, half;
};

/// The box's own three directions and their cross products with the volume's six directions of edges. The volume's
/// facets are missing: the planes have had their turn.
struct BoxAxes {
    static constexpr int count = 21;
    BoxAxis axis[count];

    explicit BoxAxes(const textbook::Frustum& f) {
        int made = 0;
        for (int a = 0; a < 3; ++a) {
            float own[3] = {};
            own[a] = 1;
            axis[made++] = spanned(own, f);
            const int b = (a + 1) % 3, c = (a + 2) % 3;
            for (int e = 0; e < 6; ++e) {
                float edge[3], cross[3];
                for (int j = 0; j < 3; ++j) edge[j] = edge_component(f, e, j);
                const float length = std::hypot(edge[b], edge[c]);
                cross[a] = 0;
                cross[b] = length > 0 ? -edge[c] / length : 0;
                cross[c] = length > 0 ? edge[b] / length : 0;
                axis[made++] = spanned(cross, f);
            }
        }
    }

private:
    /// The four edges through the eye, then right and up.
    static float edge_component(const textbook::Frustum& f, int e, int j) {
        if (e >= 4) return e == 4 ? f.right[j] : f.up[j];
        return f.forward[j] + (e % 2 == 0 ? -f.tan_x : f.tan_x) * f.right[j] + (e < 2 ? -f.tan_y : f.tan_y) * f.up[j];
    }

    static BoxAxis spanned(const float* n, const textbook::Frustum& f) {
        float low = std::numeric_limits<float>::infinity(), high = -low;
        for (int corner = 0; corner < 8; ++corner) {
            const float depth = corner < 4 ? f.near_depth : f.far_depth;
            float at = 0;
            for (int j = 0; j < 3; ++j) at += n[j] * (f.eye[j] + depth * edge_component(f, corner % 4, j));
            low = std::min(low, at), high = std::max(high, at);
        }
        return {{n[0], n[1], n[2]},
                {std::abs(n[0]), std::abs(n[1]), std::abs(n[2])},
                -0.5f * (low + high),
                0.5f * (high - low)};
    }
};

template <class Arch>
struct MaskedLoops {
    using Base = Loops<Arch>;
    using Lanes = typename Base::Lanes;
    using Mask = xsimd::batch_bool<float, Arch>;
    static constexpr std::size_t width = Base::width;
    /// What rounding makes of a gap of none, a thousand units from the eye.
    static constexpr float slack = 1e-4f;

    static Lanes load(const float* p) { return Base::load(p); }
    static Lanes clamp(Lanes x, Lanes low, Lanes high) { return xsimd::min(xsimd::max(x, low), high); }

    struct Vec {
        Lanes x, y, z;
    };
    static Lanes dot(const Vec& a, const Vec& b) { return xsimd::fma(a.x, b.x, xsimd::fma(a.y, b.y, a.z * b.z)); }
    static Vec cross(const Vec& a, const Vec& b) {
        return {xsimd::fms(a.y, b.z, a.z * b.y), xsimd::fms(a.z, b.x, a.x * b.z), xsimd::fms(a.x, b.y, a.y * b.x)};
    }

    /// The volume in its own frame: x to the right, y up, z the depth; numbers broadcast when they are used.
    struct Frame {
        const textbook::Frustum& f;
        float eye[3];  ///< right, up and forward . eye
        /// 1 / (1 + tan^2): a point's depth in proportion, when dropped onto a slanted facet or on their common edge.
        float shrink_x, shrink_y, shrink_edge;

        explicit Frame(const textbook::Frustum& frustum)
            : f(frustum),
              eye{},
              shrink_x(1 / (1 + f.tan_x * f.tan_x)),
              shrink_y(1 / (1 + f.tan_y * f.tan_y)),
              shrink_edge(1 / (1 + f.tan_x * f.tan_x + f.tan_y * f.tan_y)) {
            for (int j = 0; j < 3; ++j) {
                eye[0] += f.right[j] * f.eye[j];
                eye[1] += f.up[j] * f.eye[j];
                eye[2] += f.forward[j] * f.eye[j];
            }
        }
        static Lanes along(const float* axis, const Vec& v) {
            return xsimd::fma(Lanes(axis[0]), v.x, xsimd::fma(Lanes(axis[1]), v.y, Lanes(axis[2]) * v.z));
        }
        Vec direction(const Vec& v) const { return {along(f.right, v), along(f.up, v), along(f.forward, v)}; }
        Vec point(const Vec& p) const {
            const Vec v = direction(p);
            return {v.x - Lanes(eye[0]), v.y - Lanes(eye[1]), v.z - Lanes(eye[2])};
        }
        /// The volume is symmetric: its nearest point is in the point's own quarter.
        Vec point_in_quarter(const Vec& p) const {
            const Vec v = point(p);
            return {xsimd::abs(v.x), xsimd::abs(v.y), v.z};
        }
    };

    static Lanes squared(Lanes dx, Lanes dy, Lanes dz) { return dot({dx, dy, dz}, {dx, dy, dz}); }

    /// Squared distance of a point outside, x and y positive. The nearest point is on one of the quarter's rectangles,
    /// on one of its slanted facets or on the edge between these; each candidate lies in the volume.
    static Lanes squared_distance(const Frame& frame, const Vec& p) {
        const textbook::Frustum& f = frame.f;
        const Lanes zero(0.0f), near(f.near_depth), far(f.far_depth);
        const auto to_rectangle = [&](float depth) {
            return squared(xsimd::max(p.x - Lanes(depth * f.tan_x), zero),
                           xsimd::max(p.y - Lanes(depth * f.tan_y), zero), p.z - Lanes(depth));
        };
        // At the depth of the nearest point of the facet's plane, as far sideways as the facet reaches there.
        const auto to_facet = [&](Lanes across, Lanes along, float shrink, float tan_across, float tan_along) {
            const Lanes depth = clamp(xsimd::fma(across, Lanes(tan_across), p.z) * Lanes(shrink), near, far);
            return squared(xsimd::fnma(depth, Lanes(tan_across), across),
                           xsimd::max(xsimd::fnma(depth, Lanes(tan_along), along), zero), p.z - depth);
        };
        const auto to_edge = [&] {
            const Lanes along = xsimd::fma(p.x, Lanes(f.tan_x), xsimd::fma(p.y, Lanes(f.tan_y), p.z));
            const Lanes depth = clamp(along * Lanes(frame.shrink_edge), near, far);
            return squared(xsimd::fnma(depth, Lanes(f.tan_x), p.x), xsimd::fnma(depth, Lanes(f.tan_y), p.y),
                           p.z - depth);
        };
        const Lanes to_facets = xsimd::min(to_facet(p.x, p.y, frame.shrink_x, f.tan_x, f.tan_y),
                                           to_facet(p.y, p.x, frame.shrink_y, f.tan_y, f.tan_x));
        const Lanes to_rectangles = xsimd::min(to_rectangle(f.near_depth), to_rectangle(f.far_depth));
        return xsimd::min(xsimd::min(to_rectangles, to_facets), to_edge());
    }

    /// The same of any point, without candidates. At depth z the volume is a rectangle; the squared distance from it is
    /// convex in z, and half its derivative is the least of four rising lines: one for each choice of the sides that
    /// are exceeded, none included. So the derivative's root is the greatest of the lines' roots.
    static Lanes squared_distance_closed(const Frame& frame, const Vec& p) {
        const textbook::Frustum& f = frame.f;
        const Lanes zero(0.0f), tan_x(f.tan_x), tan_y(f.tan_y);
        const Lanes beyond_x = xsimd::fma(p.x, tan_x, p.z), beyond_y = xsimd::fma(p.y, tan_y, p.z);
        const Lanes depth = xsimd::max(
            xsimd::max(p.z, beyond_x * Lanes(frame.shrink_x)),
            xsimd::max(beyond_y * Lanes(frame.shrink_y), xsimd::fma(p.y, tan_y, beyond_x) * Lanes(frame.shrink_edge)));
        const Lanes inside = clamp(depth, Lanes(f.near_depth), Lanes(f.far_depth));
        return squared(xsimd::max(xsimd::fnma(inside, tan_x, p.x), zero),
                       xsimd::max(xsimd::fnma(inside, tan_y, p.y), zero), p.z - inside);
    }

    static void spheres_closed(const ExactVolume& volume, lanecull::Spheres s, std::uint64_t* visible) {
        const Frame frame(volume.frustum);
        for (std::size_t i = 0; i < s.count; i += width) {
            const Vec p = frame.point_in_quarter({load(s.x + i), load(s.y + i), load(s.z + i)});
            const Lanes radius = load(s.radius + i);
            Base::store(visible, i, squared_distance_closed(frame, p) <= radius * radius);
        }
    }

    static void spheres(const ExactVolume& volume, lanecull::Spheres s, std::uint64_t* visible) {
        const typename Base::WidePlanes planes(volume.planes);
        const Frame frame(volume.frustum);
        for (std::size_t i = 0; i < s.count; i += width) {
            const Vec p{load(s.x + i), load(s.y + i), load(s.z + i)};
            const Lanes radius = load(s.radius + i);
            Lanes worst = planes.distance(0, p.x, p.y, p.z);
            for (int k = 1; k < 6; ++k) worst = xsimd::max(worst, planes.distance(k, p.x, p.y, p.z));
            Mask kept = worst <= radius;
            const Mask open = kept & (worst > Lanes(0.0f));
            if (open.mask() != 0)
                kept = kept & (~open | (squared_distance(frame, frame.point_in_quarter(p)) <= radius * radius));
            Base::store(visible, i, kept);
        }
    }

    /// How far the box and the volume are apart on the axis that separates them most; negative when none does.
    static Lanes separation(const BoxAxes& axes, const Vec& centre, const Vec& half) {
        Lanes most(-std::numeric_limits<float>::infinity());
        for (const BoxAxis& a : axes.axis) {
            const Lanes at = xsimd::fma(
                Lanes(a.n[0]), centre.x,
                xsimd::fma(Lanes(a.n[1]), centre.y, xsimd::fma(Lanes(a.n[2]), centre.z, Lanes(a.minus_middle))));
            const Lanes reach =
                xsimd::fma(Lanes(a.abs_n[0]), half.x,
                           xsimd::fma(Lanes(a.abs_n[1]), half.y, xsimd::fma(Lanes(a.abs_n[2]), half.z, Lanes(a.half))));
            most = xsimd::max(most, xsimd::abs(at) - reach);
        }
        return most;
    }

    /// A box with its two ends where the planes left it open.
    static Mask box_exactly(const typename Base::WidePlanes& planes, const BoxAxes& axes, const Vec& low,
                            const Vec& high, Mask kept) {
        const Lanes one_half(0.5f);
        const Vec centre{one_half * (low.x + high.x), one_half * (low.y + high.y), one_half * (low.z + high.z)};
        Lanes worst = planes.distance(0, centre.x, centre.y, centre.z);
        for (int k = 1; k < 6; ++k) worst = xsimd::max(worst, planes.distance(k, centre.x, centre.y, centre.z));
        const Mask open = kept & (worst > Lanes(0.0f));
        if (open.mask() == 0) return kept;
        const Vec half{high.x - centre.x, high.y - centre.y, high.z - centre.z};
        return kept & (~open | (separation(axes, centre, half) <= Lanes(slack)));
    }

    static void boxes(const ExactVolume& volume, lanecull::Boxes b, std::uint64_t* visible) {
        const typename Base::WidePlanes planes(volume.planes);
        const typename Base::DeepestCorners corners(volume.planes, b);
        const BoxAxes axes(volume.frustum);
        for (std::size_t i = 0; i < b.count; i += width) {
            Lanes worst = corners.distance(planes, 0, i);
            for (int k = 1; k < 6; ++k) worst = xsimd::max(worst, corners.distance(planes, k, i));
            Mask kept = worst <= Lanes(0.0f);
            if (kept.mask() != 0)
                kept = box_exactly(planes, axes, {load(b.min_x + i), load(b.min_y + i), load(b.min_z + i)},
                                   {load(b.max_x + i), load(b.max_y + i), load(b.max_z + i)}, kept);
            Base::store(visible, i, kept);
        }
    }

    struct Box {
        Vec centre, axis[3], half;
    };

    /// The same for a box with axes of its own, everything in the volume's frame.
    static Lanes separation(const textbook::Frustum& f, const Box& box) {
        const Lanes zero(0.0f), tan_x(f.tan_x), tan_y(f.tan_y), near(f.near_depth), far(f.far_depth);
        Lanes most(-std::numeric_limits<float>::infinity());
        const auto try_axis = [&](const Vec& v, Lanes reach) {
            const Lanes at = dot(v, box.centre);
            const Lanes spread = xsimd::fma(xsimd::abs(v.x), tan_x, xsimd::abs(v.y) * tan_y);
            const Lanes most_at_1 = v.z + spread, least_at_1 = v.z - spread;
            const Lanes high = xsimd::max(near * most_at_1, far * most_at_1);
            const Lanes low = xsimd::min(near * least_at_1, far * least_at_1);
            most = xsimd::max(most, xsimd::max(at - high, low - at) - reach);
        };
        const Lanes half[3] = {box.half.x, box.half.y, box.half.z};
        Lanes shadow[3][6];  // |axis . edge|: four edges through the eye, right, up
        for (int k = 0; k < 3; ++k) {
            const Vec& u = box.axis[k];
            const Lanes sum = xsimd::fma(tan_x, u.x, tan_y * u.y), difference = xsimd::fms(tan_x, u.x, tan_y * u.y);
            const Lanes along[6] = {u.z - sum, u.z + difference, u.z - difference, u.z + sum, u.x, u.y};
            for (int e = 0; e < 6; ++e) shadow[k][e] = xsimd::abs(along[e]);
        }
        for (int k = 0; k < 3; ++k) {
            const Vec& u = box.axis[k];
            const int a = (k + 1) % 3, b = (k + 2) % 3;
            // The two other axes' reach on axis k x edge: a triple product of orthonormal axes and the edge.
            const auto reach = [&](int e) { return xsimd::fma(half[a], shadow[b][e], half[b] * shadow[a][e]); };
            const Lanes zx = u.z * tan_x, zy = u.z * tan_y, xy = u.x * tan_y, yx = u.y * tan_x;
            try_axis(u, half[k]);
            try_axis({u.y + zy, zero - zx - u.x, yx - xy}, reach(0));
            try_axis({u.y + zy, zx - u.x, zero - xy - yx}, reach(1));
            try_axis({u.y - zy, zero - zx - u.x, xy + yx}, reach(2));
            try_axis({u.y - zy, zx - u.x, xy - yx}, reach(3));
            try_axis({zero, u.z, zero - u.y}, reach(4));
            try_axis({zero - u.z, zero, u.x}, reach(5));
        }
        return most;
    }

    static void oriented_boxes(const ExactVolume& volume, OrientedBoxStreams b, std::uint64_t* visible) {
        const typename Base::WidePlanes planes(volume.planes);
        const Frame frame(volume.frustum);
        for (std::size_t i = 0; i < b.count; i += width) {
            const Vec centre{load(b.centre[0] + i), load(b.centre[1] + i), load(b.centre[2] + i)};
            const Vec half{load(b.half[0] + i), load(b.half[1] + i), load(b.half[2] + i)};
            Vec axis[3];
            for (int a = 0; a < 3; ++a)
                axis[a] = {load(b.axis[a][0] + i), load(b.axis[a][1] + i), load(b.axis[a][2] + i)};
            Lanes box_worst(-std::numeric_limits<float>::infinity()), centre_worst = box_worst;
            for (int k = 0; k < 6; ++k) {
                const Vec n{planes.normal[k][0], planes.normal[k][1], planes.normal[k][2]};
                const Lanes at = planes.distance(k, centre.x, centre.y, centre.z);
                const Lanes reach =
                    xsimd::fma(half.x, xsimd::abs(dot(n, axis[0])),
                               xsimd::fma(half.y, xsimd::abs(dot(n, axis[1])), half.z * xsimd::abs(dot(n, axis[2]))));
                centre_worst = xsimd::max(centre_worst, at);
                box_worst = xsimd::max(box_worst, at - reach);
            }
            Mask kept = box_worst <= Lanes(0.0f);
            const Mask open = kept & (centre_worst > Lanes(0.0f));
            if (open.mask() != 0) {
                const Box box{frame.point(centre),
                              {frame.direction(axis[0]), frame.direction(axis[1]), frame.direction(axis[2])},
                              half};
                kept = kept & (~open | (separation(volume.frustum, box) <= Lanes(slack)));
            }
            Base::store(visible, i, kept);
        }
    }

    static constexpr ExactLoops table = {spheres, spheres_closed, boxes, oriented_boxes};
};

}  // namespace
}  // namespace bench
