#ifndef LANECULL_TESTS_C_VISIBILITY_H
#define LANECULL_TESTS_C_VISIBILITY_H

#include <stdint.h>

/* The file that visibility.c reads, as C++ writes it. */

#ifdef __cplusplus
extern "C" {
#endif

enum { set_objects = 200, set_words = (set_objects + 63) / 64, set_cells = 6 };

/* Sets of a grid of 3 x 2 x 1 cells of 2 x 1 x 4, from (-3, 0, 0) on. Returns whether the file was written. */
int write_visibility(const char* path, const uint64_t (*sets)[set_words]);

#ifdef __cplusplus
}
#endif

#endif
