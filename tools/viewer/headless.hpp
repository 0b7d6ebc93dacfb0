#pragma once

#include <optional>
#include <string>

#include "frame.hpp"
#include "renderer.hpp"
#include "scene/camera.hpp"
#include "scene/scene.hpp"
#include "scene_meshes.hpp"

/// Frames without a window.
namespace lanecull::program {

struct HeadlessOptions {
    Culling culling = Culling::exact;
    Casters casters = Casters::volume;
    Lighting lighting = Lighting::cells;  ///< by night
    std::optional<std::string> folder;    ///< where PNG files and timeline.json go
    bool outside = false;                 ///< every picture from outside, objects in the colours of their verdicts
    bool quiet = false;
};

/// Draws the path, culling each frame while the device draws the one before. Returns a line about it.
[[nodiscard]] std::string draw_path(const Scene& scene, const SceneMeshes& meshes, const CameraPath& path,
                                    const RendererOptions& sizes, FrameMaker& frames, Renderer& renderer,
                                    const HeadlessOptions& options);

/// Draws each frame with culling off and by each way of it, one after the other, and waits for each. Returns a table
/// of what was drawn and how long it took.
[[nodiscard]] std::string compare_culling(const CameraPath& path, FrameMaker& frames, Renderer& renderer,
                                          const HeadlessOptions& options);

}  // namespace lanecull::program
