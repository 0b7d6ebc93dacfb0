#pragma once

#include <cmath>
#include <limits>

namespace lanecull {

/// A float that is at least x >= 0, and at most one or two steps above it. x was computed in doubles with a relative
/// error below 2^-41. 0 and NaN stay what they are; numbers too large for floats become infinity.
inline float rounded_up(double x) noexcept {
    const double bound = x * (1 + 0x1p-40);
    const float nearest = static_cast<float>(bound);
    return static_cast<double>(nearest) < bound ? std::nextafterf(nearest, std::numeric_limits<float>::infinity())
                                                : nearest;
}

}  // namespace lanecull
