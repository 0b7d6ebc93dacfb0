#include <algorithm>
#include <array>
#include <cmath>

#include "properties/lights/cells.hpp"
#include "support/double3.hpp"

/// Lights that touch a cell from outside: a plane between the two is known, so that the light is apart from the cell if
/// it is moved along the plane's normal, by as much.
namespace properties {
namespace {

/// A point of a cell's surface, and the normal of a plane there that no point of the cell is in front of.
struct Touched {
    Double3 point{}, normal{};
    std::array<Double3, 3> edges{};  ///< of the cell, from the corner
};

Double3 numbers(const Point3& p) { return {p.x, p.y, p.z}; }
Double3 unit(const Double3& v) { return (1 / std::max(length(v), 1e-300)) * v; }

/// A corner of a cell, an edge, or a face; at_line: an edge between rows and slices.
Touched random_touched(Random& random, const GridCase& of, const GridGeometry& geometry, bool at_line) {
    const auto number = static_cast<std::size_t>(random.below(static_cast<int>(of.cells())));
    const double near = of.boundaries[number / of.tiles_x / of.tiles_y];
    const CellShape cell = geometry.cell(number, 3 * std::fabs(near) + 1);
    const auto c = static_cast<std::size_t>(random.below(8));
    Touched touched;
    touched.point = numbers(cell.corners[c]);
    for (std::size_t k = 0; k < 3; ++k) touched.edges[k] = numbers(cell.corners[c ^ 1u << k]) - touched.point;
    const std::array<Double3, 3> edges = touched.edges;
    double share = 1;
    for (std::size_t k = 0; k < 3; ++k) {
        const Double3 across = unit(cross(unit(edges[(k + 1) % 3]), unit(edges[(k + 2) % 3])));
        if (at_line ? k == 0 : random.chance(0.3)) {  // along this edge
            const double along = share * random.unit();
            share -= along;
            touched.point = touched.point + along * edges[k];
        } else {
            touched.normal =
                touched.normal + (dot(across, edges[k]) < 0 ? 1.0 : -1.0) * random.log_range(1e-3, 1) * across;
        }
    }
    touched.normal = unit(touched.normal);
    return touched;
}

/// Of length 1, across the normal: along an edge of the cell at times.
Double3 random_aside(Random& random, const Touched& touched) {
    const Double3 way =
        random.chance(0.3) ? touched.edges[static_cast<std::size_t>(random.below(3))] : random_direction(random);
    return unit(way - dot(way, touched.normal) * touched.normal);
}

}  // namespace

double random_tangent(Random& random) {
    const double degree = 3.14159265358979 / 180;
    switch (random.below(4)) {
        case 0:
            return std::tan(random.log_range(0.1, 1) * degree);
        case 1:
            return std::tan(random.range(80, 89.9) * degree);
        default:
            return std::tan(random.range(1, 80) * degree);
    }
}

void add_touching(Random& random, const GridCase& of, const GridGeometry& geometry, bool is_spot,
                  LightStreams& lights) {
    const Touched touched = random_touched(random, of, geometry, false);
    const Double3 &n = touched.normal, aside = random_aside(random, touched);
    const Point3 place{touched.point[0], touched.point[1], touched.point[2]};
    const double reach = std::max(1e-7, std::fabs(geometry.depth(place))) * random.log_range(1e-3, 3);
    const double gap = random.chance(0.3) ? 0 : random.sign() * reach * std::ldexp(1.0, -6 - random.below(20));
    const auto at = [&](const Double3& p) { return world(geometry, {p[0], p[1], p[2]}); };
    const Double3 base = touched.point + gap * n;
    if (!is_spot) return lights.add_ball(at(base + reach * n), reach);

    const bool is_flat = lights.end == lanecull::SpotEnd::flat;
    const double tangent = random_tangent(random), cosine = 1 / std::sqrt(1 + tangent * tangent),
                 sine = tangent * cosine;
    Double3 axis, apex;
    double range = reach;
    switch (random.below(5)) {
        case 0: {  // its apex
            const double lean = random.unit() * std::atan(1 / std::max(tangent, 1e-9));
            axis = std::cos(lean) * n + std::sin(lean) * aside;
            apex = base;
            break;
        }
        case 1: {  // its end
            const double lean = is_flat ? 0 : random.unit() * std::atan(tangent);
            axis = std::sin(lean) * aside - std::cos(lean) * n;
            apex = base + range * n + (is_flat ? random.unit() * range * tangent : 0.0) * aside;
            break;
        }
        default: {  // its side
            const double along = reach * (random.chance(0.3) ? random.log_range(1e-6, 1) : 1.0);
            axis = cosine * aside + sine * n;
            apex = base - along * aside;
            range = reach * (is_flat ? cosine : 1.0) * (random.chance(0.2) ? 1.0 : random.log_range(1, 4));
        }
    }
    lights.add_spot(at(apex), range, {axis[0], axis[1], axis[2]}, tangent);
}

void add_at_line(Random& random, const GridCase& of, const GridGeometry& geometry, LightStreams& lights) {
    const Touched touched = random_touched(random, of, geometry, true);
    const Point3 place{touched.point[0], touched.point[1], touched.point[2]};
    const double reach = std::max(1e-7, std::fabs(geometry.depth(place))) * random.log_range(0.03, 3);
    const double angle = random.range(random.chance(0.7) ? 60 : 1, 89.9) * 3.14159265358979 / 180;
    Double3 axis = random_direction(random), apex = touched.point;
    if (random.chance(0.5)) {  // its side is along the line
        const double tilt = random.chance(0.3) ? 0 : std::ldexp(random.unit(), -random.below(20));
        const Double3 line = unit(touched.edges[0]), way = unit(line + tilt * random_direction(random));
        const Double3 n = unit(touched.normal - dot(touched.normal, way) * way);
        axis = std::cos(angle) * way + std::sin(angle) * n;
        apex = apex - reach * random.unit() * random.sign() * way;
    }
    const double range = reach * (lights.end == lanecull::SpotEnd::flat ? std::cos(angle) : 1.0);
    lights.add_spot(world(geometry, {apex[0], apex[1], apex[2]}), range, {axis[0], axis[1], axis[2]}, std::tan(angle));
}

}  // namespace properties
