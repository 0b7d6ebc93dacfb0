#pragma once

#include <cstdint>

#include "scene/scene.hpp"

namespace lanecull::program {

/// A number that follows from the shapes of all objects: another one, almost surely, for another scene.
[[nodiscard]] std::uint64_t scene_fingerprint(const Scene& scene);

}  // namespace lanecull::program
