/* Hulls of points from C: the numbers are those of C++, to the bit; what is refused; that hulls are kept in memory of
 * the hooks; and that no lack of memory, of the hooks or of operator new, is more than a code, and that it changes
 * nothing. */

#include "hulls.h"

#include <lanecull/c/hulls.h>
#include <math.h>
#include <string.h>

#include "check.h"
#include "counting.h"

static float points[3 * vertex_count];
static struct found_hull expected[2], found[2];
static lanecull_vertices vertices;

/* Points of a ball, round and round from pole to pole, some of them twice. */
static void make(void) {
    int i;
    for (i = 0; i < vertex_count; ++i) {
        const double height = -1 + 2.0 * (i / 2 + 0.5) / (vertex_count / 2), around = 2.4 * (i / 2);
        points[3 * i] = (float)(sqrt(1 - height * height) * cos(around));
        points[3 * i + 1] = (float)(sqrt(1 - height * height) * sin(around));
        points[3 * i + 2] = (float)height;
    }
    vertices.size = sizeof vertices;
    vertices.x = points;
    vertices.y = points + 1;
    vertices.z = points + 2;
    vertices.count = vertex_count;
    vertices.stride_bytes = 3 * sizeof(float);
}

static lanecull_convex_hull_info info_of(const lanecull_convex_hull* hull) {
    lanecull_convex_hull_info info;
    memset(&info, 0, sizeof info);
    info.size = sizeof info;
    CHECK(lanecull_convex_hull_get_info(hull, &info, &why) == LANECULL_OK);
    return info;
}

static void take(const lanecull_convex_hull* hull, struct found_hull* to) {
    const lanecull_convex_hull_info info = info_of(hull);
    memset(to, 0, sizeof *to);
    CHECK(info.corner_count <= most_corners && info.triangle_count <= most_triangles);
    to->corners = info.corner_count;
    to->triangles = info.triangle_count;
    to->neighbors = info.first_neighbor[info.corner_count];
    to->dimension = info.dimension;
    to->volume = info.volume;
    memcpy(to->x, info.x, info.corner_count * sizeof *info.x);
    memcpy(to->y, info.y, info.corner_count * sizeof *info.y);
    memcpy(to->z, info.z, info.corner_count * sizeof *info.z);
    memcpy(to->first_neighbor, info.first_neighbor, (info.corner_count + 1) * sizeof *info.first_neighbor);
    memcpy(to->neighbor, info.neighbors, to->neighbors * sizeof *info.neighbors);
    memcpy(to->triangle, info.triangles, 3 * info.triangle_count * sizeof *info.triangles);
}

static void as_cpp(lanecull_convex_hull* exact, lanecull_convex_hull* enclosing) {
    double expected_error = -1, error = -2;
    lanecull_convex_hull_info info = info_of(exact);
    CHECK(info.corner_count == 0 && info.triangle_count == 0 && info.volume == 0);
    hulls_cpp(points, vertex_count, &expected[0], &expected[1], &expected_error);
    CHECK(lanecull_find_convex_hull(&vertices, exact, &why) == LANECULL_OK);
    CHECK(lanecull_convex_hull_outward_error(exact, enclosing, &error, &why) == LANECULL_NOT_READY);
    CHECK(lanecull_find_enclosing_hull(&vertices, few_corners, enclosing, &why) == LANECULL_OK);
    CHECK(lanecull_convex_hull_outward_error(enclosing, exact, &error, &why) == LANECULL_OK);
    take(exact, &found[0]);
    take(enclosing, &found[1]);
    CHECK(memcmp(expected, found, sizeof found) == 0 && error == expected_error);
    CHECK(found[0].corners == vertex_count / 2 && found[1].corners <= few_corners && error > 0);
    CHECK(found[0].volume > 4 && found[1].volume > found[0].volume);
}

/* A polygon, a segment and a point. */
static void thin(lanecull_convex_hull* hull) {
    static const float square[12] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0};
    lanecull_vertices few = {sizeof few, square, square + 1, square + 2, 4, 3 * sizeof(float)};
    uint32_t dimension;
    for (dimension = 2; dimension + 1 != 0; --dimension) {
        lanecull_convex_hull_info info;
        few.count = dimension == 2 ? 4 : dimension + 1;
        CHECK(lanecull_find_convex_hull(&few, hull, &why) == LANECULL_OK);
        info = info_of(hull);
        CHECK(info.dimension == dimension && info.corner_count == few.count && info.volume == 0);
        CHECK(info.triangle_count == (dimension == 2 ? 2 : 0) && (info.triangles != NULL) == (dimension == 2));
    }
}

