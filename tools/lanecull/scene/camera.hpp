#pragma once

#include <lanecull/occluder.h>
#include <lanecull/view.h>
#include <array>
#include <glm/mat4x4.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace lanecull::program {

/// A clip matrix as the library takes it, column by column, and how to read it.
struct ClipMatrix {
    glm::dmat4 clip;
    ClipSpace space;
    SightDirection sight = SightDirection::growing_depth;  ///< of an orthographic one

    [[nodiscard]] std::span<const double, 16> numbers() const { return std::span<const double, 16>(&clip[0][0], 16); }
};

/// A camera. Lengths in the scene's units, angles in radians; forward and up not parallel (neither needs to be of
/// length 1). Perspective: 0 < near < far, where far may be infinite, and 0 < vertical_fov < pi. Orthographic: near <
/// far, both finite. All other numbers finite.
struct Camera {
    glm::dvec3 eye{0, 0, 0};
    glm::dvec3 forward{1, 0, 0};
    glm::dvec3 up{0, 0, 1};
    double vertical_fov = 1.0;   ///< of a picture whose middle is straight ahead
    double height = 0;           ///< of what an orthographic camera sees; 0: it is a perspective one
    double aspect = 16.0 / 9.0;  ///< width / height
    glm::dvec2 shift{0, 0};      ///< from straight ahead to the picture's middle, in halves of its width and height
    double near = 0.1;
    double far = 1000;
    /// The matrix that a path gives for this camera, which then is what culls. What stands above is read off it.
    std::optional<ClipMatrix> given = {};

    [[nodiscard]] bool is_orthographic() const { return height > 0; }

    /// Orthonormal, right-handed: right, up, backward (the camera looks along -backward).
    struct Basis {
        glm::dvec3 right, up, backward;
    };
    [[nodiscard]] Basis basis() const;

    /// clip = M (p - eye, 1), depth 0 (near) to 1 (far), y up. Of a perspective camera it has no translation, so
    /// nothing cancels far from the origin. It is not the one that is given.
    [[nodiscard]] glm::dmat4 clip_from_relative() const;

    /// What culls: the matrix that is given, else clip_from_relative().
    [[nodiscard]] ClipMatrix matrix() const;

    /// The same camera with an end: one without a far plane gets it at `reach`, or a little beyond near.
    [[nodiscard]] Camera bounded(double reach) const;

    /// The corners of a view volume with an end: near left-bottom, right-bottom, right-top, left-top, then far in the
    /// same order.
    [[nodiscard]] std::array<glm::dvec3, 8> corners() const;

    /// Of a perspective camera: how many times as far from the eye a depth plane's corners are as the plane, at most.
    /// Rounded upwards.
    [[nodiscard]] double corner_distance() const;

    /// The view volume's planes: left, right, bottom, top, near, far. A point p is as far inside of one as
    /// dot(xyz, p - eye) + w says; xyz is a unit vector. w of a far plane that is nowhere is infinite.
    [[nodiscard]] std::array<glm::dvec4, 6> planes() const;

    /// The library's view of this camera.
    [[nodiscard]] View view() const;
    /// Of what casts shadows into it.
    [[nodiscard]] View view(const DirectionalLight& sun) const;
    /// What solids hide from it, they hide from here.
    [[nodiscard]] Viewpoint viewpoint() const;
    /// Its picture of so many pixels, of vertices relative to the eye and 24 bits of depth, for raster_margin().
    [[nodiscard]] Rasterization rasterization(std::uint32_t columns, std::uint32_t rows) const;

private:
    /// Half of the picture, up: at depth 1 of a perspective camera.
    [[nodiscard]] double half_height() const;
};

/// The camera whose matrix that is. Eye, axes, angles and depths are read off it, as pictures and words need them; a
/// picture whose y points down (Vulkan's) is turned up. The eye of an orthographic camera is in the middle of its near
/// plane. Fails if the matrix is neither a perspective nor an orthographic one. `where`: what to call it.
[[nodiscard]] Camera camera_of(const ClipMatrix& matrix, const std::string& where);

/// Where the far plane is of a projection matrix in float32, with z from 0 to 1, that is made for a perspective
/// camera's depths in float32, as glm::perspective<float>() does; infinite if it has none.
[[nodiscard]] double far_in_floats(double near, double far);

/// One camera a frame.
using CameraPath = std::vector<Camera>;

}  // namespace lanecull::program
