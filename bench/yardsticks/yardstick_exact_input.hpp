#pragma once

#include "workloads/camera.hpp"
#include "yardsticks/textbook_input.hpp"
#include "yardsticks/yardstick_exact.hpp"
#include "yardsticks/yardstick_planes_input.hpp"

namespace bench {

inline ExactVolume exact_volume(const Camera& camera) { return {six_planes(camera), textbook_frustum(camera)}; }

}  // namespace bench
