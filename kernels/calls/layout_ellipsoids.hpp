#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/transforms.hpp"
#include "calls/layout.hpp"
#include "calls/layout_oriented_boxes.hpp"
#include "calls/object_box.hpp"
#include "calls/wide_shape.hpp"

namespace lanecull {

struct EllipsoidLayout : LayoutDefaults {
    using Shapes = Ellipsoids;
    static constexpr Column<Ellipsoids> columns[] = {stream("x", &Ellipsoids::x),
                                                     stream("y", &Ellipsoids::y),
                                                     stream("z", &Ellipsoids::z),
                                                     bound_stream("bounding_radius", &Ellipsoids::bounding_radius, 3),
                                                     records("quaternions", &Ellipsoids::quaternions, 4),
                                                     records("half_axes", &Ellipsoids::half_axes, 3)};
    static constexpr Point points[] = {point_in_streams(0)};

    template <class Reader>
    static bool place(const Reader& read, WideBox& box) {
        double center[3], q[4], half[3], axes[9];
        read.three(0, center);
        read.record(4, q);
        read.record(5, half);
        const double square = axes_of(q, axes);
        box.place(center);
        for (int j = 0; j < 3; ++j) {
            double sum = 0;
            for (int k = 0; k < 3; ++k) sum += axes[3 * k + j] * half[k] * (axes[3 * k + j] * half[k]);
            box.reach(j, std::sqrt(sum));
            // Entries are differences of numbers up to 1.
            box.magnitude[j] += half[0] + half[1] + half[2];
        }
        // Well inside of what kernels take for a rotation in floats.
        return square > 1e-35 && square < 1e35 && half[0] >= 0 && half[1] >= 0 && half[2] >= 0;
    }

    /// Takes the bounding spheres.
    template <class Gatherer>
    static void gather(Gatherer& from) {
        from.balls();
    }
};

template <>
struct KindTraits<Ellipsoids> : KindDefaults<EllipsoidLayout> {
    static constexpr bool are_expensive = true;

    static WideShape wide_shape(const Ellipsoids& s, std::uint32_t i, const WideShape::Vector& origin) noexcept {
        WideShape shape;
        shape.set_center(WideShape::Vector{wide(s.x[i]), wide(s.y[i]), wide(s.z[i])} - origin);
        const float* const half = record(s.half_axes, 3, i);
        double q[4], axes[9];
        std::copy_n(record(s.quaternions, 4, i), 4, q);
        axes_of(q, axes);
        for (std::size_t k = 0; k < 3; ++k) {
            shape.set_axis(k, wide(half[k]) * WideShape::Vector{axes[3 * k], axes[3 * k + 1], axes[3 * k + 2]});
            shape.inner.size += wide(half[k]);  // an entry of the matrix is a difference of numbers up to 1
        }
        shape.inner.round_from = 0;
        return shape;
    }

    /// Their largest half-axes; of what is no ellipsoid NaN.
    static Status find_bounds(const Ellipsoids& s, float* const (&bounds)[4]) noexcept {
        for (std::uint32_t i = 0; i < s.count; ++i) {
            const float* const half = record(s.half_axes, 3, i);
            const float* const quaternion = record(s.quaternions, 4, i);
            double q[4], axes[9];
            std::copy_n(quaternion, 4, q);
            const double square = axes_of(q, axes);
            const bool valid = half[0] >= 0 && half[1] >= 0 && half[2] >= 0 && square > 1e-36 && square < 1e36;
            bounds[3][i] = valid ? std::max({half[0], half[1], half[2]}) : std::numeric_limits<float>::quiet_NaN();
        }
        return {};
    }
};

}  // namespace lanecull
