/* Bounds, world bounds, unpacking and casters of many lights from C: the numbers are those of C++, to the bit; what is
 * refused; and none of it takes memory. */

#include "bounds.h"

#include <string.h>

#include "check.h"
#include "counting.h"

static float points[3 * vertices], local[6][instances], transforms[12 * instances];
static double positions[3 * instances];
static struct bounds expected, found;

static float number(void) { /* -1 to 1, the same in each run */
    static uint32_t state = 1;
    state = state * 1664525u + 1013904223u;
    return (float)(state >> 8) / 8388608.0f - 1.0f;
}

static void make(void) {
    int i, k;
    for (i = 0; i < 3 * vertices; ++i) points[i] = 10 * number();
    for (i = 0; i < 12 * instances; ++i) transforms[i] = 5 * number();
    for (i = 0; i < 3 * instances; ++i) positions[i] = 1000 * (double)number();
    for (i = 0; i < instances; ++i) {
        for (k = 0; k < 3; ++k) {
            local[k][i] = number() - 1;
            local[k + 3][i] = number() + 1;
        }
    }
}

static void of_vertices(void) {
    lanecull_vertices all = {sizeof(lanecull_vertices), points, points + 1, points + 2, vertices, 3 * sizeof(float)};
    lanecull_box_bounds box;
    lanecull_sphere_bounds sphere;
    lanecull_oriented_box_bounds oriented;
    const lanecull_records records = {points, 0};
    float* const streams[3] = {found.unpacked[0], found.unpacked[1], found.unpacked[2]};
    CHECK(lanecull_bounding_box(&all, &box, 0, &why) == LANECULL_OK);
    CHECK(lanecull_bounding_sphere(&all, &sphere, 0, &why) == LANECULL_OK);
    CHECK(lanecull_bounding_oriented_box(&all, &oriented, 0, &why) == LANECULL_OK);
    memcpy(found.box, &box, sizeof found.box);
    memcpy(found.sphere, &sphere, sizeof found.sphere);
    memcpy(found.oriented, &oriented, sizeof found.oriented);
    CHECK(lanecull_bounding_box(&all, NULL, 0, &why) == LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_bounding_sphere(NULL, &sphere, 0, &why) == LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_bounding_oriented_box(&all, &oriented, 99, &why) == LANECULL_INVALID_ARGUMENT);
    all.count = 0;
    CHECK(lanecull_bounding_box(&all, &box, 0, &why) == LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_unpack_floats(&records, vertices, streams, 3, 0, &why) == LANECULL_OK);
    CHECK(lanecull_unpack_floats(NULL, vertices, streams, 3, 0, &why) == LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_unpack_floats(&records, vertices, NULL, 3, 0, &why) == LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_unpack_floats(&records, vertices, streams, 0, 0, &why) == LANECULL_INVALID_ARGUMENT);
}

static void of_hulls(lanecull_transforms* where) {
    lanecull_hull hull;
    lanecull_hull_instances hulls;
    float(*s)[instances] = found.hull_spheres;
    memset(&hulls, 0, sizeof hulls);
    hulls.size = sizeof hulls;
    hulls.transforms = where;
    hulls.hulls = &hull;
    hulls.hull_count = 1;
    hulls.count = instances;
    CHECK(lanecull_prepare_hull(found.unpacked[0], found.unpacked[1], found.unpacked[2], vertices, &hull, &why) ==
          LANECULL_OK);
    CHECK(lanecull_hull_bounding_spheres(&hulls, s[0], s[1], s[2], s[3], &why) == LANECULL_OK);
    CHECK(lanecull_hull_bounding_spheres(&hulls, s[0], s[1], NULL, s[3], &why) == LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_hull_bounding_spheres(NULL, s[0], s[1], s[2], s[3], &why) == LANECULL_INVALID_ARGUMENT);
}

/* The same boxes as records of six floats: the same world boxes. */
static void of_records(const lanecull_box_instances* streams) {
    static float corners[instances][6], w[6][instances];
    const lanecull_boxes counted = {sizeof(lanecull_boxes), NULL, NULL, NULL, NULL, NULL, NULL, instances};
    const lanecull_box_streams to = {sizeof(lanecull_box_streams), w[0], w[1], w[2], w[3], w[4], w[5]};
    lanecull_box_instances records = *streams;
    int i, k;
    for (i = 0; i < instances; ++i) {
        for (k = 0; k < 6; ++k) corners[i][k] = local[k][i];
    }
    records.boxes = &counted;
    records.lower.first = &corners[0][0];
    records.upper.first = &corners[0][3];
    records.lower.stride_bytes = records.upper.stride_bytes = sizeof corners[0];
    CHECK(lanecull_world_boxes(&records, &to, 0, NULL, &why) == LANECULL_OK);
    CHECK(memcmp(w, found.world_boxes, sizeof w) == 0);
    records.upper.first = NULL;
    CHECK(lanecull_world_boxes(&records, &to, 0, NULL, &why) == LANECULL_INVALID_ARGUMENT);
}

