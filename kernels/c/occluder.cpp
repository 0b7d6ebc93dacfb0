/// c/occluder.h

#include <lanecull/c/occluder.h>

#include <algorithm>

#include <lanecull/occluder.hpp>

#include "c/lists.hpp"
#include "c/same_layout.hpp"
#include "c/view_options.hpp"

using namespace lanecull;

static_assert(LANECULL_SIGHT_GROWING_DEPTH == static_cast<int>(SightDirection::growing_depth));
static_assert(LANECULL_SIGHT_SHRINKING_DEPTH == static_cast<int>(SightDirection::shrinking_depth));
static_assert(LANECULL_REFUSED_NOT == static_cast<int>(OccluderRefusal::none));
static_assert(LANECULL_REFUSED_NO_VIEWPOINT == static_cast<int>(OccluderRefusal::no_viewpoint));
static_assert(LANECULL_REFUSED_INVALID == static_cast<int>(OccluderRefusal::invalid));
static_assert(LANECULL_REFUSED_ENCLOSES_EYE == static_cast<int>(OccluderRefusal::encloses_eye));
static_assert(LANECULL_REFUSED_NEAR_PLANE == static_cast<int>(OccluderRefusal::near_plane));
static_assert(LANECULL_REFUSED_TOO_THIN == static_cast<int>(OccluderRefusal::too_thin));
static_assert(LANECULL_REFUSED_TOO_MANY_FACETS == static_cast<int>(OccluderRefusal::too_many_facets));

namespace lanecull::c {
namespace {

/// Takes a viewpoint that prepare(viewpoint) makes; a list has one alone.
template <class Prepare>
lanecull_status set_viewpoint(lanecull_occluders* occluders, lanecull_message* message, const Prepare& prepare) {
    if (occluders == nullptr) return report(Status::failure("occluders: must not be null"), message);
    Viewpoint viewpoint;
    const Status status = prepare(viewpoint);
    if (status) {
        occluders->viewpoint = viewpoint;
        std::fill(occluders->items.begin(), occluders->items.end(), Occluder());
    }
    return report(status, message);
}

/// Occluder i becomes what prepare(viewpoint, occluder, options) makes.
template <class Prepare>
lanecull_status prepare_item(lanecull_occluders* occluders, std::uint32_t i, const void* solid,
                             const lanecull_occluder_options* given, std::uint32_t* refusal, lanecull_message* message,
                             const Prepare& prepare) {
    if (refusal == nullptr) return refuse_null("refusal", message);
    OccluderOptions options;
    std::span<const Owner> owners;
    Status status = check_item(occluders, i, "occluders");
    if (status && solid == nullptr) status = Status::failure("solid: must not be null");
    if (status) status = check_optional(given, "options");
    if (status && given != nullptr) {
        options.raster = {given->per_distance, given->depth_per_square, given->depth_per_distance};
        options.drawn = same(given->drawn);
        status = take(same(given->owners), given->owner_count, "options.owners", owners);
    }
    if (status) {
        const OccluderRefusal answer = prepare(occluders->viewpoint, occluders->items[i], options);
        if (answer == OccluderRefusal::none) occluders->items[i].owners = owners;
        *refusal = static_cast<std::uint32_t>(answer);
    }
    return report(status, message);
}

}  // namespace
}  // namespace lanecull::c

lanecull_status lanecull_create_occluders(uint32_t count, lanecull_occluders** occluders, lanecull_message* message) {
    return c::report(c::create_list(count, Occluder(), "occluders", occluders), message);
}

void lanecull_destroy_occluders(lanecull_occluders* occluders) { delete occluders; }

uint32_t lanecull_occluder_count(const lanecull_occluders* occluders) { return c::length(occluders); }

lanecull_status lanecull_set_viewpoint(lanecull_occluders* occluders, const double* clip_from_world,
                                       const lanecull_clip_space* clip_space, const lanecull_plane* clip_planes,
                                       size_t clip_plane_count, uint32_t sight, lanecull_message* message) {
    return c::set_viewpoint(occluders, message, [&](Viewpoint& viewpoint) {
        ClipSpace space;
        SightDirection direction = SightDirection::growing_depth;
        std::span<const Plane> planes;
        if (clip_from_world == nullptr) return Status::failure("clip_from_world: must not be null");
        Status status = c::take_clip_space(clip_space, space);
        if (status) status = c::take_enum(sight, SightDirection::shrinking_depth, "sight", direction);
        if (status) status = c::take(c::same(clip_planes), clip_plane_count, "clip_planes", planes);
        if (!status) return status;
        return prepare_viewpoint(std::span<const double, 16>(clip_from_world, 16), space, viewpoint, planes, direction);
    });
}

