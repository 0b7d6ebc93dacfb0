#pragma once

/// What pairs are made of: three forms of a core, all that supports read, and a radius around it.
///
///   RoundW  a segment and a ball    spheres, capsules
///   BoxW    three axes              boxes of every kind
///   HullsW  vertices                hull instances, each lane's of a hull of its own
///
/// A kind says which of them it takes (PairForm in cull/kind_traits.hpp), so all pairs of kinds take six of forms.
/// Of a kind that takes none, doubles decide all pairs (settle.cpp).

#include <cstdint>

#include <lanecull/batch.h>

#include "base/rounding_bound.hpp"
#include "cull/kind_hull.hpp"
#include "lanes/frames.hpp"
#include "lanes/gather.hpp"
#include "lanes/hull.hpp"
#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"
#include "lanes/vec3w.hpp"
#include "lanes/zonotope.hpp"
#include "pairs/bound.hpp"

namespace lanecull::pairs {
namespace {

/// Coordinates relative to a place of each lane's own.
struct RelativeToW {
    Vec3W origin;
    [[nodiscard]] LANE_INLINE OriginW exact_origin() const { return {origin, zero3()}; }
    LANE_INLINE Vec3W relative(const Vec3W& p) const { return p - origin; }
    LANE_INLINE const Vec3W& turned(const Vec3W& q) const { return q; }
};

/// Any objects of a batch, one a lane.
struct GatheredAnywhere {
    alignas(64) std::uint32_t index[lanes];

    [[nodiscard]] LANE_INLINE std::size_t object(std::size_t lane) const { return index[lane]; }
    /// Counts are below 2^31.
    LANE_INLINE FloatW operator()(const float* stream) const {
        return gather(stream, load(reinterpret_cast<const std::int32_t*>(index)));
    }
    template <std::size_t Floats>
    LANE_INLINE RecordsW<Floats> records(const float* from, std::size_t stride) const {
        if constexpr (lanes == 1) {
            return {from + index[0] * stride, IndexW(0)};
        } else {
            return RecordsW<Floats>([&](std::size_t lane) LANE_LAMBDA { return from + index[lane] * stride; });
        }
    }
    template <std::size_t Floats>
    LANE_INLINE RecordsW<Floats> records(const Records& of) const {
        return records<Floats>(of.first, numbers_apart(of.stride_bytes, Floats));
    }
    LANE_INLINE std::uint32_t hull_index(const HullInstances& s, std::uint32_t lane) const {
        return s.hull_index == nullptr ? 0 : s.hull_index[index[lane]];
    }
};

/// Around a core's centre, without its own ball: it is no larger than the one ball, and holds the other.
struct BallsW {
    FloatW outer, inner;
};

/// How far shapes spread, and which way: the sum of a a^T over their half-axes, symmetric. In coordinates in which that
/// is the identity they are round, more or less.
struct SpreadW {
    FloatW xx = 0.0f, yy = 0.0f, zz = 0.0f, xy = 0.0f, yz = 0.0f, zx = 0.0f;

    LANE_INLINE void add(const Vec3W& a) {
        xx = fma(a.x, a.x, xx), yy = fma(a.y, a.y, yy), zz = fma(a.z, a.z, zz);
        xy = fma(a.x, a.y, xy), yz = fma(a.y, a.z, yz), zx = fma(a.z, a.x, zx);
    }
    LANE_INLINE void add_ball(FloatW radius) {
        const FloatW square = radius * radius;
        xx = xx + square, yy = yy + square, zz = zz + square;
    }
    /// Normal of the plane halfway between two round shapes p apart, in those coordinates: the inverse times p, times
    /// the determinant.
    LANE_INLINE Vec3W normal_between(const Vec3W& p) const {
        Vec3W row[3] = {{xx, xy, zx}, {xy, yy, yz}, {zx, yz, zz}};
        return cross(row[1], row[2]) * p.x + cross(row[2], row[0]) * p.y + cross(row[0], row[1]) * p.z;
    }
};

/// The zonotope's ball is kept apart from it.
template <int Axes, bool Ball>
struct CoreW : ZonotopeW<Axes, Ball> {
    static constexpr bool is_round = Ball;
    static constexpr int count = roundings::zonotope, mixture_count = roundings::mixture;

