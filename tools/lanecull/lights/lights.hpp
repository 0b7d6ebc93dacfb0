#pragma once

#include <lanecull/light_grid.h>

#include "scene/camera.hpp"
#include "scene/scene.hpp"
#include "scene/scene_lights.hpp"

namespace lanecull::program {

struct LightsOptions {
    std::uint32_t tiles_x = 16, tiles_y = 9, slices = 24;
    double range = 0;  ///< of lights without one, 0: a tenth of the camera's far distance
    int threads = 0;   ///< as MeasureOptions::threads
    Isa isa = Isa::automatic;
    std::optional<std::size_t> picked_frame = {};  ///< LightsMeasurement::picked; unset: that with the most entries
    bool quiet = false;
};

inline constexpr std::uint64_t usual_light_count = 1000;

/// The file's lights, if it has some and none are counted. Else so many (1000) lamps, every other a spotlight that
/// shines down, over objects of the scene: the same ones each time.
[[nodiscard]] std::vector<SceneLight> scene_lights(const Scene& scene, const std::optional<std::string>& file,
                                                   std::optional<std::uint64_t> count, double range);

/// How many lights each cell of a frame has.
struct CellsOfFrame {
    std::size_t frame = 0;
    std::vector<double> depths;
    std::vector<std::uint32_t> counts;  ///< cell (i, j, k) at (k tiles_y + j) tiles_x + i, row 0 at the bottom
};

/// Counts and seconds are sums over the frames, `most` is of all.
struct LightsMeasurement {
    Isa isa{};
    int threads = 1;
    std::size_t frames = 0, lights = 0, spots = 0;
    std::uint64_t in_view = 0, lit = 0;  ///< lights in the view; of these, those that reach the box of what is seen
    std::uint64_t placed = 0;            ///< of these, those that are in a cell
    std::uint64_t filled = 0, entries = 0, most = 0;
    double cull_seconds = 0, assign_seconds = 0;
    CellsOfFrame picked;
};

/// Along the path: which lights light what is seen, and which cells of the view have them.
[[nodiscard]] LightsMeasurement measure_lights(const Scene& scene, const std::vector<SceneLight>& lights,
                                               const CameraPath& path, const LightsOptions& options);

/// The cells of the picked frame, a panel a slice, by how many lights they have. The bytes of a PNG file.
[[nodiscard]] std::string draw_lights_picture(const Scene& scene, const LightsMeasurement& measurement,
                                              const LightsOptions& options);

}  // namespace lanecull::program
