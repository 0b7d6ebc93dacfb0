
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "cull/flat_cull.hpp"
#include "cull/report.hpp"
#include "options/options.hpp"
#include "picture/picture.hpp"
#include "support/error.hpp"
#include "support/files.hpp"
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
    std::optional<std::string> json_file, picture_file, ids_file, html_file;
    std::optional<std::uint64_t> picture_frame;
    int picture_width = PictureInput::usual_width;
    std::string cutaway = "auto";
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
                       cutaway_of(options.cutaway),
                       {options.picture_width, options.picture_width * 9 / 16}};
    if (measurement.occluders) {
        input.visible_without = measurement.occluders->picked_without;
        input.occluders = measurement.occluders->picked_boxes;
    }
    if (measurement.ordered) input.blocks = measurement.ordered->picked_blocks;
    return draw_picture(input);
}

/// Names the first option given that says nothing about boxes of the plane.
void refuse_in_the_plane(const Command& command, const std::string& file) {
    constexpr std::array<std::string_view, 7> flat_options = {"SCENE",  "--isa",     "--threads", "--window",
                                                              "--json", "--picture", "--quiet"};
    for (const std::string& option : command.given()) {
        if (std::ranges::find(flat_options, option) != flat_options.end()) continue;
        refuse("{} is of scenes in space; the boxes of {} are flat", option, file);
    }
}

/// A list of boxes of the plane has no camera path and no false positives to compare.
void run_flat_cull(const CullCommandOptions& options, const Command& command) {
    const Isa isa = options.culling.checked().isa;
    refuse_in_the_plane(command, *options.scene.file);
    std::optional<OutputFile> json_file = open_output(options.json_file);
    std::optional<OutputFile> picture_file = open_output(options.picture_file, ".png");
    const FlatMeasurement measurement = measure_flat(*options.scene.file, {isa, options.threads, options.window});
    if (json_file) json_file->commit(text_of(flat_report(measurement), 1));
    if (picture_file) picture_file->commit(draw_flat_picture(measurement));
    if (!options.quiet) fmt::print("{}", flat_table(measurement));
}

/// Finds what is wrong with the options by themselves, before any work is done.
void check(const CullCommandOptions& options) {
    if (!options.window.empty()) refuse("--window is of lists of flat boxes");
    const bool is_drawn = options.picture_file || options.html_file;
    if (options.picture_width != PictureInput::usual_width && !is_drawn) {
        refuse("--picture-width is of --picture and --html");
    }
    if (options.cutaway != "auto" && !is_drawn) refuse("--cutaway is of --picture and --html");
    if (options.ids_file && !ends_in(*options.ids_file, ".csv") && !ends_in(*options.ids_file, ".json")) {
        refuse("--ids {}: the name of such a file is to end in .csv or .json", *options.ids_file);
    }
}

void run_cull(const CullCommandOptions& options, const Command& command) {
    options.path.check(options.scene.is_city());
    check_distinct({{"SCENE", options.scene.file}, {"--path", options.path.file}}, {{"--json", options.json_file},
                                                                                    {"--picture", options.picture_file},
                                                                                    {"--ids", options.ids_file},
                                                                                    {"--html", options.html_file}});
    if (options.scene.file && is_flat_box_list(*options.scene.file)) return run_flat_cull(options, command);
    check(options);
    const Isa isa = options.culling.checked().isa;
    std::optional<OutputFile> json_file = open_output(options.json_file);
    std::optional<OutputFile> picture_file = open_output(options.picture_file, ".png");
    std::optional<OutputFile> ids_file = open_output(options.ids_file);
    std::optional<OutputFile> html_file = open_output(options.html_file, ".html");

    Scene scene = options.scene.scene(options.quiet);
    const std::optional<OccluderSettings> occluders = options.occluders.settings(scene, options.quiet);
    const CameraPath path = options.path.path(scene);
    if (options.picture_frame && *options.picture_frame >= path.size()) {
        refuse("--picture-frame {}: the frames are 0 to {}", *options.picture_frame, path.size() - 1);
    }
    const Measurement measurement = measure(scene, path,
                                            {.isa = isa,
                                             .threads = options.threads,
                                             .picked_frame = options.picture_frame,
                                             .ordered = options.ordered,
                                             .occluders = occluders,
                                             .quiet = options.quiet});
    const ReportInput input{scene, path, measurement,
                            kept_by_planes(scene, path[measurement.picked_frame], measurement.isa),
                            command.line_for("explain")};
    const Report report = cull_report(input);
    if (json_file) json_file->commit(text_of(report));
    if (picture_file || html_file) {
        const std::string png = picture(scene, path, measurement, options);
        if (picture_file) picture_file->commit(png);
        if (html_file) html_file->commit(html_report(input, report, png));
    }
    if (ids_file) {
        const bool is_csv = ends_in(*options.ids_file, ".csv");
        ids_file->commit(is_csv ? object_list_csv(scene, measurement) : object_list_json(scene, measurement));
    }
    if (!options.quiet) fmt::print("{}", cull_table(report));
}

void add_output_options(Command command, CullCommandOptions& options) {
    command.option("--json FILE", &options.json_file, "Write the report as data too");
    command.option("--picture FILE", &options.picture_file, "Draw the scene, the view volume and the verdicts: a PNG");
    command.option("--ids FILE", &options.ids_file,
                   "List the picture's objects with their verdicts and names (.csv or .json)");
    command.option("--html FILE", &options.html_file,
                   "Write the report as one page: picture, tables, graphs of the frames, the worst objects");
    command
        .option("--picture-frame K", &options.picture_frame,
                "Which frame is shown and listed, from 0 (where six planes fail most)")
        .within(0, max_frames - 1);
    command.option("--picture-width N", &options.picture_width, "Its pixels across, 16 for 9 down (1600)")
        .within(640, 7680);
    add_cutaway_option(command, options.cutaway);
    add_quiet_option(command, options.quiet);
}

}  // namespace

void add_cull_command(CommandLine& program) {
    Command command = program.add("cull", "Cull a scene along a camera path and report");
    const auto options = std::make_shared<CullCommandOptions>();
    options->scene.add_to(command);
    options->path.add_to(command);
    options->occluders.add_to(command);
    options->culling.add_to(command);
    add_threads_option(command, options->threads);
    command.option("--window NUMBERS", &options->window,
                   "The view of a flat scene: X,Y,WIDTH,HEIGHT[,DEGREES] (its middle)");
    command.flag("--ordered", options->ordered, "Cull an ordered scene of the same objects beside the flat batches");
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
        "  lanecull cull --objects 100000 --path street --far 1500 --occluders 16\n"
        "  lanecull cull --picture city.png --picture-frame 100\n"
        "  lanecull cull track.ac --far 400 --json report.json\n"
        "  lanecull cull tiles.csv --window 100,80,320,180,15 --picture tiles.png\n"
        "  some-exporter | lanecull cull -");
    command.action([options, command] { run_cull(*options, command); });
}

}  // namespace lanecull::program
