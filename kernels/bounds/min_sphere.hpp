#pragma once

/// The smallest ball around up to five points, one of which is known to be on its boundary.

#include <cstddef>

#include "base/affine.hpp"

namespace lanecull {

struct Ball {
    Double3 center;
    double radius_squared = -1;  ///< negative: no ball
};

/// The points on a ball's boundary that determine it.
struct BallSupport {
    Double3 point[4];
    std::size_t count = 0;
};

/// The smallest ball that has all of the points on its boundary. No ball if they are not in general position.
///
/// Its centre is point[0] + sum of l_j e_j with e_j = point[j + 1] - point[0]. It is equally far from all points if,
/// for each i, the sum over j of l_j e_i . e_j is e_i . e_i / 2.
inline Ball circumscribed_ball(const BallSupport& s) noexcept {
    constexpr double least_pivot = 1e-12;
    const std::size_t n = s.count - 1;
    Double3 e[3];
    double a[3][4] = {}, l[3] = {};
    for (std::size_t i = 0; i < n; ++i) e[i] = s.point[i + 1] - s.point[0];
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) a[i][j] = dot(e[i], e[j]);
        a[i][3] = a[i][i] / 2;
    }
    // Gram matrices are positive definite, so elimination needs no exchange of rows.
    for (std::size_t i = 0; i < n; ++i) {
        if (!(a[i][i] > least_pivot * length_squared(e[i]))) return {};
        for (std::size_t r = i + 1; r < n; ++r) {
            const double factor = a[r][i] / a[i][i];
            for (std::size_t c = i; c < 4; ++c) a[r][c] -= factor * a[i][c];
        }
    }
    Double3 offset;
    for (std::size_t i = n; i-- > 0;) {
        l[i] = a[i][3];
        for (std::size_t j = i + 1; j < n; ++j) l[i] -= a[i][j] * l[j];
        l[i] /= a[i][i];
        offset = offset + e[i] * l[i];
    }
    return {s.point[0] + offset, length_squared(offset)};
}

/// The smallest ball around the support's points and one more. That one is outside of the support's ball and therefore
/// on the boundary of the new ball. `support` becomes the new ball's. If rounding leaves no ball, there is none, and
/// `support` stays as it was.
inline Ball smallest_ball_with(BallSupport& support, const Double3& added) noexcept {
    constexpr double tolerance = 1e-10;
    Ball smallest;
    BallSupport its_support = support;
    for (std::size_t chosen = 0; chosen < std::size_t{1} << support.count; ++chosen) {
        BallSupport candidate{{added}, 1};
        for (std::size_t i = 0; i < support.count && candidate.count < 4; ++i) {
            if (chosen >> i & 1) candidate.point[candidate.count++] = support.point[i];
        }
        const Ball ball = circumscribed_ball(candidate);
        bool contains_all = ball.radius_squared >= 0;
        for (std::size_t i = 0; i < support.count; ++i) {
            const double squared = length_squared(support.point[i] - ball.center);
            contains_all = contains_all && squared <= ball.radius_squared * (1 + tolerance);
        }
        if (contains_all && (smallest.radius_squared < 0 || ball.radius_squared < smallest.radius_squared)) {
            smallest = ball;
            its_support = candidate;
        }
    }
    support = its_support;
    return smallest;
}

}  // namespace lanecull
