#pragma once

#include <cstddef>
#include <cstdint>

namespace bench {

/// Loads every word and does next to nothing with it: as fast as this core can read. For AVX2. Words a multiple of 64.
std::uint64_t read_memory(const std::uint64_t* words, std::size_t count);

}  // namespace bench
