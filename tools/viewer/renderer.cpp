#include "renderer.hpp"

#include <chrono>
#include <cstddef>
#include <cstring>
#include <utility>

#include "display.hpp"
#include "passes.hpp"
#include "pipelines.hpp"
#include "support/error.hpp"

namespace lanecull::program {
namespace {

using Usage = vk::BufferUsageFlagBits;

constexpr std::size_t frames_in_flight = 2;
constexpr std::uint32_t max_queries = 16;

template <class T>
HostBuffer buffer_of(const Gpu& gpu, const char* name, std::span<const T> contents, vk::BufferUsageFlags usage) {
    HostBuffer buffer(gpu, name, contents.size_bytes(), usage);
    if (!contents.empty()) std::memcpy(buffer.as<T>().data(), contents.data(), contents.size_bytes());
    return buffer;
}

/// What belongs to one frame in flight.
struct SlotData {
    HostBuffer draws;   ///< every view's, each with room for all objects
    HostBuffer counts;  ///< one a view
    HostBuffer uniforms, colors, lines, light_lists;
    vk::DescriptorSet set;
    vk::raii::CommandBuffer commands = nullptr;
    vk::raii::Fence done = nullptr;
    vk::raii::QueryPool timestamps = nullptr;
    std::vector<const char*> timed;  ///< names of the passes that the queries are of
    std::uint64_t frame = 0;
    bool in_flight = false;
};

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

}  // namespace

class Renderer::Implementation {
public:
    Implementation(std::shared_ptr<Gpu> gpu_, const SceneMeshes& meshes, std::span<const ShaderLight> lights,
                   const RendererOptions& options)
        : gpu(std::move(gpu_)), options_(options), objects_(meshes.draws.size()), pipelines_(*gpu) {
        const auto storage = Usage::eStorageBuffer;
        vertices_ = buffer_of<Vertex>(*gpu, "vertices", meshes.vertices, Usage::eVertexBuffer);
        indices_ = buffer_of<std::uint32_t>(*gpu, "indices", meshes.indices, Usage::eIndexBuffer);
        instances_ = buffer_of<Instance>(*gpu, "instances", meshes.instances, storage);
        lights_ = buffer_of<ShaderLight>(*gpu, "lights", lights, storage);
        all_draws_ = buffer_of<DrawCommand>(*gpu, "all draws", meshes.draws, Usage::eIndirectBuffer);
        const auto count = static_cast<std::uint32_t>(objects_);
        all_count_ = buffer_of<std::uint32_t>(*gpu, "number of all draws", {&count, 1}, Usage::eIndirectBuffer);
        make_maps();
        make_targets();
        make_slots(meshes);
    }

    ~Implementation() { gpu->device.waitIdle(); }

    Slot begin() {
        SlotData& slot = slots_[next_frame_ % frames_in_flight];
        wait_for(slot);
        Slot result;
        const std::size_t bytes = objects_ * sizeof(DrawCommand);
        for (std::size_t v = 0; v < view_count; ++v) {
            result.lists[v] = {slot.draws.as<std::byte>().subspan(v * bytes, bytes),
                               &slot.counts.as<std::uint32_t>()[v]};
        }
        result.colors = slot.colors.as<std::uint32_t>();
        return result;
    }

    void submit(const FrameDraw& draw) {
        const std::size_t index = next_frame_ % frames_in_flight;
        SlotData& slot = slots_[index];
        slot.frame = next_frame_++;
        slot.uniforms.as<FrameUniforms>()[0] = draw.uniforms;
        set_lines(slot, draw.lines);
        set_light_lists(slot, draw.light_lists);
        const bool shown = display_ != nullptr && display_->acquire(index);
        const std::vector<Pass> passes = frame_passes(slot, draw, shown);
        slot.commands.begin({.flags = vk::CommandBufferUsageFlagBits::eOneTimeSubmit});
        slot.commands.resetQueryPool(*slot.timestamps, 0, max_queries);
        slot.timed.clear();
        for (const Pass& pass : passes) {
            if (pass.record) slot.timed.push_back(pass.name);
        }
        record_passes(passes, slot.commands, *slot.timestamps);
        slot.commands.end();
        send(slot, shown);
    }

