#pragma once

#include <lanecull/occluder.h>
#include <lanecull/view.h>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cull/occluder_choice.hpp"
#include "scene/camera.hpp"
#include "scene/scene.hpp"

namespace lanecull::program {

/// A picture's rasteriser.
struct Rasterizer {
    std::uint32_t width, height;
    std::uint32_t sub_pixel_bits;
};

/// What solids shrink by so that it changes no pixel of a camera's picture.
[[nodiscard]] RasterMargin picture_margin(const Camera& camera, const Rasterizer& rasterizer);

/// Solid boxes that hide objects from a frame's camera, small enough that the rasteriser changes no pixel.
class FrameOccluders {
public:
    /// Fails if nothing in the scene is solid.
    FrameOccluders(const Scene& scene, std::size_t most, const Rasterizer& rasterizer);

    void resize(std::uint32_t width, std::uint32_t height);

    /// Chooses and prepares those of a frame by what those of the last one hid. `viewpoint` is that of the camera by
    /// the matrix of its picture. They are valid until the next call.
    std::span<const Occluder> choose(const Camera& camera, const Viewpoint& viewpoint, const View& view);
    /// For a cull: receives how many objects each of them hides.
    [[nodiscard]] std::span<std::uint32_t> hidden_counts() { return choice_.hidden_counts(); }
    /// The boxes that they are.
    [[nodiscard]] std::vector<BoxEdges> boxes() const;

private:
    Rasterizer rasterizer_;
    OccluderChoice choice_;
};

}  // namespace lanecull::program
