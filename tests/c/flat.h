#ifndef LANECULL_TESTS_FLAT_H
#define LANECULL_TESTS_FLAT_H

#include <stdint.h>

/* What flat.c asks C++ for, of the same numbers. */

#ifdef __cplusplus
extern "C" {
#endif

enum { flat_kinds = 5, flat_count = 300, flat_words = (flat_count + 63) / 64, flat_views = 3 };

struct found_flat {
    uint64_t visible[flat_views][flat_kinds * flat_words];
    uint64_t inside[flat_views][flat_kinds * flat_words];
    uint64_t visible_count[flat_views];
};

/* numbers: six streams; corners: x and y of 5 points. Batches are one of each kind, in the order of
 * lanecull_flat_batch. */
void flat_cpp(const float (*numbers)[flat_count], const float (*corners)[5], uint32_t isa, struct found_flat* answer);

#ifdef __cplusplus
}
#endif

#endif
