#pragma once

#include <array>
#include <cstdint>
#include <glm/mat4x4.hpp>
#include <glm/vec4.hpp>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "frame_plan.hpp"
#include "gpu.hpp"
#include "scene_meshes.hpp"

/// Draws frames: two in flight, so that the host culls one while the device draws the one before.
namespace lanecull::program {

/// By what lamps and spotlights light a pixel: it is day and none do, those of its cell, all of them. Or what is drawn
/// is how many its cell has.
enum class Lighting : std::uint32_t { day, cells, all, counts };

/// shaders/frame.glsl's Frame, which says what each is.
struct FrameUniforms {
    std::array<glm::mat4, view_count> clip_from_relative{};
    glm::vec4 eye_high{0}, eye_low{0}, toward_directional{0}, slice{0}, slice_ends{0}, slice_begin{0},
        directional_texel{0}, point_light{0}, point_light_texel{0}, sky{0}, up{0};
    glm::mat4 cells_from_relative{0};
    std::array<glm::vec4, 8> depths{};
    glm::vec4 night{0, 1, 0, 0};
    glm::uvec4 grid{0}, mode{0};
};
static_assert(sizeof(FrameUniforms) == (view_count + 1) * 64 + 22 * 16);

/// Its Light.
struct ShaderLight {
    glm::vec4 at_range, axis_tangent, color;
};

/// An end of a line over the picture; the place is relative to the eye.
struct LineEnd {
    float x, y, z;
    std::uint32_t color;
};

struct RendererOptions {
    std::uint32_t width = 1280, height = 720;
    std::uint32_t directional_texels = 2048, point_light_texels = 512;  ///< of a side of each map
    bool read_picture = false;                                          ///< so that picture() has it
    bool read_maps = false;                                             ///< so that the shadow maps' depths can be read
};

struct FrameDraw {
    FrameUniforms uniforms;
    /// Bit v: view v draws every object, and not what its list says.
    std::uint32_t draw_all = 0;
    std::span<const LineEnd> lines;
    std::span<const std::uint32_t> light_lists;  ///< LightCells::lists(), for Lighting::cells and counts
};

/// One pass on the device, in seconds of std::chrono::steady_clock.
struct PassTime {
    const char* name;
    double begin, end;
};

struct FrameTime {
    std::uint64_t frame;  ///< counted from 0 by submit()
    std::vector<PassTime> passes;
};

class Display;

class Renderer {
public:
    Renderer(std::shared_ptr<Gpu> gpu, const SceneMeshes& meshes, std::span<const ShaderLight> lights,
             const RendererOptions& options);
    ~Renderer();
    Renderer(const Renderer&) = delete;
    Renderer& operator=(const Renderer&) = delete;

    /// What the host writes of one frame, in memory that the device reads.
    struct Slot {
        std::array<DrawList, view_count> lists;
        std::span<std::uint32_t> colors;  ///< as SceneMeshes::colors, and that at first
    };

    /// Waits for the frame before the last, whose slot it is.
    [[nodiscard]] Slot begin();
    /// Hands the slot's frame to the device and returns.
    void submit(const FrameDraw& draw);
    /// Waits for all frames.
    void finish();

    /// The times of frames that have been waited for since the last call.
    [[nodiscard]] std::vector<FrameTime> take_times();
    [[nodiscard]] std::string device_name() const;

    // Of the last frame, once finish() has returned.

    [[nodiscard]] std::span<const std::uint32_t> picture() const;  ///< R8G8B8A8, rows from the top
    [[nodiscard]] std::span<const float> map_depths() const;       ///< of the cascades, then of the point light's faces
    /// Of the same texels the deepest depth compared with, as compare_read_depths() takes it. Where uniforms.mode.x
    /// is 1.
    [[nodiscard]] std::span<const std::uint32_t> deepest() const;

    /// Shows each picture there from now on.
    void show_on(Display* display);
    void resize(std::uint32_t width, std::uint32_t height);

private:
    class Implementation;
    std::unique_ptr<Implementation> implementation_;
};

}  // namespace lanecull::program
