#pragma once

#include <nlohmann/json.hpp>

#include "explain/explanation.hpp"

namespace lanecull::program {

/// The object and the view's volume as `lanecull query` takes two shapes, relative to the eye.
[[nodiscard]] nlohmann::json pair_query(const ExplanationInput& input, const Explanation& explanation);

}  // namespace lanecull::program
