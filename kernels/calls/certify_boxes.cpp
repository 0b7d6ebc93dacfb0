#include "calls/certify_boxes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "view/silhouettes.hpp"

namespace lanecull {
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
