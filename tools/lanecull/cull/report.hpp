#pragma once

#include <lanecull/cull.h>
#include <string>
#include <vector>

#include "cull/kept_by_planes.hpp"
#include "cull/measure.hpp"
#include "scene/camera.hpp"
#include "scene/scene.hpp"
#include "support/json.hpp"

namespace lanecull::program {

/// What `lanecull cull` found.
struct ReportInput {
    const Scene& scene;
    const CameraPath& path;
    const Measurement& measurement;
    std::vector<KeptByPlanes> kept;  ///< of the frame whose verdicts were kept; empty if only planes culled
    std::string explain;             ///< the command line that explains this scene's objects, without object and frame
};

/// The table that it prints.
[[nodiscard]] std::string report_table(const ReportInput& input);

/// The same, and every frame's figures, as JSON (members are described in tools/README.md).
[[nodiscard]] Json report_data(const ReportInput& input);
/// Its text.
[[nodiscard]] std::string report_json(const ReportInput& input);

/// The command line that explains one of `kept`.
[[nodiscard]] std::string explain_line(const ReportInput& input, const KeptByPlanes& object);

/// "automatic", "planes".
[[nodiscard]] const char* method_name(Method method);

}  // namespace lanecull::program
