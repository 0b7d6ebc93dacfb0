#ifndef LANECULL_C_VISIBILITY_H
#define LANECULL_C_VISIBILITY_H

#include <stddef.h>
#include <stdint.h>

#include <lanecull/c/scene.h>
#include <lanecull/c/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Baked visibility, to be read: for each cell of a world, the objects that may be seen from anywhere in it.
 * <lanecull/visibility.hpp> has what the caller answers for. Files are made by `lanecull bake` or from C++. In a frame:
 *
 *     if (lanecull_find_cell(&info.grid, eye, &cell) != 0 &&
 *         lanecull_visibility_read(visibility, cell, words, word_count, &message) == LANECULL_OK) {
 *         output.candidates = words;
 *         output.candidate_words = word_count;
 *     }
 *
 * <lanecull/lanecull.h> does not include this header, whose functions are in a library of their own: link
 * lanecull_visibility before lanecull, and CRoaring. */

/* Boxes along the axes beside one another. Cell x + count[0] (y + count[1] z) has the x-th place along the first axis.
 * Its faces are place k of axis a: low[a] + k size[a]. */
typedef struct lanecull_cell_grid {
    double low[3];
    double size[3];
    uint32_t count[3];
} lanecull_cell_grid;

/* The convex hull of 1 to 8 corners. */
typedef struct lanecull_convex_cell {
    uint32_t corners;
    double corner[8][3];
} lanecull_convex_cell;

/* 1, and the cell that contains a point; 0 if there is none, or if a pointer is null. */
LANECULL_C_API uint32_t lanecull_find_cell(const lanecull_cell_grid* grid, const double* point, uint64_t* cell);

/* A visibility file, mapped into memory. Calls with a const one may overlap in time, and allocate nothing. */
typedef struct lanecull_visibility lanecull_visibility;

/* Without a file: it has no cells. */
LANECULL_C_API lanecull_status lanecull_create_visibility(lanecull_visibility** visibility, lanecull_message* message);
LANECULL_C_API void lanecull_destroy_visibility(lanecull_visibility* visibility); /* null: nothing */

/* Opens a file; one that was open before is closed. Contents are not trusted: what is cut off, damaged, of another kind
 * or version, or contradicts itself is refused, and `visibility` stays as it was. The file must not change while it is
 * open. Takes time by the number of cells, and memory of the hooks. */
LANECULL_C_API lanecull_status lanecull_visibility_open(lanecull_visibility* visibility, const char* path,
                                                        lanecull_message* message);
/* The same for a file that is in memory, which must stay as long as it is open, aligned to 8 bytes. */
LANECULL_C_API lanecull_status lanecull_visibility_open_in_memory(lanecull_visibility* visibility, const void* file,
                                                                  size_t bytes, lanecull_message* message);

/* What a file is about. */
typedef struct lanecull_visibility_info {
    size_t size;      /* sizeof(lanecull_visibility_info) */
    uint64_t objects; /* bits of each set: of a scene lanecull_scene_slot_count() */
    uint64_t cells;
    uint64_t fingerprint;                     /* which objects these are: lanecull_visibility_fingerprint() */
    lanecull_cell_grid grid;                  /* a count of 0: the cells are in convex_cells */
    const lanecull_convex_cell* convex_cells; /* null, or `cells` of them, as long as the file is open */
    double near_reach;                        /* BakeOptions: what the sets hold for */
    double distance;
    double per_distance;
    double depth_per_square;
    double depth_per_distance;
} lanecull_visibility_info;

LANECULL_C_API lanecull_status lanecull_visibility_get_info(const lanecull_visibility* visibility,
                                                            lanecull_visibility_info* info, lanecull_message* message);
/* Words of a set: ceil(objects / 64). */
LANECULL_C_API size_t lanecull_visibility_set_words(const lanecull_visibility* visibility);
/* How many objects may be seen from a cell, by the index alone; 0 if there is no such cell. */
LANECULL_C_API uint64_t lanecull_visibility_count(const lanecull_visibility* visibility, uint64_t cell);

/* Writes a cell's set: bit i % 64 of word i / 64 is set if object i may be seen from the cell. word_count: exactly
 * lanecull_visibility_set_words(). Fails, with nothing written, if there is no such cell or if the set is damaged. */
LANECULL_C_API lanecull_status lanecull_visibility_read(const lanecull_visibility* visibility, uint64_t cell,
                                                        uint64_t* words, size_t word_count, lanecull_message* message);
/* The same, but leaves bits that are set as they are: the union of several cells. */
LANECULL_C_API lanecull_status lanecull_visibility_add_to(const lanecull_visibility* visibility, uint64_t cell,
                                                          uint64_t* words, size_t word_count,
                                                          lanecull_message* message);
/* The objects of a set, ascending; the first that fit. count: how many there are. */
LANECULL_C_API lanecull_status lanecull_visibility_read_indices(const lanecull_visibility* visibility, uint64_t cell,
                                                                uint32_t* indices, size_t index_capacity,
                                                                uint64_t* count, lanecull_message* message);
/* Checks each set. Reads the whole file. */
LANECULL_C_API lanecull_status lanecull_visibility_verify(const lanecull_visibility* visibility,
                                                          lanecull_message* message);

/* A number that follows from which object is in which slot of a scene; 0 for null. */
LANECULL_C_API uint64_t lanecull_visibility_fingerprint(const lanecull_scene* scene);

#ifdef __cplusplus
}
#endif

#endif
