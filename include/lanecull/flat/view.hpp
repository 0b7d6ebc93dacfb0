#pragma once

#include <span>

#include <lanecull/export.hpp>
#include <lanecull/flat/prepared_view.hpp>
#include <lanecull/status.hpp>

/// Views of the plane: what part of it is seen.
namespace lanecull::flat {

/// min <= p <= max.
struct Rectangle {
    double min_x = 0, min_y = 0, max_x = 0, max_y = 0;
};

/// (x, y) + s half_x (axis_x, axis_y) + t half_y (-axis_y, axis_x), |s| <= 1, |t| <= 1. The axis is (cos, sin) of the
/// angle by which the camera is turned, used as stored: one of length 2 doubles both half-extents.
struct TurnedRectangle {
    double x = 0, y = 0;
    double half_x = 0, half_y = 0;
    double axis_x = 1, axis_y = 0;
};

/// A convex part of the plane, ready for the kernels. Some 1.2 KB, immutable once prepared; any number of culls may
/// share one. Cheap to copy.
class View {
public:
    /// Not prepared: culling with it is an error.
    View() noexcept = default;

    [[nodiscard]] bool prepared() const noexcept { return prepared_.edge_count != 0; }

    /// What the kernels read, for tools and tests. Its layout is not part of the interface.
    [[nodiscard]] const PreparedView& contents() const noexcept { return prepared_; }

private:
    friend struct ViewAccess;
    PreparedView prepared_;
};

/// What each prepares is the set that the numbers as given define exactly; everything derived from it is rounded
/// outward. Each fails, leaving `view` untouched, when a number is not finite, when a coordinate of the view exceeds
/// 1e30, or when the view has no area or is smaller than 1e-18. Thread-safe; a microsecond or so; allocates nothing.
LANECULL_API Status prepare_view(const Rectangle& rectangle, View& view) noexcept;
LANECULL_API Status prepare_view(const TurnedRectangle& rectangle, View& view) noexcept;

/// The convex hull of 3 to 16 points, x y of one after the other, in any order. Where rounding hides on which side of a
/// corner its neighbours lie, no object is reported wholly inside.
LANECULL_API Status prepare_view_from_points(std::span<const double> points, View& view) noexcept;

}  // namespace lanecull::flat
