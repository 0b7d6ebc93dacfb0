#pragma once

#include <cstddef>
#include <optional>

#include "gltf/gltf_accessor.hpp"
#include "gltf/gltf_animation.hpp"
#include "gltf/gltf_nodes.hpp"

namespace lanecull::program {

/// A camera of a file's scene that an animation moves, it or a node above it.
struct GltfFlight {
    std::size_t camera;  ///< its node
    GltfAnimation animation;

    /// Of a frame of so many, which are evenly in time through the animation.
    [[nodiscard]] double time(std::size_t frame, std::size_t frames) const;
};

/// Of the scene's first camera that is moved, by the first animation that moves it; none if none is.
[[nodiscard]] std::optional<GltfFlight> flight_of(const GltfFile& file, GltfAccessors& accessors,
                                                  const GltfNodes& nodes);

}  // namespace lanecull::program
