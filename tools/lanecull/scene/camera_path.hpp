#pragma once

#include <cstddef>
#include <glm/vec3.hpp>
#include <optional>
#include <span>
#include <string>

#include "scene/camera.hpp"
#include "scene/scene.hpp"

namespace lanecull::program {

/// What the command line says about every camera; what is unset stays as the path has it.
struct LensOptions {
    std::optional<double> fov_degrees;  ///< vertical
    std::optional<double> aspect;
    std::optional<double> near;
    std::optional<double> far;
};

/// A camera at the origin with the lens of built-in paths, fitted to the scene's bounds, and what was asked for.
[[nodiscard]] Camera fitted_camera(const Bounds& bounds, const glm::dvec3& up, const LensOptions& lens);

/// Fails unless the camera keeps the rules that Camera states. `where`: what to call it.
void check_camera(const Camera& camera, const std::string& where);

/// The built-in path: over the scene from one corner, down to the ground, through the centre and up again, fitted to
/// the scene's bounds.
[[nodiscard]] CameraPath fitted_path(const Bounds& bounds, const glm::dvec3& up, std::size_t frames,
                                     const LensOptions& lens);

/// The built-in path `street`: `frames` cameras evenly along a walk through the scene (Scene::walk), each looking along
/// the leg that it is on.
[[nodiscard]] CameraPath walking_path(std::span<const glm::dvec3> walk, const Bounds& bounds, const glm::dvec3& up,
                                      std::size_t frames, const LensOptions& lens);

/// The cameras of a file as a path, with the lens that was asked for, checked; with `frames` that many evenly along a
/// curve through them. Between two cameras in the same place the camera turns there.
[[nodiscard]] CameraPath path_through(CameraPath keys, std::optional<std::size_t> frames, const LensOptions& lens,
                                      const std::string& file);

}  // namespace lanecull::program
