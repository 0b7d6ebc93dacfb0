#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "lights/lights.hpp"
#include "options/options.hpp"
#include "support/error.hpp"
#include "support/files.hpp"
#include "support/progress.hpp"
#include "support/report.hpp"
#include "support/text.hpp"

namespace lanecull::program {
namespace {

/// What the command line says.
struct LightsCommand {
    SceneOptions scene;
    PathOptions path;
    CullingOptions culling;
    LightsOptions lights;
    std::optional<std::uint64_t> count;
    std::vector<std::uint32_t> grid;
    std::optional<std::string> json_file, picture_file;
    std::optional<std::uint64_t> picture_frame;
};

void check_grid(const LightsCommand& command, LightsOptions& options) {
    if (command.grid.empty()) return;
    if (command.grid.size() != 3) refuse("--grid: three numbers are needed, not {}", command.grid.size());
    const auto check = [](std::uint32_t number, std::uint32_t most) {
        if (number < 1 || number > most) refuse("--grid: {} is not from 1 to {}", number, most);
        return number;
    };
    options.tiles_x = check(command.grid[0], LANECULL_MAX_LIGHT_TILES);
    options.tiles_y = check(command.grid[1], LANECULL_MAX_LIGHT_TILES);
    options.slices = check(command.grid[2], LANECULL_MAX_LIGHT_SLICES);
}

/// Counts and times are means of a frame. Members are described in tools/README.md.
Report lights_report(const Scene& scene, const LightsMeasurement& m, const LightsOptions& options) {
    const auto frames = static_cast<double>(m.frames);
    const auto count = [&](std::uint64_t sum) { return static_cast<double>(sum) / frames; };
    return {{"program", "lanecull " LANECULL_VERSION},
            {"scene", {{"name", scene.name}, {"objects", scene.object_count()}}},
            {"isa", isa_name(m.isa)},
            {"threads", m.threads},
            {"frames", m.frames},
            {"grid", {options.tiles_x, options.tiles_y, options.slices}},
            {"lights", m.lights},
            {"spots", m.spots},
            {"in_view", count(m.in_view)},
            {"lit", count(m.lit)},
            {"placed", count(m.placed)},
            {"cells_with_lights", count(m.filled)},
            {"entries", count(m.entries)},
            {"most_lights", m.most},
            {"cull_ms", 1e3 * m.cull_seconds / frames},
            {"assign_ms", 1e3 * m.assign_seconds / frames}};
}

std::string lights_table(const Report& report) {
    const auto number = [&](const char* key) { return report.at(key).get<double>(); };
    const double lights = number("lights"), filled = number("cells_with_lights");
    double cells = 1;
    for (const Report& side : report.at("grid")) cells *= side.get<double>();
    const auto row = [&](const char* name, double count, double whole) {
        return std::vector<std::string>{name, grouped(count, 1), percent(count, whole, 1)};
    };
    const Cells rows{{"means of a frame", "", ""},
                     row("lights", lights, lights),
                     row("of which spotlights", number("spots"), lights),
                     row("in the view", number("in_view"), lights),
                     row("that reach what is seen", number("lit"), lights),
                     row("that are in a cell", number("placed"), lights),
                     row("cells with lights", filled, cells),
                     {"lights of such a cell", filled > 0 ? grouped(number("entries") / filled, 1) : "-", ""},
                     {"the most of all cells", grouped(report.at("most_lights").get<std::uint64_t>()), ""},
                     {"ms, which lights are visible", fmt::format("{:.3f}", number("cull_ms")), ""},
                     {"ms, lights in cells", fmt::format("{:.3f}", number("assign_ms")), ""}};
    return report_heading(report, report.at("frames")) + table(rows);
}

void run_lights(const LightsCommand& command) {
    LightsOptions options = command.lights;
    options.isa = command.culling.checked().isa;
    options.picked_frame = command.picture_frame;
    check_grid(command, options);
    command.path.check(command.scene.is_city());
    check_distinct({{"SCENE", command.scene.file}, {"--path", command.path.file}},
                   {{"--json", command.json_file}, {"--picture", command.picture_file}});
    std::optional<OutputFile> json_file = open_output(command.json_file);
    std::optional<OutputFile> picture_file = open_output(command.picture_file, ".png");
    const Scene scene = command.scene.scene(options.quiet);
    const CameraPath path = command.path.perspective_path(scene, "lights");
    if (options.picked_frame && *options.picked_frame >= path.size()) {
        refuse("--picture-frame {}: the frames are 0 to {}", *options.picked_frame, path.size() - 1);
    }
    const double range = options.range > 0 ? options.range : 0.02 * path.front().far;
    const std::vector<SceneLight> lights = scene_lights(scene, command.scene.file, command.count, range);
    const LightsMeasurement measurement = measure_lights(scene, lights, path, options);
    const Report report = lights_report(scene, measurement, options);
    if (json_file) json_file->commit(text_of(report));
    if (picture_file) picture_file->commit(draw_lights_picture(scene, measurement, options));
    if (!options.quiet) fmt::print("{}", lights_table(report));
}

}  // namespace

void add_lights_command(CommandLine& program) {
    Command command = program.add("lights", "Count which lights reach which cells of a camera's view");
    const auto options = std::make_shared<LightsCommand>();
    options->scene.add_to(command);
    options->path.add_to(command);
    command
        .option("--lights N", &options->count,
                "Lamps and spotlights over random objects (those of a glTF file; without any 1000)")
        .within(0, 1e6);
    command
        .option("--light-range X", &options->lights.range,
                "How far a light reaches that does not say (a tenth of --far; random ones a fiftieth)")
        .within(0, 1e15);
    command.option("--grid X,Y,Z", &options->grid, "Tiles across and up, and slices in depth (16,9,24)");
    options->culling.add_to(command);
    add_threads_option(command, options->lights.threads);
    command.option("--json FILE", &options->json_file, "Write the report as data too");
    const CommandOption picture =
        command.option("--picture FILE", &options->picture_file, "Draw how many lights each cell has: a PNG");
    command.option("--picture-frame K", &options->picture_frame, "Of which frame, from 0 (that with the most lights)")
        .within(0, max_frames - 1)
        .needs(picture);
    add_quiet_option(command, options->lights.quiet);
    command.footer(
        "For clustered shading: how many lights are in view, how many of these reach the box around what is seen, and\n"
        "how many a cell has. Scenes, camera paths and frames are those of 'lanecull cull'; see its --help.\n\n"
        "Examples:\n"
        "  lanecull lights --frames 60\n"
        "  lanecull lights town.glb\n"
        "  lanecull lights --lights 5000 --grid 32,18,32 --picture lights.png");
    command.action([options] { run_lights(*options); });
}

}  // namespace lanecull::program
