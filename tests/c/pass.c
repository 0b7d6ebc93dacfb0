/* Shadow maps one by one and whole frames from C: a camera with a sun and a lamp above a field of spheres. A frame
 * takes no memory, and what it shows is what single calls show. */

#include <string.h>

#include "check.h"
#include "counting.h"

enum { side = 40, objects = side * side, words = (objects + 63) / 64, cascades = 4, views = 1 + cascades + 6 };

static float x[objects], y[objects], z[objects], radius[objects];
static unsigned char scratch[1 << 16];
static uint64_t visible[views][words];

static lanecull_batches* make_batches(void) {
    lanecull_batches* batches = NULL;
    lanecull_spheres balls = {sizeof(lanecull_spheres), x, y, z, radius, objects};
    lanecull_batch batch;
    int i;
    for (i = 0; i < objects; ++i) {
        x[i] = 5.0f * (float)(i % side - side / 2);
        y[i] = -3;
        z[i] = 5.0f * (float)(i / side - side / 2);
        radius[i] = 1;
    }
    memset(&batch, 0, sizeof batch);
    batch.size = sizeof batch;
    batch.spheres = &balls;
    CHECK(lanecull_create_batches(1, &batches, &why) == LANECULL_OK);
    CHECK(lanecull_set_batch(batches, 0, &batch, &why) == LANECULL_OK);
    return batches;
}

static uint64_t count_bits(const uint64_t* bits) {
    uint64_t count = 0;
    int i;
    for (i = 0; i < words * 64; ++i) count += bits[i / 64] >> i % 64 & 1;
    return count;
}

/* What the camera sees, then the maps of its shadows, call by call. Returns how many objects it sees. */
static void engine_map(const lanecull_shadow_map* face) {
    lanecull_shadow_map map = {{0}, {0}, {{{0}, 0}}, 0, 0};
    lanecull_clip_space space = {sizeof(lanecull_clip_space), 0, 0, {0}};
    uint32_t k;
    memcpy(space.origin, face->origin, sizeof space.origin);
    CHECK(lanecull_engine_map(face->clip_from_world, &space, 512, 512, &map, &why) == LANECULL_OK);
    CHECK(map.texel_size == face->texel_size && map.is_perspective == 1 && face->is_perspective == 1);
    CHECK(memcmp(map.clip_from_world, face->clip_from_world, sizeof map.clip_from_world) == 0);
    for (k = 0; k < 4; ++k) {
        const double *n = map.sides[k].normal, *m = face->sides[k].normal;
        const double d = n[0] * m[0] + n[1] * m[1] + n[2] * m[2]; /* n has length 1 */
        CHECK(d > 0 && d * d > 0.999 * (m[0] * m[0] + m[1] * m[1] + m[2] * m[2]));
    }
    CHECK(lanecull_engine_map(NULL, NULL, 512, 512, &map, &why) == LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_engine_map(face->clip_from_world, NULL, 512, 512, NULL, &why) == LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_engine_map(face->clip_from_world, NULL, 512, 8, &map, &why) == LANECULL_INVALID_ARGUMENT);
    CHECK(map.texel_size == face->texel_size);
}

