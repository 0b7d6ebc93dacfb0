/// c/flat/batch.h

#include <lanecull/c/flat/batch.h>

#include <cstddef>

#include <lanecull/flat/batch.hpp>

#include "c/draws.hpp"
#include "c/flat/lists.hpp"
#include "c/one_kind.hpp"

using namespace lanecull;

namespace lanecull::c {
namespace {

using flat::Polygon;

constexpr std::size_t most_flat_kinds = 5;
static_assert(flat::Batch::Shapes::size == most_flat_kinds);

// Shared, not copied, as what same_layout.hpp has.
static_assert(sizeof(Polygon) == sizeof(lanecull_flat_polygon) &&
              offsetof(Polygon, x) == offsetof(lanecull_flat_polygon, x) &&
              offsetof(Polygon, y) == offsetof(lanecull_flat_polygon, y) &&
              offsetof(Polygon, normal_x) == offsetof(lanecull_flat_polygon, normal_x) &&
              offsetof(Polygon, normal_y) == offsetof(lanecull_flat_polygon, normal_y) &&
              offsetof(Polygon, mean) == offsetof(lanecull_flat_polygon, mean) &&
              offsetof(Polygon, radius) == offsetof(lanecull_flat_polygon, radius) &&
              offsetof(Polygon, magnitude) == offsetof(lanecull_flat_polygon, magnitude));
const Polygon* shared(const lanecull_flat_polygon* polygon) { return reinterpret_cast<const Polygon*>(polygon); }
Polygon* shared(lanecull_flat_polygon* polygon) { return reinterpret_cast<Polygon*>(polygon); }

struct TakeFlatKind {
    using Shapes = flat::Batch::Shapes;

    Status operator()(const lanecull_flat_circles& s, Shapes& to) const {
        to = flat::Circles{s.x, s.y, s.radius, s.count};
        return {};
    }
    Status operator()(const lanecull_flat_boxes& s, Shapes& to) const {
        to = flat::Boxes{s.min_x, s.min_y, s.max_x, s.max_y, s.count};
        return {};
    }
    Status operator()(const lanecull_flat_oriented_boxes& s, Shapes& to) const {
        to = flat::OrientedBoxes{s.x, s.y, s.axis_x, s.axis_y, s.half_x, s.half_y, s.count};
        return {};
    }
    Status operator()(const lanecull_flat_capsules& s, Shapes& to) const {
        to = flat::Capsules{s.a_x, s.a_y, s.b_x, s.b_y, s.radius, s.count};
        return {};
    }
    Status operator()(const lanecull_flat_polygon_instances& s, Shapes& to) const {
        to = flat::PolygonInstances{s.x, s.y, s.turn_x, s.turn_y, shared(s.polygon), s.count};
        return {};
    }
};

Status take_batch(const lanecull_flat_batch* given, flat::Batch& to) {
    if (Status status = check_struct(given, "batch"); !status) return status;
    OneKind<TakeFlatKind> kinds;
    kinds.look_at(given->circles, "batch.circles");
    kinds.look_at(given->boxes, "batch.boxes");
    kinds.look_at(given->oriented_boxes, "batch.oriented_boxes");
    kinds.look_at(given->capsules, "batch.capsules");
    kinds.look_at(given->polygon_instances, "batch.polygon_instances");
    flat::Batch taken(flat::Circles{}, given->first_index);
    if (Status status = kinds.take(taken.shapes); !status) return status;
    if (Status status = take_draw_templates(given->draws, taken.draws); !status) return status;
    to = taken;
    return {};
}

}  // namespace
}  // namespace lanecull::c

lanecull_status lanecull_flat_prepare_polygon(const float* x, const float* y, uint32_t count,
                                              lanecull_flat_polygon* polygon, lanecull_message* message) {
    if (polygon == nullptr) return c::refuse_null("polygon", message);
    return c::report(flat::prepare_polygon(x, y, count, *c::shared(polygon)), message);
}

lanecull_status lanecull_flat_create_batches(uint32_t count, lanecull_flat_batches** batches,
                                             lanecull_message* message) {
    return c::report(c::create_list(count, flat::Batch(flat::Circles{}), "batches", batches), message);
}

void lanecull_flat_destroy_batches(lanecull_flat_batches* batches) { delete batches; }

uint32_t lanecull_flat_batch_count(const lanecull_flat_batches* batches) { return c::length(batches); }

lanecull_status lanecull_flat_set_batch(lanecull_flat_batches* batches, uint32_t i, const lanecull_flat_batch* batch,
                                        lanecull_message* message) {
    Status status = c::check_item(batches, i, "batches");
    if (status) status = c::take_batch(batch, batches->items[i]);
    return c::report(status, message);
}
