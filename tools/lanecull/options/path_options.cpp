#include "options/path_options.hpp"

#include <cstddef>
#include <glm/geometric.hpp>

#include "picture/picture_volume.hpp"
#include "scene/free_path.hpp"
#include "scene/scene_cameras.hpp"
#include "support/error.hpp"

namespace lanecull::program {
namespace {

constexpr std::size_t default_frames = 300, street_frames = 60;

void check_lens(const char* option, std::optional<double> value, double low, double high) {
    if (value) check_number(option, *value, low, high);
}

}  // namespace

void PathOptions::add_to(Command command) {
    const auto number = [&](const char* name, std::optional<double>& value, const char* text) {
        command.option(name, value, text).type_name("X");
    };
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
    number("--fov", lens.fov_degrees, "Vertical field of view in degrees (50)");
    number("--aspect", lens.aspect, "Width over height (1.78)");
    number("--near", lens.near, "Distance of the near plane (far / 10000)");
    number("--far", lens.far,
           "Distance of the far plane (a fifth of the scene's diagonal, or what it takes to see something)");
}

void PathOptions::check(bool of_city) const {
    if (is_street() && !of_city) {
        refuse("--path street is of the built-in city; a file of that name is ./street");
    }
    check_lens("--fov", lens.fov_degrees, 0.01, 179);
    check_lens("--aspect", lens.aspect, 0.01, 100);
    check_lens("--near", lens.near, 1e-12, 1e15);
    check_lens("--far", lens.far, 1e-12, 1e15);
    if (lens.near && lens.far && *lens.near >= *lens.far) {
        refuse("--near {} is to be less than --far {}", *lens.near, *lens.far);
    }
}

CameraPath PathOptions::path(const Scene& scene) const {
    if (is_street()) {
        return walking_path(scene.walk, scene.bounds(), {0, 0, 1}, frames.value_or(street_frames), lens);
    }
    if (file && may_have_cameras(*file)) {
        return path_of_scene(*file, glm::length(scene.bounds().size()), frames, default_frames, lens);
    }
    if (file) return path_from_file(*file, scene.up, frames, lens);
    if (scene.walk.empty()) return free_path(scene, main_bounds(scene), frames.value_or(default_frames), lens);
    return fitted_path(scene.bounds(), scene.up, frames.value_or(default_frames), lens);
}

}  // namespace lanecull::program
