#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace lanecull::program {

/// The bytes of a PNG file of R8G8B8A8 pixels, alpha left out; rows from the top.
[[nodiscard]] std::string png_of(std::span<const std::uint32_t> pixels, std::uint32_t width);

/// A square map's depths in grey, near is dark.
[[nodiscard]] std::string png_of_depths(std::span<const float> depths, std::uint32_t width);

}  // namespace lanecull::program
