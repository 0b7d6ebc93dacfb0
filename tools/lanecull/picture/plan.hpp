#pragma once

#include <cstdint>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <span>

#include "picture/canvas.hpp"
#include "scene/scene.hpp"

namespace lanecull::program {

/// A scene as a map, right of the card of words: seen from so high above that what stands on the ground leans outwards
/// by less than a hundredth. The scene's up points at the reader.
class Plan {
public:
    static constexpr glm::ivec2 size{1600, 900};  ///< of its picture, in pixels

    /// `bounds`: of the scene. Nothing is shown yet.
    Plan(const Scene& scene, const Bounds& bounds);

    /// Makes the map large enough for a point of the scene's bounds; others are moved there.
    void show(const glm::dvec3& point);
    [[nodiscard]] const Bounds& shown() const { return shown_; }

    /// Of what is shown, with so many samples a pixel.
    [[nodiscard]] Projection projection(int samples_a_pixel = pixel_side) const;

    /// The scene's unit above its ground.
    [[nodiscard]] double height(const glm::dvec3& point) const;
    [[nodiscard]] double top() const { return top_; }
    [[nodiscard]] double ground() const { return ground_; }
    /// The map's axes in the world: rightwards, and to its upper end.
    [[nodiscard]] const glm::dvec3& right() const { return right_; }
    [[nodiscard]] const glm::dvec3& ahead() const { return ahead_; }
    [[nodiscard]] glm::dvec2 plan(const glm::dvec3& point) const;
    /// Where a place on the ground is in the picture, in pixels.
    [[nodiscard]] glm::vec2 pixel(const Projection& above, const glm::dvec2& plan) const;

    struct Object {
        std::uint32_t group = 0, index = 0;
        Surface surface;
        float chance = 0;  ///< as for draw_solid()
    };
    /// Draws objects of the scene. Left out: those that are not finite, and sky domes.
    void draw(Canvas& canvas, std::span<const Object> objects) const;

private:
    const Scene& scene_;
    glm::dvec3 right_, ahead_;
    Bounds bounds_, shown_;
    double ground_ = 0, top_ = 0;
};

}  // namespace lanecull::program
