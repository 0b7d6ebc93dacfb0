#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "scene/camera_path.hpp"
#include "scene/scene.hpp"

/// Scene files, read in processes of their own (support/reading_process.hpp): what is in them comes from anyone, and so
/// do the readers.
namespace lanecull::program {

/// Reads a list of boxes, CityJSON, glTF, PLY or, with assimp, any other file. Meshes of more points than a hull may
/// have are cut into several by runs of faces; meshes without any point are left out. `frames` is for read_gltf(); in
/// scenes of other formats all objects rest.
[[nodiscard]] Scene read_scene(const std::string& file, std::optional<std::size_t> frames = {});

/// Whether the file's suffix is one of a scene that may have cameras: glTF.
[[nodiscard]] bool may_have_cameras(const std::string& file);

/// What the reading process does with requests of the functions below.
[[nodiscard]] std::string answer_reading(std::string_view request);

/// read_scene() of such a process. Lists of boxes are read in this one.
[[nodiscard]] Scene read_scene_apart(const std::string& file, std::optional<std::size_t> frames = {});

/// path_of_gltf() of such a process.
[[nodiscard]] CameraPath read_path_apart(const std::string& file, std::optional<std::size_t> frames,
                                         std::size_t animated_frames, const LensOptions& lens);

}  // namespace lanecull::program
