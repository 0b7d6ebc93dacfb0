#include "street_lights.hpp"

#include <algorithm>
#include <cmath>
#include <glm/trigonometric.hpp>
#include <variant>

#include "scene/random.hpp"
#include "support/error.hpp"

namespace lanecull::program {

std::vector<SceneLight> street_lights(const Scene& city, std::uint64_t count) {
    const auto group = std::ranges::find(city.groups, "lights", &Group::name);
    if (group == city.groups.end()) fail("--night: a city of {} objects has no lamps", city.object_count());
    const auto& lamps = std::get<SphereArrays>(group->arrays);
    Random random(20261130);
    std::vector<SceneLight> lights;
    for (std::uint64_t i = 0; i < count; ++i) {
        const auto lamp = static_cast<std::size_t>(random.below(static_cast<int>(lamps.x.size())));
        const double along_x = random.between(-5, 5), along_y = random.between(-5, 5);
        const double lean_x = random.between(-0.4, 0.4), lean_y = random.between(-0.4, 0.4);
        const double range = random.between(10, 25), degrees = random.between(20, 55);
        SceneLight light{.at = {lamps.x[lamp] + along_x, lamps.y[lamp] + along_y, lamps.z[lamp] - 0.5}, .range = range};
        if (i % 2 == 1) {
            light.axis = {lean_x, lean_y, -1};
            light.tangent = std::tan(glm::radians(degrees));
        }
        lights.push_back(light);
    }
    return lights;
}

}  // namespace lanecull::program
