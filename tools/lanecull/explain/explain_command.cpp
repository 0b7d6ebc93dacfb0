

#include "commands.hpp"
#include "cull/measure.hpp"
#include "cull/reasons.hpp"
#include "explain/explanation.hpp"
#include "options/options.hpp"
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
    std::uint64_t frame = 0;
};

/// What can be found out before any work is done.
void check(const ExplainOptions& options) {
    if (options.scene.is_city() && !is_object_number(options.object)) {
        refuse("--object {}: the city's objects have numbers, from 0, and no names", printable(options.object));
    }
    options.path.check(options.scene.is_city());
}

void run_explain(const ExplainOptions& options) {
    const Isa isa = options.culling.checked().isa;
    check(options);
    Scene scene = options.scene.scene(false);
    const std::optional<OccluderSettings> occluders = options.occluders.settings(scene, false);
    const std::uint64_t object = find_object(scene, options.object);
    const CameraPath path = options.path.path(scene);
    if (options.frame >= path.size()) {
        refuse("--frame {}: the frames are 0 to {}", options.frame, path.size() - 1);
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
    command.option("--object N|NAME", &options->object, "Which object: from 0, counted through all groups, or its name")
        .required();
    command.option("--frame K", &options->frame, "Which frame of the path, from 0 (0)").within(0, max_frames - 1);
    options->culling.add_to(command);
    options->occluders.add_to(command);
    command.footer(
        "Scenes, camera paths and frames are those of 'lanecull cull'; see its --help.\n\n"
        "Examples:\n"
        "  lanecull explain --object 123456 --frame 100\n"
        "  lanecull explain --path street --frame 20 --occluders 16 --object 4711\n"
        "  lanecull explain track.ac --object pit_wall");
    command.action([options] { run_explain(*options); });
}

}  // namespace lanecull::program
