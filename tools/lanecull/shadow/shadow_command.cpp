#include <fmt/core.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "commands.hpp"
#include "options/command_line.hpp"
#include "options/culling_options.hpp"
#include "options/cutaway_option.hpp"
#include "options/occluder_options.hpp"
#include "options/path_options.hpp"
#include "options/scene_options.hpp"
#include "shadow/shadow_measure.hpp"
#include "shadow/shadow_picture.hpp"
#include "support/error.hpp"
#include "support/output_file.hpp"
#include "support/progress.hpp"

namespace lanecull::program {
namespace {

/// What the command line says.
struct ShadowCommand {
    SceneOptions scene;
    PathOptions path;
    CullingOptions culling;
    OccluderCommandOptions occluders;
    ShadowOptions shadows;
    std::optional<std::string> json_file, picture_file;
    std::optional<std::size_t> picture_frame, picture_light;
    CutawayOption cutaway;
};

/// Finds the light to draw, the last cascade unless another is asked for, and checks the frame.
void pick(const ShadowCommand& command, const CameraPath& path, ShadowOptions& options) {
    const std::size_t lights = options.cascades + options.lamps;
    options.picked_frame = command.picture_frame;
    options.picked_light = command.picture_light.value_or(options.cascades - 1);
    if (options.picked_frame && *options.picked_frame >= path.size()) {
        refuse("--picture-frame {}: the frames are 0 to {}", *options.picked_frame, path.size() - 1);
    }
    if (options.picked_light >= lights) {
        refuse("--picture-light {}: the lights are 0 to {}, the lamps from {} on", options.picked_light, lights - 1,
               options.cascades);
    }
}

std::string picture(const Scene& scene, const CameraPath& path, const ShadowOptions& options,
                    const ShadowMeasurement& measurement, CutawayChoice cutaway) {
    const std::string& light = measurement.lights[options.picked_light].name;
    if (!measurement.picked && options.picked_frame) {
        refuse("--picture-light {}, --picture-frame {}: {} reaches nothing of what is seen there", options.picked_light,
               *options.picked_frame, light);
    }
    if (!measurement.picked)
        refuse("--picture-light {}: {} reaches nothing of what is seen", options.picked_light, light);
    const std::size_t frame = measurement.picked->frame;
    announce(fmt::format("drawing the picture of frame {}", frame), options.quiet);
    return draw_shadow_picture(scene, *measurement.picked, fmt::format("{}, frame {} of {}", light, frame, path.size()),
                               cutaway);
}

void run_shadow(const ShadowCommand& command) {
    ShadowOptions options = command.shadows;
    options.isa = command.culling.checked().isa;
    command.path.check(command.scene.is_city());
    check_number("--sun-height", options.sun_height, 0, 90);
    check_number("--sun-bearing", options.sun_bearing, -360, 360);
    check_number("--split", options.logarithmic, 0, 1);
    check_number("--lamp-range", options.lamp_range, 0, 1e15);
    check_distinct({{"SCENE", command.scene.file}, {"--path", command.path.file}},
                   {{"--json", command.json_file}, {"--picture", command.picture_file}});
    const std::optional<OutputFile> json_file = open_output(command.json_file);
    const std::optional<OutputFile> picture_file = open_output(command.picture_file, ".png");
    Scene scene = command.scene.scene(options.quiet);
    options.occluders = command.occluders.settings(scene, options.quiet);
    const CameraPath path = command.path.perspective_path(scene, "shadow");
    pick(command, path, options);
    const ShadowMeasurement measurement = measure_shadows(scene, path, options);
    const std::string drawn = picture_file ? picture(scene, path, options, measurement, command.cutaway.choice()) : "";
    if (json_file) json_file->commit(shadow_json(scene, measurement));
    if (picture_file) picture_file->commit(drawn);
    fmt::print("{}", shadow_table(scene, measurement));
}

}  // namespace

void add_shadow_command(CommandLine& program) {
    Command command = program.add("shadow", "Find what casts shadows into a camera's view, light by light");
    const auto options = std::make_shared<ShadowCommand>();
    ShadowOptions& shadows = options->shadows;
    options->scene.add_to(command);
    options->path.add_to(command);
    const auto number = [&](const char* name, double& value, const char* text) {
        command.option(name, value, text).type_name("X");
    };
    number("--sun-height", shadows.sun_height, "Degrees above the horizon (10)");
    number("--sun-bearing", shadows.sun_bearing, "Degrees about the up axis (30)");
    command.option("--cascades", shadows.cascades, "Of the sun's shadow map (4)")
        .within(std::uint64_t{1}, std::uint64_t{16})
        .type_name("N");
    number("--split", shadows.logarithmic, "Their depths: 0 uniform to 1 logarithmic (0.8)");
    command.option("--lamps", shadows.lamps, "How many, along the camera path (20)")
        .within(std::uint64_t{0}, std::uint64_t{10000})
        .type_name("N");
    number("--lamp-range", shadows.lamp_range, "How far a lamp reaches (a tenth of --far)");
    options->occluders.add_choice_to(
        command, "Solid boxes a light: casters wholly in the shadow of one are dropped, up to 64 (0: none)");
    options->culling.add_isa_to(command);
    command.option("--threads", shadows.threads, "0: all cores, 1: the calling thread, else oneTBB's threads (0)")
        .within(0, 1024)
        .type_name("N");
    command.option("--json", options->json_file, "Write the table as data too").type_name("FILE");
    const CommandOption picture =
        command.option("--picture", options->picture_file, "Draw a map of who casts what into the view: a PNG")
            .type_name("FILE");
    command
        .option("--picture-frame", options->picture_frame, "Of which frame, from 0 (where most that is not seen casts)")
        .within(std::uint64_t{0}, max_frames - 1)
        .type_name("K")
        .needs(picture);
    command
        .option("--picture-light", options->picture_light, "Of which row: cascades from 0, then lamps (last cascade)")
        .within(std::uint64_t{0}, std::uint64_t{10015})
        .type_name("N")
        .needs(picture);
    options->cutaway.add_to(command).needs(picture);
    command.flag("--quiet", shadows.quiet, "No progress");
    command.footer(
        "A row a light and cascade: the objects in the light's frustum, which engines render, and those of them whose\n"
        "shadow falls into the view; of these, those that no finer cascade covers wholly; and what either test takes.\n"
        "Scenes, camera paths and frames are those of 'lanecull cull'; see its --help.\n\n"
        "Examples:\n"
        "  lanecull shadow --frames 60\n"
        "  lanecull shadow track.ac --sun-height 40 --cascades 3 --lamps 0\n"
        "  lanecull shadow --frames 5 --picture shadow.png --picture-light 2");
    command.action([options] { run_shadow(*options); });
}

}  // namespace lanecull::program
