#ifndef LANECULL_C_VISIBILITY_H
#define LANECULL_C_VISIBILITY_H

#include <stddef.h>
#include <stdint.h>

#include <lanecull/c/choose_occluders.h>
#include <lanecull/c/runner.h>
#include <lanecull/c/scene.h>
#include <lanecull/c/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Baked visibility: for each cell of a world, the objects that may be seen from anywhere in it.
 * <lanecull/visibility.hpp> has what is proved of it, and what the caller answers for. To bake, once:
 *
 *     lanecull_bake_scene_prepare(world, scene, &solids, NULL, &message)
 *     lanecull_cover_with_cells(lower, upper, size, &header.grid, &message)
 *     lanecull_visibility_writer_open(writer, "city.visibility", &header, &message)
 *     for each cell, on any thread or machine:
 *         lanecull_cell_of(&header.grid, i, &cell, &message)
 *         lanecull_bake_cell(world, &cell, &options, scratch, scratch_bytes, words, word_count, NULL, &message)
 *     for each cell, in order:
 *         lanecull_visibility_writer_add(writer, words, word_count, &message)
 *     lanecull_visibility_writer_commit(writer, &message)
 *
 * and in a frame
 *
 *     if (lanecull_find_cell(&info.grid, eye, &cell) != 0 &&
 *         lanecull_visibility_read(visibility, cell, words, word_count, &message) == LANECULL_OK) {
 *         output.candidates = words;
 *         output.candidate_words = word_count;
 *     }
 *
 * <lanecull/lanecull.h> does not include this header, whose functions are in a library of their own: link
 * lanecull_visibility before lanecull, and CRoaring. CRoaring has memory hooks of its own. */

/* Boxes along the axes beside one another. Cell x + count[0] (y + count[1] z) has the x-th place along the first axis.
 * Its faces are place k of axis a: lower[a] + k size[a]. */
typedef struct lanecull_cell_grid {
    double lower[3];
    double size[3];
    uint32_t count[3];
} lanecull_cell_grid;

/* The convex hull of 1 to 8 corners. */
typedef struct lanecull_convex_cell {
    uint32_t corners;
    double corner[8][3];
} lanecull_convex_cell;

/* The grid whose first cell begins at `lower` and whose cells, of that size, cover all up to `upper`. 3 numbers each. */
LANECULL_C_API lanecull_status lanecull_cover_with_cells(const double* lower, const double* upper, const double* size,
                                                         lanecull_cell_grid* grid, lanecull_message* message);
/* The corners of a grid's cell. */
LANECULL_C_API lanecull_status lanecull_cell_of(const lanecull_cell_grid* grid, uint64_t cell,
                                                lanecull_convex_cell* corners, lanecull_message* message);
/* One of the parts of a box, of which there are parts[k] along axis k: part x + parts[0] (y + parts[1] z). */
LANECULL_C_API lanecull_status lanecull_part_of(const lanecull_convex_cell* box, const uint32_t* parts, uint64_t part,
                                                lanecull_convex_cell* corners, lanecull_message* message);
/* 1, and the cell that contains a point; 0 if there is none, or if a pointer is null. */
LANECULL_C_API uint32_t lanecull_find_cell(const lanecull_cell_grid* grid, const double* point, uint64_t* cell);

/* What a set holds for. Calls take a pointer to it; null: all defaults. */
typedef struct lanecull_bake_options {
    size_t size;         /* sizeof(lanecull_bake_options) */
    double near_reach;   /* no near corner of any camera that will be used is farther from its eye */
    double distance;     /* objects farther from the box around the cell are left out; 0: none */
    double per_distance; /* as in lanecull_occluder_options, of all solids */
    double depth_per_square;
    double depth_per_distance;
    uint32_t max_occluders; /* at most so many solids hide; 0: 1024 */
    uint32_t max_parts;     /* a box is baked in up to so many parts; 1: never in parts; 0: 64 */
    uint32_t is_unoccluded; /* 0: solids hide; 1: what is distant alone is left out */
    uint32_t isa;           /* lanecull_isa */
} lanecull_bake_options;

/* A scene and the solids that hide in it, ready to bake. Calls with a const one may overlap in time. */
typedef struct lanecull_bake_scene lanecull_bake_scene;

LANECULL_C_API lanecull_status lanecull_create_bake_scene(lanecull_bake_scene** world, lanecull_message* message);
LANECULL_C_API void lanecull_destroy_bake_scene(lanecull_bake_scene* world); /* null: nothing */

/* scene: what is asked about; it must outlive `world` and not change. solids: boxes and oriented boxes, wholly inside
 * what is drawn; copied. Their owners are not read. Takes memory. */
LANECULL_C_API lanecull_status lanecull_bake_scene_prepare(lanecull_bake_scene* world, const lanecull_scene* scene,
                                                           const lanecull_solid_set* solids,
                                                           const lanecull_runner* runner, lanecull_message* message);
/* Words of a cell's set: lanecull_scene_visibility_words(). 0 before a scene is prepared, as the next one. */
LANECULL_C_API size_t lanecull_bake_scene_visibility_words(const lanecull_bake_scene* world);
LANECULL_C_API size_t lanecull_bake_scene_scratch_bytes(const lanecull_bake_scene* world);

