#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <glm/geometric.hpp>
#include <lanecull/tbb.hpp>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "baked_sets.hpp"
#include "commands.hpp"
#include "headless.hpp"
#include "light_cells.hpp"
#include "lights/lights.hpp"
#include "options/command_line.hpp"
#include "options/options.hpp"
#include "parity.hpp"
#include "street_lights.hpp"
#include "support/error.hpp"
#include "window.hpp"

namespace lanecull::program {
namespace {

constexpr std::size_t default_random_cameras = 300;
constexpr std::size_t most_lights = 4096;  // each may be in every cell

/// What the command line says.
struct ViewCommand {
    SceneOptions scene;
    PathOptions path;
    CullingOptions isa;
    OccluderCommandOptions occluders{.by_default = 16};
    DirectionalLightOptions directional_light;
    RendererOptions sizes;
    std::string size;
    std::string culling, casters = "volume";  ///< culling: empty where it is not given
    bool headless = false, parity = false, compare = false, outside = false, validate = false, quiet = false;
    bool numbers = false, from_cells = false, night = false;
    std::optional<std::uint64_t> lights;
    std::string lighting = "cells";
    std::optional<std::string> folder, visibility;
    std::optional<std::uint32_t> dropped, dropped_light;
    std::vector<std::string> required;  ///< device extensions

