#pragma once

/// Boxes around objects, in doubles, which the layouts fill in.

#include <cmath>

#include <lanecull/batch.h>

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
    /// Around a box under a transform of rows_3x4. Returns the size of what is transformed.
    double place_under(const double (&m)[12], const double (&lower)[3], const double (&upper)[3]) {
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
        }
        return size;
    }
    /// Enlarged by more than the rounding bound of what is transformed may grow with the distance from its own origin.
    void place_with_room(const double (&m)[12], const double (&lower)[3], const double (&upper)[3]) {
        const double size = place_under(m, lower, upper);
        reach_all(0x1p-15 * size);
    }
    void reach_all(double by) {
        for (int j = 0; j < 3; ++j) reach(j, by);
    }
};

inline double wide(float f) noexcept { return static_cast<double>(f); }

}  // namespace lanecull
