/* Reads baked visibility from C, of a file and of memory: the sets are those that C++ wrote; what is refused; that a
 * frame takes no memory; and that a set serves as candidates. */

#include "visibility.h"

#include <lanecull/c/visibility.h>
#include <string.h>

#include "check.h"
#include "counting.h"

static uint64_t sets[set_cells][set_words];
static uint64_t file_memory[1 << 13];

static void make(void) {
    uint32_t cell, i;
    for (cell = 0; cell < set_cells; ++cell) {
        for (i = 0; i < set_objects; ++i) {
            if ((i * 7 + cell * 3) % 5 == 0) sets[cell][i / 64] |= (uint64_t)1 << i % 64;
        }
    }
}

static void refused(lanecull_visibility* visibility) {
    lanecull_visibility_info info;
    uint64_t words[set_words], count = 0;
    memset(&info, 0, sizeof info);
    CHECK(lanecull_create_visibility(NULL, &why) == LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_visibility_open(visibility, NULL, &why) == LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_visibility_open(NULL, "none", &why) == LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_visibility_open(visibility, "no/such/file", &why) == LANECULL_SYSTEM_ERROR);
    CHECK(lanecull_visibility_open_in_memory(visibility, NULL, 8, &why) == LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_visibility_open_in_memory(visibility, sets, sizeof sets, &why) == LANECULL_BAD_FILE);
    CHECK(lanecull_visibility_get_info(visibility, &info, &why) == LANECULL_INVALID_ARGUMENT); /* no size */
    CHECK(lanecull_visibility_get_info(visibility, NULL, &why) == LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_visibility_read(NULL, 0, words, set_words, &why) == LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_visibility_read(visibility, 0, NULL, set_words, &why) == LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_visibility_read(visibility, set_cells, words, set_words, &why) == LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_visibility_add_to(visibility, 0, words, set_words - 1, &why) == LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_visibility_read_indices(visibility, 0, NULL, 4, &count, &why) == LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_visibility_read_indices(visibility, 0, NULL, 0, NULL, &why) == LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_visibility_verify(NULL, &why) == LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_visibility_set_words(NULL) == 0 && lanecull_visibility_visible_count(NULL, 0) == 0);
    CHECK(lanecull_visibility_visible_count(visibility, set_cells) == 0 && lanecull_visibility_fingerprint(NULL) == 0);
    CHECK(lanecull_visibility_compressed(NULL, 0) == NULL && lanecull_visibility_compressed_byte_count(NULL, 0) == 0);
    CHECK(lanecull_visibility_compressed(visibility, set_cells) == NULL);
    CHECK(lanecull_visibility_compressed_byte_count(visibility, set_cells) == 0);
}

static void read_sets(const lanecull_visibility* visibility) {
    uint64_t words[set_words], united[set_words], count = 0;
    uint32_t indices[8], cell, i;
    memset(united, 0, sizeof united);
    CHECK(lanecull_visibility_set_words(visibility) == set_words);
    CHECK(lanecull_visibility_verify(visibility, &why) == LANECULL_OK);
    for (cell = 0; cell < set_cells; ++cell) {
        CHECK(lanecull_visibility_read(visibility, cell, words, set_words, &why) == LANECULL_OK);
        CHECK(memcmp(words, sets[cell], sizeof words) == 0);
        memset(words, 0, sizeof words);
        CHECK(lanecull_expand_set(lanecull_visibility_compressed(visibility, cell),
                                  lanecull_visibility_compressed_byte_count(visibility, cell), words, set_words,
                                  &why) == LANECULL_OK);
        CHECK(memcmp(words, sets[cell], sizeof words) == 0);
        CHECK(lanecull_visibility_add_to(visibility, cell, united, set_words, &why) == LANECULL_OK);
        for (i = 0; i < set_words; ++i) CHECK((united[i] & words[i]) == words[i]);
        CHECK(lanecull_visibility_visible_count(visibility, cell) == 40);
        CHECK(lanecull_visibility_read_indices(visibility, cell, indices, 8, &count, &why) == LANECULL_OK);
        CHECK(count == 40 && indices[7] == indices[0] + 35);
    }
}

