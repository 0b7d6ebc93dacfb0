#pragma once

#include <lanecull/cull.hpp>
#include <string>

#include "cull/measure.hpp"
#include "scene/camera.hpp"
#include "scene/scene.hpp"

namespace lanecull::program {

/// The table that `lanecull cull` prints.
[[nodiscard]] std::string report_table(const Scene& scene, const Measurement& measurement);

/// The same, and every frame's figures, as JSON (members are described in tools/README.md).
[[nodiscard]] std::string report_json(const Scene& scene, const CameraPath& path, const Measurement& measurement);

/// "automatic", "planes", "gjk".
[[nodiscard]] const char* method_name(Method method);

}  // namespace lanecull::program
