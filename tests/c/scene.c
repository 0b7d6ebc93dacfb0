/* Scenes, occluders and pairs from C: answers that can be seen by looking at the numbers, and that a frame takes no
 * memory. */

#include <math.h>
#include <string.h>

#include "check.h"
#include "counting.h"

enum { objects = 600, most_words = 64 };

static float x[objects], y[objects], z[objects], radius[objects];
static unsigned char scratch[1 << 16];

/* Spheres in a row away from the eye, from z = 0 on; half of them behind it. */
static lanecull_batches* make_batches(void) {
    lanecull_batches* batches = NULL;
    lanecull_spheres balls = {sizeof(lanecull_spheres), x, y, z, radius, objects};
    lanecull_batch batch;
    int i;
    for (i = 0; i < objects; ++i) {
        x[i] = y[i] = 0;
        z[i] = (float)i - 300.0f;
        radius[i] = 0.25f;
    }
    memset(&batch, 0, sizeof batch);
    batch.size = sizeof batch;
    batch.spheres = &balls;
    CHECK(lanecull_create_batches(1, &batches, &why) == LANECULL_OK);
    CHECK(lanecull_set_batch(batches, 0, &batch, &why) == LANECULL_OK);
    return batches;
}

static lanecull_occluders* make_occluders(void) {
    const lanecull_solid_box wall = {{-20, -20, -11}, {20, 20, -10.5f}}, around_eye = {{-1, -1, -1}, {1, 1, 1}};
    lanecull_occluders* occluders = NULL;
    uint32_t refusal = 99;
    CHECK(lanecull_create_occluders(2, &occluders, &why) == LANECULL_OK);
    CHECK(lanecull_prepare_box_occluder(occluders, 0, &wall, NULL, &refusal, &why) == LANECULL_OK);
    CHECK(refusal == LANECULL_REFUSED_NO_VIEWPOINT);
    CHECK(lanecull_set_viewpoint(occluders, camera, NULL, NULL, 0, 7, &why) == LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_set_viewpoint(occluders, camera, NULL, NULL, 0, LANECULL_SIGHT_GROWING_DEPTH, &why) == LANECULL_OK);
    CHECK(lanecull_prepare_box_occluder(occluders, 1, &around_eye, NULL, &refusal, &why) == LANECULL_OK);
    CHECK(refusal == LANECULL_REFUSED_ENCLOSES_EYE);
    CHECK(lanecull_prepare_box_occluder(occluders, 2, &wall, NULL, &refusal, &why) == LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_prepare_box_occluder(occluders, 0, &wall, NULL, &refusal, &why) == LANECULL_OK);
    CHECK(refusal == LANECULL_REFUSED_NOT && lanecull_occluder_count(occluders) == 2);
    return occluders;
}

/* In and behind the wall nothing is visible: only those at z = -1 to -10. */
static void occluders(const lanecull_batches* batches, const lanecull_views* views) {
    lanecull_occluders* walls = make_occluders();
    lanecull_view_output output;
    uint32_t hidden = 0;
    memset(&output, 0, sizeof output);
    output.size = sizeof output;
    output.occluders = walls;
    output.occluder_count = 1;
    output.hidden_counts = &hidden;
    output.hidden_count_count = 1;
    CHECK(lanecull_cull(batches, views, 0, 1, &output, scratch, sizeof scratch, NULL, NULL, &why) == LANECULL_OK);
    CHECK(output.visible_count == 10 && hidden == 290);
    output.occluder_count = 3;
    CHECK(lanecull_cull(batches, views, 0, 1, &output, scratch, sizeof scratch, NULL, NULL, &why) ==
          LANECULL_INVALID_ARGUMENT);
    lanecull_destroy_occluders(walls);
    lanecull_destroy_occluders(NULL);
}

static lanecull_scene* make_scene(const lanecull_batches* batches, uint32_t* handles) {
    lanecull_scene* scene = NULL;
    lanecull_add_options options = {sizeof(lanecull_add_options), 5, {0, 0, 0}};
    CHECK(lanecull_create_scene(&scene, &why) == LANECULL_OK);
    CHECK(lanecull_scene_add(scene, batches, 0, 1, handles, objects, &options, NULL, &why) ==
          LANECULL_INVALID_ARGUMENT);
    options.mobility = LANECULL_MOVING;
    CHECK(lanecull_scene_add(scene, batches, 0, 1, handles, objects - 1, &options, NULL, &why) ==
          LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_scene_add(scene, batches, 0, 2, handles, objects, NULL, NULL, &why) == LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_scene_add(scene, batches, 0, 1, handles, objects, &options, NULL, &why) == LANECULL_OK);
    CHECK(lanecull_scene_object_count(scene) == objects && lanecull_scene_bytes(scene) > 0);
    CHECK(lanecull_scene_refit(scene, LANECULL_FIT_TIGHT, NULL, &why) == LANECULL_OK);
    CHECK(lanecull_scene_is_stale(scene) == 0);
    return scene;
}

