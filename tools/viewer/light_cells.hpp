#pragma once

#include <lanecull/light_grid.h>
#include <lanecull/shadow.h>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "lights/light_streams.hpp"
#include "renderer.hpp"
#include "scene/camera.hpp"

/// Clustered shading: which lights reach which cells of the camera's view, for shaders/lights.glsl.
namespace lanecull::program {

/// In the library's order.
[[nodiscard]] std::vector<ShaderLight> shader_lights(const LightStreams& lights);

class LightCells {
public:
    explicit LightCells(const LightStreams& lights);
    LightCells(const LightCells&) = delete;
    LightCells& operator=(const LightCells&) = delete;

    /// What a pass is to reserve for them.
    void add_to(PassLimits& limits) const;
    /// Cuts the camera's view: what a pass's camera takes.
    [[nodiscard]] const PassLightCells& plan(const Camera& camera);
    /// Assigns lights without a pass: all of them, whatever is seen.
    void assign(const PassCamera& camera, const LightOptions& options);

    /// Of the cells that lights were assigned to last, as LightLists has them: all offsets, then the indices.
    [[nodiscard]] std::span<const std::uint32_t> lists() const;
    [[nodiscard]] std::uint64_t entries() const { return assigned_.entry_count; }

    /// The planned camera's cells, for a picture seen by `eye`.
    void write_to(FrameUniforms& uniforms, const Camera& eye) const;

    static constexpr std::uint32_t tiles_x = 16, tiles_y = 9, slices = 24;
    static constexpr std::size_t cells = std::size_t{tiles_x} * tiles_y * slices;

private:
    /// How far a light ends inside of the shape that cells are assigned by.
    [[nodiscard]] double margin(const Camera& eye) const;

    float longest_range_ = 0;
    std::array<double, slices + 1> depths_{};
    std::vector<std::uint32_t> memory_;
    std::vector<std::byte> scratch_;
    LightLists assigned_;
    PassLightCells given_;
    Camera camera_;
};

/// Takes a light out of such lists.
void drop_light(std::vector<std::uint32_t>& lists, std::uint32_t light);

}  // namespace lanecull::program
