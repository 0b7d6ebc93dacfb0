/* What is refused, with which code, and that no other memory is taken than by the hooks, none of it in a frame. */

#include <stdlib.h>
#include <string.h>

#include "check.h"

static unsigned allocations = 0, releases = 0;
static int is_empty = 0;

static void* allocate(void* self, size_t bytes) {
    (void)self;
    ++allocations;
    return is_empty ? NULL : malloc(bytes);
}
static void* reallocate(void* self, void* memory, size_t bytes) {
    (void)self;
    if (is_empty) return NULL;
    if (memory == NULL) ++allocations;
    return realloc(memory, bytes);
}
static void release(void* self, void* memory) {
    (void)self;
    ++releases;
    free(memory);
}

static void hooks(void) {
    lanecull_memory_hooks given = {sizeof(lanecull_memory_hooks), NULL, allocate, reallocate, NULL};
    CHECK(lanecull_set_memory_hooks(NULL, &why) == LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_set_memory_hooks(&given, &why) == LANECULL_INVALID_ARGUMENT);
    CHECK(strstr(why.text, "release") != NULL);
    given.release = release;
    given.size -= 1;
    CHECK(lanecull_set_memory_hooks(&given, &why) == LANECULL_INVALID_ARGUMENT);
    given.size += 1;
    CHECK(lanecull_set_memory_hooks(&given, &why) == LANECULL_OK && why.text[0] == '\0');
}

/* The header has every set that the library knows, by its number. */
static void numbers_of_sets(void) {
    static const char* const names[] = {"automatic", "scalar", "sse4.2", "avx2", "avx512", "neon64", "wasm"};
    const uint32_t numbers[] = {LANECULL_ISA_AUTOMATIC, LANECULL_ISA_SCALAR, LANECULL_ISA_SSE42, LANECULL_ISA_AVX2,
                                LANECULL_ISA_AVX512,    LANECULL_ISA_NEON64, LANECULL_ISA_WASM};
    uint32_t k;
    for (k = 0; k < sizeof numbers / sizeof *numbers; ++k) {
        CHECK(numbers[k] == k && strcmp(lanecull_isa_name(k), names[k]) == 0);
    }
    CHECK(strcmp(lanecull_isa_name(k), "unknown") == 0);
}

static void sets(void) {
    uint32_t isa = 99;
    CHECK(lanecull_abi_version() == LANECULL_ABI_VERSION);
    numbers_of_sets();
    CHECK(strcmp(lanecull_isa_name(1000), "unknown") == 0);
    CHECK(lanecull_isa_runnable(1000) == 0 && lanecull_isa_lanes(1000) == 0);
    CHECK(lanecull_isa_from_name("scalar", &isa, &why) == LANECULL_OK && isa == LANECULL_ISA_SCALAR);
    CHECK(lanecull_isa_from_name("mmx", &isa, &why) == LANECULL_INVALID_ARGUMENT && isa == LANECULL_ISA_SCALAR);
    CHECK(lanecull_isa_from_name(NULL, &isa, NULL) == LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_resolve_isa(LANECULL_ISA_AUTOMATIC, &isa, &why) == LANECULL_OK);
    CHECK(lanecull_isa_runnable(isa) == 1 && lanecull_isa_lanes(isa) > 0);
    CHECK(lanecull_resolve_isa(1000, &isa, &why) == LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_isa_from_environment(&isa, &why) == LANECULL_OK && lanecull_isa_runnable(isa) == 1);
    CHECK(lanecull_isa_from_environment(NULL, &why) == LANECULL_INVALID_ARGUMENT);
}

/* What a newer header might have: one field more. */
struct newer_batch {
    lanecull_batch batch;
    const void* field;
};

static const float zeros[3] = {0, 0, 0}, ones[3] = {1, 1, 1};

