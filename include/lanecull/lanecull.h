#pragma once

/// The whole library, for C99 and C++17: batches -> views -> cull -> bits and lists.
///
///     Batches (batch.h) describe your objects: your own arrays of spheres, boxes, capsules, ..., which are only read.
///     prepare_view() (view.h) makes a View of a clip matrix. cull() (cull.h) tests every object against every view,
///     and writes to the Output of each view which are visible: a bit an object, indices, draw commands, runs. You give
///     all memory, also the scratch memory that it works in; cull() allocates nothing.
///
/// Begin with that. Then occluder.h has solids that hide objects behind them; scene.h keeps objects in order, so that a
/// cull takes less than one test of each; shadow.h has views for point lights and cascades, and whole passes;
/// light_grid.h has the lights of each cell, for clustered shading.
///
/// One header a subject serves both languages; types.h says how. C: lanecull_batch, lanecull_cull(). C++:
/// lanecull::Batch, lanecull::cull(). 0, null and empty mean the default. A failed call says why:
/// lanecull_explain(), Status::message(). Calls that only read an object may overlap in time; one that writes it needs
/// it to itself. lanecull_destroy_...() destroys what lanecull_create_...() makes, in C++ its destructor.
///
/// Not included, since they need libraries of their own: hulls.h (hulls of points), visibility.h (baked visibility) and
/// tbb.hpp (a runner of oneTBB).

#include <lanecull/batch.h>
#include <lanecull/bounds.h>
#include <lanecull/cull.h>
#include <lanecull/flat.h>
#include <lanecull/library.h>
#include <lanecull/light_grid.h>
#include <lanecull/occluder.h>
#include <lanecull/pairs.h>
#include <lanecull/scene.h>
#include <lanecull/shadow.h>
#include <lanecull/solids.h>
#include <lanecull/types.h>
#include <lanecull/view.h>
#include <lanecull/visible_bounds.h>
