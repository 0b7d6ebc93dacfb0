#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <lanecull/lanecull.hpp>
#include <span>
#include <vector>

#include "ordered_objects.hpp"

/// The culling pass of a frame, for engines to take: a camera, a sun of four cascades, a lamp with a cube map. It knows
/// the library and memory; no graphics interface, and nothing of the viewer. Each frame
///
///     pass.plan(camera, lights, options, plan);          where the shadow maps are: around what each slice shows
///     prepare_views(plan, Casters::volume, views);       what may be drawn into the picture and into each map
///     pass.cull(views, lists, options);                  all views in one call, commands straight into mapped memory
///
/// and list k's commands draw view k. README.md has the barriers and the other interfaces' names for things.
namespace lanecull::render {

inline constexpr std::size_t cascade_count = 4, cube_faces = 6;
inline constexpr std::size_t map_count = cascade_count + cube_faces;
/// View 0 is the camera's; view 1 + k is shadow map k's, cascades first.
inline constexpr std::size_t view_count = 1 + map_count;

struct FrameCamera {
    std::array<double, 16> clip_from_world{};
    ClipSpace clip_space;
    double near_depth = 0, far_depth = 0;  ///< where w is that
};

struct FrameLights {
    Sun sun;
    double map_up[3] = {0, 0, 1};  ///< as SunMapOptions::up
    double logarithmic = 0.8;      ///< as split_depths()
    std::uint32_t sun_texels = 2048;
    Lamp lamp;  ///< its range is finite
    double lamp_near = 0.1;
    std::uint32_t lamp_texels = 512;
    /// How far from a point's place in a map shading reads it, the point's own offset included, in texels.
    double filter_texels = 4.5;
};

/// What the shadow maps of a frame are. Chosen once; any number of culls may follow.
struct FramePlan {
    FrameCamera camera;
    FrameLights lights;
    std::array<double, cascade_count + 1> depths{};
    std::array<WorldBox, cascade_count> receivers{};
    std::array<ShadowMap, map_count> maps{};

    [[nodiscard]] Slice slice(std::size_t k) const {
        return {camera.clip_from_world, camera.clip_space, depths[k], depths[k + 1]};
    }
};

/// Which objects are drawn into a shadow map.
enum class Casters : std::uint8_t {
    frustum,  ///< what meets the map's own volume, which for a sun has no end towards it: every texel is right
    volume,   ///< what can cast a shadow into the camera's view, the filter's width counted: every texel read is right
};

/// The views of a frame, and one of the lamp as a whole: it contains those of its faces, so what it culls is none of
/// their candidates.
struct FrameViews : std::array<View, view_count> {
    View lamp;
    bool has_lamp = false;  ///< not with Casters::frustum: what a face's frustum shows need not cast a shadow
};

/// Where one view's draws go: 20 bytes an object of the scene at most, and how many there are.
struct DrawList {
    std::span<std::byte> commands;
    std::uint32_t* count = nullptr;
};

class CullPass {
public:
    /// The batches have Batch::draws. They, and what they point to, outlive the pass; they may move between frames.
    /// With `ordered`, made of the same batches, culls ask it, and nothing moves.
    CullPass(std::span<const Batch> batches, const Runner& runner, OrderedObjects* ordered = nullptr)
        : batches_(batches), runner_(runner), ordered_(ordered), visible_(cascade_count * visibility_words(batches)) {
        scratch_.resize(scratch_bytes(batches, view_count));
        reached_.resize(visibility_words(batches));
    }

    /// Puts the maps where they belong: a cull of the camera's slices, a box around what is visible of each. Where
    /// `bounds` are given, a box around all objects, nothing is culled for it.
    Status plan(const FrameCamera& camera, const FrameLights& lights, const Options& options, FramePlan& plan,
                const WorldBox* bounds = nullptr) {
        plan.camera = camera;
        plan.lights = lights;
        if (Status s = split_depths(camera.near_depth, camera.far_depth, lights.logarithmic, plan.depths); !s) return s;
        if (bounds != nullptr) {
            plan.receivers.fill(*bounds);
        } else if (Status s = find_receivers(options, plan); !s) {
            return s;
        }
        for (std::size_t k = 0; k < cascade_count; ++k) {
            SunMapOptions map;
            std::copy_n(lights.sun.toward, 3, map.toward);
            std::copy_n(lights.map_up, 3, map.up);
            map.texels = lights.sun_texels;
            if (Status s = fit_sun_map(plan.slice(k), plan.receivers[k], map, plan.maps[k]); !s) return s;
        }
        for (std::uint32_t face = 0; face < cube_faces; ++face) {
            if (Status s = cube_map_face(lights.lamp.at, face, lights.lamp_near, lights.lamp.range, lights.lamp_texels,
                                         plan.maps[cascade_count + face]);
                !s)
                return s;
        }
        return {};
    }

    /// Writes the commands of all views. The memory is only written, so it may be write-combined.
    Status cull(const FrameViews& views, std::span<const DrawList, view_count> lists, const Options& options) {
        for (std::size_t v = 0; v < view_count; ++v) {
            outputs_[v] = {};
            outputs_[v].draws = {.memory = lists[v].commands, .count = lists[v].count};
        }
        if (ordered_ != nullptr || !views.has_lamp) return cull_objects(views, outputs_, options);
        return cull_faces_last(views, options);
    }

