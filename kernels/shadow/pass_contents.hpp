#pragma once

/// What a pass keeps of a frame, and its memory; its steps; and work that may fail, in tasks of a runner.

#include <lanecull/shadow.h>

#include <cstdint>

#include "base/float_modes.hpp"
#include "base/memory.hpp"
#include "calls/check.hpp"
#include "calls/occluders.hpp"

namespace lanecull {

constexpr std::uint32_t cube_faces = 6;
constexpr auto most_cascades = static_cast<std::uint32_t>(max_slices);  // whose receivers are found in one pass
constexpr std::uint32_t most_choices = 8;                               // that are made at once, each with its memory

/// A point light's maps, and the views that test it as a whole.
struct PointLightMaps {
    std::uint32_t first = 0;  ///< among the maps of point lights
    std::uint32_t count = 0;
    /// Of the views of it as a whole, the first by which it reaches anything; PassContents::none without one.
    std::uint32_t first_whole = 0;
    bool reaches_any = false;  ///< after a cull: any object
};

/// Balls that contain what each point light lights.
struct PointLightBalls {
    Array<float> x, y, z, radius;

    [[nodiscard]] bool reserve(std::size_t point_lights) {
        return x.reserve(point_lights) && y.reserve(point_lights) && z.reserve(point_lights) &&
               radius.reserve(point_lights);
    }
    [[nodiscard]] Spheres shapes(std::size_t point_lights) const {
        return {x.data(), y.data(), z.data(), radius.data(), static_cast<std::uint32_t>(point_lights)};
    }
};

/// Boxes around the solids that occluders are chosen from, and which of them each view of a call sees.
struct PassSolids {
    Array<float> x, y, z, half_x, half_y, half_z;
    Array<std::uint64_t> bits;
    Array<Output> outputs;

    [[nodiscard]] bool resize(std::size_t solids, std::size_t views) {
        for (Array<float>* of : {&x, &y, &z, &half_x, &half_y, &half_z}) {
            if (!of->resize_unset(solids)) return false;
        }
        return bits.resize_unset(views * ((solids + 63) / 64)) && outputs.resize(views);
    }
    [[nodiscard]] CenteredBoxes shapes(std::size_t solids) const {
        return {x.data(),
                y.data(),
                z.data(),
                half_x.data(),
                half_y.data(),
                half_z.data(),
                static_cast<std::uint32_t>(solids)};
    }
};

/// All that a pass has.
struct PassContents : Allocated {
    static constexpr std::uint32_t none = ~std::uint32_t{0};

    PassLimits limits;
    std::size_t words = 0;  ///< that there is memory for

    PassFrame frame;
    bool is_planned = false, is_prepared = false;
    Array<std::uint32_t> first_cascade;  ///< of each camera, and one more: where the last one's end
    Array<Cascade> cascades;
    Array<PointLightMaps> point_lights;
    Array<ShadowMap> maps;  ///< of cascades, then of point lights
    /// Of cameras; cascades; point lights as a whole, camera by camera; the point lights' maps. In that order calls
    /// take them.
    Array<View> views;
    Array<std::uint32_t> light_of_whole;  ///< of those by which the light reaches anything, in the order of their views
    std::uint32_t most_wholes = 0;        ///< of the frame, whether they reach anything or not
    Casters casters = Casters::volume;    ///< by which it was prepared

    // For preparing.
    PointLightBalls balls;
    Array<std::uint64_t> may_be_lit;  ///< a bit for each point light: the camera in question may see some of its light
    Array<PointLight> lights;
    Array<ViewOptions> options;
    Array<std::uint8_t> failed;

    // For culling.
    /// Of what each camera sees, or of what each point light reaches as a whole and what each camera with lights in
    /// cells sees.
    Array<std::uint64_t> bits;
    Array<std::byte> scratch;
    Array<Output> outputs;  ///< of one call

    // For lights in cells, of one camera.
    Array<std::uint64_t> visible_lights;
    Array<Occluder> light_occluders;  ///< without owners

    // For choosing occluders. Rows of max_occluders, one for each view: as callers count them, but for `occluders`,
    // which are those of one call.
    Array<Occluder> occluders;
    Array<std::uint32_t> chosen, chosen_counts;
    Array<std::byte> choose_scratch;
    PassSolids solids;

    [[nodiscard]] std::uint32_t cameras() const { return static_cast<std::uint32_t>(first_cascade.size()) - 1; }
    /// Views of cameras and cascades.
    [[nodiscard]] std::uint32_t roots() const { return cameras() + static_cast<std::uint32_t>(cascades.size()); }
    [[nodiscard]] std::uint32_t point_light_maps() const {
        return static_cast<std::uint32_t>(maps.size() - cascades.size());
    }
    [[nodiscard]] std::uint32_t first_map_view() const { return roots() + most_wholes; }

    [[nodiscard]] std::uint32_t camera_of_cascade(std::uint32_t k) const {
        std::uint32_t c = 0;
        while (k >= first_cascade[c + 1]) ++c;
        return c;
    }
    /// The point light that map m of theirs belongs to.
    [[nodiscard]] std::uint32_t light_of_map(std::uint32_t m) const;

