#pragma once

#include <nlohmann/json_fwd.hpp>

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

/// A camera at the origin with the lens of built-in paths, fitted to the scene's bounds, and these options.
[[nodiscard]] Camera fitted_camera(const Bounds& bounds, const glm::dvec3& up, const LensOptions& lens);

/// Fails unless the camera keeps the rules that Camera states. `where`: what to call it.
void check_camera(const Camera& camera, const std::string& where);

/// The built-in path of the city: over the scene from one corner, down to the ground, through the centre and up again,
/// fitted to the scene's bounds.
[[nodiscard]] CameraPath fitted_path(const Bounds& bounds, const glm::dvec3& up, std::size_t frames,
                                     const LensOptions& lens);

/// The built-in path of files: a circle on the sphere around the bounds, somewhat above their middle. Each camera faces
/// the middle, and its far plane lies beyond the bounds.
[[nodiscard]] CameraPath circling_path(const Bounds& bounds, const glm::dvec3& up, std::size_t frames,
                                       const LensOptions& lens);

/// The built-in path `street`: `frames` cameras evenly along a walk through the scene (Scene::walk), each looking along
/// the leg that it is on.
[[nodiscard]] CameraPath walking_path(std::span<const glm::dvec3> walk, const Bounds& bounds, const glm::dvec3& up,
                                      std::size_t frames, const LensOptions& lens);

/// The cameras of a file as a path, with these options, checked; with `frames` that many evenly along a curve through
/// them. Between two cameras in the same place the camera turns there.
[[nodiscard]] CameraPath path_through(CameraPath keys, std::optional<std::size_t> frames, const LensOptions& lens,
                                      const std::string& file);

/// The path in a JSON file (described in tools/README.md). Without `frames` one frame a camera of the file; else that
/// many, evenly along a curve through the file's cameras. `up` is what holds where the file says nothing.
[[nodiscard]] CameraPath path_from_file(const std::string& file, const glm::dvec3& up,
                                        std::optional<std::size_t> frames, const LensOptions& lens);

/// How files name the conventions of a clip matrix: "zero_to_one" or "minus_one_to_one", "growing_depth" or
/// "shrinking_depth". Both fail naming `what`.
[[nodiscard]] DepthRange depth_range_of(const nlohmann::json& word, const std::string& what);
[[nodiscard]] SightDirection sight_of(const nlohmann::json& word, const std::string& what);

}  // namespace lanecull::program