static uint64_t one_by_one(const lanecull_batches* batches) {
    const double at[3] = {0, 5, -20}, down[3] = {0, -1, 0}, along[3] = {1, 0, 0};
    lanecull_sun sun = {sizeof(lanecull_sun), {0.3, 1, 0.2}, 0};
    lanecull_sun_map_options map_options = {sizeof(lanecull_sun_map_options), {0.3, 1, 0.2}, {0, 0, 1}, 0, 0};
    lanecull_slice slice = {sizeof(lanecull_slice), camera, NULL, 0, 0};
    lanecull_view_options options;
    lanecull_views* list = NULL;
    lanecull_view_output outputs[2];
    lanecull_world_box all, receivers[2];
    lanecull_shadow_map map;
    lanecull_plane planes[2];
    double depths[3] = {0, 0, 0}, corners[24];
    memset(&options, 0, sizeof options);
    options.size = sizeof options;
    options.sun = &sun;
    memset(outputs, 0, sizeof outputs);
    outputs[0].size = outputs[1].size = sizeof outputs[0];
    outputs[0].visible = visible[0];
    outputs[0].visible_words = words;
    CHECK(lanecull_create_views(3, &list, &why) == LANECULL_OK);
    CHECK(lanecull_prepare_view(list, 0, camera, NULL, NULL, &why) == LANECULL_OK);
    CHECK(lanecull_cull(batches, list, 0, 1, outputs, scratch, sizeof scratch, NULL, NULL, &why) == LANECULL_OK);
    CHECK(count_bits(visible[0]) == outputs[0].visible_count && outputs[0].visible_count > 0);

    CHECK(lanecull_split_depths(1, 100, 0.5, depths, 3, &why) == LANECULL_OK && depths[0] == 1 && depths[2] == 100);
    CHECK(lanecull_visible_bounds(batches, visible[0], words, &all, 0, NULL, &why) == LANECULL_OK);
    CHECK(all.lower[1] <= -4 && all.upper[1] >= -2 && all.upper[1] < -1.9);
    CHECK(lanecull_slice_bounds(batches, visible[0], words, camera, NULL, depths, 3, receivers, 0, NULL, &why) ==
          LANECULL_OK);
    CHECK(receivers[0].lower[2] > receivers[1].lower[2]);
    slice.near_depth = depths[0];
    slice.far_depth = depths[1];
    CHECK(lanecull_slice_planes(&slice, planes, &why) == LANECULL_OK && planes[0].normal[2] < 0);
    CHECK(lanecull_slice_planes(NULL, planes, &why) == LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_slice_planes(&slice, NULL, &why) == LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_slice_corners(&slice, corners, &why) == LANECULL_OK && corners[2] > corners[14]);
    CHECK(lanecull_slice_corners(&slice, NULL, &why) == LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_fit_sun_map(&slice, receivers, &map_options, &map, &why) == LANECULL_OK && map.texel_size > 0);
    CHECK(lanecull_prepare_cascade_casters(list, 1, &slice, receivers, &options, &why) == LANECULL_OK);
    CHECK(lanecull_prepare_covered(list, 2, &map, 2, &why) == LANECULL_OK);
    CHECK(lanecull_cull(batches, list, 1, 2, outputs, scratch, sizeof scratch, NULL, NULL, &why) == LANECULL_OK);
    CHECK(outputs[0].visible_count > 0 && outputs[0].visible_count < objects);
    CHECK(lanecull_spot_map(at, down, along, 1, 1, 0.1, 20, 512, &map, &why) == LANECULL_OK && map.texel_size > 0);
    CHECK(lanecull_spot_map(at, down, down, 1, 1, 0.1, 20, 512, &map, &why) == LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_cube_map_face(at, 3, 0.1, 20, 512, &map, &why) == LANECULL_OK);
    CHECK(lanecull_cube_map_face(at, 6, 0.1, 20, 512, &map, &why) == LANECULL_INVALID_ARGUMENT);
    engine_map(&map);
    lanecull_destroy_views(list);
    CHECK(lanecull_cull(batches, NULL, 0, 1, outputs, scratch, sizeof scratch, NULL, NULL, &why) != LANECULL_OK);
    return count_bits(visible[0]) > 0 ? outputs[0].visible_count : 0;
}

static lanecull_pass_frame make_frame(void) {
    static const lanecull_sun sun = {sizeof(lanecull_sun), {0.3, 1, 0.2}, 0};
    static lanecull_pass_sun with_sun;
    static lanecull_pass_camera eye;
    static lanecull_pass_lamp lamp;
    lanecull_pass_frame frame = {sizeof(lanecull_pass_frame), NULL, 1, NULL, 1};
    with_sun.size = sizeof with_sun;
    with_sun.sun = &sun;
    with_sun.near_depth = 1;
    with_sun.far_depth = 80;
    with_sun.logarithmic = 0.8;
    with_sun.up[2] = 1;
    eye.size = sizeof eye;
    eye.clip_from_world = camera;
    eye.sun = &with_sun;
    lamp.size = sizeof lamp;
    lamp.at[1] = 2;
    lamp.at[2] = -20;
    lamp.range = 15;
    lamp.near_depth = 0.1;
    frame.cameras = &eye;
    frame.lamps = &lamp;
    return frame;
}

