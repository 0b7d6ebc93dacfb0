#include "options/scene_options.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <glm/vec3.hpp>

#include "picture/picture_volume.hpp"
#include "scene/box_list.hpp"
#include "scene/city.hpp"
#include "scene/mesh_bounds.hpp"
#include "scene/reading.hpp"
#include "support/error.hpp"
#include "support/input_file.hpp"
#include "support/memory.hpp"
#include "support/progress.hpp"

namespace lanecull::program {
namespace {

Scene city_that_fits(std::uint64_t objects, bool quiet) {
    constexpr double gib = 1U << 30;
    const std::uint64_t needed = city_bytes(objects), available = available_memory();
    if (needed > available) {
        fail("--objects {}: takes some {:.1f} GiB of memory, {:.1f} GiB are available", objects,
             static_cast<double>(needed) / gib, static_cast<double>(available) / gib);
    }
    announce(fmt::format("building the city: {} objects", objects), quiet);
    return make_city(objects);
}

Scene scene_from_file(const std::string& file, std::optional<std::size_t> moving_frames, bool quiet) {
    announce(fmt::format("reading {}", input_name(file)), quiet);
    if (is_flat_box_list(file)) fail("{}: its boxes are flat, of which only 'lanecull cull' knows something", file);
    return read_scene_apart(file, moving_frames);
}

void set_mesh_bounds(Scene& scene, const std::string& bounds) {
    const MeshBounds chosen = bounds == "box"    ? MeshBounds::box
                              : bounds == "both" ? MeshBounds::both
                                                 : MeshBounds::hull;
    if (scene.meshes != 0) return set_bounds(scene, chosen);
    if (!bounds.empty()) refuse("--bounds {}: {} has no meshes of a file", bounds, scene.name);
}

/// Scenes of many objects are wider than high. Names the axis that is likely up where the scene says another.
void warn_of_up(const Scene& scene, bool quiet) {
    if (scene.object_count() < 8) return;
    const glm::dvec3 size = main_bounds(scene).size();
    for (int axis = 0; axis < 3; ++axis) {
        if (scene.up[axis] != 0) continue;
        const double others = std::min(size[(axis + 1) % 3], size[(axis + 2) % 3]);
        if (4 * size[axis] > others) continue;
        warn(fmt::format("{} is flat along {}, and {} is taken for up: is --up {} missing?", scene.name, "xyz"[axis],
                         scene.up.x != 0   ? 'x'
                         : scene.up.y != 0 ? 'y'
                                           : 'z',
                         "xyz"[axis]),
             quiet);
    }
}

}  // namespace

void SceneOptions::add_to(Command command) {
    const CommandOption scene = command.option(
        "SCENE", file,
        "glTF (.gltf, .glb), CityJSON (.json), a list of boxes (.txt, .csv, .tsv, or - for the standard input), or "
        "what assimp reads; the built-in city without");
    command.option("--objects", objects, fmt::format("Size of the built-in city ({})", objects))
        .within(std::uint64_t{1}, std::uint64_t{0xFFFFFFFF})
        .type_name("N")
        .excludes(scene);
    command.option("--up", up, "Which axis points up (z; y for glTF and assimp's files)")
        .among({"x", "y", "z"})
        .type_name("x|y|z");
    command.option("--bounds", bounds, "What meshes are culled by; both: two objects a mesh (hull)")
        .among({"hull", "box", "both"})
        .type_name("hull|box|both");
}

Scene SceneOptions::scene(bool quiet, std::optional<std::size_t> moving_frames) const {
    Scene scene = file ? scene_from_file(*file, moving_frames, quiet) : city_that_fits(objects, quiet);
    if (up == "x") scene.up = {1, 0, 0};
    if (up == "y") scene.up = {0, 1, 0};
    if (up == "z") scene.up = {0, 0, 1};
    if (file && up.empty()) warn_of_up(scene, quiet);
    set_mesh_bounds(scene, bounds);
    return scene;
}

}  // namespace lanecull::program
