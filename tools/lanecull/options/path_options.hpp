#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "options/command_line.hpp"
#include "scene/camera_path.hpp"
#include "scene/scene.hpp"

namespace lanecull::program {

constexpr std::uint64_t max_frames = 1'000'000;

/// The options --path, --frames, --fov, --aspect, --near and --far of every command that takes a camera
/// path.
struct PathOptions {
    std::optional<std::string> file;
    std::optional<std::size_t> frames;
    LensOptions lens;

    void add_to(Command command);
    /// Fails if a number breaks its rule, which needs neither scene nor file; WrongUsage if the path is `street` and
    /// the scene is not to be the city.
    void check(bool of_city) const;
    [[nodiscard]] CameraPath path(const Scene& scene) const;
    /// Of how many frames an animation of the scene's file would be, where the path is of the same file; else none.
    [[nodiscard]] std::optional<std::size_t> moving_frames(const std::optional<std::string>& scene_file) const;
    /// The same for a command that needs perspective cameras whose views have an end: one without a far plane gets it
    /// beyond the whole scene. Fails if a camera is orthographic. `command`: what to call it.
    [[nodiscard]] CameraPath perspective_path(const Scene& scene, const char* command) const;

private:
    /// The word is reserved: a file of that name is "./street".
    [[nodiscard]] bool is_street() const { return file == "street"; }
};

}  // namespace lanecull::program
