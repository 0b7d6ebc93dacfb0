#include "view/receivers.hpp"

#include <cmath>

#include <lanecull/light.hpp>

namespace lanecull {

Light light_of(const ViewOptions& options, const Interval3& c) {
    Light light;
    if (options.sun == nullptr) {
        const double* at = options.lamp->at;
        light.at = exactly({at[0], at[1], at[2]}) + -c;
        return light;
    }
    const Double3 toward = {options.sun->toward[0], options.sun->toward[1], options.sun->toward[2]};
    light.is_sun = true;
    light.endless = std::isinf(options.sun->reach);
    light.way = exactly(toward) * (light.endless ? 1 / length(toward) : options.sun->reach);
    return light;
}

}  // namespace lanecull
