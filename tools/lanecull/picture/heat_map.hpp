#pragma once

#include <array>
#include <cstdint>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <string>
#include <vector>

#include "picture/picture_image.hpp"
#include "picture/plan.hpp"
#include "scene/scene.hpp"

namespace lanecull::program {

/// Rectangles beside one another on a scene's plan, row by row.
struct HeatGrid {
    glm::dvec3 corner{0};               ///< of the first
    std::array<glm::dvec3, 2> sides{};  ///< along the plan's axes
    std::array<std::uint32_t, 2> count{0, 0};
};

/// A map in colours of how much there is at each of many places, over the scene's plan.
class HeatMap {
public:
    /// `bounds`: what is shown. Without a grid (count 0) nothing but the scene is coloured. `values`: one a place.
    HeatMap(const Scene& scene, const Bounds& bounds, const HeatGrid& grid, std::vector<std::uint64_t> values);

    [[nodiscard]] std::uint64_t least() const { return least_; }
    [[nodiscard]] std::uint64_t most() const { return most_; }
    [[nodiscard]] glm::vec3 ink(std::uint64_t place) const;
    [[nodiscard]] glm::vec2 pixel(const glm::dvec3& point) const;

    /// The grid's colours, darker where objects are.
    [[nodiscard]] Image draw() const;
    /// The card: a heading, the roofs' line, `line` unless it is empty, and the bar of colours, which counts `what`.
    void words(Image& image, const std::string& title, const std::string& caption, const std::string& line,
               const std::string& what) const;

private:
    [[nodiscard]] glm::vec3 ground(const glm::vec2& at) const;

    const Scene& scene_;
    Plan plan_;
    Projection above_;
    HeatGrid grid_;
    std::vector<std::uint64_t> values_;
    std::uint64_t least_ = 0, most_ = 0;
};

/// Which share of a pixel objects cover.
[[nodiscard]] float covered_share(const Canvas& canvas, int x, int y);

}  // namespace lanecull::program
