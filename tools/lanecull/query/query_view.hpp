#pragma once

#include <lanecull/occluder.h>
#include <lanecull/view.h>

#include "support/json.hpp"

namespace lanecull::program {

/// Reads a query's "view"; with its "light", unless that is null, the view of what casts shadows into it. Fails, naming
/// the member that is wrong or not supported.
[[nodiscard]] View read_query_view(JsonValue view, JsonValue light);

/// The eye of a query's "view", or how it looks if that is orthographic. Fails where the view has none: views by
/// corners or planes, and orthographic ones that do not say by "sight" which end the eye is at.
[[nodiscard]] Viewpoint read_query_viewpoint(JsonValue view);

}  // namespace lanecull::program
