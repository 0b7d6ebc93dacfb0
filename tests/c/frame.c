/* Culls a frame: spheres and boxes in a camera's view, by a runner of this program's own, into bits, indices, runs and
 * draw commands; then what the frame before left as candidates. */

#include <stdlib.h>
#include <string.h>

#include "check.h"

enum { spheres = 1000, boxes = 100, words = (spheres + 63) / 64 + (boxes + 63) / 64 };

static float x[spheres], y[spheres], z[spheres], radius[spheres];
static float low[3][boxes], high[3][boxes];

/* Spheres along x from -500 on, ten units before the eye; boxes along z, before and behind it. */
static void place(void) {
    int i;
    for (i = 0; i < spheres; ++i) {
        x[i] = (float)i - 500.0f;
        y[i] = 0.0f;
        z[i] = -10.0f;
        radius[i] = 0.25f;
    }
    for (i = 0; i < boxes; ++i) {
        low[0][i] = low[1][i] = -0.1f;
        high[0][i] = high[1][i] = 0.1f;
        low[2][i] = 2.0f * (float)i - 100.05f;
        high[2][i] = 2.0f * (float)i - 99.95f;
    }
}

/* Runs the tasks backwards and counts them. */
static void run_backwards(void* self, uint32_t count, void (*task)(void* context, uint32_t index), void* context,
                          const char* name) {
    (void)name;
    *(uint32_t*)self += count;
    while (count > 0) task(context, --count);
}

static lanecull_batches* make_batches(const lanecull_draw_templates* draws) {
    lanecull_batches* batches = NULL;
    lanecull_spheres balls = {sizeof(lanecull_spheres), x, y, z, radius, spheres};
    lanecull_boxes cubes = {sizeof(lanecull_boxes), low[0], low[1], low[2], high[0], high[1], high[2], boxes};
    lanecull_batch batch;
    CHECK(lanecull_create_batches(2, &batches, &why) == LANECULL_OK);
    memset(&batch, 0, sizeof batch);
    batch.size = sizeof batch;
    batch.spheres = &balls;
    batch.draws = draws;
    CHECK(lanecull_set_batch(batches, 0, &batch, &why) == LANECULL_OK);
    batch.spheres = NULL;
    batch.boxes = &cubes;
    batch.first_index = spheres;
    CHECK(lanecull_set_batch(batches, 1, &batch, &why) == LANECULL_OK);
    return batches;
}

/* A camera at the origin that looks along -z, 90 degrees across, from 1 to 1000. */
static lanecull_views* make_views(void) {
    const double matrix[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1000.0 / 999.0, -1, 0, 0, -1000.0 / 999.0, 0};
    lanecull_views* views = NULL;
    CHECK(lanecull_create_views(2, &views, &why) == LANECULL_OK);
    CHECK(lanecull_view_is_prepared(views, 0) == 0);
    CHECK(lanecull_prepare_view(views, 0, matrix, NULL, NULL, &why) == LANECULL_OK);
    CHECK(lanecull_prepare_view(views, 1, matrix, NULL, NULL, &why) == LANECULL_OK);
    CHECK(lanecull_view_is_prepared(views, 0) == 1 && lanecull_view_is_exact(views, 0) == 1);
    return views;
}

int main(void) {
    const lanecull_draw_command command = {36, 1, 0, 0, 7};
    const lanecull_draw_templates draws = {sizeof(lanecull_draw_templates), &command, LANECULL_DRAW_PER_BATCH, 0};
    static uint64_t visible[2][words], masks[spheres + boxes];
    static uint32_t indices[spheres + boxes];
    static lanecull_draw_command commands[spheres + boxes];
    lanecull_visible_run runs[4];
    lanecull_batch_range ranges[2];
    lanecull_statistics statistics = {
        sizeof(lanecull_statistics), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    lanecull_view_output outputs[2];
    lanecull_cull_options options = {sizeof(lanecull_cull_options), 0, 0, masks, spheres + boxes};
    uint32_t tasks = 0, drawn = 0;
    lanecull_runner runner = {sizeof(lanecull_runner), &tasks, run_backwards};
    lanecull_batches* batches;
    lanecull_views* views;
    void* scratch;
    size_t bytes;

    place();
    batches = make_batches(&draws);
    views = make_views();
    CHECK(lanecull_batch_count(batches) == 2 && lanecull_view_count(views) == 2);
    CHECK(lanecull_visibility_words(batches) == words);
    bytes = lanecull_scratch_bytes(batches, 2);
    scratch = malloc(bytes);

    memset(outputs, 0, sizeof outputs);
    outputs[0].size = outputs[1].size = sizeof outputs[0];
    outputs[0].visible = visible[0];
    outputs[1].visible = visible[1];
    outputs[0].visible_words = outputs[1].visible_words = words;
    outputs[0].indices = indices;
    outputs[0].index_capacity = spheres + boxes;
    outputs[0].runs = runs;
    outputs[0].run_capacity = 4;
    outputs[0].draws.memory = commands;
    outputs[0].draws.memory_bytes = sizeof commands;
    outputs[0].draws.count = &drawn;
    outputs[0].batch_ranges = ranges;
    outputs[0].batch_range_count = 2;
    outputs[0].statistics = &statistics;
    CHECK(lanecull_cull(batches, views, 0, 2, outputs, scratch, bytes, &options, &runner, &why) == LANECULL_OK);
    CHECK(why.text[0] == '\0' && tasks > 0);

    /* At depth 10 the view is 10 wide to each side: spheres 490 to 510. Boxes 0 to 49 stand before the eye. */
    CHECK(outputs[0].visible_count == 21 + 50 && outputs[1].visible_count == 21 + 50);
    CHECK(memcmp(visible[0], visible[1], sizeof visible[0]) == 0);
    CHECK(indices[0] == 490 && indices[20] == 510 && indices[21] == spheres && indices[70] == spheres + 49);
    CHECK(outputs[0].run_count == 2 && runs[0].first == 490 && runs[0].count == 21 && runs[1].count == 50);
    CHECK(ranges[1].first == 21 && ranges[1].count == 50);
    CHECK(outputs[0].draw_count == 71 && drawn == 71 && commands[0].first_instance == 7 + 490);
    CHECK(statistics.objects == spheres + boxes && statistics.size == sizeof statistics);
    CHECK(masks[490] == 3 && masks[489] == 0);

    /* Of the candidates alone. */
    visible[0][490 / 64] = 0;
    outputs[1].candidates = visible[0];
    outputs[1].candidate_words = words;
    CHECK(lanecull_cull(batches, views, 1, 1, outputs + 1, scratch, bytes, NULL, NULL, &why) == LANECULL_OK);
    CHECK(outputs[1].visible_count < 71 && (visible[1][490 / 64] >> 490 % 64 & 1) == 0);

    printf("%u of %u objects are visible\n", (unsigned)outputs[0].visible_count, (unsigned)(spheres + boxes));
    free(scratch);
    lanecull_destroy_views(views);
    lanecull_destroy_batches(batches);
    return failures();
}
