#pragma once

/// W instances of hulls, as a shape with the hulls' vertices. cull/gjk_hulls.hpp makes packets of one hull where it
/// can.

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <lanecull/batch.h>

#include "base/rounding_bound.hpp"
#include "lanes/farthest_vertex.hpp"
#include "lanes/frames.hpp"
#include "lanes/gather.hpp"
#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"
#include "lanes/transforms.hpp"
#include "lanes/translation.hpp"
#include "lanes/vec3w.hpp"
#include "lanes/zonotope.hpp"
#include "view/prepared_view.hpp"

namespace lanecull {
namespace {

/// B = R A and b = R (A m + t - origin), for W instances with matrix A and translation t of vertices that are relative
/// to m, their hulls' middle. In relative coordinates R is the identity.
struct PlacementW {
    Vec3W column[3];
    Vec3W offset;
    FloatW offset_magnitude;
    FloatW column_magnitude[3];  // |A's column|_1
    MaskW affine;                // the transform is one

    PlacementW() = default;
    /// `away`, set: the lane's middle is not 0.
    template <class Axes, class Gathered>
    LANE_INLINE PlacementW(const Axes& axes, const HullInstances& s, const Gathered& gathered, const Vec3W& middle,
                           std::uint32_t away) {
        TransformW transform = transforms_of(s.transforms, gathered);
        affine = transform.affine;
        TranslationW t(axes, s.transforms, transform, gathered);
        away |= bits(t.cancels);
        if (away != 0) [[unlikely]] {
            PlacedPointW placed = place_middle(axes, s.transforms, gathered, middle);
            t.place = select(mask_of(away), placed.place, t.place);
            t.size = select(mask_of(away), one_norm(placed.place) + placed.lost, t.size);
        }
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

    /// |b|_1 + sum over l of |A's column l|_1 times the largest |x_l|, x relative to the middle. The tiny addend covers
    /// products that underflow: their error is relative to x alone.
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

private:
    /// Axes, indices and points are copied, so that the caller's may stay in registers.
    template <class Axes, class Gathered>
    [[gnu::noinline, gnu::pure]] static PlacedPointW place_middle(Axes axes, const Transforms& transforms,
                                                                  Gathered gathered, Vec3W middle) {
        return place_halfway(axes, transforms, gathered, middle, middle);
    }
};

/// What prepare_hull() found of a hull's vertices, lane by lane, relative to `middle`: at first 0, and the hull's
/// middle after center_on_middle().
///
/// A hull's middle is 0 but for axes along which all vertices are far from 0 for their extent. There it is halfway
/// between the outermost, so that vertices lie between half and twice of it: to subtract it from them rounds nothing.
struct HullBoundsW {
    Vec3W low, high, mean, middle;
    FloatW outer, inner;

    HullBoundsW() = default;
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
        middle = zero3();
    }
    /// Of one hull in all lanes.
    LANE_INLINE explicit HullBoundsW(const Hull& hull)
        : low(broadcast3(hull.lower)),
          high(broadcast3(hull.upper)),
          mean(broadcast3(hull.mean)),
          middle(zero3()),
          outer(hull.outer),
          inner(hull.inner) {}

    /// The lanes whose hulls have a middle other than 0.
    [[nodiscard]] LANE_INLINE std::uint32_t away() const { return bits(far(0) | far(1) | far(2)); }
    /// To be called only where away() is not 0: elsewhere it would subtract zeros.
    LANE_INLINE void center_on_middle() {
        const Vec3W at = center();
        const FloatW zero(0.0f);
        middle = {select(far(0), at.x, zero), select(far(1), at.y, zero), select(far(2), at.z, zero)};
        low = low - middle, high = high - middle, mean = mean - middle;
    }

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

private:
    /// Set: along axis k all vertices are far from 0 for their extent.
    [[nodiscard]] LANE_INLINE MaskW far(int k) const {
        const FloatW least[3] = {low.x, low.y, low.z}, largest[3] = {high.x, high.y, high.z};
        const FloatW half(0.5f), at = least[k] * half + largest[k] * half;
        return abs(at) * FloatW(0.75f) > largest[k] - least[k];
    }
};

/// The hulls of W instances.
struct HullsOfLanes {
    const Hull* hull[lanes];
    std::uint32_t valid = 0;  ///< set: the instance's hull exists; where not, hull 0 stands in
    std::uint32_t away = 0;   ///< set: it has a middle other than 0

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

