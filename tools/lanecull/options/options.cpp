#include "options/options.hpp"

#include <cmath>
#include <cstdlib>
#include <system_error>

#include "scene/city.hpp"
#include "scene/formats.hpp"
#include "scene/mesh_bounds.hpp"
#include "scene/mesh_solids.hpp"
#include "scene/reading.hpp"
#include "support/error.hpp"
#include "support/files.hpp"
#include "support/memory.hpp"
#include "support/progress.hpp"

namespace lanecull::program {
namespace {

constexpr std::size_t default_frames = 300, street_frames = 60;
constexpr double infinity = std::numeric_limits<double>::infinity();

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

Scene scene_from_file(const std::string& file, const std::string& what, std::optional<double> deviations, bool quiet) {
    if (!what.empty() && !is_gltf(file)) refuse("--read {} is of glTF; {} is none", what, input_name(file));
    announce(fmt::format("reading {}", input_name(file)), quiet);
    if (is_flat_box_list(file)) fail("{}: its boxes are flat, of which only 'lanecull cull' knows something", file);
    ReadingOptions options;
    if (what == "colliders") options.of = ReadingOptions::Of::colliders;
    if (what == "lights") options.of = ReadingOptions::Of::lights;
    options.deviations = deviations.value_or(options.deviations);
    Scene scene = read_scene_apart(file, options);
    if (deviations && scene.groups[0].name != "splats") refuse("--deviations: {} has no splats", scene.name);
    return scene;
}

void set_mesh_bounds(Scene& scene, const std::string& bounds) {
    if (scene.meshes == 0) {
        if (!bounds.empty()) refuse("--bounds {}: {} has no meshes of a file", bounds, scene.name);
        return;
    }
    if (bounds == "box") set_boxes(scene);
    scene.description += bounds == "box" ? ", by boxes around them" : ", by their hulls";
}

/// Scenes of many objects are wider than high. Names the axis that is likely up where the scene says another.
void warn_of_up(const Scene& scene, bool quiet) {
    if (scene.object_count() < 8) return;
    const glm::dvec3 size = main_bounds(scene).size();
    const char up = scene.up.x != 0 ? 'x' : scene.up.y != 0 ? 'y' : 'z';
    for (int axis = 0; axis < 3; ++axis) {
        const double others = std::min(size[(axis + 1) % 3], size[(axis + 2) % 3]);
        if (scene.up[axis] != 0 || 4 * size[axis] > others) continue;
        warn(fmt::format("{} is flat along {}, and {} is taken for up: is --up {} missing?", scene.name, "xyz"[axis],
                         up, "xyz"[axis]),
             quiet);
    }
}

}  // namespace

void SceneOptions::add_to(Command command) {
    const CommandOption scene = command.option(
        "SCENE", &file,
        "glTF (.gltf, .glb), CityJSON (.json), PLY, a list of boxes (.txt, .csv, .tsv, or - for the standard input), "
        "or what assimp reads; the built-in city without");
    command.option("--objects N", &objects, fmt::format("Size of the built-in city ({})", objects))
        .within(1, 0xFFFFFFFF)
        .excludes(scene);
    command.option("--up", &up, "Which axis points up (z; y for glTF and assimp's files)").among({"x", "y", "z"});
    command.option("--bounds", &bounds, "What meshes are culled by (hull)").among({"hull", "box"});
    command.option("--read", &read, "What of a glTF file are the objects (meshes)")
        .among({"meshes", "colliders", "lights"})
        .needs(scene);
    command.option("--deviations X", &deviations, "Half-axes of PLY's Gaussian splats, in standard deviations (3)")
        .within(1e-6, 1e6)
        .needs(scene);
}

Scene SceneOptions::scene(bool quiet) const {
    Scene scene = file ? scene_from_file(*file, read, deviations, quiet) : city_that_fits(objects, quiet);
    if (up == "x") scene.up = {1, 0, 0};
    if (up == "y") scene.up = {0, 1, 0};
    if (up == "z") scene.up = {0, 0, 1};
    if (file && up.empty()) warn_of_up(scene, quiet);
    set_mesh_bounds(scene, bounds);
    return scene;
}

void add_lens_options(Command command, LensOptions& lens) {
    command.option("--fov X", &lens.fov_degrees, "Vertical field of view in degrees (50)").within(0.01, 179);
    command.option("--aspect X", &lens.aspect, "Width over height (1.78)").within(0.01, 100);
    command.option("--near X", &lens.near, "Distance of the near plane (far / 10000)").within(1e-12, 1e15);
    command
        .option("--far X", &lens.far,
                "Distance of the far plane, or infinity (a fifth of the scene's diagonal, or what it takes to see "
                "something)")
        .within(1e-12, infinity);
}

void check_lens_options(const LensOptions& lens) {
    if (lens.far && *lens.far != infinity) check_number("--far", *lens.far, 1e-12, 1e15);
    if (lens.near && lens.far && *lens.near >= *lens.far) {
        refuse("--near {} is to be less than --far {}", *lens.near, *lens.far);
    }
}

void PathOptions::add_to(Command command) {
    command.option(
        "--path FILE|street", &file,
        "Camera path: a JSON file (see below), the cameras of a glTF file, or street: a walk through the city");
    command
        .option("--frames N", &frames,
                "How many (300, 60 of street, or as many as the file of --path has cameras, if none is animated)")
        .within(1, max_frames);
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
    if (file && is_gltf(*file)) return read_path_apart(*file, frames, default_frames, lens);
    if (file) return path_from_file(*file, scene.up, frames, lens);
    if (scene.walk.empty()) {
        return circling_path(main_bounds(scene), scene.up, frames.value_or(default_frames), lens);
    }
    return fitted_path(scene.bounds(), scene.up, frames.value_or(default_frames), lens);
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

std::string why_not(const Status& unsupported) {
    const std::string message = unsupported.message().text;
    return message.substr(message.find(": ") + 2);
}

void require_environment(Isa& isa) {
    const Status status = isa_from_environment(isa);
    if (!status) fail("LANECULL_ISA={}: {}", std::getenv("LANECULL_ISA"), why_not(status));
}

void CullingOptions::add_to(Command command) {
    command.option("--isa NAME", &isa, "Instruction set, see 'lanecull isa' (automatic)");
}

void CullingOptions::add_method_to(Command command) {
    command.option("--method", &method, "Planes first and GJK for the rest, or planes alone (automatic)")
        .among({"automatic", "planes"});
}

CullOptions CullingOptions::checked() const {
    CullOptions options;
    if (method == "planes") options.method = Method::planes;
    Isa requested{};
    const Status known = isa_from_name(isa.c_str(), requested);
    if (!known) refuse("--isa {}: {}", isa, why_not(known));
    if (requested == Isa::automatic) require_environment(requested);  // which the library would ignore
    if (const Status runs = resolve_isa(requested, options.isa); !runs) fail("--isa {}: {}", isa, why_not(runs));
    return options;
}

CommandOption add_solid_option(Command command, std::vector<std::string>& names) {
    return command.option("--solid NAME|all-closed", &names,
                          "What is solid besides the city's buildings: a group, object or mesh of that name (boxes, "
                          "capsules, cylinders, closed meshes), or all closed meshes");
}

CommandOption add_margin_option(Command command, double& pixels) {
    return command
        .option("--margin-pixels X", &pixels,
                "Solids shrink by so many pixels of a picture of 1080 rows, against rounding rasterisers (0)")
        .within(0, 1000);
}

CommandOption OccluderCommandOptions::add_choice_to(Command command, const char* help) {
    const CommandOption occluders = command.option("--occluders N", &given, help).within(0, 64);
    CommandOption names = add_solid_option(command, solid);
    if (by_default == 0) names.needs(occluders);
    return occluders;
}

void OccluderCommandOptions::add_to(Command command) {
    const CommandOption occluders =
        add_choice_to(command, "Solid boxes that may hide objects, so many a frame, up to 64 (0: none)");
    add_margin_option(command, margin_pixels).needs(occluders);
}

std::optional<OccluderSettings> OccluderCommandOptions::settings(Scene& scene, bool quiet) const {
    if (!solid.empty() && scene.meshes != 0) announce("looking for boxes within closed meshes", quiet);
    make_solid(scene, solid);
    if (most() == 0) return std::nullopt;
    return OccluderSettings{.most = most(), .margin_pixels = margin_pixels};
}

void add_sun_options(Command command, double& height, double& bearing) {
    command.option("--sun-height X", &height, fmt::format("Degrees above the horizon ({:g})", height)).within(0, 90);
    command.option("--sun-bearing X", &bearing, fmt::format("Degrees about the up axis ({:g})", bearing))
        .within(-360, 360);
}

glm::dvec3 horizontal_toward(double bearing, const glm::dvec3& up) {
    const glm::dvec3 across(up.y, up.z, up.x), along(up.z, up.x, up.y);
    return std::cos(glm::radians(bearing)) * across + std::sin(glm::radians(bearing)) * along;
}

DirectionalLight sun_at(double height, double bearing, const glm::dvec3& up) {
    const glm::dvec3 toward =
        std::cos(glm::radians(height)) * horizontal_toward(bearing, up) + std::sin(glm::radians(height)) * up;
    return {{toward.x, toward.y, toward.z}};
}

void add_threads_option(Command command, int& threads) {
    command
        .option("--threads N", &threads,
                "0: all cores, shared among a machine's processes; 1: the calling thread; else oneTBB's threads (0)")
        .within(0, 1024);
}

void add_quiet_option(Command command, bool& quiet) { command.flag("--quiet", quiet, "Print nothing but errors"); }

CommandOption add_cutaway_option(Command command, std::string& word) {
    return command
        .option("--cutaway", &word,
                "Cut the scene open at the camera's height: auto does so where it hides what the picture shows (auto)")
        .among({"auto", "on", "off"});
}

CutawayChoice cutaway_of(const std::string& word) {
    if (word == "on") return CutawayChoice::on;
    return word == "off" ? CutawayChoice::off : CutawayChoice::automatic;
}

}  // namespace lanecull::program
