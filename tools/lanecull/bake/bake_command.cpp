#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <glm/geometric.hpp>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bake/bake_picture.hpp"
#include "bake/bake_work.hpp"
#include "commands.hpp"
#include "cull/occluder_choice.hpp"
#include "options/command_line.hpp"
#include "options/culling_options.hpp"
#include "options/lens_options.hpp"
#include "options/scene_options.hpp"
#include "options/team_options.hpp"
#include "picture/picture_volume.hpp"
#include "scene/named_solids.hpp"
#include "scene/scene_fingerprint.hpp"
#include "scene/scene_solids.hpp"
#include "support/bytes.hpp"
#include "support/error.hpp"
#include "support/fingerprint.hpp"
#include "support/grouped.hpp"
#include "support/output_file.hpp"
#include "support/progress.hpp"

namespace lanecull::program {
namespace {

/// Solids that hide from a cell.
constexpr std::uint32_t most_occluders = 1024;

/// What the command line says.
struct BakeCommand {
    SceneOptions scene;
    std::vector<double> cell, box;
    std::optional<double> above, height;
    std::vector<std::string> solid;
    LensOptions lens;
    double margin_pixels = 0;
    std::uint32_t parts = 64;
    CullingOptions culling;
    TeamOptions team{.bundle = 16};
    std::string out;
    std::optional<std::string> map_file, cell_file;
    std::optional<std::uint64_t> picture_cell;
    bool quiet = false;
};

/// The ordered scene's objects by their numbers.
struct BakeObjects {
    std::vector<Handle> handles;

