#pragma once

#include <lanecull/flat.h>
#include <lanecull/occluder.h>
#include <lanecull/view.h>

#include "support/json.hpp"

/// A query's "view". All fail, naming the member that is wrong or not supported.
namespace lanecull::program {

/// With its "light", unless that is null, the view of what casts shadows into it.
[[nodiscard]] View read_query_view(JsonValue view, JsonValue light);

/// The eye of a view, or how it looks if that is orthographic. Fails where the view has none: views by corners or
/// planes, and orthographic ones that do not say by "sight" which end the eye is at.
[[nodiscard]] Viewpoint read_query_viewpoint(JsonValue view);

/// Whether a view is of the plane.
[[nodiscard]] bool is_flat_view(JsonValue view);
[[nodiscard]] flat::View read_flat_view(JsonValue view);

}  // namespace lanecull::program
