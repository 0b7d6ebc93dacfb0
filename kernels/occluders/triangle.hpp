#pragma once

#include "base/array.hpp"
#include "occluders/aligned_solid.hpp"

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

}  // namespace lanecull::solids
