#include "requirements.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

namespace lanecull::program {

std::vector<std::string> missing(const DeviceAbilities& device, const std::vector<std::string>& extensions) {
    if (std::pair(device.major, device.minor) < std::pair(1U, 3U)) {
        return {fmt::format("Vulkan 1.3 (it has {}.{})", device.major, device.minor)};
    }
    std::vector<std::string> names;
    const auto need = [&](bool there, const char* name) {
        if (!there) names.emplace_back(name);
    };
    need(device.graphics_queue, "a graphics queue");
    need(device.draw_indirect_count, "drawIndirectCount");
    need(device.multi_draw_indirect, "multiDrawIndirect");
    need(device.draw_indirect_first_instance, "drawIndirectFirstInstance");
    need(device.dynamic_rendering, "dynamicRendering");
    need(device.synchronization2, "synchronization2");
    need(device.depth_clamp, "depthClamp");
    need(device.fragment_stores_and_atomics, "fragmentStoresAndAtomics");
    for (const std::string& extension : extensions) {
        need(std::ranges::find(device.extensions, extension) != device.extensions.end(), extension.c_str());
    }
    return names;
}

std::string no_device(const std::vector<DeviceAbilities>& devices, const std::vector<std::string>& extensions) {
    if (devices.empty()) {
        return "view needs a Vulkan 1.3 driver, and there is none (Debian: mesa-vulkan-drivers, which draws without a "
               "graphics card too)";
    }
    std::string text = "view finds no Vulkan device that it can use:";
    for (const DeviceAbilities& device : devices) {
        text += fmt::format(" {} lacks {};", device.name, fmt::join(missing(device, extensions), ", "));
    }
    text.pop_back();
    return text;
}

}  // namespace lanecull::program
