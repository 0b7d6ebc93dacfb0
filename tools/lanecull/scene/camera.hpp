#pragma once

#include <array>
#include <cstdint>
#include <glm/mat4x4.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>
#include <lanecull/light.hpp>
#include <lanecull/occluder.hpp>
#include <lanecull/raster_margin.hpp>
#include <lanecull/view.hpp>
#include <vector>

namespace lanecull::program {

/// A perspective camera. Lengths in the scene's units, angles in radians; all numbers finite, 0 < near < far,
/// 0 < vertical_fov < pi, forward and up not parallel (neither needs to be of length 1).
struct Camera {
    glm::dvec3 eye{0, 0, 0};
    glm::dvec3 forward{1, 0, 0};
    glm::dvec3 up{0, 0, 1};
    double vertical_fov = 1.0;
    double aspect = 16.0 / 9.0;  ///< width / height
    double near = 0.1;
    double far = 1000;

    /// Orthonormal, right-handed: right, up, backward (the camera looks along -backward).
    struct Basis {
        glm::dvec3 right, up, backward;
    };
    [[nodiscard]] Basis basis() const;

    /// clip = M (p - eye, 1), depth 0 (near) to 1 (far), y up. No translation, so nothing cancels far from the origin.
    [[nodiscard]] glm::dmat4 clip_from_relative() const;

    /// The view volume's corners: near left-bottom, right-bottom, right-top, left-top, then far in the same order.
    [[nodiscard]] std::array<glm::dvec3, 8> corners() const;

    /// How many times as far from the eye a depth plane's corners are as the plane. Rounded upwards.
    [[nodiscard]] double corner_distance() const;

    /// The view volume's planes: left, right, bottom, top, near, far. A point p is as far inside of one as
    /// dot(xyz, p - eye) + w says; xyz is a unit vector.
    [[nodiscard]] std::array<glm::dvec4, 6> planes() const;

    /// The library's view of this camera.
    [[nodiscard]] View view() const;
    /// Of what casts shadows into it.
    [[nodiscard]] View view(const Sun& sun) const;
    /// What solids hide from it, they hide from here.
    [[nodiscard]] Viewpoint viewpoint() const;
    /// Its picture of so many pixels, of vertices relative to the eye and 24 bits of depth, for raster_margin().
    [[nodiscard]] Rasterization rasterization(std::uint32_t width, std::uint32_t height) const;
};

/// One camera a frame.
using CameraPath = std::vector<Camera>;

}  // namespace lanecull::program
