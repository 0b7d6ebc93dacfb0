#pragma once

#include <cstddef>
#include <string>

#include "properties/bounds/containment.hpp"
#include "support/memory.hpp"
#include "support/random.hpp"

/// Vertices that are hard to bound.
namespace properties {

/// A coordinate rounded to floats, no larger than the largest of these.
[[nodiscard]] float to_float(double number);

/// Points of a solid, a plane, a line or a single point, turned or not, from 10^-45 to 10^38 in size, up to 10^7 sizes
/// from the origin, some of them twice; points about as far from their middle as each other; or points of a coarse grid
/// times a power of two from 2^-149 to 2^100, many of them exactly as far from its middle as others.
[[nodiscard]] Cloud random_cloud(Random& random, std::size_t most);
/// The same with a size from 10^-3 to 10^3, and no number below 2^-30 in size: 2^k times it is exact for |k| <= 90.
[[nodiscard]] Cloud moderate_cloud(Random& random, std::size_t most);

/// NaN or an infinity.
[[nodiscard]] float not_finite(Random& random);

/// Any floats, now and then one that is not finite; or each of a few numbers that coordinates may be: the ends of the
/// floats' range, or zeros of either sign and the smallest floats.
[[nodiscard]] Cloud any_cloud(Random& random, std::size_t most);

/// Points a few steps between the smallest floats from the origin.
[[nodiscard]] Cloud tiny_cloud(Random& random, std::size_t count);

/// As three streams, or as records of x, y and z that are `stride` floats apart. `memory` must outlive the result.
[[nodiscard]] lanecull::Vertices lay_out(const Cloud& cloud, std::size_t stride, Memory& memory);

/// All coordinates in hexadecimal.
[[nodiscard]] std::string describe(const Cloud& cloud);
/// A few numbers in hexadecimal.
[[nodiscard]] std::string describe(const float* numbers, std::size_t count);

}  // namespace properties
