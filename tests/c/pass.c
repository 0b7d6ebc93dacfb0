/* Shadow maps one by one and whole frames: a camera with a directional light and a point light above a field of
 * spheres. A frame takes no memory, and what it shows is what single calls show. */

#include "check.h"

enum { side = 40, count = side * side, words = (count + 63) / 64, cascades = 4, faces = 6 };
enum { first_face = 1 + cascades, views = 1 + cascades + faces, lights = 10 };

static float x[count], y[count], z[count], radius[count];
static const lanecull_batch field = {.kind = LANECULL_SPHERES, .shapes.spheres = {x, y, z, radius, count}};
static const lanecull_objects objects = {.batches = {&field, 1}};
static const lanecull_directional_light directional_light = {.toward = {0.3, 1, 0.2}};
static uint64_t visible[views][words], before[views][words];
static lanecull_output outputs[views];

static void place(void) {
    int i;
    for (i = 0; i < count; ++i) {
        x[i] = 5.0f * (float)(i % side - side / 2);
        y[i] = -3;
        z[i] = 5.0f * (float)(i / side - side / 2);
        radius[i] = 1;
    }
    for (i = 0; i < views; ++i) outputs[i].visible.items = visible[i], outputs[i].visible.count = words;
}

static uint64_t count_bits(const uint64_t* bits) {
    uint64_t set = 0;
    uint32_t i;
    for (i = 0; i < 64 * words; ++i) set += (uint64_t)has_bit(bits, i);
    return set;
}

/* What the camera sees, then the maps of its shadows, call by call. */
static void one_by_one(void) {
    const double at[3] = {0, 5, -20}, down[3] = {0, -1, 0}, along[3] = {1, 0, 0};
    const lanecull_directional_map_options map_options = {.toward = {0.3, 1, 0.2}, .up = {0, 0, 1}};
    const lanecull_view_options options = {.directional_light = &directional_light};
    lanecull_slice slice = {.clip_from_world = camera};
    lanecull_view view = {0};
    lanecull_world_box all, receivers[2];
    lanecull_shadow_map map, of_engine;
    lanecull_plane planes[2];
    double depths[3] = {0, 0, 0}, corners[24];
    uint64_t casters;
    CHECK_OK(lanecull_prepare_view(camera, NULL, NULL, &view));
    CHECK_OK(cull_one(objects, &view, &outputs[0]));
    CHECK(count_bits(visible[0]) == outputs[0].visible_count && outputs[0].visible_count > 0);

    CHECK_OK(lanecull_split_depths(1, 101, 0, depths, 3));
    CHECK(depths[0] == 1 && depths[1] == 51 && depths[2] == 101);
    CHECK_OK(lanecull_visible_bounds(&objects, visible[0], words, NULL, &all));
    CHECK(all.lower[1] <= -4 && all.upper[1] >= -2 && all.upper[1] < -1.9);
    CHECK_OK(lanecull_slice_bounds(&objects, visible[0], words, camera, NULL, depths, 3, NULL, receivers, 2));
    CHECK(receivers[0].lower[2] > receivers[1].lower[2] && receivers[1].lower[2] >= all.lower[2] - 0.01);
    slice.near_depth = depths[0], slice.far_depth = depths[1];
    CHECK_OK(lanecull_slice_planes(&slice, planes));
    CHECK(planes[0].normal[2] < 0 && planes[1].normal[2] > 0);
    CHECK_OK(lanecull_slice_corners(&slice, corners));
    CHECK(corners[0] < 0 && corners[3] > 0 && corners[2] > -1.001 && corners[14] < -50.99);
    CHECK_OK(lanecull_fit_directional_map(&slice, receivers, &map_options, &map));
    CHECK(map.texel_size > 0 && map.is_perspective == 0);
    CHECK_OK(lanecull_prepare_cascade_casters(&slice, receivers, &options, &view));
    CHECK_OK(cull_one(objects, &view, &outputs[0]));
    casters = outputs[0].visible_count;
    outputs[0].inside.items = before[0], outputs[0].inside.count = words;
    CHECK_OK(lanecull_prepare_covered(&map, 2, &view));
    CHECK_OK(cull_one(objects, &view, &outputs[0]));
    memset(&outputs[0].inside, 0, sizeof outputs[0].inside);
    CHECK(casters > 0 && casters < count && count_bits(before[0]) > 0);

    CHECK_OK(lanecull_spot_map(at, down, along, 1, 1, 0.1, 20, 512, &map));
    CHECK(map.texel_size > 2.0 / 513 && map.texel_size < 2.0 / 511);
    CHECK_OK(lanecull_cube_map_face(at, 3, 0.1, 20, 512, &map));
    CHECK_OK(lanecull_engine_map(map.clip_from_world, &map.clip_space, 512, 512, &of_engine));
    CHECK(memcmp(map.clip_from_world, of_engine.clip_from_world, sizeof map.clip_from_world) == 0);
    CHECK(map.texel_size == of_engine.texel_size && map.is_perspective == 1 && of_engine.is_perspective == 1);
}

