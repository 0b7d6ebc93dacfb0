#pragma once

#include <cstddef>

#include "bounds/world_cases.hpp"
#include "oracle/exact.hpp"

/// Where the corners of a transformed box are. Bit j of `corner`: the upper end of axis j.
namespace world_tests {

/// A coordinate in doubles: within `error` of the truth. `size`: the sizes of all terms.
struct Coordinate {
    double value, error, size;
};
[[nodiscard]] Coordinate coordinate(const World& world, const WorldCase& of, std::size_t row, unsigned corner);
[[nodiscard]] exact::Rational exact_coordinate(const World& world, const WorldCase& of, std::size_t row,
                                               unsigned corner);

}  // namespace world_tests
