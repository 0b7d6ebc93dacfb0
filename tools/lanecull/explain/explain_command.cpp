#include <fmt/core.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "commands.hpp"
#include "cull/measure.hpp"
#include "cull/reasons.hpp"
#include "explain/explanation.hpp"
#include "options/command_line.hpp"
#include "options/options.hpp"
#include "scene/mesh_bounds.hpp"
#include "scene/scene.hpp"
#include "support/error.hpp"
#include "support/files.hpp"
#include "support/report.hpp"
#include "support/text.hpp"

namespace lanecull::program {
namespace {

/// What the command line says.
struct ExplainOptions {
    SceneOptions scene;
    PathOptions path;
    CullingOptions culling;
    OccluderCommandOptions occluders;
    std::string object;  ///< a number or a name
    bool kept_by_planes = false;
    std::uint64_t frame = 0;
};

/// A frame's objects that six planes keep and cull() culls, with the reasons of both.
std::string kept_table(const Scene& scene, const CameraPath& path, std::size_t frame, Isa isa) {
    const Camera& camera = path[frame];
    const std::vector<KeptByPlanes> kept = kept_by_planes(scene, camera, isa);
    const char* them = kept.size() == 1 ? "it" : "them";
    std::string text = fmt::format("{} of {} in frame {} of {}: automatic culls {}, six planes alone keep {}\n",
                                   counted(kept.size(), "object"), scene.name, frame, grouped(path.size()), them, them);
    if (kept.empty()) return text;
    Cells rows{{"object", "group", "culled by", "gap at least", "behind none of the planes it cuts", "name"}};
    for (const auto& [object, place, certificate] : kept) {
        const Group& group = scene.groups[place.group];
        std::string cut;  // the object reaches to both sides of these planes, so none of them has all of it behind
        const std::array<Extent, 6> distances = distances_to_planes(group.arrays, place.index, camera);
        for (std::size_t k = 0; k < distances.size(); ++k) {
            if (distances[k].low < 0) cut += (cut.empty() ? "" : " ") + std::string(plane_names[k]);
        }
        rows.push_back({std::to_string(object), group.name, std::string(short_key(words_of(certificate.reason))),
                        fmt::format("{:.6g}", certificate.gap), cut, name_of(scene, place)});
    }
    return text + '\n' + table(rows, "><<><");
}

/// What can be found out before any work is done.
void check(const ExplainOptions& options) {
    if (options.object.empty() && !options.kept_by_planes) refuse("--object or --kept-by-planes is required");
    if (options.scene.is_city() && !options.kept_by_planes && !is_object_number(options.object)) {
        refuse("--object {}: the city's objects have numbers, from 0, and no names", printable(options.object));
    }
    options.path.check(options.scene.is_city());
}

void run_explain(const ExplainOptions& options) {
    const Isa isa = options.culling.checked().isa;
    check(options);
    Scene scene = options.scene.scene(false, options.path.moving_frames(options.scene.file));
    const std::optional<OccluderSettings> occluders = options.occluders.settings(scene, false);
    const std::uint64_t object = options.kept_by_planes ? 0 : find_object(scene, options.object);
    const CameraPath path = options.path.path(scene);
    if (options.frame >= path.size()) {
        refuse("--frame {}: the frames are 0 to {}", options.frame, path.size() - 1);
    }
    if (options.kept_by_planes) {
        pose(scene, options.frame);
        fmt::print("{}", kept_table(scene, path, options.frame, isa));
        return;
    }
    const ExplanationInput input{scene, path, object, options.frame, isa, occluders};
    fmt::print("{}", explanation_text(input, explain(input)));
}

}  // namespace

void add_explain_command(CommandLine& program) {
    Command command = program.add("explain", "Say why one object of a scene was kept or culled");
    const auto options = std::make_shared<ExplainOptions>();
    options->scene.add_to(command);
    options->path.add_to(command);
    const CommandOption object = command.option("--object N|NAME", &options->object,
                                                "Which object: from 0, counted through all groups, or its name");
    command
        .flag("--kept-by-planes", options->kept_by_planes,
              "List all objects that six planes alone would keep, and why they are culled")
        .excludes(object);
    command.option("--frame K", &options->frame, "Which frame of the path, from 0 (0)").within(0, max_frames - 1);
    options->culling.add_to(command);
    options->occluders.add_to(command);
    command.footer(
        "Scenes, camera paths and frames are those of 'lanecull cull'; see its --help.\n\n"
        "Examples:\n"
        "  lanecull explain --object 123456 --frame 100\n"
        "  lanecull explain --path street --frame 20 --occluders 16 --object 4711\n"
        "  lanecull explain track.ac --object pit_wall\n"
        "  lanecull explain --kept-by-planes --frame 100");
    command.action([options] { run_explain(*options); });
}

}  // namespace lanecull::program
