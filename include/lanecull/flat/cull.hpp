#pragma once

#include <cstddef>
#include <span>

#include <lanecull/cull.hpp>
#include <lanecull/export.hpp>
#include <lanecull/flat/batch.hpp>
#include <lanecull/flat/view.hpp>

/// Culling in the plane: which 2D shapes of these batches share no point with these views?
///
/// An object is culled only by proof: a direction in which object and view are apart by more than a bound on all
/// rounding errors of the computation. Everything that is apart by more than a small multiple of that bound is culled:
/// for two convex shapes in the plane only a few directions can separate them, and all are tried.
namespace lanecull::flat {

/// Words of 64 objects that the batches take: the sum of ceil(count / 64).
[[nodiscard]] LANECULL_API std::size_t visibility_words(std::span<const Batch> batches) noexcept;

/// Bytes of scratch memory that cull() needs for these batches and that many views.
[[nodiscard]] LANECULL_API std::size_t scratch_bytes(std::span<const Batch> batches, std::size_t view_count) noexcept;

/// Tests every object of every batch against every view. Views, outputs, scratch and options are as
/// <lanecull/cull.hpp> describes them for lanecull::cull(), and so are failures and thread safety. The differences in
/// the plane:
///
///  - Method::automatic tries all directions. Method::planes tries the view's edges only, which keeps objects near its
///    corners; Boxes, and Circles against rectangles, are decided exactly by either method.
///  - Reason::culled_plane counts objects beyond one of the view's edges; for Boxes also beyond one of their own
///    edges, and for Circles beyond a rectangle's corner. culled_gjk counts objects that another direction proves
///    apart. visible_planes counts Boxes, and Circles against rectangles, that no direction proves apart;
///    visible_overlap counts other shapes of which that is true, and visible_touching those of them that are apart by
///    less than the bound.
///  - The Certificate of a culled object, for either reason, has `direction` (x, y, 0): every point of the object lies
///    lower along it than every point of the view. `gap` is at least 0 and at most the distance. `far_depth` is
///    infinite and `steps` is 0.
LANECULL_API Status cull(std::span<const Batch> batches, std::span<const View> views, std::span<Output> outputs,
                         std::span<std::byte> scratch, const CullOptions& options = {}) noexcept;

}  // namespace lanecull::flat
