/* A program in C: the library as a whole; spheres and boxes in a camera's view, by a runner of this program's own, into
 * every output; a scene, edited and saved; handles that are null. Tests in C++ call the same functions: here is what C
 * has of its own, structs cleared with {0}, results by value, and the end of what was created. */

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
    const lanecull_memory_hooks hooks = {NULL, allocate, reallocate, release};
    lanecull_isa isa, k;
    for (k = LANECULL_ISA_AUTOMATIC; k <= LANECULL_ISA_WASM; ++k) {
        CHECK(strcmp(lanecull_isa_name(k), names[k]) == 0 && (lanecull_isa_lanes(k) > 0) == (k > 0));
        CHECK_OK(lanecull_isa_from_name(names[k], &isa));
        CHECK(isa == k);
    }
    CHECK(strcmp(lanecull_isa_name(7), "unknown") == 0 && lanecull_isa_lanes(7) == 0 && lanecull_isa_runnable(7) == 0);
    CHECK(lanecull_library_form() == LANECULL_FORM && LANECULL_VERSION_NUMBER >= 100);
    CHECK_OK(lanecull_resolve_isa(LANECULL_ISA_AUTOMATIC, &isa));
    CHECK(isa != LANECULL_ISA_AUTOMATIC && lanecull_isa_runnable(isa) == 1);
    CHECK_OK(lanecull_isa_from_environment(&isa));
    CHECK(lanecull_isa_runnable(isa) == 1);
    CHECK_OK(lanecull_set_memory_hooks(&hooks));
    CHECK(lanecull_current_memory_hooks()->allocate == allocate);
}

/* Runs the tasks backwards and counts them. */
static void run_backwards(void* self, uint32_t count, const lanecull_task* task) {
    *(uint32_t*)self += count;
    while (count > 0) task->call(task->context, --count);
}

static void cull(const lanecull_view* view) {
    const lanecull_view both[2] = {*view, *view};
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
    const lanecull_cull_call call = {
        .objects = objects,
        .views = {both, 2},
        .outputs = {outputs, 2},
        .scratch = {scratch, lanecull_scratch_bytes(&objects, 2)},
        .options = {.runner = {&tasks, run_backwards}, .view_masks = {masks, spheres + boxes}},
    };
    int i;
    CHECK(lanecull_visibility_words(&objects) == words && call.scratch.bytes <= sizeof scratch);
    CHECK_OK(lanecull_cull(&call));

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
}

static uint64_t seen(lanecull_objects from, const lanecull_view* view) {
    lanecull_output output = {0};
    CHECK_OK(cull_one(from, view, &output));
    return output.visible_count;
}

/* Spheres 490 to 499 leave the view; the scene goes to a file and comes back. */
static void edit(const lanecull_view* view) {
    static const char path[] = "lanecull_c_scene.lanecull";
    static lanecull_handle handles[spheres + boxes];
    const float away[10] = {900, 900, 900, 900, 900, 900, 900, 900, 900, 900};
    lanecull_scene *scene = lanecull_create_scene(), *loaded = lanecull_create_scene();
    const lanecull_objects in_scene = {.scene = scene}, in_loaded = {.scene = loaded};
    lanecull_scene_output of_scene = {0};
    lanecull_output output = {.scene = &of_scene};
    CHECK_OK(lanecull_scene_add(scene, batches, 2, NULL, NULL, handles, spheres + boxes));
    CHECK_OK(lanecull_scene_refit(scene, LANECULL_REFIT_TIGHT, NULL));
    CHECK_OK(cull_one(in_scene, view, &output));
    CHECK(output.visible_count == 71 && of_scene.outside_objects > 0 && of_scene.lod.latest.items == NULL);
    CHECK_OK(lanecull_scene_move(scene, handles + 490, 10, away, y, y));
    CHECK_CODE(cull_one(in_scene, view, &output), LANECULL_NOT_READY);
    CHECK_OK(lanecull_scene_refit(scene, LANECULL_REFIT_TIGHT, NULL));
    CHECK(seen(in_scene, view) == 61);
    CHECK_OK(lanecull_scene_save(scene, path));
    CHECK_CODE(lanecull_scene_load(loaded, "no such file", NULL), LANECULL_SYSTEM_ERROR);
    CHECK_CODE(lanecull_scene_load_from_memory(loaded, z, sizeof z, NULL), LANECULL_BAD_FILE);
    CHECK_OK(lanecull_scene_load(loaded, path, NULL));
    CHECK(remove(path) == 0 && seen(in_loaded, view) == 61);
    lanecull_destroy_scene(scene);
    lanecull_destroy_scene(loaded);
}

/* Null is an object that there was no memory for: it has nothing, and can be destroyed. */
static void nothing(void) {
    lanecull_boxes none;
    lanecull_solid_box_streams(NULL, &none);
    CHECK(none.count == 0 && lanecull_solid_box_count(NULL) == 0 && lanecull_scene_object_count(NULL) == 0);
    CHECK(lanecull_pass_view_count(NULL) == 0 && lanecull_pass_maps(NULL) == NULL);
    CHECK_CODE(lanecull_scene_rebuild(NULL, NULL), LANECULL_OUT_OF_MEMORY);
    lanecull_destroy_scene(NULL);
    lanecull_destroy_pass(NULL);
    lanecull_destroy_solid_boxes(NULL);
}

int main(void) {
    lanecull_view view = {0};
    library();
    place();
    CHECK_OK(lanecull_prepare_view(camera, NULL, NULL, &view));
    CHECK(lanecull_view_is_exact(&view) == 1 && lanecull_view_sees_nothing(&view) == 0);
    cull(&view);
    CHECK(allocations == 0);
    edit(&view);
    nothing();
    CHECK(allocations > 0);
    return failures();
}
