#pragma once

#include <cstddef>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <span>
#include <string>

#include "picture/canvas.hpp"
#include "picture/picture_blocks.hpp"
#include "picture/picture_image.hpp"
#include "picture/picture_scene.hpp"
#include "picture/picture_volume.hpp"
#include "picture/text.hpp"
#include "scene/scene_solids.hpp"

/// What is drawn over the rendered scene: lines, marks and words. Sizes are those of a picture of 1600x900, times
/// `scale`.
namespace lanecull::program {

class Overlay {
public:
    /// `canvas` is what `image` was made of.
    Overlay(Image& image, const Canvas& canvas, float scale) : image_(image), canvas_(canvas), scale_(scale) {}

    /// The volume's edges; broken lines where something is before them.
    void edges(const Polyhedron& volume);
    /// The edges of boxes.
    void outlines(std::span<const BoxEdges> boxes);
    /// Strokes or dots over those false positives that are too small to be seen, or hidden.
    void false_positives(std::span<const Solid> solids);
    /// A labelled pin at the eye.
    void camera(const glm::dvec3& eye);
    /// The card of words at the upper left; of blocks and occluders where there are any.
    void legend(const std::string& title, const std::string& caption, const JudgedScene::Counts& counts,
                std::size_t occluders, const BlockCounts& blocks);
    /// A picture of its own at the right, below those before it.
    void inset(const char* title, const Image& picture);

private:
    [[nodiscard]] glm::vec2 pixel(const glm::vec3& view) const;
    /// What the scene has at a pixel; nothing outside the picture.
    [[nodiscard]] Sample sample(const glm::vec2& pixel) const;
    void edge(const glm::dvec3& a, const glm::dvec3& b, float width, float opacity, const glm::vec3& tone);

    Image& image_;
    const Canvas& canvas_;
    float scale_;
    float inset_top_ = 26;  ///< of the next one
    Font regular_{Font::Weight::regular};
};

}  // namespace lanecull::program
