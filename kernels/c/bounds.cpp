/// c/bounds.h

#include <lanecull/c/bounds.h>

#include <lanecull/bounds.hpp>

#include "c/bounds.hpp"
#include "c/options.hpp"
#include "c/transforms.hpp"

using namespace lanecull;

namespace lanecull::c {
namespace {

/// bound(vertices, result, isa), of a result that must be there.
template <class Result, class Bound>
lanecull_status bound_vertices(const lanecull_vertices* vertices, Result* result, const char* name, std::uint32_t isa,
                               lanecull_message* message, const Bound& bound) noexcept {
    if (result == nullptr) return refuse_null(name, message);
    Vertices taken;
    Isa set = Isa::automatic;
    Status status = take_vertices(vertices, taken);
    if (status) status = take_isa(isa, "isa", set);
    if (status) status = bound(taken, *result, set);
    return report(status, message);
}

}  // namespace
}  // namespace lanecull::c

lanecull_status lanecull_bounding_box(const lanecull_vertices* vertices, lanecull_box_bounds* box, uint32_t isa,
                                      lanecull_message* message) {
    return c::bound_vertices(vertices, c::same(box), "box", isa, message, bounding_box);
}

lanecull_status lanecull_bounding_sphere(const lanecull_vertices* vertices, lanecull_sphere_bounds* sphere,
                                         uint32_t isa, lanecull_message* message) {
    return c::bound_vertices(vertices, c::same(sphere), "sphere", isa, message, bounding_sphere);
}

lanecull_status lanecull_bounding_oriented_box(const lanecull_vertices* vertices, lanecull_oriented_box_bounds* box,
                                               uint32_t isa, lanecull_message* message) {
    return c::bound_vertices(vertices, c::same(box), "box", isa, message, bounding_oriented_box);
}

lanecull_status lanecull_bounding_radii(const lanecull_oriented_boxes* boxes, float* radius,
                                        lanecull_message* message) {
    Status status = c::check_struct(boxes, "boxes");
    if (status) status = bounding_radii(c::oriented_boxes_of(*boxes), radius);
    return c::report(status, message);
}

lanecull_status lanecull_hull_bounding_spheres(const lanecull_hull_instances* instances, float* x, float* y, float* z,
                                               float* radius, lanecull_message* message) {
    HullInstances taken;
    Status status = c::check_struct(instances, "instances");
    if (status) status = c::take_hull_instances(*instances, taken);
    if (status) status = bounding_spheres(taken, x, y, z, radius);
    return c::report(status, message);
}

lanecull_status lanecull_box_bounding_spheres(const lanecull_box_instances* instances, float* x, float* y, float* z,
                                              float* radius, lanecull_message* message) {
    BoxInstances taken;
    Status status = c::check_struct(instances, "instances");
    if (status) status = c::take_box_instances(*instances, taken);
    if (status) status = bounding_spheres(taken, x, y, z, radius);
    return c::report(status, message);
}
