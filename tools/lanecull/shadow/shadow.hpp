#pragma once

#include <lanecull/shadow.h>

#include "cull/occluder_choice.hpp"
#include "picture/judged_scene.hpp"
#include "scene/camera.hpp"
#include "scene/scene.hpp"

namespace lanecull::program {

struct ShadowOptions {
    double sun_height = 10;   ///< degrees above the horizon, 0 to 90
    double sun_bearing = 30;  ///< degrees about up
    std::size_t cascades = 4;
    std::size_t lamps = 20;
    double lamp_range = 0;  ///< 0: a tenth of the camera's far distance
    int threads = 0;        ///< as MeasureOptions::threads
    Isa isa = Isa::automatic;
    bool six_planes = false;                         ///< the frustum of a light is tested by planes alone
    std::optional<OccluderSettings> occluders = {};  ///< casters wholly in the shadow of one of these are dropped
    /// ShadowMeasurement::picked is of; unset: the frame in which most objects that the camera does not see cast.
    std::optional<std::size_t> picked_frame = {};
    std::size_t picked_light = 0;  ///< an index of ShadowMeasurement::lights
    bool quiet = false;
};

/// One light in one frame. Words are bits of scene.batches().
struct PickedLight {
    std::size_t frame = 0;
    Camera camera;                               ///< of a cascade: near and far are its slice's
    std::vector<std::uint64_t> receivers = {};   ///< what the camera sees between near and far
    std::vector<std::uint64_t> in_frustum = {};  ///< as ShadowLight
    std::vector<std::uint64_t> kept = {};        ///< as ShadowLight, and what rounding keeps beside the frustum
    std::vector<std::uint64_t> drawn = {};       ///< with occluders: of `kept`, what is not wholly in the shadow of one
    std::optional<PointLight> lamp = {};         ///< else it is the sun
    DirectionalLight sun = {};
    ShadowMap map = {};  ///< the sun's
    WorldBox lit{};      ///< of a cascade: around the receivers
};

/// One cascade or one lamp over all frames.
struct ShadowLight {
    std::string name;
    std::size_t frames = 0;  ///< in which it lights something of the view
    // Summed over the frames.
    std::uint64_t in_frustum = 0;  ///< objects in the light's frustum, or range: what engines render
    std::uint64_t kept = 0;        ///< of those whose shadow can be seen
    std::uint64_t covered = 0;     ///< of the kept, those that a finer cascade covers wholly
    std::uint64_t shaded = 0;      ///< of the kept, those wholly in the shadow of an occluder that is kept as well
    double frustum_seconds = 0, casters_seconds = 0;  ///< views prepared and objects culled
    double occluders_seconds = 0;                     ///< the same as casters_seconds with occluders, these chosen
};

struct ShadowMeasurement {
    Isa isa{};
    int threads = 1;
    std::size_t frames = 0;
    bool occluders = false;           ///< whether there were any to choose from
    std::vector<ShadowLight> lights;  ///< cascades, then lamps
    std::size_t cascades = 0;
    double receivers_seconds = 0;  ///< the camera's slices culled and boxes found around what is visible, summed
    /// Objects that a caster view kept beside the light's frustum: what rounding makes of a touch.
    std::uint64_t kept_outside_frustum = 0;
    std::optional<PickedLight>
        picked;  ///< absent where the picked light is a lamp that reaches nothing of what is seen
};

/// Along the path: what a sun's cascades and lamps need to render.
[[nodiscard]] ShadowMeasurement measure_shadows(const Scene& scene, const CameraPath& path,
                                                const ShadowOptions& options);

/// A map of the scene, from above: what `picked` says of each object, and the outlines of the camera's view, of the
/// light's frustum and of the caster volume, as far as they lie at the scene's heights. The bytes of a PNG file.
/// `caption`: "sun, cascade 3, frame 30 of 60". A scene that is cut open lacks what is above the camera.
[[nodiscard]] std::string draw_shadow_picture(const Scene& scene, const PickedLight& picked, const std::string& caption,
                                              CutawayChoice cutaway);

}  // namespace lanecull::program
