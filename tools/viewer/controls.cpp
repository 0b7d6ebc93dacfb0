#include "controls.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/vec3.hpp>

namespace lanecull::program {
namespace {

std::string on_or_off(const char* what, bool& flag) {
    flag = !flag;
    return std::string(what).append(flag ? ": on" : ": off");
}

std::string set(Controls& controls, Culling culling) {
    controls.culling = culling;
    return std::string("culling: ").append(name_of(culling));
}

constexpr KeyBinding bindings[] = {
    {'1', "1", "culling off", [](Controls& c) { return set(c, Culling::off); }},
    {'2', "2", "culling by planes alone", [](Controls& c) { return set(c, Culling::planes); }},
    {'3', "3", "culling exactly", [](Controls& c) { return set(c, Culling::exact); }},
    {'4', "4", "culling exactly, by way of an ordered scene", [](Controls& c) { return set(c, Culling::ordered); }},
    {'5', "5", "the same as 3, and what stands behind solid boxes; again: without",
     [](Controls& c) {
         if (!c.has_occluders) return std::string("culling by occluders: nothing here is solid");
         return set(c, c.culling == Culling::occluders ? Culling::exact : Culling::occluders);
     }},
    {'6', "6", "the same as 3, of what may be seen from the eye's cell (--visibility); again: without",
     [](Controls& c) {
         if (!c.has_baked) return std::string("culling by visibility: --visibility names a file");
         return set(c, c.culling == Culling::visibility ? Culling::exact : Culling::visibility);
     }},
    {'C', "C", "casters rejected by the light's frustum, or by the volume of casters",
     [](Controls& c) {
         c.casters = c.casters == Casters::volume ? Casters::frustum : Casters::volume;
         return std::string("casters: ").append(name_of(c.casters));
     }},
    {'F', "F", "freeze the culling camera and look at what it keeps; its volume is drawn",
     [](Controls& c) {
         c.frozen = c.frozen ? std::nullopt : std::optional(c.camera);
         return std::string("frozen: ").append(c.frozen ? "on" : "off");
     }},
    {'V', "V", "every object in the colour of what settled it",
     [](Controls& c) { return on_or_off("verdicts", c.verdicts); }},
    {'B', "B", "edges of the casters' volumes",
     [](Controls& c) { return on_or_off("caster volumes", c.caster_volumes); }},
    {'N', "N", "by night: pixels lit by the lights of their cell, by all lights, or cells by how many they have",
     [](Controls& c) {
         if (!c.has_lights) return std::string("lights: --night has some");
         c.lighting = c.lighting == Lighting::cells ? Lighting::all
                      : c.lighting == Lighting::all ? Lighting::counts
                                                    : Lighting::cells;
         return std::string("lights: ").append(name_of(c.lighting));
     }},
    {'L', "L", "bring the lamp here",
     [](Controls& c) {
         c.move_point_light = true;
         return std::string("lamp: here");
     }},
    {' ', "space", "follow the camera path", [](Controls& c) { return on_or_off("path", c.follow); }},
    {'O', "O", "counts and times", [](Controls& c) { return on_or_off("overlay", c.overlay); }},
    {'P', "P", "write a picture",
     [](Controls& c) {
         c.screenshot = true;
         return std::string();
     }},
    {'H', "H", "these keys", [](Controls& c) { return on_or_off("help", c.help); }},
    {27, "escape", "close",
     [](Controls& c) {
         c.closing = true;
         return std::string("closing");
     }},
};

}  // namespace

std::span<const KeyBinding> key_bindings() { return bindings; }

void fly(Camera& camera, const Steering& steering, double seconds) {
    const Camera::Basis basis = camera.basis();
    glm::dvec3 ahead = -basis.backward;
    const double steepness = std::asin(std::clamp(glm::dot(ahead, glm::normalize(camera.up)), -1.0, 1.0));
    const double steepest = 1.5;  // short of straight up, where there is no right
    const double up = std::clamp(steepness + steering.turn_up, -steepest, steepest) - steepness;
    const glm::dvec3 left = -basis.right;
    ahead = std::cos(up) * ahead + std::sin(up) * basis.up;
    const glm::dvec3 axis = glm::normalize(camera.up);
    const double flat = glm::dot(ahead, axis);
    const glm::dvec3 level = ahead - flat * axis;
    camera.forward =
        flat * axis + std::cos(steering.turn_left) * level + std::sin(steering.turn_left) * glm::length(level) * left;
    const double speed = camera.far / (steering.fast ? 3 : 30);
    camera.eye += speed * seconds * (steering.right * basis.right + steering.up * axis + steering.ahead * ahead);
}

}  // namespace lanecull::program
