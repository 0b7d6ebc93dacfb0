#pragma once

#include <lanecull/prepared_view.hpp>

#include "base/affine.hpp"
#include "view/half_spaces_in_light.hpp"
#include "view/receivers.hpp"

namespace lanecull {

/// Fills in the support mapping of the volume of casters. Does nothing where its corners are not known well enough, or
/// where nothing limits its sweep: planes alone decide then.
void describe_caster_support(const Receivers& receivers, const HalfSpacesInLight& in_light, const Light& light,
                             const Interval3x3& rotation, PreparedView& view);

}  // namespace lanecull
