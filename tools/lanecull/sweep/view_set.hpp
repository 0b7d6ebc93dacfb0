#pragma once

#include <array>
#include <cstdint>
#include <glm/vec3.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "scene/camera.hpp"
#include "scene/camera_path.hpp"
#include "scene/scene.hpp"

namespace lanecull::program {

/// What a grid of viewpoints is made of, but for the scene.
struct GridOptions {
    std::array<std::uint32_t, 2> count{64, 64};  ///< viewpoints along the map's axes, each 1 to 65,536
    std::uint32_t directions = 8;                ///< of each viewpoint, evenly around
    double height = 1.8;                         ///< above the scene's ground
    double pitch = 0;                            ///< degrees by which views look up, -89 to 89
};

/// The views of a sweep: those of a grid over a scene's plan, or of a list. Plain data, so that other processes can
/// have it.
class ViewSet {
public:
    /// A viewpoint in the middle of each of count[0] by count[1] rectangles that cover the scene's main bounds.
    ViewSet(const Scene& scene, const GridOptions& grid, const LensOptions& lens);
    /// Those of a file: a camera path in JSON, or a list of "x y z dx dy dz", a viewpoint and a direction a line.
    ViewSet(const Scene& scene, const std::string& file, const LensOptions& lens);
    /// From bytes().
    explicit ViewSet(std::string_view bytes);

    [[nodiscard]] std::uint64_t count() const;
    /// Of a grid: view d + directions * (x + count[0] * y) is direction d of viewpoint (x, y).
    [[nodiscard]] Camera camera(std::uint64_t view) const;
    [[nodiscard]] std::string bytes() const;

    [[nodiscard]] bool is_grid() const { return list_.empty(); }
    [[nodiscard]] std::array<std::uint32_t, 2> grid() const { return grid_; }
    [[nodiscard]] std::uint64_t directions() const { return is_grid() ? forward_.size() : 1; }
    /// Of a grid: the corner of its first rectangle, at the height of the eyes, and the sides of each.
    [[nodiscard]] const glm::dvec3& corner() const { return corner_; }
    [[nodiscard]] const std::array<glm::dvec3, 2>& sides() const { return sides_; }
    /// "64 x 64 viewpoints, 8 directions", "7 cameras of FILE".
    [[nodiscard]] const std::string& description() const { return description_; }

private:
    std::string description_;
    Camera lens_;
    std::array<std::uint32_t, 2> grid_{0, 0};
    glm::dvec3 corner_{0};
    std::array<glm::dvec3, 2> sides_{};
    std::vector<glm::dvec3> forward_;
    CameraPath list_;
};

}  // namespace lanecull::program
