#include "gpu_device.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "requirements.hpp"
#include "support/error.hpp"
#include "support/progress.hpp"

namespace lanecull::program {
namespace {

constexpr const char* validation_layer = "VK_LAYER_KHRONOS_validation";

VKAPI_ATTR VkBool32 VKAPI_CALL hear(VkDebugUtilsMessageSeverityFlagBitsEXT, VkDebugUtilsMessageTypeFlagsEXT,
                                    const VkDebugUtilsMessengerCallbackDataEXT* data, void* gpu) {
    tell(fmt::format("validation: {}\n", data->pMessage));
    ++static_cast<Gpu*>(gpu)->messages;
    return VK_FALSE;
}

std::vector<const char*> pointers(const std::vector<std::string>& names) {
    std::vector<const char*> result;
    for (const std::string& name : names) result.push_back(name.c_str());
    return result;
}

void add_layer(const vk::raii::Context& context, std::vector<const char*>& layers) {
    const auto there = context.enumerateInstanceLayerProperties();
    const bool found = std::ranges::any_of(
        there, [](const vk::LayerProperties& layer) { return std::strcmp(layer.layerName, validation_layer) == 0; });
    if (!found) fail("--validate needs {}, which is not installed (Debian: vulkan-validationlayers)", validation_layer);
    layers.push_back(validation_layer);
}

vk::raii::Instance make_instance(const vk::raii::Context& context, const GpuOptions& options) {
    const vk::ApplicationInfo application{.pApplicationName = "lanecull", .apiVersion = VK_API_VERSION_1_3};
    std::vector<const char*> layers, extensions = pointers(options.instance_extensions);
    if (options.validate) {
        add_layer(context, layers);
        extensions.push_back(VK_EXT_DEBUG_UTILS_EXTENSION_NAME);
    }
    vk::InstanceCreateInfo info{.pApplicationInfo = &application};
    info.setPEnabledLayerNames(layers).setPEnabledExtensionNames(extensions);
    try {
        return {context, info};
    } catch (const vk::IncompatibleDriverError&) {
        throw Error(no_device({}, {}));
    } catch (const vk::ExtensionNotPresentError&) {
        if (options.instance_extensions.empty()) throw Error(no_device({}, {}));
        fail("view needs a Vulkan driver with {} to draw into a window; --headless needs none",
             fmt::join(options.instance_extensions, ", "));
    }
}

std::optional<std::uint32_t> graphics_family(const vk::raii::PhysicalDevice& device) {
    const auto families = device.getQueueFamilyProperties();
    for (std::uint32_t i = 0; i < families.size(); ++i) {
        if (families[i].queueFlags & vk::QueueFlagBits::eGraphics && families[i].timestampValidBits != 0) return i;
    }
    return {};
}

DeviceAbilities abilities_of(const vk::raii::PhysicalDevice& device) {
    const vk::PhysicalDeviceProperties properties = device.getProperties();
    DeviceAbilities result;
    result.name = properties.deviceName.data();
    result.major = VK_API_VERSION_MAJOR(properties.apiVersion);
    result.minor = VK_API_VERSION_MINOR(properties.apiVersion);
    if (result.major == 1 && result.minor < 3) return result;
    const auto chain = device.getFeatures2<vk::PhysicalDeviceFeatures2, vk::PhysicalDeviceVulkan12Features,
                                           vk::PhysicalDeviceVulkan13Features>();
    const auto& basic = chain.get<vk::PhysicalDeviceFeatures2>().features;
    const auto& features12 = chain.get<vk::PhysicalDeviceVulkan12Features>();
    const auto& features13 = chain.get<vk::PhysicalDeviceVulkan13Features>();
    result.graphics_queue = graphics_family(device).has_value();
    result.draw_indirect_count = features12.drawIndirectCount;
    result.multi_draw_indirect = basic.multiDrawIndirect;
    result.draw_indirect_first_instance = basic.drawIndirectFirstInstance;
    result.dynamic_rendering = features13.dynamicRendering;
    result.synchronization2 = features13.synchronization2;
    result.depth_clamp = basic.depthClamp;
    result.fragment_stores_and_atomics = basic.fragmentStoresAndAtomics;
    for (const auto& extension : device.enumerateDeviceExtensionProperties()) {
        result.extensions.emplace_back(extension.extensionName.data());
    }
    return result;
}

/// How gladly a device is taken: a graphics card before what shares memory before the processor.
int rank(const vk::raii::PhysicalDevice& device) {
    switch (device.getProperties().deviceType) {
        case vk::PhysicalDeviceType::eDiscreteGpu:
            return 0;
        case vk::PhysicalDeviceType::eIntegratedGpu:
            return 1;
        default:
            return 2;
    }
}

vk::raii::PhysicalDevice pick(const vk::raii::Instance& instance, const std::vector<std::string>& extensions) {
    std::vector<DeviceAbilities> all;
    std::optional<vk::raii::PhysicalDevice> best;
    std::vector<vk::raii::PhysicalDevice> devices;
    try {
        devices = instance.enumeratePhysicalDevices();
    } catch (const vk::SystemError&) {
        throw Error(no_device({}, extensions));
    }
    for (vk::raii::PhysicalDevice& device : devices) {
        all.push_back(abilities_of(device));
        if (missing(all.back(), extensions).empty() && (!best || rank(device) < rank(*best))) best = device;
    }
    if (!best) throw Error(no_device(all, extensions));
    return std::move(*best);
}

vk::raii::Device make_device(const vk::raii::PhysicalDevice& physical, std::uint32_t family,
                             const std::vector<const char*>& extensions) {
    const float priority = 1;
    const vk::DeviceQueueCreateInfo queue{.queueFamilyIndex = family, .queueCount = 1, .pQueuePriorities = &priority};
    vk::PhysicalDeviceVulkan13Features features13{.synchronization2 = true, .dynamicRendering = true};
    vk::PhysicalDeviceVulkan12Features features12{.pNext = &features13, .drawIndirectCount = true};
    const vk::PhysicalDeviceFeatures2 features{.pNext = &features12,
                                               .features = {.multiDrawIndirect = true,
                                                            .drawIndirectFirstInstance = true,
                                                            .depthClamp = true,
                                                            .fragmentStoresAndAtomics = true}};
    vk::DeviceCreateInfo info{.pNext = &features};
    info.setQueueCreateInfos(queue).setPEnabledExtensionNames(extensions);
    return {physical, info};
}

vk::raii::DeviceMemory allocate(const Gpu& gpu, const vk::MemoryRequirements& needs, std::uint32_t type,
                                const char* name) {
    try {
        return {gpu.device, vk::MemoryAllocateInfo{.allocationSize = needs.size, .memoryTypeIndex = type}};
    } catch (const vk::SystemError&) {
        fail("the device has no {} MiB for the {}", needs.size >> 20, name);
    }
}

}  // namespace

Gpu::Gpu(const GpuOptions& options) : instance(make_instance(context, options)) {
    if (options.validate) {
        using Severity = vk::DebugUtilsMessageSeverityFlagBitsEXT;
        using Type = vk::DebugUtilsMessageTypeFlagBitsEXT;
        messenger = {instance, vk::DebugUtilsMessengerCreateInfoEXT{
                                   .messageSeverity = Severity::eWarning | Severity::eError,
                                   .messageType = Type::eGeneral | Type::eValidation | Type::ePerformance,
                                   .pfnUserCallback = hear,
                                   .pUserData = this}};
    }
    physical = pick(instance, options.device_extensions);
    queue_family = *graphics_family(physical);
    const auto abilities = abilities_of(physical);
    std::vector<const char*> extensions = pointers(options.device_extensions);
    calibrated = missing(abilities, {VK_EXT_CALIBRATED_TIMESTAMPS_EXTENSION_NAME}).empty();
    if (calibrated) extensions.push_back(VK_EXT_CALIBRATED_TIMESTAMPS_EXTENSION_NAME);
    device = make_device(physical, queue_family, extensions);
    queue = device.getQueue(queue_family, 0);
    timestamp_period = physical.getProperties().limits.timestampPeriod;
}

std::uint32_t Gpu::memory_type(std::uint32_t allowed, vk::MemoryPropertyFlags needed,
                               vk::MemoryPropertyFlags wanted) const {
    const vk::PhysicalDeviceMemoryProperties memory = physical.getMemoryProperties();
    for (const vk::MemoryPropertyFlags flags : {needed | wanted, needed}) {
        for (std::uint32_t i = 0; i < memory.memoryTypeCount; ++i) {
            if ((allowed >> i & 1U) != 0 && (memory.memoryTypes[i].propertyFlags & flags) == flags) return i;
        }
    }
    fail("the device has no memory of the kind {}", vk::to_string(needed));
}

std::shared_ptr<Gpu> open_gpu(const GpuOptions& options) { return std::make_shared<Gpu>(options); }

std::string gpu_name(const Gpu& gpu) { return gpu.physical.getProperties().deviceName.data(); }

std::uint32_t sub_pixel_bits(const Gpu& gpu) { return gpu.physical.getProperties().limits.subPixelPrecisionBits; }

std::uint64_t validation_messages(const Gpu& gpu) { return gpu.messages; }

HostBuffer::HostBuffer(const Gpu& gpu, const char* name, std::size_t bytes, vk::BufferUsageFlags usage, bool read_back)
    : name_(name),
      bytes_(bytes),
      buffer_(gpu.device, vk::BufferCreateInfo{.size = std::max<std::size_t>(bytes, 4), .usage = usage}) {
    using Flag = vk::MemoryPropertyFlagBits;
    const vk::MemoryRequirements needs = buffer_.getMemoryRequirements();
    // What the host reads is to be cached; what it only writes had better lie where the device is quick to read it.
    const std::uint32_t type = gpu.memory_type(needs.memoryTypeBits, Flag::eHostVisible | Flag::eHostCoherent,
                                               read_back ? Flag::eHostCached : Flag::eDeviceLocal);
    memory_ = allocate(gpu, needs, type, name);
    buffer_.bindMemory(*memory_, 0);
    mapped_ = memory_.mapMemory(0, VK_WHOLE_SIZE);
}

Image2D::Image2D(const Gpu& gpu, const char* name, vk::Format format, vk::Extent2D extent, std::uint32_t layers,
                 vk::ImageUsageFlags usage)
    : name_(name),
      format_(format),
      extent_(extent),
      image_(gpu.device, vk::ImageCreateInfo{.imageType = vk::ImageType::e2D,
                                             .format = format,
                                             .extent = {extent.width, extent.height, 1},
                                             .mipLevels = 1,
                                             .arrayLayers = layers,
                                             .samples = vk::SampleCountFlagBits::e1,
                                             .usage = usage}) {
    const vk::MemoryRequirements needs = image_.getMemoryRequirements();
    memory_ =
        allocate(gpu, needs, gpu.memory_type(needs.memoryTypeBits, vk::MemoryPropertyFlagBits::eDeviceLocal), name);
    image_.bindMemory(*memory_, 0);
    const auto view = [&](vk::ImageViewType type, std::uint32_t first, std::uint32_t count) {
        return vk::raii::ImageView(gpu.device,
                                   vk::ImageViewCreateInfo{.image = *image_,
                                                           .viewType = type,
                                                           .format = format,
                                                           .subresourceRange = {aspect(), 0, 1, first, count}});
    };
    whole_ = view(vk::ImageViewType::e2DArray, 0, layers);
    for (std::uint32_t k = 0; k < layers; ++k) layers_.push_back(view(vk::ImageViewType::e2D, k, 1));
}

vk::ImageAspectFlags Image2D::aspect() const {
    return format_ == vk::Format::eD32Sfloat ? vk::ImageAspectFlagBits::eDepth : vk::ImageAspectFlagBits::eColor;
}

}  // namespace lanecull::program