static void refused(lanecull_convex_hull* hull) {
    lanecull_vertices wrong = vertices;
    lanecull_convex_hull_info info;
    double error = 0;
    memset(&info, 0, sizeof info);
    CHECK(lanecull_create_convex_hull(NULL, &why) == LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_find_convex_hull(NULL, hull, &why) == LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_find_convex_hull(&vertices, NULL, &why) == LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_find_enclosing_hull(&vertices, 3, hull, &why) == LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_find_enclosing_hull(&vertices, 4, NULL, &why) == LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_convex_hull_get_info(hull, &info, &why) == LANECULL_INVALID_ARGUMENT); /* no size */
    CHECK(lanecull_convex_hull_get_info(hull, NULL, &why) == LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_convex_hull_get_info(NULL, &info, &why) == LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_convex_hull_outward_error(NULL, hull, &error, &why) == LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_convex_hull_outward_error(hull, NULL, &error, &why) == LANECULL_INVALID_ARGUMENT);
    CHECK(lanecull_convex_hull_outward_error(hull, hull, NULL, &why) == LANECULL_INVALID_ARGUMENT);
    wrong.stride_bytes = 2;
    CHECK(lanecull_find_convex_hull(&wrong, hull, &why) == LANECULL_INVALID_ARGUMENT);
    wrong = vertices;
    wrong.y = NULL;
    CHECK(lanecull_find_convex_hull(&wrong, hull, &why) == LANECULL_INVALID_ARGUMENT);
    wrong = vertices;
    wrong.count = 0;
    CHECK(lanecull_find_convex_hull(&wrong, hull, &why) == LANECULL_INVALID_ARGUMENT);
}

/* `hull` is the exact one, and stays it whatever fails. */
static void without_memory(lanecull_convex_hull* hull) {
    lanecull_convex_hull* none = NULL;
    lanecull_status status = LANECULL_OUT_OF_MEMORY;
    double error = -1;
    unsigned before;
    int news = 0;
    no_memory = 1;
    CHECK(lanecull_create_convex_hull(&none, &why) == LANECULL_OUT_OF_MEMORY && none == NULL);
    CHECK(lanecull_find_enclosing_hull(&vertices, few_corners, hull, &why) == LANECULL_OUT_OF_MEMORY);
    no_memory = 0;
    for (; status == LANECULL_OUT_OF_MEMORY && news < 1 << 26; news = news < 40 ? news + 1 : 2 * news) {
        take(hull, &found[0]);
        CHECK(memcmp(&found[0], &expected[0], sizeof found[0]) == 0);
        refuse_new_after(news);
        status = lanecull_find_enclosing_hull(&vertices, few_corners, hull, &why);
        refuse_new_after(-1);
    }
    CHECK(status == LANECULL_OK && news > 40);
    take(hull, &found[0]);
    CHECK(memcmp(&found[0], &expected[1], sizeof found[0]) == 0);
    refuse_new_after(0);
    CHECK(lanecull_convex_hull_outward_error(hull, hull, &error, &why) == LANECULL_OUT_OF_MEMORY && error == -1);
    refuse_new_after(-1);
    before = allocations;
    CHECK(lanecull_convex_hull_outward_error(hull, hull, &error, &why) == LANECULL_OK && error < 1e-9);
    CHECK(allocations == before);
}

int main(void) {
    lanecull_convex_hull *exact = NULL, *enclosing = NULL;
    make();
    CHECK(count_allocations(&why) == LANECULL_OK);
    CHECK(lanecull_create_convex_hull(&exact, &why) == LANECULL_OK);
    CHECK(lanecull_create_convex_hull(&enclosing, &why) == LANECULL_OK);
    as_cpp(exact, enclosing);
    CHECK(allocations == 2 + 2 * 6); /* two objects, six arrays each */
    refused(exact);
    without_memory(exact);
    thin(enclosing);
    lanecull_destroy_convex_hull(exact);
    lanecull_destroy_convex_hull(enclosing);
    lanecull_destroy_convex_hull(NULL);
    printf("hulls of %u and %u corners are those of C++\n", (unsigned)expected[0].corners,
           (unsigned)expected[1].corners);
    return failures();
}