    void finish() {
        for (std::size_t i = 0; i < frames_in_flight; ++i) wait_for(slots_[(next_frame_ + i) % frames_in_flight]);
    }

    void resize(std::uint32_t width, std::uint32_t height) {
        finish();
        options_.width = width;
        options_.height = height;
        make_targets();
    }

    std::shared_ptr<Gpu> gpu;
    std::vector<FrameTime> times;
    HostBuffer read_picture, read_maps, deepest;
    Display* display_ = nullptr;

private:
    void make_maps() {
        const auto usage = vk::ImageUsageFlagBits::eDepthStencilAttachment | vk::ImageUsageFlagBits::eSampled |
                           vk::ImageUsageFlagBits::eTransferSrc;
        const std::uint32_t directional_light = options_.directional_texels, point_light = options_.point_light_texels;
        directional_map_ = {*gpu,          "sun's map", depth_format, {directional_light, directional_light},
                            cascade_count, usage};
        point_light_map_ = {*gpu, "lamp's map", depth_format, {point_light, point_light}, cube_faces, usage};
        const std::size_t texels = std::size_t{cascade_count} * directional_light * directional_light +
                                   std::size_t{cube_faces} * point_light * point_light;
        const auto copied = Usage::eStorageBuffer | Usage::eTransferDst;
        deepest = {*gpu, "depths compared", options_.read_maps ? 4 * texels : 4, copied, true};
        if (options_.read_maps) read_maps = {*gpu, "depths read", 4 * texels, Usage::eTransferDst, true};
    }

    void make_targets() {
        const vk::Extent2D extent{options_.width, options_.height};
        using ImageUsage = vk::ImageUsageFlagBits;
        picture_ = {*gpu, "picture", color_format, extent, 1, ImageUsage::eColorAttachment | ImageUsage::eTransferSrc};
        depth_ = {*gpu, "depth", depth_format, extent, 1, ImageUsage::eDepthStencilAttachment};
        const std::size_t bytes = std::size_t{4} * extent.width * extent.height;
        if (options_.read_picture) read_picture = {*gpu, "picture read", bytes, Usage::eTransferDst, true};
    }

    void make_slots(const SceneMeshes& meshes) {
        const vk::raii::Device& device = gpu->device;
        sampler_ = {device, vk::SamplerCreateInfo{}};
        using Type = vk::DescriptorType;
        const vk::DescriptorPoolSize sizes[] = {{Type::eUniformBuffer, frames_in_flight},
                                                {Type::eStorageBuffer, 5 * frames_in_flight},
                                                {Type::eCombinedImageSampler, 2 * frames_in_flight}};
        vk::DescriptorPoolCreateInfo pool{.maxSets = frames_in_flight};
        pool.setPoolSizes(sizes);
        descriptors_ = {device, pool};
        commands_ = {device, vk::CommandPoolCreateInfo{.flags = vk::CommandPoolCreateFlagBits::eResetCommandBuffer,
                                                       .queueFamilyIndex = gpu->queue_family}};
        for (SlotData& slot : slots_) {
            slot.draws = {*gpu, "draws", view_count * objects_ * sizeof(DrawCommand), Usage::eIndirectBuffer};
            slot.counts = {*gpu, "counts", view_count * sizeof(std::uint32_t), Usage::eIndirectBuffer};
            slot.uniforms = {*gpu, "uniforms", sizeof(FrameUniforms), Usage::eUniformBuffer};
            slot.colors = buffer_of<std::uint32_t>(*gpu, "colours", meshes.colors, Usage::eStorageBuffer);
            slot.commands = std::move(vk::raii::CommandBuffers(device, {.commandPool = *commands_,
                                                                        .level = vk::CommandBufferLevel::ePrimary,
                                                                        .commandBufferCount = 1})
                                          .front());
            slot.done = {device, vk::FenceCreateInfo{}};
            slot.timestamps = {
                device, vk::QueryPoolCreateInfo{.queryType = vk::QueryType::eTimestamp, .queryCount = max_queries}};
            slot.light_lists = {*gpu, "lights of cells", 4, Usage::eStorageBuffer};
            slot.set = allocate_set();
            write_set(slot);
        }
    }

