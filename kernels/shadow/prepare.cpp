/// Preparing a frame's views of casters.

#include <algorithm>

#include <lanecull/bounds.h>

#include "base/failure.hpp"
#include "base/float_modes.hpp"
#include "base/interval.hpp"
#include "shadow/pass_contents.hpp"
#include "view/frame.hpp"
#include "view/options.hpp"

namespace lanecull {
namespace {

/// A failure of prepare_caster_views(), which speaks of its own options[k], in the words of whoever gave point lights.
Status of_camera(const Status& status, std::uint32_t camera) noexcept {
    if (status.where == nullptr) return within(status, "frame.point_lights, seen by camera %u: ", camera);
    Status rest = status;  // its first number is k
    rest.where = nullptr;
    rest.forms >>= 4;
    for (std::size_t k = 1; k < most_numbers; ++k) rest.numbers[k - 1] = status.numbers[k];
    return within(rest, "frame.point_lights, seen by camera %u: options[%zu]", camera,
                  static_cast<std::size_t>(status.numbers[0]));
}

/// Gives a view the eye of a camera, by which objects' distances and sizes are measured; none if the camera is null.
void take_eye_of(const View* camera, View& view) {
    PreparedView prepared = contents_of(view);
    take_eye(camera != nullptr ? contents_of(*camera) : PreparedView(), prepared);
    set_prepared(view, prepared);
}

/// A view of all that the map shows; of a directional light's map, of all that stands before that, too.
Status prepare_frustum(const ShadowMap& map, std::uint32_t hidden_layers, const DirectionalLight* light,
                       const View* camera, View& view) {
    const ViewOptions options = {.hidden_layers = hidden_layers, .directional_light = light};
    Status status = prepare_view(map.clip_from_world, map.clip_space, view, options);
    if (status) take_eye_of(camera, view);
    return status;
}

class Preparing {
public:
    Preparing(PassContents& pass, Casters casters, const Runner& runner)
        : pass_(pass), casters_(casters), runner_(runner) {}

    [[nodiscard]] Status run() {
        pass_.casters = casters_;
        if (Status status = prepare_cascades(); !status) return status;
        for (PointLightMaps& maps : pass_.point_lights) maps.first_whole = PassContents::none;
        static_cast<void>(pass_.light_of_whole.resize(0));
        if (casters_ == Casters::volume && point_lights() > 0) {
            if (Status status = prepare_wholes(); !status) return status;
        }
        return prepare_point_light_maps();
    }

private:
    [[nodiscard]] const PassCamera& camera(std::uint32_t c) const { return pass_.frame.cameras[c]; }
    [[nodiscard]] const PassPointLight& point_light(std::uint32_t l) const { return pass_.frame.point_lights[l]; }
    [[nodiscard]] std::uint32_t point_lights() const { return static_cast<std::uint32_t>(pass_.point_lights.size()); }

    Status prepare_cascades() {
        const auto prepare = [&](std::uint32_t k) {
            const std::uint32_t c = pass_.camera_of_cascade(k);
            const Status status = prepare_cascade(c, k, pass_.views[pass_.cameras() + k]);
            const std::uint32_t number = k - pass_.first_cascade[c];
            return status ? status : within(status, "frame.cameras[%u].directional_light: cascade %u: ", c, number);
        };
        return run_tasks(static_cast<std::uint32_t>(pass_.cascades.size()), pass_.failed, prepare, runner_);
    }

    Status prepare_cascade(std::uint32_t c, std::uint32_t k, View& view) const {
        constexpr std::size_t most_planes = 2;
        const PassDirectionalLight& light = *camera(c).directional_light;
        if (casters_ == Casters::frustum) {
            return prepare_frustum(pass_.maps[k], light.hidden_layers, &light.directional_light, &pass_.views[c], view);
        }
        ViewOptions options = camera(c).options;
        options.clip_planes = options.clip_planes.first(std::min(most_planes, options.clip_planes.size()));
        options.margin += filter_texels_of(light.filter_texels) * pass_.maps[k].texel_size;
        options.hidden_layers = light.hidden_layers;
        options.directional_light = &light.directional_light;
        return prepare_cascade_casters(pass_.slice(c, k), pass_.cascades[k].receivers, options, view);
    }

    /// What casts shadows of point light l into camera c's view: the option of a view, after those that are there.
    void add_casters(std::uint32_t c, std::uint32_t l) {
        const PassPointLight& of = point_light(l);
        PointLight light;
        std::copy_n(of.at, 3, light.at);
        light.range = of.range;
        if (of.spot != nullptr) light.sides = maps_of(l)[0].sides;
        ViewOptions options = camera(c).options;
        options.margin += filter_of(l);
        options.hidden_layers = of.hidden_layers;
        static_cast<void>(pass_.lights.push(light));  // there is room for all point lights
        options.point_light = &pass_.lights[pass_.lights.size() - 1];
        static_cast<void>(pass_.options.push(options));
    }

