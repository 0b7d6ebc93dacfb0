/* What is refused, with which code and by which sentence: null pointers, spans without memory, structs that were not
 * cleared, numbers that are no enumerators; and that the library takes memory of the hooks alone. */

#include "check.h"

#define SAYS(call, sentence) CHECK_SAYS(call, LANECULL_INVALID_ARGUMENT, sentence)
#define NOT_NULL(call, name) SAYS(call, name ": must not be null")
#define CLEARED "reserved: must be zero; the struct is that of a newer library, or was not cleared with {0}"
#define NOT_CLEARED(call, name) CHECK_SAYS(call, LANECULL_UNSUPPORTED, name "." CLEARED)

static const float zeros[3] = {0, 0, 0}, ones[3] = {1, 1, 1};
static const double center[3] = {0, 0, 0};
static const lanecull_batch balls = {.kind = LANECULL_SPHERES, .shapes.spheres = {zeros, zeros, zeros, ones, 3}};
static const lanecull_objects objects = {.batches = {&balls, 1}};

static void library(void) {
    lanecull_memory_hooks hooks = {NULL, allocate, reallocate, NULL};
    lanecull_isa isa = 99;
    lanecull_status status = lanecull_isa_from_name("scalar", NULL);
    char text[8] = "1234567";
    CHECK(strcmp(lanecull_explain(&status, text, 6), "isa: ") == 0 && text[6] == '7');
    lanecull_explain(&status, text, 0);
    CHECK(strcmp(text, "isa: ") == 0);
    NOT_NULL(lanecull_set_memory_hooks(NULL), "hooks");
    NOT_NULL(lanecull_set_memory_hooks(&hooks), "hooks.release");
    NOT_NULL(lanecull_isa_from_name(NULL, &isa), "name");
    NOT_NULL(lanecull_isa_from_environment(NULL), "isa");
    NOT_NULL(lanecull_resolve_isa(LANECULL_ISA_SCALAR, NULL), "chosen");
    SAYS(lanecull_resolve_isa(1000, &isa), "requested: 1000 is not a known value");
    CHECK_CODE(lanecull_isa_from_name("mmx", &isa), LANECULL_INVALID_ARGUMENT);
    hooks.release = release;
    CHECK_OK(lanecull_set_memory_hooks(&hooks));
}

static void views(void) {
    const lanecull_clip_space layout = {.layout = 2}, depth = {.depth = 7};
    lanecull_point_light point_light = {.sides.count = 1};
    lanecull_directional_light directional_light = {.toward = {0, 1, 0}, .reserved = {1}};
    lanecull_view_options planes = {.clip_planes = {NULL, 1}}, newer = {.reserved = {0, 0, 0, 0, 0, 1}};
    lanecull_view_options newest = {.reserved_too = 1};
    lanecull_view_options lit = {.point_light = &point_light}, sunny = {.directional_light = &directional_light};
    lanecull_view view = {0};
    lanecull_hull hull;
    NOT_NULL(lanecull_prepare_view(NULL, NULL, NULL, &view), "clip_from_world");
    NOT_NULL(lanecull_prepare_view(camera, NULL, NULL, NULL), "view");
    NOT_NULL(lanecull_prepare_view_of_floats(NULL, NULL, NULL, &view), "clip_from_world");
    NOT_NULL(lanecull_prepare_stereo_view(NULL, camera, NULL, NULL, &view), "left");
    NOT_NULL(lanecull_prepare_stereo_view(camera, NULL, NULL, NULL, &view), "right");
    NOT_NULL(lanecull_prepare_view_from_corners(NULL, NULL, &view), "corners");
    NOT_NULL(lanecull_prepare_view_from_ball(NULL, 1, NULL, &view), "center");
    SAYS(lanecull_prepare_view_from_planes(NULL, 6, NULL, &view), "planes: must not be null, with a length of 6");
    SAYS(lanecull_prepare_view(camera, &layout, NULL, &view), "clip_space.layout: 2 is not a known value");
    SAYS(lanecull_prepare_view(camera, &depth, NULL, &view), "clip_space.depth: 7 is not a known value");
    SAYS(lanecull_prepare_view(camera, NULL, &planes, &view),
         "options.clip_planes: must not be null, with a length of 1");
    SAYS(lanecull_prepare_view(camera, NULL, &lit, &view),
         "options.point_light.sides: must not be null, with a length of 1");
    NOT_CLEARED(lanecull_prepare_view(camera, NULL, &newer, &view), "options");
    NOT_CLEARED(lanecull_prepare_view(camera, NULL, &newest, &view), "options");
    NOT_CLEARED(lanecull_prepare_view(camera, NULL, &sunny, &view), "options.directional_light");
    CHECK(view.state == 0);
    NOT_NULL(lanecull_prepare_hull(zeros, zeros, zeros, 3, NULL), "hull");
    NOT_NULL(lanecull_prepare_hull(zeros, NULL, zeros, 3, &hull), "y");
}

