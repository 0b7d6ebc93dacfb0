#pragma once

#include "cull/measure.hpp"
#include "scene/camera.hpp"
#include "scene/scene.hpp"
#include "support/report.hpp"

namespace lanecull::program {

/// What `lanecull cull` found.
struct ReportInput {
    const Scene& scene;
    const CameraPath& path;
    const Measurement& measurement;
    std::vector<KeptByPlanes> kept;  ///< of the frame whose verdicts were kept
    std::string explain;             ///< the command line that explains this scene's objects, without object and frame
};

/// Members are described in tools/README.md.
[[nodiscard]] Report cull_report(const ReportInput& input);
/// The table that it prints.
[[nodiscard]] std::string cull_table(const Report& report);

/// The report as one HTML file that needs no other: cull/report.html, which makes all of it in the browser, with the
/// report, its picture (the bytes of a PNG) and the worst objects put in.
[[nodiscard]] std::string html_report(const ReportInput& input, const Report& report, std::string_view picture);

/// The objects of the frame whose verdicts were kept, one by one, with the verdicts that the picture shows by colours:
/// a row an object, below a row of column names; or as JSON, with the frame and the number of objects of each verdict.
[[nodiscard]] std::string object_list_csv(const Scene& scene, const Measurement& measurement);
[[nodiscard]] std::string object_list_json(const Scene& scene, const Measurement& measurement);

/// What is found in meshes.
[[nodiscard]] Report within_meshes(const MeshSolids& found);
/// "336 in 6 closed of 7 meshes".
[[nodiscard]] std::string within_meshes_text(const Report& found);

}  // namespace lanecull::program
