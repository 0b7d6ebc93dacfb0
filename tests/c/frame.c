/* Culls a frame: spheres and boxes in a camera's view, by a runner of this program's own, into bits, indices, runs and
 * draw commands; why each was kept or culled; what the frame before left as candidates. Every way to make a view, and
 * the library as a whole. */

#include "check.h"

enum { spheres = 1000, boxes = 100, words = (spheres + 63) / 64 + (boxes + 63) / 64 };

static float x[spheres], y[spheres], z[spheres], radius[spheres];
static float low[3][boxes], high[3][boxes];
static const lanecull_draw_command command = {36, 1, 0, 0, 7};

/* Spheres along x from -500 on, ten units before the eye; boxes along z, before and behind it. */
static const lanecull_batch batches[2] = {
    {.kind = LANECULL_SPHERES, .shapes.spheres = {x, y, z, radius, spheres}, .draws.first = &command},
    {.kind = LANECULL_BOXES,
     .first_index = spheres,
     .shapes.boxes = {low[0], low[1], low[2], high[0], high[1], high[2], boxes},
     .draws.first = &command},
};
static const lanecull_objects objects = {.batches = {batches, 2}};

static void place(void) {
    int i;
    for (i = 0; i < spheres; ++i) {
        x[i] = (float)i - 500.0f;
        z[i] = -10;
        radius[i] = 0.25f;
    }
    for (i = 0; i < boxes; ++i) {
        low[0][i] = low[1][i] = -0.1f;
        high[0][i] = high[1][i] = 0.1f;
        low[2][i] = 2.0f * (float)i - 100.05f;
        high[2][i] = 2.0f * (float)i - 99.95f;
    }
}

/* Every set that the library knows, by its number. */
static void library(void) {
    static const char* const names[] = {"automatic", "scalar", "sse4.2", "avx2", "avx512", "neon64", "wasm"};
    const lanecull_isa numbers[] = {LANECULL_ISA_AUTOMATIC, LANECULL_ISA_SCALAR, LANECULL_ISA_SSE42, LANECULL_ISA_AVX2,
                                    LANECULL_ISA_AVX512,    LANECULL_ISA_NEON64, LANECULL_ISA_WASM};
    lanecull_isa isa, k;
    for (k = 0; k < 7; ++k) {
        isa = 99;
        CHECK(numbers[k] == k && strcmp(lanecull_isa_name(k), names[k]) == 0);
        CHECK_OK(lanecull_isa_from_name(names[k], &isa));
        CHECK(isa == k && (lanecull_isa_lanes(k) > 0) == (k > 0));
    }
    CHECK(strcmp(lanecull_isa_name(7), "unknown") == 0 && lanecull_isa_lanes(7) == 0 && lanecull_isa_runnable(7) == 0);
    CHECK(lanecull_library_form() == LANECULL_FORM && LANECULL_VERSION_NUMBER >= 100);
    CHECK_OK(lanecull_resolve_isa(LANECULL_ISA_AUTOMATIC, &isa));
    CHECK(isa != LANECULL_ISA_AUTOMATIC && lanecull_isa_runnable(isa) == 1);
    CHECK_OK(lanecull_isa_from_environment(&isa));
    CHECK(lanecull_isa_runnable(isa) == 1);
    CHECK(lanecull_current_memory_hooks()->allocate == allocate);
}

/* Runs the tasks backwards and counts them. */
static void run_backwards(void* self, uint32_t count, const lanecull_task* task) {
    *(uint32_t*)self += count;
    while (count > 0) task->call(task->context, --count);
}

static void frame(const lanecull_view* view) {
    const lanecull_view views[2] = {*view, *view};
    static uint64_t visible[2][words], inside[words], masks[spheres + boxes];
    static uint32_t indices[spheres + boxes];
    static lanecull_draw_command commands[spheres + boxes];
    static lanecull_certificate certificates[spheres + boxes];
    lanecull_visible_run runs[4];
    lanecull_batch_range ranges[2];
    lanecull_explanation why = {.certificates = {certificates, spheres + boxes}};
    uint32_t tasks = 0, drawn = 0;
    uint64_t decided = 0;
    lanecull_output outputs[2] = {
        {.visible = {visible[0], words},
         .indices = {indices, spheres + boxes},
         .inside = {inside, words},
         .runs = {runs, 4},
         .draws = {.memory = {commands, sizeof commands}, .count = &drawn},
         .batch_ranges = {ranges, 2},
         .explanation = &why},
        {.visible = {visible[1], words}},
    };
    lanecull_cull_call call = {
        .objects = objects,
        .views = {views, 2},
        .outputs = {outputs, 2},
        .options = {.runner = {&tasks, run_backwards}, .view_masks = {masks, spheres + boxes}},
    };
    int i;
    CHECK(lanecull_visibility_words(&objects) == words);
    call.scratch.bytes = lanecull_scratch_bytes(&objects, 2);
    call.scratch.first = malloc(call.scratch.bytes);
    CHECK_OK(lanecull_cull(&call));
    free(call.scratch.first);

    /* At depth 10 the view is 10 wide to each side: spheres 490 to 510. Boxes 0 to 49 stand before the eye. */
    CHECK(tasks > 0 && outputs[0].visible_count == 71 && outputs[1].visible_count == 71);
    CHECK(memcmp(visible[0], visible[1], sizeof visible[0]) == 0);
    CHECK(indices[0] == 490 && indices[20] == 510 && indices[21] == spheres && indices[70] == spheres + 49);
    CHECK(outputs[0].run_count == 2 && runs[0].first == 490 && runs[0].count == 21 && runs[1].count == 50);
    CHECK(ranges[0].count == 21 && ranges[1].first == 21 && ranges[1].count == 50);
    CHECK(outputs[0].draw_count == 71 && drawn == 71 && commands[0].first_instance == 7 + 490);
    CHECK(has_bit(inside, 500) && !has_bit(inside, 510));
    CHECK(masks[490] == 3 && masks[489] == 0);
    for (i = 0; i < LANECULL_REASON_COUNT; ++i) decided += why.counts.by_reason[i];
    CHECK(decided == spheres + boxes && certificates[spheres].reason >= LANECULL_VISIBLE_ALWAYS);
    CHECK(certificates[489].reason <= LANECULL_CULLED_GJK && certificates[490].reason >= LANECULL_VISIBLE_ALWAYS);

    /* Of the candidates alone; into lists that are too short. */
    visible[0][490 / 64] = 0;
    outputs[1].candidates.items = visible[0], outputs[1].candidates.count = words;
    outputs[1].indices.items = indices, outputs[1].indices.count = 3;
    indices[3] = 77;
    CHECK_OK(cull_one(objects, view, &outputs[1]));
    CHECK(outputs[1].visible_count == 50 && !has_bit(visible[1], 490));
    CHECK(indices[0] == spheres && indices[2] == spheres + 2 && indices[3] == 77);
}

