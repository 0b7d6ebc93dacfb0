#pragma once

/// Everything a lane loop calls is inlined by force: gcc otherwise outlines helpers and lambdas it sees more than once,
/// which sends every register through memory. It also keeps code of one instruction set out of the linker's hands.
///
/// Locals that hold several lanes' worth (Vec3W and what is made of them) are not const here, though nothing changes
/// them: gcc 12 keeps a const object that a function returns in memory. Without it AVX2's straddling oriented boxes
/// take 22 % less time, hulls 13 to 18 %, AVX-512's 7 and 1 to 2 %.
#define LANE_INLINE inline __attribute__((always_inline))
#define LANE_LAMBDA __attribute__((always_inline))

namespace lanecull {
namespace {

/// The same object, of which nothing is known: what it holds is loaded where it is asked for. gcc otherwise loads what
/// a loop does not change before the loop, and where registers are too few for it, stores it, and loads it for every
/// use.
template <class T>
LANE_INLINE const T& loaded_anew(const T& object) {
    const T* same = &object;
    asm volatile("" : "+r"(same));
    return *same;
}

}  // namespace
}  // namespace lanecull
