/* Solids and occluders: what boxes, meshes and hulls are made into, what a wall hides in every form that it may have,
 * and the choice of walls among many, which takes no memory. */

#include <math.h>

#include "check.h"

enum { module_count = 24, wall_count = 40, box_count = 3, wanted = 8, row = 600 };

/* A cube from -3 to 5, bit k of a corner's index: along axis k. */
static float corners[24];
static const uint32_t triangles[36] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                       2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
static const lanecull_vertices cube = {corners, corners + 1, corners + 2, 8, 3 * sizeof(float)};
static float x[row], y[row], z[row], radius[row];
static const lanecull_batch batch = {.kind = LANECULL_SPHERES, .shapes.spheres = {x, y, z, radius, row}};

/* Spheres in a row away from the eye, from z = 0 on; half of them behind it. */
static void make(void) {
    int i;
    for (i = 0; i < 24; ++i) corners[i] = (i / 3 >> i % 3 & 1) != 0 ? 5 : -3;
    for (i = 0; i < row; ++i) z[i] = (float)i - 300.0f, radius[i] = 0.25f;
}

/* Modules 2 wide, side by side along x, are one box that all of them cover. */
static void merged(lanecull_solid_boxes* solids) {
    static float modules[6][module_count];
    const lanecull_boxes boxes = {modules[0], modules[1], modules[2], modules[3], modules[4], modules[5], module_count};
    lanecull_boxes made;
    lanecull_const_indices owners = {NULL, 0};
    int i;
    for (i = 0; i < module_count; ++i) {
        modules[0][i] = 2.0f * (float)i;
        modules[3][i] = 2.0f * (float)i + 2;
        modules[4][i] = modules[5][i] = 1;
    }
    lanecull_solid_box_streams(solids, &made);
    CHECK(lanecull_solid_box_count(solids) == 0 && made.count == 0);
    CHECK_OK(lanecull_merge_boxes(&boxes, NULL, solids));
    CHECK(lanecull_solid_box_count(solids) == 1);
    lanecull_solid_box_streams(solids, &made);
    CHECK(made.count == 1 && made.min_x[0] == 0 && made.max_x[0] == 48 && made.max_y[0] == 1 && made.max_z[0] == 1);
    CHECK_OK(lanecull_solid_box_owners(solids, 0, &owners));
    CHECK(owners.count == module_count && owners.items[0] == 0 && owners.items[23] == 23);
    CHECK_REFUSED(lanecull_solid_box_owners(solids, 1, &owners));
}

static void of_mesh(lanecull_solid_boxes* solids) {
    lanecull_triangle_mesh mesh = {.vertices = cube, .indices = triangles, .triangle_count = 12};
    const lanecull_mesh_solid_options options = {.resolution = 257};
    const float inside[3] = {1, 1, 1}, outside[3] = {9, 9, 9};
    lanecull_mesh_volumes volumes;
    lanecull_solid_hull hull;
    lanecull_boxes boxes;
    double volume = 0;
    CHECK_OK(lanecull_find_mesh_solids(&mesh, NULL, solids, &volumes));
    lanecull_solid_box_streams(solids, &boxes);
    CHECK(fabs(volumes.mesh - 512) < 1e-9 && volumes.boxes > 500 && volumes.boxes <= 512.001);
    CHECK(boxes.count >= 1 && boxes.min_x[0] >= -3 && boxes.max_z[0] <= 5);
    CHECK_REFUSED(lanecull_find_mesh_solids(&mesh, &options, solids, NULL));
    CHECK_OK(lanecull_find_solid_hull(&mesh, inside, &hull, &volume));
    CHECK(hull.corner_count == 8 && hull.drawn.upper[1] == 5 && volume > 500 && volume <= 512);
    CHECK_REFUSED(lanecull_find_solid_hull(&mesh, outside, &hull, NULL));
    mesh.triangle_count = 11; /* open */
    CHECK_REFUSED(lanecull_find_mesh_solids(&mesh, NULL, solids, NULL));
    CHECK_OK(lanecull_inscribe_hull(&cube, &hull));
    CHECK(hull.corner_count == 8 && hull.triangle_count == 12 && fabs(hull.corner[0][0] - 1) == 4);
}

