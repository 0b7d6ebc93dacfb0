#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "frame.hpp"
#include "renderer.hpp"
#include "scene/camera.hpp"
#include "scene/scene.hpp"
#include "scene_meshes.hpp"

/// Culling changes no pixel: each frame drawn with everything, and again with what each way of culling leaves. By night
/// all lights light each pixel of the first picture, and those of its cell each pixel of the others.
namespace lanecull::program {

struct ParityOptions {
    std::optional<std::string> folder;  ///< where the pictures of a difference go
    std::optional<Culling> only;        ///< one way of culling instead of all
    /// For trying whether a wrong cull is found: this object is taken out of every list.
    std::optional<std::uint32_t> dropped;
    /// The same for lights: this one is taken out of every cell's list.
    std::optional<std::uint32_t> dropped_light;
    /// Pictures of objects' numbers are compared, and no shadow maps: the camera's lists alone. What is seen must be in
    /// the set of the eye's cell, if there are such.
    bool numbers = false;
    bool quiet = false;
};

/// Every frame of the path. The renderer reads picture and maps. Returns a table of what was compared; fails at the
/// first difference, naming the object that is missing and its certificate.
[[nodiscard]] std::string check_parity(const Scene& scene, const SceneMeshes& meshes, const CameraPath& path,
                                       const RendererOptions& sizes, FrameMaker& frames, Renderer& renderer,
                                       const ParityOptions& options);

}  // namespace lanecull::program
