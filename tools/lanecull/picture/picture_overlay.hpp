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

/// What the card says; of blocks and occluders where there are any.
struct LegendText {
    std::string title, caption;
    JudgedScene::Counts counts;
    std::size_t occluders = 0;
    BlockCounts blocks;
    bool cut_open = false;

    [[nodiscard]] int rows() const;
};

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
    /// What is around a pin at `foot`, in pixels.
    [[nodiscard]] static Rectangle camera_pin(const glm::vec2& foot, float scale);
    /// The card of words at the upper left.
    void legend(const LegendText& text);
    [[nodiscard]] static Rectangle legend_card(const LegendText& text, float scale);
    /// A picture of its own at the right, below those before it.
    void inset(const char* title, const Image& picture);
    /// The card of an inset of that size, as the first at the right of a picture of that width.
    [[nodiscard]] static Rectangle inset_card(glm::ivec2 size, int width, float scale);

private:
    [[nodiscard]] glm::vec2 pixel(const glm::vec3& view) const;
    /// What the scene has at a pixel; nothing outside the picture.
    [[nodiscard]] Sample sample(const glm::vec2& pixel) const;
    void edge(const glm::dvec3& a, const glm::dvec3& b, float width, float opacity, const glm::vec3& tone);

    Image& image_;
    const Canvas& canvas_;
    float scale_;
    float inset_top_ = first_inset_top;  ///< of the next one
    static constexpr float first_inset_top = 26;
    Font regular_{Font::Weight::regular};
};

}  // namespace lanecull::program