    LANE_INLINE Vec3W support(const Vec3W& v, std::uint32_t) const { return this->core(v); }
    LANE_INLINE void move_to(const Vec3W& start, const Vec3W& way, FloatW time) { this->center = start + way * time; }
    LANE_INLINE const Vec3W& place() const { return this->center; }
    /// What turns about a centre: coordinates relative to it, added up.
    LANE_INLINE FloatW size_about(const Vec3W& of) const {
        FloatW size = one_norm(this->center - of);
        for (int k = 0; k < Axes; ++k) size = size + one_norm(this->axis[k]);
        return size;
    }
    /// ... as `start` is once it has moved and turned.
    template <class Turning>
    LANE_INLINE void turn_to(const CoreW& start, const Turning& turning) {
        this->center = turning.place(start.center);
        for (int k = 0; k < Axes; ++k) this->axis[k] = turning.rotation * start.axis[k];
    }
    LANE_INLINE void spread(SpreadW& to) const {
        for (int k = 0; k < Axes; ++k) to.add(this->axis[k]);
        if constexpr (Ball) to.add_ball(this->radius);
    }
    LANE_INLINE BallsW balls() const {
        Vec3W half = this->axis[0];
        half = {abs(half.x), abs(half.y), abs(half.z)};
        for (int k = 1; k < Axes; ++k) {
            const Vec3W& more = this->axis[k];
            half = half + Vec3W{abs(more.x), abs(more.y), abs(more.z)};
        }
        return {sqrt(dot(half, half)) * FloatW(1 + 0x1p-18f), FloatW(0.0f)};
    }
};
using RoundW = CoreW<1, true>;
using BoxW = CoreW<3, false>;

struct HullsW {
    static constexpr bool is_round = false;
    static constexpr int count = roundings::hull, mixture_count = roundings::hull_mixture;

    PlacementW placement;
    HullsOfLanes hulls;
    FloatW magnitude, vertex_magnitude;
    MaskW valid;
    Vec3W center;  // the mean vertex
    Vec3W half;    // of the bounds, not placed yet, nor are
    FloatW outer, inner;
    MaskW large = mask_of(0);  // set: columns are reduced by `part`, and vertices enlarged by it

    LANE_INLINE HullsW(const RelativeToW& axes, const HullInstances& s, const GatheredAnywhere& gathered) {
        hulls.hold(s, [&](std::uint32_t lane) LANE_LAMBDA { return gathered.hull_index(s, lane); });
        const HullBoundsW bounds = hulls.read_bounds();
        placement = PlacementW(axes, s, gathered, bounds.middle, hulls.away);
        valid = mask_of(hulls.valid) & placement.affine;
        Vec3W largest = bounds.largest();
        magnitude = placement.magnitude(largest);
        vertex_magnitude = largest.x + largest.y + largest.z;
        center = placement.place(bounds.mean);
        half = (bounds.high - bounds.low) * FloatW(0.5f);
        outer = bounds.outer, inner = bounds.inner;
        // What no vertex is multiplied by may be as large as it likes: scaled, it could be infinite.
        const FloatW zero(0.0f), of_axis[3] = {largest.x, largest.y, largest.z};
        for (int k = 0; k < 3; ++k) {
            Vec3W& column = placement.column[k];
            column = select(of_axis[k] > zero, column, {zero, zero, zero});
        }
    }

