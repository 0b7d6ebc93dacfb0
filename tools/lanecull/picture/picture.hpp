#pragma once

#include "picture/judged_scene.hpp"
#include "scene/camera.hpp"
#include "scene/scene.hpp"
#include "scene/scene_solids.hpp"

/// The picture of a cull: the scene from outside, with the view volume, and each object in the colour of its verdict.
namespace lanecull::program {

struct PictureInput {
    const Scene& scene;
    Camera camera;                                  ///< the one that culled
    std::span<const std::uint64_t> visible;         ///< bits of scene.batches(), by the exact method
    std::span<const std::uint64_t> kept_by_planes;  ///< the same by planes alone
    /// Bits of what is visible without occluders; empty where there are none.
    std::span<const std::uint64_t> visible_without;
    std::span<const BoxEdges> occluders;
    std::string caption;                       ///< "frame 61 of 200"
    std::span<const JudgedBlock> blocks = {};  ///< of an ordered scene; none: no map of them
    CutawayChoice cutaway = CutawayChoice::automatic;
    static constexpr int usual_width = 1600;
    glm::ivec2 size{usual_width, 900};  ///< pixels, 640x360 to 7680x4320
};

/// The bytes of a PNG file: the same for the same input, on any number of cores. Some seconds for a million objects,
/// and some 100 bytes of memory a pixel.
[[nodiscard]] std::string draw_picture(const PictureInput& input);

}  // namespace lanecull::program