    [[nodiscard]] bool culls_by(Culling way) const { return culling == name_of(way); }
    [[nodiscard]] bool takes_all_ways() const { return compare || (parity && culling.empty()); }
};

/// Those that --culling has.
constexpr Culling ways[] = {Culling::off,     Culling::planes,    Culling::exact,
                            Culling::ordered, Culling::occluders, Culling::visibility};

void read_size(const std::string& text, RendererOptions& sizes) {
    if (text.empty()) return;
    unsigned width = 0, height = 0;
    int used = 0;
    const bool read = std::sscanf(text.c_str(), "%5ux%5u%n", &width, &height, &used) == 2;
    if (!read || static_cast<std::size_t>(used) != text.size() || width < 16 || height < 16 || width > 16384 ||
        height > 16384) {
        refuse("--size: WIDTHxHEIGHT, each 16 to 16384, not {}", text);
    }
    sizes.width = width;
    sizes.height = height;
}

/// Occluders are requested where they can be, and there where they are needed.
void check_occluders(const ViewCommand& command) {
    const bool wanted = command.culls_by(Culling::occluders);
    if (wanted && command.occluders.most() == 0) refuse("--culling occluders has none with --occluders 0");
    if (wanted || !command.headless || command.takes_all_ways()) return;
    const char* option = command.occluders.given           ? "--occluders"
                         : command.occluders.solid.empty() ? nullptr
                                                           : "--solid";
    if (option != nullptr) {
        refuse("{}: culling {} has no occluders; --culling occluders, --parity and --compare have", option,
               command.culling.empty() ? "exact" : command.culling);
    }
}

/// Baked sets are named where they are needed, and are of use where they are named.
void check_visibility(const ViewCommand& command) {
    const bool wanted = command.culls_by(Culling::visibility);
    if (wanted && !command.visibility) refuse("--culling visibility needs --visibility FILE");
    if (command.from_cells && command.path.file) refuse("--from-cells takes the place of --path");
    if (!command.visibility || wanted || !command.headless || command.takes_all_ways() || command.from_cells) return;
    refuse("--visibility: culling {} has no sets; --culling visibility, --parity and --compare have",
           command.culling.empty() ? "exact" : command.culling);
}

/// Makes solid what is named. How many occluders a frame may have: none where nothing is solid.
std::size_t occluders_of(const ViewCommand& command, Scene& scene) {
    const std::size_t most = command.occluders.settings(scene, command.quiet).value_or(OccluderSettings{}).most;
    if (scene.has_solids()) return most;
    if (command.culls_by(Culling::occluders)) {
        fail("--culling occluders: nothing in {} is solid; --solid names what is", scene.name);
    }
    return 0;
}

/// Finds what is wrong with the options by themselves, before any work is done.
void check(ViewCommand& command) {
    command.path.check(command.scene.is_city());
    check_occluders(command);
    check_visibility(command);
    read_size(command.size, command.sizes);
    if (!command.path.lens.aspect) {
        command.path.lens.aspect = static_cast<double>(command.sizes.width) / command.sizes.height;
    }
    if (command.folder) {
        std::error_code error;
        std::filesystem::create_directories(*command.folder, error);
        if (!std::filesystem::is_directory(*command.folder)) fail("--out: cannot make the folder {}", *command.folder);
    }
    command.sizes.read_picture = command.parity || command.folder || !command.headless;
    command.sizes.read_maps = command.parity && !command.numbers;
}

void run_headless(const ViewCommand& command, const Scene& scene, const SceneMeshes& meshes, const CameraPath& path,
                  FrameMaker& frames, Renderer& renderer, const HeadlessOptions& options) {
    std::string text;
    if (command.parity) {
        ParityOptions parity{command.folder,  {},           command.dropped, command.dropped_light,
                             command.numbers, command.quiet};
        if (!command.culling.empty()) parity.only = options.culling;
        text = check_parity(scene, meshes, path, command.sizes, frames, renderer, parity);
    } else if (command.compare) {
        text = compare_culling(path, frames, renderer, options);
    } else {
        text = draw_path(scene, meshes, path, command.sizes, frames, renderer, options);
    }
    fmt::print("{}", text);
}

/// The frames' cameras. Without a window each must be one that the baked sets hold for.
CameraPath path_of(const ViewCommand& command, const Scene& scene, const std::optional<BakedSets>& baked) {
    if (!command.from_cells) {
        CameraPath path = command.path.perspective_path(scene, "view");
        for (Camera& camera : path) camera.given.reset();  // matrices with reversed depth are made for what is drawn
        return path;
    }
    return baked->random_cameras(scene, command.path.frames.value_or(default_random_cameras), command.path.lens);
}

std::vector<SceneLight> lights_of(const ViewCommand& command, const Scene& scene, double far) {
    if (command.scene.is_city()) return street_lights(scene, command.lights.value_or(usual_light_count));
    std::vector<SceneLight> lights = scene_lights(scene, command.scene.file, command.lights, 0.02 * far);
    if (lights.size() > most_lights)
        fail("--night: {} has {} lights, more than {}", scene.name, lights.size(), most_lights);
    return lights;
}

void check_sets_hold(const ViewCommand& command, const CameraPath& path, const FrameMaker& frames) {
    if (!command.headless) return;
    for (const Camera& camera : path) {
        if (const std::string misfit = frames.misfit(camera); !misfit.empty()) fail("{}", misfit);
    }
}

void run_view(ViewCommand command) {
    check(command);
    const CullOptions culling = command.isa.checked();
    HeadlessOptions options{.folder = command.folder, .outside = command.outside, .quiet = command.quiet};
    const auto given = std::ranges::find_if(ways, [&](Culling way) { return command.culls_by(way); });
    if (given != std::end(ways)) options.culling = *given;
    options.casters = command.casters == "frustum" ? Casters::frustum : Casters::volume;
    for (const Lighting lighting : {Lighting::all, Lighting::counts}) {
        if (command.lighting == name_of(lighting)) options.lighting = lighting;
    }

    // What the machine lacks is said before a scene is read.
    std::unique_ptr<Window> window;
    if (!command.headless) window = std::make_unique<Window>(command.sizes.width, command.sizes.height);
    GpuOptions gpu_options;
    gpu_options.validate = command.validate;
    if (window) window->add_extensions(gpu_options);
    gpu_options.device_extensions.insert(gpu_options.device_extensions.end(), command.required.begin(),
                                         command.required.end());
    const std::shared_ptr<Gpu> gpu = open_gpu(gpu_options);

    Scene whole = command.scene.scene(command.quiet);
    FrameOptions frame_options{.directional_light = command.directional_light,
                               .isa = culling.isa,
                               .sub_pixel_bits = std::min(sub_pixel_bits(*gpu), 16U)};
    frame_options.occluders = occluders_of(command, whole);
    TbbRunner threads;
    std::optional<BakedSets> baked;
    if (command.visibility) frame_options.baked = &baked.emplace(*command.visibility, whole, threads);
    const Scene scene = scene_to_draw(std::move(whole));
    const CameraPath path = path_of(command, scene, baked);
    const SceneMeshes meshes = mesh_scene(scene);
    std::optional<LightStreams> lights;
    if (command.night)
        frame_options.lights = &lights.emplace(lights_of(command, scene, path.front().far), 0.1 * path.front().far);
    FrameMaker frames(scene, meshes, command.sizes, frame_options, threads);
    check_sets_hold(command, path, frames);
    // A point light where the camera is halfway, before it.
    const Camera& middle = path[path.size() / 2];
    frames.put_point_light(middle.eye + 0.02 * middle.far * glm::normalize(middle.forward), 0.1 * middle.far);
    {
        Renderer renderer(gpu, meshes, lights ? shader_lights(*lights) : std::vector<ShaderLight>(), command.sizes);
        if (window) {
            window->run({gpu, scene, meshes, path, frames, renderer, options});
        } else {
            run_headless(command, scene, meshes, path, frames, renderer, options);
        }
    }
    window.reset();
    if (const std::uint64_t count = validation_messages(*gpu); count != 0) {
        fail("the validation layers had {} message{}", count, count == 1 ? "" : "s");
    }
}

}  // namespace

void add_view_command(CommandLine& program) {
    Command command = program.add("view", "Draw a scene with Vulkan, culled: in a window or to files");
    const auto options = std::make_shared<ViewCommand>();
    options->scene.objects = 100'000;
    options->scene.add_to(command);
    options->path.add_to(command);
    const CommandOption headless = command.flag("--headless", options->headless, "No window and no display");
    command.option("--out DIR", &options->folder, "Folder for pictures and timeline.json");
    const CommandOption parity =
        command
            .flag("--parity", options->parity,
                  "Draw each frame without culling and with each way of it; any difference is a failure")
            .needs(headless);
    const CommandOption compare =
        command.flag("--compare", options->compare, "Draw each frame by each way of culling: a table of times")
            .needs(headless)
            .excludes(parity);
    command
        .flag(
            "--numbers", options->numbers,
            "With --parity: pictures of objects' numbers, without shadow maps; what is seen is in the eye's cell's set")
        .needs(parity);
    const CommandOption visibility =
        command.option("--visibility FILE", &options->visibility,
                       "What may be seen from each cell, as 'lanecull bake' wrote it, for --culling visibility");
    command
        .flag("--from-cells", options->from_cells,
              "Look from random places in these cells in random directions, --frames times (300), not along a path")
        .needs(visibility);
    command.flag("--outside", options->outside, "Look from outside, objects in the colours of their verdicts")
        .needs(headless)
        .excludes(parity)
        .excludes(compare);
    command.option("--culling", &options->culling, "To begin with (exact); with --parity the one way that is compared")
        .among({"off", "planes", "exact", "ordered", "occluders", "visibility"});
    options->occluders.add_choice_to(
        command, "Solid boxes that may hide objects from the camera, so many a frame, up to 64 (16)");
    command.option("--casters", &options->casters, "What rejects those whose shadows cannot be seen (volume)")
        .among({"frustum", "volume"});
    command.option("--size WxH", &options->size, "Of the picture in pixels (1280x720)");
    add_sun_options(command, options->directional_light.height, options->directional_light.bearing);
    const CommandOption night = command.flag(
        "--night", options->night, "Lamps and spotlights: along the city's streets, a glTF file's, or random ones");
    command.option("--lights N", &options->lights, "So many of them, every other a spotlight (1000, or a glTF file's)")
        .within(1, most_lights)
        .needs(night);
    command
        .option(
            "--lighting", &options->lighting,
            "Pixels by the lights of their cell, by all lights, or cells in the colours of how many they have (cells)")
        .among({"cells", "all", "counts"})
        .needs(night)
        .excludes(parity);
    const auto texels = [&](const char* name, std::uint32_t& value, const char* text) {
        command.option(name, &value, text).within(16, 8192);
    };
    texels("--sun-texels N", options->sizes.directional_texels, "Of a side of each of the sun's four maps (2048)");
    texels("--lamp-texels N", options->sizes.point_light_texels, "Of a side of each of the lamp's six maps (512)");
    options->isa.add_to(command);
    command.flag("--validate", options->validate, "With Vulkan's validation layers; a message is a failure");
    command.option("--drop", &options->dropped, "").needs(parity).hidden();  // to see --parity fail
    command.option("--drop-light", &options->dropped_light, "").needs(parity).needs(night).hidden();
    command.option("--require", &options->required, "").hidden();  // to see a device refused
    add_quiet_option(command, options->quiet);
    command.footer(
        "Scenes, camera paths and frames are those of 'lanecull cull'; see its --help. Keys are shown in the "
        "window.\n\n"
        "Examples:\n"
        "  lanecull view\n"
        "  lanecull view --headless --frames 60 --out pictures\n"
        "  lanecull view track.ac --headless --frames 20 --parity --validate\n"
        "  lanecull view --headless --frames 30 --compare\n"
        "  lanecull view --path street --far 1500 --culling occluders\n"
        "  lanecull view --night --path street\n"
        "  lanecull view --headless --visibility city.visibility --from-cells --frames 2000 --parity --numbers");
    command.action([options] { run_view(*options); });
}

}  // namespace lanecull::program