    /// Of the last cull, view by view: visible_count and draw_count.
    [[nodiscard]] std::span<const ViewOutput, view_count> results() const { return outputs_; }

private:
    /// First all views but the lamp's faces, and the lamp as a whole in their place; then the faces, among what the
    /// lamp reaches. Where its range is short next to the scene, that is hardly more than the first call.
    Status cull_faces_last(const FrameViews& views, const Options& options) {
        constexpr std::size_t faces = 1 + cascade_count;  // where they begin
        std::array<View, faces + 1> first_views;
        std::array<ViewOutput, faces + 1> first_outputs{};
        for (std::size_t v = 0; v < faces; ++v) {
            first_views[v] = views[v];
            first_outputs[v] = outputs_[v];
        }
        first_views[faces] = views.lamp;
        first_outputs[faces].visible = reached_;
        if (Status s = cull_objects(first_views, first_outputs, options); !s) return s;
        std::copy_n(first_outputs.begin(), faces, outputs_.begin());
        for (std::size_t v = faces; v < view_count; ++v) outputs_[v].candidates = reached_;
        return cull_objects(std::span(views).subspan(faces), std::span(outputs_).subspan(faces), options);
    }

    Status cull_objects(std::span<const View> views, std::span<ViewOutput> outputs, const Options& options) {
        return ordered_ != nullptr ? ordered_->cull(views, outputs, options, runner_)
                                   : lanecull::cull(batches_, views, outputs, scratch_, options, runner_);
    }

    Status find_receivers(const Options& options, FramePlan& plan) {
        std::array<View, cascade_count> slices;
        std::array<ViewOutput, cascade_count> outputs{};
        const std::size_t words = visible_.size() / cascade_count;
        for (std::size_t k = 0; k < cascade_count; ++k) {
            Plane ends[2];
            const Slice slice = plan.slice(k);
            if (Status s = slice_planes(slice, ends); !s) return s;
            if (Status s = prepare_view(slice.clip_from_world, slice.clip_space, slices[k], {.clip_planes = ends}); !s)
                return s;
            outputs[k].visible = std::span(visible_).subspan(k * words, words);
        }
        if (Status s = cull_objects(slices, outputs, options); !s) return s;
        for (std::size_t k = 0; k < cascade_count; ++k) {
            Status s = visible_bounds(batches_, outputs[k].visible, plan.receivers[k], {options.isa, runner_});
            if (!s) return s;
        }
        return {};
    }

    std::span<const Batch> batches_;
    Runner runner_;
    OrderedObjects* ordered_;
    std::vector<std::uint64_t> visible_;  // of the slices, one after the other
    std::vector<std::uint64_t> reached_;  // by the lamp
    std::vector<std::byte> scratch_;
    std::array<ViewOutput, view_count> outputs_{};
};

/// The views of the lamp's faces, and of the lamp.
inline Status prepare_lamp_casters(const FramePlan& plan, FrameViews& views) {
    std::array<Lamp, cube_faces + 1> lamps;
    std::array<ViewOptions, cube_faces + 1> options;
    std::array<View, cube_faces + 1> prepared;
    lamps.fill(plan.lights.lamp);
    double widest = 0;
    for (std::size_t face = 0; face < cube_faces; ++face) {
        const ShadowMap& map = plan.maps[cascade_count + face];
        lamps[face].sides = map.sides;
        options[face].margin = plan.lights.filter_texels * map.texel * plan.lights.lamp.range;
        widest = std::max(widest, options[face].margin);
    }
    options[cube_faces].margin = widest;
    for (std::size_t i = 0; i <= cube_faces; ++i) options[i].lamp = &lamps[i];
    if (Status s = prepare_caster_views(plan.camera.clip_from_world, plan.camera.clip_space, options, prepared); !s) {
        return s;
    }
    std::copy_n(prepared.begin(), cube_faces, views.begin() + 1 + cascade_count);
    views.lamp = prepared[cube_faces];
    views.has_lamp = true;
    return {};
}

/// The views of a frame: the camera's, and those of what is drawn into each map.
inline Status prepare_views(const FramePlan& plan, Casters casters, FrameViews& views) {
    const FrameCamera& camera = plan.camera;
    const FrameLights& lights = plan.lights;
    if (Status s = prepare_view(camera.clip_from_world, camera.clip_space, views[0]); !s) return s;
    for (std::size_t k = 0; k < cascade_count; ++k) {
        const ShadowMap& map = plan.maps[k];
        const double margin = lights.filter_texels * map.texel;
        Status s = casters == Casters::frustum
                       ? prepare_view(map.clip_from_world, map.clip_space, views[1 + k], {.sun = &lights.sun})
                       : prepare_cascade_casters(plan.slice(k), plan.receivers[k],
                                                 {.margin = margin, .sun = &lights.sun}, views[1 + k]);
        if (!s) return s;
    }
    if (casters == Casters::volume) return prepare_lamp_casters(plan, views);
    views.has_lamp = false;
    for (std::size_t k = cascade_count; k < map_count; ++k) {
        const ShadowMap& map = plan.maps[k];
        if (Status s = prepare_view(map.clip_from_world, map.clip_space, views[1 + k]); !s) return s;
    }
    return {};
}

}  // namespace lanecull::render