lanecull_status lanecull_set_viewpoint_from_eyes(lanecull_occluders* occluders, const double* eyes, size_t eye_count,
                                                 double near_reach, lanecull_message* message) {
    return c::set_viewpoint(occluders, message, [&](Viewpoint& viewpoint) {
        if (eyes == nullptr) return Status::failure("eyes: must not be null");
        if (eye_count > PreparedViewpoint::max_eyes) return Status::failure("eye_count: %zu are too many", eye_count);
        return prepare_viewpoint_from_eyes({eyes, 3 * eye_count}, near_reach, viewpoint);
    });
}

lanecull_status lanecull_set_viewpoint_along(lanecull_occluders* occluders, const double* direction,
                                             const double* around, lanecull_message* message) {
    return c::set_viewpoint(occluders, message, [&](Viewpoint& viewpoint) {
        if (direction == nullptr) return Status::failure("direction: must not be null");
        if (around == nullptr) return Status::failure("around: must not be null");
        return prepare_viewpoint_along({direction[0], direction[1], direction[2]}, {around[0], around[1], around[2]},
                                       viewpoint);
    });
}

lanecull_status lanecull_prepare_box_occluder(lanecull_occluders* occluders, uint32_t i,
                                              const lanecull_solid_box* solid, const lanecull_occluder_options* options,
                                              uint32_t* refusal, lanecull_message* message) {
    return c::prepare_item(occluders, i, solid, options, refusal, message,
                           [&](const Viewpoint& from, Occluder& to, const OccluderOptions& taken) {
                               return prepare_occluder(*c::same(solid), from, to, taken);
                           });
}

lanecull_status lanecull_prepare_oriented_box_occluder(lanecull_occluders* occluders, uint32_t i,
                                                       const lanecull_solid_oriented_box* solid,
                                                       const lanecull_occluder_options* options, uint32_t* refusal,
                                                       lanecull_message* message) {
    return c::prepare_item(occluders, i, solid, options, refusal, message,
                           [&](const Viewpoint& from, Occluder& to, const OccluderOptions& taken) {
                               return prepare_occluder(*c::same(solid), from, to, taken);
                           });
}

lanecull_status lanecull_prepare_polytope_occluder(lanecull_occluders* occluders, uint32_t i,
                                                   const lanecull_plane* planes, size_t plane_count,
                                                   const lanecull_occluder_options* options, uint32_t* refusal,
                                                   lanecull_message* message) {
    return c::prepare_item(occluders, i, planes, options, refusal, message,
                           [&](const Viewpoint& from, Occluder& to, const OccluderOptions& taken) {
                               return prepare_occluder(std::span<const Plane>(c::same(planes), plane_count), from, to,
                                                       taken);
                           });
}

lanecull_status lanecull_prepare_hull_occluder(lanecull_occluders* occluders, uint32_t i,
                                               const lanecull_solid_hull_instance* solid,
                                               const lanecull_occluder_options* options, uint32_t* refusal,
                                               lanecull_message* message) {
    return c::prepare_item(occluders, i, solid, options, refusal, message,
                           [&](const Viewpoint& from, Occluder& to, const OccluderOptions& taken) {
                               return prepare_occluder(*c::same(solid), from, to, taken);
                           });
}

lanecull_status lanecull_place_solid(const lanecull_solid_box* box, const float* transform,
                                     lanecull_solid_oriented_box* placed, uint32_t* refusal,
                                     lanecull_message* message) {
    if (box == nullptr) return c::refuse_null("box", message);
    if (transform == nullptr) return c::refuse_null("transform", message);
    if (placed == nullptr) return c::refuse_null("placed", message);
    if (refusal == nullptr) return c::refuse_null("refusal", message);
    float matrix[12];
    std::copy_n(transform, 12, matrix);
    *refusal = static_cast<std::uint32_t>(place_solid(*c::same(box), matrix, *c::same(placed)));
    return c::report({}, message);
}
