#pragma once

#include <string>

#include "picture/observer.hpp"
#include "scene/scene.hpp"
#include "shadow/shadow_measure.hpp"

namespace lanecull::program {

/// A map of the scene, from above: what `picked` says of each object, and the outlines of the camera's view, of the
/// light's frustum and of the caster volume, as far as they lie at the scene's heights. The bytes of a PNG file.
/// `caption`: "sun, cascade 3, frame 30 of 60". A scene that is cut open lacks what is above the camera.
[[nodiscard]] std::string draw_shadow_picture(const Scene& scene, const PickedLight& picked, const std::string& caption,
                                              CutawayChoice cutaway);

}  // namespace lanecull::program
