/// c/view.h

#include <lanecull/c/view.h>

#include <limits>

#include <lanecull/view.hpp>

#include "c/lists.hpp"
#include "c/view_options.hpp"

using namespace lanecull;

static_assert(LANECULL_COLUMN_MAJOR == static_cast<int>(MatrixLayout::column_major));
static_assert(LANECULL_ROW_MAJOR == static_cast<int>(MatrixLayout::row_major));
static_assert(LANECULL_ZERO_TO_ONE == static_cast<int>(DepthRange::zero_to_one));
static_assert(LANECULL_MINUS_ONE_TO_ONE == static_cast<int>(DepthRange::minus_one_to_one));

namespace lanecull::c {

Status take_clip_space(const lanecull_clip_space* given, ClipSpace& to) noexcept {
    if (given == nullptr) return {};
    if (Status status = check_struct(given, "clip_space"); !status) return status;
    for (int k = 0; k < 3; ++k) to.origin[k] = given->origin[k];
    if (Status status = take_enum(given->layout, MatrixLayout::row_major, "clip_space.layout", to.layout); !status) {
        return status;
    }
    return take_enum(given->depth, DepthRange::minus_one_to_one, "clip_space.depth", to.depth);
}

Status take_sun(const lanecull_sun& given, Sun& to) noexcept {
    if (Status status = check_struct(&given, "options.sun"); !status) return status;
    for (int k = 0; k < 3; ++k) to.toward[k] = given.toward[k];
    to.reach = or_default(given.reach, std::numeric_limits<double>::infinity());
    return {};
}

namespace {

Status take_lamp(const lanecull_lamp& given, Lamp& to) noexcept {
    if (Status status = check_struct(&given, "options.lamp"); !status) return status;
    for (int k = 0; k < 3; ++k) to.at[k] = given.at[k];
    to.range = or_default(given.range, std::numeric_limits<double>::infinity());
    return c::take(same(given.sides), given.side_count, "options.lamp.sides", to.sides);
}

/// Prepares view i of the list by prepare(view, options).
template <class Prepare>
lanecull_status prepare_item(lanecull_views* views, std::uint32_t i, const lanecull_view_options* options,
                             lanecull_message* message, const Prepare& prepare) noexcept {
    TakenOptions taken;
    Status status = check_item(views, i, "views");
    if (status) status = taken.take(options);
    if (status) status = prepare(views->items[i], taken.options);
    return report(status, message);
}

/// The same of matrices: prepare(view, clip space, options).
template <class Number, class Prepare>
lanecull_status prepare_of_matrix(lanecull_views* views, std::uint32_t i, const Number* matrix, const char* name,
                                  const lanecull_clip_space* clip_space, const lanecull_view_options* options,
                                  lanecull_message* message, const Prepare& prepare) noexcept {
    return prepare_item(views, i, options, message, [&](View& view, const ViewOptions& taken) {
        ClipSpace space;
        if (matrix == nullptr) return Status::failure("%s: must not be null", name);
        if (Status status = take_clip_space(clip_space, space); !status) return status;
        return prepare(view, space, taken);
    });
}

}  // namespace

Status TakenOptions::take(const lanecull_view_options* given) noexcept {
    if (given == nullptr) return {};
    if (Status status = check_struct(given, "options"); !status) return status;
    options.margin = given->margin;
    if (given->layer_mask != nullptr) options.layer_mask = *given->layer_mask;
    options.eye = given->eye;
    options.size_scale = given->size_scale;
    if (given->sun != nullptr) {
        if (Status status = take_sun(*given->sun, sun); !status) return status;
        options.sun = &sun;
    }
    if (given->lamp != nullptr) {
        if (Status status = take_lamp(*given->lamp, lamp); !status) return status;
        options.lamp = &lamp;
    }
    return c::take(same(given->clip_planes), given->clip_plane_count, "options.clip_planes", options.clip_planes);
}

}  // namespace lanecull::c

