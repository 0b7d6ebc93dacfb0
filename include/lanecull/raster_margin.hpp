#pragma once

#include <cstdint>

#include <lanecull/export.hpp>
#include <lanecull/occluder.hpp>
#include <lanecull/status.hpp>

/// The margin that a rasteriser needs of occluders (OccluderOptions::raster), from what an engine knows of it.
namespace lanecull {

enum class DepthFormat : std::uint8_t {
    unorm_16,
    unorm_24,
    float_32,           ///< the far plane at 1: no finer than 24 bits, and taken for that
    float_32_reversed,  ///< the near plane at 1, the far plane at 0
};

/// A viewport and what is drawn into it.
struct Rasterization {
    /// Of the viewport, in pixels: the smallest that occurs, if the resolution changes from frame to frame.
    std::uint32_t width = 0, height = 0;
    /// The projection matrix's first two diagonal elements, both without their sign. Perspective: 1 / tan(half the
    /// field of view) across and up. Orthographic: 2 / the volume's width and height.
    double scale_x = 0, scale_y = 0;
    bool is_orthographic = false;
    DepthFormat depth = DepthFormat::unorm_24;
    /// Distances of the depth planes from the eye. `far_depth` is read for orthographic projections alone, so an
    /// infinite one is fine.
    double near_depth = 0, far_depth = 0;
    /// Bits of vertex positions below a pixel (Vulkan: subPixelPrecisionBits; Direct3D 11 and 12 ask for 8). At
    /// least 4.
    std::uint32_t sub_pixel_bits = 8;
    /// Set: the vertex shader works in coordinates relative to the camera. Not set: it multiplies world coordinates by
    /// one matrix, in floats, which adds rounding; then the next two are read.
    bool is_camera_relative = false;
    double largest_coordinate = 0;  ///< of a vertex in world coordinates
    double least_distance = 0;  ///< of drawn solids and hidden objects from the eye; orthographic: 1 is taken for it
};

/// Fills `margin`. In pixels it is two steps of a vertex's position, an eighth for 4 bits, and a 64th at least. Where
/// vertices are not relative to the camera it is a 16th at least, and 8 * 2^-24 * width * largest_coordinate /
/// least_distance more. In depth it is four units of the format. Multisampling needs no more; conservative
/// rasterisation of the hidden objects needs 1.5 pixels more.
///
/// A rule of thumb with room to spare for what rasterisers are known to do, not a proof: no specification bounds all
/// that one may do.
///
/// Fails, leaving `margin` untouched, if a number is not positive and finite where it is read, if far_depth <=
/// near_depth where it is read, if there are fewer than 4 or more than 16 sub-pixel bits, or if the margin is not below
/// 1e30.
LANECULL_API Status raster_margin(const Rasterization& rasterization, RasterMargin& margin) noexcept;

}  // namespace lanecull
