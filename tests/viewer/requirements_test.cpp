#include "../../tools/viewer/requirements.hpp"

#include <gtest/gtest.h>

/// A device that lacks a required feature is refused, and the message names the feature.

namespace {

using namespace lanecull::program;

DeviceAbilities able() {
    return {.name = "able",
            .major = 1,
            .minor = 3,
            .graphics_queue = true,
            .draw_indirect_count = true,
            .multi_draw_indirect = true,
            .draw_indirect_first_instance = true,
            .dynamic_rendering = true,
            .synchronization2 = true,
            .depth_clamp = true,
            .fragment_stores_and_atomics = true,
            .extensions = {"VK_KHR_swapchain", "VK_EXT_calibrated_timestamps"}};
}

TEST(Requirements, AnAbleDeviceLacksNothing) {
    EXPECT_TRUE(missing(able(), {}).empty());
    EXPECT_TRUE(missing(able(), {"VK_KHR_swapchain"}).empty());
    DeviceAbilities newer = able();
    newer.minor = 4;
    EXPECT_TRUE(missing(newer, {}).empty());
}

TEST(Requirements, EachIsNamed) {
    const std::pair<bool DeviceAbilities::*, const char*> all[] = {
        {&DeviceAbilities::graphics_queue, "a graphics queue"},
        {&DeviceAbilities::draw_indirect_count, "drawIndirectCount"},
        {&DeviceAbilities::multi_draw_indirect, "multiDrawIndirect"},
        {&DeviceAbilities::draw_indirect_first_instance, "drawIndirectFirstInstance"},
        {&DeviceAbilities::dynamic_rendering, "dynamicRendering"},
        {&DeviceAbilities::synchronization2, "synchronization2"},
        {&DeviceAbilities::depth_clamp, "depthClamp"},
        {&DeviceAbilities::fragment_stores_and_atomics, "fragmentStoresAndAtomics"}};
    for (const auto& [ability, name] : all) {
        DeviceAbilities device = able();
        device.*ability = false;
        EXPECT_EQ(missing(device, {}), std::vector<std::string>{name});
    }
}

TEST(Requirements, AMissingExtensionIsNamed) {
    DeviceAbilities device = able();
    device.extensions = {"VK_EXT_calibrated_timestamps"};
    EXPECT_EQ(missing(device, {"VK_KHR_swapchain"}), std::vector<std::string>{"VK_KHR_swapchain"});
    const std::string text = no_device({device}, {"VK_KHR_swapchain"});
    EXPECT_NE(text.find("able lacks VK_KHR_swapchain"), std::string::npos) << text;
}

TEST(Requirements, AnOldVersionIsAllThatIsSaid) {
    DeviceAbilities device = able();
    device.minor = 2;
    device.dynamic_rendering = false;
    EXPECT_EQ(missing(device, {}), std::vector<std::string>{"Vulkan 1.3 (it has 1.2)"});
}

TEST(Requirements, NoDeviceSaysWhatToInstall) {
    EXPECT_NE(no_device({}, {}).find("mesa-vulkan-drivers"), std::string::npos);
}

}  // namespace
