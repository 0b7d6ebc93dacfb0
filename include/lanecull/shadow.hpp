#pragma once

#include <cstdint>
#include <span>

#include <lanecull/batch.hpp>
#include <lanecull/export.hpp>
#include <lanecull/light.hpp>
#include <lanecull/plane.hpp>
#include <lanecull/status.hpp>
#include <lanecull/view.hpp>

/// Shadow maps: where to cut a camera's view into cascades, the matrices to render them by, and what to render into
/// each.
///
/// Matrices and depths are chosen in doubles, and nothing is proved of them: any choice is right. What is culled by a
/// view that these functions prepare is culled by proof, as ever. Of a frame with a sun:
///
///   split_depths()        depths that part the camera's view into slices
///   cull()                the camera's view: visible words
///   visible_bounds()      a box around what is visible: the receivers
///   per slice:
///     fit_sun_map()               an orthographic matrix around the slice's receivers
///     prepare_cascade_casters()   a view of what casts shadows into them; cull() with it
///     prepare_covered()           of a finer map: what lies inside of its sides need not go into coarser ones
///
/// and of a lamp spot_map() or cube_map_face(), with prepare_view() and ViewOptions::lamp for the casters. All are
/// thread-safe, allocate nothing and fail, writing nothing, when an argument breaks its rule.
namespace lanecull {

/// A box in world coordinates; without end where a number is infinite, empty where some lower > upper.
struct WorldBox {
    double lower[3] = {0, 0, 0};
    double upper[3] = {0, 0, 0};
};

/// A box around all objects whose bits are set, with their sweeps and margins: rounded outward, so that it contains
/// them for certain. Without end where an object is invalid; empty where no bit is set. `visible` as
/// ViewOutput::visible. Some 10 ns a visible object.
LANECULL_API Status visible_bounds(std::span<const Batch> batches, std::span<const std::uint64_t> visible,
                                   WorldBox& bounds) noexcept;

/// depths[0] = near < depths[1] < ... < depths[n] = far: the ends of n = depths.size() - 1 slices, at least 1.
/// `logarithmic` 0: all of one length (uniform); 1: each reaching to the same multiple of where it begins; between:
/// that share of the one, the rest of the other (the practical split of Zhang, Sun, Xu and Lun, Parallel-Split Shadow
/// Maps for Large-scale Virtual Environments, 2006). 0 < near < far, both finite.
LANECULL_API Status split_depths(double near_depth, double far_depth, double logarithmic,
                                 std::span<double> depths) noexcept;

/// A perspective camera's view between two depths, measured along its view direction from where w is 0.
struct Slice {
    std::span<const double, 16> clip_from_world;
    ClipSpace clip_space;
    double near_depth = 0, far_depth = 0;  ///< near < far, both finite
};

/// The slice's half-spaces, besides the camera's own: clip planes for its view. Of slices that meet at a depth no point
/// is in neither.
LANECULL_API Status slice_planes(const Slice& slice, std::span<Plane, 2> planes) noexcept;
/// Its corners, x y z each; bit 0 of the index: right, bit 1: top, bit 2: far. Rounded.
LANECULL_API Status slice_corners(const Slice& slice, std::span<double, 24> corners) noexcept;

/// A matrix to render a shadow map by: column-major, depth 0 to 1, to be read with `clip_space`.
struct ShadowMap {
    double clip_from_world[16] = {};
    ClipSpace clip_space = {};
    /// The planes x and y of the map, each side's: left, right, bottom, top. Lamp::sides of a lamp's.
    Plane sides[4] = {};
    double texel = 0;  ///< width of a texel in world units; a lamp's: at distance 1
};

struct SunMapOptions {
    double toward[3] = {0, 0, 0};  ///< as Sun::toward
    /// Which way is up in the map; any but along `toward`.
    double up[3] = {0, 1, 0};
    std::uint32_t texels = 2048;  ///< of a side of the square map: 16 to 65,536
    /// Its size follows from the slice's shape alone and its place moves by whole texels, so that shadows do not
    /// shimmer while the camera moves and turns. Else it fits the receivers as tightly as its axes let it.
    bool stable = true;
};

/// An orthographic map around the slice's part in the box (the receivers'), from the farthest of it towards the sun to
/// the nearest: what stands before is to be clamped to depth 0 (depth clamp), as casters may.
LANECULL_API Status fit_sun_map(const Slice& slice, const WorldBox& receivers, const SunMapOptions& options,
                                ShadowMap& map) noexcept;

/// A view of what casts shadows into the slice's part in the box: `options.sun` or `options.lamp` is the light,
/// `options.clip_planes` at most 2. Exact. Where the box is empty, or has nothing of the slice, every object is culled.
/// What casters are there is also in the light's frustum, if that is around the same receivers: no second test is
/// needed.
LANECULL_API Status prepare_cascade_casters(const Slice& slice, const WorldBox& receivers, const ViewOptions& options,
                                            View& view) noexcept;

/// A view whose inside (ViewOutput::inside) holds what need not be rendered into coarser maps: objects whose shadow
/// lies wholly in what this map covers, because they lie between its four sides, `border` texels away from them at
/// least. For shading that takes the finest map that covers a point. (Proved as all that is said to lie inside.)
LANECULL_API Status prepare_covered(const ShadowMap& sun_map, double border, View& view) noexcept;

/// A perspective map of a lamp at `at` along `forward`, of any length, with `up` any but along it: half its width and
/// height at distance 1 are tan_x and tan_y, > 0. 0 < near < far.
LANECULL_API Status spot_map(const double (&at)[3], const double (&forward)[3], const double (&up)[3], double tan_x,
                             double tan_y, double near_depth, double far_depth, std::uint32_t texels,
                             ShadowMap& map) noexcept;
/// One of the six faces of a cube map, in the order +x -x +y -y +z -z and with the directions that Vulkan, Direct3D and
/// OpenGL sample it by: mirrored, and y of the clip space up where the map's rows begin, as Direct3D stores them.
LANECULL_API Status cube_map_face(const double (&at)[3], std::uint32_t face, double near_depth, double far_depth,
                                  std::uint32_t texels, ShadowMap& map) noexcept;

}  // namespace lanecull
