#pragma once

#include <lanecull/view.hpp>
#include <nlohmann/json_fwd.hpp>

namespace lanecull::program {

/// Reads a query's "view". Fails, naming the member that is wrong or not supported.
[[nodiscard]] View read_query_view(const nlohmann::json& view);

}  // namespace lanecull::program
