#ifndef LANECULL_C_FLAT_H
#define LANECULL_C_FLAT_H

/* Culling in the plane: 2D shapes -> views -> cull -> bits and lists. As <lanecull/flat.hpp>. */

#include <lanecull/c/flat/batch.h>
#include <lanecull/c/flat/cull.h>
#include <lanecull/c/flat/view.h>

#endif
