#pragma once

#include <lanecull/solids.h>

#include <cstddef>
#include <cstdint>

#include "base/failure.hpp"
#include "base/memory.hpp"
#include "occluders/aligned_solid.hpp"
#include "occluders/cell_grid.hpp"

namespace lanecull::solids {

/// A closed triangle, which may have no area. No coordinate is -0.
struct Triangle {
    float corner[3][dimensions];

    [[nodiscard]] float low(std::size_t axis) const { return least(corner[0][axis], corner[1][axis], corner[2][axis]); }
    [[nodiscard]] float high(std::size_t axis) const {
        return -least(-corner[0][axis], -corner[1][axis], -corner[2][axis]);
    }

private:
    [[nodiscard]] static float least(float a, float b, float c) { return a < b ? (a < c ? a : c) : (b < c ? b : c); }
};

/// Whether the triangle is proved to share no point with the solid's inside. True also where it touches the solid along
/// one of its faces' planes, or lies in such a plane.
[[nodiscard]] bool proved_apart(const Triangle& triangle, const Solid& solid);

inline Status no_memory() { return failure(StatusCode::out_of_memory, "solid_boxes: there is not enough memory"); }

/// Reads the mesh's triangles. Fails if it breaks a rule of TriangleMesh, if it is not closed, or for lack of memory.
[[nodiscard]] Status read_closed_mesh(const TriangleMesh& mesh, Array<Triangle>& triangles);

/// The integral of a closed mesh's winding number: for a surface that does not meet itself its volume, and negative if
/// its triangles are clockwise seen from outside. The sign is that of the exact number.
[[nodiscard]] double signed_volume(const Array<Triangle>& triangles);

/// Lays lines over the triangles, along each axis from the lowest coordinate to the highest: `resolution` cells along
/// the longest extent, and cells about as wide along the others. Where the corners have few coordinates along an axis,
/// these are lines, so that walls along the axes are made of whole cells; what lies between is cut so that there are no
/// more than `resolution` cells. A flat axis gets one line. False: no memory.
[[nodiscard]] bool lay_lines(const Array<Triangle>& triangles, std::uint32_t resolution, CellGrid& grid);

/// inside[(i n_1 + j) n_2 + k] becomes 1 for the cells whose inside is proved to share no point with a triangle and to
/// have a winding number of that sign (1 or -1), else 0. False: no memory.
[[nodiscard]] bool find_inside(const Array<Triangle>& triangles, int sign, const CellGrid& grid,
                               Array<std::uint8_t>& inside);

/// Winding numbers of a grid's cells around a closed mesh: how often the mesh is crossed from inside to outside, less
/// how often the other way, on a ray from the cell's middle along the third axis. All cells in a row share a line. It
/// is laid where no crossing is in doubt: through no edge, and along no triangle.
class Crossings {
public:
    /// Keeps a reference to the grid.
    explicit Crossings(const CellGrid& grid) : grid_(grid) {}

    /// False: no memory.
    [[nodiscard]] bool count(const Array<Triangle>& triangles);

    /// Whether a point within cell (i n_1 + j) n_2 + k is proved to have a winding number of that sign, 1 or -1. The
    /// cell must be one that no triangle meets; then all of its inside has the same number.
    [[nodiscard]] bool has_sign(std::size_t cell, int sign) const;

private:
    /// What is known of a row of cells.
    enum class Row : std::uint8_t { done, in_doubt, pending };

    void count(const Triangle& triangle, unsigned attempt);
    void cross(const Triangle& triangle, std::uint32_t i, std::uint32_t j, unsigned attempt);
    void begin_again(std::size_t row);

    const CellGrid& grid_;
    Array<Row> rows_;  ///< i n_1 + j
    /// By row, one more than there are cells: what is added to the winding number of this cell and of all cells above.
    Array<std::int32_t> steps_;
    Array<std::uint8_t> in_doubt_;  ///< by cell: whether a crossing lies above or below its middle is not proved
    Array<std::int32_t> numbers_;   ///< by cell
};

/// Appends up to `most` boxes of filled cells, each of which covers the most volume that none before it covers, among
/// boxes grown in all ways from many cells. `filled` is what the grid was filled with. False: no memory.
[[nodiscard]] bool choose_boxes(const CellGrid& grid, const Array<std::uint8_t>& filled, std::uint32_t most,
                                Array<Solid>& boxes);

/// The volume of the union, rounded.
[[nodiscard]] bool find_volume(const Array<Solid>& boxes, double& volume);

/// Moves each face of the box outward, one after the other, to the last float at which no triangle is found to meet the
/// box's inside. A box that a triangle is not proved to be apart from, such as a wall between two rooms that are both
/// filled, stays as it is. The box must lie within the bounds of the triangles.
void extend(const Array<Triangle>& triangles, Solid& box);

}  // namespace lanecull::solids
