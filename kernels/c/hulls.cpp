/// c/hulls.h, of the library lanecull::hulls

#include <lanecull/c/hulls.h>

#include <algorithm>
#include <array>
#include <new>
#include <utility>
#include <vector>

#include <lanecull/hulls.hpp>

#include "base/memory.hpp"
#include "c/bounds.hpp"

using namespace lanecull;

/// What a ConvexHull has, in memory of the hooks.
struct lanecull_convex_hull : Allocated {
    Array<float> x, y, z;
    Array<std::uint32_t> first_neighbor, neighbors;
    Array<std::array<std::uint32_t, 3>> triangles;
    int dimension = 0;
    double volume = 0;
};

namespace lanecull::c {
namespace {

Status no_memory_for_hull() noexcept {
    return Status::failure(StatusCode::out_of_memory, "hull: there is not enough memory");
}

/// make(), in which the standard library throws where there is not enough memory: std::bad_alloc, or, of more elements
/// than addresses can tell, std::length_error.
template <class Make>
Status without_exceptions(const Make& make) noexcept {
    try {
        return make();
    } catch (...) {
        return no_memory_for_hull();
    }
}

template <class T>
bool copy_items(const std::vector<T>& from, Array<T>& to) noexcept {
    if (!to.resize_unset(from.size())) return false;
    std::copy(from.begin(), from.end(), to.begin());
    return true;
}

Status keep(const ConvexHull& from, lanecull_convex_hull& to) {
    lanecull_convex_hull kept;
    if (!copy_items(from.x, kept.x) || !copy_items(from.y, kept.y) || !copy_items(from.z, kept.z) ||
        !copy_items(from.first_neighbor, kept.first_neighbor) || !copy_items(from.neighbors, kept.neighbors) ||
        !copy_items(from.triangles, kept.triangles)) {
        return no_memory_for_hull();
    }
    kept.dimension = from.dimension;
    kept.volume = volume(from);
    to = std::move(kept);
    return {};
}

/// What outward_error() reads of a hull.
ConvexHull surface_of(const lanecull_convex_hull& hull) {
    ConvexHull surface;
    surface.x.assign(hull.x.begin(), hull.x.end());
    surface.y.assign(hull.y.begin(), hull.y.end());
    surface.z.assign(hull.z.begin(), hull.z.end());
    surface.triangles.assign(hull.triangles.begin(), hull.triangles.end());
    surface.dimension = hull.dimension;
    return surface;
}

/// Keeps what find(vertices, hull) finds.
template <class Find>
lanecull_status find_hull(const lanecull_vertices* vertices, lanecull_convex_hull* hull, lanecull_message* message,
                          const Find& find) noexcept {
    if (hull == nullptr) return refuse_null("hull", message);
    Vertices taken;
    Status status = take_vertices(vertices, taken);
    if (status) {
        status = without_exceptions([&] {
            ConvexHull found;
            Status outcome = find(taken, found);
            return outcome ? keep(found, *hull) : outcome;
        });
    }
    return report(status, message);
}

Status check_corners(const lanecull_convex_hull* hull, const char* name) noexcept {
    if (hull == nullptr) return Status::failure("%s: must not be null", name);
    if (hull->x.empty()) return Status::failure(StatusCode::not_ready, "%s: has no corners", name);
    return {};
}

}  // namespace
}  // namespace lanecull::c

lanecull_status lanecull_create_convex_hull(lanecull_convex_hull** hull, lanecull_message* message) {
    if (hull == nullptr) return c::refuse_null("hull", message);
    auto* const made = new (std::nothrow) lanecull_convex_hull;
    if (made == nullptr) return c::report(c::no_memory_for_hull(), message);
    *hull = made;
    return c::report({}, message);
}

void lanecull_destroy_convex_hull(lanecull_convex_hull* hull) { delete hull; }

lanecull_status lanecull_find_convex_hull(const lanecull_vertices* vertices, lanecull_convex_hull* hull,
                                          lanecull_message* message) {
    return c::find_hull(vertices, hull, message, convex_hull);
}

lanecull_status lanecull_find_enclosing_hull(const lanecull_vertices* vertices, uint32_t max_corners,
                                             lanecull_convex_hull* hull, lanecull_message* message) {
    return c::find_hull(vertices, hull, message, [&](const Vertices& taken, ConvexHull& found) {
        return enclosing_hull(taken, max_corners, found);
    });
}

lanecull_status lanecull_convex_hull_get_info(const lanecull_convex_hull* hull, lanecull_convex_hull_info* info,
                                              lanecull_message* message) {
    if (hull == nullptr) return c::refuse_null("hull", message);
    Status status = c::check_struct(info, "info");
    if (status) {
        info->x = hull->x.data();
        info->y = hull->y.data();
        info->z = hull->z.data();
        info->first_neighbor = hull->first_neighbor.data();
        info->neighbors = hull->neighbors.data();
        info->triangles = hull->triangles.empty() ? nullptr : hull->triangles[0].data();
        info->corner_count = static_cast<std::uint32_t>(hull->x.size());
        info->triangle_count = static_cast<std::uint32_t>(hull->triangles.size());
        info->dimension = static_cast<std::uint32_t>(hull->dimension);
        info->volume = hull->volume;
    }
    return c::report(status, message);
}

lanecull_status lanecull_convex_hull_outward_error(const lanecull_convex_hull* outer, const lanecull_convex_hull* inner,
                                                   double* error, lanecull_message* message) {
    if (error == nullptr) return c::refuse_null("error", message);
    Status status = c::check_corners(outer, "outer");
    if (status) status = c::check_corners(inner, "inner");
    if (status) {
        status = c::without_exceptions([&] {
            *error = outward_error(c::surface_of(*outer), c::surface_of(*inner));
            return Status();
        });
    }
    return c::report(status, message);
}
