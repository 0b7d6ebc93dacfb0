#include "pipelines.hpp"

#include <cstdint>
#include <span>
#include <vector>

#include "renderer.hpp"

namespace lanecull::program {
namespace {

constexpr std::uint32_t scene_vert[] = {
#include "scene.vert.inc"
};
constexpr std::uint32_t scene_frag[] = {
#include "scene.frag.inc"
};
constexpr std::uint32_t lines_vert[] = {
#include "lines.vert.inc"
};
constexpr std::uint32_t lines_frag[] = {
#include "lines.frag.inc"
};

vk::raii::DescriptorSetLayout make_set_layout(const Gpu& gpu) {
    using Type = vk::DescriptorType;
    const auto stages = vk::ShaderStageFlagBits::eVertex | vk::ShaderStageFlagBits::eFragment;
    std::vector<vk::DescriptorSetLayoutBinding> bindings;
    for (const Type type :
         {Type::eUniformBuffer, Type::eStorageBuffer, Type::eStorageBuffer, Type::eCombinedImageSampler,
          Type::eCombinedImageSampler, Type::eStorageBuffer, Type::eStorageBuffer, Type::eStorageBuffer}) {
        bindings.push_back({.binding = static_cast<std::uint32_t>(bindings.size()),
                            .descriptorType = type,
                            .descriptorCount = 1,
                            .stageFlags = stages});
    }
    vk::DescriptorSetLayoutCreateInfo info;
    info.setBindings(bindings);
    return {gpu.device, info};
}

vk::raii::PipelineLayout make_layout(const Gpu& gpu, vk::DescriptorSetLayout set) {
    const vk::PushConstantRange view{.stageFlags = vk::ShaderStageFlagBits::eVertex, .size = sizeof(std::uint32_t)};
    vk::PipelineLayoutCreateInfo info;
    info.setSetLayouts(set).setPushConstantRanges(view);
    return {gpu.device, info};
}

/// What one pipeline has of its own.
struct Recipe {
    std::span<const std::uint32_t> vertex, fragment;  ///< without a fragment shader it draws depths alone
    bool lines = false;
    bool depth_clamp = false;
    bool reversed = false;  ///< 1 is near
};

/// A pipeline's shaders, alive until it is made.
struct Shaders {
    std::vector<vk::raii::ShaderModule> modules;
    std::vector<vk::PipelineShaderStageCreateInfo> stages;

    Shaders(const Gpu& gpu, const Recipe& recipe) {
        add(gpu, vk::ShaderStageFlagBits::eVertex, recipe.vertex);
        add(gpu, vk::ShaderStageFlagBits::eFragment, recipe.fragment);
    }

private:
    void add(const Gpu& gpu, vk::ShaderStageFlagBits stage, std::span<const std::uint32_t> code) {
        if (code.empty()) return;
        const vk::ShaderModuleCreateInfo info{.codeSize = code.size_bytes(), .pCode = code.data()};
        modules.emplace_back(gpu.device, info);
        stages.push_back({.stage = stage, .module = *modules.back(), .pName = "main"});
    }
};

std::vector<vk::VertexInputAttributeDescription> attributes_of(const Recipe& recipe) {
    if (!recipe.lines) return {{.location = 0, .format = vk::Format::eR32G32B32A32Sfloat}};
    return {{.location = 0, .format = vk::Format::eR32G32B32Sfloat},
            {.location = 1, .format = vk::Format::eR32Uint, .offset = offsetof(LineEnd, color)}};
}

vk::raii::Pipeline make(const Gpu& gpu, vk::PipelineLayout layout, const Recipe& recipe) {
    const Shaders shaders(gpu, recipe);
    const vk::VertexInputBindingDescription vertex{
        .binding = 0,
        .stride = recipe.lines ? std::uint32_t{sizeof(LineEnd)} : std::uint32_t{sizeof(Vertex)},
        .inputRate = vk::VertexInputRate::eVertex};
    const std::vector<vk::VertexInputAttributeDescription> attributes = attributes_of(recipe);
    vk::PipelineVertexInputStateCreateInfo input;
    input.setVertexBindingDescriptions(vertex).setVertexAttributeDescriptions(attributes);
    const vk::PipelineInputAssemblyStateCreateInfo assembly{
        .topology = recipe.lines ? vk::PrimitiveTopology::eLineList : vk::PrimitiveTopology::eTriangleList};
    const vk::PipelineViewportStateCreateInfo viewport{.viewportCount = 1, .scissorCount = 1};
    const vk::PipelineRasterizationStateCreateInfo raster{
        .depthClampEnable = recipe.depth_clamp, .cullMode = vk::CullModeFlagBits::eNone, .lineWidth = 1};
    const vk::PipelineMultisampleStateCreateInfo samples{.rasterizationSamples = vk::SampleCountFlagBits::e1};
    // Strictly nearer: of two at the same depth the first in the list wins, whoever is left out elsewhere.
    const vk::PipelineDepthStencilStateCreateInfo depth{
        .depthTestEnable = !recipe.lines,
        .depthWriteEnable = !recipe.lines,
        .depthCompareOp = recipe.reversed ? vk::CompareOp::eGreater : vk::CompareOp::eLess};
    using Component = vk::ColorComponentFlagBits;
    const vk::PipelineColorBlendAttachmentState blend_color{.colorWriteMask = Component::eR | Component::eG |
                                                                              Component::eB | Component::eA};
    vk::PipelineColorBlendStateCreateInfo blend;
    if (!recipe.fragment.empty()) blend.setAttachments(blend_color);
    const vk::DynamicState dynamic_states[] = {vk::DynamicState::eViewport, vk::DynamicState::eScissor};
    vk::PipelineDynamicStateCreateInfo dynamic;
    dynamic.setDynamicStates(dynamic_states);
    vk::PipelineRenderingCreateInfo rendering{.depthAttachmentFormat = depth_format};
    if (!recipe.fragment.empty()) rendering.setColorAttachmentFormats(color_format);
    vk::GraphicsPipelineCreateInfo info{.pNext = &rendering,
                                        .pVertexInputState = &input,
                                        .pInputAssemblyState = &assembly,
                                        .pViewportState = &viewport,
                                        .pRasterizationState = &raster,
                                        .pMultisampleState = &samples,
                                        .pDepthStencilState = &depth,
                                        .pColorBlendState = &blend,
                                        .pDynamicState = &dynamic,
                                        .layout = layout};
    info.setStages(shaders.stages);
    return {gpu.device, nullptr, info};
}

}  // namespace

Pipelines::Pipelines(const Gpu& gpu)
    : set_layout(make_set_layout(gpu)),
      layout(make_layout(gpu, *set_layout)),
      objects(make(gpu, *layout, {.vertex = scene_vert, .fragment = scene_frag, .reversed = true})),
      directional_depths(make(gpu, *layout, {.vertex = scene_vert, .fragment = {}, .depth_clamp = true})),
      point_light_depths(make(gpu, *layout, {.vertex = scene_vert, .fragment = {}})),
      lines(make(gpu, *layout, {.vertex = lines_vert, .fragment = lines_frag, .lines = true})) {}

}  // namespace lanecull::program
