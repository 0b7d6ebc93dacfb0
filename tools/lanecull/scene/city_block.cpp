#include "scene/city.hpp"

#include <cmath>
#include <glm/geometric.hpp>
#include <iterator>

#include "scene/random.hpp"

namespace lanecull::program {
namespace {

using glm::dvec2, glm::dvec3;

constexpr auto posts = &CityArrays::posts, cables = &CityArrays::cables;
constexpr auto lights = &CityArrays::lights, particles = &CityArrays::particles;
constexpr dvec2 corners[] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
constexpr double half_block = 0.5 * block_pitch;
constexpr double half_lot = 36;  ///< of the built-up square between the streets

/// Puts single objects into the city. Positions are block coordinates; directions are unit vectors.
class Placer {
public:
    Placer(const BlockSite& site, CityArrays& city) : site_(site), city_(city), aligned_(site.axis == dvec2(1, 0)) {}

    void box(const dvec3& lower, const dvec3& upper) {
        if (!take()) return;
        if (aligned_) {
            city_.buildings.add(world(lower), world(upper));
        } else {
            city_.rotated_buildings.add(world(0.5 * (lower + upper)), axes({1, 0}), 0.5 * (upper - lower));
        }
    }

    void furniture(const dvec3& center, const dvec3& half) {
        if (take()) city_.furniture.add(world(center), half);
    }

    /// A post or a cable.
    void rod(CapsuleArrays CityArrays::*rods, const dvec3& from, const dvec3& to, double radius) {
        if (take()) (city_.*rods).add(world(from), world(to), static_cast<float>(radius));
    }

    /// A light or a particle.
    void ball(SphereArrays CityArrays::*balls, const dvec3& center, double radius) {
        if (take()) (city_.*balls).add(world(center), static_cast<float>(radius));
    }

    void car(const dvec3& center, const dvec2& direction, const dvec3& half) {
        if (take()) city_.cars.add(world(center), axes(direction), half);
    }

    /// A girder from one point to another: thin, and as long as they are apart.
    void span(const dvec3& from, const dvec3& to, double width, double thickness) {
        if (!take()) return;
        const dvec3 start = world(from), end = world(to);
        const dvec3 along = glm::normalize(end - start);
        const bool upright = std::abs(along.z) > 0.99;
        const dvec3 across = glm::normalize(glm::cross(along, upright ? dvec3(0, 1, 0) : dvec3(0, 0, 1)));
        const dvec3 half(0.5 * glm::length(end - start), 0.5 * width, 0.5 * thickness);
        city_.spans.add(0.5 * (start + end), glm::dmat3(along, across, glm::cross(along, across)), half);
    }

    void tree(std::uint32_t species, const dvec2& foot, const dvec2& direction, double width, double height) {
        if (!take()) return;
        const dvec2 x = turned(direction);
        city_.trees.add(species,
                        glm::mat4x3(glm::vec3(width * x.x, width * x.y, 0), glm::vec3(-width * x.y, width * x.x, 0),
                                    glm::vec3(0, 0, height), glm::vec3(world({foot, 0}))));
    }

private:
    bool take() {
        if (city_.missing == 0) return false;
        --city_.missing;
        return true;
    }

    /// From block to city coordinates: directions, points, boxes' axes.
    dvec2 turned(const dvec2& v) const {
        return {site_.axis.x * v.x - site_.axis.y * v.y, site_.axis.y * v.x + site_.axis.x * v.y};
    }
    dvec3 world(const dvec3& p) const { return {site_.center + turned(dvec2(p)), p.z}; }
    glm::mat3 axes(const dvec2& direction) const {
        const dvec2 x = turned(direction);
        return {glm::vec3(x.x, x.y, 0), glm::vec3(-x.y, x.x, 0), glm::vec3(0, 0, 1)};
    }

    const BlockSite& site_;
    CityArrays& city_;
    bool aligned_;
};

template <class Make>
void times(int count, const Make& make) {
    for (int i = 0; i < count; ++i) make();
}

/// The rules by which a block is filled.
class BlockPlan {
public:
    BlockPlan(const BlockSite& site, CityArrays& city)
        : site_(site), put_(site, city), random_(site.seed), density_(falloff(0.55)) {}

    void fill() {
        const double use = random_.unit();
        if (use < 0.08 + 0.08 * site_.remoteness) {
            park();
        } else if (use > 0.97) {
            building_site();
        } else if (site_.remoteness < random_.between(0.1, 0.3)) {
            towers();
        } else if (site_.remoteness < random_.between(0.45, 0.8)) {
            perimeter();
        } else {
            houses();
        }
        long_line();
        street({0, half_block}, {1, 0}, site_.elevated_road, false);
        street({half_block, 0}, {0, 1}, false, site_.power_line);
    }

private:
    /// 1 at the city's centre, 1/2 at that remoteness, falling on.
    double falloff(double remoteness) const {
        const double ratio = site_.remoteness / remoteness;
        return 1 / (1 + ratio * ratio);
    }