/* Batches that break their rules one by one. */
static void batches(const lanecull_view* view) {
    lanecull_batch batch = {.kind = LANECULL_NO_KIND};
    const lanecull_objects given = {.batches = {&batch, 1}};
    lanecull_output output = {0};
    SAYS(cull_one(given, view, &output), "batches[0].kind: 0 is not a known value");
    batch.kind = 11;
    SAYS(cull_one(given, view, &output), "batches[0].kind: 11 is not a known value");
    batch = balls;
    batch.reserved[4] = 1;
    NOT_CLEARED(cull_one(given, view, &output), "batches[0]");
    batch = balls;
    batch.attributes.reserved[0] = 1;
    NOT_CLEARED(cull_one(given, view, &output), "batches[0].attributes");
    batch = balls;
    batch.draws.per = 2, batch.draws.first = &(lanecull_draw_command){.index_count = 0};
    SAYS(cull_one(given, view, &output), "batches[0].draws.per: 2 is not a known value");
    batch = balls;
    batch.shapes.spheres.radius = NULL;
    NOT_NULL(cull_one(given, view, &output), "batches[0].radius");
    batch.shapes.spheres.count = 0; /* then pointers are not read */
    CHECK_OK(cull_one(given, view, &output));
}

/* A call in which one thing is wrong. */
#define CALL_SAYS(wrong, code, sentence)                  \
    do {                                                  \
        lanecull_cull_call call = right;                  \
        wrong;                                            \
        CHECK_SAYS(lanecull_cull(&call), code, sentence); \
    } while (0)

static void culls(const lanecull_view* view) {
    const lanecull_view unprepared = {0};
    uint64_t word = 77;
    lanecull_explanation why = {.certificates = {NULL, 3}};
    lanecull_output output = {.visible = {&word, 1}}, unbacked = {.indices = {NULL, 3}};
    lanecull_output explained = {.explanation = &why}, newer = {.reserved = {1}};
    const lanecull_cull_call right = {
        .objects = objects, .views = {view, 1}, .outputs = {&output, 1}, .scratch = {scratch, sizeof scratch}};
    const lanecull_status_code invalid = LANECULL_INVALID_ARGUMENT;
    NOT_NULL(lanecull_cull(NULL), "call");
    CALL_SAYS(call.objects.batches.items = NULL, invalid, "batches: must not be null, with a length of 1");
    CALL_SAYS(call.views.items = NULL, invalid, "views: must not be null, with a length of 1");
    CALL_SAYS(call.views.items = &unprepared, LANECULL_NOT_READY, "views[0]: was not prepared by prepare_view()");
    CALL_SAYS(call.outputs.items = NULL, invalid, "outputs: must not be null, with a length of 1");
    CALL_SAYS(call.outputs.items = &unbacked, invalid,
              "outputs[0].indices: must not be null, with a length that is not 0");
    CALL_SAYS(call.outputs.items = &explained, invalid,
              "outputs[0].certificates: must not be null, with a length that is not 0");
    CALL_SAYS(call.outputs.items = &newer, LANECULL_UNSUPPORTED, "outputs[0]." CLEARED);
    CALL_SAYS(call.scratch.first = NULL, invalid, "scratch: must not be null");
    CALL_SAYS(call.options.view_masks.count = 3, invalid, "options.view_masks: must not be null, with a length of 3");
    CALL_SAYS(call.options.reserved[0] = 1, LANECULL_UNSUPPORTED, "options." CLEARED);
    CHECK(word == 77 && lanecull_visibility_words(NULL) == 0 && lanecull_scratch_bytes(NULL, 1) == 0);
    CHECK(lanecull_order_bytes(NULL, 1) == 0);
    CHECK_OK(lanecull_cull(&right));
    CHECK(word == 7 && output.visible_count == 3);
}

