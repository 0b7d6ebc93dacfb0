#pragma once

#include <limits>

#include <lanecull/shadow.h>
#include <lanecull/view.h>

/// What numbers stand for of which 0 is the usual one.

[[nodiscard]] inline double reach_of(const lanecull::Sun& sun) {
    return sun.reach == 0 ? std::numeric_limits<double>::infinity() : sun.reach;
}

[[nodiscard]] inline double range_of(const lanecull::Lamp& lamp) {
    return lamp.range == 0 ? std::numeric_limits<double>::infinity() : lamp.range;
}

/// PassSun::filter_texels, PassLamp::filter_texels.
[[nodiscard]] inline double filter_texels_of(double given) { return given == 0 ? 4.5 : given < 0 ? 0 : given; }
