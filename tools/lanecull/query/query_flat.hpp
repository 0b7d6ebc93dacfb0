#pragma once

#include <lanecull/cull.h>

#include "support/json.hpp"

namespace lanecull::program {

/// Whether a query's "view" is of the plane.
[[nodiscard]] bool is_flat_view(JsonValue view);

/// What culling says of a query whose view, and so whose shape, is of the plane: what decided, counted. Fails, naming
/// the member that is wrong or not supported.
[[nodiscard]] Counts cull_flat_query(JsonValue query, const CullOptions& options);

}  // namespace lanecull::program
