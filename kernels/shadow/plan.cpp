/// Planning a frame: the places of its views in memory, the cameras' views, the slices' depths, the maps.

#include <algorithm>

#include "shadow/pass_contents.hpp"
#include "shadow/tasks.hpp"

namespace lanecull {
namespace {

Status fit_cascade(const CullPass::Contents& pass, std::uint32_t camera, std::uint32_t cascade, ShadowMap& map) {
    const PassSun& sun = *pass.frame.cameras[camera].sun;
    SunMapOptions options = sun.map;
    std::copy_n(sun.sun.toward, 3, options.toward);
    const Status status = fit_sun_map(pass.slice(camera, cascade), pass.cascades[cascade].receivers, options, map);
    return status ? status : Status::failure(status.code(), "frame.cameras[%u].sun->map: %s", camera, status.message());
}

Status make_lamp_map(const PassLamp& lamp, std::uint32_t face, ShadowMap& map) {
    if (lamp.spot == nullptr) return cube_map_face(lamp.at, face, lamp.near_depth, lamp.range, lamp.texels, map);
    const PassSpot& spot = *lamp.spot;
    return spot_map(lamp.at, spot.forward, spot.up, spot.tan_x, spot.tan_y, lamp.near_depth, lamp.range, lamp.texels,
                    map);
}

}  // namespace

void lay_out(CullPass::Contents& pass, const PassFrame& frame) {
    pass.frame = frame;
    // reserve() has made room, and the frame keeps its limits: nothing of this can fail.
    const auto resize = [](auto& array, std::size_t size) { static_cast<void>(array.resize(size)); };
    std::uint32_t cascades = 0, maps = 0, wholes = 0;
    resize(pass.first_cascade, frame.cameras.size() + 1);
    for (std::size_t c = 0; c < frame.cameras.size(); ++c) {
        pass.first_cascade[c] = cascades;
        if (frame.cameras[c].sun != nullptr) cascades += frame.cameras[c].sun->cascades;
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

Status plan_cameras(CullPass::Contents& pass, const Runner& runner) {
    const auto prepare = [&](std::uint32_t c) {
        const PassCamera& camera = pass.frame.cameras[c];
        const Status status = prepare_view(camera.clip_from_world, camera.clip_space, pass.views[c], camera.options);
        return status ? status : Status::failure(status.code(), "frame.cameras[%u].%s", c, status.message());
    };
    if (Status status = run_tasks(pass.cameras(), pass.failed, prepare, runner); !status) return status;
    for (std::uint32_t c = 0; c < pass.cameras(); ++c) {
        const std::uint32_t first = pass.first_cascade[c], count = pass.first_cascade[c + 1] - first;
        if (count == 0) continue;
        const PassSun& sun = *pass.frame.cameras[c].sun;
        double depths[most_cascades + 1];
        const Status status = split_depths(sun.near_depth, sun.far_depth, sun.logarithmic, {depths, count + 1});
        if (!status) return Status::failure(status.code(), "frame.cameras[%u].sun->%s", c, status.message());
        for (std::uint32_t k = 0; k < count; ++k) pass.cascades[first + k] = {depths[k], depths[k + 1], {}};
    }
    return {};
}

Status plan_maps(CullPass::Contents& pass) {
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
            if (!status) return Status::failure(status.code(), "frame.lamps[%zu].%s", l, status.message());
        }
    }
    return {};
}

}  // namespace lanecull
