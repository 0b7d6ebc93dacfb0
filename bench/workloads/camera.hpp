#pragma once

#include <array>

#include <lanecull/view.h>
#include <glm/mat3x3.hpp>
#include <glm/vec3.hpp>

namespace bench {

/// A symmetric perspective camera. Every benchmark looks through `standard_camera()`.
struct Camera {
    glm::dvec3 eye;
    glm::dmat3 axes;      ///< columns: right, up, forward; orthonormal
    double tan_x, tan_y;  ///< half the width and height of the volume at depth 1
    double near_depth, far_depth;

    [[nodiscard]] const glm::dvec3& right() const { return axes[0]; }
    [[nodiscard]] const glm::dvec3& up() const { return axes[1]; }
    [[nodiscard]] const glm::dvec3& forward() const { return axes[2]; }

    /// Bit 0 of the index: right, bit 1: top, bit 2: far.
    [[nodiscard]] std::array<glm::dvec3, 8> corners() const;
};

/// 60 degrees from top to bottom, 16:9, near 0.1, far 500, turned arbitrarily, off the origin.
Camera standard_camera();

/// A camera's clip matrix, and how to read it.
struct Matrix {
    std::array<double, 16> clip_from_world;
    lanecull::ClipSpace clip_space;
};
Matrix matrix_of(const Camera& camera);

/// The camera's volume, prepared by the library from its clip matrix; or, with a light, that of its casters.
lanecull::View prepare(const Camera& camera, const lanecull::ViewOptions& options = {});

}  // namespace bench
