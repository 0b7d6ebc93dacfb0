#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <glm/geometric.hpp>
#include <memory>
#include <numbers>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "commands.hpp"
#include "options/command_line.hpp"
#include "options/culling_options.hpp"
#include "options/lens_options.hpp"
#include "options/occluder_options.hpp"
#include "options/scene_options.hpp"
#include "options/team_options.hpp"
#include "scene/scene_fingerprint.hpp"
#include "support/bytes.hpp"
#include "support/error.hpp"
#include "support/fingerprint.hpp"
#include "support/grouped.hpp"
#include "support/output_file.hpp"
#include "support/progress.hpp"
#include "sweep/sweep_picture.hpp"
#include "sweep/sweep_report.hpp"

namespace lanecull::program {
namespace {

/// What the command line says.
struct SweepCommand {
    SceneOptions scene;
    std::optional<std::string> views_file;
    std::vector<unsigned> grid{64, 64};
    GridOptions grid_options;
    LensOptions lens;
    CullingOptions culling;
    OccluderCommandOptions occluders;
    double sun_height = 45, sun_bearing = 30;
    bool no_casters = false;
    TeamOptions team{.bundle = 256};
    std::string by = "objects";
    std::size_t worst = 10;
    std::optional<std::string> csv_file, json_file, map_file, worst_file, incidence_file;
    bool quiet = false;
};

/// The files that a sweep writes, each there if it was asked for.
struct SweepOutputs {
    std::optional<OutputFile> csv, json, map, worst, incidence;

