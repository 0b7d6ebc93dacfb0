#pragma once

#include <glm/vec3.hpp>
#include <span>

#include "picture/canvas.hpp"
#include "picture/picture_image.hpp"
#include "picture/picture_volume.hpp"
#include "scene/scene_solids.hpp"

/// From samples to colours: sun and its shadows, sky light, haze, and the view volume as a beam of light.
namespace lanecull::program {

/// The colours that tell what became of an object, 0xRRGGBB; told apart by colour-blind eyes too.
namespace verdict_color {
inline constexpr unsigned culled = 0xCBCED1;
inline constexpr unsigned visible = 0x1F7FC4;
inline constexpr unsigned false_positive = 0xF05A00;
inline constexpr unsigned hidden = 0x7A4F9A;
inline constexpr unsigned section = 0x8E9194;  ///< of what is culled
}  // namespace verdict_color

/// A cut solid's inside, next to its outside.
inline constexpr float section_shade = 0.45F;

/// What the picture is taken of. World coordinates.
struct Setting {
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
