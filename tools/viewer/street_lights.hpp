#pragma once

#include <cstdint>
#include <vector>

#include "scene/scene.hpp"
#include "scene/scene_lights.hpp"

namespace lanecull::program {

/// So many lights at the built-in city's lamps, every other a spotlight that shines down: the same ones each time.
/// Fails if the city is too small to have lamps.
[[nodiscard]] std::vector<SceneLight> street_lights(const Scene& city, std::uint64_t count);

}  // namespace lanecull::program
