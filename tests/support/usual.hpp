#pragma once

#include <limits>

#include <lanecull/shadow.h>
#include <lanecull/view.h>

/// What numbers stand for of which 0 is the usual one.

[[nodiscard]] inline double reach_of(const lanecull::DirectionalLight& light) {
    return light.reach == 0 ? std::numeric_limits<double>::infinity() : light.reach;
}

[[nodiscard]] inline double range_of(const lanecull::PointLight& light) {
    return light.range == 0 ? std::numeric_limits<double>::infinity() : light.range;
}

/// PassDirectionalLight::filter_texels, PassPointLight::filter_texels.
[[nodiscard]] inline double filter_texels_of(double given) { return given == 0 ? 4.5 : given < 0 ? 0 : given; }
