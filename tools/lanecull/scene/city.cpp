#include "scene/city.hpp"

#include <algorithm>
#include <cmath>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <utility>
#include <vector>

#include "scene/city_block.hpp"
#include "scene/random.hpp"
#include "scene/trees.hpp"
#include "support/error.hpp"

// The layout: the plane is cut into square districts of 8 x 8 blocks. Some districts are rotated about their centre;
// of those the blocks that stick out are left away. Blocks are built from the centre outwards until there are enough
// objects, so the city grows with their number while its density stays.

namespace lanecull::program {
namespace {

constexpr std::uint64_t city_seed = 1;
constexpr int district_blocks = 8;
constexpr double district_pitch = district_blocks * block_pitch;

/// Objects a square metre, measured over a city of a million objects: what a city's radius follows from.
constexpr double mean_density = 0.0185;

/// A seed that depends on nothing but the place.
std::uint64_t place_seed(int i, int j) {
    const auto bits = (static_cast<std::uint64_t>(static_cast<std::uint32_t>(i)) << 32) | static_cast<std::uint32_t>(j);
    return Random(Random(city_seed).next() ^ bits).next();
}

/// A block, and its distance from the city's centre, squared.
struct Place {
    double distance2;
    BlockSite site;
};

void add_district(int i, int j, std::vector<Place>& places) {
    Random random(place_seed(2 * i + 1, 2 * j + 1));  // odd: never a block's seed
    const glm::dvec2 center(district_pitch * i, district_pitch * j);
    const bool rotated = random.chance(0.35);
    const double t = rotated ? random.between(-0.4, 0.4) : 0;  // tangent of half the angle
    const glm::dvec2 axis = glm::dvec2(1 - t * t, 2 * t) / (1 + t * t);
    for (int row = 0; row < district_blocks; ++row) {
        for (int column = 0; column < district_blocks; ++column) {
            const double x = (column - 0.5 * (district_blocks - 1)) * block_pitch;
            const double y = (row - 0.5 * (district_blocks - 1)) * block_pitch;
            const glm::dvec2 offset(axis.x * x - axis.y * y, axis.y * x + axis.x * y);
            constexpr double room = 0.5 * (district_pitch - block_pitch);
            if (std::max(std::abs(offset.x), std::abs(offset.y)) > room + 1) continue;

            BlockSite site{};
            site.center = center + offset;
            site.axis = axis;
            site.elevated_road = !rotated && row == 2 && j % 3 == 0;
            site.power_line = !rotated && column == 5 && i % 2 == 0;
            site.seed = place_seed(2 * (i * district_blocks + column), 2 * (j * district_blocks + row));
            places.push_back({site.center.x * site.center.x + site.center.y * site.center.y, site});
        }
    }
}

/// The blocks whose centre lies in inner <= distance < outer, nearest first.
std::vector<Place> ring_of_blocks(double inner, double outer) {
    std::vector<Place> places;
    const int reach = static_cast<int>(outer / district_pitch) + 1;
    for (int j = -reach; j <= reach; ++j) {
        for (int i = -reach; i <= reach; ++i) add_district(i, j, places);
    }
    std::erase_if(places, [&](const Place& place) {
        return place.distance2 < inner * inner || place.distance2 >= outer * outer;
    });
    std::stable_sort(places.begin(), places.end(),
                     [](const Place& a, const Place& b) { return a.distance2 < b.distance2; });
    return places;
}

/// From 0.8 of the radius to the other side: along the border of a row of districts, through the centre, and along the
/// border on the other side. No rotated district reaches beyond its borders, and the one at the centre is not rotated.
/// Of a city of one district the street beside the centre's takes the place of the border.
std::vector<glm::dvec3> walk_through(double radius) {
    constexpr double eyes = 1.8, border = 0.5 * district_pitch;
    const double reach = 0.8 * radius, side = reach > border ? border : block_pitch;
    const double start = std::sqrt(reach * reach - side * side);
    return {{-start, -side, eyes}, {0, -side, eyes}, {0, side, eyes}, {start, side, eyes}};
}

Scene gather(CityArrays& city) {
    Scene scene;
    scene.name = "city";
    scene.description = "built-in city, metres, z up";
    scene.add_solid("buildings", std::move(city.buildings));
    scene.add_solid("rotated buildings", std::move(city.rotated_buildings));
    scene.add("street furniture", std::move(city.furniture));
    scene.add("posts", std::move(city.posts));
    scene.add("cars", std::move(city.cars));
    scene.add("trees", std::move(city.trees));
    scene.add("lights", std::move(city.lights));
    scene.add("particles", std::move(city.particles));
    scene.add("cables", std::move(city.cables));
    scene.add("bridges and cranes", std::move(city.spans));
    return scene;
}

}  // namespace

std::uint64_t city_bytes(std::uint64_t objects) {
    // A mean object takes 40 bytes. A vector that grows holds up to twice its contents, and what it had before.
    return (std::uint64_t{64} << 20) + 100 * objects;
}

Scene make_city(std::uint64_t objects) {
    if (objects < 1 || objects > 0xFFFFFFFFU) fail("a city has 1 to 4294967295 objects, not {}", objects);
    const double radius = std::max(250.0, std::sqrt(static_cast<double>(objects) / (3.141592653589793 * mean_density)));
    const double skyline = 40 + 220 * std::min(1.0, radius / 4000);

    CityArrays city(objects);
    city.trees.meshes = tree_hulls();
    for (double inner = 0, outer = radius; city.missing != 0; inner = outer, outer += 0.1 * radius) {
        for (Place& place : ring_of_blocks(inner, outer)) {
            if (city.missing == 0) break;
            place.site.remoteness = std::sqrt(place.distance2) / radius;
            place.site.skyline = skyline;
            build_block(place.site, city);
        }
    }
    Scene scene = gather(city);
    scene.walk = walk_through(radius);
    return scene;
}

}  // namespace lanecull::program
