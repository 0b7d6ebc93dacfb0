#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <glm/mat4x4.hpp>
#include <glm/vec3.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "baked_sets.hpp"
#include "frame_occluders.hpp"
#include "light_cells.hpp"
#include "renderer.hpp"
#include "scene/camera.hpp"
#include "scene/scene.hpp"
#include "scene_meshes.hpp"

/// The host's part of a frame: where the maps are, what each view draws, and the numbers that the shaders read.
namespace lanecull::program {

/// What decides: nothing, planes, the exact test, the same by way of an ordered scene, the exact test and solid boxes
/// that hide objects from the camera, the exact test of what may be seen from the eye's cell.
enum class Culling : std::uint8_t { off, planes, exact, ordered, occluders, visibility };

[[nodiscard]] const char* name_of(Culling culling);    ///< "off", "planes", ...
[[nodiscard]] const char* name_of(Casters casters);    ///< "frustum", "volume"
[[nodiscard]] const char* name_of(Lighting lighting);  ///< "day", "cells", ...
/// "sun's cascade 2", "lamp's face 0", "camera".
[[nodiscard]] std::string view_name(std::size_t view);

/// Degrees above the horizon and about up.
struct DirectionalLightOptions {
    double height = 10;
    double bearing = 30;
};

struct FrameOptions {
    DirectionalLightOptions directional_light;
    Isa isa = Isa::automatic;
    std::size_t occluders = 0;             ///< so many a frame at most; 0: there is no Culling::occluders
    std::uint32_t sub_pixel_bits = 8;      ///< of the device
    const BakedSets* baked = nullptr;      ///< null: there is no Culling::visibility
    const LightStreams* lights = nullptr;  ///< null: it is day
};

/// What a frame's cull did.
struct CullResult {
    std::array<std::uint64_t, view_count> draws{};
    std::size_t occluders = 0;        ///< chosen for the camera
    std::uint64_t hidden = 0;         ///< objects behind one of them, which may be out of view as well
    std::size_t in_set = 0;           ///< objects that may be seen from the eye's cell; 0 where no set was used
    std::uint64_t light_entries = 0;  ///< in the lists of all cells
    [[nodiscard]] std::uint64_t frame_draws() const { return draws[0]; }
    [[nodiscard]] std::uint64_t caster_draws() const;
};

/// `camera`'s clip matrix as the shaders have it, relative to the eye: y down, as Vulkan's pictures are, and depth from
/// 1 at the near plane to 0 at the far one. The other way round, floats near 1 let the device draw what lies a
/// thousandth beyond the far plane, where the library has culled it.
[[nodiscard]] glm::dmat4 picture_matrix(const Camera& camera);

class FrameMaker {
public:
    /// Fails if there are to be occluders and nothing in the scene is solid.
    FrameMaker(const Scene& scene, const SceneMeshes& meshes, const RendererOptions& renderer,
               const FrameOptions& options, const Runner& runner);
    FrameMaker(const FrameMaker&) = delete;
    FrameMaker& operator=(const FrameMaker&) = delete;

    void put_point_light(const glm::dvec3& at, double range);
    /// Pixels of the picture.
    void resize(std::uint32_t width, std::uint32_t height);
    [[nodiscard]] bool has_occluders() const { return occluders_.has_value(); }
    [[nodiscard]] bool has_baked() const { return baked_ != nullptr; }
    [[nodiscard]] bool has_lights() const { return cells_.has_value(); }
    /// The cell whose set culls a camera's frames. None where its eye is in no cell, or the sets do not hold for it.
    [[nodiscard]] std::optional<std::uint64_t> cell_of(const Camera& camera) const;
    /// Why they do not, or nothing.
    [[nodiscard]] std::string misfit(const Camera& camera) const;

    /// Where the shadow maps of a camera's frame are: without culling, around everything.
    [[nodiscard]] FramePlan plan(const Camera& camera, Culling culling);

    // Of the frame that was planned last.

    /// What is drawn into each map, and what hides objects from the camera.
    void prepare(Culling culling, Casters casters);
    /// Writes the lists by any instruction set, and assigns lights to cells. Not `off`. An ordered scene's are in its
    /// own order.
    CullResult cull(Culling culling, Isa isa, std::span<const DrawList, view_count> lists);
    /// Both. If culling is off, only assigns lights: all that there are.
    CullResult cull(Culling culling, Casters casters, std::span<const DrawList, view_count> lists);
    [[nodiscard]] const View& view(std::size_t v) const { return pass_.view(v); }
    /// The camera's, as prepared, and the boxes that they are.
    [[nodiscard]] std::span<const Occluder> occluders() const { return chosen_; }
    [[nodiscard]] std::vector<BoxEdges> occluder_boxes() const;
    /// What FrameDraw takes. Empty by day.
    [[nodiscard]] std::span<const std::uint32_t> light_lists() const;
    /// What may be seen from the camera's cell, as Output::candidates. Empty: everything.
    [[nodiscard]] std::span<const std::uint64_t> candidates() const { return candidates_; }

    [[nodiscard]] CullOptions options(Culling culling) const;

    /// The plan's frame, seen by `eye`, which may be another than the plan's camera. `lighting`: by night.
    [[nodiscard]] FrameUniforms uniforms(const FramePlan& plan, const Camera& eye,
                                         Lighting lighting = Lighting::cells) const;

private:
    void choose_occluders();
    void read_set();
    [[nodiscard]] CullOptions options(Culling culling, Isa isa) const;
    [[nodiscard]] Objects objects(Culling culling) const;

    std::span<const Batch> batches_;
    lanecull::Scene ordered_;
    CullPass pass_;
    std::optional<FrameOccluders> occluders_;
    std::optional<LightCells> cells_;
    std::span<const Occluder> chosen_;
    const BakedSets* baked_;
    Rasterizer rasterizer_;
    std::vector<std::uint64_t> set_;  ///< words of the batches
    std::span<const std::uint64_t> candidates_;
    std::size_t in_set_ = 0;
    Camera planned_;
    PassCamera camera_;
    PassDirectionalLight directional_light_;
    PassPointLight point_light_;
    Runner runner_;
    std::size_t objects_;
    glm::dvec3 up_;
    WorldBox bounds_;
    Isa isa_;
};

/// Every view draws everything.
inline constexpr std::uint32_t draw_all_views = (1U << view_count) - 1;

}  // namespace lanecull::program