/* Views of many point lights' casters are those of each by itself. */
static void casters_of_many(void) {
    static lanecull_view many[lights], one;
    static lanecull_point_light point_lights[lights];
    static lanecull_view_options options[lights];
    int k;
    for (k = 0; k < lights; ++k) {
        point_lights[k].at[0] = 50 * (double)number(), point_lights[k].at[1] = 3,
        point_lights[k].at[2] = -50 + 50 * (double)number();
        point_lights[k].range = 40;
        options[k].point_light = &point_lights[k];
    }
    options[3].point_light = NULL;
    CHECK_REFUSED(lanecull_prepare_caster_views(camera, NULL, options, lights, NULL, many, lights));
    CHECK(many[0].state == 0);
    options[3].point_light = &point_lights[3];
    CHECK_OK(lanecull_prepare_caster_views(camera, NULL, options, lights, NULL, many, lights));
    for (k = 0; k < lights; ++k) {
        CHECK_OK(lanecull_prepare_view(camera, NULL, &options[k], &one));
        CHECK(memcmp(&one, &many[k], sizeof one) == 0);
    }
}

static void planned(const lanecull_cull_pass* pass) {
    const lanecull_shadow_map* const maps = lanecull_pass_maps(pass);
    const lanecull_cascade* const slices = lanecull_pass_cascades(pass, 0);
    int k;
    CHECK(lanecull_pass_view_count(pass) == views && lanecull_pass_map_count(pass) == cascades + faces);
    CHECK(lanecull_pass_cascade_count(pass, 0) == cascades && lanecull_pass_cascade_count(pass, 1) == 0);
    CHECK(lanecull_pass_first_cascade_view(pass, 0) == 1 &&
          lanecull_pass_first_point_light_view(pass, 0) == first_face);
    for (k = 0; k < cascades + faces; ++k) {
        CHECK(maps[k].texel_size > 0 && maps[k].is_perspective == (k >= cascades));
    }
    CHECK(slices[0].near_depth == 1 && slices[cascades - 1].far_depth == 80);
    for (k = 1; k < cascades; ++k) CHECK(slices[k].near_depth == slices[k - 1].far_depth);
    CHECK(lanecull_pass_view(pass, views)->state == 0);
}