    dvec2 direction() {
        const double t = random_.between(-1, 1);  // tangent of half the angle: a turn of up to 90 degrees either way
        return dvec2(1 - t * t, 2 * t) / (1 + t * t);
    }

    dvec2 point_in(const dvec2& half) {
        const double x = random_.between(-half.x, half.x);
        const double y = random_.between(-half.y, half.y);
        return {x, y};
    }

    void any_tree(const dvec2& foot) {
        const auto species = static_cast<std::uint32_t>(random_.below(6));
        const bool bush = species == 5;
        const double height = bush ? random_.between(0.6, 2) : random_.between(5, 16);
        const double width = height * random_.between(0.8, 1.25);
        put_.tree(species, foot, direction(), width, height);
    }

    void any_furniture(const dvec2& place) {
        static constexpr dvec3 halves[] = {{0.9, 0.3, 0.45}, {0.3, 0.3, 0.5}, {0.2, 0.2, 0.45},
                                           {1.1, 1.1, 1.3},  {0.6, 0.1, 0.9}, {0.35, 0.25, 0.6}};
        const dvec3& form = halves[random_.below(std::size(halves))];
        const dvec3 half = form * random_.between(0.85, 1.15);
        put_.furniture({place, half.z}, half);
    }

    void any_car(const dvec2& place, const dvec2& along) {
        const bool truck = random_.chance(0.06);
        const dvec3 half = (truck ? dvec3(4.6, 1.2, 1.6) : dvec3(2.2, 0.9, 0.72)) * random_.between(0.9, 1.1);
        const double t = random_.between(-0.02, 0.02);  // hardly anybody parks straight
        const dvec2 turned(along.x * (1 - t * t) - along.y * 2 * t, along.y * (1 - t * t) + along.x * 2 * t);
        put_.car({place, half.z}, turned / (1 + t * t), half);
    }

    void lamp(const dvec2& foot) {
        const double height = random_.between(5.5, 8.5);
        put_.rod(posts, {foot, 0}, {foot, height}, 0.09);
        put_.ball(lights, {foot, height}, random_.between(0.25, 0.45));
    }

    void smoke(const dvec3& chimney) {
        const double drift = random_.between(0.2, 1.2);
        const int puffs = 3 + random_.below(6);
        for (int i = 1; i <= puffs; ++i) {
            const dvec2 swirl = point_in({0.3, 0.3});
            put_.ball(particles, chimney + dvec3(drift * i + swirl.x, swirl.y, 1.1 * i), 0.25 + 0.14 * i);
        }
    }

    /// A body with a few boxes on its flat roof.
    void building(const dvec2& center, const dvec2& half, double height) {
        put_.box({center - half, 0}, {center + half, height});
        times(1 + random_.below(4), [&] {
            const dvec2 unit(random_.between(0.6, 1.8));
            const dvec2 place = center + point_in(half - dvec2(2));
            put_.box({place - unit, height}, {place + unit, height + random_.between(0.8, 2.6)});
        });
    }

    /// Storeys that step back, a mast, and now and then guys from the roof down to the block's corners.
    void tower(const dvec2& center, dvec2 half, double height) {
        const int tiers = 1 + random_.below(3);
        double bottom = 0;
        for (int tier = 1; tier < tiers; ++tier) {
            const double top = height * tier / tiers;
            put_.box({center - half, bottom}, {center + half, top});
            half *= random_.between(0.7, 0.9);
            bottom = top;
        }
        put_.box({center - half, bottom}, {center + half, height});
        put_.rod(posts, {center, height}, {center, height * random_.between(1.05, 1.25)}, 0.3);
        if (!random_.chance(0.1)) return;
        for (const dvec2& corner : corners) {
            put_.rod(cables, {center + corner * half, height}, {corner * half_lot, 0.5}, 0.06);
        }
    }

    void towers() {
        const double top = 25 + site_.skyline * falloff(0.2);
        const bool one = random_.chance(0.3);
        const double half_cell = one ? half_lot : half_lot / 2;
        for (const dvec2& quadrant : corners) {
            const dvec2 center = one ? dvec2(0) : half_cell * quadrant;
            const double height = top * random_.between(0.25, 1);
            const dvec2 half = half_cell * dvec2(random_.between(0.6, 0.9));
            tower(center, half, height);
            if (one) break;
        }
        plaza(random_.about(30 * density_));
    }

