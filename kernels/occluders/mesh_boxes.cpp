/// solid_boxes(): cells wholly inside a mesh, boxes of such cells, each grown until it touches the mesh.

#include <algorithm>
#include <cmath>
#include <memory>
#include <new>

#include "base/float_modes.hpp"
#include "occluders/choose_solids.hpp"
#include "occluders/closed_mesh.hpp"
#include "occluders/extend.hpp"
#include "occluders/solid_boxes.hpp"
#include "occluders/solid_volume.hpp"
#include "occluders/voxels.hpp"

namespace lanecull {
namespace {

using solids::no_memory;
using solids::Solid;
using solids::Triangle;

Status check(const MeshSolidOptions& options) {
    if (options.resolution == 0 || options.resolution > max_solid_resolution) {
        return Status::failure("options.resolution: %u is not from 1 to %u", options.resolution, max_solid_resolution);
    }
    if (options.max_boxes == 0 || options.max_boxes > max_mesh_solids) {
        return Status::failure("options.max_boxes: %u is not from 1 to %u", options.max_boxes, max_mesh_solids);
    }
    return {};
}

/// Large boxes first, without those that another contains.
[[nodiscard]] bool put_in_order(Array<Solid>& boxes) {
    std::sort(boxes.begin(), boxes.end(), solids::is_larger);
    std::size_t kept = 0;
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        const auto contains_it = [&](const Solid& larger) { return contains(larger, boxes[i]); };
        if (std::none_of(boxes.begin(), boxes.begin() + kept, contains_it)) boxes[kept++] = boxes[i];
    }
    return boxes.resize(kept);
}

[[nodiscard]] bool find_boxes(const Array<Triangle>& triangles, int sign, const MeshSolidOptions& options,
                              Array<Solid>& boxes) {
    solids::CellGrid grid;
    if (!solids::lay_lines(triangles, options.resolution, grid)) return false;
    if (grid.cells() == 0) return true;  // the mesh is flat
    Array<std::uint8_t> inside;
    if (!solids::find_inside(triangles, sign, grid, inside) || !grid.fill(inside)) return false;
    if (!solids::choose_boxes(grid, inside, options.max_boxes, boxes)) return false;
    if (options.grow) {
        for (Solid& box : boxes) solids::extend(triangles, box);
    }
    return put_in_order(boxes);
}

}  // namespace

Status solid_boxes(const TriangleMesh& mesh, SolidBoxes& boxes, const MeshSolidOptions& options,
                   MeshVolumes* volumes) noexcept {
    const FloatModes modes;
    if (Status status = check(options); !status) return status;
    Array<Triangle> triangles;
    if (Status status = solids::read_closed_mesh(mesh, triangles); !status) return status;
    std::unique_ptr<SolidBoxes::Contents> contents(new (std::nothrow) SolidBoxes::Contents);
    if (contents == nullptr) return no_memory();
    const double volume = solids::signed_volume(triangles);
    Array<Solid> results;
    if (triangles.size() > 0 && !find_boxes(triangles, volume < 0 ? -1 : 1, options, results)) return no_memory();
    MeshVolumes found{std::fabs(volume), 0};
    if (!solids::find_volume(results, found.boxes) || !contents->store(results)) return no_memory();
    SolidBoxesAccess::give(boxes, contents.release());
    if (volumes != nullptr) *volumes = found;
    return {};
}

}  // namespace lanecull
