#pragma once

/// Boxes around objects, in doubles, which the layouts fill in.

#include <cmath>
#include <limits>

#include <lanecull/batch.hpp>
#include <lanecull/transforms.hpp>

#include "base/transforms.hpp"

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
    /// Around a box under a transform of rows_3x4, and enlarged a little: the rounding bound of what is transformed
    /// grows with the distance from its own origin.
    void place_under(const double (&m)[12], const double (&lower)[3], const double (&upper)[3]) {
        double center[3], half[3], most[3];
        for (int c = 0; c < 3; ++c) {
            center[c] = (lower[c] + upper[c]) / 2;
            half[c] = (upper[c] - lower[c]) / 2;
            most[c] = std::fmax(std::fabs(lower[c]), std::fabs(upper[c]));
        }
        double at[3], size = 0;
        for (int r = 0; r < 3; ++r) {
            at[r] = m[4 * r + 3];
            for (int c = 0; c < 3; ++c) {
                at[r] += m[4 * r + c] * center[c];
                size += std::fabs(m[4 * r + c]) * most[c];
            }
        }
        place(at);
        for (int r = 0; r < 3; ++r) {
            for (int c = 0; c < 3; ++c) reach(r, std::fabs(m[4 * r + c]) * half[c]);
            magnitude[r] += std::fabs(m[4 * r + 3]) + size;
            reach(r, 0x1p-15 * size);
        }
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

    /// Around a box under transform i. The half-extents include the rounding error of the centre.
    static Reach under(const Transforms& transforms, std::size_t i, const double (&low)[3], const double (&high)[3]) {
        float rows[12];
        if (!rows_of(transforms, i, rows)) return of_invalid();
        double m[12], offset[3];
        for (std::size_t k = 0; k < 12; ++k) m[k] = static_cast<double>(rows[k]);
        offset_of(transforms, i, offset);
        Reach result;
        for (std::size_t k = 0; k < 3; ++k) {
            result.center[k] = m[4 * k + 3] + offset[k];
            result.half[k] = 0;
            for (std::size_t j = 0; j < 3; ++j) {
                const double a = m[4 * k + j];
                result.center[k] += a * (0.5 * (low[j] + high[j]));
                result.half[k] +=
                    std::fabs(a) * (0.5 * (high[j] - low[j]) + slack * (std::fabs(low[j]) + std::fabs(high[j])));
            }
            result.half[k] += slack * (std::fabs(m[4 * k + 3]) + std::fabs(offset[k]));
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
