#include <lanecull/hulls.h>

/// A hull from the installed target: a tetrahedron, and a point inside that is no corner.
int main() {
    const float x[] = {0, 1, 0, 0, 0.1f}, y[] = {0, 0, 1, 0, 0.1f}, z[] = {0, 0, 0, 1, 0.1f};
    lanecull::ConvexHull hull, around;
    if (!lanecull::convex_hull({x, y, z, 5}, hull)) return 1;
    if (!lanecull::enclosing_hull({x, y, z, 5}, 4, around)) return 1;
    return hull.count() == 4 && around.count() == 4 && lanecull::volume(hull) > 0.16 ? 0 : 1;
}
