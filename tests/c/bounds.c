/* Bounds of vertices and of objects under transforms, where they can be reckoned by hand. None of it takes memory. */

#include <math.h>

#include "check.h"

enum { count = 2 };

/* The corners of a box 4 x 2 x 1 large. It is drawn in place; and turned by a quarter about z, twice as large, at x
 * = 10. */
static const float corners[8][3] = {{-1, 0, 5}, {3, 0, 5}, {-1, 2, 5}, {3, 2, 5},
                                    {-1, 0, 6}, {3, 0, 6}, {-1, 2, 6}, {3, 2, 6}};
static const float transforms[count][12] = {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0},
                                            {0, -2, 0, 10, 2, 0, 0, 0, 0, 0, 2, 0}};
static const float drawn[6][count] = {{-1, 6}, {0, -2}, {5, 10}, {3, 10}, {2, 6}, {6, 12}};
static const float center[3][count] = {{1, 8}, {1, 2}, {5.5f, 11}};
static const double radius = 2.29128784747792; /* the root of 4 + 1 + 1/4 */

static const uint32_t same_box[count] = {0, 0};
static const lanecull_box_instances instances = {
    .transforms = {.first = transforms[0], .layout = LANECULL_ROWS_3X4},
    .local = {.boxes.count = 1, .box_index = same_box, .lower.first = corners[0], .upper.first = corners[7]},
    .count = count};

static int is_near(float found, double expected) { return fabs((double)found - expected) < 1e-4; }

static void check_spheres(float s[4][count]) {
    int i, k;
    for (i = 0; i < count; ++i) {
        for (k = 0; k < 3; ++k) CHECK(is_near(s[k][i], (double)center[k][i]));
        CHECK(is_near(s[3][i], (i + 1) * radius) && (double)s[3][i] >= (i + 1) * radius);
    }
}

static void of_vertices(float unpacked[3][8]) {
    const lanecull_vertices all = {&corners[0][0], &corners[0][1], &corners[0][2], 8, sizeof corners[0]};
    const lanecull_records records = {corners[0], 0};
    float* const streams[3] = {unpacked[0], unpacked[1], unpacked[2]};
    lanecull_box_bounds box;
    lanecull_sphere_bounds sphere;
    lanecull_oriented_box_bounds oriented;
    int i, k;
    CHECK_OK(lanecull_bounding_box(&all, LANECULL_ISA_AUTOMATIC, &box));
    CHECK_OK(lanecull_bounding_sphere(&all, LANECULL_ISA_AUTOMATIC, &sphere));
    CHECK_OK(lanecull_bounding_oriented_box(&all, LANECULL_ISA_SCALAR, &oriented));
    CHECK_OK(lanecull_unpack_floats(&records, 8, LANECULL_ISA_AUTOMATIC, streams, 3));
    for (k = 0; k < 3; ++k) {
        CHECK(box.lower[k] == drawn[k][0] && box.upper[k] == drawn[k + 3][0]);
        CHECK(is_near(sphere.center[k], (double)center[k][0]) && is_near(oriented.center[k], (double)center[k][0]));
        for (i = 0; i < 8; ++i) CHECK(unpacked[k][i] == corners[i][k]);
    }
    CHECK(is_near(sphere.radius, radius));
    CHECK(is_near(oriented.half_extents[0] * oriented.half_extents[1] * oriented.half_extents[2], 1));
}

