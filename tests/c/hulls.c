/* Hulls of points: their corners, neighbours and triangles; a hull of few corners that contains every point; that they
 * are kept in memory of the hooks, whose lack is a code and changes nothing. */

#include <lanecull/hulls.h>
#include <math.h>

#include "check.h"

enum { vertex_count = 300, few_corners = 12 };

static float points[3 * vertex_count];
static const lanecull_vertices vertices = {points, points + 1, points + 2, vertex_count, 3 * sizeof(float)};

/* Points of a ball, round and round from pole to pole, each of them twice. */
static void make(void) {
    int i;
    for (i = 0; i < vertex_count; ++i) {
        const double height = -1 + 2.0 * (i / 2 + 0.5) / (vertex_count / 2), around = 2.4 * (i / 2);
        points[3 * i] = (float)(sqrt(1 - height * height) * cos(around));
        points[3 * i + 1] = (float)(sqrt(1 - height * height) * sin(around));
        points[3 * i + 2] = (float)height;
    }
}

static lanecull_convex_hull_info info_of(const lanecull_convex_hull* hull) {
    lanecull_convex_hull_info info;
    lanecull_convex_hull_get_info(hull, &info);
    return info;
}

/* A closed surface, and neighbours that are so mutually. */
static void check_solid(const lanecull_convex_hull_info* hull) {
    const uint32_t corners = (uint32_t)hull->x.count;
    uint32_t i, j, k, mutual = 0;
    CHECK(hull->dimension == 3 && hull->y.count == corners && hull->first_neighbor.count == corners + 1);
    CHECK(hull->triangles.count == 2 * corners - 4 && hull->neighbors.count == 3 * hull->triangles.count);
    CHECK(hull->first_neighbor.items[corners] == hull->neighbors.count);
    for (i = 0; i < corners; ++i) {
        for (j = hull->first_neighbor.items[i]; j < hull->first_neighbor.items[i + 1]; ++j) {
            const uint32_t other = hull->neighbors.items[j];
            for (k = hull->first_neighbor.items[other]; k < hull->first_neighbor.items[other + 1]; ++k) {
                mutual += hull->neighbors.items[k] == i;
            }
        }
    }
    CHECK(mutual == hull->neighbors.count);
}

static void solids(lanecull_convex_hull* exact, lanecull_convex_hull* enclosing) {
    lanecull_convex_hull_info inner = info_of(exact), outer;
    double error = -1, inward = -1;
    CHECK(inner.x.count == 0 && inner.triangles.count == 0 && inner.volume == 0);
    CHECK_OK(lanecull_find_convex_hull(&vertices, exact));
    CHECK_CODE(lanecull_convex_hull_outward_error(exact, enclosing, &error), LANECULL_NOT_READY);
    CHECK_OK(lanecull_find_enclosing_hull(&vertices, few_corners, enclosing));
    CHECK_OK(lanecull_convex_hull_outward_error(enclosing, exact, &error));
    CHECK_OK(lanecull_convex_hull_outward_error(exact, enclosing, &inward));
    inner = info_of(exact), outer = info_of(enclosing);
    check_solid(&inner);
    check_solid(&outer);
    CHECK(inner.x.count == vertex_count / 2 && outer.x.count <= few_corners);
    CHECK(inner.volume > 4 && inner.volume < 4.19 && outer.volume > inner.volume);
    CHECK(error > 0.05 && error < 2 && inward >= 0 && inward < 1e-9);
}

/* A polygon, a segment and a point. */
static void thin(lanecull_convex_hull* hull) {
    static const float square[12] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0};
    lanecull_vertices few = {square, square + 1, square + 2, 4, 3 * sizeof(float)};
    uint32_t dimension;
    for (dimension = 2; dimension + 1 != 0; --dimension) {
        lanecull_convex_hull_info info;
        few.count = dimension == 2 ? 4 : dimension + 1;
        CHECK_OK(lanecull_find_convex_hull(&few, hull));
        info = info_of(hull);
        CHECK(info.dimension == dimension && info.x.count == few.count && info.volume == 0);
        CHECK(info.triangles.count == (dimension == 2 ? 2 : 0));
    }
}

int main(void) {
    lanecull_convex_hull *exact, *enclosing;
    lanecull_convex_hull_info info;
    count_allocations();
    make();
    exact = lanecull_create_convex_hull();
    enclosing = lanecull_create_convex_hull();
    solids(exact, enclosing);
    CHECK(allocations == 2 + 2 * 6); /* two objects, six arrays each */
    no_memory = 1;
    CHECK(lanecull_create_convex_hull() == NULL);
    CHECK_CODE(lanecull_find_enclosing_hull(&vertices, few_corners, exact), LANECULL_OUT_OF_MEMORY);
    no_memory = 0;
    info = info_of(exact);
    check_solid(&info);
    CHECK(info.x.count == vertex_count / 2);
    thin(enclosing);
    lanecull_destroy_convex_hull(exact);
    lanecull_destroy_convex_hull(enclosing);
    lanecull_destroy_convex_hull(NULL);
    return failures();
}