static void frames(const lanecull_batches* batches) {
    static lanecull_view_output outputs[views];
    static uint64_t before[views][words];
    lanecull_pass_frame frame = make_frame();
    lanecull_pass* pass = NULL;
    lanecull_views* list = NULL;
    lanecull_shadow_map map;
    uint64_t casters = 0;
    unsigned taken;
    int v;
    for (v = 0; v < views; ++v) {
        outputs[v].size = sizeof outputs[v];
        outputs[v].visible = visible[v];
        outputs[v].visible_words = words;
    }
    CHECK(lanecull_create_pass(&pass, &why) == LANECULL_OK && lanecull_pass_view_count(pass) == 0);
    CHECK(lanecull_run_pass(pass, &frame, batches, outputs, views, 0, NULL, NULL, &why) == LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_reserve_pass(pass, 0, 0, 0, batches, &why) == LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_reserve_pass(pass, 1, cascades, 1, NULL, &why) == LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_reserve_pass(pass, 1, cascades, 1, batches, &why) == LANECULL_OK);
    taken = allocations;
    CHECK(lanecull_run_pass(pass, &frame, batches, outputs, views - 1, 0, NULL, NULL, &why) ==
          LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_run_pass(pass, &frame, batches, outputs, views, 2, NULL, NULL, &why) == LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_run_pass(pass, &frame, batches, outputs, views, LANECULL_CASTERS_VOLUME, NULL, NULL, &why) ==
          LANECULL_OK);
    CHECK(lanecull_pass_view_count(pass) == views);
    for (v = 0; v < views; ++v) CHECK(count_bits(visible[v]) == outputs[v].visible_count);
    for (v = 1; v < views; ++v) casters += outputs[v].visible_count;
    CHECK(casters > 0);
    CHECK(lanecull_pass_map(pass, cascades + 5, &map, &why) == LANECULL_OK && map.texel_size > 0);
    CHECK(lanecull_pass_map(pass, cascades + 6, &map, &why) == LANECULL_INVALID_ARGUMENT);
    memcpy(before, visible, sizeof before);
    CHECK(lanecull_run_pass(pass, &frame, batches, outputs, views, LANECULL_CASTERS_FRUSTUM, NULL, NULL, &why) ==
          LANECULL_OK);
    CHECK(memcmp(before[0], visible[0], sizeof before[0]) == 0);
    for (v = 0; v < words; ++v) CHECK((before[1 + cascades][v] & ~visible[1 + cascades][v]) == 0);
    CHECK(allocations == taken);
    /* The camera sees what it sees without a pass. */
    CHECK(lanecull_create_views(1, &list, &why) == LANECULL_OK);
    CHECK(lanecull_prepare_view(list, 0, camera, NULL, NULL, &why) == LANECULL_OK);
    CHECK(lanecull_cull(batches, list, 0, 1, outputs, scratch, sizeof scratch, NULL, NULL, &why) == LANECULL_OK);
    CHECK(memcmp(before[0], visible[0], sizeof before[0]) == 0);
    lanecull_destroy_views(list);
    lanecull_destroy_pass(pass);
    lanecull_destroy_pass(NULL);
}

static void frames_of_a_scene(const lanecull_batches* batches, const uint64_t* counts) {
    static lanecull_scene_output outputs[views];
    const float nowhere[1] = {0};
    static uint32_t handles[objects];
    lanecull_pass_frame frame = make_frame();
    lanecull_pass* pass = NULL;
    lanecull_scene* scene = NULL;
    unsigned taken;
    int v;
    for (v = 0; v < views; ++v) outputs[v].size = sizeof outputs[v];
    CHECK(lanecull_create_scene(&scene, &why) == LANECULL_OK);
    CHECK(lanecull_scene_add(scene, batches, 0, 1, handles, objects, NULL, NULL, &why) == LANECULL_OK);
    CHECK(lanecull_create_pass(&pass, &why) == LANECULL_OK);
    CHECK(lanecull_reserve_pass_for_scene(pass, 1, cascades, 1, scene, &why) == LANECULL_OK);
    CHECK(lanecull_scene_move(scene, handles, 1, nowhere, nowhere, nowhere, &why) == LANECULL_OK);
    CHECK(lanecull_run_pass_on_scene(pass, &frame, scene, outputs, views, 0, NULL, NULL, &why) == LANECULL_NOT_READY);
    CHECK(lanecull_scene_refit(scene, LANECULL_FIT_TIGHT, NULL, &why) == LANECULL_OK);
    taken = allocations;
    CHECK(lanecull_run_pass_on_scene(pass, &frame, scene, outputs, views, 0, NULL, NULL, &why) == LANECULL_OK);
    CHECK(allocations == taken);
    CHECK(outputs[0].visible_count == counts[0]);
    lanecull_destroy_pass(pass);
    lanecull_destroy_scene(scene);
}

int main(void) {
    lanecull_batches* batches;
    uint64_t seen;
    CHECK(count_allocations(&why) == LANECULL_OK);
    batches = make_batches();
    CHECK(one_by_one(batches) > 0);
    frames(batches);
    seen = count_bits(visible[0]);
    frames_of_a_scene(batches, &seen);
    lanecull_destroy_batches(batches);
    return failures();
}