    vk::DescriptorSet allocate_set() {
        vk::DescriptorSetAllocateInfo info{.descriptorPool = *descriptors_};
        info.setSetLayouts(*pipelines_.set_layout);
        return (*gpu->device).allocateDescriptorSets(info, *gpu->device.getDispatcher()).front();
    }

    void write_set(const SlotData& slot) {
        using Type = vk::DescriptorType;
        const vk::DescriptorBufferInfo buffers[] = {
            {slot.uniforms.handle(), 0, VK_WHOLE_SIZE}, {instances_.handle(), 0, VK_WHOLE_SIZE},
            {slot.colors.handle(), 0, VK_WHOLE_SIZE},   {deepest.handle(), 0, VK_WHOLE_SIZE},
            {lights_.handle(), 0, VK_WHOLE_SIZE},       {slot.light_lists.handle(), 0, VK_WHOLE_SIZE}};
        const auto read_only = vk::ImageLayout::eShaderReadOnlyOptimal;
        const vk::DescriptorImageInfo images[] = {{*sampler_, directional_map_.view(), read_only},
                                                  {*sampler_, point_light_map_.view(), read_only}};
        std::vector<vk::WriteDescriptorSet> writes;
        const auto write = [&](std::uint32_t binding, Type type) {
            writes.push_back({.dstSet = slot.set, .dstBinding = binding, .descriptorCount = 1, .descriptorType = type});
            return &writes.back();
        };
        writes.reserve(8);
        write(0, Type::eUniformBuffer)->pBufferInfo = &buffers[0];
        write(1, Type::eStorageBuffer)->pBufferInfo = &buffers[1];
        write(2, Type::eStorageBuffer)->pBufferInfo = &buffers[2];
        write(3, Type::eCombinedImageSampler)->pImageInfo = &images[0];
        write(4, Type::eCombinedImageSampler)->pImageInfo = &images[1];
        write(5, Type::eStorageBuffer)->pBufferInfo = &buffers[3];
        write(6, Type::eStorageBuffer)->pBufferInfo = &buffers[4];
        write(7, Type::eStorageBuffer)->pBufferInfo = &buffers[5];
        gpu->device.updateDescriptorSets(writes, {});
    }

    void set_lines(SlotData& slot, std::span<const LineEnd> lines) {
        line_count_ = static_cast<std::uint32_t>(lines.size());
        if (lines.empty()) return;
        if (slot.lines.bytes() < lines.size_bytes()) {
            slot.lines = {*gpu, "lines", lines.size_bytes(), Usage::eVertexBuffer};
        }
        std::memcpy(slot.lines.as<LineEnd>().data(), lines.data(), lines.size_bytes());
    }

    /// Nothing in flight reads the slot's buffer or set.
    void set_light_lists(SlotData& slot, std::span<const std::uint32_t> lists) {
        if (lists.empty()) return;
        if (slot.light_lists.bytes() < lists.size_bytes()) {
            slot.light_lists = {*gpu, "lights of cells", 2 * lists.size_bytes(), Usage::eStorageBuffer};
            write_set(slot);
        }
        std::memcpy(slot.light_lists.as<std::uint32_t>().data(), lists.data(), lists.size_bytes());
    }

    // The frame, pass by pass.

