/* One pair in C: how deep two hulls are in each other, in which direction, and at which points. */

#include "check.h"

static const float cube_x[8] = {-1, 1, -1, 1, -1, 1, -1, 1}, cube_y[8] = {-1, -1, 1, 1, -1, -1, 1, 1},
                   cube_z[8] = {-1, -1, -1, -1, 1, 1, 1, 1};
static const float ball_x[6] = {-1, 1, 0, 0, 0, 0}, ball_y[6] = {0, 0, -1, 1, 0, 0}, ball_z[6] = {0, 0, 0, 0, -1, 1};

typedef struct {
    float lower, upper, direction[3], a[3], b[3];
} contact;

/* Object 0 of the batch against object 1. */
static contact contact_of(const lanecull_batch* objects) {
    const uint32_t first = 0, second = 1;
    const lanecull_pair_indices pair = {&first, &second, 1, 0};
    contact c;
    const lanecull_pair_signed_distances found = {&c.lower,        &c.upper, &c.direction[0], &c.direction[1],
                                                  &c.direction[2], &c.a[0],  &c.a[1],         &c.a[2],
                                                  &c.b[0],         &c.b[1],  &c.b[2]};
    CHECK_OK(lanecull_measure_signed_pairs(objects, objects, &pair, NULL, NULL, &found));
    return c;
}

static int is_near(const float* v, float x, float y, float z) {
    const float off[3] = {v[0] - x, v[1] - y, v[2] - z};
    return off[0] * off[0] + off[1] * off[1] + off[2] * off[2] < 1e-8f;
}

/* A cube, and an octahedron whose corner is half a unit in it. */
int main(void) {
    float transforms[24] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 1.5f, 0, 1, 0, 0.25f, 0, 0, 1, 0.125f};
    const uint32_t hull_index[2] = {0, 1};
    lanecull_hull hulls[2];
    const lanecull_batch objects = {
        .kind = LANECULL_HULL_INSTANCES,
        .shapes.hull_instances = {.transforms = {.first = transforms, .layout = LANECULL_ROWS_3X4},
                                  .hulls = hulls,
                                  .hull_count = 2,
                                  .hull_index = hull_index,
                                  .count = 2}};
    contact c;
    CHECK_OK(lanecull_prepare_hull(cube_x, cube_y, cube_z, 8, &hulls[0]));
    CHECK_OK(lanecull_prepare_hull(ball_x, ball_y, ball_z, 6, &hulls[1]));
    c = contact_of(&objects);
    CHECK(c.lower <= -0.5f && -0.5f <= c.upper && c.upper - c.lower < 1e-4f);
    CHECK(is_near(c.direction, 1, 0, 0));
    CHECK(is_near(c.a, 1, 0.25f, 0.125f) && is_near(c.b, 0.5f, 0.25f, 0.125f));
    transforms[15] -= 1.001f * c.lower; /* along the direction, by the depth and a little more */
    c = contact_of(&objects);
    CHECK(c.lower > 0 && c.upper < 1e-3f);
    return failures();
}
