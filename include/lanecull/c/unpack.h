#ifndef LANECULL_C_UNPACK_H
#define LANECULL_C_UNPACK_H

#include <stddef.h>
#include <stdint.h>

#include <lanecull/c/batch.h>
#include <lanecull/c/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* From arrays of structs to the streams of a batch. <lanecull/unpack.hpp> has the rules in full. Both are thread-safe
 * and allocate nothing. */

/* Float k of record i goes to streams[k][i]; a record has stream_count floats, 1 to 16,384. Null streams are skipped.
 * isa: a lanecull_isa. */
LANECULL_C_API lanecull_status lanecull_unpack_floats(const lanecull_records* records, uint32_t count,
                                                      float* const* streams, size_t stream_count, uint32_t isa,
                                                      lanecull_message* message);
/* Spheres around positions in doubles, relative to `origin` (3 numbers): for worlds too large for floats. `radius` may
 * be null, for points. */
LANECULL_C_API lanecull_status lanecull_relative_spheres(const lanecull_double_records* positions, const float* radius,
                                                         uint32_t count, const double* origin, float* x, float* y,
                                                         float* z, float* sphere_radius, lanecull_message* message);

#ifdef __cplusplus
}
#endif

#endif
