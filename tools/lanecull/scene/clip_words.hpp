#pragma once

#include <lanecull/occluder.h>
#include <lanecull/view.h>
#include <string>

#include "support/json.hpp"

/// How files name the conventions of a clip matrix. Both fail naming `what`.
namespace lanecull::program {

/// "zero_to_one" or "minus_one_to_one".
[[nodiscard]] DepthRange depth_range_of(JsonValue word, const std::string& what);
/// "growing_depth" or "shrinking_depth".
[[nodiscard]] SightDirection sight_of(JsonValue word, const std::string& what);

}  // namespace lanecull::program
