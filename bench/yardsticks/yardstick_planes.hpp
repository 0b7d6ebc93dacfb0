#pragma once

#include <lanecull/batch.h>
#include <cstdint>

/// The yardstick for cull(): what an expert writes who wants six planes, one bit an object, and nothing else. No error
/// bound, no verdict about corners, no invalid objects, no tails, no statistics, no choice of output.
namespace bench {

/// Outside of plane k: normal[k] . p > offset[k]. Normals of length 1.
struct SixPlanes {
    float normal[6][3];
    float offset[6];
};

/// Oriented boxes as streams, the layout that suits a loop that reads every number of every object.
struct OrientedBoxStreams {
    const float* centre[3];
    const float* axis[3][3];  ///< [which axis][component]
    const float* half[3];
    std::uint32_t count;
};

/// Writes `count` bits, set when no plane has the object wholly outside. `count` is a multiple of 32.
/// Batches come by value: a store to `visible` then cannot alias their pointers, which stay in registers.
struct PlaneLoops {
    void (*spheres)(const SixPlanes&, lanecull::Spheres, std::uint64_t* visible);
    void (*boxes)(const SixPlanes&, lanecull::Boxes, std::uint64_t* visible);
    void (*oriented_boxes)(const SixPlanes&, OrientedBoxStreams, std::uint64_t* visible);
    /// The box around the boxes whose bits are set, not rounded.
    void (*bounds)(lanecull::Boxes, const std::uint64_t* visible, float (&low)[3], float (&high)[3]);
};
extern const PlaneLoops plane_loops_avx2;
extern const PlaneLoops plane_loops_avx512;

}  // namespace bench
