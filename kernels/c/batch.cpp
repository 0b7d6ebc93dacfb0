/// c/batch.h

#include <lanecull/c/batch.h>

#include <lanecull/batch.hpp>

#include "c/attributes.hpp"
#include "c/draws.hpp"
#include "c/lists.hpp"
#include "c/one_kind.hpp"
#include "c/same_layout.hpp"
#include "c/transforms.hpp"

using namespace lanecull;

namespace lanecull::c {
namespace {

static_assert(int{LANECULL_OBJECT_DISABLED} == int{object_disabled});
static_assert(int{LANECULL_OBJECT_ALWAYS_VISIBLE} == int{object_always_visible});

struct TakeKind {
    using Shapes = Batch::Shapes;

    Status operator()(const lanecull_spheres& s, Shapes& to) const {
        to = Spheres{s.x, s.y, s.z, s.radius, s.count};
        return {};
    }
    Status operator()(const lanecull_boxes& s, Shapes& to) const {
        to = boxes_of(s);
        return {};
    }
    Status operator()(const lanecull_centered_boxes& s, Shapes& to) const {
        to = CenteredBoxes{s.x, s.y, s.z, s.half_x, s.half_y, s.half_z, s.count};
        return {};
    }
    Status operator()(const lanecull_oriented_boxes& s, Shapes& to) const {
        to = oriented_boxes_of(s);
        return {};
    }
    Status operator()(const lanecull_capsules& s, Shapes& to) const {
        to = Capsules{s.a_x, s.a_y, s.a_z, s.b_x, s.b_y, s.b_z, s.radius, s.count};
        return {};
    }
    Status operator()(const lanecull_hull_instances& s, Shapes& to) const {
        HullInstances taken;
        Status status = take_hull_instances(s, taken);
        to = taken;
        return status;
    }
    Status operator()(const lanecull_box_instances& s, Shapes& to) const {
        BoxInstances taken;
        Status status = take_box_instances(s, taken);
        to = taken;
        return status;
    }
};

Status take_shapes(const lanecull_batch& batch, Batch::Shapes& to) {
    OneKind<TakeKind> kinds;
    kinds.look_at(batch.spheres, "batch.spheres");
    kinds.look_at(batch.boxes, "batch.boxes");
    kinds.look_at(batch.centered_boxes, "batch.centered_boxes");
    kinds.look_at(batch.oriented_boxes, "batch.oriented_boxes");
    kinds.look_at(batch.capsules, "batch.capsules");
    kinds.look_at(batch.hull_instances, "batch.hull_instances");
    kinds.look_at(batch.box_instances, "batch.box_instances");
    return kinds.take(to);
}

Status take_batch(const lanecull_batch* given, Batch& to) {
    if (Status status = check_struct(given, "batch"); !status) return status;
    Batch taken(Spheres{}, given->first_index);
    if (Status status = take_shapes(*given, taken.shapes); !status) return status;
    if (Status status = take_attributes(given->attributes, "batch.attributes", taken.attributes); !status)
        return status;
    if (Status status = take_draw_templates(given->draws, taken.draws); !status) return status;
    to = taken;
    return {};
}

}  // namespace
}  // namespace lanecull::c

lanecull_status lanecull_prepare_hull(const float* x, const float* y, const float* z, uint32_t count,
                                      lanecull_hull* hull, lanecull_message* message) {
    if (hull == nullptr) return c::report(Status::failure("hull: must not be null"), message);
    return c::report(prepare_hull(x, y, z, count, *c::same(hull)), message);
}

lanecull_status lanecull_create_batches(uint32_t count, lanecull_batches** batches, lanecull_message* message) {
    return c::report(c::create_list(count, Batch(Spheres{}), "batches", batches), message);
}

void lanecull_destroy_batches(lanecull_batches* batches) { delete batches; }

uint32_t lanecull_batch_count(const lanecull_batches* batches) { return c::length(batches); }

lanecull_status lanecull_set_batch(lanecull_batches* batches, uint32_t i, const lanecull_batch* batch,
                                   lanecull_message* message) {
    Status status = c::check_item(batches, i, "batches");
    if (status) status = c::take_batch(batch, batches->items[i]);
    return c::report(status, message);
}
