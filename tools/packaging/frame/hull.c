#include <lanecull/hulls.h>
#include <stdio.h>

/* Makes the convex hull of a cube's corners and its middle, by the library beside the core, and prints what it is. */
int main(void) {
    const float x[] = {0, 2, 0, 2, 0, 2, 0, 2, 1}, y[] = {0, 0, 2, 2, 0, 0, 2, 2, 1}, z[] = {0, 0, 0, 0, 2, 2, 2, 2, 1};
    const lanecull_vertices vertices = {x, y, z, 9, 0};
    lanecull_convex_hull* hull = lanecull_create_convex_hull();
    lanecull_convex_hull_info info;
    const lanecull_status status = lanecull_find_convex_hull(&vertices, hull);

    if (status.code != LANECULL_OK) {
        lanecull_message why;
        fprintf(stderr, "%s\n", lanecull_explain(&status, why.text, sizeof why.text));
        return 1;
    }
    lanecull_convex_hull_get_info(hull, &info);
    printf("%u of 9 points are corners, volume %g\n", (unsigned)info.x.count, info.volume);
    lanecull_destroy_convex_hull(hull);
    return 0;
}
