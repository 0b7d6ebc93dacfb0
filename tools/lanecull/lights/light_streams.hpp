#pragma once

#include <lanecull/light_grid.h>
#include <span>
#include <vector>

#include "scene/scene_lights.hpp"

namespace lanecull::program {

/// Lights as the library takes them: lamps first, then spotlights, each in their order.
struct LightStreams {
    std::vector<float> ball[4], spot[8];
    Lights lights;

    /// `usual_range`: of lights that do not say theirs.
    LightStreams(std::span<const SceneLight> given, double usual_range) {
        for (const SceneLight& light : given) {
            const double range = light.range > 0 ? light.range : usual_range;
            const double numbers[8] = {light.at.x,   light.at.y,   light.at.z,   range,
                                       light.axis.x, light.axis.y, light.axis.z, light.tangent};
            const bool is_spot = light.tangent > 0;
            for (std::size_t k = 0; k < (is_spot ? 8 : 4); ++k) {
                (is_spot ? spot[k] : ball[k]).push_back(static_cast<float>(numbers[k]));
            }
        }
        lights.balls = {ball[0].data(), ball[1].data(), ball[2].data(), ball[3].data(),
                        static_cast<std::uint32_t>(ball[0].size())};
        lights.spots = {spot[0].data(), spot[1].data(), spot[2].data(),
                        spot[3].data(), spot[4].data(), spot[5].data(),
                        spot[6].data(), spot[7].data(), static_cast<std::uint32_t>(spot[0].size())};
    }
    LightStreams(const LightStreams&) = delete;
    LightStreams& operator=(const LightStreams&) = delete;

    [[nodiscard]] std::size_t count() const { return ball[0].size() + spot[0].size(); }
};

}  // namespace lanecull::program
