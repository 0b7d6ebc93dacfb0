/* Scenes and pairs: answers that can be seen by looking at the numbers. A frame takes no memory. */

#include <math.h>

#include "check.h"

enum { count = 600, most_words = 64 };

static float x[count], y[count], z[count], radius[count];
static const lanecull_batch batch = {.kind = LANECULL_SPHERES, .shapes.spheres = {x, y, z, radius, count}};

/* Spheres in a row away from the eye, from z = 0 on; half of them behind it. */
static void place(void) {
    int i;
    for (i = 0; i < count; ++i) {
        z[i] = (float)i - 300.0f;
        radius[i] = 0.25f;
    }
}

static lanecull_scene* make_scene(lanecull_handle* handles) {
    lanecull_add_options options = {.mobility = 5};
    lanecull_scene* scene = lanecull_create_scene();
    CHECK(scene != NULL && lanecull_scene_object_count(scene) == 0);
    CHECK_REFUSED(lanecull_scene_add(scene, &batch, 1, &options, NULL, handles, count));
    options.mobility = LANECULL_MOVING;
    CHECK_REFUSED(lanecull_scene_add(scene, &batch, 1, &options, NULL, handles, count - 1));
    CHECK_OK(lanecull_scene_add(scene, &batch, 1, &options, NULL, handles, count));
    CHECK(lanecull_scene_object_count(scene) == count && lanecull_scene_handle_limit(scene) == count);
    CHECK(lanecull_scene_bytes(scene) > 16 * count && lanecull_scene_slot_count(scene) >= count);
    lanecull_scene_refit(scene, LANECULL_REFIT_TIGHT, NULL);
    CHECK(lanecull_scene_is_stale(scene) == 0 && lanecull_scene_cost(scene) == 1);
    return scene;
}

static uint64_t visible_in(const lanecull_scene* scene, const lanecull_view* view) {
    static uint64_t words[most_words];
    static uint32_t slots[count];
    static lanecull_handle handles[count];
    static unsigned char levels[count], latest[count], outcomes[most_words], hints[256];
    static float distances[count];
    const float thresholds[1] = {0.01f};
    lanecull_explanation why = {0};
    lanecull_scene_output of_scene = {
        .handles = {handles, count},
        .lod = {.distances = {distances, count},
                .levels = {levels, count},
                .thresholds = {thresholds, 1},
                .latest = {latest, count}},
        .block_outcomes = {outcomes, lanecull_scene_block_count(scene)},
        .hints = {hints, lanecull_scene_hint_bytes(scene)},
    };
    const lanecull_objects objects = {.scene = scene};
    lanecull_output output = {.visible = {words, lanecull_visibility_words(&objects)},
                              .indices = {slots, count},
                              .scene = &of_scene,
                              .explanation = &why};
    uint64_t tested = 0, in_blocks = 0;
    uint32_t i;
    CHECK(output.visible.count <= most_words && of_scene.block_outcomes.count <= most_words);
    CHECK(of_scene.hints.count <= sizeof hints);
    memset(latest, LANECULL_NO_LOD, sizeof latest);
    CHECK_OK(cull_one(objects, view, &output));
    for (i = 0; i < output.visible_count; ++i) {
        uint32_t slot = 0;
        CHECK_OK(lanecull_scene_slot_of(scene, handles[i], &slot));
        CHECK(slot == slots[i] && has_bit(words, slot) && latest[handles[i]] == levels[i]);
        CHECK(levels[i] == (distances[i] > 25.2f) && distances[i] >= 0.7499f);
    }
    for (i = 0; i < LANECULL_REASON_COUNT; ++i) tested += why.counts.by_reason[i];
    CHECK(tested + of_scene.outside_objects + of_scene.inside_objects + of_scene.hidden_objects ==
          lanecull_scene_object_count(scene));
    for (i = 0; i < of_scene.block_outcomes.count; ++i) {
        lanecull_scene_block block = {0};
        CHECK_OK(lanecull_scene_block_of(scene, i, &block));
        CHECK(outcomes[i] != LANECULL_BLOCK_INSIDE || block.upper[2] < -1);
        in_blocks += block.objects;
    }
    CHECK(in_blocks == lanecull_scene_object_count(scene));
    return output.visible_count;
}

