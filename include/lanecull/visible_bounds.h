#pragma once

/// Boxes around what a view sees: what receives light and shadows.

#include <lanecull/bounds.h>
#include <lanecull/cull.h>
#include <lanecull/types.h>
#include <lanecull/view.h>

/// A box in world coordinates. It has no end where a number is infinite or NaN, and is empty if some lower > upper.
LANECULL_STRUCT(WorldBox, world_box) {
    double lower[3] LANECULL_0;
    double upper[3] LANECULL_0;
};
LANECULL_LAYOUT(world_box, 48)

/// Slices of one call of lanecull_slice_bounds().
#define LANECULL_MAX_SLICES 8u

LANECULL_C_BEGIN
/// A box around all objects whose bits are set, with their sweeps and margins. It is rounded outward, so that it
/// contains them for certain: by nothing for boxes given by their corners, else by at most 2^-16 of the sum of an
/// object's coordinates and sizes. It has no end, along no axis, if an object's shape, margin or sweep is invalid or
/// its numbers add up to 10^37 or more, and is empty if no bit is set. `visible` is laid out as Output::visible;
/// objects of words that are 0 are not read. The runner's tasks are 64 at most, of 8,192 objects at least. The result
/// does not depend on the runner; instruction sets may differ by the rounding.
///
/// For a scene: in world coordinates, its batches' boxes moved by their origins and rounded outward. Bits of vacant
/// slots are 0. The runner is used once for each of the scene's stores: the objects of one kind, mobility and origin.
/// In a store of more than 16,384 slots, objects are not read whose block's box is within what has been found: the box
/// may then be smaller than that of the batches, by as much as rounding outward adds to an object.
LANECULL_API lanecull_status lanecull_visible_bounds(const lanecull_objects* objects, const uint64_t* visible,
                                                     size_t visible_words, const lanecull_world_bounds_options* options,
                                                     lanecull_world_box* bounds) LANECULL_NOEXCEPT;

/// As lanecull_visible_bounds(), for each of some slices of one camera's view, the objects read once: bounds[k] is a
/// box around those of the objects that may reach between depths[k] and depths[k + 1], measured as Slice's depths
/// (shadow.h) are. Objects are left out of it only if they are proved to lie, hulls with their boxes, on the outer side
/// of one of the two planes that lanecull_slice_planes() gives. `visible` is best the camera's own words; then a box
/// may still be larger than one around what a cull of its slice finds, by objects that are in view elsewhere only.
/// clip_from_world has 16 numbers, read as `clip_space` says (null: as lanecull_prepare_view() does). Depths are finite
/// and grow; at most LANECULL_MAX_SLICES slices, one more depth than bounds.
LANECULL_API lanecull_status lanecull_slice_bounds(const lanecull_objects* objects, const uint64_t* visible,
                                                   size_t visible_words, const double* clip_from_world,
                                                   const lanecull_clip_space* clip_space, const double* depths,
                                                   size_t depth_count, const lanecull_world_bounds_options* options,
                                                   lanecull_world_box* bounds, size_t bound_count) LANECULL_NOEXCEPT;
LANECULL_C_END

#ifdef __cplusplus
namespace lanecull {
inline constexpr size_t max_slices = LANECULL_MAX_SLICES;

/// The functions above, for C++.
[[nodiscard]] inline Status visible_bounds(const Objects& objects, Span<const uint64_t> visible, WorldBox& bounds,
                                           const WorldBoundsOptions& options = {}) noexcept {
    return lanecull_visible_bounds(&objects, visible.items, visible.count, &options, &bounds);
}
[[nodiscard]] inline Status slice_bounds(const Objects& objects, Span<const uint64_t> visible,
                                         Numbers<const double, 16> clip_from_world, const ClipSpace& clip_space,
                                         Span<const double> depths, Span<WorldBox> bounds,
                                         const WorldBoundsOptions& options = {}) noexcept {
    return lanecull_slice_bounds(&objects, visible.items, visible.count, clip_from_world.first, &clip_space,
                                 depths.items, depths.count, &options, bounds.items, bounds.count);
}
}  // namespace lanecull
#endif
