#pragma once

#include <cstddef>
#include <cstdint>

#include <lanecull/batch.hpp>
#include <lanecull/export.hpp>
#include <lanecull/isa.hpp>
#include <lanecull/status.hpp>

/// Bounds of vertices, to make objects from; and bounds of objects, to make them cheap to cull.
///
/// All results are exact in one direction: what is said to be contained is contained in the set that the result's
/// floats define, whatever was rounded in between. All functions are thread-safe, allocate nothing, and fail before
/// anything is written. The caller's floating-point modes do not matter and are not changed.
namespace lanecull {

/// Vertices: vertex i is (x[i], y[i], z[i]) in three streams, or is read at a stride from records.
struct Vertices {
    const float* x = nullptr;
    const float* y = nullptr;
    const float* z = nullptr;
    std::uint32_t count = 0;  ///< at least 1
    /// Bytes from one vertex's number to the next vertex's, the same for x, y and z: a multiple of 4 up to 65,536. The
    /// default means three streams. For structs: {&v[0].x, &v[0].y, &v[0].z, count, sizeof(v[0])}.
    std::size_t stride_bytes = sizeof(float);
};

/// lower <= p <= upper, component by component; a box of Boxes.
struct BoxBounds {
    float lower[3] = {};
    float upper[3] = {};
};

/// |p - center| <= radius; one of Spheres.
struct SphereBounds {
    float center[3] = {};
    float radius = 0;
};

/// One of OrientedBoxes: center + sum over k of s_k half_extents[k] axes[k], |s_k| <= 1. The axes, 3 floats each, are
/// of length 1 and at right angles as far as floats go, right-handed.
struct OrientedBoxBounds {
    float center[3] = {};
    float axes[9] = {};
    float half_extents[3] = {};
};

/// The smallest axis-aligned box. Its corners' coordinates are coordinates of vertices.
///
/// This function and the next two fail, naming the argument, if a pointer is null, if the count is 0, if the stride
/// breaks its rule, or if a coordinate is not finite. They run on `isa` as CullOptions::isa says. A size or centre that
/// is beyond floats' range becomes infinite; then the object stays visible. Times are those of AVX-512 (benchmarks
/// bounds/). This function takes 0.2 ns a vertex from streams, 0.6 from records.
LANECULL_API Status bounding_box(const Vertices& vertices, BoxBounds& box, Isa isa = Isa::automatic) noexcept;

/// A sphere that contains every vertex: in most cases the smallest one, up to what rounding its centre to floats costs.
/// Takes some 10 passes over the vertices: 2 ns a vertex from streams, 8 from records (benchmarks bounds/sphere).
LANECULL_API Status bounding_sphere(const Vertices& vertices, SphereBounds& sphere, Isa isa = Isa::automatic) noexcept;

/// An oriented box that contains every vertex, fitted to vertices that are extreme in some 20 directions. It is not the
/// smallest, but never larger than bounding_box()'s, except for rounding. Takes some 25 passes over the vertices, 10 ns
/// a vertex from streams and 20 from records, plus 50 to 100 microseconds for the fit (benchmarks bounds/oriented_box).
LANECULL_API Status bounding_oriented_box(const Vertices& vertices, OrientedBoxBounds& box,
                                          Isa isa = Isa::automatic) noexcept;

/// Fills radius[0 .. count) so that the sphere around each box's centre contains the box. Radii are rounded up, by some
/// 2^-20 at most. An invalid box gets a NaN, which keeps it visible. `radius` must not overlap the batch. To be
/// called when objects change, not every frame.
LANECULL_API Status bounding_radii(const OrientedBoxes& boxes, float* radius) noexcept;

/// Fills the four arrays, `count` floats each, so that each sphere contains its instance: all of its local box under
/// its transform, or of the box around its hull. It is the sphere around that box's centre, with the distance of the
/// farthest corner for a radius, rounded up by some 2^-24; so it is the smallest one around a box, and not the smallest
/// one around a hull. The batch's own bounding streams are not looked at. Invalid instances get a radius of NaN, which
/// keeps them visible. The arrays must not overlap one another or the batch. Fails, and writes nothing, if the
/// instances break a rule of batch.hpp or if a pointer is null; the message names the argument. world_spheres()
/// (world_bounds.hpp) makes spheres of many boxes in lanes; where transforms shear, they are larger.
LANECULL_API Status bounding_spheres(const HullInstances& instances, float* x, float* y, float* z,
                                     float* radius) noexcept;
LANECULL_API Status bounding_spheres(const BoxInstances& instances, float* x, float* y, float* z,
                                     float* radius) noexcept;

}  // namespace lanecull
