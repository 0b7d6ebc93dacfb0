#pragma once

/// Across the lanes: one, here.

namespace lanecull {
namespace {

LANE_INLINE FloatW load_some(const float* from, std::uint32_t) { return *from; }
LANE_INLINE FloatW lane_of(FloatW a, std::uint32_t) { return a; }
LANE_INLINE FloatW greatest_lane(FloatW a) { return a; }

}  // namespace
}  // namespace lanecull
