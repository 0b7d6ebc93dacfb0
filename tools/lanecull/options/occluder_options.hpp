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
    std::size_t by_default = 0;  ///< how many where --occluders is not given; 0: none
    std::optional<std::size_t> given = {};
    double margin_pixels = 0;
    std::vector<std::string> solid = {};

    void add_to(Command command);
    [[nodiscard]] std::size_t most() const { return given.value_or(by_default); }
    /// Without --margin-pixels.
    CommandOption add_choice_to(Command command, const char* help);
    /// Fails if a number breaks its rule.
    void check() const;
    /// Nothing where no occluders are asked for. Makes solid what is named (make_solid()).
    [[nodiscard]] std::optional<OccluderSettings> settings(Scene& scene, bool quiet) const;
};

}  // namespace lanecull::program