    /// Whether point light l lights anything that is seen, as far as is known before a cull.
    [[nodiscard]] bool is_lit(std::uint32_t l) const {
        return casters == Casters::frustum || point_lights[l].first_whole != none;
    }
    /// View v as lanecull_pass_view() says.
    [[nodiscard]] const View& view(std::uint32_t v) const;
    [[nodiscard]] Slice slice(std::uint32_t camera, std::uint32_t cascade) const {
        const PassCamera& of = frame.cameras[camera];
        return {of.clip_from_world, of.clip_space, cascades[cascade].near_depth, cascades[cascade].far_depth};
    }
    [[nodiscard]] std::span<View> views_from(std::uint32_t first, std::uint32_t count) {
        return {views.data() + first, count};
    }
};

// What 0 stands for.

/// How many cascades the camera has.
inline std::uint32_t cascade_count(const PassCamera& camera) {
    if (camera.directional_light == nullptr) return 0;
    return camera.directional_light->cascades != 0 ? camera.directional_light->cascades : 4;
}
/// 0 is the usual number, any below 0 is 0.
inline double usual_if_zero(double given, double usual) {
    if (given == 0) return usual;
    return given < 0 ? 0 : given;
}
inline double logarithmic_of(const PassDirectionalLight& light) { return usual_if_zero(light.logarithmic, 0.8); }
inline double filter_texels_of(double given) { return usual_if_zero(given, 4.5); }
inline std::uint32_t texels_of(const PassPointLight& light) { return light.texels != 0 ? light.texels : 512; }

/// How many cameras a point light's shadows are in.
inline std::uint32_t camera_count(const PassFrame& frame, const PassPointLight& light) {
    return static_cast<std::uint32_t>(light.cameras.empty() ? frame.cameras.size() : light.cameras.size());
}
inline bool is_seen_by(const PassPointLight& light, std::uint32_t camera) {
    if (light.cameras.empty()) return true;
    for (const std::uint32_t c : light.cameras) {
        if (c == camera) return true;
    }
    return false;
}

/// Calls visit(first, count) for each run of wanted(i), i from `begin` to `end` - 1, of at most `most`. Ends with the
/// first failure.
template <class Wanted, class Visit>
Status for_each_run(std::uint32_t begin, std::uint32_t end, std::uint32_t most, const Wanted& wanted,
                    const Visit& visit) {
    for (std::uint32_t i = begin; i < end;) {
        std::uint32_t count = 0;
        while (i + count < end && count < most && wanted(i + count)) ++count;
        if (count > 0) {
            if (Status status = visit(i, count); !status) return status;
        }
        i += count > 0 ? count : 1;
    }
    return {};
}

// The steps. The interface (cull_pass.cpp) has checked that there is memory at all.

/// Checks all of the frame but what preparing its views checks.
[[nodiscard]] Status check_frame(const PassContents& pass, const PassFrame& frame);
/// Gives the frame's cascades, point lights and views their places. The frame has been checked.
void lay_out(PassContents& pass, const PassFrame& frame);
/// Prepares the cameras' views and sets the slices' depths.
[[nodiscard]] Status plan_cameras(PassContents& pass, const Runner& runner);
/// Makes the maps. The cascades' receivers are known.
[[nodiscard]] Status plan_maps(PassContents& pass);
[[nodiscard]] Status prepare_frame(PassContents& pass, Casters casters, const Runner& runner);
[[nodiscard]] Status check_occluders(const PassContents& pass, const PassOccluders& given);
/// Checks the light cells of the frame's cameras.
[[nodiscard]] Status check_light_cells(const PassContents& pass, const PassFrame& frame);
/// Assigns the lights in cells of a camera that has some. `bounds`: around what the camera sees.
[[nodiscard]] Status assign_camera_lights(PassContents& pass, std::uint32_t camera, const WorldBox& bounds,
                                          std::span<const Occluder> occluders, const CullOptions& how);
/// Reads the solids of the frame, if it has some.
void read_solids(PassContents& pass);
/// Chooses occluders for views `first` .. first + count - 1, as callers count them, and gives them to the pass's first
/// outputs, but for those that have some. The views are neighbours among the pass's own, too.
[[nodiscard]] Status choose_occluders(PassContents& pass, std::uint32_t first, std::uint32_t count,
                                      const CullOptions& options);

/// Calls work(i) for i from 0 to count - 1. Returns the failure of the smallest i: that one is called again, since a
/// Status is too large to keep one a task. `failed` has an entry for each.
template <class Work>
Status run_tasks(std::uint32_t count, Array<std::uint8_t>& failed, const Work& work, const Runner& runner) {
    if (count == 0) return {};
    struct Tasks {
        const Work& work;
        std::uint8_t* failed;
    } tasks{work, failed.data()};
    const auto run = [](void* self, std::uint32_t i) {
        const FloatModes modes;
        const Tasks& all = *static_cast<const Tasks*>(self);
        all.failed[i] = all.work(i).ok() ? 0 : 1;
    };
    runner(count, {run, &tasks, "prepare views"});
    for (std::uint32_t i = 0; i < count; ++i) {
        if (failed[i] != 0) return work(i);
    }
    return {};
}

}  // namespace lanecull

struct lanecull_cull_pass : lanecull::PassContents {};
