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

Status check_sun(const PassSun& sun, std::uint32_t cascades, std::size_t camera) {
    if (!is_zero(sun.reserved)) return within(not_cleared("sun->reserved"), "frame.cameras[%zu].", camera);
    if (cascades > most_cascades) {
        return failure("frame.cameras[%zu].sun->cascades: 1 to %u, not %u", camera, most_cascades, cascades);
    }
    if (!is_filter(sun.filter_texels)) {
        return failure("frame.cameras[%zu].sun->filter_texels: %g is not up to 65536", camera, sun.filter_texels);
    }
    return {};
}

Status check_camera(const PassCamera& camera, std::size_t c) {
    if (!is_zero(camera.reserved)) return within(not_cleared("reserved"), "frame.cameras[%zu].", c);
    if (camera.options.sun != nullptr || camera.options.lamp != nullptr) {
        return failure("frame.cameras[%zu].options: a camera's own view has no light", c);
    }
    return camera.sun != nullptr ? check_sun(*camera.sun, cascade_count(camera), c) : Status();
}

Status check_lamp(const PassFrame& frame, std::size_t l) {
    const PassLamp& lamp = frame.lamps[l];
    if (!is_zero(lamp.reserved)) return within(not_cleared("reserved"), "frame.lamps[%zu].", l);
    if (lamp.spot != nullptr && !is_zero(lamp.spot->reserved)) {
        return within(not_cleared("spot->reserved"), "frame.lamps[%zu].", l);
    }
    if (Status status = check_span(lamp.cameras, "cameras"); !status) return within(status, "frame.lamps[%zu].", l);
    if (!(lamp.range > 0 && std::isfinite(lamp.range))) {
        return failure("frame.lamps[%zu].range: %g is not positive and finite", l, lamp.range);
    }
    if (!is_filter(lamp.filter_texels)) {
        return failure("frame.lamps[%zu].filter_texels: %g is not up to 65536", l, lamp.filter_texels);
    }
    if (lamp.cameras.size() > frame.cameras.size()) {
        return failure("frame.lamps[%zu].cameras: names %zu, there are %zu", l, lamp.cameras.size(),
                       frame.cameras.size());
    }
    for (std::size_t i = 0; i < lamp.cameras.size(); ++i) {
        if (lamp.cameras[i] >= frame.cameras.size()) {
            return failure("frame.lamps[%zu].cameras[%zu]: there is no camera %u", l, i, lamp.cameras[i]);
        }
        for (std::size_t k = 0; k < i; ++k) {
            if (lamp.cameras[k] == lamp.cameras[i]) {
                return failure("frame.lamps[%zu].cameras[%zu]: %u is there twice", l, i, lamp.cameras[i]);
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
    Status sound = check_reserved(frame.reserved, "frame");
    if (sound) sound = check_span(frame.cameras, "frame.cameras");
    if (sound) sound = check_span(frame.lamps, "frame.lamps");
    if (!sound) return sound;
    if (frame.cameras.empty()) return failure("frame.cameras: there must be one");
    if (Status status = check_limit("cameras", frame.cameras.size(), pass.limits.cameras); !status) return status;
    if (Status status = check_limit("lamps", frame.lamps.size(), pass.limits.lamps); !status) return status;
    std::size_t cascades = 0;
    for (std::size_t c = 0; c < frame.cameras.size(); ++c) {
        if (Status status = check_camera(frame.cameras[c], c); !status) return status;
        cascades += cascade_count(frame.cameras[c]);
    }
    if (Status status = check_limit("cameras: cascades", cascades, pass.limits.cascades); !status) return status;
    for (std::size_t l = 0; l < frame.lamps.size(); ++l) {
        if (Status status = check_lamp(frame, l); !status) return status;
    }
    return {};
}

namespace {

Status fit_cascade(const PassContents& pass, std::uint32_t camera, std::uint32_t cascade, ShadowMap& map) {
    const PassSun& sun = *pass.frame.cameras[camera].sun;
    SunMapOptions options = sun.map;
    std::copy_n(sun.sun.toward, 3, options.toward);
    const Status status = fit_sun_map(pass.slice(camera, cascade), pass.cascades[cascade].receivers, options, map);
    return status ? status : within(status, "frame.cameras[%u].sun->map: ", camera);
}

Status make_lamp_map(const PassLamp& lamp, std::uint32_t face, ShadowMap& map) {
    const std::uint32_t texels = texels_of(lamp);
    if (lamp.spot == nullptr) return cube_map_face(lamp.at, face, lamp.near_depth, lamp.range, texels, map);
    const PassSpot& spot = *lamp.spot;
    const double tan_x = spot.tan_x != 0 ? spot.tan_x : 1, tan_y = spot.tan_y != 0 ? spot.tan_y : 1;
    return spot_map(lamp.at, spot.forward, spot.up, tan_x, tan_y, lamp.near_depth, lamp.range, texels, map);
}

}  // namespace

void lay_out(PassContents& pass, const PassFrame& frame) {
    pass.frame = frame;
    // reserve() has made room, and the frame keeps its limits: nothing of this can fail.
    const auto resize = [](auto& array, std::size_t size) { static_cast<void>(array.resize(size)); };
    std::uint32_t cascades = 0, maps = 0, wholes = 0;
    resize(pass.first_cascade, frame.cameras.size() + 1);
    for (std::size_t c = 0; c < frame.cameras.size(); ++c) {
        pass.first_cascade[c] = cascades;
        cascades += cascade_count(frame.cameras[c]);
    }
    pass.first_cascade[frame.cameras.size()] = cascades;
    resize(pass.cascades, cascades);
    resize(pass.lamps, frame.lamps.size());
    for (std::size_t l = 0; l < frame.lamps.size(); ++l) {
        pass.lamps[l] = {maps, frame.lamps[l].spot != nullptr ? 1 : cube_faces};
        maps += pass.lamps[l].count;
        wholes += camera_count(frame, frame.lamps[l]);
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
        const PassSun& sun = *pass.frame.cameras[c].sun;
        double depths[most_cascades + 1];
        const Status status = split_depths(sun.near_depth, sun.far_depth, logarithmic_of(sun), {depths, count + 1});
        if (!status) return within(status, "frame.cameras[%u].sun->", c);
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
    for (std::size_t l = 0; l < pass.lamps.size(); ++l) {
        const LampMaps& maps = pass.lamps[l];
        ShadowMap* to = pass.maps.data() + pass.cascades.size() + maps.first;
        for (std::uint32_t face = 0; face < maps.count; ++face) {
            const Status status = make_lamp_map(pass.frame.lamps[l], face, to[face]);
            if (!status) return within(status, "frame.lamps[%zu].", l);
        }
    }
    return {};
}

}  // namespace lanecull
