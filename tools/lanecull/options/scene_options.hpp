#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "options/command_line.hpp"
#include "scene/scene.hpp"

namespace lanecull::program {

/// The options SCENE, --objects, --up and --bounds of every command that takes a scene.
struct SceneOptions {
    std::optional<std::string> file;
    std::uint64_t objects = 1'000'000;
    std::string up;
    std::string bounds;  ///< empty: not given

    void add_to(Command command);
    /// Whether it is the built-in city.
    [[nodiscard]] bool is_city() const { return !file; }
    /// Reads the scene, or builds the city. On a terminal it says so, unless `quiet`. `moving_frames`: what
    /// PathOptions::moving_frames() says; without, all objects rest.
    [[nodiscard]] Scene scene(bool quiet, std::optional<std::size_t> moving_frames = {}) const;
};

}  // namespace lanecull::program
