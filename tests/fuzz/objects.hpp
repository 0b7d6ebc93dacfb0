#pragma once

#include <cstddef>
#include <utility>

#include "fuzz/input.hpp"
#include "support/objects.hpp"

/// Objects of any numbers, as the fuzzers generate them.

/// One to three; of one vertex each unless `many`. Their numbers are finite.
[[nodiscard]] HullSet read_hulls(Input& input, bool many);
/// Of one of so many hulls. Often valid; without attributes.
[[nodiscard]] Object read_object(Input& input, Kind kind, std::size_t hulls);

/// Which attributes a batch has.
[[nodiscard]] Streams read_streams(Input& input);
void read_attributes(Input& input, const Streams& streams, Object& object);

/// The object's numbers make no shape: visible wherever it is.
[[nodiscard]] bool is_invalid(Kind kind, const Object& object);
