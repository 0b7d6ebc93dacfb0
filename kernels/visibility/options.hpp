#pragma once

#include <lanecull/visibility.hpp>

namespace lanecull {

/// Whether the lengths of a bake's options meet their rules.
[[nodiscard]] Status check_lengths(const BakeOptions& options) noexcept;

}  // namespace lanecull