    std::vector<Pass> frame_passes(SlotData& slot, const FrameDraw& draw, bool shown) {
        using Commands = const vk::raii::CommandBuffer&;
        const std::uint32_t all = draw.draw_all;
        std::vector<Pass> passes;
        // What CullPass::cull() has written before the frame was submitted.
        passes.push_back({.name = "cull",
                          .inputs = {},
                          .outputs = {{Use::host_write, slot.draws}, {Use::host_write, slot.counts}},
                          .record = {}});
        passes.push_back({.name = "sun's maps",
                          .inputs = {{Use::draw_commands, slot.draws}, {Use::draw_commands, slot.counts}},
                          .outputs = {{Use::depth_target, directional_map_}},
                          .record = [this, &slot, all](Commands c) { draw_map(c, slot, directional_map_, 1, all); }});
        passes.push_back({.name = "lamp's maps",
                          .inputs = {{Use::draw_commands, slot.draws}, {Use::draw_commands, slot.counts}},
                          .outputs = {{Use::depth_target, point_light_map_}},
                          .record = [this, &slot, all](Commands c) {
                              draw_map(c, slot, point_light_map_, 1 + cascade_count, all);
                          }});
        if (options_.read_maps) {
            passes.push_back({.name = "forget",
                              .inputs = {},
                              .outputs = {{Use::copy_destination, deepest}},
                              .record = [this](Commands c) { c.fillBuffer(deepest.handle(), 0, VK_WHOLE_SIZE, 0); }});
        }
        passes.push_back(
            {.name = "main",
             .inputs = {{Use::draw_commands, slot.draws},
                        {Use::draw_commands, slot.counts},
                        {Use::sampled, directional_map_},
                        {Use::sampled, point_light_map_}},
             .outputs = {{Use::color_target, picture_}, {Use::depth_target, depth_}, {Use::shader_write, deepest}},
             .record = [this, &slot, &draw](Commands c) { draw_picture(c, slot, draw); }});
        if (options_.read_picture) add_reading(passes);
        if (shown) {
            passes.push_back({.name = "window",
                              .inputs = {{Use::copy_source, picture_}},
                              .outputs = {},
                              .record = [this](Commands c) { display_->record(c, picture_); }});
        }
        return passes;
    }

    void add_reading(std::vector<Pass>& passes) {
        Pass copy{.name = "read",
                  .inputs = {{Use::copy_source, picture_}},
                  .outputs = {{Use::copy_destination, read_picture}},
                  .record = [this](const vk::raii::CommandBuffer& c) { copy_out(c); }};
        Pass host{.name = "host", .inputs = {{Use::host_read, read_picture}}, .outputs = {}, .record = {}};
        if (options_.read_maps) {
            copy.inputs.insert(copy.inputs.end(),
                               {{Use::copy_source, directional_map_}, {Use::copy_source, point_light_map_}});
            copy.outputs.emplace_back(Use::copy_destination, read_maps);
            host.inputs.insert(host.inputs.end(), {{Use::host_read, read_maps}, {Use::host_read, deepest}});
        }
        passes.push_back(std::move(copy));
        passes.push_back(std::move(host));
    }

    void copy_out(const vk::raii::CommandBuffer& commands) {
        const auto copy = [&](const Image2D& image, const HostBuffer& buffer, std::size_t offset) {
            const vk::BufferImageCopy whole{.bufferOffset = offset,
                                            .imageSubresource = {image.aspect(), 0, 0, image.layers()},
                                            .imageExtent = {image.extent().width, image.extent().height, 1}};
            commands.copyImageToBuffer(image.handle(), vk::ImageLayout::eTransferSrcOptimal, buffer.handle(), whole);
        };
        copy(picture_, read_picture, 0);
        if (!options_.read_maps) return;
        copy(directional_map_, read_maps, 0);
        copy(point_light_map_, read_maps,
             std::size_t{4} * cascade_count * options_.directional_texels * options_.directional_texels);
    }

    void draw_map(const vk::raii::CommandBuffer& commands, const SlotData& slot, const Image2D& map,
                  std::size_t first_view, std::uint32_t all) {
        const bool directional_light = &map == &directional_map_;
        for (std::size_t k = 0; k < map.layers(); ++k) {
            const vk::RenderingAttachmentInfo depth{.imageView = map.layer(k),
                                                    .imageLayout = vk::ImageLayout::eDepthAttachmentOptimal,
                                                    .loadOp = vk::AttachmentLoadOp::eClear,
                                                    .storeOp = vk::AttachmentStoreOp::eStore,
                                                    .clearValue = vk::ClearDepthStencilValue{1, 0}};
            commands.beginRendering({.renderArea = {{}, map.extent()}, .layerCount = 1, .pDepthAttachment = &depth});
            set_up(commands, slot, map.extent(),
                   directional_light ? pipelines_.directional_depths : pipelines_.point_light_depths);
            draw_view(commands, slot, first_view + k, all);
            commands.endRendering();
        }
    }

