#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include <lanecull/shadow.h>

#include "support/double3.hpp"
#include "support/generate.hpp"

/// Objects, cameras and lights for tests of the culling pass.
namespace frame_tests {

using lanecull::PassCamera;
using lanecull::PassDirectionalLight;
using lanecull::PassFrame;
using lanecull::PassPointLight;
using lanecull::PassSpotLight;

/// Balls and boxes in a cube of 400 around the origin. Some have margins, layers or a maximum distance. Each has a
/// draw command: those of balls are copies of one template, boxes have one each.
struct World {
    std::vector<float> x, y, z, half, margin, distance;
    std::vector<float> low[3], high[3];  ///< of boxes
    std::vector<std::uint32_t> layers;
    lanecull::DrawCommand of_balls{36, 1, 12, 3, 0};
    std::vector<lanecull::DrawCommand> of_boxes;
    std::vector<lanecull::Batch> batches;

    explicit World(std::uint32_t count, std::uint64_t seed = 5) {
        Random random(seed);
        const auto add = [&](std::vector<float>& to, double least, double most) {
            to.push_back(static_cast<float>(random.range(least, most)));
        };
        for (std::uint32_t i = 0; i < count; ++i) {
            for (std::vector<float>* coordinate : {&x, &y, &z}) add(*coordinate, -200, 200);
            add(half, 0.5, 5);
            const float at[3] = {z.back(), x.back(), y.back()};
            for (std::size_t k = 0; k < 3; ++k) {
                low[k].push_back(at[k] - half.back());
                high[k].push_back(at[k] + half.back());
            }
            add(margin, 0, random.chance(0.3) ? 2 : 1e-9);
            add(distance, 20, random.chance(0.5) ? 200 : 2000);
            layers.push_back(random.chance(0.2) ? 2 : 3);
            of_boxes.push_back({i % 7, 1, i, 0, 100'000 + i});
        }
        const lanecull::Spheres balls{x.data(), y.data(), z.data(), half.data(), count};
        const lanecull::Boxes boxes{low[0].data(),  low[1].data(),  low[2].data(), high[0].data(),
                                    high[1].data(), high[2].data(), count};
        const lanecull::CenteredBoxes marked{y.data(),    z.data(),    x.data(), half.data(),
                                             half.data(), half.data(), count};
        batches.emplace_back(balls);
        batches.back().draws = {&of_balls};
        batches.emplace_back(boxes, count);
        batches.back().draws = {of_boxes.data(), lanecull::DrawTemplates::Per::object};
        batches.emplace_back(marked, 2 * count);
        batches.back().draws = {of_boxes.data(), lanecull::DrawTemplates::Per::object};
        batches.back().attributes.margin = margin.data();
        batches.back().attributes.layers = layers.data();
        batches.back().attributes.max_distance = distance.data();
    }
    World(const World&) = delete;
    World& operator=(const World&) = delete;

    [[nodiscard]] std::uint32_t count() const { return static_cast<std::uint32_t>(x.size()); }
    [[nodiscard]] std::size_t objects() const { return 3 * x.size(); }
    [[nodiscard]] std::size_t words_of_batch() const { return (x.size() + 63) / 64; }
};

/// A camera at `eye` that looks along `forward`, of length 1.
struct Looking {
    Double3 eye{}, forward{0, 0, -1}, right{1, 0, 0}, up{0, 1, 0};
    double tan_x = 1, tan_y = 1, near = 1, far = 101;

    [[nodiscard]] std::array<double, 16> matrix() const {
        std::array<double, 16> m{};
        const double scale = far / (far - near);
        for (std::size_t j = 0; j < 3; ++j) {
            m[4 * j] = right[j] / tan_x;
            m[4 * j + 1] = up[j] / tan_y;
            m[4 * j + 2] = forward[j] * scale;
            m[4 * j + 3] = forward[j];
        }
        m[14] = -near * scale;
        return m;
    }
    [[nodiscard]] PassCamera camera() const {
        PassCamera result;
        std::ranges::copy(matrix(), result.clip_from_world);
        for (std::size_t j = 0; j < 3; ++j) result.clip_space.origin[j] = eye[j];
        return result;
    }
    /// A world point at these multiples of the tangents, at a depth.
    [[nodiscard]] Double3 point(double across, double along, double depth) const {
        return eye + across * tan_x * depth * right + along * tan_y * depth * up + depth * forward;
    }
};

/// What a PassFrame points to.
struct Made {
    std::vector<Looking> looking;
    std::vector<PassDirectionalLight> directional_lights;
    std::vector<PassSpotLight> spots;
    std::vector<std::vector<lanecull::Plane>> clip_planes;
    std::vector<std::vector<std::uint32_t>> seen_by;
    std::vector<PassCamera> cameras;
    std::vector<PassPointLight> point_lights;

    [[nodiscard]] PassFrame frame() const { return {cameras, point_lights}; }
    [[nodiscard]] lanecull::PassLimits limits() const {
        lanecull::PassLimits result{static_cast<std::uint32_t>(cameras.size()), 0,
                                    static_cast<std::uint32_t>(point_lights.size())};
        for (const PassCamera& camera : cameras) {
            if (camera.directional_light == nullptr) continue;
            result.cascades += camera.directional_light->cascades == 0 ? 4 : camera.directional_light->cascades;
        }
        return result;
    }

    Made() {
        // They are pointed to.
        directional_lights.reserve(8), spots.reserve(512), clip_planes.reserve(32), seen_by.reserve(512);
    }
    Made(const Made&) = delete;
    Made& operator=(const Made&) = delete;

    void add_camera(const Looking& look, std::uint32_t cascades) {
        looking.push_back(look);
        cameras.push_back(look.camera());
        if (cascades == 0) return;
        PassDirectionalLight directional_light;
        directional_light.directional_light.toward[0] = 0.4, directional_light.directional_light.toward[1] = 0.8,
        directional_light.directional_light.toward[2] = 0.3;
        directional_light.near_depth = look.near, directional_light.far_depth = 0.8 * look.far;
        directional_light.cascades = cascades;
        directional_light.map.up[0] = 1;
        directional_light.map.is_tight = cascades % 2;
        directional_lights.push_back(directional_light);
        cameras.back().directional_light = &directional_lights.back();
    }
    /// Camera `of` in a mirror: the plane through `at` with that normal, of length 1, seen from its front.
    void add_reflection(std::size_t of, const Double3& at, const Double3& normal) {
        Looking look = looking[of];
        const auto reflected = [&](const Double3& v) { return v - 2 * dot(v, normal) * normal; };
        look.eye = at + reflected(look.eye - at);
        look.forward = reflected(look.forward), look.right = reflected(look.right), look.up = reflected(look.up);
        looking.push_back(look);
        cameras.push_back(look.camera());
        let_cut(cameras.back(), {{{normal[0], normal[1], normal[2]}, -dot(normal, at)}});
    }
    void let_cut(PassCamera& camera, std::vector<lanecull::Plane> by) {
        clip_planes.push_back(std::move(by));
        camera.options.clip_planes = clip_planes.back();
    }
    PassPointLight& add_point_light(const Double3& at, double range) {
        PassPointLight point_light;
        for (std::size_t j = 0; j < 3; ++j) point_light.at[j] = at[j];
        point_light.range = range;
        point_light.near_depth = 0.01 * range;
        point_lights.push_back(point_light);
        return point_lights.back();
    }
    PassPointLight& add_spot(const Double3& at, double range, const Double3& forward) {
        PassSpotLight spot;
        spot.forward[0] = forward[0], spot.forward[1] = forward[1], spot.forward[2] = forward[2];
        spot.up[0] = forward[1], spot.up[1] = -forward[2], spot.up[2] = forward[0] + 0.1;
        spot.tan_x = 0.7, spot.tan_y = 0.4;
        spots.push_back(spot);
        PassPointLight& point_light = add_point_light(at, range);
        point_light.spot = &spots.back();
        return point_light;
    }
    void let_see(PassPointLight& point_light, std::vector<std::uint32_t> by) {
        seen_by.push_back(std::move(by));
        point_light.cameras = seen_by.back();
    }
};

/// Somewhere near the origin, looking anywhere.
inline Looking random_looking(Random& random) {
    Looking look;
    look.eye = {random.range(-60, 60), random.range(-60, 60), random.range(-60, 60)};
    look.forward = random_direction(random);
    const Double3 aside = cross(look.forward, {0.3, 0.5, look.forward[0] > 0.5 ? 1.0 : -0.9});
    look.right = 1 / length(aside) * aside;
    look.up = cross(look.right, look.forward);
    look.tan_x = random.range(0.4, 1.2), look.tan_y = random.range(0.3, 1);
    look.near = random.range(0.1, 2), look.far = random.range(80, 250);
    return look;
}

/// Cameras of which one may be a reflection, directional lights of 1 to 8 cascades or none, point lights of both kinds
/// or none.
inline void fill(Made& made, Random& random) {
    const int cameras = 1 + random.below(3), point_lights = random.chance(0.2) ? 0 : random.below(9);
    for (int c = 0; c < cameras; ++c) {
        const auto cascades = static_cast<std::uint32_t>(random.chance(0.3) ? 0 : 1 + random.below(8));
        made.add_camera(random_looking(random), cascades);
        if (random.chance(0.3)) made.cameras.back().options.hidden_layers = ~1u;
        if (random.chance(0.3)) made.cameras.back().options.margin = random.range(0, 2);
    }
    if (random.chance(0.5)) {
        const Looking& look = made.looking[0];
        made.add_reflection(0, look.eye + 20 * look.forward, -1 * look.forward);
        if (random.chance(0.5)) made.cameras.back().directional_light = made.cameras[0].directional_light;
    }
    for (int l = 0; l < point_lights; ++l) {
        const Looking& look =
            made.looking[static_cast<std::size_t>(random.below(static_cast<int>(made.looking.size())))];
        // Some far behind the camera: they light nothing that is seen.
        const double depth = random.chance(0.2) ? -300 : random.range(-20, look.far);
        const Double3 at = look.point(random.range(-1.2, 1.2), random.range(-1.2, 1.2), depth);
        const double range = random.range(10, 60);
        PassPointLight& point_light =
            random.chance(0.5) ? made.add_point_light(at, range) : made.add_spot(at, range, random_direction(random));
        if (random.chance(0.2)) point_light.hidden_layers = ~2u;
        if (random.chance(0.4)) continue;  // all cameras
        std::vector<std::uint32_t> by;
        for (std::uint32_t c = 0; c < made.cameras.size(); ++c) {
            if (random.chance(0.5)) by.push_back(c);
        }
        made.let_see(point_light, by);
    }
}

}  // namespace frame_tests
