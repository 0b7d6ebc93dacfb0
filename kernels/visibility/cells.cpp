/// Cells of a grid. Faces are rounded the same way from both sides, so nothing lies between neighbours.

#include <lanecull/visibility.h>

#include <algorithm>
#include <cmath>

#include "base/failure.hpp"
#include "base/float_modes.hpp"
#include "base/given.hpp"
#include "visibility/cells.hpp"

namespace lanecull {
namespace {

double face(const CellGrid& grid, std::size_t axis, double k) { return grid.lower[axis] + k * grid.size[axis]; }

/// The corners of a box, from its lower and its higher face along each axis.
void set_corners(const double (&faces)[3][2], ConvexCell& cell) {
    cell.corners = 8, cell.reserved_too = 0;
    for (std::size_t c = 0; c < 8; ++c) {
        for (std::size_t k = 0; k < 3; ++k) cell.corner[c][k] = faces[k][c >> k & 1];
    }
}

/// Where one part ends and the next begins: from low to high, and never back.
double part_face(double low, double high, std::uint64_t i, std::uint32_t parts) {
    if (i == parts) return high;
    return std::min(high, low + (high - low) * (static_cast<double>(i) / parts));
}

/// The last cell along an axis whose lower face is not beyond `p`; p is not below the first.
std::uint32_t place_along(const CellGrid& grid, std::size_t axis, double p) {
    const double last = grid.count[axis] - 1;
    double k = std::clamp(std::floor((p - grid.lower[axis]) / grid.size[axis]), 0.0, last);
    while (k > 0 && face(grid, axis, k) > p) --k;
    while (k < last && face(grid, axis, k + 1) <= p) ++k;
    return static_cast<std::uint32_t>(k);
}

Status check_axis(std::size_t axis, double lower, double upper, double size) {
    if (!is_coordinate(lower)) {
        return failure("lower[%zu]: %g is not a finite coordinate up to 1e30", axis, lower);
    }
    if (!is_coordinate(upper)) {
        return failure("upper[%zu]: %g is not a finite coordinate up to 1e30", axis, upper);
    }
    if (!(lower <= upper)) return failure("upper[%zu]: %g is below lower, %g", axis, upper, lower);
    if (!(size > 0 && size <= coordinate_limit)) {
        return failure("size[%zu]: %g is not above 0 and at most 1e30", axis, size);
    }
    return {};
}

}  // namespace

Status check_grid(const CellGrid& grid) noexcept {
    if (std::count(grid.count, grid.count + 3, 0u) > 0) return failure("grid.count: must not be 0");
    double cells = 1;
    for (std::size_t k = 0; k < 3; ++k) {
        const double lower = grid.lower[k], size = grid.size[k], upper = face(grid, k, grid.count[k]);
        if (!is_coordinate(lower) || !(size > 0) || !is_coordinate(upper)) {
            return failure("grid: its faces along axis %zu are not finite coordinates up to 1e30", k);
        }
        // Faces differ where they are farthest from 0 if they do so by half a size at least.
        if (!(size > 0x1p-50 * std::max(std::fabs(lower), std::fabs(upper)))) {
            return failure("size[%zu]: %g is too small for coordinates of %g", k, size,
                           std::max(std::fabs(lower), std::fabs(upper)));
        }
        cells *= grid.count[k];
    }
    if (!(cells <= max_cells)) return failure("size: there would be %.0f cells, at most 2^32 - 1", cells);
    return {};
}

bool is_box(const ConvexCell& cell) noexcept {
    if (cell.corners != 8) return false;
    for (std::size_t c = 0; c < 8; ++c) {
        for (std::size_t k = 0; k < 3; ++k) {
            if (cell.corner[c][k] != cell.corner[(c >> k & 1) != 0 ? 7 : 0][k]) return false;
        }
    }
    const auto is_ordered = [&](std::size_t k) { return cell.corner[0][k] <= cell.corner[7][k]; };
    return is_ordered(0) && is_ordered(1) && is_ordered(2);
}

Status check_cell(const ConvexCell& cell) noexcept {
    if (cell.corners < 1 || cell.corners > 8) return failure("cell.corners: 1 to 8, not %u", cell.corners);
    for (std::size_t c = 0; c < cell.corners; ++c) {
        for (std::size_t k = 0; k < 3; ++k) {
            if (is_coordinate(cell.corner[c][k])) continue;
            return failure("cell.corner[%zu][%zu]: %g is not a finite coordinate up to 1e30", c, k, cell.corner[c][k]);
        }
    }
    return {};
}

}  // namespace lanecull

