#pragma once

/// Boxes around objects, in doubles, which the layouts fill in.

#include <cmath>

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

inline double wide(float f) noexcept { return static_cast<double>(f); }

}  // namespace lanecull
