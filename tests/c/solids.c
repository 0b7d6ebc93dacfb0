/* Solids and the choice of occluders from C: the numbers are those of C++, to the bit; what is refused; and that a
 * choice takes no memory. */

#include "solids.h"

#include <string.h>

#include "check.h"
#include "counting.h"

/* A cube of 8 corners, bit k of the index: along axis k. */
static float corners[24];
static const uint32_t triangles[36] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                       2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
static float modules[6][module_count], walls[6 * wall_count];
static float places[wall_count - box_count][12]; /* that make walls of the cube */
static struct found_solids expected, found;

/* Modules 2 wide, side by side along x; walls before the camera, one behind another. */
static void make(void) {
    int i, k;
    for (i = 0; i < module_count; ++i) {
        for (k = 0; k < 3; ++k) {
            modules[k][i] = k == 0 ? 2.0f * (float)i : 0;
            modules[k + 3][i] = k == 0 ? 2.0f * (float)i + 2 : 1;
        }
    }
    for (i = 0; i < 24; ++i) corners[i] = (i / 3 >> i % 3 & 1) != 0 ? 5 : -3;
    for (i = 0; i < wall_count; ++i) {
        const float at = 3.0f * (float)(i % 7) - 9, depth = -5.0f - 2 * (float)i;
        walls[6 * i] = at;
        walls[6 * i + 1] = -2;
        walls[6 * i + 2] = depth - 0.5f;
        walls[6 * i + 3] = at + 3;
        walls[6 * i + 4] = 2 + (float)(i % 3);
        walls[6 * i + 5] = depth;
    }
    for (i = box_count; i < wall_count; ++i) {
        for (k = 0; k < 3; ++k) {
            const float low = walls[6 * i + k], scale = (walls[6 * i + 3 + k] - low) / 8;
            places[i - box_count][5 * k] = scale;
            places[i - box_count][4 * k + 3] = low + 3 * scale;
        }
    }
}

static void take(const lanecull_solid_boxes* solids, struct found_boxes* to) {
    lanecull_boxes boxes = {sizeof(lanecull_boxes), NULL, NULL, NULL, NULL, NULL, NULL, 0};
    size_t bytes;
    CHECK(lanecull_solid_box_streams(solids, &boxes, &why) == LANECULL_OK);
    to->count = boxes.count;
    CHECK(boxes.count == lanecull_solid_box_count(solids) && boxes.count > 0 && boxes.count <= most);
    bytes = boxes.count * sizeof(float);
    memcpy(to->streams[0], boxes.min_x, bytes);
    memcpy(to->streams[1], boxes.min_y, bytes);
    memcpy(to->streams[2], boxes.min_z, bytes);
    memcpy(to->streams[3], boxes.max_x, bytes);
    memcpy(to->streams[4], boxes.max_y, bytes);
    memcpy(to->streams[5], boxes.max_z, bytes);
}

static void merged(lanecull_solid_boxes* solids) {
    lanecull_boxes boxes = {
        sizeof(lanecull_boxes), modules[0], modules[1], modules[2], modules[3], modules[4], modules[5], module_count};
    const uint32_t* owners = NULL;
    CHECK(lanecull_merge_boxes(&boxes, solids, 0, &why) == LANECULL_OK);
    take(solids, &found.merged);
    CHECK(lanecull_solid_box_owners(solids, 0, &owners, &found.owner_count, &why) == LANECULL_OK);
    found.last_owner = owners[found.owner_count - 1];
    CHECK(lanecull_solid_box_owners(solids, 1, &owners, &found.owner_count, &why) == LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_solid_box_owners(solids, 0, NULL, &found.owner_count, &why) == LANECULL_INVALID_ARGUMENT);
    boxes.max_z = NULL;
    CHECK(lanecull_merge_boxes(&boxes, solids, 0, &why) == LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_merge_boxes(NULL, solids, 0, &why) == LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_merge_boxes(&boxes, NULL, 0, &why) == LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_solid_box_count(solids) == 1);
}

