#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include <lanecull/bounds.h>
#include <lanecull/pairs.h>

#include "support/culling.hpp"
#include "support/double3.hpp"
#include "support/generate.hpp"
#include "support/random.hpp"
#include "support/scale.hpp"

/// Small objects beside large ones. The numbers are integers times powers of two, so that the truth is known exactly.
/// What is proved depends on what lies near the contact, not on how large the other object is.

namespace {

using lanecull::Batch;

/// A floor whose upper face is level or tilted as 3 to 4, goes through the origin and reaches `half` to each side; it
/// is `depth` thick. Every kind that can have this shape.
class Floor {
public:
    Floor(float half, float depth, bool tilts) : tilts_(tilts) {
        // Along the face, out of it, and along it: as long as 1, or as 5.
        const float rows[2][9] = {{1, 0, 0, 0, 1, 0, 0, 0, 1}, {4, 3, 0, -3, 4, 0, 0, 0, 5}};
        const float* const axes = rows[tilts];
        const float unit = tilts ? 5.0f : 1.0f, h = half / unit, d = depth / 2 / unit;
        for (std::size_t k = 0; k < 9; ++k) axes_[k] = axes[k];
        for (std::size_t k = 0; k < 3; ++k) center_[k] = -d * axes[3 + k];
        half_ = {h, d, h};
        for (std::size_t r = 0; r < 3; ++r) {
            for (std::size_t k = 0; k < 3; ++k) matrix_[4 * r + k] = axes[3 * k + r];
            matrix_[4 * r + 3] = 0;
        }
        local_ = {-h, -2 * d, -h, h, 0, h};
        for (unsigned corner = 0; corner < 8; ++corner) {
            for (std::size_t k = 0; k < 3; ++k) vertices_[k].push_back(local_[(corner >> k & 1) != 0 ? 3 + k : k]);
        }
        EXPECT_TRUE(lanecull::prepare_hull(vertices_[0].data(), vertices_[1].data(), vertices_[2].data(), 8, hull_));
    }
    Floor(const Floor&) = delete;