    /// Furniture, people's things and lamps between the towers.
    void plaza(int things) {
        times(things, [&] { any_furniture(point_in(dvec2(half_lot))); });
        times(things / 4, [&] { any_tree(point_in(dvec2(half_lot))); });
        times(things / 6, [&] { lamp(point_in(dvec2(half_lot))); });
    }

    /// Terraces along the block's four sides around a courtyard.
    void perimeter() {
        constexpr double depth = 6;
        constexpr dvec2 sides[] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
        const double eaves = 10 + 22 * falloff(0.4);
        for (const dvec2& along : sides) {
            const dvec2 outward(along.y, -along.x);
            double from = -half_lot + 2 * depth;
            while (from < half_lot) {
                const double to = std::min(from + random_.between(11, 19), half_lot);
                const dvec2 center = 0.5 * (from + to) * along + (half_lot - depth) * outward;
                const dvec2 half = 0.5 * (to - from) * glm::abs(along) + depth * glm::abs(outward);
                const double height = eaves * random_.between(0.75, 1.2);
                if (to - from > 5) building(center, half, height);
                if (random_.chance(0.25)) smoke({center, height});
                from = to;
            }
        }
        courtyard();
    }

    void courtyard() {
        constexpr dvec2 half(half_lot - 14);
        times(random_.about(7), [&] { any_tree(point_in(half)); });
        times(random_.about(10 * density_), [&] { any_furniture(point_in(half)); });
        times(random_.below(3), [&] {  // festoons right across
            const double y = random_.between(-half.y, half.y);
            put_.rod(cables, {-half.x - 2, y, 7}, {half.x + 2, -y, random_.between(6, 12)}, 0.03);
        });
    }

    void houses() {
        for (int row = -1; row <= 1; row += 2) {
            for (int column = 0; column < 4; ++column) {
                if (random_.chance(0.1 + 0.3 * site_.remoteness)) continue;
                const dvec2 lot(-27.0 + 18 * column, 18.0 * row);
                const dvec2 center = lot + point_in({1.5, 4});
                const dvec2 half = dvec2(5.2, 5.5) + point_in({1.3, 1.5});
                const double height = random_.between(4, 9);
                put_.box({center - half, 0}, {center + half, height});
                put_.box({center - dvec2(0.5), height}, {center + dvec2(0.5), height + 1.4});
                if (random_.chance(0.3)) smoke({center, height + 1.4});
                garden(lot);
            }
        }
    }

    void garden(const dvec2& lot) {
        times(random_.about(3.5), [&] { any_tree(lot + point_in({9, 17})); });
        times(random_.about(2), [&] { any_furniture(lot + point_in({9, 17})); });
    }

    void park() {
        times(random_.about(40 + 40 * density_), [&] { any_tree(point_in(dvec2(half_lot))); });
        for (double x = -half_lot; x <= half_lot; x += 12) {
            lamp({x, random_.between(-3, 3)});
            any_furniture({x + 4, 2});
        }
        times(random_.about(70 * density_), [&] {  // leaves
            const dvec2 place = point_in(dvec2(half_lot));
            const double height = random_.between(0.2, 9);
            put_.ball(particles, {place, height}, random_.between(0.02, 0.08));
        });
    }

    /// A shell, a crane with its pendants, dust.
    void building_site() {
        const dvec2 mast = point_in({10, 10});
        const double shell = 12 + 0.4 * site_.skyline * density_;
        const double jib_height = shell + random_.between(18, 30);
        put_.box({-25, -20, 0}, {25, 20, shell});
        const dvec2 along = direction();
        const dvec3 top(mast, jib_height + 8);
        const double reach = random_.between(45, 70);
        const dvec3 tip(mast + along * reach, jib_height + random_.between(0, 12));
        const dvec3 tail(mast - along * 16.0, jib_height);
        put_.span({mast, 0}, top, 2, 2);
        put_.span({mast, jib_height}, tip, 1.4, 1.6);
        put_.span({mast, jib_height}, tail, 1.4, 1.6);
        put_.rod(cables, top, tip, 0.05);
        put_.rod(cables, top, tail, 0.05);
        put_.rod(cables, tip, {dvec2(tip), 4}, 0.03);
        times(random_.about(40), [&] {  // dust
            const dvec2 place = point_in(dvec2(half_lot));
            put_.ball(particles, {place, 0.8}, random_.between(0.05, 0.5));
        });
        plaza(16);
    }

