#include "swapchain.hpp"

#include <imgui/backends/imgui_impl_glfw.h>
#include <imgui/backends/imgui_impl_vulkan.h>
#include <imgui/imgui.h>

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "support/error.hpp"

namespace lanecull::program {
namespace {

constexpr std::uint32_t frames_in_flight = 2;

vk::raii::SurfaceKHR make_surface(const Gpu& gpu, GLFWwindow* window) {
    VkSurfaceKHR surface = VK_NULL_HANDLE;
    if (glfwCreateWindowSurface(*gpu.instance, window, nullptr, &surface) != VK_SUCCESS) {
        fail("the window takes no pictures from Vulkan; --headless needs no window");
    }
    return {gpu.instance, surface};
}

vk::SurfaceFormatKHR pick_format(const Gpu& gpu, vk::SurfaceKHR surface) {
    const auto formats = gpu.physical.getSurfaceFormatsKHR(surface);
    // The picture's numbers are sRGB already: no conversion.
    for (const vk::SurfaceFormatKHR& format : formats) {
        if (format.format == vk::Format::eB8G8R8A8Unorm || format.format == vk::Format::eR8G8B8A8Unorm) return format;
    }
    return formats.front();
}

void check(VkResult result) {
    if (result < 0) fail("Dear ImGui: {}", vk::to_string(static_cast<vk::Result>(result)));
}

}  // namespace

Swapchain::Swapchain(std::shared_ptr<Gpu> gpu, GLFWwindow* window)
    : gpu_(std::move(gpu)), window_(window), surface_(make_surface(*gpu_, window)) {
    if (gpu_->physical.getSurfaceSupportKHR(gpu_->queue_family, *surface_) == VK_FALSE) {
        fail("the device {} cannot draw into this window; --headless needs no window", gpu_name(*gpu_));
    }
    format_ = pick_format(*gpu_, *surface_);
    for (std::uint32_t i = 0; i < frames_in_flight; ++i) ready_.emplace_back(gpu_->device, vk::SemaphoreCreateInfo{});
    make_overlay_pass();
    fit();
    start_overlay();
}

Swapchain::~Swapchain() {
    gpu_->device.waitIdle();
    ImGui_ImplVulkan_Shutdown();
    ImGui_ImplGlfw_Shutdown();
    ImGui::DestroyContext();
}

void Swapchain::fit() {
    const vk::SurfaceCapabilitiesKHR abilities = gpu_->physical.getSurfaceCapabilitiesKHR(*surface_);
    int width = 0, height = 0;
    glfwGetFramebufferSize(window_, &width, &height);
    extent_ = abilities.currentExtent;
    if (extent_.width == ~std::uint32_t{0}) {
        extent_ = vk::Extent2D{static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(height)};
    }
    extent_.width = std::clamp(extent_.width, abilities.minImageExtent.width, abilities.maxImageExtent.width);
    extent_.height = std::clamp(extent_.height, abilities.minImageExtent.height, abilities.maxImageExtent.height);
    std::uint32_t count = std::max(3U, abilities.minImageCount);
    if (abilities.maxImageCount != 0) count = std::min(count, abilities.maxImageCount);
    framebuffers_.clear();
    views_.clear();
    drawn_.clear();
    const vk::raii::SwapchainKHR old = std::move(chain_);
    chain_ = {gpu_->device, vk::SwapchainCreateInfoKHR{.surface = *surface_,
                                                       .minImageCount = count,
                                                       .imageFormat = format_.format,
                                                       .imageColorSpace = format_.colorSpace,
                                                       .imageExtent = extent_,
                                                       .imageArrayLayers = 1,
                                                       .imageUsage = vk::ImageUsageFlagBits::eTransferDst |
                                                                     vk::ImageUsageFlagBits::eColorAttachment,
                                                       .preTransform = abilities.currentTransform,
                                                       .compositeAlpha = vk::CompositeAlphaFlagBitsKHR::eOpaque,
                                                       .presentMode = vk::PresentModeKHR::eFifo,
                                                       .clipped = VK_TRUE,
                                                       .oldSwapchain = *old}};
    images_.clear();
    for (const auto image : chain_.getImages()) images_.emplace_back(image);
    for (const vk::Image image : images_) {
        views_.emplace_back(gpu_->device,
                            vk::ImageViewCreateInfo{.image = image,
                                                    .viewType = vk::ImageViewType::e2D,
                                                    .format = format_.format,
                                                    .subresourceRange = {vk::ImageAspectFlagBits::eColor, 0, 1, 0, 1}});
        const vk::ImageView view = *views_.back();
        framebuffers_.emplace_back(gpu_->device, vk::FramebufferCreateInfo{.renderPass = *overlay_pass_,
                                                                           .attachmentCount = 1,
                                                                           .pAttachments = &view,
                                                                           .width = extent_.width,
                                                                           .height = extent_.height,
                                                                           .layers = 1});
        drawn_.emplace_back(gpu_->device, vk::SemaphoreCreateInfo{});
    }
    outdated_ = false;
}

void Swapchain::make_overlay_pass() {
    const vk::AttachmentDescription attachment{.format = format_.format,
                                               .samples = vk::SampleCountFlagBits::e1,
                                               .loadOp = vk::AttachmentLoadOp::eLoad,
                                               .storeOp = vk::AttachmentStoreOp::eStore,
                                               .initialLayout = vk::ImageLayout::eTransferDstOptimal,
                                               .finalLayout = vk::ImageLayout::ePresentSrcKHR};
    const vk::AttachmentReference target{0, vk::ImageLayout::eColorAttachmentOptimal};
    vk::SubpassDescription subpass;
    subpass.setColorAttachments(target);
    const vk::SubpassDependency after_copy{
        .srcSubpass = VK_SUBPASS_EXTERNAL,
        .dstSubpass = 0,
        .srcStageMask = vk::PipelineStageFlagBits::eTransfer,
        .dstStageMask = vk::PipelineStageFlagBits::eColorAttachmentOutput,
        .srcAccessMask = vk::AccessFlagBits::eTransferWrite,
        .dstAccessMask = vk::AccessFlagBits::eColorAttachmentRead | vk::AccessFlagBits::eColorAttachmentWrite};
    vk::RenderPassCreateInfo info;
    info.setAttachments(attachment).setSubpasses(subpass).setDependencies(after_copy);
    overlay_pass_ = {gpu_->device, info};
}

void Swapchain::start_overlay() {
    const vk::DescriptorPoolSize size{vk::DescriptorType::eCombinedImageSampler, 4};
    vk::DescriptorPoolCreateInfo pool{.flags = vk::DescriptorPoolCreateFlagBits::eFreeDescriptorSet, .maxSets = 4};
    pool.setPoolSizes(size);
    overlay_descriptors_ = {gpu_->device, pool};
    ImGui::CreateContext();
    ImGui::GetIO().IniFilename = nullptr;
    ImGui_ImplGlfw_InitForVulkan(window_, true);
    ImGui_ImplVulkan_InitInfo info{};
    info.Instance = *gpu_->instance;
    info.PhysicalDevice = *gpu_->physical;
    info.Device = *gpu_->device;
    info.QueueFamily = gpu_->queue_family;
    info.Queue = *gpu_->queue;
    info.DescriptorPool = *overlay_descriptors_;
    info.MinImageCount = 2;
    info.ImageCount = static_cast<std::uint32_t>(std::max<std::size_t>(images_.size(), 2));
    info.MSAASamples = VK_SAMPLE_COUNT_1_BIT;
    info.CheckVkResultFn = check;
    if (!ImGui_ImplVulkan_Init(&info, *overlay_pass_)) fail("Dear ImGui does not start");
    const vk::raii::CommandPool commands(gpu_->device,
                                         vk::CommandPoolCreateInfo{.queueFamilyIndex = gpu_->queue_family});
    const vk::raii::CommandBuffers buffers(
        gpu_->device, {.commandPool = *commands, .level = vk::CommandBufferLevel::ePrimary, .commandBufferCount = 1});
    buffers.front().begin({.flags = vk::CommandBufferUsageFlagBits::eOneTimeSubmit});
    ImGui_ImplVulkan_CreateFontsTexture(*buffers.front());
    buffers.front().end();
    const vk::CommandBufferSubmitInfo submitted{.commandBuffer = *buffers.front()};
    vk::SubmitInfo2 submit;
    submit.setCommandBufferInfos(submitted);
    gpu_->queue.submit2(submit);
    gpu_->device.waitIdle();
    ImGui_ImplVulkan_DestroyFontUploadObjects();
}

void Swapchain::new_overlay() {
    ImGui_ImplVulkan_NewFrame();
    ImGui_ImplGlfw_NewFrame();
    ImGui::NewFrame();
}

bool Swapchain::acquire(std::size_t slot) {
    if (outdated_) return false;
    slot_ = slot;
    try {
        const auto [result, image] = chain_.acquireNextImage(~std::uint64_t{0}, *ready_[slot_]);
        image_ = image;
        // A picture of another size can still be shown; the chain is fitted before the next.
        if (result == vk::Result::eSuboptimalKHR) outdated_ = true;
        return true;
    } catch (const vk::OutOfDateKHRError&) {
        outdated_ = true;
        return false;
    }
}

void Swapchain::record(const vk::raii::CommandBuffer& commands, const Image2D& picture) {
    const vk::ImageMemoryBarrier2 to_target{.srcStageMask = vk::PipelineStageFlagBits2::eAllCommands,
                                            .dstStageMask = vk::PipelineStageFlagBits2::eBlit,
                                            .dstAccessMask = vk::AccessFlagBits2::eTransferWrite,
                                            .oldLayout = vk::ImageLayout::eUndefined,
                                            .newLayout = vk::ImageLayout::eTransferDstOptimal,
                                            .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                            .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                            .image = images_[image_],
                                            .subresourceRange = {vk::ImageAspectFlagBits::eColor, 0, 1, 0, 1}};
    vk::DependencyInfo barriers;
    barriers.setImageMemoryBarriers(to_target);
    commands.pipelineBarrier2(barriers);
    const auto corner = [](vk::Extent2D extent) {
        return vk::Offset3D{static_cast<std::int32_t>(extent.width), static_cast<std::int32_t>(extent.height), 1};
    };
    const vk::ImageSubresourceLayers layer{vk::ImageAspectFlagBits::eColor, 0, 0, 1};
    const vk::ImageBlit whole{
        layer, {{vk::Offset3D{}, corner(picture.extent())}}, layer, {{vk::Offset3D{}, corner(extent_)}}};
    commands.blitImage(picture.handle(), vk::ImageLayout::eTransferSrcOptimal, images_[image_],
                       vk::ImageLayout::eTransferDstOptimal, whole, vk::Filter::eNearest);
    commands.beginRenderPass(
        {.renderPass = *overlay_pass_, .framebuffer = *framebuffers_[image_], .renderArea = {{}, extent_}},
        vk::SubpassContents::eInline);
    ImGui_ImplVulkan_RenderDrawData(ImGui::GetDrawData(), *commands);
    commands.endRenderPass();
}

void Swapchain::present() {
    const vk::Semaphore wait = drawn();
    const vk::SwapchainKHR chain = *chain_;
    vk::PresentInfoKHR info;
    info.setWaitSemaphores(wait).setSwapchains(chain).setImageIndices(image_);
    try {
        if (gpu_->queue.presentKHR(info) == vk::Result::eSuboptimalKHR) outdated_ = true;
    } catch (const vk::OutOfDateKHRError&) {
        outdated_ = true;
    }
}

}  // namespace lanecull::program
