/* Bakes visibility from C: the file is that of C++, byte for byte; what is refused; that a cell takes no memory; and
 * that what is without memory is refused and changes nothing. */

#include "bake.h"

#include <lanecull/c/visibility.h>
#include <string.h>

#include "check.h"
#include "counting.h"

static float objects[6][object_count];
static const float walls[6 * solid_count] = {-6,  -40, -11, 40,  40, -10, /* most of what is before the cells */
                                             -40, -40, -12, -7,  40, -11, /* all but the rest of it */
                                             -40, -40, 10,  40,  5,  11,  /* some of what is behind them */
                                             -40, 0,   20,  -30, -1, 21}; /* no solid at all */
static lanecull_solid_box boxes[solid_count];
static lanecull_solid_set solids;
static lanecull_bake_options options;
static unsigned char scratch[1 << 17];
static uint64_t words[16], file_of_c[1 << 13], file_of_cpp[1 << 13];
static size_t word_count;
static struct baked_totals totals;

/* Boxes in rows, before and behind the cells, the last ones far away. */
static void make(void) {
    int i, k;
    for (i = 0; i < object_count; ++i) {
        const float at[3] = {3.0f * (float)(i % 20) - 30, 3.0f * (float)(i / 20 % 5) - 7,
                             i % 3 == 0 ? 15 + 0.1f * (float)i : -15 - 0.1f * (float)i};
        for (k = 0; k < 3; ++k) {
            objects[k][i] = at[k];
            objects[k + 3][i] = at[k] + 1;
        }
    }
    memcpy(boxes, walls, sizeof boxes);
    solids.size = sizeof solids;
    solids.boxes = boxes;
    solids.box_count = solid_count;
    options.size = sizeof options;
    options.near_reach = 0.25;
    options.distance = 60;
    options.max_parts = 8;
}

static lanecull_scene* scene_of_objects(void) {
    lanecull_boxes of_objects = {
        sizeof(lanecull_boxes), objects[0], objects[1], objects[2], objects[3], objects[4], objects[5], object_count};
    static uint32_t handles[object_count];
    lanecull_batches* batches = NULL;
    lanecull_scene* scene = NULL;
    lanecull_batch batch;
    memset(&batch, 0, sizeof batch);
    batch.size = sizeof batch;
    batch.boxes = &of_objects;
    CHECK(lanecull_create_batches(1, &batches, &why) == LANECULL_OK);
    CHECK(lanecull_set_batch(batches, 0, &batch, &why) == LANECULL_OK);
    CHECK(lanecull_create_scene(&scene, &why) == LANECULL_OK);
    CHECK(lanecull_scene_add(scene, batches, 0, 1, handles, object_count, NULL, NULL, &why) == LANECULL_OK);
    CHECK(lanecull_scene_refit(scene, LANECULL_FIT_TIGHT, NULL, &why) == LANECULL_OK);
    lanecull_destroy_batches(batches);
    return scene;
}

static lanecull_status bake(const lanecull_bake_scene* world, const lanecull_convex_cell* cell,
                            lanecull_baked_cell* baked) {
    return lanecull_bake_cell(world, cell, &options, scratch, sizeof scratch, words, word_count, baked, &why);
}