/* 0 names no layout: a struct that was cleared has none. */
static void transforms_without_a_layout(lanecull_batches* list) {
    static const float identity[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    lanecull_transforms transforms = {sizeof(lanecull_transforms), identity, 0, 0, {NULL, 0}, {0, 0, 0}};
    lanecull_boxes cube = {sizeof(lanecull_boxes), zeros, zeros, zeros, ones, ones, ones, 1};
    lanecull_box_instances placed;
    lanecull_batch batch;
    memset(&placed, 0, sizeof placed);
    memset(&batch, 0, sizeof batch);
    placed.size = sizeof placed, placed.transforms = &transforms, placed.boxes = &cube, placed.count = 1;
    batch.size = sizeof batch, batch.box_instances = &placed;
    for (transforms.layout = 0; transforms.layout <= 5; ++transforms.layout) {
        const int named = transforms.layout >= LANECULL_ROWS_3X4 && transforms.layout <= LANECULL_COLUMNS_4X4;
        const lanecull_status status = lanecull_set_batch(list, 0, &batch, &why);
        CHECK(status == (named ? LANECULL_OK : LANECULL_INVALID_ARGUMENT));
        CHECK(named || strstr(why.text, "transforms.layout") != NULL);
    }
}

static void batches(void) {
    lanecull_spheres balls = {sizeof(lanecull_spheres), zeros, zeros, zeros, ones, 3};
    lanecull_boxes cubes = {sizeof(lanecull_boxes), zeros, zeros, zeros, ones, ones, ones, 3};
    lanecull_draw_templates draws = {sizeof(lanecull_draw_templates), NULL, 2, 0};
    lanecull_batches* list = NULL;
    struct newer_batch newer;
    lanecull_batch* batch = &newer.batch;
    memset(&newer, 0, sizeof newer);
    CHECK(lanecull_create_batches(2, NULL, &why) == LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_create_batches(2, &list, &why) == LANECULL_OK);
    CHECK(lanecull_visibility_words(list) == 0);
    batch->spheres = &balls;
    CHECK(lanecull_set_batch(list, 0, batch, &why) == LANECULL_INVALID_ARGUMENT); /* no size */
    CHECK(strstr(why.text, "batch.size") != NULL);
    batch->size = sizeof *batch;
    CHECK(lanecull_set_batch(list, 2, batch, &why) == LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_set_batch(NULL, 0, batch, &why) == LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_set_batch(list, 0, NULL, NULL) == LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_set_batch(list, 0, batch, &why) == LANECULL_OK);
    CHECK(lanecull_visibility_words(list) == 1);
    batch->boxes = &cubes; /* two kinds */
    CHECK(lanecull_set_batch(list, 0, batch, &why) == LANECULL_INVALID_ARGUMENT);
    batch->spheres = NULL;
    batch->draws = &draws; /* `per` has no 2 */
    CHECK(lanecull_set_batch(list, 0, batch, &why) == LANECULL_INVALID_ARGUMENT);
    batch->draws = NULL;
    newer.batch.size = sizeof newer;
    CHECK(lanecull_set_batch(list, 0, batch, &why) == LANECULL_OK);
    newer.field = zeros;
    CHECK(lanecull_set_batch(list, 0, batch, &why) == LANECULL_UNSUPPORTED);
    batch->size = (size_t)-1;
    CHECK(lanecull_set_batch(list, 0, batch, &why) == LANECULL_INVALID_ARGUMENT);
    transforms_without_a_layout(list);
    lanecull_destroy_batches(list);
    lanecull_destroy_batches(NULL);
    CHECK(lanecull_batch_count(NULL) == 0 && lanecull_visibility_words(NULL) == 0);
    is_empty = 1;
    list = NULL;
    CHECK(lanecull_create_batches(2, &list, &why) == LANECULL_OUT_OF_MEMORY && list == NULL);
    is_empty = 0;
}

static void views(void) {
    const double around[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}, center[3] = {0, 0, 0};
    const lanecull_plane planes[1] = {{{1, 0, 0}, 0}}, beyond = {{1, 0, 0}, -5};
    lanecull_clip_space space = {sizeof(lanecull_clip_space), LANECULL_ROW_MAJOR, 7, {0, 0, 0}};
    lanecull_view_options options;
    lanecull_views* list = NULL;
    memset(&options, 0, sizeof options);
    options.size = sizeof options;
    CHECK(lanecull_create_views(1, &list, &why) == LANECULL_OK);
    CHECK(lanecull_prepare_view(list, 0, NULL, NULL, NULL, &why) == LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_prepare_view(list, 1, around, NULL, NULL, &why) == LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_prepare_view(list, 0, around, &space, NULL, &why) == LANECULL_INVALID_ARGUMENT);
    CHECK(strstr(why.text, "clip_space.depth") != NULL);
    options.clip_plane_count = 1;
    CHECK(lanecull_prepare_view(list, 0, around, NULL, &options, &why) == LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_view_is_prepared(list, 0) == 0 && lanecull_view_is_prepared(list, 1) == 0);
    options.clip_planes = planes;
    CHECK(lanecull_prepare_view(list, 0, around, NULL, &options, &why) == LANECULL_OK);
    CHECK(lanecull_prepare_stereo_view(list, 0, around, NULL, NULL, NULL, &why) == LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_prepare_view_from_corners(list, 0, NULL, NULL, &why) == LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_prepare_view_from_planes(list, 0, planes, 1, NULL, &why) == LANECULL_OK);
    CHECK(lanecull_prepare_view_from_ball(list, 0, center, -1, NULL, &why) == LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_prepare_view_from_ball(list, 0, center, 1, NULL, &why) == LANECULL_OK);
    CHECK(lanecull_view_sees_nothing(list, 0) == 0 && lanecull_view_sees_nothing(list, 1) == 0);
    /* A clip plane of which nothing of the ball is on the inner side. */
    options.clip_planes = &beyond;
    CHECK(lanecull_prepare_view_from_ball(list, 0, center, 1, &options, &why) == LANECULL_OK);
    CHECK(lanecull_view_sees_nothing(list, 0) == 1 && lanecull_view_is_exact(list, 0) == 1);
    lanecull_destroy_views(list);
    lanecull_destroy_views(NULL);
}

static void culls(void) {
    const double center[3] = {0, 0, 0};
    lanecull_spheres balls = {sizeof(lanecull_spheres), zeros, zeros, zeros, ones, 3};
    lanecull_batch batch;
    lanecull_batches* objects = NULL;
    lanecull_views* list = NULL;
    lanecull_view_output output;
    lanecull_runner runner = {sizeof(lanecull_runner), NULL, NULL};
    lanecull_cull_options options = {sizeof(lanecull_cull_options), 3, 0, NULL, 0};
    uint64_t word = 77;
    static unsigned char scratch[4096];
    unsigned before;
    memset(&batch, 0, sizeof batch);
    batch.size = sizeof batch;
    batch.spheres = &balls;
    memset(&output, 0, sizeof output);
    output.visible = &word;
    output.visible_words = 1;
    CHECK(lanecull_create_batches(1, &objects, &why) == LANECULL_OK);
    CHECK(lanecull_set_batch(objects, 0, &batch, &why) == LANECULL_OK);
    CHECK(lanecull_create_views(2, &list, &why) == LANECULL_OK);
    before = allocations;
    CHECK(lanecull_scratch_bytes(objects, 1) <= sizeof scratch);
    CHECK(lanecull_cull(objects, list, 0, 1, &output, scratch, sizeof scratch, NULL, NULL, &why) ==
          LANECULL_INVALID_ARGUMENT); /* no size */
    output.size = sizeof output;
    CHECK(lanecull_cull(objects, list, 0, 1, &output, scratch, sizeof scratch, NULL, NULL, &why) ==
          LANECULL_NOT_READY); /* the view is not prepared */
    CHECK(lanecull_prepare_view_from_ball(list, 0, center, 1, NULL, &why) == LANECULL_OK);
    CHECK(lanecull_cull(objects, list, 1, 2, &output, scratch, sizeof scratch, NULL, NULL, &why) ==
          LANECULL_INVALID_ARGUMENT); /* there are no such views */
    CHECK(lanecull_cull(objects, list, 0, 1, &output, NULL, sizeof scratch, NULL, NULL, &why) ==
          LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_cull(objects, list, 0, 1, &output, scratch, 1, NULL, NULL, &why) == LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_cull(objects, list, 0, 1, &output, scratch, sizeof scratch, NULL, &runner, &why) ==
          LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_cull(objects, list, 0, 1, &output, scratch, sizeof scratch, &options, NULL, &why) ==
          LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_cull(objects, list, 0, 1, NULL, scratch, sizeof scratch, NULL, NULL, &why) ==
          LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_cull(NULL, list, 0, 1, &output, scratch, sizeof scratch, NULL, NULL, &why) ==
          LANECULL_INVALID_ARGUMENT);
    CHECK(word == 77);
    CHECK(lanecull_cull(objects, list, 0, 1, &output, scratch, sizeof scratch, NULL, NULL, NULL) == LANECULL_OK);
    CHECK(word == 7 && output.visible_count == 3);
    CHECK(allocations == before);
    lanecull_destroy_views(list);
    lanecull_destroy_batches(objects);
}

int main(void) {
    hooks();
    sets();
    batches();
    views();
    culls();
    CHECK(allocations > 0);
    return failures();
}
