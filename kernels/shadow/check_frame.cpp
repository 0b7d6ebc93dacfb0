/// The rules of a frame. What is left out here, preparing its views checks: matrices, planes, directions.

#include <cmath>

#include "shadow/pass_contents.hpp"

namespace lanecull {
namespace {

constexpr double most_filter_texels = 65536;

bool is_filter(double texels) { return texels >= 0 && texels <= most_filter_texels; }

Status check_sun(const PassSun& sun, std::size_t camera) {
    if (sun.cascades < 1 || sun.cascades > most_cascades) {
        return Status::failure("frame.cameras[%zu].sun->cascades: 1 to %u, not %u", camera, most_cascades,
                               sun.cascades);
    }
    if (!is_filter(sun.filter_texels)) {
        return Status::failure("frame.cameras[%zu].sun->filter_texels: %g is not from 0 to 65536", camera,
                               sun.filter_texels);
    }
    return {};
}

Status check_lamp(const PassFrame& frame, std::size_t l) {
    const PassLamp& lamp = frame.lamps[l];
    if (!(lamp.range > 0 && std::isfinite(lamp.range))) {
        return Status::failure("frame.lamps[%zu].range: %g is not positive and finite", l, lamp.range);
    }
    if (!is_filter(lamp.filter_texels)) {
        return Status::failure("frame.lamps[%zu].filter_texels: %g is not from 0 to 65536", l, lamp.filter_texels);
    }
    if (lamp.cameras.size() > frame.cameras.size()) {
        return Status::failure("frame.lamps[%zu].cameras: names %zu, there are %zu", l, lamp.cameras.size(),
                               frame.cameras.size());
    }
    for (std::size_t i = 0; i < lamp.cameras.size(); ++i) {
        if (lamp.cameras[i] >= frame.cameras.size()) {
            return Status::failure("frame.lamps[%zu].cameras[%zu]: there is no camera %u", l, i, lamp.cameras[i]);
        }
        for (std::size_t k = 0; k < i; ++k) {
            if (lamp.cameras[k] == lamp.cameras[i]) {
                return Status::failure("frame.lamps[%zu].cameras[%zu]: %u is there twice", l, i, lamp.cameras[i]);
            }
        }
    }
    return {};
}

Status check_limit(const char* name, std::size_t count, std::uint32_t most) {
    if (count <= most) return {};
    return Status::failure("frame.%s: %zu, but reserve() was for %u", name, count, most);
}

}  // namespace

Status check_frame(const CullPass::Contents& pass, const PassFrame& frame) {
    if (frame.cameras.empty()) return Status::failure("frame.cameras: there must be one");
    if (Status status = check_limit("cameras", frame.cameras.size(), pass.limits.cameras); !status) return status;
    if (Status status = check_limit("lamps", frame.lamps.size(), pass.limits.lamps); !status) return status;
    std::size_t cascades = 0;
    for (std::size_t c = 0; c < frame.cameras.size(); ++c) {
        const PassCamera& camera = frame.cameras[c];
        if (camera.options.sun != nullptr || camera.options.lamp != nullptr) {
            return Status::failure("frame.cameras[%zu].options: a camera's own view has no light", c);
        }
        if (camera.sun == nullptr) continue;
        if (Status status = check_sun(*camera.sun, c); !status) return status;
        cascades += camera.sun->cascades;
    }
    if (Status status = check_limit("cameras: cascades", cascades, pass.limits.cascades); !status) return status;
    for (std::size_t l = 0; l < frame.lamps.size(); ++l) {
        if (Status status = check_lamp(frame, l); !status) return status;
    }
    return {};
}

}  // namespace lanecull
