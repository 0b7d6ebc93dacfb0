/* Bakes visibility, writes it to a file, and reads it back as a frame does: visibility FILE. The sets are those that
 * were written; what is without memory, or no such file, is refused and changes nothing; cells and frames take no
 * memory. */

#include <lanecull/visibility.h>

#include "check.h"

enum { count = 600, solid_count = 4, cells = 8, most_words = 16 };

static float boxes[6][count];
static const lanecull_batch batch = {
    .kind = LANECULL_BOXES, .shapes.boxes = {boxes[0], boxes[1], boxes[2], boxes[3], boxes[4], boxes[5], count}};
static const lanecull_solid_box walls[solid_count] = {
    {{-6, -40, -11}, {40, 40, -10}},  /* most of what is before the cells */
    {{-40, -40, -12}, {-7, 40, -11}}, /* all but the rest of it */
    {{-40, -40, 10}, {40, 5, 11}},    /* some of what is behind them */
    {{-40, 0, 20}, {-30, -1, 21}},    /* no solid at all */
};
static const lanecull_solid_set solids = {.boxes = {walls, solid_count}};
static const lanecull_bake_options options = {.near_reach = 0.25, .distance = 60, .max_parts = 8};
static uint64_t sets[cells][most_words], file_memory[1 << 13];
static size_t words;

/* Boxes in rows, before and behind the cells, the last ones far away. */
static lanecull_scene* make_scene(void) {
    static lanecull_handle handles[count];
    lanecull_scene* scene = lanecull_create_scene();
    int i, k;
    for (i = 0; i < count; ++i) {
        const float at[3] = {3.0f * (float)(i % 20) - 30, 3.0f * (float)(i / 20 % 5) - 7,
                             i % 3 == 0 ? 15 + 0.1f * (float)i : -15 - 0.1f * (float)i};
        for (k = 0; k < 3; ++k) {
            boxes[k][i] = at[k];
            boxes[k + 3][i] = at[k] + 1;
        }
    }
    CHECK_OK(lanecull_scene_add(scene, &batch, 1, NULL, NULL, handles, count));
    lanecull_scene_refit(scene, LANECULL_REFIT_TIGHT, NULL);
    return scene;
}

static lanecull_status bake(const lanecull_bake_scene* world, const lanecull_convex_cell* cell,
                            const lanecull_bake_options* how, uint64_t* to, lanecull_baked_cell* baked) {
    const unsigned before = allocations;
    const lanecull_status status = lanecull_bake_cell(world, cell, how, scratch, sizeof scratch, to, words, baked);
    CHECK(allocations == before);
    return status;
}

/* A cell of one point, and what options change. */
static void one_cell(const lanecull_bake_scene* world) {
    const lanecull_convex_cell eye = {.corners = 1}, none = {0};
    const lanecull_bake_options one_solid = {.max_occluders = 1}, no_solids = {.is_unoccluded = 1};
    uint64_t set[most_words];
    uint32_t occluders[1] = {99};
    lanecull_baked_cell baked = {.occluders = {occluders, 1}};
    CHECK_OK(bake(world, &eye, &options, set, &baked));
    CHECK(baked.occluder_count == 3 && occluders[0] < 3 && baked.hidden > 100 && baked.parts[0] == 1);
    CHECK(baked.visible + baked.hidden + baked.distant == count && baked.distant > 0 && baked.rounds > 0);
    CHECK_OK(bake(world, &eye, &one_solid, set, &baked));
    CHECK(baked.occluder_count == 1 && baked.distant == 0);
    CHECK_OK(bake(world, &eye, &no_solids, set, &baked));
    CHECK(baked.visible == count && baked.occluder_count == 0);
    CHECK_OK(bake(world, &eye, NULL, set, NULL));
    CHECK_REFUSED(bake(world, &none, &options, set, NULL));
}

