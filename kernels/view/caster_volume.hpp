#pragma once

/// Views of shadow casters (lanecull/view.h). A volume V becomes V swept towards the light, or the hull of V and the
/// light; view/PROOF.md derives both.

#include <lanecull/view.h>

#include "base/affine.hpp"
#include "view/prepared_view.hpp"
#include "view/receivers.hpp"

namespace lanecull {

[[nodiscard]] inline bool casts_shadows(const ViewOptions& options) {
    return options.directional_light != nullptr || options.point_light != nullptr;
}

/// Fills in rotation, planes and support mapping of the caster volume. The view's origin is c.
void describe_casters(const Receivers& receivers, const ViewOptions& options, const Interval3& c, PreparedView& view);
void describe_casters(const LitPart& lit, const Double3& forward, const ViewOptions& options, const Interval3& c,
                      PreparedView& view);

/// What is farther from the light than its range will be culled.
void limit_range(const PointLight& point_light, PreparedView& view);

}  // namespace lanecull