    /// What crosses the city over the roofs whatever lies below: aerial wires, ropeways and their like.
    void long_line() {
        const dvec2 along = direction();
        const double half_length = random_.between(60, 300);
        const double low = random_.between(15, 40);
        const double high = low + random_.between(0, 60);
        put_.rod(cables, {-half_length * along, low}, {half_length * along, high}, random_.between(0.02, 0.3));
    }

    /// A street one block long: `center` is the middle of it, `along` its direction.
    void street(const dvec2& center, const dvec2& along, bool elevated_road, bool power_line) {
        const dvec2 across(-along.y, along.x);
        const auto at = [&](double u, double v) { return center + u * along + v * across; };
        traffic(at, along);
        pavement(at);
        overhead(at);
        if (elevated_road) viaduct(at);
        if (power_line) pylons(at);
        if (random_.chance(0.06)) {
            const double u = random_.between(-40, 20);
            put_.span({at(u, -14), 5.5}, {at(u + 18, 14), 6.5}, 3, 0.8);  // a footbridge
        }
    }

    template <class At>
    void traffic(const At& at, const dvec2& along) {
        for (double u = -half_block + 9; u < half_block - 9; u += 6.2) {
            for (const double v : {-6.4, 6.4}) {
                if (random_.chance(0.15 + 0.5 * density_)) any_car(at(u, v), along);
            }
        }
        times(random_.about(1 + 5 * density_), [&] {  // on their way
            const double u = random_.between(-half_block, half_block);
            any_car(at(u, random_.chance(0.5) ? -2.4 : 2.4), along);
        });
        times(random_.about(12 * density_), [&] {  // exhaust
            const double u = random_.between(-half_block, half_block);
            const double v = random_.between(-4, 4);
            put_.ball(particles, {at(u, v), 0.4}, random_.between(0.05, 0.4));
        });
    }

    template <class At>
    void pavement(const At& at) {
        for (int i = 0; i < 4; ++i) lamp(at(-37.5 + 25 * i, i % 2 == 0 ? -8.8 : 8.8));
        for (double u = -half_block + 10; u < half_block - 10; u += 4) {
            for (const double v : {-8.3, 8.3}) {
                const dvec2 foot = at(u, v);
                if (random_.chance(0.6 * density_)) put_.rod(posts, {foot, 0}, {foot, 0.9}, 0.07);  // a bollard
            }
        }
        for (double u = -half_block + 12; u < half_block - 12; u += 9) {
            for (const double v : {-9.8, 9.8}) {
                if (random_.chance(0.45)) any_tree(at(u, v));
            }
        }
        times(random_.about(7 + 28 * density_), [&] {
            const double u = random_.between(-half_block + 10, half_block - 10);
            const double side = random_.chance(0.5) ? -1 : 1;
            any_furniture(at(u, side * random_.between(9, 11.5)));
        });
    }

    /// Wires: two along the street, and spans that hold them from house to house, aslant.
    template <class At>
    void overhead(const At& at) {
        if (!random_.chance(0.5 * density_)) return;
        for (const double v : {-2.4, 2.4}) put_.rod(cables, {at(-half_block, v), 6}, {at(half_block, v), 6}, 0.02);
        for (double u = -40; u <= 40; u += 20) {
            const double slant = random_.between(-8, 8);
            put_.rod(cables, {at(u, -14), 7}, {at(u + slant, 14), 8}, 0.02);
        }
    }

    template <class At>
    void viaduct(const At& at) {
        put_.span({at(-half_block, 0), 8}, {at(half_block, 0), 8}, 9, 1.2);
        for (const double v : {-4.4, 4.4}) put_.rod(cables, {at(-half_block, v), 9.6}, {at(half_block, v), 9.6}, 0.05);
        for (const double u : {-25.0, 25.0}) put_.span({at(u, 0), 0}, {at(u, 0), 7.4}, 1.5, 1.5);
    }

    template <class At>
    void pylons(const At& at) {
        const dvec2 foot = at(-half_block, 0);
        put_.rod(posts, {foot, 0}, {foot, 36}, 0.5);
        put_.span({at(-half_block, -8), 32}, {at(-half_block, 8), 32}, 0.6, 0.6);
        for (const double v : {-7.5, 0.0, 7.5})
            put_.rod(cables, {at(-half_block, v), 32}, {at(half_block, v), 32}, 0.03);
    }

    const BlockSite& site_;
    Placer put_;
    Random random_;
    double density_;  ///< 1 at the centre, falling outwards
};

}  // namespace

void build_block(const BlockSite& site, CityArrays& city) { BlockPlan(site, city).fill(); }

}  // namespace lanecull::program
