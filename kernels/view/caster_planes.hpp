#pragma once

#include <lanecull/prepared_view.hpp>

#include "base/affine.hpp"
#include "view/half_spaces_in_light.hpp"
#include "view/lit_facets.hpp"
#include "view/receivers.hpp"

namespace lanecull {

/// Adds the planes of the volume of casters: those of V, moved out or left alone, and those along the light's
/// silhouette. `lit` finds these, and the volume's edges, where V's are known. Returns whether they are all planes of
/// the volume.
bool add_caster_planes(const Receivers& receivers, const HalfSpacesInLight& in_light, const Light& light,
                       const Interval3x3& rotation, LitFacets& lit, PreparedView& view);

}  // namespace lanecull
