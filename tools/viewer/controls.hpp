#pragma once

#include <optional>
#include <span>
#include <string>

#include "frame.hpp"
#include "scene/camera.hpp"

/// What the window's keys change.
namespace lanecull::program {

struct Controls {
    Camera camera;                 ///< that the picture is seen by
    std::optional<Camera> frozen;  ///< that culls, where it is another
    Culling culling = Culling::exact;
    Casters casters = Casters::volume;
    Lighting lighting = Lighting::cells;
    bool has_occluders = false;   ///< whether something may hide objects
    bool has_baked = false;       ///< whether there are sets of what may be seen from cells
    bool has_lights = false;      ///< whether it is night
    bool verdicts = false;        ///< every object is drawn, in the colour of what settled it
    bool caster_volumes = false;  ///< their edges are drawn
    bool overlay = true, help = false, follow = false, closing = false;
    bool screenshot = false;        ///< wanted of the next frame
    bool move_point_light = false;  ///< to the camera, wanted of the next frame

    [[nodiscard]] const Camera& culling_camera() const { return frozen ? *frozen : camera; }
};

/// One key: `press` changes the controls and says in a few words what holds now.
struct KeyBinding {
    char key;  ///< as the keyboard has it, in capitals; 27 is escape
    const char* name;
    const char* text;
    std::string (*press)(Controls& controls);
};
[[nodiscard]] std::span<const KeyBinding> key_bindings();

/// Directions that keys hold down, each -1, 0 or 1; angles in radians.
struct Steering {
    double right = 0, up = 0, ahead = 0;
    double turn_left = 0, turn_up = 0;
    bool fast = false;
};

/// Flies for so many seconds. A far distance takes half a minute, three seconds when fast.
void fly(Camera& camera, const Steering& steering, double seconds);

}  // namespace lanecull::program
