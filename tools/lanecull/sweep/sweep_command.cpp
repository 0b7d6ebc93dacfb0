
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "options/options.hpp"
#include "support/bytes.hpp"
#include "support/progress.hpp"
#include "sweep/sweep.hpp"

namespace lanecull::program {
namespace {

/// What the command line says.
struct SweepCommand {
    SceneOptions scene;
    std::optional<std::string> views_file;
    std::vector<std::uint32_t> grid{64, 64};
    GridOptions grid_options;
    LensOptions lens;
    CullingOptions culling;
    OccluderCommandOptions occluders;
    double sun_height = 45, sun_bearing = 30;
    bool no_casters = false;
    TeamOptions team{.bundle = 256};
    std::string by = "objects";
    std::uint64_t worst = 10;
    std::optional<std::string> csv_file, json_file, map_file;
    bool quiet = false;
};

/// The files that a sweep writes, each there if it was requested.
struct SweepOutputs {
    std::optional<OutputFile> csv, json, map;

    explicit SweepOutputs(const SweepCommand& command)
        : csv(open_output(command.csv_file, ".csv")),
          json(open_output(command.json_file)),
          map(open_output(command.map_file, ".png")) {}
};

void check(const SweepCommand& command) {
    check_lens_options(command.lens);
    const auto is_count = [](std::uint32_t n) { return n >= 1 && n <= 65536; };
    if (command.grid.size() != 2 || !std::ranges::all_of(command.grid, is_count)) {
        refuse("--grid: NX,NY are two numbers from 1 to 65536");
    }
    if (command.by == "casters" && command.no_casters) refuse("--by casters: --no-casters counts none");
    if (command.by == "unhidden" && command.occluders.most() == 0) refuse("--by unhidden: there are no --occluders");
    check_distinct({{"SCENE", command.scene.file}, {"--views", command.views_file}},
                   {{"--csv", command.csv_file}, {"--json", command.json_file}, {"--picture", command.map_file}});
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
    if (!command.no_casters) plan.sun = sun_at(command.sun_height, command.sun_bearing, scene.up);
    if (const auto occluders = command.occluders.settings(scene, command.quiet)) {
        plan.occluders = *occluders;
        plan.solids = SceneSolids(scene).boxes_alone();
        plan.solids.owners.clear();
        if (plan.solids.count() == 0) fail("--occluders: nothing in {} is solid; --solid names what is", scene.name);
    }
    plan.isa = command.culling.checked().isa;
    return std::make_unique<SweepWork>(ordered_scene(scene, team.runner()), std::move(plan));
}

Measure measure_named(const std::string& name) {
    return *std::ranges::find_if(measures, [&](const Measure& measure) { return measure.name == name; });
}

void lead_sweep(const SweepCommand& command, Team& team) {
    check(command);
    SweepOutputs outputs(command);
    Scene scene = command.scene.scene(command.quiet);
    const std::unique_ptr<SweepWork> work = work_of(command, scene, team);
    const Bundles bundles{work->plan().views.count(), command.team.bundle};
    const TeamRun run =
        team.lead({bundles, *work, work->plan().bytes(), work->scene(), "sweeping views", command.quiet});
    Sweep sweep{scene, work->plan(), counts_of(run.results), measure_named(command.by), {}};
    sweep.worst = worst_views(sweep, command.worst);
    const Report report = sweep_report(sweep);
    if (outputs.csv) write_sweep_csv(sweep, *outputs.csv);
    if (outputs.map) announce("drawing", command.quiet);
    if (outputs.map) outputs.map->commit(draw_sweep_map(sweep));
    if (outputs.json) outputs.json->commit(text_of(report));
    if (command.quiet) return;
    fmt::print("{}\n{}", sweep_table(report, work->plan().views.description()), team_line(team, bundles, run, "views"));
}

void run_sweep(const SweepCommand& command) {
    Team team(command.team.threads);
    if (team.leads()) return lead_sweep(command, team);
    team.follow([](std::string_view description, lanecull::Scene scene) {
        return std::make_unique<SweepWork>(std::move(scene), SweepPlan::of(description));
    });
}

void add_view_options(Command command, SweepCommand& options) {
    const CommandOption views = command.option("--views FILE", &options.views_file,
                                               "Viewpoints and directions: a list, x y z dx dy dz a line, or a camera "
                                               "path (.json); a grid without");
    command.option("--grid NX,NY", &options.grid, "Viewpoints over the scene's plan, along its axes (64,64)")
        .excludes(views);
    command.option("--directions N", &options.grid_options.directions, "Views of each, evenly around (8)")
        .within(1, 360)
        .excludes(views);
    command.option("--eye-height X", &options.grid_options.height, "Of the grid above the scene's ground (1.8)")
        .within(-1e15, 1e15);
    add_lens_options(command, options.lens);
    add_sun_options(command, options.sun_height, options.sun_bearing);
    command.flag("--no-casters", options.no_casters, "Count no shadow casters, which takes more than half of the time");
}

void add_output_options(Command command, SweepCommand& options) {
    command.option("--by", &options.by, "What makes a view the worst, and colours the map (objects)")
        .among({"objects", "unhidden", "draws", "casters"});
    command.option("--worst N", &options.worst, "How many of the worst views are listed and marked (10)")
        .within(0, 1000);
    command.option("--csv FILE", &options.csv_file, "Write a row a view (.csv)");
    command.option("--json FILE", &options.json_file, "Write the report as data too");
    command.option("--picture FILE", &options.map_file, "Draw a heat map over the scene's plan: a PNG");
}

}  // namespace

void add_sweep_command(CommandLine& program) {
    Command command = program.add("sweep", "Count what each of many views sees, and find the worst");
    const auto options = std::make_shared<SweepCommand>();
    options->scene.add_to(command);
    add_view_options(command, *options);
    options->occluders.add_to(command);
    options->culling.add_to(command);
    add_output_options(command, *options);
    options->team.add_to(command);
    add_quiet_option(command, options->quiet);
    command.footer(
        "Scenes are those of 'lanecull cull'; see its --help.\n"
        "Under mpirun the first process hands out bundles of views and the others do them, see tools/README.md.\n\n"
        "Examples:\n"
        "  lanecull sweep --objects 100000 --picture map.png\n"
        "  lanecull sweep track.ac --grid 200,100 --directions 16 --csv views.csv\n"
        "  lanecull sweep --objects 100000 --occluders 32 --by unhidden\n"
        "  lanecull sweep site.glb --views survey.csv --far 80\n"
        "  mpirun -n 9 lanecull sweep --grid 1000,1000 --directions 1");
    command.action([options] { run_sweep(*options); });
}

}  // namespace lanecull::program
