#pragma once

/// Boxes around objects, in doubles, which the layouts fill in.

#include <cmath>
#include <limits>

#include <lanecull/batch.hpp>

namespace lanecull {

/// A box in doubles that grows around an object's parts. `magnitude` adds up the absolute values of all that was
/// summed, component by component. The box is off by less than 2^-48 of it.
struct WideBox {
    double low[3], high[3], magnitude[3];

    void place(const double (&center)[3]) {
        for (int j = 0; j < 3; ++j) {
            low[j] = high[j] = center[j];
            magnitude[j] = std::fabs(center[j]);
        }
    }
    void reach(int j, double by) {
        low[j] -= by;
        high[j] += by;
        magnitude[j] += by;
    }
    void reach_all(double by) {
        for (int j = 0; j < 3; ++j) reach(j, by);
    }
};

/// A box for visible_bounds(). It is of an invalid object if a number is not finite, or a half-extent below 0.
struct Reach {
    double center[3], half[3];

    static Reach between(const double (&lower)[3], const double (&upper)[3]) {
        Reach result;
        for (std::size_t k = 0; k < 3; ++k) {
            result.center[k] = 0.5 * (lower[k] + upper[k]);
            result.half[k] = 0.5 * (upper[k] - lower[k]);
        }
        return result;
    }

    /// Where no half-extent tells.
    static Reach of_invalid() {
        constexpr double nan = std::numeric_limits<double>::quiet_NaN();
        return {{nan, nan, nan}, {nan, nan, nan}};
    }

    /// Relative to the magnitudes that a bound is made of. A bound is a sum of some ten products, each rounded a few
    /// times.
    static constexpr double slack = 0x1p-46;
};

inline double wide(float f) noexcept { return static_cast<double>(f); }

}  // namespace lanecull
