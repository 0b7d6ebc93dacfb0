#pragma once

#include <lanecull/types.h>

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/memory.hpp"

namespace lanecull {

/// Writes the bits that are set in `words` to `set`, in the portable format of Roaring bitmaps.
[[nodiscard]] Status compress(std::span<const std::uint64_t> words, Array<std::byte>& set) noexcept;

}  // namespace lanecull
