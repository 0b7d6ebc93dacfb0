#pragma once

/// Pairs that floats leave open are settled in doubles, one at a time, by <lanecull/gjk.hpp>.

#include <cstddef>

#include "pairs/work.hpp"

namespace lanecull::pairs {

/// Writes what the call wants to know of pair i, both of whose objects exist and are valid.
void settle(const SeparateWork& work, std::size_t i);
void settle(const DistanceWork& work, std::size_t i);
void settle(const CastWork& work, std::size_t i);

}  // namespace lanecull::pairs
