#include <fmt/core.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "commands.hpp"
#include "explain/explanation.hpp"
#include "explain/explanation_query.hpp"
#include "explain/kept_table.hpp"
#include "options/command_line.hpp"
#include "options/culling_options.hpp"
#include "options/occluder_options.hpp"
#include "options/path_options.hpp"
#include "options/scene_options.hpp"
#include "query/query_answer.hpp"
#include "scene/object_names.hpp"
#include "scene/pose.hpp"
#include "support/error.hpp"
#include "support/output_file.hpp"
#include "support/printable.hpp"

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
    std::size_t frame = 0;
    std::optional<std::string> picture;
};

/// What can be told before any work is done.
void check(const ExplainOptions& options, const CullOptions& culling) {
    if (options.object.empty() && !options.kept_by_planes) refuse("--object or --kept-by-planes is required");
    if (options.kept_by_planes && culling.method == Method::planes) {
        refuse("--kept-by-planes compares an exact method with six planes: --method planes is only the latter");
    }
    if (options.scene.is_city() && !options.kept_by_planes && !is_object_number(options.object)) {
        refuse("--object {}: the city's objects have numbers, from 0, and no names", printable(options.object));
    }
    options.path.check(options.scene.is_city());
    options.occluders.check();
    check_distinct({{"SCENE", options.scene.file}, {"--path", options.path.file}}, {{"--picture", options.picture}});
}

void run_explain(const ExplainOptions& options) {
    const CullOptions culling = options.culling.checked();
    check(options, culling);
    const std::optional<OutputFile> picture = open_output(options.picture, ".svg");
    Scene scene = options.scene.scene(false, options.path.moving_frames(options.scene.file));
    const std::optional<OccluderSettings> occluders = options.occluders.settings(scene, false);
    const std::uint64_t object = options.kept_by_planes ? 0 : find_object(scene, options.object);
    const CameraPath path = options.path.path(scene);
    if (options.frame >= path.size()) {
        refuse("--frame {}: the frames are 0 to {}", options.frame, path.size() - 1);
    }
    if (options.kept_by_planes) {
        pose(scene, options.frame);
        fmt::print("{}", kept_table(scene, path, options.frame, culling));
        return;
    }
    const ExplanationInput input{scene, path, object, options.frame, culling, occluders};
    const Explanation explanation = explain(input);
    fmt::print("{}", explanation_text(input, explanation));
    if (!picture) return;
    const PairPicture pair = picture_of(pair_query(input, explanation));
    picture->commit(pair.svg);
    fmt::print("\npicture\n  the two shapes   {}, of the object and the whole view volume\n", pair.figures);
}

}  // namespace

void add_explain_command(CommandLine& program) {
    Command command = program.add("explain", "Tell why one object of a scene was kept or culled");
    const auto options = std::make_shared<ExplainOptions>();
    options->scene.add_to(command);
    options->path.add_to(command);
    const CommandOption object =
        command.option("--object", options->object, "Which object: from 0, counted through all groups, or its name")
            .type_name("N|NAME");
    const CommandOption kept = command
                                   .flag("--kept-by-planes", options->kept_by_planes,
                                         "List all objects that six planes alone would keep, and why they are culled")
                                   .excludes(object);
    command.option("--frame", options->frame, "Which frame of the path, from 0 (0)")
        .within(std::uint64_t{0}, max_frames - 1)
        .type_name("K");
    command
        .option("--picture", options->picture,
                "Draw how GJK tells the object and the view's volume apart, or finds that they meet (SVG)")
        .type_name("FILE")
        .excludes(kept);
    options->culling.add_to(command);
    options->occluders.add_to(command);
    command.footer(
        "Scenes, camera paths and frames are those of 'lanecull cull'; see its --help.\n\n"
        "Examples:\n"
        "  lanecull explain --object 123456 --frame 100\n"
        "  lanecull explain --path street --frame 20 --occluders 16 --object 4711\n"
        "  lanecull explain track.ac --object 17 --far 400 --method planes\n"
        "  lanecull explain track.ac --object pit_wall\n"
        "  lanecull explain --kept-by-planes --frame 100");
    command.action([options] { run_explain(*options); });
}

}  // namespace lanecull::program
