#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "support/objects.hpp"
#include "support/random.hpp"

/// Objects of any numbers.
namespace properties {

/// One to three; of one vertex each unless `many`. Their numbers are finite.
[[nodiscard]] HullSet read_hulls(Random& random, bool many);
/// Of one of so many hulls. Often valid; without attributes.
[[nodiscard]] Object read_object(Random& random, Kind kind, std::size_t hulls);

/// Which attributes a batch has.
[[nodiscard]] Streams read_streams(Random& random);
void read_attributes(Random& random, const Streams& streams, Object& object);

/// So many words of candidates: none, all or some of a word, those of no object among them.
[[nodiscard]] std::vector<std::uint64_t> read_candidates(Random& random, std::size_t words);

/// The object's numbers make no shape: visible wherever it is.
[[nodiscard]] bool is_invalid(Kind kind, const Object& object);

}  // namespace properties
