/// c/world_bounds.h

#include <lanecull/c/world_bounds.h>

#include <lanecull/world_bounds.hpp>

#include "c/options.hpp"
#include "c/transforms.hpp"

using namespace lanecull;

namespace lanecull::c {
namespace {

BoxStreams box_streams_of(const lanecull_box_streams& s) {
    return {s.min_x, s.min_y, s.min_z, s.max_x, s.max_y, s.max_z};
}

WrittenRecords written_records_of(const lanecull_written_records& r) {
    return {r.first, or_default(r.stride_bytes, Records::packed)};
}

/// bound(instances, options), where `to` receives the result.
template <class Streams, class Bound>
lanecull_status bound_instances(const lanecull_box_instances* instances, const Streams* to, const char* name,
                                std::uint32_t isa, const lanecull_runner* runner, lanecull_message* message,
                                const Bound& bound) noexcept {
    BoxInstances taken;
    WorldBoundsOptions how;
    Status status = check_struct(instances, "instances");
    if (status) status = take_box_instances(*instances, taken);
    if (status) status = check_struct(to, name);
    if (status) status = take_isa(isa, "isa", how.isa);
    if (status) status = take_runner(runner, how.runner);
    if (status) status = bound(taken, how);
    return report(status, message);
}

}  // namespace
}  // namespace lanecull::c

lanecull_status lanecull_world_boxes(const lanecull_box_instances* instances, const lanecull_box_streams* boxes,
                                     uint32_t isa, const lanecull_runner* runner, lanecull_message* message) {
    return c::bound_instances(instances, boxes, "boxes", isa, runner, message,
                              [&](const BoxInstances& of, const WorldBoundsOptions& how) {
                                  return world_boxes(of.local, of.transforms, of.count, c::box_streams_of(*boxes), how);
                              });
}

lanecull_status lanecull_world_spheres(const lanecull_box_instances* instances, const lanecull_sphere_streams* spheres,
                                       uint32_t isa, const lanecull_runner* runner, lanecull_message* message) {
    return c::bound_instances(instances, spheres, "spheres", isa, runner, message,
                              [&](const BoxInstances& of, const WorldBoundsOptions& how) {
                                  const SphereStreams to = {spheres->x, spheres->y, spheres->z, spheres->radius};
                                  return world_spheres(of.local, of.transforms, of.count, to, how);
                              });
}

lanecull_status lanecull_world_oriented_boxes(const lanecull_box_instances* instances,
                                              const lanecull_oriented_box_streams* boxes, uint32_t isa,
                                              const lanecull_runner* runner, lanecull_message* message) {
    return c::bound_instances(instances, boxes, "boxes", isa, runner, message,
                              [&](const BoxInstances& of, const WorldBoundsOptions& how) {
                                  const OrientedBoxStreams to = {boxes->x,
                                                                 boxes->y,
                                                                 boxes->z,
                                                                 c::written_records_of(boxes->axes),
                                                                 c::written_records_of(boxes->quaternions),
                                                                 c::written_records_of(boxes->half_extents),
                                                                 boxes->bounding_radius};
                                  return world_oriented_boxes(of.local, of.transforms, of.count, to, how);
                              });
}

lanecull_status lanecull_join_boxes(const lanecull_boxes* boxes, const uint32_t* first, uint32_t count,
                                    const lanecull_box_streams* joined, lanecull_message* message) {
    Status status = c::check_struct(boxes, "boxes");
    if (status) status = c::check_struct(joined, "joined");
    if (status) status = join_boxes(c::boxes_of(*boxes), first, count, c::box_streams_of(*joined));
    return c::report(status, message);
}
