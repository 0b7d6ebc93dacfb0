#pragma once

/// Everything a lane loop calls is inlined by force: gcc otherwise outlines helpers and lambdas it sees more than once,
/// which sends every register through memory. It also keeps code of one instruction set out of the linker's hands.
#define LANE_INLINE inline __attribute__((always_inline))
#define LANE_LAMBDA __attribute__((always_inline))