static void of_boxes(void) {
    const uint32_t first[3] = {0, 20, instances}, wrong[3] = {0, 20, instances + 1};
    float(*w)[instances] = found.world_boxes, (*s)[instances] = found.world_spheres;
    float(*o)[instances] = found.world_oriented, (*b)[instances] = found.box_spheres;
    float(*j)[2] = found.joined;
    lanecull_boxes boxes = {
        sizeof(lanecull_boxes), local[0], local[1], local[2], local[3], local[4], local[5], instances};
    lanecull_transforms where;
    lanecull_box_instances all = {0};
    lanecull_box_streams to_boxes = {sizeof(lanecull_box_streams), w[0], w[1], w[2], w[3], w[4], w[5]};
    lanecull_box_streams to_joined = {sizeof(lanecull_box_streams), j[0], j[1], j[2], j[3], j[4], j[5]};
    lanecull_sphere_streams to_spheres = {sizeof(lanecull_sphere_streams), s[0], s[1], s[2], s[3]};
    lanecull_oriented_box_streams to_oriented;
    lanecull_oriented_boxes oriented;
    all.size = sizeof all;
    all.transforms = &where;
    all.boxes = &boxes;
    all.count = instances;
    memset(&where, 0, sizeof where);
    where.size = sizeof where;
    where.first = transforms;
    where.layout = LANECULL_ROWS_3X4;
    of_hulls(&where);
    memset(&to_oriented, 0, sizeof to_oriented);
    to_oriented.size = sizeof to_oriented;
    to_oriented.x = o[0];
    to_oriented.y = o[1];
    to_oriented.z = o[2];
    to_oriented.quaternions.first = found.quaternions;
    to_oriented.half_extents.first = found.half_extents;
    CHECK(lanecull_box_bounding_spheres(&all, b[0], b[1], b[2], b[3], &why) == LANECULL_OK);
    CHECK(lanecull_world_boxes(&all, &to_boxes, 0, NULL, &why) == LANECULL_OK);
    of_records(&all);
    CHECK(lanecull_world_spheres(&all, &to_spheres, 0, NULL, &why) == LANECULL_OK);
    CHECK(lanecull_world_oriented_boxes(&all, &to_oriented, 0, NULL, &why) == LANECULL_OK);
    memset(&oriented, 0, sizeof oriented);
    oriented.size = sizeof oriented;
    oriented.x = o[0];
    oriented.y = o[1];
    oriented.z = o[2];
    oriented.quaternions.first = found.quaternions;
    oriented.half_extents.first = found.half_extents;
    oriented.count = instances;
    CHECK(lanecull_bounding_radii(&oriented, found.radii, &why) == LANECULL_OK);
    CHECK(lanecull_bounding_radii(&oriented, NULL, &why) == LANECULL_INVALID_ARGUMENT);
    boxes.min_x = w[0];
    boxes.min_y = w[1];
    boxes.min_z = w[2];
    boxes.max_x = w[3];
    boxes.max_y = w[4];
    boxes.max_z = w[5];
    CHECK(lanecull_join_boxes(&boxes, first, 2, &to_joined, &why) == LANECULL_OK);
    CHECK(lanecull_join_boxes(&boxes, wrong, 2, &to_joined, &why) == LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_join_boxes(&boxes, first, 2, NULL, &why) == LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_world_boxes(&all, NULL, 0, NULL, &why) == LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_world_spheres(NULL, &to_spheres, 0, NULL, &why) == LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_world_spheres(&all, &to_spheres, 99, NULL, &why) == LANECULL_INVALID_ARGUMENT);
    to_oriented.axes.first = found.quaternions; /* axes and quaternions */
    CHECK(lanecull_world_oriented_boxes(&all, &to_oriented, 0, NULL, &why) == LANECULL_INVALID_ARGUMENT);
}