lanecull_status lanecull_create_views(uint32_t count, lanecull_views** views, lanecull_message* message) {
    return c::report(c::create_list(count, View(), "views", views), message);
}

void lanecull_destroy_views(lanecull_views* views) { delete views; }

uint32_t lanecull_view_count(const lanecull_views* views) { return c::length(views); }

uint32_t lanecull_view_is_prepared(const lanecull_views* views, uint32_t i) {
    return i < lanecull_view_count(views) && views->items[i].prepared() ? 1 : 0;
}

uint32_t lanecull_view_is_exact(const lanecull_views* views, uint32_t i) {
    return lanecull_view_is_prepared(views, i) != 0 && views->items[i].exact() ? 1 : 0;
}

uint32_t lanecull_view_sees_nothing(const lanecull_views* views, uint32_t i) {
    return lanecull_view_is_prepared(views, i) != 0 && views->items[i].sees_nothing() ? 1 : 0;
}

lanecull_status lanecull_prepare_view(lanecull_views* views, uint32_t i, const double* clip_from_world,
                                      const lanecull_clip_space* clip_space, const lanecull_view_options* options,
                                      lanecull_message* message) {
    return c::prepare_of_matrix(views, i, clip_from_world, "clip_from_world", clip_space, options, message,
                                [&](View& view, const ClipSpace& space, const ViewOptions& taken) {
                                    return prepare_view(std::span<const double, 16>(clip_from_world, 16), space, view,
                                                        taken);
                                });
}

lanecull_status lanecull_prepare_view_of_floats(lanecull_views* views, uint32_t i, const float* clip_from_world,
                                                const lanecull_clip_space* clip_space,
                                                const lanecull_view_options* options, lanecull_message* message) {
    return c::prepare_of_matrix(views, i, clip_from_world, "clip_from_world", clip_space, options, message,
                                [&](View& view, const ClipSpace& space, const ViewOptions& taken) {
                                    return prepare_view(std::span<const float, 16>(clip_from_world, 16), space, view,
                                                        taken);
                                });
}

lanecull_status lanecull_prepare_stereo_view(lanecull_views* views, uint32_t i, const double* left, const double* right,
                                             const lanecull_clip_space* clip_space,
                                             const lanecull_view_options* options, lanecull_message* message) {
    const double* const both = left != nullptr ? right : nullptr;
    return c::prepare_of_matrix(views, i, both, "left, right", clip_space, options, message,
                                [&](View& view, const ClipSpace& space, const ViewOptions& taken) {
                                    return prepare_stereo_view(std::span<const double, 16>(left, 16),
                                                               std::span<const double, 16>(right, 16), space, view,
                                                               taken);
                                });
}

lanecull_status lanecull_prepare_view_from_corners(lanecull_views* views, uint32_t i, const double* corners,
                                                   const lanecull_view_options* options, lanecull_message* message) {
    return c::prepare_item(views, i, options, message, [&](View& view, const ViewOptions& taken) {
        if (corners == nullptr) return Status::failure("corners: must not be null");
        return prepare_view_from_corners(std::span<const double, 24>(corners, 24), view, taken);
    });
}

lanecull_status lanecull_prepare_view_from_planes(lanecull_views* views, uint32_t i, const lanecull_plane* planes,
                                                  size_t plane_count, const lanecull_view_options* options,
                                                  lanecull_message* message) {
    return c::prepare_item(views, i, options, message, [&](View& view, const ViewOptions& taken) {
        std::span<const Plane> all;
        if (Status status = c::take(c::same(planes), plane_count, "planes", all); !status) return status;
        return prepare_view_from_planes(all, view, taken);
    });
}

lanecull_status lanecull_prepare_view_from_ball(lanecull_views* views, uint32_t i, const double* center, double radius,
                                                const lanecull_view_options* options, lanecull_message* message) {
    return c::prepare_item(views, i, options, message, [&](View& view, const ViewOptions& taken) {
        if (center == nullptr) return Status::failure("center: must not be null");
        return prepare_view_from_ball(std::span<const double, 3>(center, 3), radius, view, taken);
    });
}
