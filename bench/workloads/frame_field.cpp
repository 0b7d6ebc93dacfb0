#include "workloads/frame_field.hpp"

#include <cmath>
#include <numbers>

#include "workloads/random.hpp"

namespace bench {

FrameField::FrameField(std::uint32_t count) : side(12 * std::sqrt(count)) {
    Random random(20261124);
    for (std::vector<float>& stream : streams) stream.reserve(count);
    for (std::uint32_t i = 0; i < count; ++i) {
        for (std::size_t k = 0; k < 2; ++k) {
            const double middle = random.uniform(-side / 2, side / 2), half = random.uniform(1, 5);
            streams[k].push_back(static_cast<float>(middle - half));
            streams[3 + k].push_back(static_cast<float>(middle + half));
        }
        const double u = random.uniform(0, 1);
        streams[2].push_back(0);
        streams[5].push_back(static_cast<float>(2 + 30 * u * u * u));
    }
}

MovingField::MovingField(const FrameField& field) : world(field) {
    const std::size_t count = field.streams[0].size();
    transforms.reserve(12 * count);
    for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t k = 0; k < 3; ++k) {
            const float low = field.streams[k][i], high = field.streams[3 + k][i];
            const float middle = 0.5f * low + 0.5f * high, half = 0.5f * high - 0.5f * low;
            local.streams[k].push_back(-half);
            local.streams[3 + k].push_back(half);
            for (std::size_t j = 0; j < 3; ++j) transforms.push_back(j == k ? 1.0f : 0.0f);
            transforms.push_back(middle);
        }
    }
}

lanecull::BoxStreams MovingField::world_streams() {
    auto& s = world.streams;
    return {s[0].data(), s[1].data(), s[2].data(), s[3].data(), s[4].data(), s[5].data()};
}

Camera frame_camera(double side, double far_depth) {
    const double tan_y = std::tan(25.0 / 180.0 * std::numbers::pi);
    return {.eye = {0, -side / 3, 1.8},
            .axes = {{1, 0, 0}, {0, 0, 1}, {0, 1, 0}},
            .tan_x = tan_y * 16.0 / 9.0,
            .tan_y = tan_y,
            .near_depth = 0.1,
            .far_depth = far_depth};
}

lanecull::DirectionalLight frame_directional_light() {
    const double height = 20.0 / 180.0 * std::numbers::pi;
    lanecull::DirectionalLight directional_light;
    directional_light.toward[0] = 0.6 * std::cos(height);
    directional_light.toward[1] = 0.8 * std::cos(height);
    directional_light.toward[2] = std::sin(height);
    return directional_light;
}

lanecull::PointLight frame_point_light(const Camera& camera) {
    lanecull::PointLight point_light;
    point_light.at[0] = camera.eye.x;
    point_light.at[1] = camera.eye.y + 30;
    point_light.at[2] = camera.eye.z + 6;
    point_light.range = 60;
    return point_light;
}

lanecull::PointLight spread_point_light(double side, std::uint32_t l) {
    const double i = l + 0.5;
    lanecull::PointLight point_light;
    point_light.at[0] = side * (std::fmod(0.7548776662466927 * i, 1) - 0.5);
    point_light.at[1] = side * (std::fmod(0.5698402909980532 * i, 1) - 0.5);
    point_light.at[2] = 6;
    point_light.range = 60;
    return point_light;
}

}  // namespace bench
