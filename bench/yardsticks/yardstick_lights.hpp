#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

/// What an expert writes for clustered lights: Persson's refinement of spheres ("Practical Clustered Shading", Just
/// Cause 3, Siggraph 2015), as Bevy has it. A light's ball is cut by the plane of a slice, then by that of a row of
/// tiles; what is left is a smaller ball, which is held against the planes between tiles, in lanes. Spotlights are also
/// held against the ball around each cell, in lanes. No rounding bound; cells that the light misses stay in.
namespace bench {

/// A symmetrical perspective camera and its cells.
struct ClusterGrid {
    float eye[3];
    float right[3], up[3], forward[3];
    float tan_x, tan_y;
    std::uint32_t nx, ny, nz;   ///< nx: a multiple of 16; ny: at most 31; nz: a multiple of 8
    std::vector<float> depths;  ///< nz + 1
};

/// Balls first, then spots, as streams.
struct ClusterLights {
    std::vector<float> x, y, z, range;
    std::vector<float> axis_x, axis_y, axis_z, tangent;  ///< of spots: unit axes, the half-angle's tangent
    std::uint32_t balls = 0;

    [[nodiscard]] std::uint32_t count() const { return static_cast<std::uint32_t>(x.size()); }
    [[nodiscard]] std::uint32_t spots() const { return count() - balls; }
};

/// Lists: lights of cell c are indices[offsets[c]] to indices[offsets[c + 1]]; cell (k ny + j) nx + i is slice k, row
/// j.
struct ClusterLists {
    std::vector<std::uint32_t> offsets, indices;
};

struct ClusterLoop {
    /// Makes what does not change from frame to frame: planes between tiles, and balls around cells.
    void* (*prepare)(const ClusterGrid& grid, const ClusterLights& lights);
    void (*run)(void* prepared, const ClusterGrid& grid, const ClusterLights& lights, ClusterLists& lists);
    void (*destroy)(void* prepared);
};
extern const ClusterLoop cluster_loop_avx2;
extern const ClusterLoop cluster_loop_avx512;

}  // namespace bench