    /// What is known of the hulls. Before this it is not known which of them are away.
    LANE_INLINE HullBoundsW read_bounds() { return centered(HullBoundsW(hull)); }

    /// The vertex farthest along w of each lane `asked`, relative to its middle, before it is placed, hull by hull.
    /// Nothing goes through memory: what is stored whole and loaded in parts, or the other way round, waits for the
    /// stores, a tenth of a pair's time.
    LANE_INLINE Vec3W farthest_by_lane(const Vec3W& w, std::uint32_t asked) const {
        if ((away & asked) != 0) [[unlikely]]
            return farthest_from_middles(w, asked);
        return farthest_of_each(w, asked, [](const Hull& of) LANE_LAMBDA { return HullVertices{of}; });
    }

protected:
    LANE_INLINE HullBoundsW centered(HullBoundsW bounds) {
        away = bounds.away();
        if (away != 0) [[unlikely]]
            bounds.center_on_middle();
        return bounds;
    }

private:
    /// `vertices_of(hull)` is how a hull's vertices are read.
    template <class VerticesOf>
    LANE_INLINE Vec3W farthest_of_each(const Vec3W& w, std::uint32_t asked, const VerticesOf& vertices_of) const {
        const FloatW zero(0.0f);
        Vec3W chosen = {zero, zero, zero};
        for (; asked != 0; asked &= asked - 1) {
            const auto lane = static_cast<std::uint32_t>(__builtin_ctz(asked));
            Vec3W along = {lane_of(w.x, lane), lane_of(w.y, lane), lane_of(w.z, lane)};
            const auto vertices = vertices_of(*hull[lane]);
            using Vertices = std::remove_const_t<decltype(vertices)>;
            Vec3W found = vertices.at(FarthestVertex<Vertices>{vertices, hull[lane]->count, along}());
            chosen = select(mask_of(1u << lane), found, chosen);
        }
        return chosen;
    }
    /// Apart from the loop above, which a call would make keep its vectors in memory.
    [[gnu::noinline]] Vec3W farthest_from_middles(Vec3W w, std::uint32_t asked) const {
        return farthest_of_each(w, asked, [](const Hull& of) LANE_LAMBDA {
            HullBoundsW bounds(of);
            bounds.center_on_middle();
            return HullVerticesFrom{{of}, bounds.middle};
        });
    }
};

/// The hulls of a packet, and how their vertices are read.
struct PacketHulls : HullsOfLanes {
    bool are_same = false;  ///< all lanes have the first one's hull

    /// Of one hull of at most 2 W vertices, relative to its middle. To read them from whole registers costs less than
    /// to gather them (three gathers of 16 lanes take 66 cycles of Zen 4, as many as 15 vertices take).
    const Hull* copied = nullptr;
    alignas(64) float copy[3][2 * lanes] = {};

    /// One hull in all lanes.
    LANE_INLINE void hold_one(const HullInstances& s, std::uint32_t index) {
        const bool exists = index < s.hull_count;
        are_same = true;
        valid = exists ? all_lanes : 0;
        for (const Hull*& each : hull) each = s.hulls + (exists ? index : 0);
    }
    template <class Index>
    LANE_INLINE void hold_each(const HullInstances& s, const Index& index) {
        are_same = false;
        hold(s, index);
    }

