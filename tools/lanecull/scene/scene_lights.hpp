#pragma once

#include <cstddef>
#include <glm/vec3.hpp>
#include <span>
#include <string>
#include <vector>

/// The lights of a scene's file.
namespace lanecull::program {

/// A lamp, or a spotlight where `tangent`, of half its opening angle, is more than 0.
struct SceneLight {
    glm::dvec3 at{0};
    double range = 0;  ///< 0: the file does not say
    glm::dvec3 axis{0};
    double tangent = 0;
    std::size_t node = 0;  ///< its number in the file
};

/// The point lights and spotlights of a glTF file's scene, in the order of its nodes (KHR_lights_punctual).
[[nodiscard]] std::vector<SceneLight> parse_gltf_lights(std::span<const std::byte> bytes, const std::string& file);

/// The same of a file, in a process of its own; none of a file that is not glTF.
[[nodiscard]] std::vector<SceneLight> read_lights_apart(const std::string& file);

}  // namespace lanecull::program
