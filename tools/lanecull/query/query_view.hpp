#pragma once

#include <lanecull/view.hpp>
#include <nlohmann/json_fwd.hpp>

namespace lanecull::program {

/// Reads a query's "view"; with its "light", unless that is null, the view of what casts shadows into it. Fails, naming
/// the member that is wrong or not supported.
[[nodiscard]] View read_query_view(const nlohmann::json& view, const nlohmann::json& light);

}  // namespace lanecull::program