static uint64_t visible_in(const lanecull_scene* scene, const lanecull_views* views) {
    static uint64_t words[most_words];
    static uint32_t handles[objects], slots[objects];
    static uint8_t levels[objects];
    static float distances[objects];
    const float thresholds[1] = {0.01f};
    lanecull_statistics tested = {sizeof(lanecull_statistics), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    lanecull_lod_output lod;
    lanecull_scene_output output;
    unsigned before = allocations, i;
    memset(&lod, 0, sizeof lod);
    lod.size = sizeof lod;
    lod.distances = distances;
    lod.levels = levels;
    lod.distance_capacity = lod.level_capacity = objects;
    lod.thresholds = thresholds;
    lod.threshold_count = 1;
    memset(&output, 0, sizeof output);
    output.size = sizeof output;
    output.visible = words;
    output.visible_words = lanecull_scene_visibility_words(scene);
    output.handles = handles;
    output.slots = slots;
    output.handle_capacity = output.slot_capacity = objects;
    output.lod = &lod;
    output.tested = &tested;
    CHECK(output.visible_words <= most_words && lanecull_scene_scratch_bytes(scene, 1) <= sizeof scratch);
    CHECK(lanecull_scene_cull(scene, views, 0, 1, &output, scratch, sizeof scratch, NULL, NULL, &why) == LANECULL_OK);
    CHECK(allocations == before);
    for (i = 0; i < output.visible_count; ++i) {
        uint32_t slot = 0;
        CHECK(lanecull_scene_slot_of(scene, handles[i], &slot, &why) == LANECULL_OK && slot == slots[i]);
        CHECK((words[slot / 64] >> slot % 64 & 1) != 0);
        CHECK(levels[i] <= 1 && distances[i] >= 0);
    }
    CHECK(output.outside_blocks + output.inside_blocks + output.mixed_blocks + output.hidden_blocks ==
          lanecull_scene_block_count(scene));
    return output.visible_count;
}

static void scenes(const lanecull_batches* batches, const lanecull_views* views) {
    static uint32_t handles[objects];
    static float there[objects];
    static uint32_t flags[objects];
    lanecull_attributes attributes = {0};
    lanecull_scene* scene = make_scene(batches, handles);
    lanecull_improvement improvement = {9, 9, 9};
    uint32_t slot = 0;
    int i;
    CHECK(visible_in(scene, views) == 300);
    for (i = 0; i < objects; ++i) there[i] = 1000;
    CHECK(lanecull_scene_move(scene, handles, 10, there, there, NULL, &why) == LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_scene_move(scene, handles, 10, there, y, y, &why) == LANECULL_OK);
    CHECK(lanecull_scene_is_stale(scene) == 1);
    CHECK(lanecull_scene_refit(scene, LANECULL_FIT_GROWN, NULL, &why) == LANECULL_OK);
    CHECK(visible_in(scene, views) == 290);
    CHECK(lanecull_scene_place(scene, handles, objects, batches, 0, NULL, &why) == LANECULL_OK);
    CHECK(lanecull_scene_improve(scene, 1000000000, &improvement, &why) == LANECULL_OK && improvement.all_seen == 1);
    CHECK(lanecull_scene_refit(scene, LANECULL_FIT_TIGHT, NULL, &why) == LANECULL_OK);
    CHECK(visible_in(scene, views) == 300);
    for (i = 0; i < 10; ++i) flags[i] = LANECULL_OBJECT_DISABLED;
    CHECK(lanecull_scene_set_attributes(scene, handles, 10, NULL, &why) == LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_scene_set_attributes(scene, handles, 10, &attributes, &why) == LANECULL_INVALID_ARGUMENT);
    attributes.size = sizeof attributes;
    attributes.flags = flags;
    CHECK(lanecull_scene_set_attributes(scene, handles, 10, &attributes, &why) == LANECULL_OK);
    CHECK(lanecull_scene_refit(scene, LANECULL_FIT_GROWN, NULL, &why) == LANECULL_OK);
    CHECK(visible_in(scene, views) == 290);
    CHECK(lanecull_scene_replace(scene, handles, objects, batches, 0, &why) == LANECULL_OK);
    CHECK(lanecull_scene_remove(scene, handles, 100, &why) == LANECULL_OK);
    CHECK(lanecull_scene_remove(scene, handles, 100, &why) == LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_scene_slot_of(scene, handles[0], &slot, &why) == LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_scene_rebuild(scene, NULL, &why) == LANECULL_OK);
    CHECK(lanecull_scene_refit(scene, LANECULL_FIT_TIGHT, NULL, &why) == LANECULL_OK);
    CHECK(visible_in(scene, views) == 200);
    CHECK(lanecull_scene_save(scene, "lanecull_c_scene.lanecull", &why) == LANECULL_OK);
    lanecull_destroy_scene(scene);
    CHECK(lanecull_create_scene(&scene, &why) == LANECULL_OK);
    CHECK(lanecull_scene_load(scene, "no such file", NULL, &why) == LANECULL_SYSTEM_ERROR);
    CHECK(lanecull_scene_load_from_memory(scene, handles, sizeof handles, NULL, &why) == LANECULL_BAD_FILE);
    CHECK(lanecull_scene_load(scene, "lanecull_c_scene.lanecull", NULL, &why) == LANECULL_OK);
    CHECK(lanecull_scene_object_count(scene) == 500 && visible_in(scene, views) == 200);
    CHECK(remove("lanecull_c_scene.lanecull") == 0);
    lanecull_destroy_scene(scene);
    lanecull_destroy_scene(NULL);
}

/* Neighbours are 1 apart from centre to centre, each with a radius of 0.25. */
static void pairs(const lanecull_batches* batches) {
    const uint32_t a[3] = {0, 5, 7}, b[3] = {1, 5, 9};
    const float to_b[3] = {0, 0, 2}, none[3] = {0, 0, 0};
    float lower[3], upper[3], earliest[3], latest[3];
    uint64_t separated = 0;
    lanecull_pair_indices indices = {sizeof(lanecull_pair_indices), 0, 0, NULL, NULL, 3, 0};
    lanecull_pair_distances distances;
    lanecull_pair_casts casts;
    unsigned before = allocations;
    indices.a = a;
    indices.b = b;
    memset(&distances, 0, sizeof distances);
    distances.size = sizeof distances;
    distances.lower = lower;
    distances.upper = upper;
    memset(&casts, 0, sizeof casts);
    casts.size = sizeof casts;
    casts.motion_x = none;
    casts.motion_y = none;
    casts.motion_z = to_b;
    casts.earliest = earliest;
    casts.latest = latest;
    CHECK(lanecull_separate_pairs(batches, &indices, &separated, 1, 0, NULL, &why) == LANECULL_OK);
    CHECK(separated == 5);
    CHECK(lanecull_separate_pairs(batches, &indices, &separated, 2, 0, NULL, &why) == LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_measure_pairs(batches, &indices, &distances, NULL, NULL, &why) == LANECULL_OK);
    CHECK(lower[0] <= 0.5f && upper[0] >= 0.5f && upper[0] < 0.501f && lower[1] <= 0 && upper[2] >= 1.5f);
    CHECK(lanecull_cast_pairs(batches, &indices, &casts, NULL, &why) == LANECULL_OK);
    CHECK(isinf(earliest[0]) && earliest[2] <= 0.75f && latest[2] > 0.7499f && latest[2] < 0.751f);
    indices.batch_b = 1;
    CHECK(lanecull_cast_pairs(batches, &indices, &casts, NULL, &why) == LANECULL_INVALID_ARGUMENT);
    CHECK(allocations == before);
}

int main(void) {
    lanecull_batches* batches;
    lanecull_views* views = NULL;
    CHECK(count_allocations(&why) == LANECULL_OK);
    batches = make_batches();
    CHECK(lanecull_create_views(1, &views, &why) == LANECULL_OK);
    CHECK(lanecull_prepare_view(views, 0, camera, NULL, NULL, &why) == LANECULL_OK);
    occluders(batches, views);
    scenes(batches, views);
    pairs(batches);
    lanecull_destroy_views(views);
    lanecull_destroy_batches(batches);
    return failures();
}