    /// Columns that scaling would make too large, as vertices far below 1 have them, give a part of it to the vertices.
    static constexpr float part = 0x1p44f;
    LANE_INLINE void rescale(FloatW scale) {
        const Vec3W(&a)[3] = placement.column;
        const FloatW reduced = scale * FloatW(1 / part), size = one_norm(a[0]) + one_norm(a[1]) + one_norm(a[2]);
        large = size * reduced > FloatW(0x1p60f);
        for (Vec3W& column : placement.column) column = column * select(large, reduced, scale);
        placement.offset = placement.offset * scale;
        center = center * scale;
        const FloatW enlarged = select(large, FloatW(part), FloatW(1.0f));
        half = half * enlarged;
        outer = outer * enlarged, inner = inner * enlarged;
    }
    static constexpr bool may_overflow = true;
    LANE_INLINE MaskW finite() const {
        return placement.finite() & (~large | (vertex_magnitude * FloatW(part) < FloatW(magnitude_limit)));
    }
    LANE_INLINE FloatW ball_radius() const { return FloatW(0.0f); }
    /// As HullW says. Where columns are reduced, directions are scaled to length 1 or so instead.
    LANE_INLINE FloatW underflow_magnitude() const {
        return vertex_magnitude * select(large, FloatW(0x1p-80f), FloatW(1e-17f));
    }
    LANE_INLINE void move_to(const Vec3W& start, const Vec3W& way, FloatW time) {
        placement.offset = start + way * time;
    }
    LANE_INLINE const Vec3W& place() const { return placement.offset; }
    LANE_INLINE FloatW size_about(const Vec3W& of) const {
        return one_norm(placement.offset - of) + (magnitude - placement.offset_magnitude);
    }
    template <class Turning>
    LANE_INLINE void turn_to(const HullsW& start, const Turning& turning) {
        placement.offset = turning.place(start.placement.offset);
        center = turning.place(start.center);
        for (int k = 0; k < 3; ++k) placement.column[k] = turning.rotation * start.placement.column[k];
    }

    LANE_INLINE void spread(SpreadW& to) const {
        to.add(placement.column[0] * half.x);
        to.add(placement.column[1] * half.y);
        to.add(placement.column[2] * half.z);
    }

    /// A's longest and shortest stretch are the roots of A^T A's eigenvalues, none of which is farther from its entry
    /// on the diagonal than the others of the row add up to (Gershgorin). Turned and scaled hulls are so all but exact.
    LANE_INLINE BallsW balls() const {
        constexpr float more = 1 + 0x1p-18f;  // far more than these few roundings
        const Vec3W(&a)[3] = placement.column;
        const FloatW square[3] = {dot(a[0], a[0]), dot(a[1], a[1]), dot(a[2], a[2])};
        const FloatW xy = abs(dot(a[0], a[1])), yz = abs(dot(a[1], a[2])), zx = abs(dot(a[2], a[0]));
        const FloatW beside[3] = {xy + zx, xy + yz, yz + zx};
        FloatW longest = square[0] + beside[0], shortest = square[0] - beside[0];
        for (int k = 1; k < 3; ++k) {
            longest = max(longest, square[k] + beside[k]);
            shortest = min(shortest, square[k] - beside[k]);
        }
        shortest = max(shortest - longest * FloatW(more - 1), FloatW(0.0f));
        // Squares of columns that only vertices as large as 1e15 make up for may be lost to underflow.
        // Squares that overflow make the sum infinite or NaN, which max() would drop.
        const MaskW sound =
            (longest > FloatW(1e-30f)) & (square[0] + square[1] + square[2] + xy + yz + zx < FloatW(magnitude_limit));
        const FloatW known = select(sound, sqrt(longest) * outer, FloatW(__builtin_inff()));
        const FloatW inside = select(sound, sqrt(shortest) * inner, FloatW(0.0f));
        return {known * FloatW(more), inside * FloatW(2 - more)};
    }

    LANE_INLINE Vec3W support(const Vec3W& v, std::uint32_t active) const {
        if (bits(large) != 0) [[unlikely]]
            return support_of_large(v, active);
        Vec3W w = {dot(v, placement.column[0]), dot(v, placement.column[1]), dot(v, placement.column[2])};
        return placement.place(hulls.farthest_by_lane(w, active));
    }

private:
    [[gnu::noinline]] Vec3W support_of_large(const Vec3W& given, std::uint32_t active) const {
        const FloatW one(1.0f);
        Vec3W v = given * select(large, exponent_scale(one_norm(given)), one);
        Vec3W w = {dot(v, placement.column[0]), dot(v, placement.column[1]), dot(v, placement.column[2])};
        return placement.place(hulls.farthest_by_lane(w, active) * select(large, FloatW(part), one));
    }
};

}  // namespace
}  // namespace lanecull::pairs
