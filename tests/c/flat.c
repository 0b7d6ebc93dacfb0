/* Culls 2D shapes of each kind from C: the bits are those of C++ on every instruction set; what is refused; and that a
 * frame takes no memory. */

#include "flat.h"

#include <string.h>

#include "check.h"
#include "counting.h"

static float numbers[6][flat_count], corners[2][5] = {{0, 2, 1, -1, -2}, {-1, 0, 2, 2, 0}};
static unsigned char scratch[1 << 16];

static float number(void) { /* -1 to 1, the same in each run */
    static uint32_t state = 1;
    state = state * 1664525u + 1013904223u;
    return (float)(state >> 8) / 8388608.0f - 1.0f;
}

/* Two points in order, and two numbers that are lengths or a turn. */
static void make(void) {
    int i;
    for (i = 0; i < flat_count; ++i) {
        numbers[0][i] = 10 * number();
        numbers[1][i] = 10 * number();
        numbers[2][i] = numbers[0][i] + 1 + number();
        numbers[3][i] = numbers[1][i] + 1 + number();
        numbers[4][i] = 1 + number();
        numbers[5][i] = 1 + number();
    }
}

static lanecull_flat_batches* make_batches(const lanecull_flat_polygon* polygon) {
    float(*n)[flat_count] = numbers;
    lanecull_flat_circles circles = {sizeof circles, n[0], n[1], n[4], flat_count};
    lanecull_flat_boxes boxes = {sizeof boxes, n[0], n[1], n[2], n[3], flat_count};
    lanecull_flat_oriented_boxes oriented = {sizeof oriented, n[0], n[1], n[4], n[5], n[4], n[5], flat_count};
    lanecull_flat_capsules capsules = {sizeof capsules, n[0], n[1], n[2], n[3], n[4], flat_count};
    lanecull_flat_polygon_instances instances = {sizeof instances, n[0], n[1], n[4], n[5], polygon, flat_count};
    lanecull_draw_templates draws = {sizeof draws, NULL, 2, 0}; /* `per` has no 2 */
    lanecull_flat_batches* batches = NULL;
    lanecull_flat_batch given[flat_kinds];
    uint32_t k;
    memset(given, 0, sizeof given);
    given[0].circles = &circles;
    given[1].boxes = &boxes;
    given[2].oriented_boxes = &oriented;
    given[3].capsules = &capsules;
    given[4].polygon_instances = &instances;
    CHECK(lanecull_flat_create_batches(flat_kinds, NULL, &why) == LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_flat_create_batches(flat_kinds, &batches, &why) == LANECULL_OK);
    CHECK(lanecull_flat_batch_count(batches) == flat_kinds && lanecull_flat_visibility_words(batches) == 0);
    CHECK(lanecull_flat_set_batch(batches, 0, &given[0], &why) == LANECULL_INVALID_ARGUMENT); /* no size */
    for (k = 0; k < flat_kinds; ++k) {
        given[k].size = sizeof given[k];
        CHECK(lanecull_flat_set_batch(batches, k, &given[k], &why) == LANECULL_OK);
    }
    CHECK(lanecull_flat_set_batch(batches, flat_kinds, &given[0], &why) == LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_flat_set_batch(NULL, 0, &given[0], &why) == LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_flat_set_batch(batches, 0, NULL, &why) == LANECULL_INVALID_ARGUMENT);
    given[0].boxes = &boxes; /* two kinds */
    CHECK(lanecull_flat_set_batch(batches, 0, &given[0], &why) == LANECULL_INVALID_ARGUMENT);
    given[1].draws = &draws;
    CHECK(lanecull_flat_set_batch(batches, 1, &given[1], &why) == LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_flat_visibility_words(batches) == flat_kinds * flat_words);
    return batches;
}

static lanecull_flat_views* make_views(void) {
    const lanecull_flat_rectangle rectangle = {-4, -3, 5, 6}, empty = {1, 0, 0, 1};
    const lanecull_flat_turned_rectangle turned = {1, 2, 3, 4, 0.6, 0.8};
    const double points[] = {-3, -3, 4, -1, 0, 5};
    lanecull_flat_views* views = NULL;
    CHECK(lanecull_flat_create_views(flat_views, NULL, &why) == LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_flat_create_views(flat_views, &views, &why) == LANECULL_OK);
    CHECK(lanecull_flat_prepare_view(views, 0, &empty, &why) == LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_flat_prepare_view(views, 0, NULL, &why) == LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_flat_prepare_turned_view(views, 0, NULL, &why) == LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_flat_prepare_turned_view(views, flat_views, &turned, &why) == LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_flat_prepare_view_from_points(views, 2, NULL, 3, &why) == LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_flat_prepare_view_from_points(views, 2, points, 2, &why) == LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_flat_prepare_view_from_points(views, 2, points, (size_t)-1, &why) == LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_flat_view_is_prepared(views, 0) == 0 && lanecull_flat_view_is_prepared(views, flat_views) == 0);
    CHECK(lanecull_flat_prepare_view(views, 0, &rectangle, &why) == LANECULL_OK);
    CHECK(lanecull_flat_prepare_turned_view(views, 1, &turned, &why) == LANECULL_OK);
    CHECK(lanecull_flat_prepare_view_from_points(views, 2, points, 3, &why) == LANECULL_OK);
    CHECK(lanecull_flat_view_is_prepared(views, 2) == 1 && lanecull_flat_view_count(views) == flat_views);
    return views;
}

