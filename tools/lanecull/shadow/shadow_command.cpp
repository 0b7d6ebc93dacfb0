
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "cull/report.hpp"
#include "options/options.hpp"
#include "shadow/shadow.hpp"
#include "support/error.hpp"
#include "support/files.hpp"
#include "support/progress.hpp"
#include "support/text.hpp"

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
    std::optional<std::uint64_t> picture_frame, picture_light;
    std::string cutaway = "auto";
};

/// Finds the light to draw, the last cascade unless another is named, and checks the frame.
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
    if (!measurement.picked) {
        const std::string frame =
            options.picked_frame ? fmt::format(", --picture-frame {}", *options.picked_frame) : std::string();
        refuse("--picture-light {}{}: {} reaches nothing of what is seen there", options.picked_light, frame, light);
    }
    const std::size_t frame = measurement.picked->frame;
    announce(fmt::format("drawing the picture of frame {}", frame), options.quiet);
    return draw_shadow_picture(scene, *measurement.picked, fmt::format("{}, frame {} of {}", light, frame, path.size()),
                               cutaway);
}

/// Counts and times are means of a frame. Members are described in tools/README.md.
Report shadow_report(const Scene& scene, const ShadowMeasurement& m) {
    const auto frames = static_cast<double>(m.frames);
    const auto count = [&](std::uint64_t sum) { return static_cast<double>(sum) / frames; };
    const auto ms = [&](double seconds) { return 1e3 * seconds / frames; };
    Report report{{"program", "lanecull " LANECULL_VERSION},
                  {"scene", {{"name", scene.name}, {"objects", scene.object_count()}}},
                  {"isa", isa_name(m.isa)},
                  {"threads", m.threads},
                  {"frames", m.frames},
                  {"receivers_ms", ms(m.receivers_seconds)},
                  {"kept_outside_frustum", m.kept_outside_frustum}};
    if (scene.mesh_solids.meshes != 0) report["within_meshes"] = within_meshes(scene.mesh_solids);
    report["lights"] = Report::array();
    for (std::size_t k = 0; k < m.lights.size(); ++k) {
        const ShadowLight& light = m.lights[k];
        Report row{{"name", light.name},
                   {"frames", light.frames},
                   {"in_frustum", count(light.in_frustum)},
                   {"casters", count(light.kept)},
                   {"frustum_ms", ms(light.frustum_seconds)},
                   {"casters_ms", ms(light.casters_seconds)}};
        if (k < m.cascades) row["covered"] = count(light.covered);
        if (m.occluders) {
            row["shaded"] = count(light.shaded);
            row["occluders_ms"] = ms(light.occluders_seconds);
        }
        report["lights"].push_back(std::move(row));
    }
    return report;
}

/// A row of several lights together.
Report sum_of(const char* name, const Report& lights, bool cascades) {
    Report sum{{"name", name}, {"frames", 0}};
    for (const Report& light : lights) {
        if (light.contains("covered") != cascades) continue;
        sum["frames"] = std::max(sum["frames"].get<int>(), light.at("frames").get<int>());
        for (const auto& [key, value] : light.items()) {
            if (key != "name" && key != "frames") sum[key] = sum.value(key, 0.0) + value.get<double>();
        }
    }
    return sum;
}

std::vector<std::string> row_of(const Report& light) {
    const double in_frustum = light.value("in_frustum", 0.0), casters = light.value("casters", 0.0);
    const auto saved = [&](double left) { return percent(in_frustum - left, in_frustum, 1); };
    const auto ms = [&](const char* key) { return fmt::format("{:.3f}", light.value(key, 0.0)); };
    const double uncovered = casters - light.value("covered", 0.0);
    std::vector<std::string> row{light.at("name").get<std::string>(),
                                 grouped(light.at("frames").get<std::uint64_t>()),
                                 grouped(in_frustum, 1),
                                 grouped(casters, 1),
                                 saved(casters),
                                 grouped(uncovered, 1),
                                 saved(uncovered),
                                 ms("frustum_ms"),
                                 ms("casters_ms")};
    if (light.contains("shaded")) {
        const double left = casters - light.at("shaded").get<double>();
        row.insert(row.end(), {grouped(left, 1), saved(left), ms("occluders_ms")});
    }
    return row;
}

