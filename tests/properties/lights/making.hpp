#pragma once

#include <array>

#include "properties/family.hpp"
#include "properties/lights/cells.hpp"
#include "support/generate.hpp"

/// What families of lights share.
namespace properties {

[[nodiscard]] GridCase random_grid(Random& random, const Camera& camera);

/// A place at which cells meet, or in one, relative to the grid's origin.
[[nodiscard]] Point3 random_place(Random& random, const GridCase& of, const GridGeometry& geometry);

[[nodiscard]] std::array<double, 3> world(const GridGeometry& geometry, const Point3& p);

/// Of half-angles of 0.1 to 89.9 degrees.
[[nodiscard]] double random_tangent(Random& random);

/// touching.cpp: a light that touches a cell from outside, or is apart from it by a little, or reaches into it.
void add_touching(Random& random, const GridCase& of, const GridGeometry& geometry, bool is_spot, LightStreams& lights);

/// A spotlight with its apex, or its side, on a line in which a slice's boundary meets a plane between rows.
void add_at_line(Random& random, const GridCase& of, const GridGeometry& geometry, LightStreams& lights);

/// seen.cpp: a light is culled only if it reaches nothing that is seen.
void run_seen_lights(Trial& trial);
inline constexpr Rate seen_light_rates[] = {{Tally::reached, Tally::cases, 0.2, 0.9}};

}  // namespace properties
