#pragma once

/// What GJK notes of its steps, lane by lane, for certificates: above all the direction that proved a lane apart.

#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"
#include "lanes/vec3w.hpp"

namespace lanecull {
namespace {

/// Notes nothing: for calls that do not ask for certificates.
struct NotTraced {
    LANE_INLINE void begin(FloatW, FloatW) {}
    LANE_INLINE void step(MaskW) {}
    LANE_INLINE void apart(MaskW, const Vec3W&, FloatW) {}
};

struct TraceW {
    Vec3W direction;  // in view space; counts where the lane is apart
    FloatW margin;    // where the lane is apart, below 0: dot(a, direction) with the bound added, in scaled coordinates
    FloatW scale;     // of the scaled coordinates
    FloatW far;       // the depth that the volume was cut at
    FloatW steps;

    LANE_INLINE void begin(FloatW scale_, FloatW far_) {
        const FloatW zero(0.0f);
        direction = {zero, zero, zero};
        margin = zero;
        steps = zero;
        scale = scale_;
        far = far_;
    }
    LANE_INLINE void step(MaskW active) { steps = select(active, steps + FloatW(1.0f), steps); }
    LANE_INLINE void apart(MaskW lanes_, const Vec3W& v, FloatW margin_) {
        direction = select(lanes_, v, direction);
        margin = select(lanes_, margin_, margin);
    }
};

}  // namespace
}  // namespace lanecull