/* Every other set is added compressed. */
static void write(const lanecull_bake_scene* world, const lanecull_scene* scene, const char* path) {
    const double low[3] = {-1, -1, -1}, high[3] = {1, 1, 1}, size[3] = {1, 1, 1};
    uint64_t expanded[16];
    lanecull_visibility_header header;
    lanecull_visibility_writer* writer = NULL;
    lanecull_compressed_set* set = NULL;
    lanecull_convex_cell cell;
    lanecull_baked_cell baked;
    uint32_t i;
    memset(&header, 0, sizeof header);
    memset(&baked, 0, sizeof baked);
    header.size = sizeof header;
    header.objects = lanecull_scene_slot_count(scene);
    header.fingerprint = lanecull_visibility_fingerprint(scene);
    header.options = &options;
    baked.size = sizeof baked;
    CHECK(lanecull_cover_with_cells(low, high, size, &header.grid, &why) == LANECULL_OK);
    CHECK(lanecull_create_visibility_writer(&writer, &why) == LANECULL_OK);
    CHECK(lanecull_create_compressed_set(&set, &why) == LANECULL_OK);
    CHECK(lanecull_compressed_set_bytes(set) == NULL && lanecull_compressed_set_byte_count(set) == 0);
    CHECK(lanecull_visibility_writer_open(writer, path, &header, &why) == LANECULL_OK);
    for (i = 0; i < grid_cells; ++i) {
        unsigned before;
        CHECK(lanecull_cell_of(&header.grid, i, &cell, &why) == LANECULL_OK && cell.corners == 8);
        before = allocations;
        CHECK(bake(world, &cell, &baked) == LANECULL_OK && allocations == before);
        totals.visible += baked.visible;
        totals.hidden += baked.hidden;
        totals.distant += baked.distant;
        totals.occluders += baked.occluder_count;
        totals.rounds += baked.rounds;
        totals.parts += baked.parts[0] * baked.parts[1] * baked.parts[2];
        if (i % 2 == 0) {
            CHECK(lanecull_visibility_writer_add(writer, words, word_count, &why) == LANECULL_OK);
            continue;
        }
        CHECK(lanecull_compress_set(set, words, word_count, &why) == LANECULL_OK);
        CHECK(lanecull_expand_set(lanecull_compressed_set_bytes(set), lanecull_compressed_set_byte_count(set), expanded,
                                  word_count, &why) == LANECULL_OK);
        CHECK(memcmp(expanded, words, word_count * sizeof words[0]) == 0);
        CHECK(lanecull_visibility_writer_add_compressed(writer, lanecull_compressed_set_bytes(set),
                                                        lanecull_compressed_set_byte_count(set), &why) == LANECULL_OK);
    }
    CHECK(lanecull_visibility_writer_added(writer) == grid_cells);
    CHECK(lanecull_visibility_writer_add(writer, words, word_count, &why) == LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_visibility_writer_commit(writer, &why) == LANECULL_OK);
    CHECK(lanecull_visibility_writer_commit(writer, &why) == LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_visibility_writer_added(writer) == 0);
    lanecull_destroy_compressed_set(set);
    lanecull_destroy_visibility_writer(writer);
}

/* What a cell's options change, a cell of the caller's own, and a file of such cells. */
static void otherwise(const lanecull_bake_scene* world, const lanecull_scene* scene, const char* path) {
    const uint32_t parts[3] = {2, 1, 1};
    lanecull_convex_cell cell = {1, {{0, 0, 0}}}, box, half;
    lanecull_cell_grid grid = {{0, 0, 0}, {2, 1, 1}, {1, 1, 1}};
    lanecull_visibility_header header;
    lanecull_visibility_writer* writer = NULL;
    lanecull_visibility* file = NULL;
    lanecull_visibility_info info;
    lanecull_baked_cell baked;
    uint32_t occluders[1] = {99};
    memset(&baked, 0, sizeof baked);
    baked.size = sizeof baked;
    baked.occluders = occluders;
    baked.occluder_capacity = 1;
    CHECK(bake(world, &cell, &baked) == LANECULL_OK);
    CHECK(baked.occluder_count == 3 && occluders[0] < 3 && baked.hidden > 100 && baked.parts[0] == 1);
    options.max_occluders = 1;
    CHECK(bake(world, &cell, &baked) == LANECULL_OK && baked.occluder_count == 1);
    options.max_occluders = 0;
    options.is_unoccluded = 1;
    options.distance = 0; /* without a limit */
    CHECK(bake(world, &cell, &baked) == LANECULL_OK);
    CHECK(baked.hidden == 0 && baked.distant == 0 && baked.visible == object_count && baked.occluder_count == 0);
    CHECK(lanecull_bake_cell(world, &cell, NULL, scratch, sizeof scratch, words, word_count, NULL, &why) ==
          LANECULL_OK);
    CHECK(lanecull_cell_of(&grid, 0, &box, &why) == LANECULL_OK);
    CHECK(lanecull_part_of(&box, parts, 1, &half, &why) == LANECULL_OK && half.corner[0][0] == 1);

    memset(&header, 0, sizeof header);
    header.size = sizeof header;
    header.objects = lanecull_scene_slot_count(scene);
    header.cells = &cell;
    header.cell_count = 1;
    CHECK(lanecull_create_visibility_writer(&writer, &why) == LANECULL_OK);
    CHECK(lanecull_visibility_writer_open(writer, path, &header, &why) == LANECULL_OK);
    CHECK(lanecull_visibility_writer_commit(writer, &why) == LANECULL_INVALID_ARGUMENT); /* its cell has no set */
    CHECK(lanecull_visibility_writer_add(writer, words, word_count, &why) == LANECULL_OK);
    CHECK(lanecull_visibility_writer_commit(writer, &why) == LANECULL_OK);
    memset(&info, 0, sizeof info);
    info.size = sizeof info;
    CHECK(lanecull_create_visibility(&file, &why) == LANECULL_OK);
    CHECK(lanecull_visibility_open(file, path, &why) == LANECULL_OK);
    CHECK(lanecull_visibility_get_info(file, &info, &why) == LANECULL_OK);
    CHECK(info.cell_count == 1 && info.cells != NULL && info.cells[0].corners == 1 && info.grid.count[0] == 0);
    lanecull_destroy_visibility(file);
    lanecull_destroy_visibility_writer(writer);
}

