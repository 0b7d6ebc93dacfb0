/// Preconditions of a call that culls 2D shapes.

#include "flat/check.hpp"

#include "calls/check.hpp"
#include "calls/check_call.hpp"

namespace lanecull::flat {
namespace {

Status check(const Circles& s) { return check_streams({{s.x, "x"}, {s.y, "y"}, {s.radius, "radius"}}); }

Status check(const Boxes& s) {
    return check_streams({{s.min_x, "min_x"}, {s.min_y, "min_y"}, {s.max_x, "max_x"}, {s.max_y, "max_y"}});
}

Status check(const OrientedBoxes& s) {
    return check_streams({{s.x, "x"},
                          {s.y, "y"},
                          {s.axis_x, "axis_x"},
                          {s.axis_y, "axis_y"},
                          {s.half_x, "half_x"},
                          {s.half_y, "half_y"}});
}

Status check(const Capsules& s) {
    return check_streams({{s.a_x, "a_x"}, {s.a_y, "a_y"}, {s.b_x, "b_x"}, {s.b_y, "b_y"}, {s.radius, "radius"}});
}

Status check(const PolygonInstances& s) {
    Status status =
        check_streams({{s.x, "x"}, {s.y, "y"}, {s.turn_x, "turn_x"}, {s.turn_y, "turn_y"}, {s.polygon, "polygon"}});
    if (!status) return status;
    if (s.polygon->count == 0)
        return Status::failure(StatusCode::not_ready, "polygon: was not prepared by prepare_polygon()");
    return {};
}

Status check_batch(const Batch& batch) {
    Status status = batch.shapes.visit([](const auto& shapes) { return check(shapes); });
    return status.ok() ? lanecull::check_draw_templates(batch.draws) : status;
}

}  // namespace

Status check_batches(std::span<const Batch> batches) noexcept {
    for (std::size_t b = 0; b < batches.size(); ++b) {
        if (batches[b].count() == 0) continue;
        const Status status = check_batch(batches[b]);
        if (!status) return Status::failure(status.code(), "batches[%zu].%s", b, status.message());
    }
    return {};
}

Status check_views(std::span<const View> views) noexcept {
    if (Status status = check_view_count(views.size()); !status) return status;
    for (std::size_t v = 0; v < views.size(); ++v) {
        if (!views[v].prepared())
            return Status::failure(StatusCode::not_ready, "views[%zu]: was not prepared by prepare_view()", v);
    }
    return {};
}

Status check_occluders(const ViewOutput& output, std::span<const Batch>, std::size_t v) noexcept {
    if (output.occluders.empty() && output.hidden_counts.empty()) return {};
    return Status::failure("outputs[%zu].occluders: solids hide no figures", v);
}

}  // namespace lanecull::flat
