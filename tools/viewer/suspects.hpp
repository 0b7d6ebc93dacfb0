#pragma once

#include <lanecull/cull.h>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

/// Who is missing from a pixel? A pixel is a view too.
namespace lanecull::program {

/// The part of a clip matrix that falls on one pixel of a picture or map, and `border` pixels around it.
struct Pixel {
    std::uint32_t x, y, width, height;
    double border = 0.05;
};
[[nodiscard]] std::array<double, 16> matrix_of(const Pixel& pixel, std::span<const double, 16> clip_from_world);

/// Objects that share a point with that view though `drawn` has no command of theirs, ascending. Commands are
/// as SceneMeshes has them: first_instance is the object. A directional light stretches the view towards it.
[[nodiscard]] std::vector<std::uint32_t> missing_from(std::span<const Batch> batches,
                                                      std::span<const double, 16> clip_from_world,
                                                      const ClipSpace& clip_space,
                                                      const DirectionalLight* directional_light,
                                                      std::span<const DrawCommand> drawn);

}  // namespace lanecull::program