/* How many spheres and boxes a view shows. */
static uint64_t seen(lanecull_view* view) {
    lanecull_output output = {0};
    CHECK(view->state != 0);
    CHECK_OK(cull_one(objects, view, &output));
    memset(view, 0, sizeof *view);
    return output.visible_count;
}

/* The camera's volume by numbers of all kinds, and other volumes. */
static void views(void) {
    static const lanecull_plane sides[6] = {{{1, 0, -1}, 0},  {{-1, 0, -1}, 0}, {{0, 1, -1}, 0},
                                            {{0, -1, -1}, 0}, {{0, 0, -1}, -1}, {{0, 0, 1}, 1000}};
    static const lanecull_plane left = {{-1, 0, 0}, 0}, beyond = {{0, 0, 1}, -5};
    const lanecull_view_options halved = {.clip_planes = {&left, 1}}, nothing = {.clip_planes = {&beyond, 1}};
    const lanecull_view_options hidden = {.hidden_layers = 1};
    const lanecull_clip_space moved = {.origin = {0, 0, 100}};
    const lanecull_directional_light directional_light = {.toward = {1, 0, 0}};
    const lanecull_point_light point_light = {.at = {0, 0, -10}, .range = 5};
    const lanecull_view_options lit = {.directional_light = &directional_light},
                                by_point_light = {.point_light = &point_light};
    const double center[3] = {0, 0, -10};
    double corners[24];
    float floats[16];
    lanecull_view view = {0};
    int i;
    for (i = 0; i < 16; ++i) floats[i] = (float)camera[i];
    for (i = 0; i < 24; ++i) {
        const double depth = (i / 3 & 4) != 0 ? 1000 : 1;
        corners[i] = i % 3 == 2 ? -depth : (i / 3 >> i % 3 & 1) != 0 ? depth : -depth;
    }
    CHECK(lanecull_view_is_exact(&view) == 0 && lanecull_view_sees_nothing(&view) == 0);
    CHECK_OK(lanecull_prepare_view(camera, NULL, NULL, &view));
    CHECK(lanecull_view_is_exact(&view) == 1 && seen(&view) == 71);
    CHECK_OK(lanecull_prepare_view_of_floats(floats, NULL, NULL, &view));
    CHECK(seen(&view) == 71);
    CHECK_OK(lanecull_prepare_stereo_view(camera, camera, NULL, NULL, &view));
    CHECK(seen(&view) == 71);
    CHECK_OK(lanecull_prepare_view_from_corners(corners, NULL, &view));
    CHECK(seen(&view) == 71);
    CHECK_OK(lanecull_prepare_view_from_planes(sides, 6, NULL, &view));
    CHECK(seen(&view) == 71);
    CHECK_OK(lanecull_prepare_view_from_ball(center, 3, NULL, &view));
    CHECK(lanecull_view_is_exact(&view) == 0 && seen(&view) == 7 + 3);

    CHECK_OK(lanecull_prepare_view(camera, NULL, &halved, &view));
    CHECK(seen(&view) == 11 + 50);
    CHECK_OK(lanecull_prepare_view(camera, NULL, &hidden, &view)); /* objects without layers are on every one */
    CHECK(seen(&view) == 71);
    CHECK_OK(lanecull_prepare_view(camera, &moved, NULL, &view)); /* at depth 110, and boxes behind the old eye */
    CHECK(seen(&view) == 221 + 100);
    CHECK_OK(lanecull_prepare_view(camera, NULL, &lit, &view)); /* those to the right cast their shadows into it */
    CHECK(seen(&view) == 10 + 500 + 50);
    CHECK_OK(lanecull_prepare_view(camera, NULL, &by_point_light, &view));
    CHECK(seen(&view) == 11 + 5);
    CHECK_OK(lanecull_prepare_view_from_ball(center, 3, &nothing, &view));
    CHECK(lanecull_view_sees_nothing(&view) == 1 && seen(&view) == 0);
}

int main(void) {
    lanecull_view view = {0};
    count_allocations();
    library();
    place();
    CHECK_OK(lanecull_prepare_view(camera, NULL, NULL, &view));
    frame(&view);
    views();
    CHECK(allocations == 0);
    return failures();
}