    explicit SweepOutputs(const SweepCommand& command)
        : csv(open_output(command.csv_file, ".csv")),
          json(open_output(command.json_file)),
          map(open_output(command.map_file, ".png")),
          worst(open_output(command.worst_file, ".png")),
          incidence(open_output(command.incidence_file)) {}
};

void check(const SweepCommand& command) {
    check_lens_options(command.lens);
    command.occluders.check();
    check_number("--sun-height", command.sun_height, 0, 90);
    check_number("--sun-bearing", command.sun_bearing, -360, 360);
    check_number("--eye-height", command.grid_options.height, -1e15, 1e15);
    check_number("--pitch", command.grid_options.pitch, -89, 89);
    const auto is_count = [](unsigned n) { return n >= 1 && n <= 65536; };
    if (command.grid.size() != 2 || !std::ranges::all_of(command.grid, is_count)) {
        refuse("--grid: NX,NY are two numbers from 1 to 65536");
    }
    if (command.by == "casters" && command.no_casters) refuse("--by casters: --no-casters counts none");
    if (command.by == "unhidden" && command.occluders.most() == 0) refuse("--by unhidden: there are no --occluders");
    if (command.worst_file && command.worst == 0) refuse("--worst-picture: --worst 0 leaves no view");
    check_distinct({{"SCENE", command.scene.file}, {"--views", command.views_file}},
                   {{"--csv", command.csv_file},
                    {"--json", command.json_file},
                    {"--picture", command.map_file},
                    {"--worst-picture", command.worst_file},
                    {"--incidence", command.incidence_file},
                    {"--journal", command.team.journal_beside(command.incidence_file)}});
}

DirectionalLight sun_of(const SweepCommand& command, const glm::dvec3& up) {
    const double degree = std::numbers::pi / 180;
    const glm::dvec3 across(up.y, up.z, up.x), along(up.z, up.x, up.y);
    const glm::dvec3 level =
        std::cos(command.sun_bearing * degree) * across + std::sin(command.sun_bearing * degree) * along;
    const glm::dvec3 toward =
        std::cos(command.sun_height * degree) * level + std::sin(command.sun_height * degree) * up;
    return {{toward.x, toward.y, toward.z}};
}

ViewSet views_of(const SweepCommand& command, const Scene& scene) {
    if (command.views_file) return {scene, *command.views_file, command.lens};
    GridOptions grid = command.grid_options;
    grid.count = {command.grid[0], command.grid[1]};
    return {scene, grid, command.lens};
}

/// The ordered scene, and the plan.
std::unique_ptr<SweepWork> work_of(const SweepCommand& command, Scene& scene, Team& team) {
    SweepPlan plan{.views = views_of(command, scene), .sun = {}};
    if (!command.no_casters) plan.sun = sun_of(command, scene.up);
    if (const auto occluders = command.occluders.settings(scene, command.quiet)) {
        plan.occluders = *occluders;
        plan.solids = SceneSolids(scene).boxes_alone();
        plan.solids.owners.clear();
        if (plan.solids.count() == 0) fail("--occluders: nothing in {} is solid; --solid names what is", scene.name);
    }
    plan.isa = command.culling.checked().isa;
    plan.incidence = command.incidence_file.has_value();
    lanecull::Scene ordered;
    std::vector<Handle> handles(scene.object_count());
    require(ordered.add(scene.batches(), handles, {}, team.runner()));
    ordered.refit(Refit::tight, team.runner());
    if (plan.incidence) {
        plan.object_of.resize(ordered.handle_limit());
        for (std::uint32_t object = 0; object < handles.size(); ++object) plan.object_of[handles[object]] = object;
    }
    return std::make_unique<SweepWork>(std::move(ordered), std::move(plan));
}

void write(const SweepOutputs& outputs, const Sweep& sweep, const Results& results, const Bundles& bundles,
           bool quiet) {
    const auto stream = [](const std::optional<OutputFile>& file, const auto& fill) {
        if (!file) return;
        OutputStream contents(*file);
        fill(contents);
        contents.commit();
    };
    stream(outputs.csv, [&](OutputStream& file) { write_sweep_csv(sweep, file); });
    stream(outputs.incidence, [&](OutputStream& file) { write_incidence(sweep, results, bundles, file); });
    if (outputs.map || outputs.worst) announce("drawing", quiet);
    if (outputs.map) outputs.map->commit(draw_sweep_map(sweep));
    if (outputs.worst) outputs.worst->commit(draw_worst_view(sweep));
    if (outputs.json) outputs.json->commit(sweep_json(sweep));
}

/// "34.8 GB", "512 bytes".
std::string bytes_text(double bytes) {
    if (bytes < 1e3) return fmt::format("{:.0f} bytes", bytes);
    if (bytes < 1e6) return fmt::format("{:.1f} kB", bytes / 1e3);
    return bytes < 1e9 ? fmt::format("{:.1f} MB", bytes / 1e6) : fmt::format("{:.1f} GB", bytes / 1e9);
}

/// Says how large the file of --incidence will be, by what some of the views see, and that its disk is too full for it.
void announce_rows(const SweepCommand& command, const SweepWork& work) {
    constexpr std::uint64_t most_samples = 64;
    const std::uint64_t views = work.plan().views.count(), samples = std::min(views, most_samples);
    double entries = 0;
    for (std::uint64_t k = 0; k < samples; ++k) {
        const std::string result = work.result(k * views / samples);
        entries += ByteReader(result, "a view's result").value<ViewCounts>().unhidden;
    }
    entries *= static_cast<double>(views) / static_cast<double>(samples);
    const double bytes = 40 + 8 * static_cast<double>(views + 1) + sizeof(std::uint32_t) * entries;
    const std::filesystem::path folder = std::filesystem::absolute(*command.incidence_file).parent_path();
    std::error_code none;
    const std::filesystem::space_info space = std::filesystem::space(folder, none);
    const bool is_too_full = !none && static_cast<double>(space.available) < bytes;
    const std::string line = fmt::format(
        "--incidence {}: about {} for {} entries, by {} of {}{}", *command.incidence_file, bytes_text(bytes),
        grouped(entries, 0), grouped(samples), counted(views, "view"),
        is_too_full ? fmt::format("; {} are free there", bytes_text(static_cast<double>(space.available))) : "");
    if (is_too_full) return warn(line, command.quiet);
    if (!command.quiet) tell(line + '\n');
}

Measure measure_named(const std::string& name) {
    return *std::ranges::find_if(measures, [&](const Measure& measure) { return measure.name == name; });
}

void lead_sweep(const SweepCommand& command, Team& team) {
    check(command);
    const SweepOutputs outputs(command);
    Scene scene = command.scene.scene(command.quiet);
    if (scene.object_count() == 0) fail("{} has no objects", scene.name);
    const std::unique_ptr<SweepWork> work = work_of(command, scene, team);
    const Bundles bundles{work->plan().views.count(), command.team.bundle};
    const std::string description = work->plan().bytes();
    const std::uint64_t identity = fingerprint(description, scene_fingerprint(scene) + bundles.size);
    if (work->plan().incidence) announce_rows(command, *work);
    Results results = command.team.results(command.incidence_file, identity, bundles);
    const TeamFigures figures = team.lead(
        {bundles, *work, description, [&](const std::string& path) { require(work->scene().save(path.c_str()), path); },
         "sweeping", "views", command.quiet},
        results);
    Sweep sweep{
        scene, work->plan(), counts_of(results, bundles, work->plan().incidence), measure_named(command.by), {}};
    sweep.worst = worst_views(sweep, command.worst);
    write(outputs, sweep, results, bundles, command.quiet);
    results.discard();
    if (!command.quiet) fmt::print("{}\n{}", sweep_table(sweep), team_line(team, bundles, figures, "views"));
}

std::unique_ptr<ItemWork> make_sweep_work(std::span<const std::byte> description, std::span<const std::byte> scene) {
    lanecull::Scene ordered;
    require(lanecull::Scene::load(scene, ordered));
    const std::string_view text(reinterpret_cast<const char*>(description.data()), description.size());
    return std::make_unique<SweepWork>(std::move(ordered), SweepPlan::of(text));
}

void run_sweep(const SweepCommand& command) {
    Team team(command.team.threads);
    if (team.leads()) return lead_sweep(command, team);
    team.follow(make_sweep_work);
}

void add_view_options(Command command, SweepCommand& options) {
    const auto number = [&](const char* name, double& value, const char* text) {
        command.option(name, value, text).type_name("X");
    };
    const CommandOption views =
        command
            .option("--views", options.views_file,
                    "Viewpoints and directions: a list, x y z dx dy dz a line, or a camera path (.json); a grid "
                    "without")
            .type_name("FILE");
    command.option("--grid", options.grid, "Viewpoints over the scene's plan, along its axes (64,64)")
        .delimiter(',')
        .type_name("NX,NY")
        .excludes(views);
    command.option("--directions", options.grid_options.directions, "Views of each, evenly around (8)")
        .within(1U, 360U)
        .type_name("N")
        .excludes(views);
    number("--eye-height", options.grid_options.height, "Of the grid above the scene's ground (1.8)");
    number("--pitch", options.grid_options.pitch, "Degrees by which the grid's views look up (0)");
    add_lens_options(command, options.lens);
    number("--sun-height", options.sun_height, "Degrees above the horizon (45)");
    number("--sun-bearing", options.sun_bearing, "Degrees about the up axis (30)");
    command.flag("--no-casters", options.no_casters, "Count no shadow casters, which takes more than half of the time");
}

void add_output_options(Command command, SweepCommand& options) {
    command.option("--by", options.by, "What makes a view the worst, and colours the map (objects)")
        .among({"objects", "unhidden", "draws", "casters"})
        .type_name("objects|unhidden|draws|casters");
    command.option("--worst", options.worst, "How many of the worst views are listed and marked (10)")
        .within(std::uint64_t{0}, std::uint64_t{1000})
        .type_name("N");
    command.option("--csv", options.csv_file, "Write a row a view (.csv)").type_name("FILE");
    command.option("--json", options.json_file, "Write the summary as data").type_name("FILE");
    command.option("--picture", options.map_file, "Draw a heat map over the scene's plan: a PNG").type_name("FILE");
    command.option("--worst-picture", options.worst_file, "Draw the worst view as 'cull' does: a PNG")
        .type_name("FILE");
    command
        .option("--incidence", options.incidence_file, "Write which objects each view sees, as compressed sparse rows")
        .type_name("FILE");
}

}  // namespace

void add_sweep_command(CommandLine& program) {
    Command command = program.add("sweep", "Count what each of many views sees, and find the worst");
    const auto options = std::make_shared<SweepCommand>();
    options->scene.add_to(command);
    add_view_options(command, *options);
    options->occluders.add_to(command);
    options->culling.add_isa_to(command);
    add_output_options(command, *options);
    options->team.add_to(command, "--incidence's name and .journal, if it is given");
    command.flag("--quiet", options->quiet, "Print nothing but errors");
    command.footer(
        "Scenes are those of 'lanecull cull'; see its --help.\n"
        "Under mpirun the first process hands out bundles of views and the others do them, see tools/README.md.\n\n"
        "Examples:\n"
        "  lanecull sweep --objects 100000 --picture map.png\n"
        "  lanecull sweep track.ac --grid 200,100 --directions 16 --csv views.csv\n"
        "  lanecull sweep --objects 100000 --occluders 32 --by unhidden\n"
        "  lanecull sweep site.json --views survey.csv --far 80 --incidence rows.bin\n"
        "  mpirun -n 9 lanecull sweep --grid 1000,1000 --directions 1 --journal sweep.journal");
    command.action([options] { run_sweep(*options); });
}

}  // namespace lanecull::program
