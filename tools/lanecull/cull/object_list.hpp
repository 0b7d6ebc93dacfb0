#pragma once

#include <string>

#include "cull/measure.hpp"
#include "scene/scene.hpp"

/// The objects of the frame whose verdicts were kept, one by one, with the verdicts that the picture shows by colours.
namespace lanecull::program {

/// A row an object, below a row of column names.
[[nodiscard]] std::string object_list_csv(const Scene& scene, const Measurement& measurement);

/// The same as JSON, with the frame and the number of objects of each verdict.
[[nodiscard]] std::string object_list_json(const Scene& scene, const Measurement& measurement);

}  // namespace lanecull::program
