#pragma once

#include <lanecull/view.hpp>

#include "support/json.hpp"

namespace lanecull::program {

/// Reads a query's "view"; with its "light", unless that is null, the view of what casts shadows into it. Fails, naming
/// the member that is wrong or not supported.
[[nodiscard]] View read_query_view(JsonValue view, JsonValue light);

}  // namespace lanecull::program
