#pragma once

#include <string>

#include "explain/explanation.hpp"

namespace lanecull::program {

/// The object and the view's volume as a line that `lanecull query` takes about two shapes, relative to the eye.
[[nodiscard]] std::string pair_query(const ExplanationInput& input, const Explanation& explanation);

}  // namespace lanecull::program