    /// Bits by object, of bits by slot.
    [[nodiscard]] std::vector<std::uint64_t> by_object(const lanecull::Scene& scene,
                                                       std::span<const std::uint64_t> by_slot) const {
        std::vector<std::uint64_t> bits((handles.size() + 63) / 64);
        for (std::size_t i = 0; i < handles.size(); ++i) {
            std::uint32_t slot = 0;
            require(scene.slot_of(handles[i], slot));
            bits[i / 64] |= (by_slot[slot / 64] >> slot % 64 & 1U) << i % 64;
        }
        return bits;
    }
};

void check(const BakeCommand& command) {
    check_lens_options(command.lens);
    check_number("--margin-pixels", command.margin_pixels, 0, 1000);
    if (command.above) check_number("--above", *command.above, 0, 1e15);
    if (command.height) check_number("--height", *command.height, 1e-6, 1e15);
    if (command.cell.size() != 3) refuse("--cell: X,Y,Z are three lengths");
    for (const double length : command.cell) check_number("--cell", length, 1e-6, 1e15);
    if (!command.box.empty() && command.box.size() != 6) refuse("--box: X,Y,Z,X,Y,Z are two corners");
    for (const double coordinate : command.box) check_number("--box", coordinate, -1e15, 1e15);
    if (command.picture_cell && !command.cell_file) refuse("--picture-cell is of --cell-picture");
    check_distinct({{"SCENE", command.scene.file}}, {{"--out", command.out},
                                                     {"--picture", command.map_file},
                                                     {"--cell-picture", command.cell_file},
                                                     {"--journal", command.team.journal_beside(command.out)}});
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
    plan.options.max_parts = command.parts;
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
void write_visibility(const BakeCommand& command, const BakeWork& work, const Results& results,
                      const Bundles& bundles) {
    VisibilityWriter file;
    require(file.open(command.out.c_str(), {.objects = work.scene().slot_count(),
                                            .fingerprint = slot_fingerprint(work.scene()),
                                            .grid = work.plan().grid,
                                            .options = work.plan().options}),
            command.out);
    for (std::uint64_t b = 0; b < bundles.count(); ++b) {
        const std::string bytes = results.read(b);
        ByteReader reader(bytes, "a result of the bake");
        for (std::uint64_t i = 0; i < bundles.length(b); ++i) {
            const std::string_view set = reader.take(reader.varint());
            require(file.add(std::as_bytes(std::span(set.data(), set.size()))), command.out);
        }
    }
    require(file.commit(), command.out);
}

std::uint64_t fullest_cell(const Visibility& visibility) {
    std::uint64_t fullest = 0;
    for (std::uint64_t cell = 1; cell < visibility.cell_count(); ++cell) {
        if (visibility.visible_count(cell) > visibility.visible_count(fullest)) fullest = cell;
    }
    return fullest;
}

/// The objects whose solids hide, as bits by object.
std::vector<std::uint64_t> owners_of(const Scene& scene, std::span<const std::uint32_t> hiding) {
    const SceneSolids solids(scene);
    std::vector<std::uint64_t> first{0};
    for (const Group& group : scene.groups) first.push_back(first.back() + object_count(group.arrays));
    std::vector<std::uint64_t> bits((first.back() + 63) / 64);
    for (const std::uint32_t solid : hiding) {
        const Owner& owner = solids.owners[solid];
        const std::uint64_t object = first[owner.batch] + owner.object;
        bits[object / 64] |= std::uint64_t{1} << object % 64;
    }
    return bits;
}

std::string cell_picture(const Scene& scene, const BakeWork& work, const BakeObjects& objects, std::uint64_t cell) {
    std::vector<std::uint32_t> hiding;
    const std::vector<std::uint64_t> set = work.bake(cell, hiding);
    return draw_baked_cell(
        {scene, work.plan().grid, cell, objects.by_object(work.scene(), set), owners_of(scene, hiding)});
}

std::string table(const Scene& scene, const BakeWork& work, const Visibility& visibility, const std::string& file) {
    const CellGrid& grid = work.plan().grid;
    std::vector<std::uint64_t> counts(visibility.cell_count());
    std::uint64_t sum = 0;
    for (std::uint64_t cell = 0; cell < counts.size(); ++cell) sum += counts[cell] = visibility.visible_count(cell);
    std::sort(counts.begin(), counts.end());
    const auto objects = static_cast<double>(scene.object_count());
    const double mean = static_cast<double>(sum) / static_cast<double>(counts.size());
    const std::uint64_t bytes = std::filesystem::file_size(file);
    std::string text = fmt::format(
        "{}: {}, {}; {}\n", scene.name, counted(scene.object_count(), "object"),
        counted(work.plan().solids().boxes.size() + work.plan().oriented_boxes.size(), "solid box", "solid boxes"),
        isa_name(work.plan().options.isa));
    text += fmt::format("cells              {}: {} x {} x {} of {:g} x {:g} x {:g}\n", grouped(counts.size()),
                        grid.count[0], grid.count[1], grid.count[2], grid.size[0], grid.size[1], grid.size[2]);
    text += fmt::format("may be seen        {} of a cell, {:.2f} %; least {}, median {}, most {}\n", grouped(mean, 1),
                        100 * mean / objects, grouped(counts.front()), grouped(counts[counts.size() / 2]),
                        grouped(counts.back()));
    text += fmt::format("file               {} bytes, {} a cell\n\n", grouped(bytes),
                        grouped(static_cast<double>(bytes) / static_cast<double>(counts.size()), 1));
    return text;
}

void lead_bake(const BakeCommand& command, Team& team) {
    check(command);
    const OutputFile out(command.out);
    const std::optional<OutputFile> map = open_output(command.map_file, ".png");
    const std::optional<OutputFile> cell_map = open_output(command.cell_file, ".png");
    Scene scene = command.scene.scene(command.quiet);
    if (scene.object_count() == 0) fail("{} has no objects", scene.name);
    make_solid(scene, command.solid);
    BakePlan plan = plan_of(command, scene);
    if (command.picture_cell && *command.picture_cell >= plan.grid.cell_count()) {
        refuse("--picture-cell {}: the cells are 0 to {}", *command.picture_cell, plan.grid.cell_count() - 1);
    }
    lanecull::Scene ordered;
    BakeObjects objects{std::vector<Handle>(scene.object_count())};
    require(ordered.add(scene.batches(), objects.handles, {}, team.runner()));
    ordered.refit(Refit::tight, team.runner());
    const std::string description = plan.bytes();
    const BakeWork work(std::move(ordered), std::move(plan), team.runner());
    const Bundles bundles{work.plan().grid.cell_count(), command.team.bundle};
    const std::uint64_t identity = fingerprint(description, scene_fingerprint(scene) + bundles.size);
    Results results = command.team.results(command.out, identity, bundles);
    const TeamFigures figures = team.lead(
        {bundles, work, description, [&](const std::string& path) { require(work.scene().save(path.c_str()), path); },
         "baking", "cells", command.quiet},
        results);
    write_visibility(command, work, results, bundles);
    Visibility visibility;
    require(Visibility::open(command.out.c_str(), visibility), command.out);
    if (map || cell_map) announce("drawing", command.quiet);
    if (map) map->commit(draw_bake_map(scene, visibility));
    if (cell_map) {
        const std::uint64_t cell = command.picture_cell.value_or(fullest_cell(visibility));
        cell_map->commit(cell_picture(scene, work, objects, cell));
    }
    results.discard();
    if (!command.quiet) {
        fmt::print("{}{}", table(scene, work, visibility, command.out), team_line(team, bundles, figures, "cells"));
    }
}

void run_bake(const BakeCommand& command) {
    Team team(command.team.threads);
    if (team.leads()) return lead_bake(command, team);
    team.follow([&](std::span<const std::byte> description, std::span<const std::byte> scene) {
        lanecull::Scene ordered;
        require(lanecull::Scene::load(scene, ordered));
        const std::string_view text(reinterpret_cast<const char*>(description.data()), description.size());
        return std::make_unique<BakeWork>(std::move(ordered), BakePlan::of(text), team.runner());
    });
}

void add_cell_options(Command command, BakeCommand& options) {
    command.option("--cell", options.cell, "A cell's size along x, y and z")
        .delimiter(',')
        .type_name("X,Y,Z")
        .required();
    command.option("--out", options.out, "Write the cells' sets").type_name("FILE").required();
    const CommandOption box =
        command.option("--box", options.box, "Cover this with cells: two corners (the scene's main bounds)")
            .delimiter(',')
            .type_name("X,Y,Z,X,Y,Z");
    command
        .option(
            "--above", options.above,
            "Cover the scene from so much above its ground (a quarter of a cell): walls do not hide from eyes at it")
        .type_name("X")
        .excludes(box);
    command.option("--height", options.height, "Cover the scene up to so much above its ground (all of it)")
        .type_name("X")
        .excludes(box);
    command
        .option(
            "--solid", options.solid,
            "What is solid besides the city's buildings: a group, object or mesh of that name, or all closed meshes")
        .type_name("NAME|all-closed");
}

}  // namespace

void add_bake_command(CommandLine& program) {
    Command command = program.add("bake", "Find what may be seen from each cell of a scene, proved");
    const auto options = std::make_shared<BakeCommand>();
    options->scene.add_to(command);
    add_cell_options(command, *options);
    add_lens_options(command, options->lens);
    command
        .option("--margin-pixels", options->margin_pixels,
                "Solids shrink by so many pixels of a picture of 1080 rows, and by what floats round, against rounding "
                "rasterisers (0)")
        .type_name("X");
    command.option("--parts", options->parts, "A cell whose set is large may be baked in so many parts (64); 1: none")
        .within(std::uint32_t{1}, std::uint32_t{4096})
        .type_name("N");
    options->culling.add_isa_to(command);
    command.option("--picture", options->map_file, "Draw a map of how much each cell sees: a PNG").type_name("FILE");
    const CommandOption picture = command
                                      .option("--cell-picture", options->cell_file,
                                              "Draw what one cell sees, what is hidden and the walls that hide: a PNG")
                                      .type_name("FILE");
    command.option("--picture-cell", options->picture_cell, "Which cell, from 0 (the one that sees most)")
        .type_name("N")
        .needs(picture);
    options->team.add_to(command, "--out's name and .journal");
    command.flag("--quiet", options->quiet, "Print nothing but errors");
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
