#pragma once

#include "picture/canvas.hpp"
#include "picture/image.hpp"
#include "picture/legend.hpp"
#include "picture/solids.hpp"
#include "scene/scene.hpp"

namespace lanecull::program {

/// A scene as a map, right of the card of words: seen from so high above that what stands on the ground leans outwards
/// by less than a hundredth. The scene's up points at the reader.
class Plan {
public:
    static constexpr unsigned background = 0xF8F8F6;

    /// `bounds`: of the scene. Nothing is shown yet.
    Plan(const Scene& scene, const Bounds& bounds);

    /// Makes the map large enough for a point of the scene's bounds; others are moved there.
    void show(const glm::dvec3& point);
    void show(const Bounds& bounds);
    [[nodiscard]] const Bounds& shown() const { return shown_; }

    /// The heights of the scene's ground and top.
    [[nodiscard]] double ground() const { return ground_; }
    [[nodiscard]] double top() const { return top_; }
    /// The map's axes in the world: rightwards, and to its upper end.
    [[nodiscard]] const glm::dvec3& right() const { return right_; }
    [[nodiscard]] const glm::dvec3& ahead() const { return ahead_; }
    /// Where the place below a point is in the picture, in pixels.
    [[nodiscard]] glm::vec2 pixel(const glm::dvec3& point) const;

    /// Of what is shown, with so many samples a pixel.
    [[nodiscard]] Projection projection(int samples_a_pixel = pixel_side) const;
    /// The scene's objects from above, without sky domes.
    [[nodiscard]] Canvas canvas(const Projection& above, const SceneSolidShapes::SurfaceOf& surface_of,
                                std::optional<Cutaway> cutaway = {}) const;
    /// Each pixel has the mean light of its samples.
    using LightOf = std::function<glm::vec3(Surface surface, const glm::vec2& pixel)>;
    [[nodiscard]] Image paint(const Canvas& canvas, const LightOf& light_of_surface) const;
    /// The same where inks are colours: that of ink k is inks[k - 1].
    [[nodiscard]] Image paint(const Canvas& canvas, std::span<const unsigned> inks) const;

private:
    const Scene& scene_;
    glm::dvec3 right_, ahead_;
    Bounds bounds_, shown_;
    double ground_ = 0, top_ = 0;
};

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

    [[nodiscard]] const Plan& plan() const { return plan_; }
    [[nodiscard]] unsigned ink(std::uint64_t place) const;
    /// The grid's colours, darker where objects are.
    [[nodiscard]] Image draw() const;
    /// The card: a heading, the roofs' line, `line` unless it is empty, and the bar of colours, which counts `what`.
    [[nodiscard]] Legend legend(const std::string& title, const std::string& caption, const std::string& line,
                                const std::string& what) const;

private:
    Plan plan_;
    HeatGrid grid_;
    std::vector<std::uint64_t> values_;
    std::uint64_t least_ = 0, most_ = 0;
};

}  // namespace lanecull::program