static void of_mesh(lanecull_solid_boxes* solids) {
    lanecull_vertices vertices = {sizeof(lanecull_vertices), corners, corners + 1, corners + 2, 8, 3 * sizeof(float)};
    lanecull_triangle_mesh mesh = {sizeof(lanecull_triangle_mesh), &vertices, triangles, 12};
    lanecull_mesh_solid_options options = {sizeof(lanecull_mesh_solid_options), 257, 0, 0};
    const float inside[3] = {1, 1, 1}, outside[3] = {9, 9, 9};
    lanecull_mesh_volumes volumes;
    lanecull_solid_hull hull;
    CHECK(lanecull_find_solid_hull(&mesh, inside, &hull, &found.enclosed_volume, &why) == LANECULL_OK);
    memcpy(found.enclosed_corner, hull.corner, sizeof found.enclosed_corner);
    CHECK(lanecull_find_solid_hull(&mesh, outside, &hull, NULL, &why) == LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_find_solid_hull(NULL, inside, &hull, NULL, &why) == LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_find_solid_hull(&mesh, NULL, &hull, NULL, &why) == LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_find_solid_hull(&mesh, inside, NULL, NULL, &why) == LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_find_mesh_solids(&mesh, solids, NULL, &volumes, &why) == LANECULL_OK);
    take(solids, &found.in_mesh);
    found.volume = volumes.boxes;
    CHECK(lanecull_find_mesh_solids(&mesh, solids, &options, NULL, &why) == LANECULL_INVALID_ARGUMENT);
    mesh.triangle_count = 11; /* open */
    CHECK(lanecull_find_mesh_solids(&mesh, solids, NULL, NULL, &why) == LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_find_mesh_solids(NULL, solids, NULL, NULL, &why) == LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_inscribe_hull(&vertices, &hull, &why) == LANECULL_OK);
    found.hull_corners = hull.corner_count;
    memcpy(found.hull_corner, hull.corner, sizeof found.hull_corner);
    vertices.count = 3; /* in a plane */
    CHECK(lanecull_inscribe_hull(&vertices, &hull, &why) == LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_inscribe_hull(NULL, &hull, &why) == LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_inscribe_hull(&vertices, NULL, &why) == LANECULL_INVALID_ARGUMENT);
}

static void placed_solids(lanecull_occluders* occluders) {
    const float turned[12] = {0, -2, 0, 1, 2, 0, 0, 2, 0, 0, 2, 3};
    const float before_eye[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, -20};
    const lanecull_vertices vertices = {sizeof(lanecull_vertices), corners, corners + 1, corners + 2, 8,
                                        3 * sizeof(float)};
    const lanecull_solid_box box = {{-1, -1, -1}, {1, 2, 3}};
    lanecull_solid_oriented_box placed;
    lanecull_solid_hull hull;
    lanecull_solid_hull_instance instance;
    uint32_t refusal = 99;
    CHECK(lanecull_place_solid(&box, turned, &placed, &refusal, &why) == LANECULL_OK);
    CHECK(refusal == LANECULL_REFUSED_NOT);
    memcpy(found.placed, placed.center, 3 * sizeof(float));
    memcpy(found.placed + 3, placed.half_extents, 3 * sizeof(float));
    CHECK(lanecull_place_solid(&box, NULL, &placed, &refusal, &why) == LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_inscribe_hull(&vertices, &hull, &why) == LANECULL_OK);
    instance.hull = &hull;
    memcpy(instance.transform, before_eye, sizeof before_eye);
    CHECK(lanecull_prepare_hull_occluder(occluders, 0, &instance, NULL, &refusal, &why) == LANECULL_OK);
    CHECK(refusal == LANECULL_REFUSED_NOT);
    CHECK(lanecull_prepare_hull_occluder(occluders, 0, NULL, NULL, &refusal, &why) == LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_prepare_hull_occluder(occluders, wanted, &instance, NULL, &refusal, &why) ==
          LANECULL_INVALID_ARGUMENT);
    instance.hull = NULL;
    CHECK(lanecull_prepare_hull_occluder(occluders, 0, &instance, NULL, &refusal, &why) == LANECULL_OK);
    CHECK(refusal == LANECULL_REFUSED_INVALID);
}

static void raster(void) {
    lanecull_rasterization drawn;
    lanecull_raster_margin margin;
    memset(&drawn, 0, sizeof drawn);
    drawn.size = sizeof drawn;
    drawn.width = 1920;
    drawn.height = 1080;
    drawn.scale_x = drawn.scale_y = 1;
    drawn.depth = LANECULL_DEPTH_UNORM_24;
    drawn.near_depth = 0.5;
    drawn.is_camera_relative = 1;
    CHECK(lanecull_find_raster_margin(&drawn, &margin, &why) == LANECULL_OK);
    memcpy(found.margin, &margin, sizeof found.margin);
    drawn.depth = 4;
    CHECK(lanecull_find_raster_margin(&drawn, &margin, &why) == LANECULL_INVALID_ARGUMENT);
    drawn.depth = 0;
    drawn.width = 0;
    CHECK(lanecull_find_raster_margin(&drawn, &margin, &why) == LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_find_raster_margin(NULL, &margin, &why) == LANECULL_INVALID_ARGUMENT);
}

