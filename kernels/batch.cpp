/// What batches carry besides the caller's arrays: hulls' bounds and bounding spheres.

#include <lanecull/batch.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include "check.hpp"
#include "float_modes.hpp"
#include "records.hpp"

namespace lanecull {
namespace {

constexpr std::uint32_t max_hull_vertices = 65535;
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

/// At least x, for an x computed in double with a relative error far below 2^-40; NaN stays NaN.
float rounded_up(double x) {
    return std::nextafterf(static_cast<float>(x * (1 + 0x1p-40)), std::numeric_limits<float>::infinity());
}

}  // namespace

Status prepare_hull(const float* x, const float* y, const float* z, std::uint32_t count, Hull& hull) noexcept {
    const FloatModes modes;
    if (x == nullptr || y == nullptr || z == nullptr) {
        return Status::failure("%s: must not be null", x == nullptr ? "x" : y == nullptr ? "y" : "z");
    }
    if (count < 1 || count > max_hull_vertices) {
        return Status::failure("count: a hull has 1 to %u vertices, not %u", max_hull_vertices, count);
    }
    Hull result{x, y, z, count, {}, {}, {}};
    const float* const streams[3] = {x, y, z};
    for (std::size_t k = 0; k < 3; ++k) {
        double sum = 0;
        result.lower[k] = result.upper[k] = streams[k][0];
        for (std::uint32_t j = 0; j < count; ++j) {
            const float value = streams[k][j];
            if (!std::isfinite(value)) return Status::failure("%c[%u]: not finite", "xyz"[k], j);
            result.lower[k] = std::min(result.lower[k], value);
            result.upper[k] = std::max(result.upper[k], value);
            sum += static_cast<double>(value);
        }
        result.mean[k] = static_cast<float>(sum / count);
    }
    hull = result;
    return {};
}

Status bounding_radii(const OrientedBoxes& boxes, float* radius) noexcept {
    const FloatModes modes;
    if (boxes.count == 0) return {};
    if (Status status = check_records(boxes.axes, 9, "boxes.axes"); !status) return status;
    if (Status status = check_records(boxes.half_extents, 3, "boxes.half_extents"); !status) return status;
    if (boxes.x == nullptr || boxes.y == nullptr || boxes.z == nullptr) {
        return Status::failure("boxes.x, y, z: must not be null");
    }
    if (radius == nullptr) return Status::failure("radius: must not be null");
    for (std::uint32_t i = 0; i < boxes.count; ++i) {
        const float* axes = record(boxes.axes, 9, i);
        const float* half = record(boxes.half_extents, 3, i);
        bool valid = std::isfinite(boxes.x[i]) && std::isfinite(boxes.y[i]) && std::isfinite(boxes.z[i]);
        double farthest_squared = 0;
        // The corners come in opposite pairs: fix the first axis's sign.
        for (int corner = 0; corner < 4; ++corner) {
            double p[3];
            for (std::size_t j = 0; j < 3; ++j) {
                const auto reach = [&](std::size_t k) {
                    return static_cast<double>(half[k]) * static_cast<double>(axes[3 * k + j]);
                };
                p[j] = reach(0) + (corner & 1 ? reach(1) : -reach(1)) + (corner & 2 ? reach(2) : -reach(2));
                valid = valid && std::isfinite(p[j]) && half[j] >= 0;
            }
            farthest_squared = std::max(farthest_squared, p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
        }
        // The sums cancel at worst down to rounding errors of the largest extents, 2^-50 of them each.
        double extents = 0;
        for (std::size_t j = 0; j < 9; ++j) {
            extents += std::fabs(static_cast<double>(axes[j]) * static_cast<double>(half[j / 3]));
        }
        radius[i] = valid ? rounded_up(std::sqrt(farthest_squared) + extents * 0x1p-48) : not_a_number;
    }
    return {};
}

Status bounding_spheres(const HullInstances& s, float* x, float* y, float* z, float* radius) noexcept {
    const FloatModes modes;
    if (s.count == 0) return {};
    if (Status status = check_records(s.transforms, 12, "instances.transforms"); !status) return status;
    if (s.hulls == nullptr || s.hull_count == 0) return Status::failure("instances.hulls: there must be at least one");
    if (s.hull_index == nullptr && s.hull_count > 1) {
        return Status::failure("instances.hull_index: must not be null with %u hulls", s.hull_count);
    }
    if (x == nullptr || y == nullptr || z == nullptr || radius == nullptr) {
        return Status::failure("%s: must not be null", x == nullptr   ? "x"
                                                       : y == nullptr ? "y"
                                                       : z == nullptr ? "z"
                                                                      : "radius");
    }
    float* const center[3] = {x, y, z};
    for (std::uint32_t i = 0; i < s.count; ++i) {
        const std::uint32_t index = s.hull_index != nullptr ? s.hull_index[i] : 0;
        const float* m = record(s.transforms, 12, i);
        const Hull& hull = s.hulls[index < s.hull_count ? index : 0];
        double farthest_squared = 0, size = 0;
        for (std::size_t r = 0; r < 3; ++r) {
            double at = static_cast<double>(m[4 * r + 3]), reach = 0, magnitude = std::fabs(at);
            for (std::size_t c = 0; c < 3; ++c) {
                const double a = static_cast<double>(m[4 * r + c]);
                const double low = static_cast<double>(hull.lower[c]), high = static_cast<double>(hull.upper[c]);
                at += a * (low + high) / 2;
                reach += std::fabs(a) * (high - low) / 2;
                magnitude += std::fabs(a) * (std::fabs(low) + std::fabs(high));
            }
            center[r][i] = static_cast<float>(at);
            // From the centre as it is stored.
            const double off = reach + std::fabs(at - static_cast<double>(center[r][i])) + magnitude * 0x1p-48;
            farthest_squared += off * off;
            size += magnitude;
        }
        const bool valid = index < s.hull_count && std::isfinite(size);
        radius[i] = valid ? rounded_up(std::sqrt(farthest_squared)) : not_a_number;
    }
    return {};
}

}  // namespace lanecull
