#include "commands.hpp"
#include "options/command_line.hpp"
#include "support/error.hpp"

namespace lanecull::program {

/// In place of bake_command.cpp where CRoaring was not there to build with.
void add_bake_command(CommandLine& program) {
    Command command = program.add("bake", "Find what may be seen from each cell of a scene (not in this build)");
    command.allow_extras();
    command.action([] {
        fail(
            "this build cannot compress sets: install libroaring-dev (Debian's name) and build again with "
            "-DLANECULL_VISIBILITY=ON");
    });
}

}  // namespace lanecull::program
