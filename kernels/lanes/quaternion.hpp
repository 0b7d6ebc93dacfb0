#pragma once

/// Quaternions as axes.

#include <lanecull/batch.h>

#include "lanes/gather.hpp"
#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"
#include "lanes/vec3w.hpp"

namespace lanecull {
namespace {

/// (x, y, z, w).
struct QuaternionW {
    Vec3W v;
    FloatW w;

    LANE_INLINE QuaternionW(const Vec3W& v_, FloatW w_) : v(v_), w(w_) {}
    LANE_INLINE explicit QuaternionW(const RecordsW<4>& record) : v(record.three(0)), w(record.value[3]) {}
};

/// The columns of the rotation matrix of q / |q|.
struct QuaternionAxesW {
    Vec3W axis[3];
    MaskW valid;

    template <class Gathered>
    LANE_INLINE QuaternionAxesW(const Records& quaternions, const Gathered& gathered)
        : QuaternionAxesW(QuaternionW(gathered.template records<4>(quaternions))) {}

    explicit LANE_INLINE QuaternionAxesW(const QuaternionW& q) {
        const Vec3W& v = q.v;
        const FloatW w = q.w;
        const FloatW square = fma(v.z, v.z, fma(v.y, v.y, fma(v.x, v.x, w * w)));
        valid = (square > FloatW(1e-36f)) & (square < FloatW(1e36f));
        const FloatW inverse = FloatW(1.0f) / square, twice = inverse + inverse;
        // w^2 + a^2 - b^2 - c^2
        const auto diagonal = [&](FloatW a, FloatW b, FloatW c)
                                  LANE_LAMBDA { return fma(-c, c, fma(-b, b, fma(a, a, w * w))) * inverse; };
        const auto sum = [&](FloatW a, FloatW b, FloatW c) LANE_LAMBDA { return fma(a, b, c * w) * twice; };
        const auto difference = [&](FloatW a, FloatW b, FloatW c) LANE_LAMBDA { return fms(a, b, c * w) * twice; };
        axis[0] = {diagonal(v.x, v.y, v.z), sum(v.x, v.y, v.z), difference(v.x, v.z, v.y)};
        axis[1] = {difference(v.x, v.y, v.z), diagonal(v.y, v.x, v.z), sum(v.y, v.z, v.x)};
        axis[2] = {sum(v.x, v.z, v.y), difference(v.y, v.z, v.x), diagonal(v.z, v.x, v.y)};
    }
};

}  // namespace
}  // namespace lanecull
