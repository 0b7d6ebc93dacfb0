
#include "commands.hpp"
#include "options/command_line.hpp"
#include "support/error.hpp"

namespace lanecull::program {

/// In place of view_command.cpp where Vulkan was not there to build with.
void add_view_command(CommandLine& program) {
    Command command = program.add("view", "Draw a scene with Vulkan (not in this build)");
    command.allow_extras();
    command.action([] {
        fail(
            "this build has no viewer: install libvulkan-dev, glslang-tools, libglfw3-dev and libimgui-dev (Debian's "
            "names) and build again with -DLANECULL_VIEWER=ON");
    });
}

}  // namespace lanecull::program
