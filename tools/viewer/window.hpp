#pragma once

#include <cstdint>
#include <memory>

#include "frame.hpp"
#include "gpu.hpp"
#include "headless.hpp"
#include "renderer.hpp"
#include "scene/camera.hpp"
#include "scene/scene.hpp"
#include "scene_meshes.hpp"

namespace lanecull::program {

/// What a window shows. `start` is what its controls begin with, and the folder of pictures.
struct WindowScene {
    std::shared_ptr<Gpu> gpu;
    const Scene& scene;
    const SceneMeshes& meshes;
    const CameraPath& path;
    FrameMaker& frames;
    Renderer& renderer;
    HeadlessOptions start;
};

/// A window with the scene, to fly through. What a key did is also said on the standard output, a line each.
class Window {
public:
    /// Fails where there is no display.
    Window(std::uint32_t width, std::uint32_t height);
    ~Window();
    Window(const Window&) = delete;
    Window& operator=(const Window&) = delete;

    /// What a device must have to draw into it.
    void add_extensions(GpuOptions& options) const;
    /// Until it is closed.
    void run(const WindowScene& scene);

private:
    class Implementation;
    std::unique_ptr<Implementation> implementation_;
};

}  // namespace lanecull::program
