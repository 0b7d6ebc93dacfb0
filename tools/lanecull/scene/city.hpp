#pragma once

#include <cstdint>

#include "scene/scene.hpp"

namespace lanecull::program {

/// Memory that a city of that many objects takes, generation and one cull's outputs included: an upper estimate.
[[nodiscard]] std::uint64_t city_bytes(std::uint64_t objects);

/// The built-in scene: a city in metres, z up, of exactly `objects` objects (1 to 2^32 - 1), all kinds of shape in it.
/// The same number gives the same city, bit for bit, on every machine: only +, -, *, / and square roots are used,
/// which IEEE 754 defines, and a generator of our own.
[[nodiscard]] Scene make_city(std::uint64_t objects);

}  // namespace lanecull::program
