#pragma once

#include <lanecull/occluder.h>
#include <lanecull/types.h>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "scene/camera.hpp"
#include "scene/camera_path.hpp"
#include "scene/scene.hpp"

/// What may be seen from the cells of a world, as `lanecull bake` has found it, for the viewer's frames.
namespace lanecull::program {

class BakedSets {
public:
    /// Opens a file of sets. scene: the whole of it, as it was baked and before scene_to_draw(). Fails if the file is
    /// of another scene, or has no grid of cells.
    BakedSets(const std::string& file, const Scene& scene, const Runner& runner);
    ~BakedSets();
    BakedSets(BakedSets&&) noexcept;
    BakedSets& operator=(BakedSets&&) noexcept;

    /// The cell that the camera's eye is in.
    [[nodiscard]] std::optional<std::uint64_t> cell_of(const Camera& camera) const;
    /// Why the sets do not hold for a camera's lens, or for a picture that needs solids smaller by `margin`. Empty:
    /// they do.
    [[nodiscard]] std::string misfit(const Camera& camera, const RasterMargin& margin) const;

    /// A cell's set as Output::candidates of what scene_to_draw() leaves: `words` are those of its batches. What
    /// was not baked, such as the ground, is a candidate. Returns how many objects of the file are.
    std::size_t read(std::uint64_t cell, std::span<std::uint64_t> words) const;

    /// So many cameras with random eyes in random cells and random directions, the same ones for a file. Their near and
    /// far plane are the farthest that the file's sets hold for, unless the lens says otherwise.
    [[nodiscard]] CameraPath random_cameras(const Scene& scene, std::size_t count, const LensOptions& lens) const;

private:
    struct Contents;  // defined where CRoaring was there to build with
    std::shared_ptr<Contents> contents_;
};

}  // namespace lanecull::program
