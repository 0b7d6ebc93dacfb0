#pragma once

/// How far a lamp's light reaches.

#include <lanecull/prepared_view.hpp>
#include <lanecull/view.hpp>

#include "base/affine.hpp"
#include "view/half_spaces_in_light.hpp"
#include "view/receivers.hpp"

namespace lanecull {

/// The range, and the view's margin.
[[nodiscard]] double reach_of(const ViewOptions& options);

/// Whether V is farther from the lamp than its range, for certain: behind one of its own planes as seen from there, or
/// along the way to its nearest point. The lamp is at `at`.
[[nodiscard]] bool out_of_range(const Receivers& receivers, const HalfSpacesInLight& in_light,
                                const ViewOptions& options, const Interval3& at);

/// What is farther from the lamp than its range will be culled.
void limit_range(const Lamp& lamp, PreparedView& view);

}  // namespace lanecull
