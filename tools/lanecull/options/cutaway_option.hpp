#pragma once

#include <string>

#include "options/command_line.hpp"
#include "picture/observer.hpp"

namespace lanecull::program {

/// The option --cutaway of every command that draws a scene.
struct CutawayOption {
    std::string word = "auto";

    CommandOption add_to(Command command);
    [[nodiscard]] CutawayChoice choice() const;
};

}  // namespace lanecull::program
