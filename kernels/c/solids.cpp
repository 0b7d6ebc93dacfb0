/// c/solids.h

#include <lanecull/c/solids.h>

#include <new>

#include <lanecull/solids.hpp>

#include "base/memory.hpp"
#include "c/bounds.hpp"
#include "c/given.hpp"
#include "c/same_layout.hpp"
#include "c/transforms.hpp"

using namespace lanecull;

struct lanecull_solid_boxes : Allocated {
    SolidBoxes solids;
};

namespace lanecull::c {
namespace {

Status take_mesh(const lanecull_triangle_mesh* given, TriangleMesh& to) noexcept {
    if (Status status = check_struct(given, "mesh"); !status) return status;
    to.indices = given->indices;
    to.triangle_count = given->triangle_count;
    return take_vertices(given->vertices, to.vertices);
}

Status take_mesh_options(const lanecull_mesh_solid_options* given, MeshSolidOptions& to) noexcept {
    if (given == nullptr) return {};
    if (Status status = check_struct(given, "options"); !status) return status;
    to.resolution = or_default(given->resolution, to.resolution);
    to.max_boxes = or_default(given->max_boxes, to.max_boxes);
    to.grow = given->is_ungrown == 0;
    return {};
}

}  // namespace
}  // namespace lanecull::c

lanecull_status lanecull_create_solid_boxes(lanecull_solid_boxes** solids, lanecull_message* message) {
    if (solids == nullptr) return c::refuse_null("solids", message);
    auto* const made = new (std::nothrow) lanecull_solid_boxes;
    if (made == nullptr) {
        return c::report(Status::failure(StatusCode::out_of_memory, "solids: there is not enough memory"), message);
    }
    *solids = made;
    return c::report({}, message);
}

void lanecull_destroy_solid_boxes(lanecull_solid_boxes* solids) { delete solids; }

uint32_t lanecull_solid_box_count(const lanecull_solid_boxes* solids) {
    return solids != nullptr ? solids->solids.count() : 0;
}

lanecull_status lanecull_solid_box_streams(const lanecull_solid_boxes* solids, lanecull_boxes* boxes,
                                           lanecull_message* message) {
    if (solids == nullptr) return c::refuse_null("solids", message);
    Status status = c::check_struct(boxes, "boxes");
    if (status) {
        const Boxes found = solids->solids.boxes();
        *boxes = {boxes->size, found.min_x, found.min_y, found.min_z,
                  found.max_x, found.max_y, found.max_z, found.count};
    }
    return c::report(status, message);
}

lanecull_status lanecull_solid_box_owners(const lanecull_solid_boxes* solids, uint32_t i, const uint32_t** owners,
                                          size_t* owner_count, lanecull_message* message) {
    if (owners == nullptr) return c::refuse_null("owners", message);
    if (owner_count == nullptr) return c::refuse_null("owner_count", message);
    if (i >= lanecull_solid_box_count(solids)) {
        return c::report(
            Status::failure("i: %u is not below %u, the count of solids", i, lanecull_solid_box_count(solids)),
            message);
    }
    const std::span<const std::uint32_t> found = solids->solids.owners(i);
    *owners = found.data();
    *owner_count = found.size();
    return c::report({}, message);
}

lanecull_status lanecull_merge_boxes(const lanecull_boxes* boxes, lanecull_solid_boxes* merged, uint32_t max_boxes,
                                     lanecull_message* message) {
    if (merged == nullptr) return c::refuse_null("merged", message);
    Status status = c::check_struct(boxes, "boxes");
    if (status) status = merge_boxes(c::boxes_of(*boxes), merged->solids, {max_boxes});
    return c::report(status, message);
}

lanecull_status lanecull_find_mesh_solids(const lanecull_triangle_mesh* mesh, lanecull_solid_boxes* solids,
                                          const lanecull_mesh_solid_options* options, lanecull_mesh_volumes* volumes,
                                          lanecull_message* message) {
    if (solids == nullptr) return c::refuse_null("solids", message);
    TriangleMesh taken;
    MeshSolidOptions how;
    MeshVolumes found;
    Status status = c::take_mesh(mesh, taken);
    if (status) status = c::take_mesh_options(options, how);
    if (status) status = solid_boxes(taken, solids->solids, how, &found);
    if (status && volumes != nullptr) *volumes = {found.mesh, found.boxes};
    return c::report(status, message);
}

lanecull_status lanecull_find_solid_hull(const lanecull_triangle_mesh* mesh, const float* inside,
                                         lanecull_solid_hull* hull, double* volume, lanecull_message* message) {
    if (inside == nullptr) return c::refuse_null("inside", message);
    if (hull == nullptr) return c::refuse_null("hull", message);
    TriangleMesh taken;
    Status status = c::take_mesh(mesh, taken);
    if (status) status = solid_hull(taken, {inside[0], inside[1], inside[2]}, *c::same(hull), volume);
    return c::report(status, message);
}
