#pragma once

#include <span>

#include <lanecull/export.hpp>
#include <lanecull/flat/prepared_view.hpp>
#include <lanecull/status.hpp>

/// Views in the plane: the part of it that is seen.
namespace lanecull::flat {

/// min <= p <= max.
struct Rectangle {
    double min_x = 0, min_y = 0, max_x = 0, max_y = 0;
};

/// (x, y) + s half_x (axis_x, axis_y) + t half_y (-axis_y, axis_x), |s| <= 1, |t| <= 1. The axis is (cos, sin) of the
/// angle by which the camera is turned, used as stored: an axis of length 2 doubles both half-extents.
struct TurnedRectangle {
    double x = 0, y = 0;
    double half_x = 0, half_y = 0;
    double axis_x = 1, axis_y = 0;
};

struct ViewAccess;  // of this namespace: clang-cl would take a friend without it for the one outside

/// A convex part of the plane, ready to cull with. 968 bytes, immutable once prepared, cheap to copy. Any number of
/// culls may share one.
class View {
public:
    /// Not prepared: culling with it is an error.
    View() noexcept = default;

    [[nodiscard]] bool prepared() const noexcept { return prepared_.edge_count != 0; }

    /// What the library reads of the view, for tools and tests. Its layout is not part of the interface.
    [[nodiscard]] const PreparedView& contents() const noexcept { return prepared_; }

private:
    friend struct ViewAccess;
    PreparedView prepared_;
};

/// Each prepares the set that the numbers as given define exactly. Everything derived from it is rounded outward. Each
/// fails, leaving `view` untouched, if a number is not finite, if a coordinate of the view exceeds 1e30, or if the view
/// has no area or is smaller than 1e-18. Thread-safe; takes about a microsecond (`lanecull_flat_bench`,
/// prepare/turned_rectangle); allocates nothing.
LANECULL_API Status prepare_view(const Rectangle& rectangle, View& view) noexcept;
LANECULL_API Status prepare_view(const TurnedRectangle& rectangle, View& view) noexcept;

/// The convex hull of 3 to 16 points: x y of one after the other, in any order. If rounding hides on which side of a
/// corner its neighbours lie, no object is reported wholly inside.
LANECULL_API Status prepare_view_from_points(std::span<const double> points, View& view) noexcept;

}  // namespace lanecull::flat
