#pragma once

#include <cstddef>
#include <cstdint>

#include <lanecull/batch.hpp>
#include <lanecull/export.hpp>
#include <lanecull/isa.hpp>
#include <lanecull/status.hpp>

/// Bounds: of vertices, to make objects of; and of objects, to make them cheap to cull.
///
/// All of it is exact in one direction: what is said to be contained is contained in the set that the result's floats
/// define, whatever was rounded on the way. Thread-safe; allocates nothing; fails before anything is written. The
/// caller's floating-point modes neither matter nor change.
namespace lanecull {

/// Vertices: vertex i is (x[i], y[i], z[i]), or further apart where the numbers lie in records.
struct Vertices {
    const float* x = nullptr;
    const float* y = nullptr;
    const float* z = nullptr;
    std::uint32_t count = 0;  ///< at least 1
    /// Distance from one vertex's number to the next one's, the same in each of the three: a multiple of 4 up to
    /// 65,536; three streams unless given. For structs: {&v[0].x, &v[0].y, &v[0].z, count, sizeof(v[0])}.
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

/// The smallest axis-aligned box: each vertex's coordinates are between the two, which are coordinates themselves.
///
/// This and the two below fail naming the argument when a pointer is null, the count 0, the stride none of those above,
/// or a coordinate not finite. They run on `isa`, as Options::isa says. A size or centre that is beyond floats' range
/// becomes infinite, and the object stays visible. Times are AVX-512's. This one: 0.2 ns a vertex from streams, 0.6
/// from records.
LANECULL_API Status bounding_box(const Vertices& vertices, BoxBounds& box, Isa isa = Isa::automatic) noexcept;

/// A sphere that contains every vertex: in most cases the smallest one, up to what rounding its centre to floats costs.
/// Some 10 passes over the vertices: 2 ns a vertex from streams, 8 from records.
LANECULL_API Status bounding_sphere(const Vertices& vertices, SphereBounds& sphere, Isa isa = Isa::automatic) noexcept;

/// An oriented box that contains every vertex, fitted to vertices that are extreme in some 20 directions: not the
/// smallest, never larger than bounding_box()'s (but for rounding). Some 25 passes over the vertices: 10 ns a vertex
/// from streams, 20 from records, and 50 to 100 microseconds for the fit.
LANECULL_API Status bounding_oriented_box(const Vertices& vertices, OrientedBoxBounds& box,
                                          Isa isa = Isa::automatic) noexcept;

/// Fills radius[0 .. count) so that the sphere around each box's centre contains the box, rounded up (at most some
/// 2^-20 too large). An invalid box gets a NaN, which keeps it visible. `radius` must not overlap the batch.
/// Costs about 10 ns an object; done when objects change, not every frame.
LANECULL_API Status bounding_radii(const OrientedBoxes& boxes, float* radius) noexcept;

/// Fills the four arrays (`count` floats each) so that each sphere contains its instance: the hull's box, transformed
/// (so not the smallest sphere). The batch's own bounding streams are not looked at. Invalid instances get NaN.
LANECULL_API Status bounding_spheres(const HullInstances& instances, float* x, float* y, float* z,
                                     float* radius) noexcept;

}  // namespace lanecull
