#pragma once

#include <cstdint>

namespace lanecull {

/// The features (lanes/features.hpp) that the processor has and the operating system saves the registers of.
std::uint32_t processor_features() noexcept;

}  // namespace lanecull
