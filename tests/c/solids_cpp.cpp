#include "solids.h"

#include <algorithm>
#include <lanecull/lanecull.hpp>
#include <vector>

using namespace lanecull;

namespace {

/// A failure leaves the answer as it is, which C's then is not.
void expect(const Status& status) { static_cast<void>(status.ok()); }

void take(const SolidBoxes& solids, found_boxes& to) {
    const Boxes boxes = solids.boxes();
    const float* const streams[] = {boxes.min_x, boxes.min_y, boxes.min_z, boxes.max_x, boxes.max_y, boxes.max_z};
    to.count = boxes.count;
    for (int k = 0; k < 6; ++k) std::copy_n(streams[k], std::min(boxes.count, std::uint32_t{most}), to.streams[k]);
}

}  // namespace

void solids_cpp(const float (*modules)[module_count], const float* corners, const uint32_t* triangles,
                const float* walls, const float (*places)[12], const double* matrix, found_solids* answer) {
    const auto& m = modules;
    SolidBoxes solids;
    expect(merge_boxes({m[0], m[1], m[2], m[3], m[4], m[5], module_count}, solids));
    take(solids, answer->merged);
    answer->owner_count = solids.owners(0).size();
    answer->last_owner = solids.owners(0).back();

    TriangleMesh mesh;
    mesh.vertices = {corners, corners + 1, corners + 2, 8, 3 * sizeof(float)};
    mesh.indices = triangles;
    mesh.triangle_count = 12;
    MeshVolumes volumes;
    expect(solid_boxes(mesh, solids, {}, &volumes));
    take(solids, answer->in_mesh);
    answer->volume = volumes.boxes;

    SolidHull hull;
    expect(inscribe_hull(mesh.vertices, hull));
    answer->hull_corners = hull.corner_count;
    std::copy_n(&hull.corner[0][0], 24, answer->hull_corner);

    SolidHull enclosed;
    expect(solid_hull(mesh, {1, 1, 1}, enclosed, &answer->enclosed_volume));
    std::copy_n(&enclosed.corner[0][0], 24, answer->enclosed_corner);

    SolidOrientedBox placed;
    const float turned[12] = {0, -2, 0, 1, 2, 0, 0, 2, 0, 0, 2, 3};
    static_cast<void>(place_solid({{-1, -1, -1}, {1, 2, 3}}, turned, placed));
    std::copy_n(placed.center, 3, answer->placed);
    std::copy_n(placed.half_extents, 3, answer->placed + 3);

    Rasterization raster;
    raster.width = 1920, raster.height = 1080;
    raster.scale_x = raster.scale_y = 1;
    raster.near_depth = 0.5;
    raster.is_camera_relative = true;
    RasterMargin margin;
    expect(raster_margin(raster, margin));
    answer->margin[0] = margin.per_distance;
    answer->margin[1] = margin.depth_per_square;
    answer->margin[2] = margin.depth_per_distance;

    const std::span<const double, 16> clip(matrix, 16);
    std::vector<SolidBox> boxes;
    for (const float* wall = walls; wall != walls + 6 * wall_count; wall += 6) {
        boxes.push_back({{wall[0], wall[1], wall[2]}, {wall[3], wall[4], wall[5]}});
    }
    View view;
    Viewpoint viewpoint;
    expect(prepare_view(clip, {}, view));
    expect(prepare_viewpoint(clip, {}, viewpoint));
    std::vector<Occluder> occluders(wanted);
    std::vector<std::byte> scratch(choose_scratch_bytes(wall_count));
    SolidSet set;
    set.boxes = boxes;
    expect(choose_occluders(set, view, viewpoint, occluders, {answer->chosen, wanted}, scratch, answer->chosen_count));

    std::vector<SolidHullInstance> hulls(wall_count - box_count);
    for (std::size_t i = 0; i < hulls.size(); ++i) {
        hulls[i].hull = &hull;
        std::copy_n(places[i], 12, hulls[i].transform);
    }
    set.boxes = set.boxes.first(box_count);
    set.hulls = hulls;
    expect(choose_occluders(set, view, viewpoint, occluders, {answer->chosen_hulls, wanted}, scratch,
                            answer->chosen_hull_count));
}
