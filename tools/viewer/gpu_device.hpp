#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gpu.hpp"
#include "vulkan.hpp"

/// The device, and memory of it.
namespace lanecull::program {

class Gpu {
public:
    explicit Gpu(const GpuOptions& options);

    vk::raii::Context context;
    std::atomic<std::uint64_t> messages = 0;
    vk::raii::Instance instance = nullptr;
    vk::raii::DebugUtilsMessengerEXT messenger = nullptr;
    vk::raii::PhysicalDevice physical = nullptr;
    std::uint32_t queue_family = 0;
    vk::raii::Device device = nullptr;
    vk::raii::Queue queue = nullptr;
    float timestamp_period = 1;  ///< nanoseconds
    bool calibrated = false;     ///< whether the device's clock can be converted to the host's time

    [[nodiscard]] std::uint32_t memory_type(std::uint32_t allowed, vk::MemoryPropertyFlags needed,
                                            vk::MemoryPropertyFlags wanted = {}) const;
};

/// How something was used last: what the next use has to wait for.
struct LastUse {
    vk::PipelineStageFlags2 stage = vk::PipelineStageFlagBits2::eNone;
    vk::AccessFlags2 access = vk::AccessFlagBits2::eNone;
    vk::ImageLayout layout = vk::ImageLayout::eUndefined;
};

/// A buffer that the host writes or reads in place: visible and coherent, mapped as long as it lives.
class HostBuffer {
public:
    HostBuffer() = default;
    HostBuffer(const Gpu& gpu, const char* name, std::size_t bytes, vk::BufferUsageFlags usage, bool read_back = false);

    template <class T>
    [[nodiscard]] std::span<T> as() const {
        return {static_cast<T*>(mapped_), bytes_ / sizeof(T)};
    }
    [[nodiscard]] vk::Buffer handle() const { return *buffer_; }
    [[nodiscard]] std::size_t bytes() const { return bytes_; }
    [[nodiscard]] const char* name() const { return name_; }

    LastUse last;

private:
    const char* name_ = "";
    std::size_t bytes_ = 0;
    vk::raii::DeviceMemory memory_ = nullptr;
    vk::raii::Buffer buffer_ = nullptr;
    void* mapped_ = nullptr;
};

/// An image of one or several layers.
class Image2D {
public:
    Image2D() = default;
    Image2D(const Gpu& gpu, const char* name, vk::Format format, vk::Extent2D extent, std::uint32_t layers,
            vk::ImageUsageFlags usage);

    [[nodiscard]] vk::Image handle() const { return *image_; }
    [[nodiscard]] vk::ImageView view() const { return *whole_; }  ///< of all layers
    [[nodiscard]] vk::ImageView layer(std::size_t k) const { return *layers_[k]; }
    [[nodiscard]] vk::Extent2D extent() const { return extent_; }
    [[nodiscard]] std::uint32_t layers() const { return static_cast<std::uint32_t>(layers_.size()); }
    [[nodiscard]] vk::Format format() const { return format_; }
    [[nodiscard]] vk::ImageAspectFlags aspect() const;
    [[nodiscard]] const char* name() const { return name_; }

    LastUse last;

private:
    const char* name_ = "";
    vk::Format format_{};
    vk::Extent2D extent_;
    vk::raii::DeviceMemory memory_ = nullptr;
    vk::raii::Image image_ = nullptr;
    vk::raii::ImageView whole_ = nullptr;
    std::vector<vk::raii::ImageView> layers_;
};

}  // namespace lanecull::program
