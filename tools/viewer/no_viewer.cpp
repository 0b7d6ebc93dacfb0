#include <CLI/App.hpp>

#include "commands.hpp"
#include "support/error.hpp"

namespace lanecull::program {

/// In place of view_command.cpp where Vulkan was not there to build with.
void add_view_command(CLI::App& program) {
    CLI::App* command = program.add_subcommand("view", "Draw a scene with Vulkan (not in this build)");
    command->allow_extras();
    command->callback([] {
        fail(
            "this build has no viewer: install libvulkan-dev, glslang-tools, libglfw3-dev and libimgui-dev (Debian's "
            "names) and build again with -DLANECULL_VIEWER=ON");
    });
}

}  // namespace lanecull::program
