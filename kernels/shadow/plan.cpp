/// The rules of a frame. What is left out here, preparing its views checks: matrices, planes, directions.
///
/// Planning a frame: the places of its views in memory, the cameras' views, the slices' depths, the maps.

#include <algorithm>
#include <cmath>

#include "base/failure.hpp"
#include "base/given.hpp"
#include "shadow/pass_contents.hpp"

namespace lanecull {
namespace {

constexpr double most_filter_texels = 65536;

bool is_filter(double texels) { return filter_texels_of(texels) <= most_filter_texels; }

Status check_directional_light(const PassDirectionalLight& light, std::uint32_t cascades, std::size_t camera) {
    if (!is_cleared(light)) {
        return within(not_cleared("directional_light->reserved"), "frame.cameras[%zu].", camera);
    }
    if (cascades > most_cascades) {
        return failure("frame.cameras[%zu].directional_light->cascades: 1 to %u, not %u", camera, most_cascades,
                       cascades);
    }
    if (!is_filter(light.filter_texels)) {
        return failure("frame.cameras[%zu].directional_light->filter_texels: %g is not up to 65536", camera,
                       light.filter_texels);
    }
    return {};
}

Status check_camera(const PassCamera& camera, std::size_t c) {
    if (!is_cleared(camera)) return within(not_cleared("reserved"), "frame.cameras[%zu].", c);
    if (camera.options.directional_light != nullptr || camera.options.point_light != nullptr) {
        return failure("frame.cameras[%zu].options: a camera's own view has no light", c);
    }
    return camera.directional_light != nullptr
               ? check_directional_light(*camera.directional_light, cascade_count(camera), c)
               : Status();
}

Status check_point_light(const PassFrame& frame, std::size_t l) {
    const PassPointLight& light = frame.point_lights[l];
    if (!is_cleared(light)) return within(not_cleared("reserved"), "frame.point_lights[%zu].", l);
    if (light.spot != nullptr && !is_cleared(*light.spot)) {
        return within(not_cleared("spot->reserved"), "frame.point_lights[%zu].", l);
    }
    if (Status status = check_span(light.cameras, "cameras"); !status) {
        return within(status, "frame.point_lights[%zu].", l);
    }
    if (!(light.range > 0 && std::isfinite(light.range))) {
        return failure("frame.point_lights[%zu].range: %g is not positive and finite", l, light.range);
    }
    if (!is_filter(light.filter_texels)) {
        return failure("frame.point_lights[%zu].filter_texels: %g is not up to 65536", l, light.filter_texels);
    }
    if (light.cameras.size() > frame.cameras.size()) {
        return failure("frame.point_lights[%zu].cameras: names %zu, there are %zu", l, light.cameras.size(),
                       frame.cameras.size());
    }
    for (std::size_t i = 0; i < light.cameras.size(); ++i) {
        if (light.cameras[i] >= frame.cameras.size()) {
            return failure("frame.point_lights[%zu].cameras[%zu]: there is no camera %u", l, i, light.cameras[i]);
        }
        for (std::size_t k = 0; k < i; ++k) {
            if (light.cameras[k] == light.cameras[i]) {
                return failure("frame.point_lights[%zu].cameras[%zu]: %u is there twice", l, i, light.cameras[i]);
            }
        }
    }
    return {};
}

Status check_limit(const char* name, std::size_t count, std::uint32_t most) {
    if (count <= most) return {};
    return failure("frame.%s: %zu, but reserve() was for %u", lasting(name), count, most);
}

}  // namespace

Status check_frame(const PassContents& pass, const PassFrame& frame) {
    Status sound = check_cleared(frame, "frame");
    if (sound) sound = check_span(frame.cameras, "frame.cameras");
    if (sound) sound = check_span(frame.point_lights, "frame.point_lights");
    if (!sound) return sound;
    if (frame.cameras.empty()) return failure("frame.cameras: there must be one");
    if (frame.occluders != nullptr) {
        if (Status status = check_occluders(pass, *frame.occluders); !status) return status;
    }
    if (Status status = check_limit("cameras", frame.cameras.size(), pass.limits.cameras); !status) return status;
    if (Status status = check_limit("point_lights", frame.point_lights.size(), pass.limits.point_lights); !status) {
        return status;
    }
    std::size_t cascades = 0;
    for (std::size_t c = 0; c < frame.cameras.size(); ++c) {
        if (Status status = check_camera(frame.cameras[c], c); !status) return status;
        cascades += cascade_count(frame.cameras[c]);
    }
    if (Status status = check_limit("cameras: cascades", cascades, pass.limits.cascades); !status) return status;
    for (std::size_t l = 0; l < frame.point_lights.size(); ++l) {
        if (Status status = check_point_light(frame, l); !status) return status;
    }
    return check_light_cells(pass, frame);
}

namespace {

Status fit_cascade(const PassContents& pass, std::uint32_t camera, std::uint32_t cascade, ShadowMap& map) {
    const PassDirectionalLight& light = *pass.frame.cameras[camera].directional_light;
    DirectionalMapOptions options = light.map;
    std::copy_n(light.directional_light.toward, 3, options.toward);
    const Status status =
        fit_directional_map(pass.slice(camera, cascade), pass.cascades[cascade].receivers, options, map);
    return status ? status : within(status, "frame.cameras[%u].directional_light->map: ", camera);
}

Status make_point_light_map(const PassPointLight& light, std::uint32_t face, ShadowMap& map) {
    const std::uint32_t texels = texels_of(light);
    if (light.spot == nullptr) return cube_map_face(light.at, face, light.near_depth, light.range, texels, map);
    const PassSpotLight& spot = *light.spot;
    const double tan_x = spot.tan_x != 0 ? spot.tan_x : 1, tan_y = spot.tan_y != 0 ? spot.tan_y : 1;
    return spot_map(light.at, spot.forward, spot.up, tan_x, tan_y, light.near_depth, light.range, texels, map);
}

}  // namespace

void lay_out(PassContents& pass, const PassFrame& frame) {
    pass.frame = frame;
    // reserve() has made room, and the frame keeps its limits: nothing of this can fail.
    const auto resize = [](auto& array, std::size_t size) { static_cast<void>(array.resize(size)); };
    std::uint32_t cascades = 0, maps = 0, wholes = 0;
    std::fill(pass.chosen_counts.begin(), pass.chosen_counts.end(), 0u);
    resize(pass.first_cascade, frame.cameras.size() + 1);
    for (std::size_t c = 0; c < frame.cameras.size(); ++c) {
        pass.first_cascade[c] = cascades;
        cascades += cascade_count(frame.cameras[c]);
    }
    pass.first_cascade[frame.cameras.size()] = cascades;
    resize(pass.cascades, cascades);
    resize(pass.point_lights, frame.point_lights.size());
    for (std::size_t l = 0; l < frame.point_lights.size(); ++l) {
        pass.point_lights[l] = {maps, frame.point_lights[l].spot != nullptr ? 1 : cube_faces};
        maps += pass.point_lights[l].count;
        wholes += camera_count(frame, frame.point_lights[l]);
    }
    pass.most_wholes = wholes;
    resize(pass.maps, cascades + maps);
    resize(pass.views, pass.first_map_view() + maps);
}

Status plan_cameras(PassContents& pass, const Runner& runner) {
    const auto prepare = [&](std::uint32_t c) {
        const PassCamera& camera = pass.frame.cameras[c];
        const Status status = prepare_view(camera.clip_from_world, camera.clip_space, pass.views[c], camera.options);
        return status ? status : within(status, "frame.cameras[%u].", c);
    };
    if (Status status = run_tasks(pass.cameras(), pass.failed, prepare, runner); !status) return status;
    for (std::uint32_t c = 0; c < pass.cameras(); ++c) {
        const std::uint32_t first = pass.first_cascade[c], count = pass.first_cascade[c + 1] - first;
        if (count == 0) continue;
        const PassDirectionalLight& light = *pass.frame.cameras[c].directional_light;
        double depths[most_cascades + 1];
        const Status status =
            split_depths(light.near_depth, light.far_depth, logarithmic_of(light), {depths, count + 1});
        if (!status) return within(status, "frame.cameras[%u].directional_light->", c);
        for (std::uint32_t k = 0; k < count; ++k) pass.cascades[first + k] = {depths[k], depths[k + 1], {}};
    }
    return {};
}

Status plan_maps(PassContents& pass) {
    for (std::uint32_t c = 0; c < pass.cameras(); ++c) {
        for (std::uint32_t k = pass.first_cascade[c]; k < pass.first_cascade[c + 1]; ++k) {
            if (Status status = fit_cascade(pass, c, k, pass.maps[k]); !status) return status;
        }
    }
    for (std::size_t l = 0; l < pass.point_lights.size(); ++l) {
        const PointLightMaps& maps = pass.point_lights[l];
        ShadowMap* to = pass.maps.data() + pass.cascades.size() + maps.first;
        for (std::uint32_t face = 0; face < maps.count; ++face) {
            const Status status = make_point_light_map(pass.frame.point_lights[l], face, to[face]);
            if (!status) return within(status, "frame.point_lights[%zu].", l);
        }
    }
    return {};
}

}  // namespace lanecull
