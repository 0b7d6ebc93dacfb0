/// c/solid_hull.h

#include <lanecull/c/solid_hull.h>

#include <lanecull/solid_hull.hpp>

#include "c/bounds.hpp"
#include "c/same_layout.hpp"

using namespace lanecull;

lanecull_status lanecull_inscribe_hull(const lanecull_vertices* vertices, lanecull_solid_hull* hull,
                                       lanecull_message* message) {
    if (hull == nullptr) return c::refuse_null("hull", message);
    Vertices taken;
    Status status = c::take_vertices(vertices, taken);
    if (status) status = inscribe_hull(taken, *c::same(hull));
    return c::report(status, message);
}
