#pragma once

#include <lanecull/batch.h>
#include <cstdint>

#include "yardsticks/textbook_gjk.hpp"
#include "yardsticks/yardstick_planes.hpp"

/// The yardstick for exact culling: what an expert writes on top of the six planes. One loop over packs; where the
/// planes leave a lane of a pack open (not outside of one, centre not inside of all), the whole pack takes the exact
/// test under a mask. Nothing is compacted. Plain floats: no error bound, and everything else that the plane loops go
/// without.
namespace bench {

struct ExactVolume {
    SixPlanes planes;
    textbook::Frustum frustum;  ///< the same volume
};

/// Writes `count` bits, set when object and volume overlap. `count` is a multiple of 32.
struct ExactLoops {
    void (*spheres)(const ExactVolume&, lanecull::Spheres, std::uint64_t* visible);
    /// By a closed form for every lane: no planes, no slow path. What a view's symmetry can be worth.
    void (*spheres_closed)(const ExactVolume&, lanecull::Spheres, std::uint64_t* visible);
    void (*boxes)(const ExactVolume&, lanecull::Boxes, std::uint64_t* visible);
    void (*oriented_boxes)(const ExactVolume&, OrientedBoxStreams, std::uint64_t* visible);
};
extern const ExactLoops exact_loops_avx2;
extern const ExactLoops exact_loops_avx512;

}  // namespace bench
