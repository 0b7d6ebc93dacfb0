#pragma once

/// W instances of hulls, as a shape with the hulls' vertices. stages/gjk_hulls.hpp makes packets of one hull where it
/// can.

#include <cstddef>
#include <cstdint>

#include <lanecull/batch.hpp>
#include <lanecull/prepared_view.hpp>

#include "base/rounding_bound.hpp"
#include "lanes/gather.hpp"
#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"
#include "lanes/transforms.hpp"
#include "lanes/vec3w.hpp"
#include "shapes/farthest_vertex.hpp"
#include "shapes/frames.hpp"
#include "shapes/translation.hpp"
#include "shapes/zonotope.hpp"

namespace lanecull {
namespace {

/// B = R A and b = R (t - origin), for W instances with matrix A and translation t. In relative coordinates R is the
/// identity.
struct PlacementW {
    Vec3W column[3];
    Vec3W offset;
    FloatW offset_magnitude;
    FloatW column_magnitude[3];  // |A's column|_1
    MaskW affine;                // the transform is one

    template <class Axes, class Gathered>
    LANE_INLINE PlacementW(const Axes& axes, const HullInstances& s, const Gathered& gathered) {
        TransformW transform = transforms_of(s.transforms, gathered);
        affine = transform.affine;
        TranslationW t(axes, s.transforms, transform, gathered);
        offset = axes.turned(t.place);
        offset_magnitude = t.size;
        for (int k = 0; k < 3; ++k) {
            Vec3W a = transform.column(k);
            column[k] = axes.turned(a);
            column_magnitude[k] = one_norm(a);
        }
    }

    /// B x + b
    LANE_INLINE Vec3W place(const Vec3W& x) const {
        const auto component = [&](FloatW bx, FloatW by, FloatW bz, FloatW b)
                                   LANE_LAMBDA { return fma(bz, x.z, fma(by, x.y, fma(bx, x.x, b))); };
        return {component(column[0].x, column[1].x, column[2].x, offset.x),
                component(column[0].y, column[1].y, column[2].y, offset.y),
                component(column[0].z, column[1].z, column[2].z, offset.z)};
    }

    /// |t - origin|_1 + sum over l of |A's column l|_1 times the largest |x_l|. The tiny addend covers products that
    /// underflow: their error is relative to x alone.
    LANE_INLINE FloatW magnitude(const Vec3W& largest) const {
        const auto size = [&](int k) LANE_LAMBDA { return column_magnitude[k] + FloatW(1e-30f); };
        return fma(size(0), largest.x, fma(size(1), largest.y, fma(size(2), largest.z, offset_magnitude)));
    }

    /// Set: the columns, which rescaling may have enlarged far beyond what they are multiplied by, are numbers, and so
    /// are their products with directions of up to 2^12.
    LANE_INLINE MaskW finite() const {
        constexpr float largest = 0x1p110f;
        return one_norm(column[0]) + one_norm(column[1]) + one_norm(column[2]) < FloatW(largest);
    }

    /// The image of a box: a parallelepiped.
    LANE_INLINE ZonotopeW<3, false> image(const Vec3W& box_center, const Vec3W& box_half, const Vec3W& largest) const {
        ZonotopeW<3, false> shape;
        shape.center = place(box_center);
        shape.axis[0] = column[0] * box_half.x;
        shape.axis[1] = column[1] * box_half.y;
        shape.axis[2] = column[2] * box_half.z;
        shape.magnitude = magnitude(largest);
        return shape;
    }
};

/// What prepare_hull() found of a hull's vertices, lane by lane.
struct HullBoundsW {
    Vec3W low, high, mean;
    FloatW outer, inner;