    void draw_picture(const vk::raii::CommandBuffer& commands, const SlotData& slot, const FrameDraw& draw) {
        const glm::vec4& sky = draw.uniforms.sky;
        const vk::RenderingAttachmentInfo color{
            .imageView = picture_.layer(0),
            .imageLayout = vk::ImageLayout::eColorAttachmentOptimal,
            .loadOp = vk::AttachmentLoadOp::eClear,
            .storeOp = vk::AttachmentStoreOp::eStore,
            .clearValue = vk::ClearColorValue(std::array{sky.x, sky.y, sky.z, sky.w})};
        const vk::RenderingAttachmentInfo depth{.imageView = depth_.layer(0),
                                                .imageLayout = vk::ImageLayout::eDepthAttachmentOptimal,
                                                .loadOp = vk::AttachmentLoadOp::eClear,
                                                .storeOp = vk::AttachmentStoreOp::eDontCare,
                                                .clearValue = vk::ClearDepthStencilValue{0, 0}};
        vk::RenderingInfo info{.renderArea = {{}, picture_.extent()}, .layerCount = 1, .pDepthAttachment = &depth};
        info.setColorAttachments(color);
        commands.beginRendering(info);
        set_up(commands, slot, picture_.extent(), pipelines_.objects);
        draw_view(commands, slot, 0, draw.draw_all);
        if (line_count_ != 0) {
            commands.bindPipeline(vk::PipelineBindPoint::eGraphics, *pipelines_.lines);
            commands.bindVertexBuffers(0, slot.lines.handle(), vk::DeviceSize{0});
            commands.draw(line_count_, 1, 0, 0);
        }
        commands.endRendering();
    }

    void set_up(const vk::raii::CommandBuffer& commands, const SlotData& slot, vk::Extent2D extent,
                const vk::raii::Pipeline& pipeline) {
        commands.bindPipeline(vk::PipelineBindPoint::eGraphics, *pipeline);
        commands.bindDescriptorSets(vk::PipelineBindPoint::eGraphics, *pipelines_.layout, 0, slot.set, {});
        commands.bindVertexBuffers(0, vertices_.handle(), vk::DeviceSize{0});
        commands.bindIndexBuffer(indices_.handle(), 0, vk::IndexType::eUint32);
        commands.setViewport(
            0, vk::Viewport{0, 0, static_cast<float>(extent.width), static_cast<float>(extent.height), 0, 1});
        commands.setScissor(0, vk::Rect2D{{}, extent});
    }

    /// What a view draws: its list as the cull pass has left it, or everything.
    void draw_view(const vk::raii::CommandBuffer& commands, const SlotData& slot, std::size_t view, std::uint32_t all) {
        commands.pushConstants<std::uint32_t>(*pipelines_.layout, vk::ShaderStageFlagBits::eVertex, 0,
                                              static_cast<std::uint32_t>(view));
        const auto most = static_cast<std::uint32_t>(objects_);
        const std::uint32_t stride = sizeof(DrawCommand);
        if ((all >> view & 1U) != 0) {
            commands.drawIndexedIndirectCount(all_draws_.handle(), 0, all_count_.handle(), 0, most, stride);
        } else {
            commands.drawIndexedIndirectCount(slot.draws.handle(), view * objects_ * stride, slot.counts.handle(),
                                              view * sizeof(std::uint32_t), most, stride);
        }
    }

    void send(SlotData& slot, bool shown) {
        const vk::CommandBufferSubmitInfo commands{.commandBuffer = *slot.commands};
        vk::SubmitInfo2 info;
        info.setCommandBufferInfos(commands);
        vk::SemaphoreSubmitInfo wait{.stageMask = vk::PipelineStageFlagBits2::eAllCommands};
        vk::SemaphoreSubmitInfo signal{.stageMask = vk::PipelineStageFlagBits2::eAllCommands};
        if (shown) {
            wait.semaphore = display_->ready();
            signal.semaphore = display_->drawn();
            info.setWaitSemaphoreInfos(wait).setSignalSemaphoreInfos(signal);
        }
        gpu->queue.submit2(info, *slot.done);
        slot.in_flight = true;
        if (shown) display_->present();
    }