    /// As above. Before this the vertices cannot be read.
    LANE_INLINE HullBoundsW read_bounds() {
        if (!are_same) return HullsOfLanes::read_bounds();
        HullBoundsW bounds = centered(HullBoundsW(*hull[0]));
        if (copied != hull[0] && hull[0]->count <= 2 * lanes) [[unlikely]]
            copy_vertices(bounds.middle);
        return bounds;
    }

    /// The vertex farthest along w of each lane `asked`, relative to its middle, before it is placed; of several the
    /// first, whichever way they are looked for, so that an instance's verdict does not depend on its packet. Brute
    /// force, up to some 2,000 vertices less than hill climbing. Not inlined: GJK calls it in ten places.
    [[gnu::noinline]] Vec3W farthest(const Vec3W& w, std::uint32_t asked) const {
        // Vertices of one hull are broadcast to its instances, six instructions a vertex. Else each lane's hull is
        // read by itself, some seven for W vertices and 35 besides.
        const std::uint32_t count = hull[0]->count, lanes_asked = static_cast<std::uint32_t>(__builtin_popcount(asked));
        const bool broadcasts = are_same && 6 * count <= lanes_asked * (7 * count / lanes + 35);
        return broadcasts ? of_one(w) : farthest_by_lane(w, asked);
    }

private:
    [[gnu::noinline]] void copy_vertices(Vec3W from_middle) {
        const VectorsOfLanes middle(from_middle);
        copied = hull[0];
        const float* const vertices[3] = {copied->x, copied->y, copied->z};
        for (std::size_t k = 0; k < 3; ++k) {
            for (std::uint32_t j = 0; j < copied->count; ++j) copy[k][j] = vertices[k][j] - middle.number[k][0];
        }
    }
    LANE_INLINE Vec3W of_one(const Vec3W& w) const {
        const HullVertices vertices{*hull[0]};
        if (hull[0]->count <= 2 * lanes) {
            const IndexW j = farthest_of_one(w, [&](std::uint32_t at) LANE_LAMBDA {
                return Vec3W{FloatW(copy[0][at]), FloatW(copy[1][at]), FloatW(copy[2][at])};
            });
            return {gather_of_two(copy[0], j), gather_of_two(copy[1], j), gather_of_two(copy[2], j)};
        }
        if (away == 0) [[likely]]
            return of_many(w, vertices);
        HullBoundsW bounds(*hull[0]);
        bounds.center_on_middle();
        return of_many(w, HullVerticesFrom{vertices, bounds.middle});
    }
    template <class Vertices>
    LANE_INLINE Vec3W of_many(const Vec3W& w, const Vertices& vertices) const {
        return vertices.gathered(farthest_of_one(w, [&](std::uint32_t at) LANE_LAMBDA { return vertices.at(at); }));
    }
    /// Which of the one hull's vertices each lane has farthest.
    template <class Vertex>
    LANE_INLINE IndexW farthest_of_one(const Vec3W& w, const Vertex& vertex_at) const {
        FloatW best = dot(w, vertex_at(0)), vertex(0.0f), number(0.0f);
        const std::uint32_t count = hull[0]->count;
        for (std::uint32_t j = 1; j < count; ++j) {
            const FloatW value = dot(w, vertex_at(j));
            number = number + FloatW(1.0f);  // j, which to convert and broadcast takes three instructions
            vertex = select(value > best, number, vertex);
            best = max(value, best);
        }
        return to_index(vertex);
    }
};

/// W instances of hulls, with their vertices.
struct HullW {
    static LANE_INLINE float error_factor(const Frame&) { return error_per_magnitude(roundings::hull); }

    const PacketHulls* hulls;
    HullBoundsW bounds;
    PlacementW placement;
    Vec3W center;  // the mean vertex
    MaskW valid;
    FloatW magnitude;
    FloatW vertex_magnitude;

    template <class Axes>
    LANE_INLINE HullW(const Axes& axes, const HullInstances& s, const GatheredObjects& gathered, PacketHulls& of)
        : hulls(&of), bounds(of.read_bounds()), placement(axes, s, gathered, bounds.middle, of.away) {
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
