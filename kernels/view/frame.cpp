#include "view/frame.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "base/rounding_bound.hpp"

namespace lanecull {

double origin_residue(const Frame& frame) {
    double sum = 0;
    for (const float lo : frame.origin_lo) sum += std::fabs(static_cast<double>(lo));
    return sum * static_cast<double>(unit_roundoff) * (1 + 0x1p-10);
}

Interval3 choose_origin(const Double3& near, Frame& frame) {
    const double guess[3] = {near.x, near.y, near.z};
    Interval c[3];
    for (std::size_t k = 0; k < 3; ++k) {
        frame.origin_hi[k] = static_cast<float>(guess[k]);
        frame.origin_lo[k] = static_cast<float>(guess[k] - static_cast<double>(frame.origin_hi[k]));
        c[k] = Interval(frame.origin_hi[k]) + Interval(frame.origin_lo[k]);
    }
    return {c[0], c[1], c[2]};
}

Interval3x3 choose_rotation(const Double3 (&axis)[3], Frame& frame) {
    Double3 row[3];
    for (std::size_t k = 0; k < 3; ++k) {
        const double values[3] = {axis[k].x, axis[k].y, axis[k].z};
        for (std::size_t j = 0; j < 3; ++j) frame.rotation[3 * k + j] = static_cast<float>(values[j]);
        row[k] = {frame.rotation[3 * k], frame.rotation[3 * k + 1], frame.rotation[3 * k + 2]};
    }
    double skew = 0, norm = 0;  // of R R^T: distance from the identity; a row sum, so norm >= |R|^2
    for (std::size_t i = 0; i < 3; ++i) {
        double sum = 0;
        for (std::size_t j = 0; j < 3; ++j) {
            const double product = dot(row[i], row[j]);
            skew = std::max(skew, std::fabs(product - (i == j ? 1 : 0)));
            sum += std::fabs(product);
        }
        norm = std::max(norm, sum);
    }
    frame.rigid = skew < 0x1p-20;
    frame.ball_scale = float_up(std::sqrt(norm) * (1 + 0x1p-40));
    return {{exactly(row[0]), exactly(row[1]), exactly(row[2])}};
}

Interval3x3 choose_rotation_along(const Double3& forward, Frame& frame) {
    const Double3 z = normalized(forward);
    const Double3 other = std::fabs(z.x) < 0.6 ? Double3{1, 0, 0} : Double3{0, 1, 0};
    const Double3 x = normalized(cross(other, z));
    return choose_rotation({x, cross(z, x), z}, frame);
}

/// The result is at least 1e-25, so that a lane's arithmetic with it never becomes subnormal. That would cost some 150
/// cycles each time.
float apex_error_of(double distance, const Frame& frame) {
    return float_up(std::max(next_up(distance + origin_residue(frame)), 1e-25));
}

}  // namespace lanecull