/* Objects leave the view and come back, are switched off, replaced and removed. */
static void edits(lanecull_scene* scene, const lanecull_handle* handles, const lanecull_view* view) {
    static float there[count];
    static uint32_t flags[count];
    const lanecull_attributes attributes = {.flags = flags};
    lanecull_partial_rebuild done = {9, 9, 9, 9};
    uint32_t slot = 0;
    int i;
    for (i = 0; i < count; ++i) there[i] = 1000;
    for (i = 0; i < count; ++i) flags[i] = LANECULL_OBJECT_DISABLED;
    CHECK(visible_in(scene, view) == 300);
    CHECK_OK(lanecull_scene_move(scene, handles, 10, there, y, y));
    CHECK(lanecull_scene_is_stale(scene) == 1);
    CHECK_OK(lanecull_scene_refit(scene, LANECULL_REFIT_GROWN, NULL));
    CHECK(visible_in(scene, view) == 290 && lanecull_scene_cost(scene) > 1);
    CHECK_OK(lanecull_scene_place(scene, handles, count, &batch, NULL));
    CHECK_OK(lanecull_scene_rebuild_within(scene, 1000000000, &done));
    CHECK(done.all_seen == 1 && done.blocks > 0);
    CHECK_OK(lanecull_scene_refit(scene, LANECULL_REFIT_TIGHT, NULL));
    CHECK(visible_in(scene, view) == 300);
    CHECK_OK(lanecull_scene_set_attributes(scene, handles, 10, &attributes));
    CHECK_OK(lanecull_scene_refit(scene, LANECULL_REFIT_GROWN, NULL));
    CHECK(visible_in(scene, view) == 290);
    CHECK_OK(lanecull_scene_replace(scene, handles, count, &batch));
    CHECK_OK(lanecull_scene_remove(scene, handles, 100));
    CHECK_REFUSED(lanecull_scene_remove(scene, handles, 100));
    CHECK_REFUSED(lanecull_scene_slot_of(scene, handles[0], &slot));
    CHECK_OK(lanecull_scene_rebuild(scene, NULL));
    CHECK_OK(lanecull_scene_refit(scene, LANECULL_REFIT_TIGHT, NULL));
    CHECK(visible_in(scene, view) == 200);
}

/* In a file, in memory and back. */
static void files(lanecull_scene* scene, const lanecull_view* view) {
    static const char path[] = "lanecull_c_scene.lanecull";
    lanecull_scene* loaded = lanecull_create_scene();
    FILE* file;
    size_t bytes = 0;
    CHECK_OK(lanecull_scene_save(scene, path));
    CHECK_CODE(lanecull_scene_load(loaded, "no such file", NULL), LANECULL_SYSTEM_ERROR);
    CHECK_CODE(lanecull_scene_load_from_memory(loaded, z, sizeof z, NULL), LANECULL_BAD_FILE);
    CHECK_OK(lanecull_scene_load(loaded, path, NULL));
    CHECK(lanecull_scene_object_count(loaded) == 500 && visible_in(loaded, view) == 200);
    file = fopen(path, "rb");
    if (file != NULL) bytes = fread(scratch, 1, sizeof scratch, file);
    CHECK(file != NULL && fclose(file) == 0 && remove(path) == 0 && bytes > 8);
    CHECK_CODE(lanecull_scene_load_from_memory(loaded, scratch, bytes / 2, NULL), LANECULL_BAD_FILE);
    CHECK_OK(lanecull_scene_load_from_memory(loaded, scratch, bytes, NULL));
    CHECK(visible_in(loaded, view) == 200);
    lanecull_destroy_scene(loaded);
}

/* Neighbours are 1 apart from centre to centre, each with a radius of 0.25. */
static void pairs(void) {
    const uint32_t first[3] = {0, 5, 7}, second[3] = {1, 5, 9};
    const float along_z[3] = {0, 0, 2}, none[3] = {0, 0, 0};
    float lower[3], upper[3], points[6][3], earliest[3], latest[3];
    uint64_t separated = 0;
    const lanecull_pair_indices indices = {first, second, 3, 0};
    const lanecull_pair_distances distances = {lower,     upper,     points[0], points[1],
                                               points[2], points[3], points[4], points[5]};
    const lanecull_pair_motions motions = {none, none, along_z};
    const lanecull_pair_casts casts = {earliest, latest};
    CHECK_OK(lanecull_separate_pairs(&batch, &batch, &indices, NULL, NULL, &separated, 1));
    CHECK(separated == 5);
    CHECK_OK(lanecull_measure_pairs(&batch, &batch, &indices, NULL, NULL, &distances));
    CHECK(lower[0] <= 0.5f && upper[0] >= 0.5f && upper[0] < 0.501f && lower[1] <= 0 && upper[2] >= 1.5f);
    CHECK(fabs(points[2][0] - -299.75f) < 1e-3 && fabs(points[5][0] - -299.25f) < 1e-3);
    CHECK_OK(lanecull_cast_pairs(&batch, &batch, &indices, &motions, NULL, NULL, &casts));
    CHECK(isinf(earliest[0]) && earliest[2] <= 0.75f && latest[2] > 0.7499f && latest[2] < 0.751f);
}

int main(void) {
    static lanecull_handle handles[count];
    lanecull_scene* scene;
    lanecull_view view = {0};
    unsigned before;
    count_allocations();
    place();
    CHECK_OK(lanecull_prepare_view(camera, NULL, NULL, &view));
    scene = make_scene(handles);
    edits(scene, handles, &view);
    files(scene, &view);
    before = allocations;
    pairs();
    CHECK(allocations == before && before > 0);
    lanecull_destroy_scene(scene);
    lanecull_destroy_scene(NULL);
    no_memory = 1;
    CHECK(lanecull_create_scene() == NULL);
    no_memory = 0;
    return failures();
}
