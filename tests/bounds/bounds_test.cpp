#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include <lanecull/bounds.h>

#include "calls/kinds.hpp"
#include "support/culling.hpp"
#include "support/generate.hpp"
#include "support/scale.hpp"

/// bounding_radii() and bounding_spheres(): the vertices are inside, and the bounds are not much larger than needed.

namespace {

using oracle::Real;
using oracle::Vec;

std::vector<Object> any_objects(Random& random, Kind kind, const HullSet& hulls, int count) {
    std::vector<Object> objects;
    for (int i = 0; i < count; ++i) {
        const PreparedCamera prepared = random_prepared_camera(random, all_projections[i % 9]);
        objects.push_back(random_object(random, kind, prepared.camera, all_placements[i % 6], hulls));
    }
    return objects;
}

Real farthest(const oracle::Solid& solid, Vec centre) {
    Real distance = 0;
    for (const Vec point : solid.points) distance = std::max(distance, length(point - centre));
    return distance;
}

TEST(BoundingRadii, ContainTheBoxAndLittleMore) {
    Random random(31);
    const std::vector<Object> objects = any_objects(random, Kind::oriented_box, {}, scaled(20'000));
    HeapMemory memory;
    const lanecull::Batch batch = make_batch(Kind::oriented_box, objects, {}, memory, {.bounds = false});
    std::vector<float> radius(objects.size());
    ASSERT_TRUE(lanecull::bounding_radii(*batch.get_if<lanecull::OrientedBoxes>(), radius.data()));
    for (std::size_t i = 0; i < objects.size(); ++i) {
        const auto& f = objects[i].fields;
        // The corners' offsets from the centre, without the rounding that adding the centre would bring.
        const float nowhere[3] = {};
        const Real needed = farthest(solids::oriented_box<oracle::Terms>(nowhere, f.data() + 3, f.data() + 12), {});
        ASSERT_GE(static_cast<Real>(radius[i]), needed) << describe(Kind::oriented_box, objects[i], {});
        ASSERT_LE(static_cast<Real>(radius[i]), needed * (1 + 0x1p-20L) + 1e-37L)
            << describe(Kind::oriented_box, objects[i], {});
    }
}

/// x, y, z and radius of each object's sphere: those of the call, or of the batch's own streams.
std::vector<std::array<float, 4>> spheres_of(const lanecull::Batch& batch) {
    const std::size_t n = batch.count();
    std::vector<float> numbers(4 * n);
    float* const s = numbers.data();
    lanecull::visit(batch, [&]<class Shapes>(const Shapes& shapes) {
        if constexpr (requires { bounding_spheres(shapes, s, s, s, s); }) {
            EXPECT_TRUE(bounding_spheres(shapes, s, s + n, s + 2 * n, s + 3 * n));
        }
    });
    std::vector<std::array<float, 4>> spheres;
    for (std::size_t i = 0; i < n; ++i) spheres.push_back({s[i], s[n + i], s[2 * n + i], s[3 * n + i]});
    return spheres;
}

TEST(BoundingSpheres, ContainTheInstanceAndLittleMore) {
    Random random(32);
    const HullSet hulls = random_hulls(random, 10);
    for (const Kind kind : {Kind::hull, Kind::box_instance}) {
        const std::vector<Object> objects = any_objects(random, kind, hulls, scaled(20'000));
        HeapMemory memory;
        for (const bool by_index : {false, true}) {
            const auto spheres = spheres_of(make_batch(kind, objects, hulls, memory, {.bounds = !by_index}));
            for (std::size_t i = 0; i < objects.size(); ++i) {
                const Vec centre{spheres[i][0], spheres[i][1], spheres[i][2]};
                const oracle::Solid solid = solid_of(kind, objects[i], hulls);
                const Real radius = spheres[i][3], needed = farthest(solid, centre);
                ASSERT_GE(radius + 0x1p-60L * solid.magnitude, needed) << describe(kind, objects[i], hulls);
                if (kind == Kind::hull) continue;
                // The stored centre is off by half a float's step, which counts once more.
                ASSERT_LE(radius, needed * (1 + 0x1p-22L) + 0x1p-22L * solid.magnitude + 1e-37L)
                    << describe(kind, objects[i], hulls);
            }
        }
    }
}

TEST(Bounds, OfInvalidObjectsAreNaN) {
    Random random(33);
    const HullSet hulls = random_hulls(random, 3);
    for (const Kind kind : {Kind::oriented_box, Kind::hull, Kind::box_instance}) {
        for (std::size_t field = 0; field < field_count(kind); ++field) {
            std::vector<Object> objects = any_objects(random, kind, hulls, 19);
            const std::size_t bad = static_cast<std::size_t>(random.below(19));
            objects[bad].fields[field] = std::numeric_limits<float>::quiet_NaN();
            HeapMemory memory;
            const lanecull::Batch batch = make_batch(kind, objects, hulls, memory);
            for (std::size_t i = 0; i < objects.size(); ++i) {
                const float radius = kind == Kind::oriented_box
                                         ? batch.get_if<lanecull::OrientedBoxes>()->bounding_radius[i]
                                         : spheres_of(batch)[i][3];
                EXPECT_EQ(std::isnan(radius), i == bad) << kind_name(kind) << " field " << field << " object " << i;
            }
        }
    }
}

TEST(Bounds, OfBoxesThatAreNoneAreNaN) {
    const float low[] = {-1, 2}, high[] = {1, 1};
    std::vector<float> matrices;
    for (int i = 0; i < 3; ++i) matrices.insert(matrices.end(), {1, 0, 0, 5, 0, 1, 0, 0, 0, 0, 1, 0});
    const std::uint32_t index[] = {0, 1, 2};  // there is no box 2, and box 1 goes from 2 to 1
    const lanecull::BoxInstances instances{{.first = matrices.data(), .layout = lanecull::TransformLayout::rows_3x4},
                                           {{low, low, low, high, high, high, 2}, index},
                                           3};
    const auto spheres = spheres_of(instances);
    EXPECT_EQ(spheres[0][0], 5);
    EXPECT_NEAR(spheres[0][3], std::sqrt(3.0f), 1e-6f);
    EXPECT_TRUE(std::isnan(spheres[1][3]));
    EXPECT_TRUE(std::isnan(spheres[2][3]));
}

}  // namespace