    /// Of W hulls. From lower to inner they stand side by side and are read as a record: sixteen scalar copies took a
    /// tenth of a pair's time.
    LANE_INLINE explicit HullBoundsW(const Hull* const (&hull)[lanes]) {
        static_assert(offsetof(Hull, upper) == offsetof(Hull, lower) + 3 * sizeof(float));
        static_assert(offsetof(Hull, mean) == offsetof(Hull, lower) + 6 * sizeof(float));
        static_assert(offsetof(Hull, outer) == offsetof(Hull, lower) + 9 * sizeof(float));
        static_assert(offsetof(Hull, inner) == offsetof(Hull, lower) + 10 * sizeof(float));
        const auto record = [&](std::size_t lane) LANE_LAMBDA {
            return reinterpret_cast<const float*>(reinterpret_cast<const char*>(hull[lane]) + offsetof(Hull, lower));
        };
        const auto all = [&]() LANE_LAMBDA {
            if constexpr (lanes == 1)
                return RecordsW<11>(record(0), IndexW(0));
            else
                return RecordsW<11>(record);
        };
        const RecordsW<11> bounds = all();
        low = bounds.three(0), high = bounds.three(3), mean = bounds.three(6);
        outer = bounds.value[9], inner = bounds.value[10];
    }
    /// Of one hull in all lanes.
    LANE_INLINE explicit HullBoundsW(const Hull& hull)
        : low(broadcast3(hull.lower)),
          high(broadcast3(hull.upper)),
          mean(broadcast3(hull.mean)),
          outer(hull.outer),
          inner(hull.inner) {}

    LANE_INLINE Vec3W largest() const {
        return {max(abs(low.x), abs(high.x)), max(abs(low.y), abs(high.y)), max(abs(low.z), abs(high.z))};
    }
    LANE_INLINE Vec3W center() const {
        const FloatW half(0.5f);
        return low * half + high * half;
    }
    LANE_INLINE Vec3W half() const {
        const FloatW half(0.5f);
        const FloatW lost(0x1p-148f);  // by halving numbers of denormal size, which columns may enlarge
        return high * half - low * half + Vec3W{lost, lost, lost};
    }
};

/// The hulls of W instances.
struct HullsOfLanes {
    const Hull* hull[lanes];
    std::uint32_t valid = 0;  ///< set: the instance's hull exists; where not, hull 0 stands in

    /// `index(lane)` is the index of lane `lane`'s hull.
    template <class Index>
    LANE_INLINE void hold(const HullInstances& s, const Index& index) {
        valid = 0;
        for (std::uint32_t lane = 0; lane < lanes; ++lane) {
            const std::uint32_t wanted = index(lane);
            const bool exists = wanted < s.hull_count;
            valid |= exists ? 1u << lane : 0u;
            hull[lane] = s.hulls + (exists ? wanted : 0);
        }
    }

    /// The vertex farthest along w of each lane `asked`, before it is placed, hull by hull. Nothing goes through
    /// memory: what is stored whole and loaded in parts, or the other way round, waits for the stores, a tenth of a
    /// pair's time.
    LANE_INLINE Vec3W farthest_by_lane(const Vec3W& w, std::uint32_t asked) const {
        const FloatW zero(0.0f);
        Vec3W chosen = {zero, zero, zero};
        for (; asked != 0; asked &= asked - 1) {
            const auto lane = static_cast<std::uint32_t>(__builtin_ctz(asked));
            const Hull& of = *hull[lane];
            const std::uint32_t vertex =
                FarthestVertex{of, {lane_of(w.x, lane), lane_of(w.y, lane), lane_of(w.z, lane)}}();
            Vec3W found = {FloatW(of.x[vertex]), FloatW(of.y[vertex]), FloatW(of.z[vertex])};
            chosen = select(mask_of(1u << lane), found, chosen);
        }
        return chosen;
    }
};

/// The hulls of a packet, and how their vertices are read.
struct PacketHulls : HullsOfLanes {
    bool are_same = false;  ///< all lanes have the first one's hull

    /// Of one hull of at most 2 W vertices. To read them from whole registers costs less than to gather them (three
    /// gathers of 16 lanes take 66 cycles of Zen 4, as many as 15 vertices take).
    const Hull* copied = nullptr;
    alignas(64) float copy[3][2 * lanes] = {};

    /// One hull in all lanes.
    LANE_INLINE void hold_one(const HullInstances& s, std::uint32_t index) {
        const bool exists = index < s.hull_count;
        are_same = true;
        valid = exists ? all_lanes : 0;
        for (const Hull*& each : hull) each = s.hulls + (exists ? index : 0);
        if (copied == hull[0] || hull[0]->count > 2 * lanes) return;
        copied = hull[0];
        for (std::uint32_t j = 0; j < copied->count; ++j) {
            copy[0][j] = copied->x[j];
            copy[1][j] = copied->y[j];
            copy[2][j] = copied->z[j];
        }
    }
    template <class Index>
    LANE_INLINE void hold_each(const HullInstances& s, const Index& index) {
        are_same = false;
        hold(s, index);
    }

