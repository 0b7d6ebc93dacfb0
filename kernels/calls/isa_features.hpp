#pragma once

#include <cstdint>

namespace lanecull {

/// The features (lanes/features.hpp) that the processor has and whose registers the operating system saves.
std::uint32_t processor_features() noexcept;

}  // namespace lanecull
