#pragma once

#include <cstddef>
#include <optional>

#include "prove/views/setting.hpp"

namespace prove {

/// A ball as a view, some with clip planes or a margin, and objects that touch it, half of them with margins and sweeps
/// of their own.
[[nodiscard]] std::optional<Setting> balls(Random& random, std::size_t count);

}  // namespace prove
