#include <fmt/format.h>  // clang finds no vformat_to() of core.h in the library

#include <lanecull/hulls.h>
#include <iterator>

#include "commands.hpp"
#include "options/command_line.hpp"
#include "scene/reading.hpp"
#include "support/error.hpp"
#include "support/files.hpp"
#include "support/report.hpp"
#include "support/text.hpp"

namespace lanecull::program {
namespace {

/// What the command line says.
struct HullOptions {
    std::string in, out;
    std::uint32_t corners = 0;  ///< at most; 0: as many as there are
};

/// A file's mesh, and a hull of it.
struct MeshHull {
    const HullMesh* mesh;
    ConvexHull exact;                     ///< corners are the mesh's points
    std::optional<ConvexHull> enclosing;  ///< has fewer

    /// What is written.
    [[nodiscard]] const ConvexHull& hull() const { return enclosing ? *enclosing : exact; }
};

/// No hull gets more corners than the exact one has. What is flat stays so where its corners are few enough: a hull of
/// floats around it that is proved to contain it would be a solid.
MeshHull hull_of(const HullMesh& mesh, std::uint32_t corners) {
    const Vertices vertices{mesh.x.data(), mesh.y.data(), mesh.z.data(), static_cast<std::uint32_t>(mesh.x.size())};
    MeshHull result{.mesh = &mesh, .exact = {}, .enclosing = {}};
    require(convex_hull(vertices, result.exact));
    const ConvexHullInfo exact = result.exact.info();
    const bool flat = exact.dimension < 3;
    if (corners == 0 || (flat && exact.count() <= corners)) return result;
    const std::uint32_t most = flat ? corners : std::min(corners, exact.count());
    require(enclosing_hull(vertices, most, result.enclosing.emplace()));
    return result;
}

/// The meshes of a scene, which follow the hull instances; none of a list of boxes.
std::vector<const HullMesh*> meshes_of(const Scene& scene) {
    std::vector<const HullMesh*> meshes;
    for (const Group& group : scene.groups) {
        if (const auto* instances = std::get_if<HullInstanceArrays>(&group.arrays)) {
            for (const HullMesh& mesh : instances->meshes) meshes.push_back(&mesh);
        }
    }
    return meshes;
}

/// As Wavefront OBJ: floats in as few digits as tell them apart; a solid's triangles, a polygon, a line or a point.
void append_obj(std::string& text, const MeshHull& of, std::uint32_t first) {
    const ConvexHullInfo hull = of.hull().info();
    const auto out = std::back_inserter(text);
    fmt::format_to(out, "o {}\n", of.mesh->name);
    for (std::uint32_t i = 0; i < hull.count(); ++i) {
        fmt::format_to(out, "v {} {} {}\n", hull.x[i], hull.y[i], hull.z[i]);
    }
    if (hull.dimension == 3) {
        for (const auto& t : hull.triangles) {
            fmt::format_to(out, "f {} {} {}\n", first + t[0], first + t[1], first + t[2]);
        }
        return;
    }
    text += "pl?f"[hull.dimension == 2 ? 3 : hull.dimension];
    for (std::uint32_t i = 0; i < hull.count(); ++i) fmt::format_to(out, " {}", first + i);
    text += '\n';
}

std::vector<std::string> row_of(const MeshHull& of) {
    const std::string& name = of.mesh->name;
    const double exact = volume(of.exact), result = volume(of.hull());
    double error = 0;
    require(outward_error(of.hull(), of.exact, error));
    return {name.size() > 28 ? name.substr(0, 25) + "..." : name,
            grouped(of.mesh->x.size()),
            grouped(of.exact.count()),
            grouped(of.hull().count()),
            fmt::format("{:.6g}", result),
            exact > 0 ? fmt::format("{:.4f}", result / exact) : "-",
            fmt::format("{:.6g}", error)};
}

void run_hull(const HullOptions& options) {
    check_distinct({{"IN", options.in}}, {{"OUT", options.out}});
    OutputFile file(options.out, ".obj");
    const Scene scene = read_scene_apart(options.in);
    const std::vector<const HullMesh*> meshes = meshes_of(scene);
    if (meshes.empty()) fail("{}: no meshes in it, whose hulls there could be", options.in);
    std::string text = fmt::format("# hulls of {}\n", scene.name);
    Cells rows{{"mesh", "points", "corners", "written", "volume", "of exact", "outward error"}};
    std::uint32_t first = 1;
    for (const HullMesh* mesh : meshes) {
        const MeshHull of = hull_of(*mesh, options.corners);
        append_obj(text, of, first);
        first += of.hull().count();
        rows.push_back(row_of(of));
    }
    file.commit(text);
    fmt::print("{}", table(rows));
}

}  // namespace

void add_hull_command(CommandLine& program) {
    Command command = program.add("hull", "Write the convex hulls of a file's meshes");
    const auto options = std::make_shared<HullOptions>();
    command.option("IN", &options->in, "A file of meshes: glTF, CityJSON, PLY, or what assimp reads").required();
    command.option("OUT", &options->out, "Wavefront OBJ: an object a mesh, in the mesh's own coordinates").required();
    command
        .option("--corners K", &options->corners,
                "At most so many corners a hull, 4 or more, and every point contained to the last bit (of solids)")
        .within(4, 65535);
    command.footer(
        "Without --corners the corners are those of the mesh's own hull. The report has, for each mesh, its points,\n"
        "the corners of its hull, those written, the volume, how many times that of its hull this is, and how far\n"
        "what is written reaches beyond it.\n\n"
        "Examples:\n"
        "  lanecull hull track.ac hulls.obj\n"
        "  lanecull hull rocks.glb rocks-32.obj --corners 32");
    command.action([options] { run_hull(*options); });
}

}  // namespace lanecull::program
