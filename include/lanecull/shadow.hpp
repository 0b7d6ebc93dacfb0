#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <lanecull/batch.hpp>
#include <lanecull/export.hpp>
#include <lanecull/light.hpp>
#include <lanecull/plane.hpp>
#include <lanecull/runner.hpp>
#include <lanecull/status.hpp>
#include <lanecull/view.hpp>
#include <lanecull/world_bounds.hpp>

/// Shadow maps: where to cut a camera's view into cascades, which matrices to render them with, and what to render into
/// each.
///
/// Matrices and depths are chosen in doubles, and nothing is proved about them: any choice is right. What is culled by
/// a view that these functions prepare is culled by proof, as always. A frame with a sun:
///
///   split_depths()        depths that part the camera's view into slices
///   cull()                the camera's view: visible words
///   slice_bounds()        a box around what is visible of each slice: its receivers
///   per slice:
///     fit_sun_map()               an orthographic matrix around the slice's receivers
///     prepare_cascade_casters()   a view of what casts shadows into them; cull() with it
///     prepare_covered()           of a finer map: what lies inside of its sides need not go into coarser ones
///
/// A frame with a lamp: spot_map() or cube_map_face(), with prepare_view() and ViewOptions::lamp for the casters;
/// prepare_caster_views() for many lamps and faces at once. All functions are thread-safe and allocate nothing. If an
/// argument breaks its rule they fail and write nothing.
namespace lanecull {

/// A box in world coordinates. It has no end where a number is infinite or NaN, and is empty if some lower > upper.
struct WorldBox {
    double lower[3] = {0, 0, 0};
    double upper[3] = {0, 0, 0};
};

/// A box around all objects whose bits are set, with their sweeps and margins. It is rounded outward, so that it
/// contains them for certain: by nothing for boxes given by their corners, else by at most 2^-17 of the sum of an
/// object's coordinates and sizes. It has no end, along no axis, if an object's shape, margin or sweep is invalid or
/// its numbers add up to 10^37 or more, and is empty if no bit is set. `visible` is laid out as Output::visible;
/// objects of words that are 0 are not read. The runner's tasks are 64 at most, of 8,192 objects at least. The result
/// does not depend on the runner; instruction sets may differ by the rounding.
///
/// Of a scene: in world coordinates, its batches' boxes moved by their origins and rounded outward. Bits of vacant
/// slots are 0. The runner is used once for each of the scene's stores: the objects of one kind, mobility and origin.
/// In a store of more than 16,384 slots, objects are not read whose block's box is within what has been found: the box
/// may then be smaller than that of the batches, by as much as rounding outward adds to an object.
LANECULL_API Status visible_bounds(const Objects& objects, std::span<const std::uint64_t> visible, WorldBox& bounds,
                                   const WorldBoundsOptions& options = {}) noexcept;

/// depths[0] = near < depths[1] < ... < depths[n] = far: the ends of n = depths.size() - 1 slices, at least 1.
/// `logarithmic` from 0 to 1 mixes two splits: 0 makes all slices equally long (uniform); 1 makes each slice end at the
/// same multiple of where it begins (logarithmic); between them it is the weight of the logarithmic one (the practical
/// split of Zhang, Sun, Xu and Lun, Parallel-Split Shadow Maps for Large-scale Virtual Environments, 2006).
/// 0 < near < far, both finite. Where no doubles are left between near and far, depths are equal.
LANECULL_API Status split_depths(double near_depth, double far_depth, double logarithmic,
                                 std::span<double> depths) noexcept;

/// A perspective camera's view between two depths, measured along its view direction from where w is 0.
struct Slice {
    std::span<const double, 16> clip_from_world;
    ClipSpace clip_space;
    double near_depth = 0, far_depth = 0;  ///< near < far, both finite
};

/// As visible_bounds(), for each of some slices of one camera's view, the objects read once: bounds[k] is a box around
/// those of the objects that may reach between depths[k] and depths[k + 1], measured as Slice's depths are. Objects are
/// left out of it only if they are proved to lie, hulls with their boxes, on the outer side of one of the two planes
/// that slice_planes() gives. `visible` is best the camera's own words; then a box may still be larger than one around
/// what a cull of its slice finds, by objects that are in view elsewhere only. (Culling four slices and bounding each
/// takes 3.7 times as long: a million boxes, half of them in view, AVX-512.) Depths are finite and grow; at most
/// `max_slices` slices, one more depth than bounds.
inline constexpr std::size_t max_slices = 8;
LANECULL_API Status slice_bounds(const Objects& objects, std::span<const std::uint64_t> visible,
                                 std::span<const double, 16> clip_from_world, const ClipSpace& clip_space,
                                 std::span<const double> depths, std::span<WorldBox> bounds,
                                 const WorldBoundsOptions& options = {}) noexcept;

/// The two half-spaces that bound the slice, besides the camera's own: clip planes for its view. If two slices meet at
/// a depth, every point there is in at least one of them.
LANECULL_API Status slice_planes(const Slice& slice, std::span<Plane, 2> planes) noexcept;
/// The slice's corners, x y z each, rounded. Bit 0 of the index: right, bit 1: top, bit 2: far.
LANECULL_API Status slice_corners(const Slice& slice, std::span<double, 24> corners) noexcept;

/// A matrix to render a shadow map with: column-major, depth 0 to 1, to be read with `clip_space`. engine_map() makes
/// one of a matrix that an engine has already.
struct ShadowMap {
    double clip_from_world[16] = {};
    ClipSpace clip_space = {};
    /// The planes of the map's four sides: left, right, bottom, top. For a lamp's map they serve as Lamp::sides.
    Plane sides[4] = {};
    double texel_size = 0;  ///< width of a texel in world units; of a perspective map, at distance 1
    bool is_perspective = false;
};

struct SunMapOptions {
    double toward[3] = {0, 0, 0};  ///< as Sun::toward
    /// Up in the map; any direction but along `toward`.
    double up[3] = {0, 1, 0};
    std::uint32_t texels = 2048;  ///< along each side of the square map: 16 to 65,536
    /// true: the map's size follows from the slice's shape alone, and its place moves by whole texels, so that shadows
    /// do not shimmer while the camera moves and turns. false: the map fits the receivers as tightly as its axes allow.
    bool stable = true;
};

/// An orthographic map around the part of the slice that is in the box (of the receivers). Its depth goes from the
/// part's end nearest to the sun to its other end. Casters may stand before that; render them with depth clamp, so that
/// they get depth 0.
LANECULL_API Status fit_sun_map(const Slice& slice, const WorldBox& receivers, const SunMapOptions& options,
                                ShadowMap& map) noexcept;

/// A view of what casts shadows into the part of the slice that is in the box. `options.sun` or `options.lamp` is the
/// light; `options.clip_planes` has at most 2 planes. The view is exact. If the box is empty, has nothing of the slice
/// in it, or clip planes leave nothing of the slice, the view sees nothing. The casters found are also in the light's
/// frustum, if that is around the same receivers, so no second test is needed.
LANECULL_API Status prepare_cascade_casters(const Slice& slice, const WorldBox& receivers, const ViewOptions& options,
                                            View& view) noexcept;

/// Prepares a view of what casts shadows into a camera's view for each of many lights. views[i] becomes, to the byte,
/// what prepare_view() makes of options[i]; what the lights share, the camera's planes and corners, is found once.
/// Each of the options has a light, and all have the same array of clip planes. A task of the runner prepares eight
/// views.
///
/// Fails, leaving all views untouched, if the arrays differ in length or are longer than `max_caster_views`, if one of
/// the options has no light or other clip planes than options[0], or as prepare_view() does. Messages about options
/// name options[i].
///
/// Thread-safe. Allocates nothing. A view takes some microseconds (benchmarks prepare/64_lamps_6_faces).
inline constexpr std::size_t max_caster_views = std::size_t{1} << 30;
LANECULL_API Status prepare_caster_views(std::span<const double, 16> clip_from_world, const ClipSpace& clip_space,
                                         std::span<const ViewOptions> options, std::span<View> views,
                                         const Runner& runner = {}) noexcept;

/// A view that finds what need not be rendered into coarser maps. An object in Output::inside of this view lies
/// between the map's four sides, at least `border` texels away from each; so its shadow lies wholly in what this map
/// covers. That is proved, like everything that is reported inside. For shading that takes the finest map that covers a
/// point. Fails if the map's texel is below 0 or NaN, or the border is not from 0 to 65,536 texels.
LANECULL_API Status prepare_covered(const ShadowMap& sun_map, double border, View& view) noexcept;

/// A perspective map of a lamp at `at` that looks along `forward`, of any length, with `up` in any direction but along
/// it. tan_x and tan_y, both > 0, are half the map's width and height at distance 1. 0 < near < far.
LANECULL_API Status spot_map(const double (&at)[3], const double (&forward)[3], const double (&up)[3], double tan_x,
                             double tan_y, double near_depth, double far_depth, std::uint32_t texels,
                             ShadowMap& map) noexcept;
/// One of the six faces of a cube map, in the order +x -x +y -y +z -z, with the directions by which Vulkan, Direct3D
/// and OpenGL sample it: mirrored, and with clip space's +y where the map's rows begin, as Direct3D stores them.
LANECULL_API Status cube_map_face(const double (&at)[3], std::uint32_t face, double near_depth, double far_depth,
                                  std::uint32_t texels, ShadowMap& map) noexcept;

/// The map of `width` times `height` texels that an engine draws with a matrix of its own. Its texel_size is that of
/// the wider of a texel's two sides. Of a matrix whose depth is -1 to 1 the map's has depth 0 to 1, rounded.
///
/// The casters into such a map are found by one view, of the camera with the light: a sun's map gives ViewOptions its
/// four sides as clip planes, a lamp's gives them to Lamp::sides. Shading that reads a shadow up to k texels away from
/// a point needs the casters into everything within k * texel_size of the view, under a perspective matrix within k *
/// texel_size * (the lamp's range): ViewOptions::margin. A sun's perspective matrix has no such range.
///
/// Sides and texels are rounded, not enclosed; any margin makes up for that. Fails if a side has not 16 to 65,536
/// texels, a number is not finite, or the matrix makes no map.
LANECULL_API Status engine_map(std::span<const double, 16> clip_from_world, const ClipSpace& clip_space,
                               std::uint32_t width, std::uint32_t height, ShadowMap& map) noexcept;

}  // namespace lanecull