    void wait_for(SlotData& slot) {
        if (!slot.in_flight) return;
        constexpr std::uint64_t patience = 120'000'000'000;  // nanoseconds
        if (gpu->device.waitForFences(*slot.done, VK_TRUE, patience) != vk::Result::eSuccess) {
            fail("the device has not drawn a frame in two minutes");
        }
        gpu->device.resetFences(*slot.done);
        slot.in_flight = false;
        read_times(slot);
    }

    void read_times(const SlotData& slot) {
        const auto count = static_cast<std::uint32_t>(2 * slot.timed.size());
        const auto [result, ticks] = slot.timestamps.getResults<std::uint64_t>(
            0, count, count * sizeof(std::uint64_t), sizeof(std::uint64_t), vk::QueryResultFlagBits::e64);
        if (result != vk::Result::eSuccess) return;
        const double seconds_of_tick = 1e-9 * static_cast<double>(gpu->timestamp_period);
        const std::pair<std::uint64_t, double> both = clocks();
        FrameTime time{slot.frame, {}};
        for (std::size_t k = 0; k < slot.timed.size(); ++k) {
            const auto at = [&](std::uint64_t tick) {
                return both.second +
                       seconds_of_tick * static_cast<double>(static_cast<std::int64_t>(tick - both.first));
            };
            time.passes.push_back({slot.timed[k], at(ticks[2 * k]), at(ticks[2 * k + 1])});
        }
        times.push_back(std::move(time));
        last_tick_ = ticks.back();
    }

    /// A tick of the device and the host's time at it. Where the clocks cannot be compared, the last pass ends now.
    std::pair<std::uint64_t, double> clocks() const {
        if (!gpu->calibrated) return {last_tick_, now()};
        const vk::CalibratedTimestampInfoEXT domains[] = {{.timeDomain = vk::TimeDomainEXT::eDevice},
                                                          {.timeDomain = vk::TimeDomainEXT::eClockMonotonic}};
        const auto [both, deviation] = gpu->device.getCalibratedTimestampsEXT(domains);
        static_cast<void>(deviation);
        return {both[0], 1e-9 * static_cast<double>(both[1])};
    }

    RendererOptions options_;
    std::size_t objects_;
    Pipelines pipelines_;
    HostBuffer vertices_, indices_, instances_, lights_, all_draws_, all_count_;
    Image2D directional_map_, point_light_map_, picture_, depth_;
    vk::raii::Sampler sampler_ = nullptr;
    vk::raii::DescriptorPool descriptors_ = nullptr;
    vk::raii::CommandPool commands_ = nullptr;
    std::array<SlotData, frames_in_flight> slots_;
    std::uint64_t next_frame_ = 0;
    std::uint64_t last_tick_ = 0;
    std::uint32_t line_count_ = 0;
};

Renderer::Renderer(std::shared_ptr<Gpu> gpu, const SceneMeshes& meshes, std::span<const ShaderLight> lights,
                   const RendererOptions& options)
    : implementation_(std::make_unique<Implementation>(std::move(gpu), meshes, lights, options)) {}
Renderer::~Renderer() = default;

Renderer::Slot Renderer::begin() { return implementation_->begin(); }
void Renderer::submit(const FrameDraw& draw) { implementation_->submit(draw); }
void Renderer::finish() { implementation_->finish(); }
void Renderer::resize(std::uint32_t width, std::uint32_t height) { implementation_->resize(width, height); }
void Renderer::show_on(Display* display) { implementation_->display_ = display; }

std::vector<FrameTime> Renderer::take_times() { return std::exchange(implementation_->times, {}); }

std::string Renderer::device_name() const { return gpu_name(*implementation_->gpu); }

std::span<const std::uint32_t> Renderer::picture() const {
    return implementation_->read_picture.as<const std::uint32_t>();
}
std::span<const float> Renderer::map_depths() const { return implementation_->read_maps.as<const float>(); }
std::span<const std::uint32_t> Renderer::deepest() const { return implementation_->deepest.as<const std::uint32_t>(); }

}  // namespace lanecull::program