/* How many of the row are visible in front of the wall; in and behind it there are 290. */
static uint64_t seen_before(const lanecull_view* view, lanecull_occluder* wall, lanecull_refusal refusal) {
    uint32_t hidden = 0;
    lanecull_output output = {.occluders = {wall, 1}, .hidden_counts = {&hidden, 1}};
    CHECK(refusal == LANECULL_REFUSED_NOT && wall->state != 0);
    CHECK_OK(cull_one((lanecull_objects){.batches = {&batch, 1}}, view, &output));
    CHECK(hidden + output.visible_count == 300);
    memset(wall, 0, sizeof *wall);
    return output.visible_count;
}

/* The wall as solids of all forms, and what cannot hide. */
static void walls(const lanecull_view* view, const lanecull_viewpoint* eye) {
    static const lanecull_solid_box box = {{-20, -20, -11}, {20, 20, -10.5f}}, around_eye = {{-1, -1, -1}, {1, 1, 1}};
    static const lanecull_plane planes[6] = {{{1, 0, 0}, 20},  {{-1, 0, 0}, 20}, {{0, 1, 0}, 20},
                                             {{0, -1, 0}, 20}, {{0, 0, 1}, 11},  {{0, 0, -1}, -10.5}};
    const lanecull_solid_oriented_box turned = {{0, 0, -10.75f}, {20, 20, 0.25f}, {{0, 1, 0}, {-1, 0, 0}, {0, 0, 1}}};
    const lanecull_occluder_options drawn = {.drawn = &box};
    const double eyes[6] = {0, 0, 0, 0.25, 0, 0}, along[3] = {0, 0, -1};
    const lanecull_viewpoint no_eye = {0};
    lanecull_solid_hull hull;
    lanecull_solid_hull_instance instance = {&hull, {5, 0, 0, -5, 0, 5, 0, -5, 0, 0, 0.0625f, -10.8125f}};
    lanecull_viewpoint other = {0};
    lanecull_occluder wall = {0};
    CHECK_OK(lanecull_inscribe_hull(&cube, &hull));
    CHECK(seen_before(view, &wall, lanecull_prepare_occluder_box(&box, eye, NULL, &wall)) == 10);
    CHECK(seen_before(view, &wall, lanecull_prepare_occluder_oriented_box(&turned, eye, NULL, &wall)) == 10);
    CHECK(seen_before(view, &wall, lanecull_prepare_occluder_hull(&instance, eye, NULL, &wall)) == 10);
    CHECK(seen_before(view, &wall, lanecull_prepare_occluder_planes(planes, 6, eye, &drawn, &wall)) == 10);
    CHECK(lanecull_prepare_occluder_box(&box, &no_eye, NULL, &wall) == LANECULL_REFUSED_NO_VIEWPOINT);
    CHECK(lanecull_prepare_occluder_box(&around_eye, eye, NULL, &wall) == LANECULL_REFUSED_ENCLOSES_EYE);
    CHECK(lanecull_prepare_occluder_planes(planes, 6, eye, NULL, &wall) == LANECULL_REFUSED_INVALID);
    instance.hull = NULL;
    CHECK(lanecull_prepare_occluder_hull(&instance, eye, NULL, &wall) == LANECULL_REFUSED_INVALID);
    CHECK(wall.state == 0 &&
          strcmp(lanecull_refusal_name(LANECULL_REFUSED_ENCLOSES_EYE), "the eye may be inside") == 0);
    CHECK_OK(lanecull_prepare_viewpoint_from_eyes(eyes, 6, 2, &other));
    CHECK(lanecull_prepare_occluder_box(&box, &other, NULL, &wall) == LANECULL_REFUSED_NOT);
    CHECK_OK(lanecull_prepare_viewpoint_along(along, eyes, &other));
    CHECK(lanecull_prepare_occluder_box(&box, &other, NULL, &wall) == LANECULL_REFUSED_NOT);
}

