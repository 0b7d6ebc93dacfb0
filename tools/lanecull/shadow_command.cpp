#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "commands.hpp"
#include "culling_options.hpp"
#include "error.hpp"
#include "path_options.hpp"
#include "scene_options.hpp"
#include "shadow_measure.hpp"

namespace lanecull::program {
namespace {

/// What the command line says.
struct ShadowCommand {
    SceneOptions scene;
    PathOptions path;
    CullingOptions culling;
    ShadowOptions shadows;
};

void check_number(const char* option, double value, double low, double high) {
    if (!(value >= low && value <= high)) fail("{}: {:g} to {:g} is allowed, not {}", option, low, high, value);
}

void run_shadow(const ShadowCommand& command) {
    ShadowOptions options = command.shadows;
    options.isa = command.culling.checked().isa;
    command.path.check();
    check_number("--sun-height", options.sun_height, 0, 90);
    check_number("--sun-bearing", options.sun_bearing, -360, 360);
    check_number("--split", options.logarithmic, 0, 1);
    check_number("--lamp-range", options.lamp_range, 0, 1e15);
    const Scene scene = command.scene.scene(options.quiet);
    const CameraPath path = command.path.path(scene);
    fmt::print("{}", shadow_table(scene, measure_shadows(scene, path, options)));
}

}  // namespace

void add_shadow_command(CLI::App& program) {
    CLI::App* command =
        program.add_subcommand("shadow", "Find what casts shadows into a camera's view, light by light");
    const auto options = std::make_shared<ShadowCommand>();
    ShadowOptions& shadows = options->shadows;
    options->scene.add_to(*command);
    options->path.add_to(*command);
    const auto number = [&](const char* name, double& value, const char* text) {
        command->add_option(name, value, text)->type_name("X");
    };
    number("--sun-height", shadows.sun_height, "Degrees above the horizon (10)");
    number("--sun-bearing", shadows.sun_bearing, "Degrees about the up axis (30)");
    command->add_option("--cascades", shadows.cascades, "Of the sun's shadow map (4)")
        ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{16}).description(""))
        ->type_name("N");
    number("--split", shadows.logarithmic, "Their depths: 0 uniform to 1 logarithmic (0.8)");
    command->add_option("--lamps", shadows.lamps, "How many, along the camera path (20)")
        ->check(CLI::Range(std::uint64_t{0}, std::uint64_t{10000}).description(""))
        ->type_name("N");
    number("--lamp-range", shadows.lamp_range, "How far a lamp reaches (a tenth of --far)");
    options->culling.add_isa_to(*command);
    command->add_option("--threads", shadows.threads, "0: all cores, 1: the serial runner, else oneTBB's threads (0)")
        ->check(CLI::Range(0, 1024).description(""))
        ->type_name("N");
    command->add_flag("--quiet", shadows.quiet, "No progress");
    command->footer(
        "A row a light and cascade: the objects in the light's frustum, which engines render, and those of them whose\n"
        "shadow falls into the view; of these, those that no finer cascade covers wholly; and what either test takes.\n"
        "Scenes, camera paths and frames are those of 'lanecull cull'; see its --help.\n\n"
        "Examples:\n"
        "  lanecull shadow --frames 60\n"
        "  lanecull shadow track.ac --sun-height 40 --cascades 3 --lamps 0");
    command->callback([options] { run_shadow(*options); });
}

}  // namespace lanecull::program
