#include <algorithm>
#include <cmath>
#include <limits>

#include "base/interval.hpp"
#include "calls/layout.hpp"
#include "view/prepared_view.hpp"
#include "view/silhouettes.hpp"

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

namespace {

/// A box in relative coordinates.
struct Ends {
    double low[3], high[3];
};

/// Looks along several directions and keeps the one along which the box is farthest outside the volume.
class FarthestOutside {
public:
    FarthestOutside(const PreparedView& view, const Ends& box) : box_(box) {
        for (std::uint32_t k = 0; k < view.plane_count; ++k) look_along(view.exact_normal[k], view.offset[k]);
        for_each_outline(view, [&](const double(&n)[3], float offset) { look_along(n, offset); });
    }

    void write(Certificate& certificate) const {
        certificate.far_depth = std::numeric_limits<float>::infinity();
        std::copy(direction_, direction_ + 3, certificate.direction);
        // Reduced by a factor of 1 - 2^-20, which is more than the errors of `apart` itself. Culled objects are apart
        // from the volume, so their gap is above zero.
        const double apart = -least_ * (1 - 0x1p-20);
        certificate.gap = std::max(static_cast<float>(apart) * (1 - 0x1p-20f), std::numeric_limits<float>::min());
        certificate.steps = 1;
    }

private:
    void look_along(const double (&n)[3], float offset) {
        double value = static_cast<double>(offset);
        for (std::size_t j = 0; j < 3; ++j) value += n[j] * (n[j] > 0 ? box_.high[j] : box_.low[j]);
        const double distance = value / std::hypot(n[0], n[1], n[2]);
        if (!(distance < least_)) return;
        least_ = distance;
        std::copy(n, n + 3, direction_);
    }

    const Ends& box_;
    double least_ = std::numeric_limits<double>::infinity();
    double direction_[3] = {};
};

template <class EndsOf>
void certify(const PreparedView& view, const RangeTask& task, const EndsOf& ends_of) {
    for (std::uint32_t i = 0; i < task.count; ++i) {
        Certificate& certificate = task.certificates[i];
        if (certificate.reason != Reason::culled_gjk || certificate.steps != 0) continue;
        const std::uint32_t at = task.first + i;
        Ends box;
        for (std::size_t j = 0; j < 3; ++j) {
            const auto [low, high] = ends_of(at, j);
            const auto hi = static_cast<double>(view.frame.origin_hi[j]);
            box.low[j] = low - hi, box.high[j] = high - hi;
        }
        FarthestOutside(view, box).write(certificate);
    }
}

}  // namespace

void certify_boxes(const Boxes& boxes, const PreparedView& view, const RangeTask& task) {
    const float* const low[3] = {boxes.min_x, boxes.min_y, boxes.min_z};
    const float* const high[3] = {boxes.max_x, boxes.max_y, boxes.max_z};
    certify(view, task, [&](std::uint32_t i, std::size_t j) {
        return std::pair(static_cast<double>(low[j][i]), static_cast<double>(high[j][i]));
    });
}

void certify_boxes(const CenteredBoxes& boxes, const PreparedView& view, const RangeTask& task) {
    const float* const center[3] = {boxes.x, boxes.y, boxes.z};
    const float* const half[3] = {boxes.half_x, boxes.half_y, boxes.half_z};
    certify(view, task, [&](std::uint32_t i, std::size_t j) {
        const auto c = static_cast<double>(center[j][i]), h = static_cast<double>(half[j][i]);
        return std::pair(c - h, c + h);
    });
}

}  // namespace lanecull
