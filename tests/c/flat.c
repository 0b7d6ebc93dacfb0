/* Culls 2D shapes of each kind: boxes and circles against a rectangle as comparisons decide them, all kinds alike on
 * every instruction set; a frame takes no memory. */

#include <math.h>

#include "check.h"

enum { kinds = 5, count = 300, words_each = (count + 63) / 64, words = kinds * words_each, views = 3 };

static float n[6][count];
static const float corners[2][5] = {{0, 2, 1, -1, -2}, {-1, 0, 2, 2, 0}};
static const lanecull_flat_rectangle rectangle = {-4, -3, 5, 6};

/* Two points in order, and two numbers that are lengths or a turn. */
static void make(void) {
    int i;
    for (i = 0; i < count; ++i) {
        n[0][i] = 10 * number();
        n[1][i] = 10 * number();
        n[2][i] = n[0][i] + 1 + number();
        n[3][i] = n[1][i] + 1 + number();
        n[4][i] = 1 + number();
        n[5][i] = 1 + number();
    }
}

static void make_views(lanecull_flat_view* to) {
    const lanecull_flat_rectangle empty = {1, 0, 0, 1};
    const lanecull_flat_turned_rectangle turned = {1, 2, 3, 4, 0.6, 0.8};
    const double points[] = {-3, -3, 4, -1, 0, 5};
    CHECK_REFUSED(lanecull_flat_prepare_view(&empty, &to[0]));
    CHECK_REFUSED(lanecull_flat_prepare_view_from_points(points, 2, &to[2]));
    CHECK(to[0].state == 0 && to[2].state == 0);
    CHECK_OK(lanecull_flat_prepare_view(&rectangle, &to[0]));
    CHECK_OK(lanecull_flat_prepare_turned_view(&turned, &to[1]));
    CHECK_OK(lanecull_flat_prepare_view_from_points(points, 3, &to[2]));
    CHECK(to[0].state != 0 && to[1].state != 0 && to[2].state != 0);
}

/* How far a circle's centre is from the rectangle. */
static double distance_of(double x, double y) {
    const double a = fmax(fmax(rectangle.min_x - x, x - rectangle.max_x), 0);
    const double b = fmax(fmax(rectangle.min_y - y, y - rectangle.max_y), 0);
    return sqrt(a * a + b * b);
}

static void by_comparison(const uint64_t* visible) {
    uint32_t i;
    for (i = 0; i < count; ++i) {
        const double x = (double)n[0][i], y = (double)n[1][i], radius = (double)n[4][i];
        const int meets = x <= rectangle.max_x && (double)n[2][i] >= rectangle.min_x && y <= rectangle.max_y &&
                          (double)n[3][i] >= rectangle.min_y;
        CHECK(has_bit(visible + words_each, i) == meets);
        if (fabs(distance_of(x, y) - radius) < 1e-4) continue;
        CHECK(has_bit(visible, i) == (distance_of(x, y) < radius));
    }
}

/* All kinds by all views. */
static void frame(const lanecull_flat_polygon* polygon, const lanecull_flat_view* all_views, lanecull_isa isa,
                  uint64_t (*visible)[words]) {
    static uint64_t inside[views][words];
    const lanecull_flat_batch batches[kinds] = {
        {.kind = LANECULL_FLAT_CIRCLES, .shapes.circles = {n[0], n[1], n[4], count}},
        {.kind = LANECULL_FLAT_BOXES, .shapes.boxes = {n[0], n[1], n[2], n[3], count}},
        {.kind = LANECULL_FLAT_ORIENTED_BOXES, .shapes.oriented_boxes = {n[0], n[1], n[4], n[5], n[4], n[5], count}},
        {.kind = LANECULL_FLAT_CAPSULES, .shapes.capsules = {n[0], n[1], n[2], n[3], n[4], count}},
        {.kind = LANECULL_FLAT_POLYGON_INSTANCES, .shapes.polygon_instances = {n[0], n[1], n[4], n[5], polygon, count}},
    };
    lanecull_output outputs[views] = {{.visible = {visible[0], words}, .inside = {inside[0], words}},
                                      {.visible = {visible[1], words}, .inside = {inside[1], words}},
                                      {.visible = {visible[2], words}, .inside = {inside[2], words}}};
    const lanecull_flat_cull_call call = {.batches = {batches, kinds},
                                          .views = {all_views, views},
                                          .outputs = {outputs, views},
                                          .scratch = {scratch, lanecull_flat_scratch_bytes(batches, kinds, views)},
                                          .options = {.isa = isa}};
    int v, w;
    CHECK(call.scratch.bytes <= sizeof scratch && lanecull_flat_visibility_words(batches, kinds) == words);
    CHECK_OK(lanecull_flat_cull(&call));
    for (v = 0; v < views; ++v) {
        CHECK(outputs[v].visible_count > 0 && outputs[v].visible_count < kinds * count);
        for (w = 0; w < words; ++w) CHECK((inside[v][w] & ~visible[v][w]) == 0);
    }
    by_comparison(visible[0]);
}

int main(void) {
    static lanecull_flat_view all_views[views];
    static uint64_t first[views][words], visible[views][words];
    lanecull_flat_polygon polygon;
    lanecull_isa isa, sets = 0;
    count_allocations();
    make();
    make_views(all_views);
    CHECK_OK(lanecull_flat_prepare_polygon(corners[0], corners[1], 5, &polygon));
    CHECK(polygon.count == 5 && polygon.radius >= 1.5f);
    CHECK_REFUSED(lanecull_flat_prepare_polygon(corners[0], corners[1], 33, &polygon));
    for (isa = LANECULL_ISA_SCALAR; lanecull_isa_lanes(isa) > 0; ++isa) {
        if (lanecull_isa_runnable(isa) == 0) continue;
        frame(&polygon, all_views, isa, visible);
        if (sets++ == 0) memcpy(first, visible, sizeof first);
        CHECK(memcmp(first, visible, sizeof first) == 0);
    }
    CHECK(sets > 0 && allocations == 0);
    return failures();
}
