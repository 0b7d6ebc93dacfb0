#include "passes.hpp"

#include <cstdint>

namespace lanecull::program {
namespace {

using Stage = vk::PipelineStageFlagBits2;
using Access = vk::AccessFlagBits2;
using Layout = vk::ImageLayout;

/// What the use of a resource is to the barriers.
LastUse use_of(Use use) {
    switch (use) {
        case Use::host_write:
            return {Stage::eHost, Access::eHostWrite};
        case Use::draw_commands:
            return {Stage::eDrawIndirect, Access::eIndirectCommandRead};
        case Use::depth_target:
            return {Stage::eEarlyFragmentTests | Stage::eLateFragmentTests,
                    Access::eDepthStencilAttachmentRead | Access::eDepthStencilAttachmentWrite,
                    Layout::eDepthAttachmentOptimal};
        case Use::color_target:
            return {Stage::eColorAttachmentOutput, Access::eColorAttachmentRead | Access::eColorAttachmentWrite,
                    Layout::eColorAttachmentOptimal};
        case Use::sampled:
            return {Stage::eFragmentShader, Access::eShaderSampledRead, Layout::eShaderReadOnlyOptimal};
        case Use::shader_write:
            return {Stage::eFragmentShader, Access::eShaderStorageRead | Access::eShaderStorageWrite};
        case Use::copy_source:
            return {Stage::eCopy | Stage::eBlit, Access::eTransferRead, Layout::eTransferSrcOptimal};
        case Use::copy_destination:
            return {Stage::eCopy | Stage::eClear, Access::eTransferWrite, Layout::eTransferDstOptimal};
        case Use::host_read:
            return {Stage::eHost, Access::eHostRead};
    }
    return {};
}

bool writes(const LastUse& use) {
    return static_cast<bool>(use.access &
                             (Access::eHostWrite | Access::eDepthStencilAttachmentWrite |
                              Access::eColorAttachmentWrite | Access::eShaderStorageWrite | Access::eTransferWrite));
}

class Barriers {
public:
    /// A pass that writes waits for all before it; one that reads for what was written.
    void add(const Resource& resource) {
        LastUse& last = resource.image != nullptr ? resource.image->last : resource.buffer->last;
        const LastUse next = use_of(resource.use);
        const bool moves = resource.image != nullptr && last.layout != next.layout;
        if (moves || writes(last) || writes(next)) {
            resource.image != nullptr ? barrier(*resource.image, next) : barrier(*resource.buffer, next);
            last = next;
        } else {
            last.stage |= next.stage;
            last.access |= next.access;
        }
    }

    void record(const vk::raii::CommandBuffer& commands) const {
        if (images_.empty() && buffers_.empty()) return;
        vk::DependencyInfo info;
        info.setImageMemoryBarriers(images_).setBufferMemoryBarriers(buffers_);
        commands.pipelineBarrier2(info);
    }

private:
    void barrier(const Image2D& image, const LastUse& next) {
        images_.push_back({.srcStageMask = image.last.stage,
                           .srcAccessMask = image.last.access,
                           .dstStageMask = next.stage,
                           .dstAccessMask = next.access,
                           .oldLayout = image.last.layout,
                           .newLayout = next.layout,
                           .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                           .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                           .image = image.handle(),
                           .subresourceRange = {image.aspect(), 0, 1, 0, image.layers()}});
    }
    void barrier(const HostBuffer& buffer, const LastUse& next) {
        buffers_.push_back({.srcStageMask = buffer.last.stage,
                            .srcAccessMask = buffer.last.access,
                            .dstStageMask = next.stage,
                            .dstAccessMask = next.access,
                            .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                            .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                            .buffer = buffer.handle(),
                            .offset = 0,
                            .size = VK_WHOLE_SIZE});
    }

    std::vector<vk::ImageMemoryBarrier2> images_;
    std::vector<vk::BufferMemoryBarrier2> buffers_;
};

}  // namespace

void record_passes(std::span<const Pass> passes, const vk::raii::CommandBuffer& commands, vk::QueryPool timestamps) {
    std::uint32_t query = 0;
    for (const Pass& pass : passes) {
        Barriers barriers;
        for (const Resource& resource : pass.inputs) barriers.add(resource);
        // What the host wrote before the frame was submitted waits for nothing on the device.
        for (const Resource& resource : pass.outputs) {
            if (resource.use == Use::host_write)
                resource.buffer->last = use_of(Use::host_write);
            else
                barriers.add(resource);
        }
        barriers.record(commands);
        if (!pass.record) continue;
        commands.writeTimestamp2(Stage::eAllCommands, timestamps, query++);
        pass.record(commands);
        commands.writeTimestamp2(Stage::eAllCommands, timestamps, query++);
    }
}

}  // namespace lanecull::program
