#pragma once

#include <cstdint>
#include <string>
#include <vector>

/// What a device must have for the viewer.
namespace lanecull::program {

struct DeviceAbilities {
    std::string name;
    std::uint32_t major = 0, minor = 0;  ///< of Vulkan
    bool graphics_queue = false;
    bool draw_indirect_count = false, multi_draw_indirect = false, draw_indirect_first_instance = false;
    bool dynamic_rendering = false, synchronization2 = false;
    bool depth_clamp = false, fragment_stores_and_atomics = false;
    std::vector<std::string> extensions;
};

/// What is missing, by its name in Vulkan; empty where nothing is. `extensions` are needed besides.
[[nodiscard]] std::vector<std::string> missing(const DeviceAbilities& device,
                                               const std::vector<std::string>& extensions);

/// One sentence about all of them: none can be used. Says which driver to install where there is none.
[[nodiscard]] std::string no_device(const std::vector<DeviceAbilities>& devices,
                                    const std::vector<std::string>& extensions);

}  // namespace lanecull::program