static void of_objects(float unpacked[3][8]) {
    static float w[6][count], s[4][count], joined[6][1];
    static lanecull_hull hull;
    const lanecull_hull_instances hulls = {
        .transforms = instances.transforms, .hulls = &hull, .hull_count = 1, .count = count};
    const lanecull_box_streams boxes = {w[0], w[1], w[2], w[3], w[4], w[5]};
    const lanecull_box_streams one = {joined[0], joined[1], joined[2], joined[3], joined[4], joined[5]};
    const lanecull_sphere_streams spheres = {s[0], s[1], s[2], s[3]};
    const lanecull_boxes made = {w[0], w[1], w[2], w[3], w[4], w[5], count};
    const uint32_t first[2] = {0, 2}, wrong[2] = {0, 3};
    int i, k;
    CHECK_OK(lanecull_prepare_hull(unpacked[0], unpacked[1], unpacked[2], 8, &hull));
    CHECK_OK(lanecull_hull_bounding_spheres(&hulls, s[0], s[1], s[2], s[3]));
    check_spheres(s);
    CHECK_OK(lanecull_box_bounding_spheres(&instances, s[0], s[1], s[2], s[3]));
    check_spheres(s);
    CHECK_OK(lanecull_world_spheres(&instances, NULL, &spheres));
    check_spheres(s);
    CHECK_OK(lanecull_world_boxes(&instances, NULL, &boxes));
    CHECK_OK(lanecull_join_boxes(&made, first, 1, &one));
    CHECK_REFUSED(lanecull_join_boxes(&made, wrong, 1, &one));
    for (k = 0; k < 6; ++k) {
        for (i = 0; i < count; ++i) {
            CHECK(is_near(w[k][i], (double)drawn[k][i]));
            CHECK(k < 3 ? w[k][i] <= drawn[k][i] : w[k][i] >= drawn[k][i]);
            CHECK(k < 3 ? joined[k][0] <= w[k][i] : joined[k][0] >= w[k][i]);
        }
    }
}

static void oriented(void) {
    static float o[3][count], axes[count][9], half[count][3], bounding[count], radii[count];
    lanecull_oriented_box_streams to = {.x = o[0], .y = o[1], .z = o[2], .bounding_radius = bounding};
    lanecull_oriented_boxes boxes = {.x = o[0], .y = o[1], .z = o[2], .count = count};
    int i, k;
    to.axes.first = axes[0], to.half_extents.first = half[0];
    boxes.axes.first = axes[0], boxes.half_extents.first = half[0];
    CHECK_OK(lanecull_world_oriented_boxes(&instances, NULL, &to));
    CHECK_OK(lanecull_bounding_radii(&boxes, radii));
    for (i = 0; i < count; ++i) {
        for (k = 0; k < 3; ++k) CHECK(is_near(o[k][i], (double)center[k][i]));
        CHECK(is_near(bounding[i], (i + 1) * radius) && is_near(radii[i], (i + 1) * radius));
    }
    /* Each axis as it is turned. */
    CHECK(is_near(half[1][0], 4) && is_near(half[1][1], 2) && is_near(half[1][2], 1));
    CHECK(is_near(axes[1][1] * axes[1][1], 1) && is_near(axes[1][3] * axes[1][3], 1) && is_near(axes[0][0], 1));
    to.quaternions.first = axes[0]; /* axes and quaternions */
    CHECK_REFUSED(lanecull_world_oriented_boxes(&instances, NULL, &to));
}

/* Balls in doubles, relative to an origin. */
static void relative(void) {
    const double positions[2 * 3] = {1e6 + 0.5, 2, 3, 1e6 - 0.25, -2, -3}, origin[3] = {1e6, 0, 0};
    const lanecull_double_records from = {positions, 0};
    const float radius_of[2] = {1, 0.5f};
    float r[4][2];
    CHECK_OK(lanecull_relative_spheres(&from, radius_of, 2, origin, r[0], r[1], r[2], r[3]));
    CHECK(r[0][0] == 0.5f && r[1][0] == 2 && r[2][0] == 3 && r[0][1] == -0.25f && r[2][1] == -3);
    CHECK(is_near(r[3][0], 1) && r[3][0] >= 1 && is_near(r[3][1], 0.5) && r[3][1] >= 0.5f);
}

int main(void) {
    static float unpacked[3][8];
    count_allocations();
    of_vertices(unpacked);
    of_objects(unpacked);
    oriented();
    relative();
    CHECK(allocations == 0);
    return failures();
}
