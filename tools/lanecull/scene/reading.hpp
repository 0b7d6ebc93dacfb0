#pragma once

#include "scene/camera_path.hpp"
#include "scene/scene.hpp"

/// Scene files, read in processes of their own (support/reading_process.hpp): what is in them comes from anyone, and so
/// do the readers.
namespace lanecull::program {

/// What of a file becomes objects.
struct ReadingOptions {
    enum class Of { meshes, colliders, lights } of = Of::meshes;  ///< of glTF
    double deviations = 3;                                        ///< a half-axis of PLY's splats
};

/// Reads a list of boxes, CityJSON, glTF, PLY or, with assimp, any other file. Meshes of more points than a hull may
/// have are cut into several by runs of faces; meshes without any point are left out.
[[nodiscard]] Scene read_scene(const std::string& file, const ReadingOptions& options = {});

/// Whether the file's suffix is one of glTF.
[[nodiscard]] bool is_gltf(const std::string& file);

/// read_scene() in a process of its own. Lists of boxes are read in this one.
[[nodiscard]] Scene read_scene_apart(const std::string& file, const ReadingOptions& options = {});

/// path_of_gltf() in a process of its own.
[[nodiscard]] CameraPath read_path_apart(const std::string& file, std::optional<std::size_t> frames,
                                         std::size_t animated_frames, const LensOptions& lens);

/// A scene as bytes for another process of this program.
[[nodiscard]] std::string bytes_of(const Scene& scene);
/// The scene that became these bytes. Fails, for `file`, if no scene does: whoever wrote them may have been damaged by
/// the file.
[[nodiscard]] Scene scene_of(std::string_view bytes, const std::string& file);

}  // namespace lanecull::program