/* All at once, step by step, and by a box around the receivers. */
static void frames(const lanecull_pass_frame* frame) {
    const lanecull_pass_limits limits = {.cascades = cascades, .point_lights = 1};
    const lanecull_world_box everywhere = {{-200, -10, -200}, {200, 10, 200}};
    lanecull_cull_pass* pass = lanecull_create_pass();
    lanecull_view view = {0};
    uint64_t casters = 0;
    unsigned taken;
    int v, i;
    CHECK(pass != NULL && lanecull_pass_view_count(pass) == 0 && lanecull_pass_maps(pass) == NULL);
    CHECK(lanecull_frame_view_count(frame) == views);
    CHECK_REFUSED(lanecull_run_pass(pass, frame, &objects, LANECULL_CASTERS_VOLUME, NULL, outputs, views));
    CHECK_OK(lanecull_reserve_pass(pass, &limits, &objects));
    taken = allocations;
    CHECK_CODE(lanecull_prepare_pass(pass, LANECULL_CASTERS_VOLUME, NULL), LANECULL_NOT_READY);
    CHECK_CODE(lanecull_cull_pass_views(pass, &objects, NULL, outputs, views), LANECULL_NOT_READY);
    CHECK_REFUSED(lanecull_run_pass(pass, frame, &objects, LANECULL_CASTERS_VOLUME, NULL, outputs, views - 1));
    CHECK_OK(lanecull_run_pass(pass, frame, &objects, LANECULL_CASTERS_VOLUME, NULL, outputs, views));
    planned(pass);
    for (v = 0; v < views; ++v) CHECK(count_bits(visible[v]) == outputs[v].visible_count);
    for (v = 1; v < views; ++v) casters += outputs[v].visible_count;
    CHECK(casters > 0);
    memcpy(before, visible, sizeof before);

    CHECK_OK(lanecull_plan_pass(pass, frame, &objects, NULL));
    CHECK_OK(lanecull_prepare_pass(pass, LANECULL_CASTERS_VOLUME, NULL));
    CHECK_OK(lanecull_cull_pass_views(pass, &objects, NULL, outputs, views));
    CHECK(memcmp(before, visible, sizeof before) == 0);
    CHECK_OK(lanecull_prepare_pass(pass, LANECULL_CASTERS_FRUSTUM, NULL));
    CHECK_OK(lanecull_cull_pass_views(pass, &objects, NULL, outputs, views));
    for (v = first_face; v < views; ++v) {
        for (i = 0; i < words; ++i) CHECK((before[v][i] & ~visible[v][i]) == 0);
    }
    CHECK_OK(lanecull_plan_pass_in_box(pass, frame, &everywhere, NULL));
    planned(pass);
    CHECK_OK(lanecull_prepare_pass(pass, LANECULL_CASTERS_VOLUME, NULL));
    CHECK_OK(lanecull_cull_pass_views(pass, &objects, NULL, outputs, views));
    CHECK(memcmp(before[0], visible[0], sizeof before[0]) == 0 && allocations == taken);

    /* The camera sees what it sees without a pass, and a cascade what its view does. */
    CHECK_OK(lanecull_prepare_view(camera, NULL, NULL, &view));
    CHECK_OK(cull_one(objects, &view, &outputs[0]));
    CHECK(memcmp(before[0], visible[0], sizeof before[0]) == 0);
    CHECK_OK(cull_one(objects, lanecull_pass_view(pass, 1), &outputs[0]));
    CHECK(memcmp(visible[0], visible[1], sizeof visible[0]) == 0);
    lanecull_destroy_pass(pass);
    lanecull_destroy_pass(NULL);
}

static void frames_of_a_scene(const lanecull_pass_frame* frame) {
    const float nowhere[1] = {0};
    static lanecull_handle handles[count];
    static lanecull_output of_scene[views];
    const lanecull_pass_limits limits = {.cascades = cascades, .point_lights = 1};
    lanecull_cull_pass* pass = lanecull_create_pass();
    lanecull_scene* scene = lanecull_create_scene();
    const lanecull_objects in_scene = {.scene = scene};
    unsigned taken;
    CHECK_OK(lanecull_scene_add(scene, &field, 1, NULL, NULL, handles, count));
    CHECK_OK(lanecull_reserve_pass(pass, &limits, &in_scene));
    CHECK_OK(lanecull_scene_move(scene, handles, 1, nowhere, nowhere, nowhere));
    CHECK_CODE(lanecull_run_pass(pass, frame, &in_scene, LANECULL_CASTERS_VOLUME, NULL, of_scene, views),
               LANECULL_NOT_READY);
    lanecull_scene_refit(scene, LANECULL_REFIT_TIGHT, NULL);
    taken = allocations;
    CHECK_OK(lanecull_run_pass(pass, frame, &in_scene, LANECULL_CASTERS_VOLUME, NULL, of_scene, views));
    CHECK(allocations == taken && of_scene[0].visible_count == count_bits(before[0]));
    lanecull_destroy_pass(pass);
    lanecull_destroy_scene(scene);
}

int main(void) {
    const lanecull_pass_directional_light with_directional_light = {
        .directional_light = {.toward = {0.3, 1, 0.2}}, .near_depth = 1, .far_depth = 80};
    const lanecull_pass_point_light point_light = {.at = {0, 2, -20}, .range = 15, .near_depth = 0.1};
    lanecull_pass_camera eye = {.directional_light = &with_directional_light};
    const lanecull_pass_frame frame = {.cameras = {&eye, 1}, .point_lights = {&point_light, 1}};
    memcpy(eye.clip_from_world, camera, sizeof camera);
    count_allocations();
    place();
    one_by_one();
    casters_of_many();
    CHECK(allocations == 0);
    frames(&frame);
    frames_of_a_scene(&frame);
    return failures();
}
