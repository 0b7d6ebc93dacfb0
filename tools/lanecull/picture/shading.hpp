#pragma once

#include "picture/canvas.hpp"
#include "picture/image.hpp"
#include "picture/volume.hpp"
#include "scene/scene_solids.hpp"

/// From samples to colours: sun and its shadows, sky light, haze, and the view volume as a beam of light.
namespace lanecull::program {

/// What the picture is taken of. World coordinates.
struct Setting {
    std::span<const unsigned> inks;  ///< colours of the surfaces; the first is the ground's
    glm::dvec3 up{0, 0, 1};
    glm::dvec3 middle{0};                 ///< of what is shown
    double extent = 1;                    ///< radius of what is shown, from the middle
    double haze = 1;                      ///< distance from the middle at which things are half lost in haze
    double grid = 0;                      ///< distance of the ground's grid lines; 0: none
    glm::dvec3 sun{0, 0, 1};              ///< unit vector toward the sun
    const Canvas* shadows = nullptr;      ///< what the sun sees
    const Polyhedron* volume = nullptr;   ///< drawn as a beam; null: none
    std::span<const BoxEdges> occluders;  ///< the volume's part behind them is shaded
    glm::dvec3 eye{0};                    ///< behind them, as seen from here
};

[[nodiscard]] Image shade(const Canvas& canvas, const Setting& setting);

}  // namespace lanecull::program
