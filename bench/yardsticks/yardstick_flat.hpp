#pragma once

#include <cstdint>

#include <lanecull/flat.h>

/// The yardsticks for 2D culling: what an expert writes who wants the four sides of a rectangle, one bit an
/// object, and nothing else. No error bound, no verdict about corners, no invalid objects, no tails, no statistics, no
/// choice of output.
namespace bench {

/// Outside of side k: normal[k] . p > offset[k]. Normals of length 1.
struct FourSides {
    float normal[4][2];
    float offset[4];
};

/// Writes `count` bits, set when no side has the object wholly outside. `count` is a multiple of 32.
struct SideLoops {
    void (*circles)(const FourSides&, lanecull::flat::Circles, std::uint64_t* visible);
    void (*boxes)(const FourSides&, lanecull::flat::Boxes, std::uint64_t* visible);
    /// The view being min x, min y, max x, max y: four comparisons.
    void (*boxes_in_rectangle)(const float (&view)[4], lanecull::flat::Boxes, std::uint64_t* visible);
};
extern const SideLoops side_loops_avx2;
extern const SideLoops side_loops_avx512;

}  // namespace bench
