#pragma once

#include <glm/vec2.hpp>

#include "scene/scene.hpp"

namespace lanecull::program {

/// Memory that a city of that many objects takes, generation and one cull's outputs included: an upper estimate.
[[nodiscard]] std::uint64_t city_bytes(std::uint64_t objects);

/// The built-in scene: a city in metres, z up, of exactly `objects` objects (1 to 2^32 - 1), all kinds of shape in it.
/// The same number gives the same city, bit for bit, on every machine: only +, -, *, / and square roots are used,
/// which IEEE 754 defines, and a generator of our own.
[[nodiscard]] Scene make_city(std::uint64_t objects);

/// Distance from the middle of one street to the middle of the next.
inline constexpr double block_pitch = 100;

/// A city in the making, object group by object group, until it has as many objects as were requested.
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

/// Fills a block, and the two streets that belong to it.
void build_block(const BlockSite& site, CityArrays& city);

}  // namespace lanecull::program
