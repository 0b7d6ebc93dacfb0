#include "flat.h"

#include <lanecull/flat.hpp>
#include <vector>

using namespace lanecull;

namespace {

/// A failure leaves the answer as it is, which C's then is not.
void expect(const Status& status) { static_cast<void>(status.ok()); }

}  // namespace

void flat_cpp(const float (*numbers)[flat_count], const float (*corners)[5], uint32_t isa, found_flat* answer) {
    const auto& n = numbers;
    flat::Polygon polygon;
    expect(flat::prepare_polygon(corners[0], corners[1], 5, polygon));
    const flat::Batch batches[] = {
        flat::Circles{n[0], n[1], n[4], flat_count},
        flat::Boxes{n[0], n[1], n[2], n[3], flat_count},
        flat::OrientedBoxes{n[0], n[1], n[4], n[5], n[4], n[5], flat_count},
        flat::Capsules{n[0], n[1], n[2], n[3], n[4], flat_count},
        flat::PolygonInstances{n[0], n[1], n[4], n[5], &polygon, flat_count},
    };
    flat::View views[flat_views];
    const double points[] = {-3, -3, 4, -1, 0, 5};
    expect(flat::prepare_view(flat::Rectangle{-4, -3, 5, 6}, views[0]));
    expect(flat::prepare_view(flat::TurnedRectangle{1, 2, 3, 4, 0.6, 0.8}, views[1]));
    expect(flat::prepare_view_from_points(points, views[2]));
    Output outputs[flat_views];
    for (int v = 0; v < flat_views; ++v) {
        outputs[v].visible = answer->visible[v];
        outputs[v].inside = answer->inside[v];
    }
    std::vector<std::byte> scratch(flat::scratch_bytes(batches, flat_views));
    CullOptions options;
    options.isa = static_cast<Isa>(isa);
    expect(flat::cull(batches, views, outputs, scratch, options));
    for (int v = 0; v < flat_views; ++v) answer->visible_count[v] = outputs[v].visible_count;
}
