/// c/flat/view.h

#include <lanecull/c/flat/view.h>

#include <lanecull/flat/view.hpp>

#include "c/flat/lists.hpp"

using namespace lanecull;

lanecull_status lanecull_flat_create_views(uint32_t count, lanecull_flat_views** views, lanecull_message* message) {
    return c::report(c::create_list(count, flat::View(), "views", views), message);
}

void lanecull_flat_destroy_views(lanecull_flat_views* views) { delete views; }

uint32_t lanecull_flat_view_count(const lanecull_flat_views* views) { return c::length(views); }

uint32_t lanecull_flat_view_is_prepared(const lanecull_flat_views* views, uint32_t i) {
    return i < c::length(views) && views->items[i].prepared() ? 1 : 0;
}

lanecull_status lanecull_flat_prepare_view(lanecull_flat_views* views, uint32_t i,
                                           const lanecull_flat_rectangle* rectangle, lanecull_message* message) {
    if (rectangle == nullptr) return c::refuse_null("rectangle", message);
    Status status = c::check_item(views, i, "views");
    if (status) {
        const auto& [min_x, min_y, max_x, max_y] = *rectangle;
        status = flat::prepare_view(flat::Rectangle{min_x, min_y, max_x, max_y}, views->items[i]);
    }
    return c::report(status, message);
}

lanecull_status lanecull_flat_prepare_turned_view(lanecull_flat_views* views, uint32_t i,
                                                  const lanecull_flat_turned_rectangle* rectangle,
                                                  lanecull_message* message) {
    if (rectangle == nullptr) return c::refuse_null("rectangle", message);
    Status status = c::check_item(views, i, "views");
    if (status) {
        const auto& [x, y, half_x, half_y, axis_x, axis_y] = *rectangle;
        status = flat::prepare_view(flat::TurnedRectangle{x, y, half_x, half_y, axis_x, axis_y}, views->items[i]);
    }
    return c::report(status, message);
}

lanecull_status lanecull_flat_prepare_view_from_points(lanecull_flat_views* views, uint32_t i, const double* points,
                                                       size_t point_count, lanecull_message* message) {
    std::span<const double> numbers;
    Status status = c::check_item(views, i, "views");
    if (status && point_count > flat::PreparedView::max_edges) {
        status = Status::failure("point_count: %zu are too many", point_count);
    }
    if (status) status = c::take(points, 2 * point_count, "points", numbers);
    if (status) status = flat::prepare_view_from_points(numbers, views->items[i]);
    return c::report(status, message);
}