static void occluders(const lanecull_view* view) {
    const lanecull_solid_box box = {{-1, -1, -9}, {1, 1, -8}};
    const lanecull_occluder_options newer = {.reserved = {1}};
    const lanecull_solid_set unbacked = {.hulls = {NULL, 1}};
    const lanecull_rasterization raster = {
        .width = 9, .height = 9, .scale_x = 1, .scale_y = 1, .depth = 4, .near_depth = 1};
    lanecull_viewpoint eye = {0};
    lanecull_occluder occluder = {0};
    lanecull_solid_oriented_box placed;
    lanecull_raster_margin margin;
    uint32_t index, count;
    lanecull_output output = {.occluders = {&occluder, 1}};
    NOT_NULL(lanecull_prepare_viewpoint(NULL, NULL, NULL, 0, 0, &eye), "clip_from_world");
    SAYS(lanecull_prepare_viewpoint(camera, NULL, NULL, 2, 0, &eye),
         "clip_planes: must not be null, with a length of 2");
    SAYS(lanecull_prepare_viewpoint(camera, NULL, NULL, 0, 7, &eye), "sight: 7 is not a known value");
    SAYS(lanecull_prepare_viewpoint_from_eyes(NULL, 3, 0, &eye), "eyes: must not be null, with a length of 3");
    NOT_NULL(lanecull_prepare_viewpoint_along(NULL, center, &eye), "direction");
    CHECK(lanecull_prepare_occluder_box(&box, NULL, NULL, &occluder) == LANECULL_REFUSED_NO_VIEWPOINT);
    CHECK_OK(lanecull_prepare_viewpoint(camera, NULL, NULL, 0, 0, &eye));
    CHECK(lanecull_prepare_occluder_box(NULL, &eye, NULL, &occluder) == LANECULL_REFUSED_INVALID);
    CHECK(lanecull_prepare_occluder_box(&box, &eye, &newer, &occluder) == LANECULL_REFUSED_INVALID);
    CHECK(lanecull_prepare_occluder_box(&box, &eye, NULL, NULL) == LANECULL_REFUSED_INVALID);
    CHECK(lanecull_place_solid(&box, NULL, &placed) == LANECULL_REFUSED_INVALID);
    CHECK(strcmp(lanecull_refusal_name(99), "unknown") == 0);
    CHECK_CODE(cull_one(objects, view, &output), LANECULL_NOT_READY); /* it is not prepared */
    NOT_NULL(lanecull_find_raster_margin(&raster, NULL), "margin");
    SAYS(lanecull_find_raster_margin(&raster, &margin), "depth: 4 is not a known value");
    SAYS(lanecull_choose_occluders(&unbacked, view, &eye, NULL, &occluder, 1, &index, 1, scratch, sizeof scratch,
                                   &count),
         "solids.hulls: must not be null, with a length of 1");
}

