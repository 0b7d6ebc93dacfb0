#pragma once

#include <cstddef>
#include <span>

#include <lanecull/cull.hpp>
#include <lanecull/export.hpp>
#include <lanecull/flat/batch.hpp>
#include <lanecull/flat/view.hpp>

/// Culling in the plane: which figures of these batches share no point with this view?
///
/// An object is culled only by proof: a direction in which object and view are apart by more than the bound on every
/// rounding error on the way (kernels/flat/README.md). Everything that is apart by more than a small multiple of that
/// bound is culled: two convex figures have only so many directions that can tell them apart, and all are tried.
namespace lanecull::flat {

/// Words of 64 objects that the batches take: the sum of ceil(count / 64).
[[nodiscard]] LANECULL_API std::size_t visibility_words(std::span<const Batch> batches) noexcept;

/// Bytes of scratch memory that cull() needs for these batches and that many views.
[[nodiscard]] LANECULL_API std::size_t scratch_bytes(std::span<const Batch> batches, std::size_t view_count) noexcept;

/// Tests every object of every batch against every view. Views, outputs, scratch, options and runner, what they must
/// be, what becomes of them and when it fails: all as <lanecull/cull.hpp> says of lanecull::cull(). In the plane
///
///  - Method::automatic tries all directions, Method::planes the view's edges alone (which keeps objects near its
///    corners; Boxes, and Circles against rectangles, are told exactly either way); Method::gjk fails, for there is
///    none;
///  - Statistics::culled_plane counts what lies beyond one of the view's edges (for Boxes: or of their own; for
///  Circles:
///    or a rectangle's corner), culled_gjk what another direction tells apart; visible_planes those Boxes, and Circles
///    against rectangles, that no direction tells apart, visible_overlap the same of others, and visible_touching those
///    of them that are apart by less than the bound;
///  - a Certificate of what was culled, for either reason, has `direction` (x, y, 0): every point of the object lies
///    lower along it than every point of the view; `gap` is at least 0, and the distance is not smaller. `far` is
///    infinite and `steps` 0.
LANECULL_API Status cull(std::span<const Batch> batches, std::span<const View> views, std::span<ViewOutput> outputs,
                         std::span<std::byte> scratch, const Options& options = {},
                         const Runner& runner = serial_runner()) noexcept;

}  // namespace lanecull::flat
