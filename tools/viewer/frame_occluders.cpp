#include "frame_occluders.hpp"

#include <algorithm>
#include <cmath>
#include <lanecull/raster_margin.hpp>

#include "support/error.hpp"

namespace lanecull::program {
namespace {

/// Instances have their centre and three half axes in floats. Each of these four roundings moves a corner by half a
/// unit along each axis: all of them by less than 4 sqrt(3) 2^-24 of the largest coordinate. As far may a wall be from
/// its solid, and what stands behind it from its shape; together that is less than 2^-20.
double instance_rounding(const Scene& scene) {
    const Bounds bounds = scene.bounds();
    double largest = 0;
    for (int k = 0; k < 3; ++k) largest = std::max({largest, std::abs(bounds.lower[k]), std::abs(bounds.upper[k])});
    return 0x1p-20 * largest;
}

}  // namespace

FrameOccluders::FrameOccluders(const Scene& scene, std::size_t most, const Rasterizer& rasterizer)
    : rasterizer_(rasterizer), choice_(scene, {.most = most, .inset = instance_rounding(scene)}) {}

void FrameOccluders::resize(std::uint32_t width, std::uint32_t height) {
    rasterizer_.width = width;
    rasterizer_.height = height;
}

std::span<const Occluder> FrameOccluders::choose(const Camera& camera, const Viewpoint& viewpoint, const View& view) {
    Rasterization rasterization = camera.rasterization(rasterizer_.width, rasterizer_.height);
    rasterization.depth = DepthFormat::float_32_reversed;
    rasterization.sub_pixel_bits = rasterizer_.sub_pixel_bits;
    RasterMargin margin;
    require(raster_margin(rasterization, margin));
    return choice_.choose(view, viewpoint, margin);
}

std::vector<BoxEdges> FrameOccluders::boxes() const {
    std::vector<BoxEdges> result;
    for (const std::uint32_t i : choice_.chosen()) {
        result.push_back(choice_.solids().visit(i, [](const auto& box) { return edges_of(box); }));
    }
    return result;
}

}  // namespace lanecull::program