    [[nodiscard]] std::span<const ShadowMap> maps_of(std::uint32_t l) const {
        const PointLightMaps& maps = pass_.point_lights[l];
        return {pass_.maps.data() + pass_.cascades.size() + maps.first, maps.count};
    }

    /// Finds which point lights may light something in camera c's view: those whose balls share a point with it. A
    /// shadow is received within the margins of the view and of the range, so balls are as much wider on both counts.
    Status find_lit_lights(std::uint32_t c) {
        PointLightBalls& balls = pass_.balls;
        for (std::uint32_t l = 0; l < point_lights(); ++l) {
            balls.radius.data()[l] = rounded_up(point_light(l).range + 2 * (camera(c).options.margin + filter_of(l)));
        }
        constexpr double origin[3] = {0, 0, 0};
        Status status = relative_spheres({pass_.frame.point_lights.data()->at, sizeof(PassPointLight)},
                                         balls.radius.data(), point_lights(), origin, balls.x.data(), balls.y.data(),
                                         balls.z.data(), balls.radius.data());
        if (!status) return status;
        const Batch batch = balls.shapes(point_lights());
        Output output{.visible = {pass_.may_be_lit.data(), visibility_words({&batch, 1})}};
        return lanecull::cull({&batch, 1}, {&pass_.views[c], 1}, {&output, 1},
                              {pass_.scratch.data(), pass_.scratch.size()});
    }
    /// Whether point light l is tested for camera c, for which find_lit_lights() has run.
    [[nodiscard]] bool is_asked(std::uint32_t l, std::uint32_t c) const {
        return (pass_.may_be_lit.data()[l / 64] >> l % 64 & 1) != 0 && is_seen_by(point_light(l), c);
    }
    /// How far from a point's own place its shadow is read, at the end of point light l's range.
    [[nodiscard]] double filter_of(std::uint32_t l) const {
        return filter_texels_of(point_light(l).filter_texels) * maps_of(l)[0].texel_size * point_light(l).range;
    }

    /// The point lights as a whole, camera by camera. Those that light nothing of a camera's view are dropped.
    Status prepare_wholes() {
        std::uint32_t kept = 0;
        for (std::uint32_t c = 0; c < pass_.cameras(); ++c) {
            static_cast<void>(pass_.lights.resize(0));
            static_cast<void>(pass_.options.resize(0));
            if (Status status = find_lit_lights(c); !status) return status;
            for (std::uint32_t l = 0; l < point_lights(); ++l) {
                if (is_asked(l, c)) add_casters(c, l);
            }
            const std::span<const ViewOptions> options{pass_.options.data(), pass_.options.size()};
            const auto views = pass_.views_from(pass_.roots() + kept, static_cast<std::uint32_t>(pass_.options.size()));
            const Status status =
                prepare_caster_views(camera(c).clip_from_world, camera(c).clip_space, options, views, runner_);
            if (!status) return of_camera(status, c);
            kept = keep_wholes(c, kept);
        }
        return {};
    }

    /// Of the views that camera c's point lights as a whole have got from number `first` on, keeps those that are not
    /// empty. Returns how many are kept by now.
    std::uint32_t keep_wholes(std::uint32_t c, std::uint32_t first) {
        std::uint32_t kept = first, next = first;
        for (std::uint32_t l = 0; l < point_lights(); ++l) {
            if (!is_asked(l, c)) continue;
            const View& view = pass_.views[pass_.roots() + next++];
            if (view.sees_nothing()) continue;
            pass_.views[pass_.roots() + kept] = view;
            static_cast<void>(pass_.light_of_whole.push(l));
            PointLightMaps& maps = pass_.point_lights[l];
            if (maps.first_whole == PassContents::none) maps.first_whole = kept;
            ++kept;
        }
        return kept;
    }

    /// What a point light's maps show. By volume only what the light as a whole reaches is tested.
    Status prepare_point_light_maps() {
        const auto prepare = [&](std::uint32_t l) {
            const PointLightMaps& maps = pass_.point_lights[l];
            const bool has_one_camera = camera_count(pass_.frame, point_light(l)) == 1;
            const std::uint32_t c = point_light(l).cameras.empty() ? 0 : point_light(l).cameras[0];
            const View* const seen_by = has_one_camera ? &pass_.views[c] : nullptr;
            for (std::uint32_t face = 0; pass_.is_lit(l) && face < maps.count; ++face) {
                View& view = pass_.views[pass_.first_map_view() + maps.first + face];
                const Status status =
                    prepare_frustum(maps_of(l)[face], point_light(l).hidden_layers, nullptr, seen_by, view);
                if (!status) return within(status, "frame.point_lights[%u]: ", l);
            }
            return Status();
        };
        return run_tasks(point_lights(), pass_.failed, prepare, runner_);
    }

    PassContents& pass_;
    Casters casters_;
    const Runner& runner_;
};

}  // namespace

Status prepare_frame(PassContents& pass, Casters casters, const Runner& runner) {
    return Preparing(pass, casters, runner).run();
}

}  // namespace lanecull
