/// Preconditions of a call that culls 2D shapes. prepare_polygon(): the hull, normals and bounds that instances share.

#include <lanecull/flat.h>

#include <cmath>

#include "base/failure.hpp"
#include "base/float_modes.hpp"
#include "base/given.hpp"
#include "base/interval.hpp"
#include "calls/check.hpp"
#include "flat/hull.hpp"
#include "flat/kind_list.hpp"
#include "flat/work.hpp"

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
    if (s.polygon->count == 0) return failure(StatusCode::not_ready, "polygon: was not prepared by prepare_polygon()");
    return {};
}

Status check_kind(const Batch& batch) {
    return place_of(batch) < Kinds::size ? Status() : no_enumerator(batch.kind, "kind");
}

Status check_batch(const Batch& batch) {
    if (Status status = check_kind(batch); !status || batch.count() == 0) return status;
    if (!is_cleared(batch)) return not_cleared("reserved");
    Status status = visit(batch, [](const auto& shapes) { return check(shapes); });
    return status.ok() ? lanecull::check_draw_templates(batch.draws) : status;
}

}  // namespace

Status check_batches(std::span<const Batch> batches) noexcept {
    for (std::size_t b = 0; b < batches.size(); ++b) {
        const Status status = check_batch(batches[b]);
        if (!status) return within(status, "batches[%zu].", b);
    }
    return {};
}

Status check_views(std::span<const View> views) noexcept {
    if (Status status = check_view_count(views.size()); !status) return status;
    for (std::size_t v = 0; v < views.size(); ++v) {
        if (!is_prepared(views[v]))
            return failure(StatusCode::not_ready, "views[%zu]: was not prepared by prepare_view()", v);
    }
    return {};
}

namespace {

constexpr float largest_vertex = 1e30f;

/// Sets the outward normal of the edge that begins at corner k.
void set_normal(Polygon& polygon, std::uint32_t k) {
    const std::uint32_t next = (k + 1) % polygon.count;
    const double x = static_cast<double>(polygon.y[next]) - static_cast<double>(polygon.y[k]);
    const double y = static_cast<double>(polygon.x[k]) - static_cast<double>(polygon.x[next]);
    const double length = std::hypot(x, y);
    polygon.normal_x[k] = length > 0 ? static_cast<float>(x / length) : 0;
    polygon.normal_y[k] = length > 0 ? static_cast<float>(y / length) : 0;
}

void set_bounds(Polygon& polygon) {
    double x = 0, y = 0, radius = 0, magnitude = 0;
    for (std::uint32_t k = 0; k < polygon.count; ++k) {
        x += static_cast<double>(polygon.x[k]) / polygon.count;
        y += static_cast<double>(polygon.y[k]) / polygon.count;
    }
    polygon.mean[0] = static_cast<float>(x);
    polygon.mean[1] = static_cast<float>(y);
    for (std::uint32_t k = 0; k < polygon.count; ++k) {
        const double to_x = static_cast<double>(polygon.x[k]) - static_cast<double>(polygon.mean[0]);
        const double to_y = static_cast<double>(polygon.y[k]) - static_cast<double>(polygon.mean[1]);
        radius = std::fmax(radius, std::hypot(to_x, to_y));
        magnitude = std::fmax(
            magnitude, std::fabs(static_cast<double>(polygon.x[k])) + std::fabs(static_cast<double>(polygon.y[k])));
    }
    polygon.radius = rounded_up(radius);
    polygon.magnitude = rounded_up(magnitude);
}

}  // namespace
}  // namespace lanecull::flat

using namespace lanecull;

lanecull_status lanecull_flat_prepare_polygon(const float* x, const float* y, uint32_t count,
                                              lanecull_flat_polygon* polygon) noexcept {
    const FloatModes modes;
    if (polygon == nullptr) return failure("polygon: must not be null");
    if (x == nullptr || y == nullptr) return failure("x, y: must not be null");
    if (count == 0 || count > flat::Polygon::max_points) {
        return failure("count: 1 to %u points make a polygon, not %u", flat::Polygon::max_points, count);
    }
    flat::Corner corners[2 * flat::Polygon::max_points];
    for (std::uint32_t i = 0; i < count; ++i) {
        if (!(std::fabs(x[i]) <= flat::largest_vertex) || !(std::fabs(y[i]) <= flat::largest_vertex)) {
            return failure("x, y: point %u is not finite, or beyond 1e30", i);
        }
        corners[i] = {Interval(x[i]), Interval(y[i])};
    }
    flat::Polygon made;
    made.count = flat::hull_of(corners, count);
    for (std::uint32_t k = 0; k < made.count; ++k) {
        made.x[k] = static_cast<float>(corners[k].x.lo);
        made.y[k] = static_cast<float>(corners[k].y.lo);
    }
    for (std::uint32_t k = 0; k < made.count; ++k) flat::set_normal(made, k);
    flat::set_bounds(made);
    *polygon = made;
    return Status();
}
