#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace lanecull::program {

/// Answers a query about two shapes, "a" and "b": "verdict", "distance", "closest" and, of those that intersect,
/// "depth". Fails, naming the shape and the member that is wrong.
void answer_pair(const nlohmann::json& query, nlohmann::ordered_json& reply);

/// The picture of such a query (pair_picture.hpp). Fails as that does.
[[nodiscard]] std::string picture_of_pair(const nlohmann::json& query);

}  // namespace lanecull::program