/* What a frame does: find the eye's cell, read its set, cull the candidates. */
static void frame(const lanecull_visibility* visibility) {
    static float zeros[set_objects], depths[set_objects], ones[set_objects];
    static unsigned char scratch[1 << 14];
    const double eye[3] = {-0.5, 1.5, 1}, outside[3] = {-4, 0, 0};
    lanecull_spheres balls = {sizeof balls, zeros, zeros, depths, ones, set_objects};
    lanecull_visibility_info info;
    lanecull_view_output output;
    lanecull_batch batch;
    lanecull_batches* batches = NULL;
    lanecull_views* views = NULL;
    uint64_t words[set_words], cell = 99;
    unsigned before;
    uint32_t i;
    for (i = 0; i < set_objects; ++i) {
        depths[i] = -5;
        ones[i] = 1;
    }
    memset(&info, 0, sizeof info);
    info.size = sizeof info;
    CHECK(lanecull_visibility_get_info(visibility, &info, &why) == LANECULL_OK);
    CHECK(info.objects == set_objects && info.cell_count == set_cells && info.fingerprint == 77);
    CHECK(info.grid.count[0] == 3 && info.grid.count[1] == 2 && info.grid.count[2] == 1 && info.cells == NULL);
    CHECK(info.near_reach == 0.5 && info.per_distance == 0.001 && info.distance > 1e300);
    memset(&batch, 0, sizeof batch);
    batch.size = sizeof batch;
    batch.spheres = &balls;
    CHECK(lanecull_create_batches(1, &batches, &why) == LANECULL_OK);
    CHECK(lanecull_set_batch(batches, 0, &batch, &why) == LANECULL_OK);
    CHECK(lanecull_create_views(1, &views, &why) == LANECULL_OK);
    CHECK(lanecull_prepare_view(views, 0, camera, NULL, NULL, &why) == LANECULL_OK);
    before = allocations;
    CHECK(lanecull_find_cell(&info.grid, outside, &cell) == 0 && cell == 99);
    CHECK(lanecull_find_cell(NULL, eye, &cell) == 0 && lanecull_find_cell(&info.grid, NULL, &cell) == 0);
    CHECK(lanecull_find_cell(&info.grid, eye, &cell) == 1 && cell == 4);
    CHECK(lanecull_visibility_read(visibility, cell, words, set_words, &why) == LANECULL_OK);
    memset(&output, 0, sizeof output);
    output.size = sizeof output;
    output.candidates = words;
    output.candidate_words = set_words;
    CHECK(lanecull_scratch_bytes(batches, 1) <= sizeof scratch);
    CHECK(lanecull_cull(batches, views, 0, 1, &output, scratch, sizeof scratch, NULL, NULL, &why) == LANECULL_OK);
    CHECK(output.visible_count == 40 && allocations == before);
    lanecull_destroy_views(views);
    lanecull_destroy_batches(batches);
}

static size_t load(const char* path) {
    FILE* file = fopen(path, "rb");
    size_t bytes = 0;
    CHECK(file != NULL);
    if (file != NULL) {
        bytes = fread(file_memory, 1, sizeof file_memory, file);
        fclose(file);
    }
    CHECK(bytes > 0 && bytes < sizeof file_memory);
    return bytes;
}

int main(int argc, char** argv) {
    lanecull_visibility* visibility = NULL;
    size_t bytes;
    if (argc != 2) return 2;
    CHECK(count_allocations(&why) == LANECULL_OK);
    make();
    CHECK(write_visibility(argv[1], (const uint64_t(*)[set_words])sets) == 1);
    CHECK(lanecull_create_visibility(&visibility, &why) == LANECULL_OK);
    CHECK(lanecull_visibility_set_words(visibility) == 0);
    CHECK(lanecull_visibility_open(visibility, argv[1], &why) == LANECULL_OK);
    refused(visibility);
    read_sets(visibility);
    frame(visibility);
    bytes = load(argv[1]);
    CHECK(lanecull_visibility_open_in_memory(visibility, file_memory, bytes - 8, &why) == LANECULL_BAD_FILE);
    CHECK(lanecull_visibility_open_in_memory(visibility, file_memory, bytes, &why) == LANECULL_OK);
    read_sets(visibility);
    lanecull_destroy_visibility(visibility);
    lanecull_destroy_visibility(NULL);
    printf("%u sets are read as C++ wrote them\n", (unsigned)set_cells);
    return failures();
}
