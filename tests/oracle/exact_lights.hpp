#pragma once

#include <array>
#include <cstddef>

#include <lanecull/light_grid.h>

#include "oracle/exact.hpp"

/// Lights and the cells of a view without rounding, as light_grid.h defines them.
///
/// Depth and the cone's half-angle have roots, so no cell and no cone is a polyhedron of rationals. What is claimed is
/// proved in rationals all the same:
///
///     visible  a point that is in the light and in the cell: of both that is decided by squares;
///     apart    a direction along which a cell that is larger, by less than 2^-60 of its depths, lies higher than an
///              upper bound of the light's reach, which is off by less than 2^-60.
///
/// A ball that touches what is of the larger cell alone is `unclear`; so is a spotlight, and one that a hundred of its
/// points do not decide. Where the gradient's length is rational, the cells are exact, and no ball is unclear.
namespace exact {

/// One cell of a grid.
class LightCell {
public:
    /// number: as the header counts cells.
    LightCell(const lanecull::LightGrid& grid, std::size_t number);

    /// Contains the cell.
    [[nodiscard]] const Volume& around() const { return around_; }
    /// Lies in the cell.
    [[nodiscard]] const Volume& within() const { return within_; }
    [[nodiscard]] bool contains(const Point& p) const;

private:
    LightCell(const lanecull::LightGrid& grid, const std::array<HalfSpace, 4>& clip, std::size_t number);

    HalfSpaces sides_;
    HalfSpace depth_;  ///< times the length of its gradient
    Rational square_;  ///< of that length
    std::array<double, 2> boundaries_;
    Volume around_, within_;
};

/// A spotlight.
struct Spot {
    Point apex, axis;  ///< of any length
    Rational range, tangent;
    bool is_flat = false;

    [[nodiscard]] bool contains(const Point& p) const;
    /// At least the largest w . p of its points, and more by less than 2^-60 of its size.
    [[nodiscard]] Rational highest(const Point& w) const;
    /// A point of it that is nearly as far along w.
    [[nodiscard]] Point farthest(const Point& w) const;
};

[[nodiscard]] Spot spot(const lanecull::Spots& spots, std::size_t number);

/// Do the two share a point?
[[nodiscard]] Verdict decide_ball(const Solid& ball, const LightCell& cell);
[[nodiscard]] Verdict decide_spot(const Spot& spot, const LightCell& cell);

}  // namespace exact