static void relative(void) {
    const lanecull_double_records from = {positions, 0};
    const double origin[3] = {100, 0, 0};
    float(*r)[instances] = found.relative;
    CHECK(lanecull_relative_spheres(&from, NULL, instances, origin, r[0], r[1], r[2], r[3], &why) == LANECULL_OK);
    CHECK(lanecull_relative_spheres(&from, NULL, instances, NULL, r[0], r[1], r[2], r[3], &why) ==
          LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_relative_spheres(NULL, NULL, instances, origin, r[0], r[1], r[2], r[3], &why) ==
          LANECULL_INVALID_ARGUMENT);
}

static uint64_t seen_by(const lanecull_views* views, uint32_t i, const float* ball) {
    static unsigned char scratch[4096];
    const lanecull_spheres balls = {sizeof(lanecull_spheres), ball, ball + 1, ball + 2, ball + 3, 1};
    lanecull_batch batch;
    lanecull_batches* batches = NULL;
    lanecull_view_output output;
    memset(&batch, 0, sizeof batch);
    batch.size = sizeof batch;
    batch.spheres = &balls;
    memset(&output, 0, sizeof output);
    output.size = sizeof output;
    CHECK(lanecull_create_batches(1, &batches, &why) == LANECULL_OK);
    CHECK(lanecull_set_batch(batches, 0, &batch, &why) == LANECULL_OK);
    CHECK(lanecull_cull(batches, views, i, 1, &output, scratch, sizeof scratch, NULL, NULL, &why) == LANECULL_OK);
    lanecull_destroy_batches(batches);
    return output.visible_count;
}

/* Lamps before the camera, each of which sees other balls. */
static void casters(void) {
    static double at[3 * lights];
    static unsigned char scratch[8192];
    lanecull_lamp lamps[lights];
    lanecull_view_options options[lights];
    lanecull_views* views = NULL;
    const size_t bytes = lanecull_caster_views_scratch_bytes(lights);
    unsigned before;
    int k, i, seen = 0;
    CHECK(lanecull_create_views(lights + 1, &views, &why) == LANECULL_OK);
    before = allocations;
    memset(lamps, 0, sizeof lamps);
    memset(options, 0, sizeof options);
    for (k = 0; k < lights; ++k) {
        for (i = 0; i < 3; ++i) lamps[k].at[i] = at[3 * k + i] = positions[3 * k + i] / 20 - (i == 2 ? 50 : 0);
        lamps[k].size = sizeof lamps[k];
        lamps[k].range = 40;
        options[k].size = sizeof options[k];
        options[k].lamp = lamps + k;
    }
    CHECK(bytes <= sizeof scratch - 1);
    CHECK(lanecull_prepare_caster_views(views, 1, lights, camera, NULL, options, scratch, bytes - 1, NULL, &why) ==
          LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_prepare_caster_views(views, 2, lights, camera, NULL, options, scratch, bytes, NULL, &why) ==
          LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_prepare_caster_views(views, 1, lights, camera, NULL, NULL, scratch, bytes, NULL, &why) ==
          LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_prepare_caster_views(views, 1, lights, NULL, NULL, options, scratch, bytes, NULL, &why) ==
          LANECULL_INVALID_ARGUMENT);
    options[3].lamp = NULL;
    CHECK(lanecull_prepare_caster_views(views, 1, lights, camera, NULL, options, scratch, bytes, NULL, &why) ==
          LANECULL_INVALID_ARGUMENT);
    CHECK(strstr(why.text, "options[3]") != NULL && lanecull_view_is_prepared(views, 1) == 0);
    options[3].lamp = lamps + 3;
    CHECK(lanecull_prepare_caster_views(views, 1, lights, camera, NULL, options, scratch + 1, bytes, NULL, &why) ==
          LANECULL_OK);
    CHECK(allocations == before && lanecull_view_is_prepared(views, 0) == 0);
    for (k = 0; k < lights; ++k) {
        for (i = 0; i < 20; ++i) {
            const float ball[4] = {40 * number(), 40 * number(), 40 * number() - 40, 1};
            const int expects = lit_cpp(camera, at, k, ball);
            CHECK(seen_by(views, (uint32_t)k + 1, ball) == (uint64_t)expects);
            seen += expects;
        }
    }
    CHECK(seen > 20 && seen < 20 * lights - 20);
    lanecull_destroy_views(views);
}

int main(void) {
    unsigned before;
    CHECK(count_allocations(&why) == LANECULL_OK);
    make();
    bounds_cpp(points, local, transforms, positions, &expected);
    before = allocations;
    of_vertices();
    of_boxes();
    relative();
    CHECK(allocations == before);
    CHECK(expected.box[3] > 0 && expected.relative[3][0] > 0 && expected.joined[5][1] != 0);
    CHECK(memcmp(&expected, &found, sizeof found) == 0);
    casters();
    return failures();
}
