#pragma once

#include <array>
#include <cmath>

/// Vectors of doubles, used to place cameras and objects.

using Double3 = std::array<double, 3>;

inline Double3 operator+(const Double3& a, const Double3& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
inline Double3 operator-(const Double3& a, const Double3& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
inline Double3 operator*(double s, const Double3& a) { return {s * a[0], s * a[1], s * a[2]}; }
inline double dot(const Double3& a, const Double3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
inline double length(const Double3& a) { return std::sqrt(dot(a, a)); }
inline Double3 cross(const Double3& a, const Double3& b) {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