    [[nodiscard]] std::vector<Batch> shapes() const {
        const float *c = center_.data(), *h = half_.data(), *l = local_.data();
        lanecull::OrientedBoxes oriented;
        oriented.x = c, oriented.y = c + 1, oriented.z = c + 2;
        oriented.axes = {axes_.data()}, oriented.half_extents = {h}, oriented.count = 1;
        lanecull::BoxInstances placed;
        placed.transforms = {.first = matrix_.data(), .layout = lanecull::TransformLayout::rows_3x4};
        placed.local.boxes = {l, l + 1, l + 2, l + 3, l + 4, l + 5, 1};
        placed.count = 1;
        lanecull::HullInstances hulls;
        hulls.transforms = {.first = matrix_.data(), .layout = lanecull::TransformLayout::rows_3x4};
        hulls.hulls = &hull_, hulls.hull_count = 1, hulls.count = 1;
        std::vector<Batch> all = {oriented, placed, hulls};
        if (!tilts_) {
            all.emplace_back(lanecull::Boxes{l, l + 1, l + 2, l + 3, l + 4, l + 5, 1});
            all.emplace_back(lanecull::CenteredBoxes{c, c + 1, c + 2, h, h + 1, h + 2, 1});
        }
        return all;
    }

private:
    bool tilts_;
    std::array<float, 9> axes_;
    std::array<float, 3> center_, half_;
    std::array<float, 12> matrix_;
    std::array<float, 6> local_;
    std::vector<float> vertices_[3];
    lanecull::Hull hull_;
};

constexpr float radius = 0.515625f;

/// Calls check(floor, ball, motion, isa, what) for balls `height` above floors of many sizes.
template <class Check>
void for_floors(float height, const Check& check) {
    for (const float half : {5.0f, 50.0f, 500.0f, 5000.0f, 50000.0f}) {
        for (const float depth : {0.5f, 2 * half}) {
            for (const bool tilts : {false, true}) {
                const Floor floor(half, depth, tilts);
                for (const float share : {0.0f, 0.25f, 0.75f}) {
                    // Out of the face by `height`, and along it. All of it is exact.
                    const float along = std::floor(share * half), n = tilts ? height / 5 : height;
                    const std::array<float, 3> at =
                        tilts ? std::array{along - 3 * n, 0.75f * along + 4 * n, -0.25f * along}
                              : std::array{along, n, -0.25f * along};
                    const std::array<float, 3> motion =
                        tilts ? std::array{6.0f, -8.0f, 0.0f} : std::array{0.0f, -10.0f, 0.0f};
                    const lanecull::Spheres ball{&at[0], &at[1], &at[2], &radius, 1};
                    for (const Batch& shapes : floor.shapes()) {
                        for (const lanecull::Isa isa : runnable_isas()) {
                            check(shapes, ball, motion, isa,
                                  "kind " + std::to_string(static_cast<int>(shapes.kind)) + ", half " +
                                      std::to_string(half) + ", along " + std::to_string(along) + ", tilted " +
                                      std::to_string(tilts) + ", " + lanecull::isa_name(isa));
                        }
                    }
                }
            }
        }
    }
}

TEST(LargeTargets, BracketTheFirstContact) {
    const double contact = (3.125 - static_cast<double>(radius)) / 10;
    const std::uint32_t zero = 0;
    for_floors(3.125f, [&](const Batch& floor, const lanecull::Spheres& ball, const std::array<float, 3>& motion,
                           lanecull::Isa isa, const std::string& what) {
        lanecull::PairCastOptions options;
        options.isa = isa;
        for (const bool turned : {false, true}) {
            const std::array<float, 3> way = turned ? std::array{-motion[0], -motion[1], -motion[2]} : motion;
            const Batch of_ball = ball;
            float earliest = -1, latest = -1;
            ASSERT_TRUE(lanecull::cast_pairs(turned ? floor : of_ball, turned ? of_ball : floor, {&zero, &zero, 1},
                                             {&way[0], &way[1], &way[2]}, {&earliest, &latest}, options));
            EXPECT_LE(static_cast<double>(earliest), contact) << what;
            EXPECT_GE(static_cast<double>(latest), contact) << what;
            EXPECT_LE(latest - earliest, 1.25e-4f) << what;
        }
    });
}

TEST(LargeTargets, AreApartByLittle) {
    const std::uint32_t zero = 0;
    for (const float gap : {0x1p-12f, -0x1p-12f}) {
        // A fifth of the height is a float, too.
        for_floors(5 * 0x1.ap-4f, [&](const Batch& floor, const lanecull::Spheres& of, const std::array<float, 3>&,
                                      lanecull::Isa isa, const std::string& what) {
            const float smaller = 5 * 0x1.ap-4f - gap;
            lanecull::Spheres ball = of;
            ball.radius = &smaller;
            std::uint64_t separated = 0;
            ASSERT_TRUE(lanecull::separate_pairs(ball, floor, {&zero, &zero, 1}, {&separated, 1}, {.isa = isa}));
            EXPECT_EQ(separated, gap > 0 ? 1u : 0u) << what << ", gap " << gap;
        });
    }
}

/// Two crates of unit size 0.5 apart, moving towards each other by 2, whose boxes or vertices have world coordinates.
/// Hulls 1,000 to 10^5 times as long as they are thick, hundreds of times their thickness apart.
TEST(SlenderHulls, HaveCloseBounds) {
    Random random(8);
    const std::uint32_t zero = 0;
    for (int trial = 0; trial < scaled(300); ++trial) {
        std::vector<float> vertices[2][3];
        lanecull::Hull hulls[2];
        const double length = random.log_range(500, 5e4);
        for (std::size_t h = 0; h < 2; ++h) {
            const Double3 along = random_direction(random),
                          middle = random.log_range(0.1, 1) * length * random_direction(random);
            for (int i = 0; i < 9; ++i) {
                const Double3 p =
                    middle + length * random.range(-1, 1) * along + random.range(0, 1) * random_direction(random);
                for (std::size_t k = 0; k < 3; ++k) vertices[h][k].push_back(static_cast<float>(p[k]));
            }
            ASSERT_TRUE(lanecull::prepare_hull(vertices[h][0].data(), vertices[h][1].data(), vertices[h][2].data(), 9,
                                               hulls[h]));
        }
        const float identity[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
        const auto instance = [&](std::size_t h) {
            lanecull::HullInstances instances;
            instances.transforms = {.first = identity, .layout = lanecull::TransformLayout::rows_3x4};
            instances.hulls = &hulls[h], instances.hull_count = 1, instances.count = 1;
            return instances;
        };
        for (const lanecull::Isa isa : runnable_isas()) {
            lanecull::PairDistanceOptions options;
            options.isa = isa;
            float lower = -1, upper = -1;
            ASSERT_TRUE(
                lanecull::pair_distances(instance(0), instance(1), {&zero, &zero, 1}, {&lower, &upper}, options));
            EXPECT_LE(static_cast<double>(upper - lower), 1e-5 * 8 * length)
                << "trial " << trial << ", " << lower << " to " << upper << ", " << lanecull::isa_name(isa);
        }
    }
}

TEST(WorldCoordinates, DoNotWidenTheBounds) {
    const std::uint32_t zero = 0, one = 1;
    const float identity[24] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    for (const float place : {0.0f, 1000.0f, 100000.0f}) {
        const float low_x[2] = {place, place + 1.5f}, high_x[2] = {place + 1, place + 2.5f};
        const float low[2] = {-0.5f, -0.5f}, high[2] = {0.5f, 0.5f}, way_x = 2, way = 0;
        lanecull::BoxInstances boxes;
        boxes.transforms = {.first = identity, .layout = lanecull::TransformLayout::rows_3x4};
        boxes.local.boxes = {low_x, low, low, high_x, high, high, 2};
        boxes.count = 2;
        std::vector<float> vertices[2][3];
        lanecull::Hull hulls[2];
        for (std::size_t h = 0; h < 2; ++h) {
            for (unsigned corner = 0; corner < 8; ++corner) {
                vertices[h][0].push_back((corner & 1) != 0 ? high_x[h] : low_x[h]);
                vertices[h][1].push_back((corner & 2) != 0 ? 0.5f : -0.5f);
                vertices[h][2].push_back((corner & 4) != 0 ? 0.5f : -0.5f);
            }
            ASSERT_TRUE(lanecull::prepare_hull(vertices[h][0].data(), vertices[h][1].data(), vertices[h][2].data(), 8,
                                               hulls[h]));
        }
        const std::uint32_t hull_index[2] = {0, 1};
        lanecull::HullInstances of_hulls;
        of_hulls.transforms = {.first = identity, .layout = lanecull::TransformLayout::rows_3x4};
        of_hulls.hulls = hulls, of_hulls.hull_count = 2, of_hulls.hull_index = hull_index, of_hulls.count = 2;
        for (const Batch& shapes : {Batch(boxes), Batch(of_hulls)}) {
            for (const lanecull::Isa isa : runnable_isas()) {
                lanecull::PairCastOptions options;
                options.isa = isa;
                float earliest = -1, latest = -1;
                ASSERT_TRUE(lanecull::cast_pairs(shapes, shapes, {&zero, &one, 1}, {&way_x, &way, &way},
                                                 {&earliest, &latest}, options));
                EXPECT_LE(earliest, 0.25f) << place << ", " << lanecull::isa_name(isa);
                EXPECT_GE(latest, 0.25f) << place << ", " << lanecull::isa_name(isa);
                EXPECT_LE(latest - earliest, 1.25e-4f) << place << ", " << lanecull::isa_name(isa);
            }
        }
    }
}

}  // namespace
