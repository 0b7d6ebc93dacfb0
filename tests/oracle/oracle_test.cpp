#include <gtest/gtest.h>

#include <cmath>

#include "oracle/oracle.hpp"
#include "support/generate.hpp"
#include "support/queries.hpp"
#include "support/scale.hpp"

/// The other tests rely on the oracle. So this one compares it with cases worked out by hand, with labels computed in
/// rational arithmetic, and with itself under changes that must not matter.

namespace {

using oracle::Answer;
using oracle::Real;
using oracle::Verdict;

/// Looks along -z from the origin: |x| <= -z, |y| <= -z, 1 <= -z <= 10. Row-major, depth 0 .. 1.
constexpr std::array<double, 16> square_camera = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -10.0 / 9, -10.0 / 9, 0, 0, -1, 0};

oracle::Volume square_volume() { return {square_camera, {.layout = lanecull::MatrixLayout::row_major}}; }

oracle::Solid ball(double x, double y, double z, double radius) {
    const float centre[] = {static_cast<float>(x), static_cast<float>(y), static_cast<float>(z)};
    return solids::sphere<oracle::Terms>(centre, static_cast<float>(radius));
}

TEST(Oracle, KnowsBallsAtEachPlane) {
    const oracle::Volume volume = square_volume();
    const double root2 = std::sqrt(2.0);
    EXPECT_EQ(volume.decide(ball(0, 0, -5, 0)).verdict, Verdict::visible);
    // Distances from the planes x = -z and -z = 1 and -z = 10, a hair inside and outside.
    EXPECT_EQ(volume.decide(ball(7, 0, -5, 2 / root2 * 1.0001)).verdict, Verdict::visible);
    EXPECT_EQ(volume.decide(ball(7, 0, -5, 2 / root2 * 0.9999)).verdict, Verdict::apart);
    EXPECT_EQ(volume.decide(ball(0, 0, -0.5, 0.5001)).verdict, Verdict::visible);
    EXPECT_EQ(volume.decide(ball(0, 0, -0.5, 0.4999)).verdict, Verdict::apart);
    EXPECT_EQ(volume.decide(ball(0, 0, -12, 2.0001)).verdict, Verdict::visible);
    EXPECT_EQ(volume.decide(ball(0, 0, -12, 1.9999)).verdict, Verdict::apart);
}

TEST(Oracle, KnowsBallsAtEdgesAndCorners) {
    const oracle::Volume volume = square_volume();
    // Off the far corner (10, 10, -10) by (3, 4, -12): distance 13, though less from every plane.
    EXPECT_EQ(volume.decide(ball(13, 14, -22, 13.001)).verdict, Verdict::visible);
    EXPECT_EQ(volume.decide(ball(13, 14, -22, 12.999)).verdict, Verdict::apart);
    // Off the far right edge (10, y, -10) by (3, 0, -4): distance 5.
    EXPECT_EQ(volume.decide(ball(13, 2, -14, 5.001)).verdict, Verdict::visible);
    EXPECT_EQ(volume.decide(ball(13, 2, -14, 4.999)).verdict, Verdict::apart);
    const Answer answer = volume.decide(ball(13, 2, -14, 4), 0.999L);
    EXPECT_EQ(answer.verdict, Verdict::apart) << "grow counts like radius";
    EXPECT_GT(answer.gap, 0);
    EXPECT_LT(answer.gap, 0.0011L) << "a proved gap is never more than the distance";
}

TEST(Oracle, CallsExactTouchUnclear) {
    EXPECT_EQ(square_volume().decide(ball(0, 0, -0.5, 0.5)).verdict, Verdict::unclear);
    EXPECT_EQ(square_volume().decide(ball(5, 0, -5, 0)).verdict, Verdict::unclear);
}

TEST(Oracle, KnowsWhatPlanesMiss) {
    // A box behind no single plane, yet apart: round the vertical edge at the far right.
    const float min[] = {10.5f, -1, -30}, max[] = {40, 1, -9.9f};
    EXPECT_EQ(square_volume().decide(solids::box<oracle::Terms>(min, max)).verdict, Verdict::apart);
    const float closer[] = {9.5f, -1, -30};
    EXPECT_EQ(square_volume().decide(solids::box<oracle::Terms>(closer, max)).verdict, Verdict::visible);
}

TEST(Oracle, FindsTheEye) {
    Random random(7);
    for (const Projection projection : all_projections) {
        if (projection == Projection::orthographic) continue;
        for (int i = 0; i < 20; ++i) {
            const Camera camera = random_camera(random, projection);
            const oracle::Vec eye = camera.volume().eye();
            const double tolerance = camera.single ? 1e-3 : 1e-9;
            const double reach = 1 + std::fabs(camera.eye[0]) + std::fabs(camera.eye[1]) + std::fabs(camera.eye[2]);
            EXPECT_NEAR(static_cast<double>(eye.x), camera.eye[0], tolerance * reach) << camera.describe();
            EXPECT_NEAR(static_cast<double>(eye.y), camera.eye[1], tolerance * reach) << camera.describe();
            EXPECT_NEAR(static_cast<double>(eye.z), camera.eye[2], tolerance * reach) << camera.describe();
        }
    }
}

/// Labels made by others in rational arithmetic, an independent implementation of an independent method.
TEST(Oracle, AgreesWithRationalLabels) {
    int visible = 0, apart = 0;
    for (const Query& query : read_queries()) {
        if (query.by_corners() || query.directional_light || query.point_light || query.swept()) {
            continue;  // the exact oracle's business
        }
        const oracle::Volume volume(query.matrix, query.clip_space);
        const Answer answer = volume.decide(solid_of(query.kind, query.object, query.hulls));
        if (query.expect == Query::Expect::visible) {
            EXPECT_EQ(answer.verdict, Verdict::visible) << query.id;
            ++visible;
        } else if (query.expect == Query::Expect::culled) {
            EXPECT_EQ(answer.verdict, Verdict::apart) << query.id;
            ++apart;
        }
    }
    EXPECT_GT(visible, 500);
    EXPECT_GT(apart, 400);
}

/// Growing a solid until it is no longer apart brackets its distance; along the way verdicts may change only once.
TEST(Oracle, IsMonotoneAndRarelyUnclear) {
    int unclear = 0, total = 0, changes = 0;
    for (const Projection projection : all_projections) {
        Random random(11 + static_cast<std::uint64_t>(projection));
        for (int c = 0; c < scaled(40); ++c) {
            const Camera camera = random_camera(random, projection);
            const oracle::Volume volume = camera.volume();
            const HullSet hulls = random_hulls(random, 4);
            for (const Kind kind : all_kinds) {
                const Object object = random_object(random, kind, camera, Placement::corner, hulls);
                const oracle::Solid solid = solid_of(kind, object, hulls);
                bool was_visible = false;
                for (Real grow = volume.extent_from_eye(solid) * 0x1p-20L; grow < 1e7L; grow *= 2) {
                    const Verdict verdict = volume.decide(solid, grow).verdict;
                    ++total;
                    if (verdict == Verdict::unclear) ++unclear;
                    if (verdict == Verdict::visible && !was_visible) ++changes;
                    was_visible = was_visible || verdict == Verdict::visible;
                    ASSERT_FALSE(was_visible && verdict == Verdict::apart) << camera.describe() << "\n"
                                                                           << describe(kind, object, hulls);
                }
            }
        }
    }
    EXPECT_LT(unclear, 1 + total / 100'000);
    EXPECT_GT(changes, total / 100);
}

}  // namespace
