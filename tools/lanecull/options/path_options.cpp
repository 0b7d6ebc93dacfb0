#include "options/path_options.hpp"

#include <cstddef>
#include <filesystem>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <system_error>

#include "options/lens_options.hpp"
#include "picture/picture_volume.hpp"
#include "scene/camera_file.hpp"
#include "scene/free_path.hpp"
#include "scene/reading.hpp"
#include "scene/scene_cameras.hpp"
#include "support/error.hpp"

namespace lanecull::program {
namespace {

constexpr std::size_t default_frames = 300, street_frames = 60;

}  // namespace

void PathOptions::add_to(Command command) {
    command
        .option("--path", file,
                "Camera path: a JSON file (see below), the cameras of a scene (glTF, ...), or street: a walk through "
                "the city")
        .type_name("FILE|street");
    command
        .option("--frames", frames,
                "How many (300, 60 of street, or as many as the file of --path has cameras, if none is animated)")
        .within(std::uint64_t{1}, max_frames)
        .type_name("N");
    add_lens_options(command, lens);
}

void PathOptions::check(bool of_city) const {
    if (is_street() && !of_city) {
        refuse("--path street is of the built-in city; a file of that name is ./street");
    }
    check_lens_options(lens);
}

CameraPath PathOptions::path(const Scene& scene) const {
    if (is_street()) {
        return walking_path(scene.walk, scene.bounds(), {0, 0, 1}, frames.value_or(street_frames), lens);
    }
    if (file && may_have_cameras(*file)) {
        CameraPath path = read_path_apart(*file, frames, default_frames, lens);
        if (!scene.motion.objects.empty() && scene.motion.frames() != path.size()) {
            fail("{}: it was changed while it was read", *file);
        }
        return path;
    }
    if (file) return path_from_file(*file, scene.up, frames, lens);
    if (scene.walk.empty()) return free_path(scene, main_bounds(scene), frames.value_or(default_frames), lens);
    return fitted_path(scene.bounds(), scene.up, frames.value_or(default_frames), lens);
}

std::optional<std::size_t> PathOptions::moving_frames(const std::optional<std::string>& scene_file) const {
    std::error_code none;
    if (!file || !scene_file || is_street() || !std::filesystem::equivalent(*file, *scene_file, none)) return {};
    return frames.value_or(default_frames);
}

CameraPath PathOptions::perspective_path(const Scene& scene, const char* command) const {
    CameraPath path = this->path(scene);
    const Bounds bounds = scene.bounds();
    const double reach = glm::length(glm::max(glm::abs(bounds.lower), glm::abs(bounds.upper)));
    for (std::size_t i = 0; i < path.size(); ++i) {
        if (path[i].is_orthographic()) {
            fail("--path: camera {} is orthographic; {} takes perspective ones", i, command);
        }
        path[i] = path[i].bounded(2 * (reach + glm::length(path[i].eye)));
    }
    return path;
}

}  // namespace lanecull::program
