#pragma once

#include "picture/canvas.hpp"
#include "picture/image.hpp"
#include "picture/solids.hpp"
#include "picture/volume.hpp"
#include "scene/scene.hpp"
#include "scene/scene_solids.hpp"

namespace lanecull::program {

/// What is drawn over the rendered scene: lines, marks and pictures of their own. Sizes are those of a picture of
/// 1600x900, times `scale`.
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
    /// A picture of its own at the right, below those before it.
    void inset(const std::string& title, const Image& picture);
    /// The card of an inset of that size, as the first at the right of a picture of that width.
    [[nodiscard]] static Rectangle inset_card(glm::ivec2 size, int width, float scale);

private:
    [[nodiscard]] glm::vec2 pixel(const glm::vec3& view) const {
        return canvas_.projection().sample(view) / static_cast<float>(pixel_side);
    }
    void edge(const glm::dvec3& a, const glm::dvec3& b, float width, float opacity, unsigned ink);

    Image& image_;
    const Canvas& canvas_;
    float scale_;
    float inset_shift_ = 0;  // of the next one, downwards
};

/// Colours of an ordered scene's blocks; distinguished by colour-blind eyes too.
namespace block_color {
inline constexpr unsigned outside = 0xB4B8BC, inside = 0x117733, mixed = 0xAA2277;
}

/// A map of all blocks from above, with the volume's edges: `width` pixels wide and at most as high.
[[nodiscard]] Image draw_block_map(std::span<const JudgedBlock> blocks, const Polyhedron& volume, const glm::dvec3& eye,
                                   const glm::dvec3& up, int width);

}  // namespace lanecull::program
