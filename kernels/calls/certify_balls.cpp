#include "calls/certify_balls.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/interval.hpp"

namespace lanecull {
namespace {

struct Certifier {
    const PreparedView& view;
    double y[3] = {};  // the centre in view space
    double size = 0;   // sum of the magnitudes of the numbers that y is computed from

    Certifier(const PreparedView& view_, const float* const (&center)[3], std::uint32_t i) : view(view_) {
        const Frame& frame = view.frame;
        for (std::size_t j = 0; j < 3; ++j) {
            const double p = static_cast<double>(center[j][i]), hi = static_cast<double>(frame.origin_hi[j]);
            const double q = (p - hi) - static_cast<double>(frame.origin_lo[j]);
            for (std::size_t k = 0; k < 3; ++k) y[k] += static_cast<double>(frame.rotation[3 * k + j]) * q;
            size += std::fabs(p) + std::fabs(hi);
        }
    }

    /// The depth of the point that is nearest to the centre, of a perspective volume that is cut at depth `far`. The
    /// derivation is in cull/volume_distance.hpp.
    [[nodiscard]] double nearest_depth(double far) const {
        const double tan_x = slope(view.x_range, y[0]), tan_y = slope(view.y_range, y[1]);
        const double beyond_x = std::fabs(y[0]) * tan_x, beyond_y = std::fabs(y[1]) * tan_y;
        const double root =
            std::max({y[2], (y[2] + beyond_x) / (1 + tan_x * tan_x), (y[2] + beyond_y) / (1 + tan_y * tan_y),
                      (y[2] + beyond_x + beyond_y) / (1 + tan_x * tan_x + tan_y * tan_y)});
        return std::min(std::max(root, static_cast<double>(view.z_range[0])), far);
    }
    /// The slope of the side that `at` is towards.
    static double slope(const float (&range)[2], double at) {
        return static_cast<double>(at < 0 ? -range[0] : range[1]);
    }

    static double clamp(double at, const float (&range)[2], double by = 1) {
        return std::min(std::max(at, static_cast<double>(range[0]) * by), static_cast<double>(range[1]) * by);
    }

    void write(double radius, Certificate& certificate) const {
        const double reach = radius * static_cast<double>(view.frame.ball_scale);
        const double deepest = y[2] + reach + 0x1p-40 * (size + reach);
        certificate.far_depth = float_up(std::max(deepest, static_cast<double>(view.z_range[0])));
        const double far = std::min(static_cast<double>(certificate.far_depth), static_cast<double>(view.z_range[1]));
        const bool is_box = view.volume == VolumeKind::box;
        const double depth = is_box ? clamp(y[2], view.z_range) : nearest_depth(far), spread = is_box ? 1 : depth;
        const double way[3] = {clamp(y[0], view.x_range, spread) - y[0], clamp(y[1], view.y_range, spread) - y[1],
                               depth - y[2]};
        for (std::size_t j = 0; j < 3; ++j) {
            certificate.direction[j] = 0;
            for (std::size_t k = 0; k < 3; ++k) {
                certificate.direction[j] += static_cast<double>(view.frame.rotation[3 * k + j]) * way[k];
            }
        }
        const double* w = certificate.direction;
        const double apart = (way[0] * way[0] + way[1] * way[1] + way[2] * way[2]) / std::hypot(w[0], w[1], w[2]);
        const double error = 2 * static_cast<double>(view.apex_error) + 0x1p-40 * (size + reach);
        certificate.gap = float_down(std::max(apart - radius - error, static_cast<double>(least_gap)));
        certificate.steps = 1;
    }

    /// Culled objects are apart from the volume, so their gap is above zero.
    static constexpr float least_gap = std::numeric_limits<float>::min();
};

}  // namespace

void certify_balls(const Spheres& spheres, const PreparedView& view, const RangeTask& task) {
    const float* const center[3] = {spheres.x, spheres.y, spheres.z};
    for (std::uint32_t i = 0; i < task.count; ++i) {
        Certificate& certificate = task.certificates[i];
        if (certificate.reason != Reason::culled_gjk || certificate.steps != 0) continue;
        const std::uint32_t at = task.first + i;
        Certifier(view, center, at).write(static_cast<double>(spheres.radius[at]), certificate);
    }
}

}  // namespace lanecull
