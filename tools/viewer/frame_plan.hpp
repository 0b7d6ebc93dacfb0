#pragma once

#include <lanecull/shadow.h>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

/// What the viewer's frames have: a camera, a directional light of four cascades, a point light with a cube map.
namespace lanecull::program {

inline constexpr std::size_t cascade_count = 4, cube_faces = 6;
inline constexpr std::size_t map_count = cascade_count + cube_faces;
/// View 0 is the camera's; view 1 + k is shadow map k's, cascades first.
inline constexpr std::size_t view_count = 1 + map_count;

/// Where one view's draws go: 20 bytes an object of the scene at most, and how many there are.
struct DrawList {
    std::span<std::byte> commands;
    std::uint32_t* count = nullptr;
};

/// A frame whose maps have their places.
struct FramePlan {
    PassCamera camera;  ///< without its directional light and cells
    PassDirectionalLight directional_light;
    PassPointLight point_light;
    std::array<Cascade, cascade_count> cascades{};
    std::array<ShadowMap, map_count> maps{};

    [[nodiscard]] Slice slice(std::size_t k) const {
        return {camera.clip_from_world, camera.clip_space, cascades[k].near_depth, cascades[k].far_depth};
    }
};

}  // namespace lanecull::program