/* What a bake tells besides the set. */
typedef struct lanecull_baked_cell {
    size_t size; /* sizeof(lanecull_baked_cell) */
    /* Null, or receives the numbers of the solids that hide from all of the cell, most promising first; the first that
     * fit. */
    uint32_t* occluders;
    size_t occluder_capacity;
    /* Results. */
    uint64_t visible; /* objects in the set */
    uint64_t hidden;  /* objects that are hidden from each part of the cell by one solid */
    uint64_t distant;
    uint32_t occluder_count;
    uint32_t rounds;   /* of choosing occluders, of the parts as well */
    uint32_t parts[3]; /* along each axis, as lanecull_part_of() has them */
} lanecull_baked_cell;

/* Finds what of a scene may be seen from a cell: sets its bits in `visible`, by slot. visible: exactly
 * lanecull_bake_scene_visibility_words(). scratch: at any alignment, not shared by calls that overlap in time. baked:
 * may be null. Runs on the calling thread; threads take cells of their own. Allocates nothing. */
LANECULL_C_API lanecull_status lanecull_bake_cell(const lanecull_bake_scene* world, const lanecull_convex_cell* cell,
                                                  const lanecull_bake_options* options, void* scratch,
                                                  size_t scratch_bytes, uint64_t* visible, size_t visible_words,
                                                  lanecull_baked_cell* baked, lanecull_message* message);

/* A set of objects in a few bytes: the portable format of Roaring bitmaps. */
typedef struct lanecull_compressed_set lanecull_compressed_set;

LANECULL_C_API lanecull_status lanecull_create_compressed_set(lanecull_compressed_set** set, lanecull_message* message);
LANECULL_C_API void lanecull_destroy_compressed_set(lanecull_compressed_set* set); /* null: nothing */
/* Compresses the set bits of the words, at most 2^26. Equal sets give equal bytes. Takes memory. */
LANECULL_C_API lanecull_status lanecull_compress_set(lanecull_compressed_set* set, const uint64_t* words,
                                                     size_t word_count, lanecull_message* message);
/* The bytes, valid until the set is written or destroyed, and their number. Null and 0 before anything was compressed.
 */
LANECULL_C_API const void* lanecull_compressed_set_bytes(const lanecull_compressed_set* set);
LANECULL_C_API size_t lanecull_compressed_set_byte_count(const lanecull_compressed_set* set);
/* Sets exactly the bits of a compressed set, which is not trusted. Allocates nothing. */
LANECULL_C_API lanecull_status lanecull_expand_set(const void* set, size_t bytes, uint64_t* words, size_t word_count,
                                                   lanecull_message* message);

/* Writes a visibility file, cell by cell. There is never an incomplete file at the path. */
typedef struct lanecull_visibility_writer lanecull_visibility_writer;

LANECULL_C_API lanecull_status lanecull_create_visibility_writer(lanecull_visibility_writer** writer,
                                                                 lanecull_message* message);
/* null: nothing. Of a file that was not committed nothing is left. */
LANECULL_C_API void lanecull_destroy_visibility_writer(lanecull_visibility_writer* writer);

/* What a file is about. */
typedef struct lanecull_visibility_header {
    size_t size;                       /* sizeof(lanecull_visibility_header) */
    uint64_t objects;                  /* bits of each set: of a scene lanecull_scene_slot_count() */
    uint64_t fingerprint;              /* which objects these are: lanecull_visibility_fingerprint() */
    lanecull_cell_grid grid;           /* a count of 0: the cells are in `cells` */
    const lanecull_convex_cell* cells; /* read if the grid has none */
    uint64_t cell_count;
    const lanecull_bake_options* options; /* null: all defaults; the last four are not kept */
} lanecull_visibility_header;

/* Begins a file; one that was begun before is given up. What `header` points to is copied. Paths are UTF-8. Takes
 * memory: 24 bytes a cell. */
LANECULL_C_API lanecull_status lanecull_visibility_writer_open(lanecull_visibility_writer* writer, const char* path,
                                                               const lanecull_visibility_header* header,
                                                               lanecull_message* message);
/* The next cell's set, of ceil(objects / 64) words. */
LANECULL_C_API lanecull_status lanecull_visibility_writer_add(lanecull_visibility_writer* writer, const uint64_t* words,
                                                              size_t word_count, lanecull_message* message);
/* The same for a compressed set, which is not trusted. */
LANECULL_C_API lanecull_status lanecull_visibility_writer_add_compressed(lanecull_visibility_writer* writer,
                                                                         const void* set, size_t bytes,
                                                                         lanecull_message* message);
/* How many sets have been added. */
LANECULL_C_API uint64_t lanecull_visibility_writer_added(const lanecull_visibility_writer* writer);
/* Fails unless each cell has its set. */
LANECULL_C_API lanecull_status lanecull_visibility_writer_commit(lanecull_visibility_writer* writer,
                                                                 lanecull_message* message);

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
    uint64_t cell_count;
    uint64_t fingerprint;              /* which objects these are: lanecull_visibility_fingerprint() */
    lanecull_cell_grid grid;           /* a count of 0: the cells are in `cells` */
    const lanecull_convex_cell* cells; /* null, or cell_count of them, as long as the file is open */
    double near_reach;                 /* BakeOptions: what the sets hold for */
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
LANECULL_C_API uint64_t lanecull_visibility_visible_count(const lanecull_visibility* visibility, uint64_t cell);

/* A cell's set as it is in the file, unchecked, and the number of its bytes; null and 0 if there is no such cell. */
LANECULL_C_API const void* lanecull_visibility_compressed(const lanecull_visibility* visibility, uint64_t cell);
LANECULL_C_API size_t lanecull_visibility_compressed_byte_count(const lanecull_visibility* visibility, uint64_t cell);

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