/* Every other set is added compressed. */
static void write(const lanecull_bake_scene* world, const lanecull_scene* scene, const char* path) {
    const double low[3] = {-1, -1, -1}, high[3] = {1, 1, 1}, size[3] = {1, 1, 1};
    const uint32_t halves[3] = {2, 1, 1};
    lanecull_visibility_header header = {.objects = lanecull_scene_slot_count(scene),
                                         .fingerprint = lanecull_visibility_fingerprint(scene),
                                         .options = options};
    lanecull_visibility_writer* writer = lanecull_create_visibility_writer();
    lanecull_compressed_set* set = lanecull_create_compressed_set();
    lanecull_convex_cell cell, half;
    uint64_t expanded[most_words], hidden = 0, parts = 0;
    uint32_t i;
    CHECK_OK(lanecull_cover_with_cells(low, high, size, &header.grid));
    CHECK(header.grid.count[0] == 2 && header.fingerprint != 0);
    CHECK(lanecull_compressed_set_bytes(set) == NULL && lanecull_compressed_set_byte_count(set) == 0);
    no_memory = 1;
    CHECK_CODE(lanecull_visibility_writer_open(writer, path, &header), LANECULL_OUT_OF_MEMORY);
    no_memory = 0;
    CHECK_CODE(lanecull_visibility_writer_open(writer, "no/such/file", &header), LANECULL_SYSTEM_ERROR);
    CHECK_REFUSED(lanecull_visibility_writer_add(writer, sets[0], words)); /* not open */
    CHECK_OK(lanecull_visibility_writer_open(writer, path, &header));
    for (i = 0; i < cells; ++i) {
        lanecull_baked_cell baked = {.visible = 0};
        CHECK_REFUSED(lanecull_visibility_writer_commit(writer));
        CHECK_OK(lanecull_cell_of(&header.grid, i, &cell));
        CHECK(cell.corners == 8 && cell.corner[0][2] == (i < 4 ? -1 : 0));
        CHECK_OK(bake(world, &cell, &options, sets[i], &baked));
        CHECK(baked.visible > 0);
        hidden += baked.hidden;
        parts += baked.parts[0] * baked.parts[1] * baked.parts[2];
        if (i % 2 == 0) {
            CHECK_OK(lanecull_visibility_writer_add(writer, sets[i], words));
            continue;
        }
        CHECK_OK(lanecull_compress_set(set, sets[i], words));
        CHECK_OK(lanecull_expand_set(lanecull_compressed_set_bytes(set), lanecull_compressed_set_byte_count(set),
                                     expanded, words));
        CHECK(memcmp(expanded, sets[i], words * sizeof sets[i][0]) == 0);
        CHECK_OK(lanecull_visibility_writer_add_compressed(writer, lanecull_compressed_set_bytes(set),
                                                           lanecull_compressed_set_byte_count(set)));
    }
    CHECK(hidden > 0 && parts > cells && lanecull_visibility_writer_added(writer) == cells);
    CHECK_REFUSED(lanecull_visibility_writer_add(writer, sets[0], words));
    no_memory = 1;
    CHECK_CODE(lanecull_compress_set(set, sets[0], words), LANECULL_OUT_OF_MEMORY);
    no_memory = 0;
    CHECK_OK(lanecull_visibility_writer_commit(writer));
    CHECK(lanecull_visibility_writer_added(writer) == 0);
    CHECK_OK(lanecull_part_of(&cell, halves, 1, &half));
    CHECK(half.corner[0][0] == 0.5 && half.corner[1][0] == 1);
    lanecull_destroy_compressed_set(set);
    lanecull_destroy_visibility_writer(writer);
}

static void read_sets(const lanecull_visibility* visibility) {
    uint64_t set[most_words], united[most_words] = {0}, listed = 0;
    uint32_t indices[count], cell, i;
    CHECK(lanecull_visibility_cell_count(visibility) == cells && lanecull_visibility_set_words(visibility) == words);
    CHECK_OK(lanecull_visibility_verify(visibility));
    for (cell = 0; cell < cells; ++cell) {
        CHECK_OK(lanecull_visibility_read(visibility, cell, set, words));
        CHECK(memcmp(set, sets[cell], words * sizeof set[0]) == 0);
        CHECK_OK(lanecull_expand_set(lanecull_visibility_compressed(visibility, cell),
                                     lanecull_visibility_compressed_byte_count(visibility, cell), set, words));
        CHECK(memcmp(set, sets[cell], words * sizeof set[0]) == 0);
        CHECK_OK(lanecull_visibility_add_to(visibility, cell, united, words));
        for (i = 0; i < words; ++i) CHECK((set[i] & ~united[i]) == 0);
        CHECK_OK(lanecull_visibility_read_indices(visibility, cell, indices, count, &listed));
        CHECK(listed > 1 && listed == lanecull_visibility_visible_count(visibility, cell));
        for (i = 0; i < listed; ++i) CHECK(has_bit(set, indices[i]) && (i == 0 || indices[i - 1] < indices[i]));
    }
    CHECK_REFUSED(lanecull_visibility_read(visibility, cells, set, words));
    CHECK(lanecull_visibility_visible_count(visibility, cells) == 0);
    CHECK(lanecull_visibility_compressed(visibility, cells) == NULL);
    CHECK(lanecull_visibility_compressed_byte_count(visibility, cells) == 0);
}

