#pragma once

#include <cstdint>
#include <vector>

#include <lanecull/bounds.h>
#include <lanecull/view.h>

#include "workloads/box_streams.hpp"
#include "workloads/camera.hpp"

namespace bench {

/// The scene of the frame benchmarks: `count` boxes that stand on a square of side 12 sqrt(count), half widths uniform
/// in 1 to 5, heights 2 + 30 u^3 with u uniform in 0 to 1, by chance and in no order.
struct FrameField : BoxStreams {
    explicit FrameField(std::uint32_t count);

    double side;
};

/// The same boxes as engines have them, before anything is computed: a local box around 0 for each, and a transform, 12
/// floats row by row, that turns by nothing and moves to its place; and room for the boxes that these make.
struct MovingField {
    explicit MovingField(const FrameField& field);

    [[nodiscard]] lanecull::BoxStreams world_streams();

    BoxStreams local, world;
    std::vector<float> transforms;
};

/// At (0, -side / 3, 1.8), looking along +y, z up, 50 degrees high, 16:9, near 0.1. With far = side it has 53 % of the
/// boxes in view.
Camera frame_camera(double side, double far_depth);

/// A directional light 20 degrees high over (0.6, 0.8).
lanecull::DirectionalLight frame_directional_light();

/// A point light 30 before and 6 above the camera, with a range of 60.
lanecull::PointLight frame_point_light(const Camera& camera);

/// Point light l of 64 with a range of 60, spread over the field as points are that fill a square evenly (the additive
/// recurrence of the plastic number), 6 above the ground.
inline constexpr std::uint32_t frame_point_light_count = 64;
lanecull::PointLight spread_point_light(double side, std::uint32_t l);

}  // namespace bench
