#pragma once

/// Slopes x / z (in orthographic views x) of what lights have in common with rows.

#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"

namespace lanecull {
namespace {

constexpr float beyond_all = 3e38f;  // boundaries are up to 1e38

/// Least and greatest slopes; beyond_all, -beyond_all if there are none.
struct SlopesW {
    FloatW low, high;
};
LANE_INLINE SlopesW no_slopes() { return {FloatW(beyond_all), FloatW(-beyond_all)}; }
LANE_INLINE SlopesW joined(const SlopesW& a, const SlopesW& b) { return {min(a.low, b.low), max(a.high, b.high)}; }
LANE_INLINE SlopesW where(MaskW which, const SlopesW& a) {
    return {select(which, a.low, FloatW(beyond_all)), select(which, a.high, FloatW(-beyond_all))};
}
LANE_INLINE SlopesW all_slopes() { return {FloatW(-beyond_all), FloatW(beyond_all)}; }

}  // namespace
}  // namespace lanecull
