#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "bounds/world_cases.hpp"

/// The library's oriented boxes around transformed local boxes, and whether they contain what they must: by doubles
/// with an error bound, by rationals where doubles cannot tell.
namespace world_tests {

/// The streams and records of world_oriented_boxes(), packed.
struct OrientedBounds {
    bool by_axes = false;
    std::array<std::vector<float>, 3> center;
    std::vector<float> turned;  ///< axes, 9 floats a box, or quaternions, 4
    std::vector<float> half;
    std::vector<float> radius;

    [[nodiscard]] std::size_t width() const { return by_axes ? 9 : 4; }
    /// Whether all numbers of box i are finite, those of its rotation left aside.
    [[nodiscard]] bool is_finite(std::size_t i) const;
    [[nodiscard]] bool operator==(const OrientedBounds&) const = default;
};
/// Throws if the library refuses.
[[nodiscard]] OrientedBounds oriented_bounds_of(const World& world, bool by_axes, lanecull::Isa isa,
                                                const lanecull::Runner& runner = {});

struct OrientedJudgement {
    bool is_finite;  ///< else the object stays visible
    bool contains;   ///< every point of the transformed box
    bool in_ball;    ///< the bounding sphere contains the box
    bool is_turned;  ///< the quaternion is as long as 1, or the axes are orthonormal, but for rounding
    /// The most by which a half-extent is too large for these axes, in units of u times the sizes of all terms of all
    /// three coordinates.
    double padding;
    /// The most by which a half-extent is larger than half the edge of the parallelepiped that belongs to it, in the
    /// same units. Where columns are at right angles nothing but rounding is in it.
    double beyond_edge;
    bool needed_rationals;
};
[[nodiscard]] OrientedJudgement judge_oriented(const World& world, const OrientedBounds& bounds, std::size_t i);

}  // namespace world_tests
