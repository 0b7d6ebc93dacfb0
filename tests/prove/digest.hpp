#pragma once

#include <cstdint>
#include <span>
#include <string>

#include <lanecull/isa.hpp>

#include "prove/family.hpp"

/// A fingerprint of all of the library's answers. It shows whether a change of code that must change no answer did so.
namespace prove {

/// FNV-1a over every answer of one instruction set: visibility words, statistics and each certificate's fields, by
/// every method, of `rounds` trials of each family; then of pairs of every two kinds: separated bits, distances with
/// their points, casts. The same on every machine.
[[nodiscard]] std::uint64_t digest(lanecull::Isa isa, std::span<const Family> families, std::uint64_t seed,
                                   std::uint64_t rounds);

}  // namespace prove
