/// Solid boxes of any boxes, and of any meshes. A merged box lies in the union of its owners; a mesh's box lies within
/// the mesh, in rationals; a mesh that is not closed is refused, and no other.

#include <lanecull/solids.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "fuzz/check.hpp"
#include "fuzz/input.hpp"
#include "solids/merging.hpp"
#include "solids/meshes.hpp"

namespace {

using meshes::Corner;
using meshes::Mesh;

void check_merging(Input& input) {
    merging::BoxList given;
    const std::uint32_t count = input.up_to(24);
    for (std::uint32_t i = 0; i < count; ++i) {
        merging::GivenBox box{};
        for (std::size_t k = 0; k < 3; ++k) {
            box.lo[k] = input.single();
            box.hi[k] = input.up_to(15) == 0 ? input.single() : box.lo[k] + input.size();
        }
        given.add(box);
    }
    const std::uint32_t most = input.up_to(7) == 0 ? 1 + input.up_to(5) : 0;
    lanecull::SolidBoxes merged;
    check(lanecull::merge_boxes(given.boxes(), merged, {.max_boxes = most}).ok(), "boxes are merged");
    check(most == 0 || merged.count() <= most, "no more than asked for");
    const std::string wrong = merging::what_is_wrong(given, merged, most == 0);
    if (!wrong.empty()) check(false, wrong.c_str(), given.describe());
    const std::string could_grow = merging::what_could_grow(given, merged);
    if (!could_grow.empty()) check(false, could_grow.c_str(), given.describe());
}

/// The surface of some cells of a grid, of which some corners are moved.
Mesh closed_mesh(Input& input) {
    std::array<std::vector<float>, 3> lines;
    for (auto& axis : lines) {
        axis.resize(2 + input.up_to(2));
        for (float& line : axis) line = input.single();
        std::erase_if(axis, [](float line) { return !std::isfinite(line); });
        std::sort(axis.begin(), axis.end());
        axis.erase(std::unique(axis.begin(), axis.end()), axis.end());
        if (axis.empty()) axis.push_back(0);
    }
    const std::uint32_t solid = input.bits();
    Mesh mesh = meshes::surface_of(lines, [&](int i, int j, int k) { return (solid >> (9 * i + 3 * j + k) & 1) != 0; });
    const std::uint32_t moved = mesh.vertices.empty() ? 0 : input.up_to(6);
    for (std::uint32_t m = 0; m < moved; ++m) {
        const Corner from = mesh.vertices[input.up_to(static_cast<std::uint32_t>(mesh.vertices.size() - 1))];
        const Corner to = {input.single(), input.single(), input.single()};
        std::replace(mesh.vertices.begin(), mesh.vertices.end(), from, to);
    }
    return mesh;
}

Mesh any_mesh(Input& input) {
    Mesh mesh;
    mesh.vertices.resize(1 + input.up_to(7));
    for (Corner& v : mesh.vertices) v = {input.single(), input.single(), input.single()};
    mesh.triangles.resize(input.up_to(12));
    for (meshes::Index3& t : mesh.triangles) {
        for (std::uint32_t& index : t) index = input.up_to(static_cast<std::uint32_t>(mesh.vertices.size()));
    }
    return mesh;
}

bool is_readable(const Mesh& mesh) {
    return !mesh.triangles.empty() && std::all_of(mesh.vertices.begin(), mesh.vertices.end(), [](const Corner& v) {
        return std::all_of(v.begin(), v.end(), [](float x) { return std::isfinite(x); });
    }) && std::all_of(mesh.triangles.begin(), mesh.triangles.end(), [&](const meshes::Index3& t) {
        return std::all_of(t.begin(), t.end(), [&](std::uint32_t i) { return i < mesh.vertices.size(); });
    });
}

/// As often one way as the other, edge by edge. (-0 is 0 in a map's order, too.)
bool is_closed(const Mesh& mesh) {
    std::map<std::pair<Corner, Corner>, int> edges;
    for (const meshes::Index3& t : mesh.triangles) {
        for (std::size_t c = 0; c < 3; ++c) {
            const Corner &from = mesh.vertices[t[c]], &to = mesh.vertices[t[(c + 1) % 3]];
            if (from < to) ++edges[{from, to}];
            if (to < from) --edges[{to, from}];
        }
    }
    return std::all_of(edges.begin(), edges.end(), [](const auto& edge) { return edge.second == 0; });
}

void check_mesh(Input& input) {
    const Mesh mesh = input.up_to(3) == 0 ? any_mesh(input) : closed_mesh(input);
    if (mesh.vertices.empty()) return;
    const lanecull::MeshSolidOptions options{
        .resolution = 1 + input.up_to(11), .max_boxes = 1 + input.up_to(7), .is_ungrown = input.flag()};
    lanecull::SolidBoxes boxes;
    lanecull::MeshVolumes volumes{-1, -1};
    const lanecull::Status status = lanecull::solid_boxes(mesh.view(), boxes, options, &volumes);
    const bool good = is_readable(mesh) && is_closed(mesh);
    check(status.ok() == good, good ? "a closed mesh is taken" : "what is not closed is refused", mesh.describe());
    if (!status) {
        check(boxes.count() == 0 && volumes.mesh == -1 && volumes.boxes == -1, "a failure writes nothing");
        return;
    }
    check(boxes.count() <= options.max_boxes, "no more boxes than asked for");
    Random random(1);
    // Moved corners may lay sheets of the surface into one another; so its inside is judged by winding numbers.
    const std::string wrong = meshes::what_is_wrong(mesh, boxes, random, true);
    if (!wrong.empty()) check(false, wrong.c_str(), mesh.describe());
    if (boxes.count() == 0) return;
    const Corner middle = meshes::middle_of(boxes, 0);
    const float inside[3] = {middle[0], middle[1], middle[2]};
    lanecull::SolidHull hull;
    if (!lanecull::solid_hull(mesh.view(), inside, hull)) return;
    const std::string wrong_hull = meshes::what_is_wrong(mesh, hull, random);
    if (!wrong_hull.empty()) check(false, wrong_hull.c_str(), mesh.describe());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Input input(data, size);
    if (input.flag()) {
        check_merging(input);
    } else {
        check_mesh(input);
    }
    return 0;
}
