#pragma once

/// W instances of one hull, as a shape with the hull's vertices. stages/gjk_hulls.hpp makes packets of one hull.

#include <cstdint>

#include <lanecull/batch.hpp>
#include <lanecull/prepared_view.hpp>

#include "base/rounding_bound.hpp"
#include "lanes/gather.hpp"
#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"
#include "lanes/transforms.hpp"
#include "lanes/vec3w.hpp"
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

/// A hull, and its vertices for lanes to gather, one each. If the hull has no more than 2 W vertices, they are read
/// from a copy in whole registers, which costs less than a gather (three gathers of 16 lanes take 66 cycles of Zen 4,
/// as many as 15 vertices take).
struct HullVertices {
    const Hull* hull = nullptr;
    alignas(64) float copied[3][2 * lanes] = {};

    LANE_INLINE void hold(const Hull* wanted) {
        if (hull == wanted) return;
        hull = wanted;
        if (hull->count > 2 * lanes) return;
        for (std::uint32_t j = 0; j < hull->count; ++j) {
            copied[0][j] = hull->x[j];
            copied[1][j] = hull->y[j];
            copied[2][j] = hull->z[j];
        }
    }

    LANE_INLINE Vec3W operator[](IndexW j) const {
        if (hull->count > 2 * lanes) return {gather(hull->x, j), gather(hull->y, j), gather(hull->z, j)};
        return {gather_of_two(copied[0], j), gather_of_two(copied[1], j), gather_of_two(copied[2], j)};
    }
};

/// W instances of one hull.
struct HullW {
    static LANE_INLINE float error_factor(const Frame&) { return error_per_magnitude(roundings::hull); }

    const Hull* hull;
    const HullVertices* vertices;
    PlacementW placement;
    Vec3W center;  // the mean vertex
    MaskW valid;
    FloatW magnitude;
    FloatW vertex_magnitude;

    template <class Axes>
    LANE_INLINE HullW(const Axes& axes, const HullInstances& s, const GatheredObjects& gathered, const HullVertices& of)
        : hull(of.hull), vertices(&of), placement(axes, s, gathered) {
        const Hull& one = *hull;
        Vec3W low = broadcast3(one.lower), high = broadcast3(one.upper);
        Vec3W largest = {max(abs(low.x), abs(high.x)), max(abs(low.y), abs(high.y)), max(abs(low.z), abs(high.z))};
        magnitude = placement.magnitude(largest);
        vertex_magnitude = largest.x + largest.y + largest.z;
        center = placement.place(broadcast3(one.mean));
        valid = placement.affine;  // packets are made of valid indices only
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

    /// The extent of the image of the hull's box, which contains the instance.
    LANE_INLINE ExtentW extent() const {
        Vec3W low = broadcast3(hull->lower), high = broadcast3(hull->upper);
        const FloatW half(0.5f), zero(0.0f);
        const FloatW lost(0x1p-148f);  // by halving numbers of denormal size
        Vec3W box_half = high * half - low * half + Vec3W{lost, lost, lost};
        return placement.image(low * half + high * half, box_half, {zero, zero, zero}).extent();
    }

    /// Brute force over the vertices, each broadcast to all lanes: up to some 2,000 vertices this costs less than hill
    /// climbing.
    LANE_INLINE Vec3W support(const Frame&, const Vec3W& v) const {
        Vec3W w = {dot(v, placement.column[0]), dot(v, placement.column[1]), dot(v, placement.column[2])};
        const auto along = [&](std::uint32_t j) LANE_LAMBDA {
            return dot(w, Vec3W{FloatW(hull->x[j]), FloatW(hull->y[j]), FloatW(hull->z[j])});
        };
        FloatW best = along(0);
        FloatW vertex(0.0f);
        for (std::uint32_t j = 1; j < hull->count; ++j) {
            const FloatW value = along(j);
            vertex = select(value > best, FloatW(static_cast<float>(j)), vertex);
            best = max(value, best);
        }
        return placement.place((*vertices)[to_index(vertex)]);
    }
};

}  // namespace
}  // namespace lanecull
