#pragma once

#include "scene/camera.hpp"
#include "scene/scene_solids.hpp"

namespace lanecull::program {

struct OccluderSettings {
    std::size_t most = 0;      ///< how many a frame may have, 1 to 64
    double margin_pixels = 0;  ///< solids shrink by so many pixels; 0: the answer is the mathematical one
    double inset = 0;          ///< and by so much in the scene's unit, where what is drawn is off by as much
};

/// What solids shrink by for so many pixels of a camera's picture of 1080 rows, whatever its aspect.
[[nodiscard]] RasterMargin pixel_margin(const Camera& camera, double pixels);

/// An ordered scene of what is drawn for solids, so that choosing reads only those that are in view.
class SolidsInView {
public:
    explicit SolidsInView(const SceneSolids& solids);
    /// A bit for each solid. Valid until the next call.
    [[nodiscard]] std::span<const std::uint64_t> find(const View& view);

private:
    lanecull::Scene scene_;
    std::vector<std::uint32_t> solid_of_;  ///< [handle]
    std::vector<Handle> visible_;
    std::vector<std::uint64_t> bits_;
    std::vector<std::byte> scratch_;
};

/// Those of a scene's solid boxes that are to hide objects, frame by frame.
class OccluderChoice {
public:
    /// Fails if nothing in the scene is solid.
    OccluderChoice(const Scene& scene, const OccluderSettings& settings);
    /// Of solids as they are, whatever the settings' inset.
    OccluderChoice(SceneSolids solids, const OccluderSettings& settings);

    /// Chooses and prepares those of a camera's frame. They are valid until the next call.
    std::span<const Occluder> choose(const Camera& camera, const View& view);
    /// The same of a view with its eye and a margin of its own, not that of the settings' pixels.
    std::span<const Occluder> choose(const View& view, const Viewpoint& viewpoint, const RasterMargin& raster);
    /// For a cull: receives how many objects each of them hides.
    [[nodiscard]] std::span<std::uint32_t> hidden_counts() { return std::span(hidden_).first(count_); }
    /// The same of a view of shadow casters, as seen from the light, without a margin.
    std::span<const Occluder> choose_casters(const Viewpoint& light, const View& view);
    /// Which of solids() these are.
    [[nodiscard]] std::span<const std::uint32_t> chosen() const { return std::span(chosen_).first(count_); }
    [[nodiscard]] const SceneSolids& solids() const { return solids_; }

    /// All that can hide anything from the camera, without owners.
    [[nodiscard]] std::vector<Occluder> all(const Camera& camera) const;

    /// So often the first frame is culled before frames count.
    static constexpr int warm_up_rounds = 5;

private:
    std::span<const Occluder> prepare(const View& view, const Viewpoint& viewpoint, ChooseOptions options);
    [[nodiscard]] RasterMargin margin(const Camera& camera) const {
        return pixel_margin(camera, settings_.margin_pixels);
    }

    SceneSolids solids_;
    SolidsInView in_view_;
    OccluderSettings settings_;
    std::vector<Occluder> prepared_;
    std::vector<std::uint32_t> chosen_, hidden_;
    std::uint32_t count_ = 0;  ///< of these, the last frame's
    std::vector<std::byte> scratch_;
};

}  // namespace lanecull::program
