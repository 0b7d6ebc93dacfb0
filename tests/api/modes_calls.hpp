#pragma once

#include <span>

#include "api/modes.hpp"

namespace modes {

/// The calls of modes_test.cpp: a new public function is one line in one of these tables.
[[nodiscard]] std::span<const PublicCall> view_calls();
[[nodiscard]] std::span<const PublicCall> object_calls();
[[nodiscard]] std::span<const PublicCall> scene_calls();
[[nodiscard]] std::span<const PublicCall> frame_calls();
[[nodiscard]] std::span<const PublicCall> solid_calls();
[[nodiscard]] std::span<const PublicCall> occluder_calls();

}  // namespace modes
