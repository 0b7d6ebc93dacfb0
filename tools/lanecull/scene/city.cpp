#include "scene/city.hpp"

#include <cmath>
#include <span>

#include "scene/random.hpp"
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

/// One ring of vertices: a regular polygon of that radius at that height.
struct Ring {
    float height;
    float radius;
};

/// The unit vectors of a regular polygon of 4 * 2^halvings sides, by halving right angles: square roots alone, which
/// are the same on every machine, where sines are not.
std::vector<glm::vec2> regular_polygon(int halvings) {
    std::vector<glm::dvec2> corners = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    for (; halvings > 0; --halvings) {
        std::vector<glm::dvec2> finer;
        for (std::size_t i = 0; i < corners.size(); ++i) {
            const glm::dvec2 sum = corners[i] + corners[(i + 1) % corners.size()];
            finer.push_back(corners[i]);
            finer.push_back(sum / std::sqrt(sum.x * sum.x + sum.y * sum.y));
        }
        corners = std::move(finer);
    }
    return {corners.begin(), corners.end()};
}

/// The solid between rings (radii a concave function of the height, so it is convex), closed by fans.
HullMesh lathe(std::span<const Ring> rings, const std::vector<glm::vec2>& polygon) {
    HullMesh mesh;
    const auto sides = static_cast<std::uint32_t>(polygon.size());
    for (const Ring& ring : rings) {
        for (const glm::vec2& corner : polygon) {
            mesh.x.push_back(ring.radius * corner.x);
            mesh.y.push_back(ring.radius * corner.y);
            mesh.z.push_back(ring.height);
        }
    }
    const auto top = static_cast<std::uint32_t>(rings.size() - 1) * sides;
    for (std::uint32_t first = 0; first < top; first += sides) {
        for (std::uint32_t i = 0; i < sides; ++i) {
            const std::uint32_t a = first + i, b = first + (i + 1) % sides;
            mesh.triangles.push_back({a, b, b + sides});
            mesh.triangles.push_back({a, b + sides, a + sides});
        }
    }
    for (std::uint32_t i = 1; i + 1 < sides; ++i) {
        mesh.triangles.push_back({0, i + 1, i});
        mesh.triangles.push_back({top, top + i, top + i + 1});
    }
    return mesh;
}

/// The built-in city's trees: convex hulls of 20 to 60 vertices around trunk and crown, z up, foot at the origin,
/// 1 high.
std::vector<HullMesh> tree_hulls() {
    static constexpr Ring oak[] = {{0, 0.05F}, {0.3F, 0.34F}, {0.55F, 0.45F}, {0.8F, 0.34F}, {1, 0.1F}};
    static constexpr Ring linden[] = {{0, 0.05F}, {0.35F, 0.30F}, {0.65F, 0.33F}, {1, 0.06F}};
    static constexpr Ring poplar[] = {{0, 0.04F}, {0.25F, 0.11F}, {0.6F, 0.13F}, {0.85F, 0.09F}, {1, 0.02F}};
    static constexpr Ring spruce[] = {{0, 0.16F}, {0.15F, 0.22F}, {1, 0.01F}};
    static constexpr Ring pine[] = {{0, 0.03F}, {0.7F, 0.27F}, {1, 0.08F}};
    static constexpr Ring bush[] = {{0, 0.4F}, {0.5F, 0.6F}, {1, 0.3F}};
    const std::vector<glm::vec2> octagon = regular_polygon(1), hexadecagon = regular_polygon(2);
    return {lathe(oak, octagon),    lathe(linden, octagon),   lathe(poplar, octagon),
            lathe(spruce, octagon), lathe(pine, hexadecagon), lathe(bush, octagon)};
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
