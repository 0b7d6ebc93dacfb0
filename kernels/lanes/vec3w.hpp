#pragma once

/// W 3D vectors side by side.

#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"

namespace lanecull {
namespace {

struct Vec3W {
    FloatW x, y, z;
};

LANE_INLINE Vec3W broadcast3(const float (&v)[3]) { return {FloatW(v[0]), FloatW(v[1]), FloatW(v[2])}; }
LANE_INLINE Vec3W operator+(const Vec3W& a, const Vec3W& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
LANE_INLINE Vec3W operator-(const Vec3W& a, const Vec3W& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
LANE_INLINE Vec3W operator-(const Vec3W& a) { return {-a.x, -a.y, -a.z}; }
LANE_INLINE Vec3W operator*(const Vec3W& a, FloatW s) { return {a.x * s, a.y * s, a.z * s}; }
LANE_INLINE Vec3W select(MaskW mask, const Vec3W& a, const Vec3W& b) {
    return {select(mask, a.x, b.x), select(mask, a.y, b.y), select(mask, a.z, b.z)};
}
/// a + b s, one rounding where there is fused multiply-add, else two.
LANE_INLINE Vec3W plus_times(const Vec3W& a, const Vec3W& b, FloatW s) {
    return {fma(b.x, s, a.x), fma(b.y, s, a.y), fma(b.z, s, a.z)};
}
/// a, negated where s has its sign bit set.
LANE_INLINE Vec3W flip(const Vec3W& a, FloatW s) { return {flip(a.x, s), flip(a.y, s), flip(a.z, s)}; }

/// Each term passes at most three roundings, with or without fused multiply-add.
LANE_INLINE FloatW dot(const Vec3W& a, const Vec3W& b) { return fma(a.z, b.z, fma(a.y, b.y, a.x * b.x)); }
/// a . b + c: four roundings at most.
LANE_INLINE FloatW dot_plus(const Vec3W& a, const Vec3W& b, FloatW c) {
    return fma(a.z, b.z, fma(a.y, b.y, fma(a.x, b.x, c)));
}

LANE_INLINE Vec3W cross(const Vec3W& a, const Vec3W& b) {
    return {fms(a.y, b.z, a.z * b.y), fms(a.z, b.x, a.x * b.z), fms(a.x, b.y, a.y * b.x)};
}

/// |x| + |y| + |z|. Plain sums: unlike max, they keep a NaN.
LANE_INLINE FloatW one_norm(const Vec3W& a) { return abs(a.x) + abs(a.y) + abs(a.z); }
LANE_INLINE FloatW inf_norm(const Vec3W& a) { return max(max(abs(a.x), abs(a.y)), abs(a.z)); }

/// A vector that is the same for every lane, and the absolute values of its components.
struct NormalW : Vec3W {
    Vec3W size;
};

template <class Visit>
LANE_INLINE void visit3(Vec3W& v, const Visit& visit) {
    visit(v.x);
    visit(v.y);
    visit(v.z);
}

/// low <= p <= high, component by component.
struct ExtentW {
    Vec3W low, high;
};

/// A 3x3 matrix of floats, the same for every lane, row by row.
struct UniformMatrix {
    Vec3W row[3];

    LANE_INLINE explicit UniformMatrix(const float (&m)[9])
        : row{{FloatW(m[0]), FloatW(m[1]), FloatW(m[2])},
              {FloatW(m[3]), FloatW(m[4]), FloatW(m[5])},
              {FloatW(m[6]), FloatW(m[7]), FloatW(m[8])}} {}

    LANE_INLINE Vec3W operator*(const Vec3W& v) const { return {dot(row[0], v), dot(row[1], v), dot(row[2], v)}; }
    /// The transpose times v.
    LANE_INLINE Vec3W transposed(const Vec3W& v) const {
        return {fma(row[2].x, v.z, fma(row[1].x, v.y, row[0].x * v.x)),
                fma(row[2].y, v.z, fma(row[1].y, v.y, row[0].y * v.x)),
                fma(row[2].z, v.z, fma(row[1].z, v.y, row[0].z * v.x))};
    }
    LANE_INLINE Vec3W column_x() const { return {row[0].x, row[1].x, row[2].x}; }
    LANE_INLINE Vec3W column_y() const { return {row[0].y, row[1].y, row[2].y}; }
    LANE_INLINE Vec3W column_z() const { return {row[0].z, row[1].z, row[2].z}; }
};

}  // namespace
}  // namespace lanecull
