#include "commands.hpp"
#include "options/command_line.hpp"
#include "support/error.hpp"

#ifdef LANECULL_HAS_VISIBILITY

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <glm/geometric.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bake/bake.hpp"
#include "cull/occluder_choice.hpp"
#include "options/options.hpp"
#include "picture/volume.hpp"
#include "scene/mesh_solids.hpp"
#include "scene/scene_solids.hpp"
#include "support/bytes.hpp"
#include "support/files.hpp"
#include "support/progress.hpp"
#include "support/report.hpp"
#include "support/text.hpp"

namespace lanecull::program {
namespace {

/// Solids that hide from a cell, and parts in which it is baked where its set is large for what its middle sees.
constexpr std::uint32_t most_occluders = 1024, most_parts = 64;

/// What the command line says.
struct BakeCommand {
    SceneOptions scene;
    std::vector<double> cell, box;
    std::optional<double> above, height;
    std::vector<std::string> solid;
    LensOptions lens;
    double margin_pixels = 0;
    CullingOptions culling;
    TeamOptions team{.bundle = 16};
    std::string out;
    std::optional<std::string> map_file;
    bool quiet = false;
};

void check(const BakeCommand& command) {
    check_lens_options(command.lens);
    if (command.cell.size() != 3) refuse("--cell: X,Y,Z are three lengths");
    for (const double length : command.cell) check_number("--cell", length, 1e-6, 1e15);
    if (!command.box.empty() && command.box.size() != 6) refuse("--box: X,Y,Z,X,Y,Z are two corners");
    for (const double coordinate : command.box) check_number("--box", coordinate, -1e15, 1e15);
    check_distinct({{"SCENE", command.scene.file}}, {{"--out", command.out}, {"--picture", command.map_file}});
}

/// What is to be covered with cells: the box that was given, else the scene's main bounds from --above to --height.
/// Walls end where the ground begins, so an eye at the ground itself would look under them.
Bounds bounds_of(const BakeCommand& command, const Scene& scene) {
    if (!command.box.empty()) {
        const std::vector<double>& b = command.box;
        return {{b[0], b[1], b[2]}, {b[3], b[4], b[5]}};
    }
    Bounds bounds = main_bounds(scene);
    if (bounds.empty()) fail("{} has no extent that cells could cover", scene.name);
    const int up = scene.up.x > 0.5 ? 0 : scene.up.y > 0.5 ? 1 : 2;
    const double ground = bounds.lower[up], length = command.cell[static_cast<std::size_t>(up)];
    const double above = command.above.value_or(length / 4);
    if (command.height) bounds.upper[up] = std::min(bounds.upper[up], ground + *command.height);
    bounds.lower[up] = ground + above;
    if (!(bounds.lower[up] < bounds.upper[up])) {
        refuse("--above {:g}: nothing of the scene is so much above its ground and below --height", above);
    }
    return bounds;
}

/// The cameras that sets are to hold for.
Camera camera_of(const BakeCommand& command, const Scene& scene) {
    LensOptions lens = command.lens;
    lens.near = lens.near.value_or(0.1);
    if (!lens.far) lens.far = std::max(2 * glm::length(scene.bounds().size()), 2 * *lens.near);
    return fitted_camera(scene.bounds(), scene.up, lens);
}

BakePlan plan_of(const BakeCommand& command, const Scene& scene) {
    BakePlan plan;
    const Bounds bounds = bounds_of(command, scene);
    const double low[3] = {bounds.lower.x, bounds.lower.y, bounds.lower.z};
    const double high[3] = {bounds.upper.x, bounds.upper.y, bounds.upper.z};
    const double size[3] = {command.cell[0], command.cell[1], command.cell[2]};
    require(cover_with_cells(low, high, size, plan.grid));
    const Camera camera = camera_of(command, scene);
    plan.options.near_reach = camera.near * camera.corner_distance();
    if (command.lens.far) plan.options.distance = camera.far * camera.corner_distance();
    plan.options.raster = pixel_margin(camera, command.margin_pixels);
    plan.options.max_occluders = most_occluders;
    plan.options.max_parts = most_parts;
    plan.options.isa = command.culling.checked().isa;
    const SceneSolids solids =
        SceneSolids(scene, command.margin_pixels > 0 ? rounding_of_floats(scene) : 0).boxes_alone();
    if (solids.count() == 0 && !command.lens.far) {
        fail("nothing in {} is solid, so that nothing hides; --solid names what is", scene.name);
    }
    plan.boxes = solids.boxes;
    plan.oriented_boxes = solids.oriented_boxes;
    plan.drawn = solids.drawn;
    return plan;
}

/// Writes the file of the cells' sets, from the results in order.
void write_visibility(const BakeCommand& command, const BakeWork& work, const std::vector<std::string>& results) {
    VisibilityWriter file;
    require(file.open(command.out.c_str(), {.objects = work.scene().slot_count(),
                                            .fingerprint = slot_fingerprint(work.scene()),
                                            .grid = work.plan().grid,
                                            .options = work.plan().options}),
            command.out);
    for (const std::string& bundle : results) {
        ByteReader reader(bundle, "a result of the bake");
        while (!reader.at_end()) {
            const std::string_view set = reader.take(reader.value<std::uint64_t>());
            require(file.add(std::as_bytes(std::span(set.data(), set.size()))), command.out);
        }
    }
    require(file.commit(), command.out);
}

/// What the file has. Counts are of what may be seen of a cell.
Report bake_report(const Scene& scene, const BakeWork& work, const Visibility& visibility, const std::string& file) {
    const CellGrid& grid = work.plan().grid;
    std::vector<std::uint64_t> counts(visibility.cell_count());
    for (std::uint64_t cell = 0; cell < counts.size(); ++cell) counts[cell] = visibility.visible_count(cell);
    std::sort(counts.begin(), counts.end());
    const auto sum = static_cast<double>(std::accumulate(counts.begin(), counts.end(), std::uint64_t{0}));
    return {{"scene", {{"name", scene.name}, {"objects", scene.object_count()}}},
            {"solids", work.plan().boxes.size() + work.plan().oriented_boxes.size()},
            {"isa", isa_name(work.plan().options.isa)},
            {"cells", {grid.count[0], grid.count[1], grid.count[2]}},
            {"cell_size", {grid.size[0], grid.size[1], grid.size[2]}},
            {"least", counts.front()},
            {"mean", sum / static_cast<double>(counts.size())},
            {"median", counts[counts.size() / 2]},
            {"most", counts.back()},
            {"bytes", std::filesystem::file_size(file)}};
}

std::string bake_table(const Report& report) {
    const auto count = [&](const char* key) { return grouped(report.at(key).get<std::uint64_t>()); };
    const Report &scene = report.at("scene"), &cells = report.at("cells"), &size = report.at("cell_size");
    const std::uint64_t n =
        cells[0].get<std::uint64_t>() * cells[1].get<std::uint64_t>() * cells[2].get<std::uint64_t>();
    const double mean = report.at("mean");
    return fmt::format("{}: {}, {}; {}\n", scene.at("name").get<std::string>(),
                       counted(scene.at("objects").get<std::uint64_t>(), "object"),
                       counted(report.at("solids").get<std::uint64_t>(), "solid box", "solid boxes"),
                       report.at("isa").get<std::string>()) +
           table({{"cells", fmt::format("{}: {} x {} x {} of {:g} x {:g} x {:g}", grouped(n), cells[0].get<int>(),
                                        cells[1].get<int>(), cells[2].get<int>(), size[0].get<double>(),
                                        size[1].get<double>(), size[2].get<double>())},
                  {"may be seen",
                   fmt::format("{} of a cell, {}; least {}, median {}, most {}", grouped(mean, 1),
                               percent(mean, scene.at("objects")), count("least"), count("median"), count("most"))},
                  {"file", fmt::format("{} bytes, {} a cell", count("bytes"),
                                       grouped(report.at("bytes").get<double>() / static_cast<double>(n), 1))}},
                 "<<");
}

void lead_bake(const BakeCommand& command, Team& team) {
    check(command);
    const OutputFile out(command.out);
    std::optional<OutputFile> map = open_output(command.map_file, ".png");
    Scene scene = command.scene.scene(command.quiet);
    make_solid(scene, command.solid);
    const BakeWork work(ordered_scene(scene, team.runner()), plan_of(command, scene), team.runner());
    const Bundles bundles{work.plan().grid.cell_count(), command.team.bundle};
    const TeamRun run = team.lead({bundles, work, work.plan().bytes(), work.scene(), "baking cells", command.quiet});
    write_visibility(command, work, run.results);
    Visibility visibility;
    require(Visibility::open(command.out.c_str(), visibility), command.out);
    if (map) announce("drawing", command.quiet);
    if (map) map->commit(draw_bake_map(scene, visibility));
    if (command.quiet) return;
    fmt::print("{}\n{}", bake_table(bake_report(scene, work, visibility, command.out)),
               team_line(team, bundles, run, "cells"));
}

void run_bake(const BakeCommand& command) {
    Team team(command.team.threads);
    if (team.leads()) return lead_bake(command, team);
    team.follow([&](std::string_view description, lanecull::Scene scene) {
        return std::make_unique<BakeWork>(std::move(scene), BakePlan::of(description), team.runner());
    });
}

void add_cell_options(Command command, BakeCommand& options) {
    command.option("--cell X,Y,Z", &options.cell, "A cell's size along x, y and z").required();
    command.option("--out FILE", &options.out, "Write the cells' sets").required();
    const CommandOption box = command.option("--box X,Y,Z,X,Y,Z", &options.box,
                                             "Cover this with cells: two corners (the scene's main bounds)");
    command
        .option("--above X", &options.above,
                "Cover the scene from so much above its ground (a quarter of a cell): walls do not hide from eyes at "
                "it")
        .within(0, 1e15)
        .excludes(box);
    command.option("--height X", &options.height, "Cover the scene up to so much above its ground (all of it)")
        .within(1e-6, 1e15)
        .excludes(box);
    add_solid_option(command, options.solid);
    add_margin_option(command, options.margin_pixels);
}

}  // namespace

void add_bake_command(CommandLine& program) {
    Command command = program.add("bake", "Find what may be seen from each cell of a scene, proved");
    const auto options = std::make_shared<BakeCommand>();
    options->scene.add_to(command);
    add_cell_options(command, *options);
    add_lens_options(command, options->lens);
    options->culling.add_to(command);
    command.option("--picture FILE", &options->map_file, "Draw a map of how much each cell sees: a PNG");
    options->team.add_to(command);
    add_quiet_option(command, options->quiet);
    command.footer(
        "A set holds for every camera whose eye is in the cell and whose near and far plane reach no farther than "
        "those\n"
        "that --fov, --aspect, --near (0.1) and --far (none) describe. include/lanecull/visibility.h reads the "
        "file.\n"
        "Under mpirun the first process hands out bundles of cells and the others do them, see tools/README.md.\n\n"
        "Examples:\n"
        "  lanecull bake --objects 100000 --cell 8,8,2 --height 2 --out city.visibility\n"
        "  lanecull bake level.glb --solid all-closed --cell 4,4,4 --out level.visibility --picture map.png\n"
        "  mpirun -n 9 lanecull bake --cell 8,8,2 --height 2 --out city.visibility");
    command.action([options] { run_bake(*options); });
}

}  // namespace lanecull::program

#else

namespace lanecull::program {

void add_bake_command(CommandLine& program) {
    Command command = program.add("bake", "Find what may be seen from each cell of a scene (not in this build)");
    command.allow_extras();
    command.action([] {
        fail(
            "this build cannot compress sets: install libroaring-dev (Debian's name) and build again with "
            "-DLANECULL_VISIBILITY=ON");
    });
}

}  // namespace lanecull::program

#endif