std::string shadow_table(const Report& report) {
    Cells rows{{"means of a frame", "frames", "in light's", "whose shadow", "", "not covered", "", "ms,", "ms,"},
               {"light", "lit", "frustum", "is seen", "saved", "by finer", "saved", "frustum", "casters"}};
    const Report &lights = report.at("lights"), all_cascades = sum_of("all cascades", lights, true);
    if (all_cascades.contains("shaded")) {
        rows[0].insert(rows[0].end(), {"not shaded", "", "ms, with"});
        rows[1].insert(rows[1].end(), {"by others", "saved", "occluders"});
    }
    for (const Report& light : lights) {
        if (light.contains("covered")) rows.push_back(row_of(light));
    }
    rows.push_back(row_of(all_cascades));
    for (const Report& light : lights) {
        if (!light.contains("covered")) rows.push_back(row_of(light));
    }
    if (!lights.back().contains("covered")) rows.push_back(row_of(sum_of("all lamps", lights, false)));
    std::string text = report_heading(report, report.at("frames")) + table(rows);
    text += fmt::format("\nreceivers of the cascades: {:.3f} ms a frame\n", report.at("receivers_ms").get<double>());
    if (report.contains("within_meshes")) {
        text += fmt::format("solids within meshes: {}\n", within_meshes_text(report.at("within_meshes")));
    }
    if (const std::uint64_t kept = report.at("kept_outside_frustum"); kept != 0) {
        text += fmt::format("kept as casters though outside the light's frustum, by less than rounding: {}\n",
                            grouped(kept));
    }
    return text;
}

void run_shadow(const ShadowCommand& command) {
    ShadowOptions options = command.shadows;
    options.isa = command.culling.checked().isa;
    command.path.check(command.scene.is_city());
    check_distinct({{"SCENE", command.scene.file}, {"--path", command.path.file}},
                   {{"--json", command.json_file}, {"--picture", command.picture_file}});
    std::optional<OutputFile> json_file = open_output(command.json_file);
    std::optional<OutputFile> picture_file = open_output(command.picture_file, ".png");
    Scene scene = command.scene.scene(options.quiet);
    options.occluders = command.occluders.settings(scene, options.quiet);
    const CameraPath path = command.path.perspective_path(scene, "shadow");
    pick(command, path, options);
    const ShadowMeasurement measurement = measure_shadows(scene, path, options);
    const std::string drawn =
        picture_file ? picture(scene, path, options, measurement, cutaway_of(command.cutaway)) : "";
    const Report report = shadow_report(scene, measurement);
    if (json_file) json_file->commit(text_of(report));
    if (picture_file) picture_file->commit(drawn);
    if (!options.quiet) fmt::print("{}", shadow_table(report));
}

}  // namespace

void add_shadow_command(CommandLine& program) {
    Command command = program.add("shadow", "Find what casts shadows into a camera's view, light by light");
    const auto options = std::make_shared<ShadowCommand>();
    ShadowOptions& shadows = options->shadows;
    options->scene.add_to(command);
    options->path.add_to(command);
    add_sun_options(command, shadows.sun_height, shadows.sun_bearing);
    command.option("--cascades N", &shadows.cascades, "Of the sun's shadow map (4)").within(1, 16);
    command.option("--lamps N", &shadows.lamps, "How many, along the camera path (20)").within(0, 10000);
    command.option("--lamp-range X", &shadows.lamp_range, "How far a lamp reaches (a tenth of --far)").within(0, 1e15);
    options->occluders.add_choice_to(
        command, "Solid boxes a light: casters wholly in the shadow of one are dropped, up to 64 (0: none)");
    options->culling.add_to(command);
    add_threads_option(command, shadows.threads);
    command.option("--json FILE", &options->json_file, "Write the report as data too");
    const CommandOption picture =
        command.option("--picture FILE", &options->picture_file, "Draw a map of who casts what into the view: a PNG");
    command
        .option("--picture-frame K", &options->picture_frame,
                "Of which frame, from 0 (where most that is not seen casts)")
        .within(0, max_frames - 1)
        .needs(picture);
    command
        .option("--picture-light N", &options->picture_light,
                "Of which row: cascades from 0, then lamps (last cascade)")
        .within(0, 10015)
        .needs(picture);
    add_cutaway_option(command, options->cutaway).needs(picture);
    add_quiet_option(command, shadows.quiet);
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
