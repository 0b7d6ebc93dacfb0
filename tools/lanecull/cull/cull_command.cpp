#include <fmt/core.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "commands.hpp"
#include "cull/flat_cull.hpp"
#include "cull/flat_picture.hpp"
#include "cull/html_report.hpp"
#include "cull/kept_by_planes.hpp"
#include "cull/measure.hpp"
#include "cull/object_list.hpp"
#include "cull/report.hpp"
#include "cull/trace.hpp"
#include "options/command_line.hpp"
#include "options/culling_options.hpp"
#include "options/cutaway_option.hpp"
#include "options/occluder_options.hpp"
#include "options/path_options.hpp"
#include "options/scene_options.hpp"
#include "picture/picture.hpp"
#include "support/error.hpp"
#include "support/output_file.hpp"
#include "support/progress.hpp"

namespace lanecull::program {
namespace {

/// What the command line says.
struct CullCommandOptions {
    SceneOptions scene;
    PathOptions path;
    CullingOptions culling;
    OccluderCommandOptions occluders;
    int threads = 0;
    bool ordered = false;
    std::optional<std::string> json_file;
    std::optional<std::string> picture_file;
    std::optional<std::string> ids_file;
    std::optional<std::string> html_file;
    std::optional<std::string> trace_file;
    std::optional<std::size_t> picture_frame;
    int picture_width = PictureInput::usual_width;
    CutawayOption cutaway;
    std::vector<double> window;
    bool quiet = false;
};

std::string picture(const Scene& scene, const CameraPath& path, const Measurement& measurement,
                    const CullCommandOptions& options) {
    const std::size_t frame = measurement.picked_frame;
    announce(fmt::format("drawing the picture of frame {}", frame), options.quiet);
    PictureInput input{scene,
                       path[frame],
                       measurement.picked_visible,
                       measurement.picked_planes,
                       {},
                       {},
                       fmt::format("frame {} of {}", frame, path.size()),
                       {},
                       options.cutaway.choice(),
                       {options.picture_width, options.picture_width * 9 / 16}};
    if (measurement.occluders) {
        input.visible_without = measurement.occluders->picked_without;
        input.occluders = measurement.occluders->picked_boxes;
    }
    if (measurement.ordered) input.blocks = measurement.ordered->picked_blocks;
    return draw_picture(input);
}

using GivenOptions = std::vector<std::pair<const char*, bool>>;

/// The options that are about the verdicts of one frame, and which of them are given.
GivenOptions shown_frame(const CullCommandOptions& options) {
    return {{"--picture", options.picture_file.has_value()},
            {"--ids", options.ids_file.has_value()},
            {"--html", options.html_file.has_value()},
            {"--picture-frame", options.picture_frame.has_value()}};
}

/// The options that say how the picture is drawn, and which of them are given.
GivenOptions drawing(const CullCommandOptions& options) {
    return {{"--picture-width", options.picture_width != PictureInput::usual_width},
            {"--cutaway", options.cutaway.word != "auto"}};
}

/// Finds what is wrong with the options by themselves, before any work is done.
MeasureOptions checked(const CullCommandOptions& options) {
    MeasureOptions result;
    const CullOptions culling = options.culling.checked();
    result.method = culling.method;
    result.isa = culling.isa;
    result.threads = options.threads;
    result.ordered = options.ordered;
    result.picked_frame = options.picture_frame;
    result.quiet = options.quiet;
    for (const auto& [option, is_given] : shown_frame(options)) {
        if (is_given && result.method == Method::planes) {
            refuse("{} shows an exact method next to the six-plane test: --method planes is only the latter", option);
        }
    }
    for (const auto& [option, is_given] : drawing(options)) {
        if (is_given && !options.picture_file && !options.html_file) refuse("{} is of --picture and --html", option);
    }
    return result;
}

/// Names the first option given that says nothing about boxes of the plane.
void refuse_in_the_plane(const CullCommandOptions& options) {
    const LensOptions& lens = options.path.lens;
    const std::pair<const char*, bool> given[] = {
        {"--ordered", options.ordered},
        {"--occluders", options.occluders.most() > 0},
        {"--ids", options.ids_file.has_value()},
        {"--html", options.html_file.has_value()},
        {"--trace", options.trace_file.has_value()},
        {"--picture-frame", options.picture_frame.has_value()},
        {"--picture-width", options.picture_width != PictureInput::usual_width},
        {"--cutaway", options.cutaway.word != "auto"},
        {"--path", options.path.file.has_value()},
        {"--frames", options.path.frames.has_value()},
        {"--fov", lens.fov_degrees.has_value()},
        {"--aspect", lens.aspect.has_value()},
        {"--near", lens.near.has_value()},
        {"--far", lens.far.has_value()},
        {"--up", !options.scene.up.empty()},
        {"--bounds", !options.scene.bounds.empty()}};
    for (const auto& [option, is_given] : given) {
        if (is_given) refuse("{} is of scenes in space; the boxes of {} are flat", option, *options.scene.file);
    }
}

/// A list of boxes of the plane has no camera path and no false positives to compare.
void run_flat_cull(const CullCommandOptions& options) {
    const FlatCullOptions flat_options{options.culling.checked(), options.threads, options.window};
    refuse_in_the_plane(options);
    const std::optional<OutputFile> json_file = open_output(options.json_file);
    const std::optional<OutputFile> picture_file = open_output(options.picture_file, ".png");
    const FlatMeasurement measurement = measure_flat(*options.scene.file, flat_options);
    if (json_file) json_file->commit(flat_report_json(measurement));
    if (picture_file) picture_file->commit(draw_flat_picture(measurement));
    if (!options.quiet) fmt::print("{}", flat_report_table(measurement));
}

std::optional<OutputFile> open_ids(const std::optional<std::string>& path) {
    if (path && !ends_in(*path, ".csv") && !ends_in(*path, ".json")) {
        refuse("--ids {}: the name of such a file is to end in .csv or .json", *path);
    }
    return open_output(path);
}

void run_cull(const CullCommandOptions& options, const Command& command) {
    options.path.check(options.scene.is_city());
    options.occluders.check();
    check_distinct({{"SCENE", options.scene.file}, {"--path", options.path.file}}, {{"--json", options.json_file},
                                                                                    {"--picture", options.picture_file},
                                                                                    {"--ids", options.ids_file},
                                                                                    {"--html", options.html_file},
                                                                                    {"--trace", options.trace_file}});
    if (options.scene.file && is_flat_box_list(*options.scene.file)) return run_flat_cull(options);
    if (!options.window.empty()) refuse("--window is of lists of flat boxes");
    MeasureOptions measure_options = checked(options);
    const std::optional<OutputFile> json_file = open_output(options.json_file);
    const std::optional<OutputFile> picture_file = open_output(options.picture_file, ".png");
    const std::optional<OutputFile> ids_file = open_ids(options.ids_file);
    const std::optional<OutputFile> html_file = open_output(options.html_file, ".html");
    const std::optional<OutputFile> trace_file = open_output(options.trace_file);
    Trace trace;
    if (trace_file) measure_options.trace = &trace;

    Scene scene = options.scene.scene(options.quiet, options.path.moving_frames(options.scene.file));
    measure_options.occluders = options.occluders.settings(scene, options.quiet);
    const CameraPath path = options.path.path(scene);
    if (options.picture_frame && *options.picture_frame >= path.size()) {
        refuse("--picture-frame {}: the frames are 0 to {}", *options.picture_frame, path.size() - 1);
    }
    const Measurement measurement = measure(scene, path, measure_options);
    ReportInput input{scene, path, measurement, {}, command.line_for("explain", {"--picture"})};
    if (measurement.has_planes) {
        input.kept = kept_by_planes(scene, path[measurement.picked_frame],
                                    {.method = measure_options.method, .isa = measurement.isa});
    }
    if (json_file) json_file->commit(report_json(input));
    if (picture_file || html_file) {
        const std::string png = picture(scene, path, measurement, options);
        if (picture_file) picture_file->commit(png);
        if (html_file) html_file->commit(html_report(input, png));
    }
    if (trace_file) trace_file->commit(trace.json());
    if (ids_file) {
        const bool is_csv = ends_in(*options.ids_file, ".csv");
        ids_file->commit(is_csv ? object_list_csv(scene, measurement) : object_list_json(scene, measurement));
    }
    if (!options.quiet) fmt::print("{}", report_table(input));
}

void add_culling_options(Command command, CullCommandOptions& options) {
    options.culling.add_to(command);
    command.option("--threads", options.threads, "0: all cores, 1: the calling thread, else oneTBB's threads (0)")
        .within(0, 1024)
        .type_name("N");
    command.option("--window", options.window, "The view of a flat scene: X,Y,WIDTH,HEIGHT[,DEGREES] (its middle)")
        .delimiter(',')
        .type_name("NUMBERS");
    command.flag("--ordered", options.ordered, "Cull an ordered scene of the same objects beside the flat batches");
}

void add_output_options(Command command, CullCommandOptions& options) {
    command.option("--json", options.json_file, "Write the report as data too").type_name("FILE");
    command.option("--picture", options.picture_file, "Draw the scene, the view volume and the verdicts: a PNG")
        .type_name("FILE");
    command
        .option("--ids", options.ids_file, "List the picture's objects with their verdicts and names (.csv or .json)")
        .type_name("FILE");
    command
        .option("--html", options.html_file,
                "Write the report as one page: picture, tables, graphs of the frames, the worst objects")
        .type_name("FILE");
    command
        .option("--trace", options.trace_file,
                "Write when each call, phase and range ran, for chrome://tracing or Perfetto (JSON)")
        .type_name("FILE");
    command
        .option("--picture-frame", options.picture_frame,
                "Which frame is shown and listed, from 0 (where six planes fail most)")
        .within(std::uint64_t{0}, max_frames - 1)
        .type_name("K");
    command.option("--picture-width", options.picture_width, "Its pixels across, 16 for 9 down (1600)")
        .within(640, 7680)
        .type_name("N");
    options.cutaway.add_to(command);
    command.flag("--quiet", options.quiet, "Print nothing but errors");
}

}  // namespace

void add_cull_command(CommandLine& program) {
    Command command = program.add("cull", "Cull a scene along a camera path and report");
    const auto options = std::make_shared<CullCommandOptions>();
    options->scene.add_to(command);
    options->path.add_to(command);
    options->occluders.add_to(command);
    add_culling_options(command, *options);
    add_output_options(command, *options);
    command.footer(
        "Scenes: each mesh of each node of a file (.obj, .ac, .3ds, .dae, .gltf, .ply ...) becomes the hull of its\n"
        "points, or a box (--bounds). Each city object of CityJSON (.json), with its children, becomes the hull of its "
        "points.\n"
        "Lists of boxes hold one a line, minx miny minz maxx maxy maxz, separated by blanks, commas or semicolons; #\n"
        "begins a comment. A header may name the columns, in any order, name and group among them. Without z the\n"
        "scene is flat.\n\n"
        "Camera paths: {\"cameras\": [{\"eye\": [x, y, z], \"target\": [x, y, z]}, ...]}, and \"up\": [x, y, z], "
        "\"fov\",\n"
        "\"aspect\", \"near\", \"far\" for all cameras or within one. tools/README.md has more: orthographic cameras,\n"
        "principal points, clip matrices. --frames then takes that many along the curve through them. The options\n"
        "--fov, --aspect, --near and --far override the file.\n\n"
        "Examples:\n"
        "  lanecull cull\n"
        "  lanecull cull --objects 100000 --frames 60 --threads 1 --isa avx2\n"
        "  lanecull cull --ordered --threads 1\n"
        "  lanecull cull --objects 100000 --path street --far 1500 --occluders 16\n"
        "  lanecull cull --picture city.png --picture-frame 100\n"
        "  lanecull cull --ids objects.csv --picture-frame 100\n"
        "  lanecull cull --html report.html\n"
        "  lanecull cull --frames 3 --trace trace.json\n"
        "  lanecull cull --ordered --picture blocks.png --objects 20000\n"
        "  lanecull cull track.ac --far 400 --json report.json\n"
        "  lanecull cull tiles.csv --window 100,80,320,180,15 --picture tiles.png\n"
        "  lanecull cull boxes.csv --up y --path flight.json\n"
        "  some-exporter | lanecull cull -");
    command.action([options, command] { run_cull(*options, command); });
}

}  // namespace lanecull::program