    LANE_INLINE HullBoundsW bounds() const { return are_same ? HullBoundsW(*hull[0]) : HullBoundsW(hull); }

    /// The vertex farthest along w of each lane `asked`, before it is placed; of several the first, whichever way they
    /// are looked for, so that an instance's verdict does not depend on its packet. Brute force, up to some 2,000
    /// vertices less than hill climbing. Not inlined: GJK asks in ten places.
    [[gnu::noinline]] Vec3W farthest(const Vec3W& w, std::uint32_t asked) const {
        // Vertices of one hull are broadcast to its instances, six instructions a vertex. Else each lane's hull is
        // looked at by itself, some seven for W vertices and 35 besides.
        const std::uint32_t count = hull[0]->count, lanes_asked = static_cast<std::uint32_t>(__builtin_popcount(asked));
        const bool broadcasts = are_same && 6 * count <= lanes_asked * (7 * count / lanes + 35);
        return broadcasts ? of_one(w) : farthest_by_lane(w, asked);
    }

private:
    LANE_INLINE Vec3W of_one(const Vec3W& w) const {
        const Hull& one = *hull[0];
        const auto along = [&](std::uint32_t j) LANE_LAMBDA {
            return dot(w, Vec3W{FloatW(one.x[j]), FloatW(one.y[j]), FloatW(one.z[j])});
        };
        FloatW best = along(0), vertex(0.0f), number(0.0f);
        for (std::uint32_t j = 1; j < one.count; ++j) {
            const FloatW value = along(j);
            number = number + FloatW(1.0f);  // j, which to convert and broadcast takes three instructions
            vertex = select(value > best, number, vertex);
            best = max(value, best);
        }
        const IndexW j = to_index(vertex);
        if (one.count > 2 * lanes) return {gather(one.x, j), gather(one.y, j), gather(one.z, j)};
        return {gather_of_two(copy[0], j), gather_of_two(copy[1], j), gather_of_two(copy[2], j)};
    }
};

/// W instances of hulls, with their vertices.
struct HullW {
    static LANE_INLINE float error_factor(const Frame&) { return error_per_magnitude(roundings::hull); }

    const PacketHulls* hulls;
    PlacementW placement;
    Vec3W center;  // the mean vertex
    MaskW valid;
    FloatW magnitude;
    FloatW vertex_magnitude;

    template <class Axes>
    LANE_INLINE HullW(const Axes& axes, const HullInstances& s, const GatheredObjects& gathered, const PacketHulls& of)
        : hulls(&of), placement(axes, s, gathered) {
        const HullBoundsW bounds = of.bounds();
        Vec3W largest = bounds.largest();
        magnitude = placement.magnitude(largest);
        vertex_magnitude = largest.x + largest.y + largest.z;
        center = placement.place(bounds.mean);
        valid = placement.affine & mask_of(of.valid);
    }

    LANE_INLINE void rescale(FloatW scale) {
        for (Vec3W& column : placement.column) column = column * scale;
        placement.offset = placement.offset * scale;
    }
    static constexpr bool may_overflow = true;
    LANE_INLINE MaskW finite() const { return placement.finite(); }

    /// Where B is tiny and vertices are large, a product with B that underflows is off by 2^-150 of the vertex. This is
    /// within the bound if the fraction here of the vertex counts as magnitude, because directions are no shorter than
    /// least_direction.
    LANE_INLINE FloatW underflow_magnitude() const { return vertex_magnitude * FloatW(1e-17f); }

    /// The images of the boxes around the hulls' vertices, which contain the instances.
    LANE_INLINE ZonotopeW<3, false> box() const {
        const HullBoundsW bounds = hulls->bounds();
        const FloatW zero(0.0f);
        return placement.image(bounds.center(), bounds.half(), {zero, zero, zero});
    }
    LANE_INLINE ExtentW extent() const { return box().extent(); }

    LANE_INLINE Vec3W support(const Frame& frame, const Vec3W& v) const { return support(frame, v, all_lanes); }
    /// For the lanes `asked`; what the others get is nobody's.
    LANE_INLINE Vec3W support(const Frame&, const Vec3W& v, std::uint32_t asked) const {
        Vec3W w = {dot(v, placement.column[0]), dot(v, placement.column[1]), dot(v, placement.column[2])};
        return placement.place(hulls->farthest(w, asked));
    }
};

}  // namespace
}  // namespace lanecull