using namespace lanecull;

lanecull_status lanecull_cover_with_cells(const double* lower, const double* upper, const double* size,
                                          lanecull_cell_grid* grid) noexcept {
    const FloatModes modes;
    Status status = check_not_null(lower, "lower");
    if (status) status = check_not_null(upper, "upper");
    if (status) status = check_not_null(size, "size");
    if (status) status = check_not_null(grid, "grid");
    if (!status) return status;
    CellGrid covering;
    for (std::size_t k = 0; k < 3; ++k) {
        status = check_axis(k, lower[k], upper[k], size[k]);
        if (!status) return status;
        covering.lower[k] = lower[k];
        covering.size[k] = size[k];
        double count = std::max(1.0, std::ceil((upper[k] - lower[k]) / size[k]));
        if (!(count < max_cells)) return failure("size[%zu]: %g makes more than 2^32 - 2 cells", k, size[k]);
        if (face(covering, k, count) < upper[k]) ++count;  // both the quotient and the face are rounded
        covering.count[k] = static_cast<std::uint32_t>(count);
    }
    status = check_grid(covering);
    if (status) *grid = covering;
    return status;
}

lanecull_status lanecull_cell_of(const lanecull_cell_grid* grid, uint64_t cell,
                                 lanecull_convex_cell* corners) noexcept {
    const FloatModes modes;
    Status status = check_not_null(grid, "grid");
    if (status) status = check_not_null(corners, "corners");
    if (status) status = check_grid(*grid);
    if (!status) return status;
    if (cell >= grid->cell_count()) {
        return failure("cell: the grid has %llu cells, and no number %llu",
                       static_cast<unsigned long long>(grid->cell_count()), static_cast<unsigned long long>(cell));
    }
    const std::uint64_t row = cell / grid->count[0];
    const std::uint64_t at[3] = {cell % grid->count[0], row % grid->count[1], row / grid->count[1]};
    double faces[3][2];
    for (std::size_t k = 0; k < 3; ++k) {
        faces[k][0] = face(*grid, k, static_cast<double>(at[k]));
        faces[k][1] = face(*grid, k, static_cast<double>(at[k] + 1));
    }
    set_corners(faces, *corners);
    return {};
}

lanecull_status lanecull_part_of(const lanecull_convex_cell* box, const uint32_t* parts, uint64_t part,
                                 lanecull_convex_cell* corners) noexcept {
    const FloatModes modes;
    Status status = check_not_null(box, "box");
    if (status) status = check_not_null(parts, "parts");
    if (status) status = check_not_null(corners, "corners");
    if (status) status = check_cell(*box);
    if (!status) return status;
    if (!is_box(*box)) return failure("box: is no box along the axes with its corners in cell_of()'s order");
    for (std::size_t k = 0; k < 3; ++k) {
        if (parts[k] < 1 || parts[k] > max_parts) return failure("parts: 1 to %u, not %u", max_parts, parts[k]);
    }
    const std::uint64_t row = part / parts[0];
    const std::uint64_t at[3] = {part % parts[0], row % parts[1], row / parts[1]};
    if (at[2] >= parts[2]) {
        return failure("part: there is no number %llu of %u x %u x %u", static_cast<unsigned long long>(part), parts[0],
                       parts[1], parts[2]);
    }
    double faces[3][2];
    for (std::size_t k = 0; k < 3; ++k) {
        const double low = box->corner[0][k], high = box->corner[7][k];
        faces[k][0] = part_face(low, high, at[k], parts[k]);
        faces[k][1] = part_face(low, high, at[k] + 1, parts[k]);
    }
    set_corners(faces, *corners);
    return {};
}

uint32_t lanecull_find_cell(const lanecull_cell_grid* grid, const double* point, uint64_t* cell) noexcept {
    const FloatModes modes;
    if (grid == nullptr || point == nullptr || cell == nullptr) return 0;
    if (!check_grid(*grid)) return 0;
    std::uint64_t found = 0;
    for (std::size_t k = 3; k-- > 0;) {
        if (!(point[k] >= grid->lower[k] && point[k] <= face(*grid, k, grid->count[k]))) return 0;
        found = found * grid->count[k] + place_along(*grid, k, point[k]);
    }
    *cell = found;
    return 1;
}
