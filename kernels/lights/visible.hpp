#pragma once

/// Which lights light anything that is seen.

#include <lanecull/light_grid.h>
#include <lanecull/view.h>

#include <cstddef>
#include <cstdint>
#include <span>

namespace lanecull {

/// Scratch memory that cull_lights() takes.
[[nodiscard]] std::size_t cull_lights_bytes(std::size_t lights);

/// A view, what of it may be seen, and by which it is hidden.
struct SeenByCamera {
    const double* clip_from_world;
    ClipSpace clip_space;
    ViewOptions options;
    WorldBox box;
    std::span<const Occluder> occluders;
};

/// Writes a bit for each light that may light something that is seen. All rules have been checked but those of the
/// matrix and the options. `visible` may be the words of lights.visible.
[[nodiscard]] Status cull_lights(const Lights& lights, const SeenByCamera& seen, const LightOptions& options,
                                 std::span<std::uint64_t> visible, Scratch scratch);

}  // namespace lanecull
