#include "view/casters.hpp"

#include <algorithm>
#include <span>

#include "view/caster_depth.hpp"
#include "view/caster_planes.hpp"
#include "view/caster_support.hpp"
#include "view/frame.hpp"
#include "view/lamp_range.hpp"
#include "view/lit_facets.hpp"
#include "view/options.hpp"
#include "view/planes.hpp"
#include "view/silhouettes.hpp"

namespace lanecull {
namespace {

/// The outlines of all that the volume is the hull of.
void outline_casters(const Receivers& receivers, const HalfSpacesInLight& in_light, const Light& light,
                     std::span<const FacetPair> edges, PreparedView& view) {
    if (in_light.hold_lamp()) return describe_outlines(receivers.generators, edges, view);
    Generators all(receivers.generators);
    bool fits = true;
    if (!light.is_sun) {
        fits = all.add({light.at, 1.0, 0}) && fits;
    } else if (light.endless) {
        fits = all.add({light.way, 0.0, 0}) && fits;
    } else {
        for (const Generator& g : receivers.generators) {
            if (!g.is_ray()) fits = all.add({g.p + light.way, 1.0, 0}) && fits;
        }
    }
    if (fits) describe_outlines(all.all(), edges, view);
}

}  // namespace

void describe_casters(const Receivers& receivers, const ViewOptions& options, const Interval3& c, PreparedView& view) {
    view.of_casters = 1;
    const Light light = light_of(options, c);
    const HalfSpacesInLight in_light(receivers, light);
    if (!light.is_sun && out_of_range(receivers, in_light, options, light.at)) return describe_nothing(view);
    Double3 forward;
    const bool supported = choose_caster_depth(receivers, light, forward) && !receivers.generators.empty();
    const Interval3x3 rotation = choose_rotation_along(forward, view.frame);

    const bool outlined = options.margin == 0;
    LitFacets lit(outlined);
    const bool complete = add_caster_planes(receivers, in_light, light, rotation, lit, view);
    view.planes_suffice = complete;
    if (view.plane_count == 0) view.plane_count = 1;  // of no effect
    pad_planes(view);
    if (complete && outlined) outline_casters(receivers, in_light, light, lit.edges(), view);
    if (supported) describe_caster_support(receivers, in_light, light, rotation, view);
    if (!light.is_sun) limit_range(*options.lamp, view);
}

void describe_casters(const LitPart& lit, const Double3& forward, const ViewOptions& options, const Interval3& c,
                      PreparedView& view) {
    view.of_casters = 1;
    if (lit.unlit()) return describe_nothing(view);
    describe_casters({lit.half_spaces(), true, lit.corners(), forward}, options, c, view);
}

}  // namespace lanecull
