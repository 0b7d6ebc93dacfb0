#pragma once

#include <algorithm>
#include <cmath>

#include <lanecull/bounds.h>

#include "base/failure.hpp"
#include "base/transforms.hpp"
#include "calls/layout.hpp"
#include "calls/object_box.hpp"
#include "calls/wide_shape.hpp"

namespace lanecull {

/// What both layouts have in common. They differ in column 4.
struct OrientedBoxColumns : LayoutDefaults {
    using Shapes = OrientedBoxes;
    using C = Column<OrientedBoxes>;
    static constexpr C x = stream("x", &OrientedBoxes::x), y = stream("y", &OrientedBoxes::y),
                       z = stream("z", &OrientedBoxes::z),
                       radius = bound_stream("bounding_radius", &OrientedBoxes::bounding_radius, 3),
                       half_extents = records("half_extents", &OrientedBoxes::half_extents, 3);
    static constexpr Point points[] = {point_in_streams(0)};

    template <class Reader>
    static bool place_by(const Reader& read, const double (&axes)[9], WideBox& box) {
        double center[3], half[3];
        read.three(0, center);
        read.record(5, half);
        box.place(center);
        for (int k = 0; k < 3; ++k) {
            if (!(half[k] >= 0)) return false;
            for (int j = 0; j < 3; ++j) box.reach(j, std::fabs(axes[3 * k + j]) * half[k]);
        }
        return true;
    }

    /// Takes the bounding spheres.
    template <class Gatherer>
    static void gather(Gatherer& from) {
        from.balls();
    }
};

/// Columns of the rotation matrix of q / |q|, one axis after the other, and |q|^2. Of 0 they are NaN.
inline double axes_of(const double (&q)[4], double (&axes)[9]) noexcept {
    const double x = q[0], y = q[1], z = q[2], w = q[3], square = x * x + y * y + z * z + w * w;
    const double entries[9] = {
        w * w + x * x - y * y - z * z, 2 * (x * y + w * z),           2 * (x * z - w * y),
        2 * (x * y - w * z),           w * w + y * y - x * x - z * z, 2 * (y * z + w * x),
        2 * (x * z + w * y),           2 * (y * z - w * x),           w * w + z * z - x * x - y * y};
    for (std::size_t k = 0; k < 9; ++k) axes[k] = entries[k] / square;
    return square;
}

struct AxesBoxLayout : OrientedBoxColumns {
    static constexpr C columns[] = {x, y, z, radius, records("axes", &OrientedBoxes::axes, 9), half_extents};

    template <class Reader>
    static bool place(const Reader& read, WideBox& box) {
        double axes[9];
        read.record(4, axes);
        return place_by(read, axes, box);
    }
};

struct QuaternionBoxLayout : OrientedBoxColumns {
    static constexpr C columns[] = {x,           y, z, radius, records("quaternions", &OrientedBoxes::quaternions, 4),
                                    half_extents};

    template <class Reader>
    static bool place(const Reader& read, WideBox& box) {
        double q[4], axes[9];
        read.record(4, q);
        const double square = axes_of(q, axes);
        // Well inside of what kernels take for a rotation in floats.
        if (!(square > 1e-35 && square < 1e35) || !place_by(read, axes, box)) return false;
        // Entries are differences of numbers up to 1, so an axis may be off by a share of its length, not of the entry.
        double half[3];
        read.record(5, half);
        for (double& magnitude : box.magnitude) magnitude += half[0] + half[1] + half[2];
        return true;
    }
};

template <>
struct KindTraits<OrientedBoxes> : KindDefaults<AxesBoxLayout, QuaternionBoxLayout> {
    static constexpr bool are_expensive = true;

    static WideShape wide_shape(const OrientedBoxes& s, std::uint32_t i, const WideShape::Vector& origin) noexcept {
        WideShape shape;
        shape.set_center(WideShape::Vector{wide(s.x[i]), wide(s.y[i]), wide(s.z[i])} - origin);
        const float* const half = record(s.half_extents, 3, i);
        double axes[9];
        if (s.axes.first != nullptr) {
            std::copy_n(record(s.axes, 9, i), 9, axes);
        } else {
            double q[4];
            std::copy_n(record(s.quaternions, 4, i), 4, q);
            axes_of(q, axes);
            // An entry of the matrix is a difference of numbers up to 1.
            shape.inner.size += wide(half[0]) + wide(half[1]) + wide(half[2]);
        }
        for (std::size_t k = 0; k < 3; ++k) {
            shape.set_axis(k, wide(half[k]) * WideShape::Vector{axes[3 * k], axes[3 * k + 1], axes[3 * k + 2]});
        }
        return shape;
    }

    static std::size_t layout_of(const OrientedBoxes& s) noexcept { return s.axes.first == nullptr ? 1 : 0; }

    static Status check(const OrientedBoxes& s) noexcept {
        const std::span<const Column<OrientedBoxes>> columns =
            layout_of(s) == 0 ? AxesBoxLayout::columns : QuaternionBoxLayout::columns;
        if (Status status = check_columns(s, columns.first(3)); !status) return status;
        if ((s.axes.first == nullptr) == (s.quaternions.first == nullptr)) {
            return failure("axes.first, quaternions.first: one of the two must be null, the other not");
        }
        return check_columns(s, columns.subspan(3));
    }

    static Status find_bounds(const OrientedBoxes& s, float* const (&bounds)[4]) noexcept {
        return bounding_radii(s, bounds[3]);
    }
};

}  // namespace lanecull
