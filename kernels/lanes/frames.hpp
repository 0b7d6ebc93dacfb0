#pragma once

/// The coordinates that objects are loaded in.

#include "view/prepared_view.hpp"

#include "base/rounding_bound.hpp"
#include "lanes/inline.hpp"
#include "lanes/vec3w.hpp"

namespace lanecull {
namespace {

/// What axes are relative to: a sum of two floats, which no float need be.
struct OriginW {
    Vec3W high, low;
};
LANE_INLINE Vec3W zero3() {
    const FloatW zero = 0.0f;
    return {zero, zero, zero};
}

/// Relative coordinates: q = p - hi, world axes. The rest of the volume's apex, lo, is in the planes' offsets.
struct RelativeAxesW {
    Vec3W hi;
    LANE_INLINE explicit RelativeAxesW(const Frame& frame) : hi(broadcast3(frame.origin_hi)) {}
    [[nodiscard]] LANE_INLINE OriginW exact_origin() const { return {hi, zero3()}; }
    LANE_INLINE Vec3W relative(const Vec3W& p) const { return p - hi; }
    LANE_INLINE const Vec3W& turned(const Vec3W& q) const { return q; }
};

/// Objects' own coordinates, p.
struct OwnAxes {
    OwnAxes() = default;
    LANE_INLINE explicit OwnAxes(const Frame&) {}
    [[nodiscard]] static LANE_INLINE OriginW exact_origin() { return {zero3(), zero3()}; }
    LANE_INLINE const Vec3W& relative(const Vec3W& p) const { return p; }
};

/// A frame's coordinates: y = R ((p - hi) - lo). hi + lo is the volume's apex (or centre) in float64.
struct FrameAxesW {
    Vec3W hi, lo;
    UniformMatrix rotation;
    LANE_INLINE explicit FrameAxesW(const Frame& frame)
        : hi(broadcast3(frame.origin_hi)), lo(broadcast3(frame.origin_lo)), rotation(frame.rotation) {}
    [[nodiscard]] LANE_INLINE OriginW exact_origin() const { return {hi, lo}; }
    LANE_INLINE Vec3W relative(const Vec3W& p) const { return (p - hi) - lo; }
    LANE_INLINE Vec3W turned(const Vec3W& q) const { return rotation * q; }
};

/// What a test must add to its bound if it takes objects' own coordinates p in place of q: what 24 roundings of hi may
/// amount to.
inline float origin_rounding(const PreparedView& view) {
    float hi = 0;
    for (const float a : view.frame.origin_hi) hi += __builtin_fabsf(a);
    return 24 * unit_roundoff * hi;
}

}  // namespace
}  // namespace lanecull
