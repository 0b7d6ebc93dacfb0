#pragma once

#include "gpu.hpp"
#include "gpu_device.hpp"

/// How things are drawn.
namespace lanecull::program {

inline constexpr vk::Format color_format = vk::Format::eR8G8B8A8Unorm, depth_format = vk::Format::eD32Sfloat;

struct Pipelines {
    explicit Pipelines(const Gpu& gpu);

    vk::raii::DescriptorSetLayout set_layout;  ///< bindings of shaders/frame.glsl and lights.glsl
    vk::raii::PipelineLayout layout;           ///< that set, and one number: which view
    vk::raii::Pipeline objects;                ///< into the picture
    vk::raii::Pipeline directional_depths;     ///< into a cascade: what stands before the map is clamped to depth 0
    vk::raii::Pipeline point_light_depths;
    vk::raii::Pipeline lines;
};

}  // namespace lanecull::program