static void refused(lanecull_bake_scene* world, const lanecull_scene* scene) {
    const double low[3] = {0, 0, 0}, high[3] = {1, 1, 1}, no_size[3] = {1, 0, 1};
    const uint32_t parts[3] = {1, 1, 1};
    lanecull_convex_cell cell = {1, {{0, 0, 0}}}, none = {0, {{0, 0, 0}}};
    lanecull_cell_grid grid = {{0, 0, 0}, {1, 1, 1}, {1, 1, 1}};
    lanecull_visibility_header header;
    lanecull_baked_cell baked;
    lanecull_solid_set with_hulls = solids;
    lanecull_visibility_writer* writer = NULL;
    lanecull_compressed_set* set = NULL;
    memset(&header, 0, sizeof header);
    memset(&baked, 0, sizeof baked); /* without a size */
    with_hulls.hull_count = 1;
    CHECK(lanecull_cover_with_cells(low, high, no_size, &grid, &why) == LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_cover_with_cells(NULL, high, high, &grid, &why) == LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_cover_with_cells(low, high, high, NULL, &why) == LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_cell_of(&grid, 1, &cell, &why) == LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_cell_of(NULL, 0, &cell, &why) == LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_part_of(&cell, parts, 0, &none, &why) == LANECULL_INVALID_ARGUMENT); /* no box */
    CHECK(lanecull_part_of(&cell, NULL, 0, &none, &why) == LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_create_bake_scene(NULL, &why) == LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_bake_scene_prepare(NULL, scene, &solids, NULL, &why) == LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_bake_scene_prepare(world, NULL, &solids, NULL, &why) == LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_bake_scene_prepare(world, scene, NULL, NULL, &why) == LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_bake_scene_prepare(world, scene, &with_hulls, NULL, &why) == LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_bake_scene_visibility_words(NULL) == 0 && lanecull_bake_scene_scratch_bytes(NULL) == 0);
    CHECK(bake(NULL, &cell, NULL) == LANECULL_INVALID_ARGUMENT && bake(world, NULL, NULL) == LANECULL_INVALID_ARGUMENT);
    CHECK(bake(world, &none, NULL) == LANECULL_INVALID_ARGUMENT);
    CHECK(bake(world, &cell, &baked) == LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_bake_cell(world, &cell, &options, NULL, 8, words, word_count, NULL, &why) ==
          LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_bake_cell(world, &cell, &options, scratch, sizeof scratch, words, word_count - 1, NULL, &why) ==
          LANECULL_INVALID_ARGUMENT);
    options.isa = 99;
    CHECK(bake(world, &cell, NULL) == LANECULL_INVALID_ARGUMENT);
    options.isa = LANECULL_ISA_AUTOMATIC;
    CHECK(lanecull_create_compressed_set(&set, &why) == LANECULL_OK);
    CHECK(lanecull_create_compressed_set(NULL, &why) == LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_compress_set(NULL, words, 1, &why) == LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_compress_set(set, NULL, 1, &why) == LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_compressed_set_bytes(NULL) == NULL && lanecull_compressed_set_byte_count(NULL) == 0);
    CHECK(lanecull_expand_set(words, 3, words, 1, &why) == LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_create_visibility_writer(&writer, &why) == LANECULL_OK);
    CHECK(lanecull_create_visibility_writer(NULL, &why) == LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_visibility_writer_open(writer, "none", &header, &why) == LANECULL_INVALID_ARGUMENT); /* no size */
    header.size = sizeof header;
    CHECK(lanecull_visibility_writer_open(writer, "none", &header, &why) == LANECULL_INVALID_ARGUMENT); /* no cells */
    header.grid = grid;
    CHECK(lanecull_visibility_writer_open(writer, NULL, &header, &why) == LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_visibility_writer_open(NULL, "none", &header, &why) == LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_visibility_writer_open(writer, "no/such/file", &header, &why) == LANECULL_SYSTEM_ERROR);
    CHECK(lanecull_visibility_writer_add(writer, words, word_count, &why) == LANECULL_INVALID_ARGUMENT); /* not open */
    CHECK(lanecull_visibility_writer_add_compressed(NULL, words, 8, &why) == LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_visibility_writer_commit(NULL, &why) == LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_visibility_writer_added(NULL) == 0);
    no_memory = 1;
    CHECK(lanecull_compress_set(set, words, word_count, &why) == LANECULL_OUT_OF_MEMORY);
    CHECK(lanecull_visibility_writer_open(writer, "none", &header, &why) == LANECULL_OUT_OF_MEMORY);
    CHECK(lanecull_bake_scene_prepare(world, scene, &solids, NULL, &why) == LANECULL_OUT_OF_MEMORY);
    no_memory = 0;
    lanecull_destroy_compressed_set(set);
    lanecull_destroy_visibility_writer(writer);
}

