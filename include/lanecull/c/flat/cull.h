#ifndef LANECULL_C_FLAT_CULL_H
#define LANECULL_C_FLAT_CULL_H

#include <stddef.h>
#include <stdint.h>

#include <lanecull/c/cull.h>
#include <lanecull/c/flat/batch.h>
#include <lanecull/c/flat/view.h>
#include <lanecull/c/runner.h>
#include <lanecull/c/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Culling in the plane: which 2D shapes of these batches share no point with these views? <lanecull/flat/cull.hpp> says
 * how it differs from lanecull_cull(). */

/* Words of 64 objects that the batches take: the sum of ceil(count / 64). */
LANECULL_C_API size_t lanecull_flat_visibility_words(const lanecull_flat_batches* batches);
/* Bytes of scratch memory that lanecull_flat_cull() needs. */
LANECULL_C_API size_t lanecull_flat_scratch_bytes(const lanecull_flat_batches* batches, uint32_t view_count);

/* Tests every object of every batch against views first_view to first_view + view_count - 1, 1 to 64 of them.
 * outputs: one for each view, all of the same `size`, without occluders. scratch: at any alignment, not shared by calls
 * that overlap in time. Fails before anything is written. Allocates nothing; takes 24 KB of the stack.
 */
LANECULL_C_API lanecull_status lanecull_flat_cull(const lanecull_flat_batches* batches,
                                                  const lanecull_flat_views* views, uint32_t first_view,
                                                  uint32_t view_count, lanecull_view_output* outputs, void* scratch,
                                                  size_t scratch_bytes, const lanecull_cull_options* options,
                                                  const lanecull_runner* runner, lanecull_message* message);

#ifdef __cplusplus
}
#endif

#endif
