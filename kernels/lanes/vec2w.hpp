#pragma once

/// W 2D vectors side by side.

#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"

namespace lanecull::flat {
namespace {

struct Vec2W {
    FloatW x, y;
};

LANE_INLINE Vec2W broadcast2(const float (&v)[2]) { return {FloatW(v[0]), FloatW(v[1])}; }
LANE_INLINE Vec2W operator+(const Vec2W& a, const Vec2W& b) { return {a.x + b.x, a.y + b.y}; }
LANE_INLINE Vec2W operator-(const Vec2W& a, const Vec2W& b) { return {a.x - b.x, a.y - b.y}; }
LANE_INLINE Vec2W operator-(const Vec2W& a) { return {-a.x, -a.y}; }
LANE_INLINE Vec2W operator*(const Vec2W& a, FloatW s) { return {a.x * s, a.y * s}; }
LANE_INLINE Vec2W select(MaskW mask, const Vec2W& a, const Vec2W& b) {
    return {lanecull::select(mask, a.x, b.x), lanecull::select(mask, a.y, b.y)};
}

/// Each term passes at most two roundings, with or without fused multiply-add.
LANE_INLINE FloatW dot(const Vec2W& a, const Vec2W& b) { return fma(a.x, b.x, a.y * b.y); }
LANE_INLINE FloatW dot_plus(const Vec2W& a, const Vec2W& b, FloatW c) { return fma(a.x, b.x, fma(a.y, b.y, c)); }
/// |x| + |y|. A plain sum: unlike max, it keeps a NaN.
LANE_INLINE FloatW one_norm(const Vec2W& a) { return abs(a.x) + abs(a.y); }
/// turned() is v times the complex number z, which turns and scales it. turned_back() is v times z's conjugate.
LANE_INLINE Vec2W turned(const Vec2W& z, const Vec2W& v) {
    return {fms(z.x, v.x, z.y * v.y), fma(z.x, v.y, z.y * v.x)};
}
LANE_INLINE Vec2W turned_back(const Vec2W& z, const Vec2W& v) {
    return {fma(z.x, v.x, z.y * v.y), fms(z.x, v.y, z.y * v.x)};
}
LANE_INLINE Vec2W perpendicular(const Vec2W& v) { return {-v.y, v.x}; }

}  // namespace
}  // namespace lanecull::flat