static size_t load(const char* path, void* memory, size_t most) {
    FILE* file = fopen(path, "rb");
    size_t bytes = 0;
    CHECK(file != NULL);
    if (file != NULL) {
        bytes = fread(memory, 1, most, file);
        fclose(file);
    }
    CHECK(bytes > 0 && bytes < most);
    return bytes;
}

int main(int argc, char** argv) {
    lanecull_bake_scene* world = NULL;
    lanecull_scene* scene;
    struct baked_totals of_cpp;
    size_t bytes;
    if (argc != 3) return 2;
    CHECK(count_allocations(&why) == LANECULL_OK);
    make();
    memset(&of_cpp, 0, sizeof of_cpp);
    CHECK(bake_cpp(argv[2], (const float(*)[object_count])objects, walls, &of_cpp) == 1);
    scene = scene_of_objects();
    CHECK(lanecull_create_bake_scene(&world, &why) == LANECULL_OK);
    CHECK(lanecull_bake_scene_visibility_words(world) == 0 && lanecull_bake_scene_scratch_bytes(world) == 0);
    CHECK(lanecull_bake_scene_prepare(world, scene, &solids, NULL, &why) == LANECULL_OK);
    word_count = lanecull_bake_scene_visibility_words(world);
    CHECK(word_count == lanecull_scene_visibility_words(scene) && word_count <= 16);
    CHECK(lanecull_bake_scene_scratch_bytes(world) <= sizeof scratch);
    write(world, scene, argv[1]);
    bytes = load(argv[1], file_of_c, sizeof file_of_c);
    CHECK(bytes == load(argv[2], file_of_cpp, sizeof file_of_cpp) && memcmp(file_of_c, file_of_cpp, bytes) == 0);
    CHECK(memcmp(&totals, &of_cpp, sizeof totals) == 0);
    CHECK(totals.hidden > 0 && totals.distant > 0 && totals.visible > 0 && totals.parts > grid_cells);
    refused(world, scene);
    otherwise(world, scene, argv[1]);
    printf("%u sets are baked as C++ does: %u in, %u hidden, %u distant\n", (unsigned)grid_cells,
           (unsigned)totals.visible, (unsigned)totals.hidden, (unsigned)totals.distant);
    lanecull_destroy_bake_scene(world);
    lanecull_destroy_bake_scene(NULL);
    lanecull_destroy_scene(scene);
    return failures();
}
