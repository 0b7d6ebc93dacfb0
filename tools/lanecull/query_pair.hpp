#pragma once

#include <nlohmann/json.hpp>

namespace lanecull::program {

/// Answers a query about two shapes, "a" and "b": "verdict", "distance", "closest". Fails, naming the shape and the
/// member that is wrong.
void answer_pair(const nlohmann::json& query, nlohmann::ordered_json& reply);

}  // namespace lanecull::program