static void others(void) {
    const lanecull_vertices vertices = {zeros, zeros, zeros, 3, 0};
    const lanecull_triangle_mesh mesh = {.vertices = vertices};
    const lanecull_records records = {.first = zeros};
    const lanecull_mesh_solid_options newer = {.reserved = {1}}, newest = {.reserved_too = 1};
    const lanecull_merge_options merging = {.reserved_too = 1};
    const lanecull_pair_options reserved = {.reserved = {1}}, reserved_too = {.reserved_too = 1};
    const lanecull_pair_distance_options measuring = {.reserved_too = 1};
    const lanecull_world_bounds_options bounding = {.reserved_too = 1};
    const lanecull_pair_indices pairs = {NULL, NULL, 1, 0}, no_pairs = {NULL, NULL, 0, 0};
    const lanecull_pair_contact_options no_contacts = {.reserved = {1}};
    const lanecull_add_options moving = {.mobility = 5}, adding = {.reserved_too = 1};
    const lanecull_boxes no_boxes = {0};
    const lanecull_box_instances no_instances = {0};
    const lanecull_box_streams no_streams = {0};
    lanecull_box_bounds box;
    lanecull_plane planes[2];
    lanecull_handle handles[3];
    lanecull_shadow_map map;
    lanecull_flat_view flat_view;
    lanecull_solid_boxes* solids = lanecull_create_solid_boxes();
    lanecull_scene* scene = lanecull_create_scene();
    uint64_t word;
    NOT_NULL(lanecull_bounding_box(NULL, 0, &box), "vertices");
    NOT_NULL(lanecull_bounding_box(&vertices, 0, NULL), "box");
    SAYS(lanecull_unpack_floats(&records, 1, 0, NULL, 3), "streams: must not be null, with a length of 3");
    NOT_NULL(lanecull_find_mesh_solids(NULL, NULL, solids, NULL), "mesh");
    NOT_CLEARED(lanecull_find_mesh_solids(&mesh, &newer, solids, NULL), "options");
    NOT_CLEARED(lanecull_find_mesh_solids(&mesh, &newest, solids, NULL), "options");
    NOT_CLEARED(lanecull_merge_boxes(&no_boxes, &merging, solids), "options");
    NOT_CLEARED(lanecull_world_boxes(&no_instances, &bounding, &no_streams), "options");
    NOT_NULL(lanecull_separate_pairs(NULL, &balls, &pairs, NULL, NULL, &word, 1), "a");
    NOT_NULL(lanecull_separate_pairs(&balls, &balls, NULL, NULL, NULL, &word, 1), "pairs");
    NOT_CLEARED(lanecull_separate_pairs(&balls, &balls, &pairs, &reserved, NULL, &word, 1), "options");
    NOT_CLEARED(lanecull_separate_pairs(&balls, &balls, &pairs, &reserved_too, NULL, &word, 1), "options");
    NOT_CLEARED(lanecull_measure_pairs(&balls, &balls, &pairs, &measuring, NULL, NULL), "options");
    NOT_NULL(lanecull_find_pair_contacts(&balls, &balls, &no_pairs, NULL, NULL, NULL), "contacts");
    NOT_CLEARED(lanecull_find_pair_contacts(&balls, &balls, &no_pairs, &no_contacts, NULL, NULL), "options");
    SAYS(lanecull_split_depths(1, 2, 0, NULL, 2), "depths: must not be null, with a length of 2");
    NOT_NULL(lanecull_engine_map(NULL, NULL, 512, 512, &map), "clip_from_world");
    NOT_NULL(lanecull_slice_planes(NULL, planes), "slice");
    NOT_NULL(lanecull_flat_prepare_view(NULL, &flat_view), "rectangle");
    NOT_NULL(lanecull_flat_cull(NULL), "call");
    CHECK_SAYS(lanecull_scene_remove(NULL, handles, 0), LANECULL_OUT_OF_MEMORY,
               "scene: is null; there was not enough memory to create it");
    SAYS(lanecull_scene_add(scene, NULL, 1, NULL, NULL, handles, 3), "batches: must not be null, with a length of 1");
    SAYS(lanecull_scene_add(scene, &balls, 1, &moving, NULL, handles, 3), "options.mobility: 5 is not a known value");
    NOT_CLEARED(lanecull_scene_add(scene, &balls, 1, &adding, NULL, handles, 3), "options");
    SAYS(lanecull_scene_add(scene, &balls, 1, NULL, NULL, NULL, 3), "handles: must not be null, with a length of 3");
    NOT_NULL(lanecull_scene_set_attributes(scene, handles, 0, NULL), "attributes");
    NOT_NULL(lanecull_scene_load(scene, NULL, NULL), "path");
    NOT_NULL(lanecull_scene_slot_of(scene, 0, NULL), "slot");
    SAYS(lanecull_scene_refit(scene, 2, NULL), "refit: 2 is not a known value");
    CHECK(lanecull_scene_object_count(NULL) == 0 && lanecull_scene_is_stale(NULL) == 0);
    CHECK_SAYS(lanecull_prepare_pass(NULL, 0, NULL), LANECULL_OUT_OF_MEMORY,
               "pass: is null; there was not enough memory to create it");
    lanecull_destroy_scene(scene);
    lanecull_destroy_solid_boxes(solids);
}

int main(void) {
    lanecull_view view = {0};
    library();
    views();
    CHECK_OK(lanecull_prepare_view_from_ball(center, 1, NULL, &view));
    batches(&view);
    culls(&view);
    occluders(&view);
    CHECK(allocations == 0);
    others();
    CHECK(allocations > 0);
    return failures();
}
