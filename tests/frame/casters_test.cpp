#include <gtest/gtest.h>

#include "frame/reference.hpp"
#include "support/scale.hpp"

/// No shadow that can be seen is missing: whatever stands between a light and a point of a visible object is in the map
/// that covers the point. Points, lights and objects are taken as the formulas of geometry have them; nothing of the
/// library decides here.

namespace {

using namespace frame_tests;
using lanecull::CullPass;

struct Ball {
    Double3 at;
    double radius;
};

/// The world's balls alone, without what they are drawn with.
std::vector<Ball> balls_of(const World& world) {
    std::vector<Ball> balls;
    for (std::uint32_t i = 0; i < world.count(); ++i) {
        balls.push_back(
            {{static_cast<double>(world.x[i]), static_cast<double>(world.y[i]), static_cast<double>(world.z[i])},
             static_cast<double>(world.half[i])});
    }
    return balls;
}

/// How near the segment from a to b comes to the ball's centre.
double distance_to_segment(const Ball& ball, const Double3& a, const Double3& b) {
    const Double3 way = b - a;
    const double t = std::clamp(dot(ball.at - a, way) / dot(way, way), 0.0, 1.0);
    return length(a + t * way - ball.at);
}

bool is_well_inside(const lanecull::Plane& plane, const Double3& p) {
    const Double3 n{plane.normal[0], plane.normal[1], plane.normal[2]};
    return dot(n, p) + plane.offset > 1e-3 * length(n);
}

/// Points of visible balls, of depths between `near` and `far`, well within the camera's view.
std::vector<Double3> visible_points(const Looking& look, std::span<const lanecull::Plane> planes,
                                    const std::vector<Ball>& balls, double near, double far, Random& random) {
    std::vector<Double3> points;
    for (const Ball& ball : balls) {
        const Double3 p = ball.at + 0.9 * ball.radius * random_direction_of_length_one(random);
        const Double3 q = p - look.eye;
        const double depth = dot(q, look.forward);
        if (depth < near + 0.01 || depth > far - 0.01) continue;
        if (std::fabs(dot(q, look.right)) > 0.999 * look.tan_x * depth) continue;
        if (std::fabs(dot(q, look.up)) > 0.999 * look.tan_y * depth) continue;
        if (std::ranges::all_of(planes, [&](const auto& plane) { return is_well_inside(plane, p); })) {
            points.push_back(p);
        }
    }
    return points;
}

/// Some cameras, and lamps that are near what they see.
void fill_near(Made& made, Random& random) {
    fill(made, random);
    for (int l = 0; l < 12; ++l) {
        const Looking& look = made.looking[static_cast<std::size_t>(l) % made.looking.size()];
        made.add_lamp(look.point(random.range(-1, 1), random.range(-1, 1), random.range(5, 60)), 50);
    }
    for (PassCamera& camera : made.cameras) camera.options.layer_mask = ~0u;
    for (PassLamp& lamp : made.lamps) lamp.layer_mask = ~0u;
}

class CastersTest : public testing::Test {
protected:
    CastersTest() { world.batches.erase(world.batches.begin() + 1, world.batches.end()); }

    World world{4000, 31};
    Random random{32};
};

TEST_F(CastersTest, OfLampsAreInTheirMaps) {
    const std::vector<Ball> balls = balls_of(world);
    std::size_t shadows = 0;
    for (int round = 0; round < static_cast<int>(scaled(20)) + 4; ++round) {
        Made made;
        fill_near(made, random);
        CullPass pass;
        ASSERT_TRUE(pass.reserve(made.limits(), world.batches));
        std::vector<Words> words(lanecull::view_count(made.frame()), Words(lanecull::visibility_words(world.batches)));
        std::vector<lanecull::ViewOutput> outputs(words.size());
        for (std::size_t v = 0; v < words.size(); ++v) outputs[v].visible = words[v];
        ASSERT_TRUE(pass.run(made.frame(), world.batches, outputs));
        for (std::uint32_t c = 0; c < made.cameras.size(); ++c) {
            const Looking& look = made.looking[c];
            const auto points =
                visible_points(look, made.cameras[c].options.clip_planes, balls, look.near, look.far, random);
            for (std::size_t l = 0; l < made.lamps.size(); ++l) {
                const PassLamp& lamp = made.lamps[l];
                if (!sees(lamp, c)) continue;
                const Double3 at{lamp.at[0], lamp.at[1], lamp.at[2]};
                const std::size_t first = pass.first_lamp_view(l), count = lamp.spot != nullptr ? 1 : 6;
                for (const Double3& p : points) {
                    if (length(p - at) > 0.999 * lamp.range || length(p - at) < 3 * lamp.near_depth) continue;
                    for (std::size_t face = 0; face < count; ++face) {
                        const lanecull::ShadowMap& map = pass.maps()[first + face - made.cameras.size()];
                        if (!std::ranges::all_of(map.sides,
                                                 [&](const auto& side) { return is_well_inside(side, p); })) {
                            continue;
                        }
                        // Maps have nothing that is nearer to the lamp.
                        const Double3 begin = at + 2 * lamp.near_depth / length(p - at) * (p - at);
                        for (std::uint32_t i = 0; i < balls.size(); ++i) {
                            if (distance_to_segment(balls[i], begin, p) > 0.99 * balls[i].radius) continue;
                            ++shadows;
                            ASSERT_TRUE(has(words[first + face], i)) << "lamp " << l << ", face " << face;
                        }
                    }
                }
            }
        }
    }
    EXPECT_GT(shadows, 1000u);
}

TEST_F(CastersTest, OfSunsAreInTheirCascades) {
    const std::vector<Ball> balls = balls_of(world);
    std::size_t shadows = 0;
    for (std::uint32_t cascades = 1; cascades <= 8; ++cascades) {
        Made sunny;
        sunny.add_camera(random_looking(random), cascades);
        sunny.add_camera(random_looking(random), 9 - cascades);
        CullPass pass;
        ASSERT_TRUE(pass.reserve(sunny.limits(), world.batches));
        std::vector<Words> words(lanecull::view_count(sunny.frame()), Words(lanecull::visibility_words(world.batches)));
        std::vector<lanecull::ViewOutput> outputs(words.size());
        for (std::size_t v = 0; v < words.size(); ++v) outputs[v].visible = words[v];
        ASSERT_TRUE(pass.run(sunny.frame(), world.batches, outputs));
        for (std::uint32_t c = 0; c < 2; ++c) {
            for (std::size_t k = 0; k < pass.cascades(c).size(); ++k) {
                const lanecull::Cascade& cascade = pass.cascades(c)[k];
                const auto points =
                    visible_points(sunny.looking[c], {}, balls, cascade.near_depth, cascade.far_depth, random);
                const double* toward = sunny.suns[c].sun.toward;
                for (const Double3& p : points) {
                    const Double3 far = p + 1000 * Double3{toward[0], toward[1], toward[2]};
                    for (std::uint32_t i = 0; i < balls.size(); ++i) {
                        if (distance_to_segment(balls[i], p, far) > 0.99 * balls[i].radius) continue;
                        ++shadows;
                        ASSERT_TRUE(has(words[pass.first_cascade_view(c) + k], i)) << "cascade " << k;
                    }
                }
            }
        }
    }
    EXPECT_GT(shadows, 2000u);
}

}  // namespace
