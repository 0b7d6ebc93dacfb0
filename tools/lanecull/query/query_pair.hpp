#pragma once

#include <string>

#include "query/pair_picture.hpp"
#include "support/json.hpp"

namespace lanecull::program {

/// Answers a query about two shapes, "a" and "b": "verdict", "distance", "closest" and, of those that intersect,
/// "depth". Fails, naming the shape and the member that is wrong.
void answer_pair(JsonValue query, Json& reply);

/// The picture of such a query (pair_picture.hpp). Fails as that does.
[[nodiscard]] PairPicture picture_of_pair(JsonValue query);

}  // namespace lanecull::program
