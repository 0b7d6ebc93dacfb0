#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "cull/occluder_choice.hpp"
#include "options/command_line.hpp"
#include "scene/scene.hpp"

namespace lanecull::program {

/// The options --occluders, --solid and, where a picture's pixels count, --margin-pixels.
struct OccluderCommandOptions {
    std::size_t most = 0;  ///< 0: none
    double margin_pixels = 0;
    std::vector<std::string> solid;

    void add_to(Command command);
    /// Without --margin-pixels.
    CommandOption add_choice_to(Command command, const char* help);
    /// Fails if a number breaks its rule.
    void check() const;
    /// Nothing where no occluders are asked for. Else makes the named groups of the scene solid; fails if there is none
    /// of a name, or if it is not of boxes.
    [[nodiscard]] std::optional<OccluderSettings> settings(Scene& scene) const;
};

}  // namespace lanecull::program
