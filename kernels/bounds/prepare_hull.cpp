/// prepare_hull(): computes what a Hull carries besides the caller's vertices: its bounds, its mean and its balls.

#include <lanecull/batch.h>

#include <algorithm>
#include <cmath>

#include "base/failure.hpp"
#include "base/float_modes.hpp"
#include "bounds/hull_spheres.hpp"

namespace lanecull {
namespace {

constexpr std::uint32_t max_hull_vertices = 65535;

}  // namespace
}  // namespace lanecull

using namespace lanecull;

lanecull_status lanecull_prepare_hull(const float* x, const float* y, const float* z, uint32_t count,
                                      lanecull_hull* hull) noexcept {
    const FloatModes modes;
    if (hull == nullptr) return failure("hull: must not be null");
    if (x == nullptr || y == nullptr || z == nullptr) {
        return failure("%s: must not be null", lasting(x == nullptr ? "x" : y == nullptr ? "y" : "z"));
    }
    if (count < 1 || count > max_hull_vertices) {
        return failure("count: a hull has 1 to %u vertices, not %u", max_hull_vertices, count);
    }
    Hull result{x, y, z, count};
    const float* const streams[3] = {x, y, z};
    for (std::size_t k = 0; k < 3; ++k) {
        double sum = 0;
        result.lower[k] = result.upper[k] = streams[k][0];
        for (std::uint32_t j = 0; j < count; ++j) {
            const float value = streams[k][j];
            if (!std::isfinite(value)) return failure("%c[%u]: not finite", "xyz"[k], j);
            result.lower[k] = std::min(result.lower[k], value);
            result.upper[k] = std::max(result.upper[k], value);
            sum += static_cast<double>(value);
        }
        result.mean[k] = static_cast<float>(sum / count);
    }
    find_balls(result);
    *hull = result;
    return Status();
}
