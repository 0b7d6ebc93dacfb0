/// A solid box under a transform as a box of floats that lies in the image.

#include <lanecull/occluder.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "base/affine.hpp"
#include "base/float_modes.hpp"
#include "base/round_up.hpp"
#include "view/frame.hpp"

namespace lanecull {
namespace {

bool is_coordinate(float a) { return std::fabs(static_cast<double>(a)) <= coordinate_limit; }

bool is_sound(const SolidBox& box, const float (&transform)[12]) {
    bool sound = std::all_of(transform, transform + 12, is_coordinate);
    for (std::size_t k = 0; k < 3; ++k) {
        sound = sound && is_coordinate(box.min[k]) && is_coordinate(box.max[k]) && box.min[k] < box.max[k];
    }
    return sound;
}

}  // namespace

/// The result has the matrix's columns a_k as its axes. Its centre c is the image of the box's middle m, rounded: off
/// by d. A point c + sum s_k h_k a_k of it is the image of m + A^-1 d + sum s_k h_k e_k, so h_k may be as large as the
/// box's half extent less |(A^-1 d)_k|. By Cramer's rule that is |det(.., d, ..) / det A| <= |d| |a_i| |a_j| / |det A|.
OccluderRefusal place_solid(const SolidBox& box, const float (&transform)[12], SolidOrientedBox& placed) noexcept {
    const FloatModes modes;
    if (!is_sound(box, transform)) return OccluderRefusal::invalid;
    const auto column = [&](std::size_t k) {
        return Double3{static_cast<double>(transform[k]), static_cast<double>(transform[4 + k]),
                       static_cast<double>(transform[8 + k])};
    };
    const Double3 axis[3] = {column(0), column(1), column(2)};
    SolidOrientedBox result;
    Double3 off;  // at least what the centre is off by, component by component
    double* const off_by[3] = {&off.x, &off.y, &off.z};
    for (std::size_t row = 0; row < 3; ++row) {
        Interval center(transform[4 * row + 3]);
        for (std::size_t k = 0; k < 3; ++k) {
            result.axes[k][row] = transform[4 * row + k];
            const Interval twice_middle = Interval(box.min[k]) + Interval(box.max[k]);
            center = center + twice_middle * (0.5 * static_cast<double>(transform[4 * row + k]));
        }
        result.center[row] = static_cast<float>(center.mid());
        *off_by[row] = (Interval(result.center[row]) - center).magnitude();
    }
    const Interval volume = dot(exactly(axis[0]), cross(exactly(axis[1]), exactly(axis[2])));
    const double least_volume = volume.lo > 0 ? volume.lo : -volume.hi;
    if (!(least_volume > 0)) return OccluderRefusal::too_thin;
    for (std::size_t k = 0; k < 3; ++k) {
        const double others = length(axis[(k + 1) % 3]) * length(axis[(k + 2) % 3]);
        const double moved = length(off) * (others / least_volume) * (1 + 0x1p-40);
        const Interval half = (Interval(box.max[k]) - Interval(box.min[k])) * 0.5;
        const double left = next_down(half.lo - moved);
        if (!(left > 0)) return OccluderRefusal::too_thin;
        result.half_extents[k] = float_down(left);
        if (!(result.half_extents[k] > 0)) return OccluderRefusal::too_thin;
    }
    placed = result;
    return OccluderRefusal::none;
}

}  // namespace lanecull
