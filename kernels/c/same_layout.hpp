#pragma once

/// Plain structs that C and C++ have in the same layout, so that arrays of them are shared and not copied. Only this
/// interface casts them, and it reads none of them.

#include <cstddef>

#include <lanecull/c/batch.h>
#include <lanecull/c/cull.h>
#include <lanecull/c/occluder.h>
#include <lanecull/c/solid_hull.h>
#include <lanecull/c/view.h>
#include <lanecull/batch.hpp>
#include <lanecull/certificate.hpp>
#include <lanecull/cull.hpp>
#include <lanecull/occluder.hpp>
#include <lanecull/plane.hpp>
#include <lanecull/solid_hull.hpp>

namespace lanecull::c {

static_assert(sizeof(Plane) == sizeof(lanecull_plane) && offsetof(Plane, offset) == offsetof(lanecull_plane, offset));
inline const Plane* same(const lanecull_plane* planes) { return reinterpret_cast<const Plane*>(planes); }
inline Plane* same(lanecull_plane* planes) { return reinterpret_cast<Plane*>(planes); }

static_assert(sizeof(Hull) == sizeof(lanecull_hull) && offsetof(Hull, count) == offsetof(lanecull_hull, count) &&
              offsetof(Hull, lower) == offsetof(lanecull_hull, lower) &&
              offsetof(Hull, upper) == offsetof(lanecull_hull, upper) &&
              offsetof(Hull, mean) == offsetof(lanecull_hull, mean) &&
              offsetof(Hull, outer) == offsetof(lanecull_hull, outer) &&
              offsetof(Hull, inner) == offsetof(lanecull_hull, inner));
inline const Hull* same(const lanecull_hull* hulls) { return reinterpret_cast<const Hull*>(hulls); }
inline Hull* same(lanecull_hull* hulls) { return reinterpret_cast<Hull*>(hulls); }

static_assert(sizeof(DrawCommand) == sizeof(lanecull_draw_command) &&
              offsetof(DrawCommand, instance_count) == offsetof(lanecull_draw_command, instance_count) &&
              offsetof(DrawCommand, first_index) == offsetof(lanecull_draw_command, first_index) &&
              offsetof(DrawCommand, vertex_offset) == offsetof(lanecull_draw_command, vertex_offset) &&
              offsetof(DrawCommand, first_instance) == offsetof(lanecull_draw_command, first_instance));
inline const DrawCommand* same(const lanecull_draw_command* commands) {
    return reinterpret_cast<const DrawCommand*>(commands);
}

static_assert(sizeof(VisibleRun) == sizeof(lanecull_visible_run) &&
              offsetof(VisibleRun, count) == offsetof(lanecull_visible_run, count));
inline VisibleRun* same(lanecull_visible_run* runs) { return reinterpret_cast<VisibleRun*>(runs); }

static_assert(sizeof(BatchRange) == sizeof(lanecull_batch_range) &&
              offsetof(BatchRange, count) == offsetof(lanecull_batch_range, count));
inline BatchRange* same(lanecull_batch_range* ranges) { return reinterpret_cast<BatchRange*>(ranges); }

static_assert(sizeof(Certificate) == sizeof(lanecull_certificate) &&
              offsetof(Certificate, steps) == offsetof(lanecull_certificate, steps) &&
              offsetof(Certificate, occluder) == offsetof(lanecull_certificate, occluder) &&
              offsetof(Certificate, far_depth) == offsetof(lanecull_certificate, far_depth) &&
              offsetof(Certificate, gap) == offsetof(lanecull_certificate, gap) &&
              offsetof(Certificate, direction) == offsetof(lanecull_certificate, direction));
inline Certificate* same(lanecull_certificate* certificates) { return reinterpret_cast<Certificate*>(certificates); }

static_assert(sizeof(Owner) == sizeof(lanecull_owner) && offsetof(Owner, object) == offsetof(lanecull_owner, object));
inline const Owner* same(const lanecull_owner* owners) { return reinterpret_cast<const Owner*>(owners); }

static_assert(sizeof(SolidBox) == sizeof(lanecull_solid_box) &&
              offsetof(SolidBox, max) == offsetof(lanecull_solid_box, max));
inline const SolidBox* same(const lanecull_solid_box* boxes) { return reinterpret_cast<const SolidBox*>(boxes); }

static_assert(sizeof(SolidOrientedBox) == sizeof(lanecull_solid_oriented_box) &&
              offsetof(SolidOrientedBox, half_extents) == offsetof(lanecull_solid_oriented_box, half_extents) &&
              offsetof(SolidOrientedBox, axes) == offsetof(lanecull_solid_oriented_box, axes));
inline const SolidOrientedBox* same(const lanecull_solid_oriented_box* boxes) {
    return reinterpret_cast<const SolidOrientedBox*>(boxes);
}

inline SolidOrientedBox* same(lanecull_solid_oriented_box* box) { return reinterpret_cast<SolidOrientedBox*>(box); }

static_assert(sizeof(SolidHull) == sizeof(lanecull_solid_hull) &&
              offsetof(SolidHull, corner_count) == offsetof(lanecull_solid_hull, corner_count) &&
              offsetof(SolidHull, triangle) == offsetof(lanecull_solid_hull, triangle) &&
              offsetof(SolidHull, triangle_count) == offsetof(lanecull_solid_hull, triangle_count) &&
              offsetof(SolidHull, drawn) == offsetof(lanecull_solid_hull, drawn));
inline const SolidHull* same(const lanecull_solid_hull* hull) { return reinterpret_cast<const SolidHull*>(hull); }
inline SolidHull* same(lanecull_solid_hull* hull) { return reinterpret_cast<SolidHull*>(hull); }

static_assert(sizeof(SolidHullInstance) == sizeof(lanecull_solid_hull_instance) &&
              offsetof(SolidHullInstance, transform) == offsetof(lanecull_solid_hull_instance, transform));
inline const SolidHullInstance* same(const lanecull_solid_hull_instance* instances) {
    return reinterpret_cast<const SolidHullInstance*>(instances);
}

}  // namespace lanecull::c
