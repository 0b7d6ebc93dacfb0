#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include <lanecull/bounds.hpp>

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
    ASSERT_TRUE(lanecull::bounding_radii(std::get<lanecull::OrientedBoxes>(batch.shapes), radius.data()));
    for (std::size_t i = 0; i < objects.size(); ++i) {
        const auto& f = objects[i].fields;
        // The corners' offsets from the centre, without the rounding that adding the centre would bring.
        const float nowhere[3] = {};
        const Real needed = farthest(oracle::oriented_box(nowhere, f.data() + 3, f.data() + 12), {});
        ASSERT_GE(static_cast<Real>(radius[i]), needed) << describe(Kind::oriented_box, objects[i], {});
        ASSERT_LE(static_cast<Real>(radius[i]), needed * (1 + 0x1p-20L) + 1e-37L)
            << describe(Kind::oriented_box, objects[i], {});
    }
}

TEST(BoundingSpheres, ContainTheInstance) {
    Random random(32);
    const HullSet hulls = random_hulls(random, 10);
    const std::vector<Object> objects = any_objects(random, Kind::hull, hulls, scaled(20'000));
    HeapMemory memory;
    const lanecull::Batch batch = make_batch(Kind::hull, objects, hulls, memory);
    const auto& instances = std::get<lanecull::HullInstances>(batch.shapes);
    for (std::size_t i = 0; i < objects.size(); ++i) {
        const Vec centre{instances.bounding_x[i], instances.bounding_y[i], instances.bounding_z[i]};
        const oracle::Solid solid = solid_of(Kind::hull, objects[i], hulls);
        const Real needed = farthest(solid, centre);
        ASSERT_GE(static_cast<Real>(instances.bounding_radius[i]) + 0x1p-60L * solid.magnitude, needed)
            << describe(Kind::hull, objects[i], hulls);
    }
}

TEST(Bounds, OfInvalidObjectsAreNaN) {
    Random random(33);
    const HullSet hulls = random_hulls(random, 3);
    for (const Kind kind : {Kind::oriented_box, Kind::hull}) {
        for (std::size_t field = 0; field < field_count(kind); ++field) {
            std::vector<Object> objects = any_objects(random, kind, hulls, 19);
            const std::size_t bad = static_cast<std::size_t>(random.below(19));
            objects[bad].fields[field] = std::numeric_limits<float>::quiet_NaN();
            HeapMemory memory;
            const lanecull::Batch batch = make_batch(kind, objects, hulls, memory);
            for (std::size_t i = 0; i < objects.size(); ++i) {
                const float radius = kind == Kind::hull
                                         ? std::get<lanecull::HullInstances>(batch.shapes).bounding_radius[i]
                                         : std::get<lanecull::OrientedBoxes>(batch.shapes).bounding_radius[i];
                EXPECT_EQ(std::isnan(radius), i == bad) << kind_name(kind) << " field " << field << " object " << i;
            }
        }
    }
}

}  // namespace
