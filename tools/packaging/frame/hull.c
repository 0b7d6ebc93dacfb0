#include <lanecull/c/hulls.h>
#include <stdio.h>

/* Makes the convex hull of a cube's corners and its middle, by the library beside the core, and prints what it is. */
int main(void) {
    const float x[] = {0, 2, 0, 2, 0, 2, 0, 2, 1}, y[] = {0, 0, 2, 2, 0, 0, 2, 2, 1}, z[] = {0, 0, 0, 0, 2, 2, 2, 2, 1};
    const lanecull_vertices vertices = {sizeof(lanecull_vertices), x, y, z, 9, 0};
    lanecull_convex_hull* hull = NULL;
    lanecull_convex_hull_info info;
    lanecull_message why;

    info.size = sizeof info;
    if (lanecull_create_convex_hull(&hull, &why) != LANECULL_OK ||
        lanecull_find_convex_hull(&vertices, hull, &why) != LANECULL_OK ||
        lanecull_convex_hull_get_info(hull, &info, &why) != LANECULL_OK) {
        fprintf(stderr, "%s\n", why.text);
        return 1;
    }
    printf("%u of 9 points are corners, volume %g\n", (unsigned)info.corner_count, info.volume);
    lanecull_destroy_convex_hull(hull);
    return 0;
}