static void choice_of_hulls(const lanecull_views* views, lanecull_occluders* occluders, lanecull_solid_set solids) {
    static unsigned char scratch[1 << 16];
    const lanecull_vertices vertices = {sizeof(lanecull_vertices), corners, corners + 1, corners + 2, 8,
                                        3 * sizeof(float)};
    lanecull_solid_hull_instance instances[wall_count - box_count];
    lanecull_solid_hull hull;
    uint32_t i, hulls = 0;
    CHECK(lanecull_inscribe_hull(&vertices, &hull, &why) == LANECULL_OK);
    for (i = 0; i < wall_count - box_count; ++i) {
        instances[i].hull = &hull;
        memcpy(instances[i].transform, places[i], sizeof places[i]);
    }
    solids.box_count = box_count;
    solids.hulls = instances;
    solids.hull_count = wall_count - box_count;
    CHECK(lanecull_choose_occluders(&solids, views, 0, occluders, found.chosen_hulls, wanted, scratch, sizeof scratch,
                                    &found.chosen_hull_count, NULL, &why) == LANECULL_OK);
    for (i = 0; i < found.chosen_hull_count; ++i) hulls += found.chosen_hulls[i] >= box_count;
    CHECK(hulls > 0);
    solids.hulls = NULL;
    CHECK(lanecull_choose_occluders(&solids, views, 0, occluders, found.chosen_hulls, wanted, scratch, sizeof scratch,
                                    &found.chosen_hull_count, NULL, &why) == LANECULL_INVALID_ARGUMENT);
}

static void choice(const lanecull_views* views, lanecull_occluders* occluders) {
    static lanecull_solid_box boxes[wall_count];
    static unsigned char scratch[1 << 16];
    const uint64_t only_odd = 0xaaaaaaaaaaaaaaaau;
    const size_t bytes = lanecull_choose_scratch_bytes(wall_count);
    lanecull_solid_set solids;
    lanecull_choose_options options;
    uint32_t indices[wanted], count = 0, k;
    memcpy(boxes, walls, sizeof boxes);
    memset(&solids, 0, sizeof solids);
    solids.size = sizeof solids;
    solids.boxes = boxes;
    solids.box_count = wall_count;
    CHECK(bytes <= sizeof scratch);
    CHECK(lanecull_choose_occluders(&solids, views, 0, occluders, found.chosen, wanted, scratch, bytes,
                                    &found.chosen_count, NULL, &why) == LANECULL_OK);
    choice_of_hulls(views, occluders, solids);
    memset(&options, 0, sizeof options);
    options.size = sizeof options;
    options.candidates = &only_odd;
    options.candidate_words = 1;
    CHECK(lanecull_choose_occluders(&solids, views, 0, occluders, indices, wanted, scratch, bytes, &count, &options,
                                    &why) == LANECULL_OK);
    CHECK(count > 0);
    for (k = 0; k < count; ++k) CHECK(indices[k] % 2 == 1);
    CHECK(lanecull_choose_occluders(&solids, views, 0, occluders, indices, wanted - 1, scratch, bytes, &count, NULL,
                                    &why) == LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_choose_occluders(&solids, views, 1, occluders, indices, wanted, scratch, bytes, &count, NULL,
                                    &why) == LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_choose_occluders(&solids, views, 0, occluders, indices, wanted, NULL, bytes, &count, NULL, &why) ==
          LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_choose_occluders(NULL, views, 0, occluders, indices, wanted, scratch, bytes, &count, NULL, &why) ==
          LANECULL_INVALID_ARGUMENT);
    options.candidates = NULL;
    CHECK(lanecull_choose_occluders(&solids, views, 0, occluders, indices, wanted, scratch, bytes, &count, &options,
                                    &why) == LANECULL_INVALID_ARGUMENT);
}

int main(void) {
    lanecull_solid_boxes* solids = NULL;
    lanecull_occluders* occluders = NULL;
    lanecull_views* views = NULL;
    unsigned before;
    CHECK(count_allocations(&why) == LANECULL_OK);
    make();
    solids_cpp((const float(*)[module_count])modules, corners, triangles, walls, (const float(*)[12])places, camera,
               &expected);
    CHECK(lanecull_create_solid_boxes(NULL, &why) == LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_create_solid_boxes(&solids, &why) == LANECULL_OK && lanecull_solid_box_count(solids) == 0);
    merged(solids);
    of_mesh(solids);
    CHECK(lanecull_create_views(1, &views, &why) == LANECULL_OK);
    CHECK(lanecull_prepare_view(views, 0, camera, NULL, NULL, &why) == LANECULL_OK);
    CHECK(lanecull_create_occluders(wanted, &occluders, &why) == LANECULL_OK);
    CHECK(lanecull_set_viewpoint(occluders, camera, NULL, NULL, 0, LANECULL_SIGHT_GROWING_DEPTH, &why) == LANECULL_OK);
    before = allocations;
    placed_solids(occluders);
    raster();
    choice(views, occluders);
    CHECK(allocations == before);
    CHECK(expected.merged.count == 1 && expected.owner_count == module_count && expected.chosen_count > 1);
    CHECK(expected.volume > 500 && expected.enclosed_volume > 500 && expected.margin[0] > 0 &&
          expected.hull_corners == 8);
    CHECK(memcmp(&expected, &found, sizeof found) == 0);
    lanecull_destroy_occluders(occluders);
    lanecull_destroy_views(views);
    lanecull_destroy_solid_boxes(solids);
    lanecull_destroy_solid_boxes(NULL);
    return failures();
}
