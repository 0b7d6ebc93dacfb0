/// Moves a view's frames to another origin. Only the frames' origins and the errors change, for planes and support
/// mappings are relative to them.

#include "scene/rebase.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "base/interval.hpp"
#include "view/silhouettes.hpp"

namespace lanecull {
namespace {

/// Moves the frame. Returns a bound of |.|_1 of the distance between its new place and the true one, plus the part that
/// lo has in the rounding of (p - hi) - lo.
double move(Frame& frame, const double (&origin)[3]) {
    double off = 0;
    for (std::size_t j = 0; j < 3; ++j) {
        const double hi = static_cast<double>(frame.origin_hi[j]) - origin[j];
        const double place = hi + static_cast<double>(frame.origin_lo[j]);
        frame.origin_hi[j] = static_cast<float>(place);
        const double rest = place - static_cast<double>(frame.origin_hi[j]);
        frame.origin_lo[j] = static_cast<float>(rest);
        // Two sums in doubles and the rounding of lo to a float; then u |lo|.
        off += 0x1p-52 * (std::fabs(hi) + std::fabs(place)) + 0x1p-24 * std::fabs(rest) + 1e-40;
        off += 0x1p-24 * std::fabs(static_cast<double>(frame.origin_lo[j]));
    }
    return off;
}

/// A float above value + by, by >= 0.
float raised(double value, double by) { return float_up(next_up(value + by)); }

}  // namespace

PreparedView rebased(const PreparedView& view, const double (&origin)[3]) noexcept {
    PreparedView result = view;
    if (origin[0] == 0 && origin[1] == 0 && origin[2] == 0) return result;
    // All |R_ij| <= 1, and normals are at most 1 long. So |.|_1 of the error bounds its effect on any coordinate; it is
    // doubled to be safe.
    const double off = 2 * move(result.frame, origin);
    const double view_off = off * std::max(1.0, static_cast<double>(view.view_normal_one_norm));
    // Relative coordinates leave lo to the offsets (planes.cpp), so n . lo is taken out of an offset and n . lo' put
    // in. Normals are off by u of themselves, and an offset's rounding counts up to 32 u of it.
    const auto moved = [&](float offset, const double(&n)[3]) {
        double shift = 0, magnitude = 0;
        for (std::size_t j = 0; j < 3; ++j) {
            const auto lo = static_cast<double>(view.frame.origin_lo[j]);
            const auto moved_lo = static_cast<double>(result.frame.origin_lo[j]);
            shift += n[j] * (lo - moved_lo);
            magnitude += std::fabs(lo) + std::fabs(moved_lo);
        }
        return raised(static_cast<double>(offset) + shift, off + 0x1p-18 * magnitude);
    };
    for (std::uint32_t k = 0; k < view.plane_count; ++k) {
        result.offset[k] = moved(view.offset[k], view.exact_normal[k]);
        result.view_offset[k] = raised(static_cast<double>(view.view_offset[k]), view_off);
        result.inner_offset[k] = -raised(-static_cast<double>(view.inner_offset[k]), view_off);
    }
    for_each_outline(result, [&](const double(&n)[3], float& offset) { offset = moved(offset, n); });
    sort_planes(result);
    // Side slabs have the apex' error, times sqrt(3), and 2^-17 |lo| in `fixed`, both scaled by at most 1 + 2^-8
    // (side_slabs.cpp). The old |lo| stays in it.
    double lo = 0;
    for (const float part : result.frame.origin_lo) lo += std::fabs(static_cast<double>(part));
    result.sides.fixed = raised(static_cast<double>(view.sides.fixed), 2 * off + 0x1p-16 * lo);
    result.apex_error = raised(static_cast<double>(view.apex_error), off);
    if (view.has_eye != 0) result.eye_error = raised(static_cast<double>(view.eye_error), 2 * move(result.eye, origin));
    if (view.light_range > 0)
        result.light_error = raised(static_cast<double>(view.light_error), 2 * move(result.light, origin));
    return result;
}

}  // namespace lanecull