/* A solid where it is drawn, and what rasterisers add. */
static void placed(void) {
    const float turned[12] = {0, -2, 0, 1, 2, 0, 0, 2, 0, 0, 2, 3}, flat[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0};
    const lanecull_solid_box box = {{-1, -1, -1}, {1, 2, 3}};
    const lanecull_rasterization drawn = {.width = 1920,
                                          .height = 1080,
                                          .scale_x = 1,
                                          .scale_y = 1,
                                          .depth = LANECULL_DEPTH_UNORM_24,
                                          .near_depth = 0.5,
                                          .is_camera_relative = 1};
    lanecull_raster_margin margin = {0};
    lanecull_solid_oriented_box made;
    CHECK_OK(lanecull_find_raster_margin(&drawn, &margin));
    CHECK(margin.per_distance > 1e-6 && margin.per_distance < 1e-3 && margin.depth_per_distance == 0);
    CHECK(fabs(margin.depth_per_square * 16777216 / 8 - 1) < 1e-6);
    CHECK(lanecull_place_solid(&box, flat, &made) == LANECULL_REFUSED_TOO_THIN);
    CHECK(lanecull_place_solid(&box, turned, &made) == LANECULL_REFUSED_NOT);
    CHECK(fabs(made.center[0]) < 1e-5 && fabs(made.center[1] - 2) < 1e-5 && fabs(made.center[2] - 5) < 1e-5);
    CHECK(fabs(made.half_extents[2] * made.axes[2][2] - 4) < 1e-5);
}

/* Of walls before the camera, one behind another, as boxes and as instances of the cube. */
static void choice(const lanecull_view* view, const lanecull_viewpoint* eye) {
    static lanecull_solid_box boxes[wall_count];
    static lanecull_solid_hull_instance instances[wall_count - box_count];
    static lanecull_occluder occluders[wanted];
    static lanecull_solid_hull hull;
    const uint64_t only_odd = 0xaaaaaaaaaaaaaaaau;
    const lanecull_choose_options options = {.candidates = {&only_odd, 1}};
    const lanecull_owner owners[wall_count] = {{0, 7}};
    lanecull_solid_set solids = {.boxes = {boxes, wall_count}, .owners = {owners, wall_count}};
    const size_t bytes = lanecull_choose_scratch_bytes(wall_count);
    uint32_t indices[wanted], count = 0, hulls = 0, i;
    int k;
    CHECK_OK(lanecull_inscribe_hull(&cube, &hull));
    for (i = 0; i < wall_count; ++i) {
        const float low[3] = {3.0f * (float)(i % 7) - 9, -2, -5.5f - 2 * (float)i};
        const float high[3] = {low[0] + 3, 2 + (float)(i % 3), low[2] + 0.5f};
        memcpy(boxes[i].min, low, sizeof low);
        memcpy(boxes[i].max, high, sizeof high);
        if (i < box_count) continue;
        instances[i - box_count].hull = &hull;
        for (k = 0; k < 3; ++k) {
            const float scale = (high[k] - low[k]) / 8;
            instances[i - box_count].transform[5 * k] = scale;
            instances[i - box_count].transform[4 * k + 3] = low[k] + 3 * scale;
        }
    }
    CHECK(bytes <= sizeof scratch);
    CHECK_OK(lanecull_choose_occluders(&solids, view, eye, NULL, occluders, wanted, indices, wanted, scratch, bytes,
                                       &count));
    CHECK(count > 1 && count <= wanted && occluders[0].owners.items == owners + indices[0]);
    CHECK_OK(lanecull_choose_occluders(&solids, view, eye, &options, occluders, wanted, indices, wanted, scratch, bytes,
                                       &count));
    CHECK(count > 0);
    for (i = 0; i < count; ++i) CHECK(indices[i] % 2 == 1 && occluders[i].state != 0);
    solids.boxes.count = box_count;
    solids.hulls.items = instances, solids.hulls.count = wall_count - box_count;
    CHECK_OK(lanecull_choose_occluders(&solids, view, eye, NULL, occluders, wanted, indices, wanted, scratch, bytes,
                                       &count));
    for (i = 0; i < count; ++i) hulls += indices[i] >= box_count;
    CHECK(hulls > 0);
}

int main(void) {
    lanecull_solid_boxes* solids;
    lanecull_view view = {0};
    lanecull_viewpoint eye = {0};
    unsigned before;
    count_allocations();
    make();
    solids = lanecull_create_solid_boxes();
    merged(solids);
    of_mesh(solids);
    before = allocations;
    CHECK(before > 0);
    CHECK_OK(lanecull_prepare_view(camera, NULL, NULL, &view));
    CHECK_OK(lanecull_prepare_viewpoint(camera, NULL, NULL, 0, LANECULL_SIGHT_GROWING_DEPTH, &eye));
    walls(&view, &eye);
    placed();
    choice(&view, &eye);
    CHECK(allocations == before);
    lanecull_destroy_solid_boxes(solids);
    lanecull_destroy_solid_boxes(NULL);
    CHECK(lanecull_solid_box_count(NULL) == 0);
    return failures();
}
