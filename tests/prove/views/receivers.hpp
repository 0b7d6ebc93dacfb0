#pragma once

#include <cstddef>
#include <optional>

#include "prove/trial.hpp"
#include "prove/views/setting.hpp"
#include "support/random.hpp"

/// Families of casters: of what shadow.h prepares, of planes that coincide, and of volumes with as many corners as
/// there is room for.
namespace prove {

/// What casts shadows into a slice's receivers, by every kind of light. Half of the objects stand between the light and
/// a point that it lights.
[[nodiscard]] std::optional<Setting> receivers(Random& random, std::size_t objects);
/// The same of receivers whose box has no thickness along one axis at least.
[[nodiscard]] std::optional<Setting> flat_receivers(Random& random, std::size_t objects);
/// The same of level cameras and such along an axis, where planes of the slice, the box, the camera and the clip planes
/// coincide, exactly or nearly.
[[nodiscard]] std::optional<Setting> coinciding_planes(Random& random, std::size_t objects);
/// Views of these cameras, cut by clip planes that they have already, or nearly.
[[nodiscard]] std::optional<Setting> coinciding_clips(Random& random, std::size_t objects);
/// Two eyes whose volumes have 60 to 66 corners together, and a lamp. There is room for 64 and the lamp.
[[nodiscard]] std::optional<Setting> many_corners(Random& random, std::size_t objects);

/// What a sun's map covers: an object that is called inside is within all four sides, the border included.
void covered(Trial& trial);

}  // namespace prove