/* What a frame does: find the eye's cell, read its set, cull the candidates. */
static void frame(const lanecull_visibility* visibility, const lanecull_scene* scene) {
    const double eye[3] = {0.5, -0.5, 0.25}, outside[3] = {-4, 0, 0};
    uint64_t set[most_words], cell = 99, all;
    lanecull_visibility_header about;
    lanecull_view view = {0};
    lanecull_output output = {0};
    lanecull_visibility_get_header(visibility, &about);
    CHECK(about.objects == lanecull_scene_slot_count(scene) && about.cells.items == NULL && about.cells.count == 0);
    CHECK(about.fingerprint == lanecull_visibility_fingerprint(scene) && about.grid.count[2] == 2);
    CHECK(about.options.near_reach == 0.25 && about.options.distance == 60);
    CHECK_OK(lanecull_prepare_view(camera, NULL, NULL, &view));
    CHECK_OK(cull_one((lanecull_objects){.scene = scene}, &view, &output));
    all = output.visible_count;
    CHECK(lanecull_find_cell(&about.grid, outside, &cell) == 0 && cell == 99);
    CHECK(lanecull_find_cell(&about.grid, eye, &cell) == 1 && cell == 5);
    CHECK_OK(lanecull_visibility_read(visibility, cell, set, words));
    output.candidates.items = set, output.candidates.count = words;
    CHECK_OK(cull_one((lanecull_objects){.scene = scene}, &view, &output));
    CHECK(output.visible_count > 0 && output.visible_count < all);
}

int main(int argc, char** argv) {
    lanecull_bake_scene* world;
    lanecull_visibility* visibility;
    lanecull_scene* scene;
    FILE* file;
    size_t bytes = 0;
    if (argc != 2) return 2;
    count_allocations();
    scene = make_scene();
    world = lanecull_create_bake_scene();
    CHECK(lanecull_bake_scene_visibility_words(world) == 0 && lanecull_bake_scene_scratch_bytes(world) == 0);
    no_memory = 1;
    CHECK_CODE(lanecull_bake_scene_prepare(world, scene, &solids, NULL), LANECULL_OUT_OF_MEMORY);
    no_memory = 0;
    CHECK_OK(lanecull_bake_scene_prepare(world, scene, &solids, NULL));
    words = lanecull_bake_scene_visibility_words(world);
    CHECK(words == lanecull_visibility_words(&(lanecull_objects){.scene = scene}) && words <= most_words);
    CHECK(lanecull_bake_scene_scratch_bytes(world) <= sizeof scratch);
    one_cell(world);
    write(world, scene, argv[1]);

    visibility = lanecull_create_visibility();
    CHECK(lanecull_visibility_set_words(visibility) == 0 && lanecull_visibility_cell_count(visibility) == 0);
    CHECK_OK(lanecull_visibility_open(visibility, argv[1]));
    CHECK_CODE(lanecull_visibility_open(visibility, "no/such/file"), LANECULL_SYSTEM_ERROR);
    read_sets(visibility);
    frame(visibility, scene);
    file = fopen(argv[1], "rb");
    if (file != NULL) bytes = fread(file_memory, 1, sizeof file_memory, file);
    CHECK(file != NULL && fclose(file) == 0 && bytes > 8 && bytes < sizeof file_memory);
    CHECK_CODE(lanecull_visibility_open_in_memory(visibility, file_memory, bytes / 16 * 8), LANECULL_BAD_FILE);
    CHECK_OK(lanecull_visibility_open_in_memory(visibility, file_memory, bytes));
    read_sets(visibility);
    lanecull_destroy_visibility(visibility);
    lanecull_destroy_visibility(NULL);
    lanecull_destroy_bake_scene(world);
    lanecull_destroy_bake_scene(NULL);
    lanecull_destroy_scene(scene);
    return failures();
}