/* On one set: as C++. */
static void frame(const lanecull_flat_batches* batches, const lanecull_flat_views* views, uint32_t isa) {
    static struct found_flat expected, found;
    lanecull_cull_options options = {sizeof options, 0, isa, NULL, 0};
    lanecull_view_output outputs[flat_views];
    const size_t bytes = lanecull_flat_scratch_bytes(batches, flat_views);
    unsigned before;
    uint32_t v;
    memset(&expected, 0, sizeof expected);
    memset(&found, 0, sizeof found);
    memset(outputs, 0, sizeof outputs);
    for (v = 0; v < flat_views; ++v) {
        outputs[v].size = sizeof outputs[v];
        outputs[v].visible = found.visible[v];
        outputs[v].inside = found.inside[v];
        outputs[v].visible_words = outputs[v].inside_words = flat_kinds * flat_words;
    }
    CHECK(bytes <= sizeof scratch);
    before = allocations;
    CHECK(lanecull_flat_cull(batches, views, 0, flat_views, outputs, scratch, bytes, &options, NULL, &why) ==
          LANECULL_OK);
    CHECK(allocations == before);
    for (v = 0; v < flat_views; ++v) {
        found.visible_count[v] = outputs[v].visible_count;
        CHECK(found.visible_count[v] > 0 && found.visible_count[v] < flat_kinds * flat_count);
    }
    flat_cpp((const float(*)[flat_count])numbers, (const float(*)[5])corners, isa, &expected);
    CHECK(memcmp(&expected, &found, sizeof found) == 0);
    options.method = LANECULL_METHOD_PLANES + 1; /* there is none */
    CHECK(lanecull_flat_cull(batches, views, 0, flat_views, outputs, scratch, bytes, &options, NULL, &why) ==
          LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_flat_cull(NULL, views, 0, flat_views, outputs, scratch, bytes, NULL, NULL, &why) ==
          LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_flat_cull(batches, NULL, 0, flat_views, outputs, scratch, bytes, NULL, NULL, &why) ==
          LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_flat_cull(batches, views, 1, flat_views, outputs, scratch, bytes, NULL, NULL, &why) ==
          LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_flat_cull(batches, views, 0, flat_views, NULL, scratch, bytes, NULL, NULL, &why) ==
          LANECULL_INVALID_ARGUMENT);
}

int main(void) {
    lanecull_flat_polygon polygon;
    lanecull_flat_batches* batches;
    lanecull_flat_views* views;
    uint32_t isa, sets = 0;
    CHECK(count_allocations(&why) == LANECULL_OK);
    make();
    CHECK(lanecull_flat_prepare_polygon(corners[0], corners[1], 5, &polygon, &why) == LANECULL_OK);
    CHECK(polygon.count == 5);
    CHECK(lanecull_flat_prepare_polygon(corners[0], corners[1], 0, &polygon, &why) == LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_flat_prepare_polygon(corners[0], NULL, 5, &polygon, &why) == LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_flat_prepare_polygon(corners[0], corners[1], 5, NULL, &why) == LANECULL_INVALID_ARGUMENT);
    batches = make_batches(&polygon);
    views = make_views();
    for (isa = LANECULL_ISA_SCALAR; lanecull_isa_lanes(isa) > 0; ++isa) {
        if (lanecull_isa_runnable(isa) == 0) continue;
        frame(batches, views, isa);
        ++sets;
    }
    CHECK(sets > 0);
    lanecull_flat_destroy_views(views);
    lanecull_flat_destroy_batches(batches);
    lanecull_flat_destroy_views(NULL);
    lanecull_flat_destroy_batches(NULL);
    CHECK(lanecull_flat_view_count(NULL) == 0 && lanecull_flat_visibility_words(NULL) == 0);
    printf("%u shapes of %u kinds on %u sets are culled as from C++\n", (unsigned)flat_count, (unsigned)flat_kinds,
           (unsigned)sets);
    return failures();
}
