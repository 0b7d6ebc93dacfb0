#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

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

/// So many words of candidates: none, all or some of a word, those of no object among them.
[[nodiscard]] std::vector<std::uint64_t> read_candidates(Input& input, std::size_t words);

/// The object's numbers make no shape: visible wherever it is.
[[nodiscard]] bool is_invalid(Kind kind, const Object& object);
