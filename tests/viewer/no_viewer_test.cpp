#include "program/program.hpp"

/// A build without Vulkan still has the command, which says what to install.

namespace {

TEST_F(Program, WithoutTheViewerViewSaysHowToGetIt) {
    expect_error({"view"}, failed, "libvulkan-dev");
    expect_error({"view", "--headless", "--frames", "3", "track.ac"}, failed, "libvulkan-dev");
}

}  // namespace
