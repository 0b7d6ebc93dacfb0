#include "occluders/voxels.hpp"

#include <algorithm>
#include <cmath>

#include "occluders/crossings.hpp"

namespace lanecull::solids {
namespace {

/// Adds lines that cut lo to hi, the last of which is a line already, into `pieces` as equal as floats are.
[[nodiscard]] bool subdivide(Array<float>& lines, float lo, float hi, double pieces) {
    const double from = static_cast<double>(lo), width = static_cast<double>(hi) - from;
    for (double i = 1; i < pieces; ++i) {
        const auto line = static_cast<float>(from + width * (i / pieces));
        if (line > lines[lines.size() - 1] && line < hi && !lines.push(line)) return false;
    }
    return lines.push(hi);
}

[[nodiscard]] bool lay_lines(const Array<Triangle>& triangles, std::size_t axis, double longest,
                             std::uint32_t resolution, Array<float>& lines) {
    Array<float> corners;
    if (!corners.reserve(3 * triangles.size())) return false;
    for (const Triangle& t : triangles) {
        for (const auto& corner : t.corner) {
            if (!corners.push(corner[axis])) return false;
        }
    }
    std::sort(corners.begin(), corners.end());
    std::size_t count = static_cast<std::size_t>(std::unique(corners.begin(), corners.end()) - corners.begin());
    if (count > resolution + std::size_t{1}) {
        corners[1] = corners[count - 1];
        count = 2;
    }
    if (!lines.resize(0) || !lines.push(corners[0])) return false;
    // Each of the gaps may have a piece more than its share, so that there are `resolution` of them at most.
    const double cell = longest / (resolution + 2.0 - static_cast<double>(count));
    for (std::size_t i = 1; i < count; ++i) {
        const double width = static_cast<double>(corners[i]) - static_cast<double>(corners[i - 1]);
        // A width of whole cells may come out a little larger.
        if (!subdivide(lines, corners[i - 1], corners[i], std::ceil(width / cell - 1e-9))) return false;
    }
    return true;
}

/// Marks the cells whose inside a triangle may meet. Ranges of cells are tested as one box, and cut while that may be
/// met, so the time goes with the cells near the triangle.
class Marker {
public:
    Marker(const CellGrid& grid, Array<std::uint8_t>& met) : grid_(grid), met_(met) {}

    void mark(const Triangle& triangle) {
        CellRange range;
        for (std::size_t k = 0; k < dimensions; ++k) {
            // Cells that only touch the triangle's box are kept out, unless it lies in a line: then both sides are in,
            // and the test of ranges puts them out.
            const std::uint32_t first = grid_.line_at(k, triangle.low(k)), end = grid_.line_at(k, triangle.high(k));
            range.first[k] = first > 0 ? first - 1 : 0;
            range.end[k] = std::min(end + 1, grid_.cells(k));
        }
        mark(triangle, range);
    }

private:
    void mark(const Triangle& triangle, const CellRange& range) {
        if (proved_apart(triangle, grid_.solid_of(range))) return;
        std::size_t axis = 0;
        const auto size = [&](std::size_t k) { return range.end[k] - range.first[k]; };
        for (std::size_t k = 1; k < dimensions; ++k) {
            if (size(k) > size(axis)) axis = k;
        }
        if (size(axis) == 1) {
            const std::size_t column = std::size_t{range.first[0]} * grid_.cells(1) + range.first[1];
            met_[column * grid_.cells(2) + range.first[2]] = 1;
            return;
        }
        CellRange lower = range, upper = range;
        lower.end[axis] = upper.first[axis] = range.first[axis] + size(axis) / 2;
        mark(triangle, lower);
        mark(triangle, upper);
    }

    const CellGrid& grid_;
    Array<std::uint8_t>& met_;
};

}  // namespace

bool lay_lines(const Array<Triangle>& triangles, std::uint32_t resolution, CellGrid& grid) {
    double longest = 0;
    for (std::size_t k = 0; k < dimensions; ++k) {
        float lo = triangles.data()[0].low(k), hi = triangles.data()[0].high(k);
        for (const Triangle& t : triangles) lo = std::min(lo, t.low(k)), hi = std::max(hi, t.high(k));
        longest = std::max(longest, static_cast<double>(hi) - static_cast<double>(lo));
    }
    for (std::size_t k = 0; k < dimensions; ++k) {
        if (!lay_lines(triangles, k, longest, resolution, grid.lines[k])) return false;
    }
    return true;
}

bool find_inside(const Array<Triangle>& triangles, int sign, const CellGrid& grid, Array<std::uint8_t>& inside) {
    Array<std::uint8_t> met;
    if (!met.resize(static_cast<std::size_t>(grid.cells()))) return false;
    Marker marker(grid, met);
    for (const Triangle& triangle : triangles) marker.mark(triangle);
    Crossings crossings(grid);
    if (!crossings.count(triangles) || !inside.resize_unset(met.size())) return false;
    for (std::size_t cell = 0; cell < met.size(); ++cell) {
        inside[cell] = met[cell] == 0 && crossings.has_sign(cell, sign) ? 1 : 0;
    }
    return true;
}

}  // namespace lanecull::solids
