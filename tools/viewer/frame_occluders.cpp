#include "frame_occluders.hpp"

#include <lanecull/occluder.h>

#include "support/error.hpp"

namespace lanecull::program {
RasterMargin picture_margin(const Camera& camera, const Rasterizer& rasterizer) {
    Rasterization rasterization = camera.rasterization(rasterizer.width, rasterizer.height);
    rasterization.depth = DepthFormat::float_32_reversed;
    rasterization.sub_pixel_bits = rasterizer.sub_pixel_bits;
    RasterMargin margin;
    require(raster_margin(rasterization, margin));
    return margin;
}

FrameOccluders::FrameOccluders(const Scene& scene, std::size_t most, const Rasterizer& rasterizer)
    : rasterizer_(rasterizer), choice_(scene, {.most = most, .inset = rounding_of_floats(scene)}) {}

void FrameOccluders::resize(std::uint32_t width, std::uint32_t height) {
    rasterizer_.width = width;
    rasterizer_.height = height;
}

std::span<const Occluder> FrameOccluders::choose(const Camera& camera, const Viewpoint& viewpoint, const View& view) {
    return choice_.choose(view, viewpoint, picture_margin(camera, rasterizer_));
}

std::vector<BoxEdges> FrameOccluders::boxes() const {
    std::vector<BoxEdges> result;
    for (const std::uint32_t i : choice_.chosen()) {
        result.push_back(choice_.solids().visit(i, [](const auto& box) { return edges_of(box); }));
    }
    return result;
}

}  // namespace lanecull::program
