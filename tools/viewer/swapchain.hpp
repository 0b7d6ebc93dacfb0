#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "display.hpp"
#include "gpu.hpp"
#include "gpu_device.hpp"

struct GLFWwindow;

namespace lanecull::program {

/// A window's pictures: the frame's is copied onto one, Dear ImGui's drawn over it.
class Swapchain final : public Display {
public:
    Swapchain(std::shared_ptr<Gpu> gpu, GLFWwindow* window);
    ~Swapchain() override;

    /// Fits the window as it is now. The device is idle.
    void fit();
    [[nodiscard]] bool outdated() const { return outdated_; }
    /// Begins Dear ImGui's frame.
    static void new_overlay();

    bool acquire(std::size_t slot) override;
    void record(const vk::raii::CommandBuffer& commands, const Image2D& picture) override;
    [[nodiscard]] vk::Semaphore ready() const override { return *ready_[slot_]; }
    [[nodiscard]] vk::Semaphore drawn() const override { return *drawn_[image_]; }
    void present() override;

private:
    void make_overlay_pass();
    void start_overlay();

    std::shared_ptr<Gpu> gpu_;
    GLFWwindow* window_;
    vk::raii::SurfaceKHR surface_ = nullptr;
    vk::SurfaceFormatKHR format_;
    vk::Extent2D extent_;
    vk::raii::SwapchainKHR chain_ = nullptr;
    std::vector<vk::Image> images_;
    std::vector<vk::raii::ImageView> views_;
    std::vector<vk::raii::Framebuffer> framebuffers_;
    std::vector<vk::raii::Semaphore> ready_, drawn_;
    vk::raii::RenderPass overlay_pass_ = nullptr;  // Dear ImGui 1.86 wants one
    vk::raii::DescriptorPool overlay_descriptors_ = nullptr;
    std::size_t slot_ = 0;
    std::uint32_t image_ = 0;
    bool outdated_ = false;
};

}  // namespace lanecull::program
