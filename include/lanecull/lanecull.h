#ifndef LANECULL_LANECULL_H
#define LANECULL_LANECULL_H

/* The C interface, in C99: batches -> views -> cull -> bits and lists. Each header in c/ belongs to the C++ header of
 * that name, which is the manual: the functions here check sizes and pointers and call those. The version of both is in
 * <lanecull/version.hpp>, which C may include too.
 *
 * Structs. One that begins with `size` may get more fields at its end. Set it to zeros and its `size` to sizeof: what
 * is 0 or null then means the default. The library takes structs of older and of newer headers; of a newer one it
 * refuses fields that it does not know unless they are 0. In an array of such structs all have the same size. Structs
 * without `size` never change.
 *
 * Memory. Objects are made by lanecull_create_...() and destroyed by lanecull_destroy_...(). Nothing else allocates,
 * unless its comment says so, and all memory comes from lanecull_set_memory_hooks().
 *
 * Failures. Calls return a lanecull_status, and one sentence in `message`, which may be null. A call that fails has
 * written nothing else, unless its comment says otherwise.
 *
 * Threads. Calls that only read an object may overlap in time; a call that writes one needs it to itself.
 *
 * Enumerators are passed as uint32_t, so that no compiler's choice of their size matters.
 *
 * Binding generators: bindgen 0.60 (Rust) and pycparser 2.21 (Python) read every function of these headers.
 *
 * Hulls of points, <lanecull/c/hulls.h>, and baked visibility, <lanecull/c/visibility.h>, belong to libraries of their
 * own.
 *
 * What C++ alone has: the templates of gjk.hpp, which take any shape that has a support function; the runner of oneTBB
 * (tbb.hpp); and zones (zones.hpp), which a lanecull_runner sees for itself: it gets the phase's name and runs its
 * tasks. */

#include <lanecull/c/batch.h>
#include <lanecull/c/bounds.h>
#include <lanecull/c/choose_occluders.h>
#include <lanecull/c/cull.h>
#include <lanecull/c/cull_pass.h>
#include <lanecull/c/flat.h>
#include <lanecull/c/isa.h>
#include <lanecull/c/memory.h>
#include <lanecull/c/occluder.h>
#include <lanecull/c/pairs.h>
#include <lanecull/c/raster_margin.h>
#include <lanecull/c/runner.h>
#include <lanecull/c/scene.h>
#include <lanecull/c/shadow.h>
#include <lanecull/c/solid_hull.h>
#include <lanecull/c/solids.h>
#include <lanecull/c/status.h>
#include <lanecull/c/unpack.h>
#include <lanecull/c/view.h>
#include <lanecull/c/world_bounds.h>

#endif
