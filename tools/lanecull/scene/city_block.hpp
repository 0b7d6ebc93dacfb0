#pragma once

#include <cstdint>
#include <glm/vec2.hpp>

#include "scene/random.hpp"
#include "scene/scene.hpp"

/// What stands in one block of the built-in city, and on the two streets that belong to it. Metres, z up.
namespace lanecull::program {

/// Distance from the middle of one street to the middle of the next.
inline constexpr double block_pitch = 100;

/// A city in the making, object group by object group, until it has as many objects as were asked for.
struct CityArrays {
    explicit CityArrays(std::uint64_t objects) : missing(objects) {}

    std::uint64_t missing;
    BoxArrays buildings;
    OrientedBoxArrays rotated_buildings;
    CenteredBoxArrays furniture;
    CapsuleArrays posts;
    OrientedBoxArrays cars;
    HullInstanceArrays trees;
    SphereArrays lights;
    SphereArrays particles;
    CapsuleArrays cables;
    OrientedBoxArrays spans;  ///< bridges and cranes
};

/// Where a block lies. Its own coordinates have their origin at the block's centre; its x axis is `axis` (a unit
/// vector) in the city's coordinates.
struct BlockSite {
    glm::dvec2 center;
    glm::dvec2 axis;
    bool elevated_road;  ///< along its x street
    bool power_line;     ///< along its y street
    double remoteness;   ///< distance from the city's centre over the city's radius
    double skyline;      ///< height in metres of the tallest towers at the centre
    std::uint64_t seed;
};

void build_block(const BlockSite& site, CityArrays& city);

}  // namespace lanecull::program
