#include <algorithm>
#include <cmath>
#include <optional>

#include "base/interval.hpp"
#include "occluders/mesh_steps.hpp"

namespace lanecull::solids {
namespace {

/// Where lines go through cells, as shares of the cells' widths. The middles come first, though meshes have corners and
/// diagonals there more often than anywhere else: so that what is done about lines in doubt happens every day.
constexpr unsigned attempts = 4;
constexpr double shares[attempts][2] = {{0.5, 0.5}, {0.487, 0.5321}, {0.3819, 0.6127}, {0.6453, 0.2791}};

double between(float lo, float hi, double share) {
    const double from = static_cast<double>(lo);
    return from + (static_cast<double>(hi) - from) * share;
}

Interval difference(double a, double b) { return Interval(a) - Interval(b); }

/// A line along the third axis.
struct Line {
    double x, y;
};

/// Twice the area of the triangle of a, b and the line, seen along the line: positive if they are anticlockwise.
Interval turn(const float* a, const float* b, const Line& line) {
    const double a_x = static_cast<double>(a[0]), a_y = static_cast<double>(a[1]);
    const Interval b_x = difference(static_cast<double>(b[0]), a_x), b_y = difference(static_cast<double>(b[1]), a_y);
    return determinant(b_x, b_y, difference(line.x, a_x), difference(line.y, a_y));
}

enum class Meeting { crosses, passes, unclear };

/// turns[c] is that of corners c and c + 1 with the line. Inside the triangle all have one sign; outside two of them
/// have different ones, also where the triangle is seen edge on, for their sum is its area.
Meeting meeting(const Interval (&turns)[3]) {
    const auto count = [&](const auto& holds) { return std::count_if(turns, turns + 3, holds); };
    const auto left = count([](const Interval& turn) { return turn.lo > 0; });
    const auto right = count([](const Interval& turn) { return turn.hi < 0; });
    if (left == 3 || right == 3) return Meeting::crosses;
    return left > 0 && right > 0 ? Meeting::passes : Meeting::unclear;
}

/// Where the line crosses the triangle: the mean of the corners' heights, weighed by the turns opposite to them.
Interval height(const Triangle& t, const Interval (&turns)[3]) {
    const double base = static_cast<double>(t.corner[0][2]);
    const Interval area = turns[0] + turns[1] + turns[2];
    if (area.contains_zero()) return {-HUGE_VAL, HUGE_VAL};
    const Interval moment = turns[2] * difference(static_cast<double>(t.corner[1][2]), base) +
                            turns[0] * difference(static_cast<double>(t.corner[2][2]), base);
    return Interval(base) + moment / area;
}

}  // namespace

void Crossings::cross(const Triangle& triangle, std::uint32_t i, std::uint32_t j, unsigned attempt) {
    const std::size_t row = std::size_t{i} * grid_.cells(1) + j;
    if (rows_[row] != Row::pending) return;
    const auto line_of = [&](std::size_t axis, std::uint32_t cell) {
        const float* const lines = grid_.lines[axis].data() + cell;
        return between(lines[0], lines[1], shares[attempt][axis]);
    };
    const Line line{line_of(0, i), line_of(1, j)};
    const auto is_beside = [&](double at, std::size_t axis) {
        return at < static_cast<double>(triangle.low(axis)) || at > static_cast<double>(triangle.high(axis));
    };
    if (is_beside(line.x, 0) || is_beside(line.y, 1)) return;
    const Interval turns[3] = {turn(triangle.corner[0], triangle.corner[1], line),
                               turn(triangle.corner[1], triangle.corner[2], line),
                               turn(triangle.corner[2], triangle.corner[0], line)};
    switch (meeting(turns)) {
        case Meeting::passes:
            return;
        case Meeting::unclear:
            rows_[row] = Row::in_doubt;
            return;
        case Meeting::crosses:
            break;
    }
    // Anticlockwise seen from above: the ray upward leaves what the triangle bounds.
    const std::int32_t sign = turns[0].lo > 0 ? 1 : -1;
    const Interval at = height(triangle, turns);
    std::int32_t* const steps = steps_.data() + row * (std::size_t{grid_.cells(2)} + 1);
    std::uint8_t* const doubts = in_doubt_.data() + row * grid_.cells(2);
    const float* const lines = grid_.lines[2].data();
    std::uint32_t k = static_cast<std::uint32_t>(
        std::lower_bound(lines, lines + grid_.cells(2) + 1, at.lo, [](float a, double b) { return double{a} < b; }) -
        lines);
    // Cells that end at or below line k lie below the crossing. The one before ends there, or holds it.
    if (k > 0) --k;
    const auto middle = [&](std::uint32_t cell) { return between(lines[cell], lines[cell + 1], 0.5); };
    while (k < grid_.cells(2) && middle(k) < at.lo) ++k;
    steps[0] += sign;
    steps[k] -= sign;
    for (; k < grid_.cells(2) && !(middle(k) > at.hi); ++k) doubts[k] = 1;
}

/// Asks about all rows whose cells the triangle's box reaches.
void Crossings::count(const Triangle& triangle, unsigned attempt) {
    std::uint32_t first[2], end[2];
    for (std::size_t axis = 0; axis < 2; ++axis) {
        const std::uint32_t low = grid_.line_at(axis, triangle.low(axis));
        first[axis] = low > 0 ? low - 1 : 0;
        end[axis] = std::min(grid_.line_at(axis, triangle.high(axis)) + 1, grid_.cells(axis));
    }
    for (std::uint32_t i = first[0]; i < end[0]; ++i) {
        for (std::uint32_t j = first[1]; j < end[1]; ++j) cross(triangle, i, j, attempt);
    }
}

void Crossings::begin_again(std::size_t row) {
    const std::size_t n = grid_.cells(2);
    rows_[row] = Row::pending;
    std::fill_n(steps_.data() + row * (n + 1), n + 1, 0);
    std::fill_n(in_doubt_.data() + row * n, n, std::uint8_t{0});
}

bool Crossings::count(const Array<Triangle>& triangles) {
    const std::size_t rows = std::size_t{grid_.cells(0)} * grid_.cells(1), n = grid_.cells(2);
    if (!rows_.resize_unset(rows) || !steps_.resize_unset(rows * (n + 1)) || !in_doubt_.resize_unset(rows * n) ||
        !numbers_.resize_unset(rows * n)) {
        return false;
    }
    std::fill(rows_.begin(), rows_.end(), Row::in_doubt);
    for (unsigned attempt = 0; attempt < attempts; ++attempt) {
        bool any = false;
        for (std::size_t row = 0; row < rows; ++row) {
            if (rows_[row] == Row::in_doubt) begin_again(row), any = true;
        }
        if (!any) break;
        for (const Triangle& triangle : triangles) count(triangle, attempt);
        for (Row& row : rows_) {
            if (row == Row::pending) row = Row::done;
        }
    }
    for (std::size_t row = 0; row < rows; ++row) {
        std::int32_t number = 0;
        for (std::size_t k = 0; k < n; ++k) {
            number += steps_[row * (n + 1) + k];
            numbers_[row * n + k] = number;
        }
    }
    return true;
}

bool Crossings::has_sign(std::size_t cell, int sign) const {
    const std::size_t row = cell / grid_.cells(2);
    return rows_.data()[row] == Row::done && in_doubt_.data()[cell] == 0 && numbers_.data()[cell] * sign > 0;
}

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
