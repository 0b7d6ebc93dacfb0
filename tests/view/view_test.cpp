#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <string>

#include "support/culling.hpp"
#include "support/generate.hpp"
#include "support/scale.hpp"
#include "view/prepared_view.hpp"

/// prepare_view(): which matrices it accepts, and that one camera gives the same volume in every layout.

namespace {

using lanecull::ClipSpace;
using lanecull::DepthRange;
using lanecull::MatrixLayout;
using lanecull::Status;
using lanecull::View;
using Matrix = std::array<double, 16>;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();

bool same_bytes(const View& a, const View& b) {
    return std::memcmp(&contents_of(a), &contents_of(b), sizeof(lanecull::PreparedView)) == 0;
}

/// Row by row: looks along +z, |x| <= z, |y| <= z, 1 <= z <= 10, depth 0 .. 1.
constexpr Matrix perspective = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 10.0 / 9, -10.0 / 9, 0, 0, 1, 0};
/// |x| <= 2, |y| <= 4, 0 <= z <= 8, depth 0 .. 1.
constexpr Matrix orthographic = {0.5, 0, 0, 0, 0, 0.25, 0, 0, 0, 0, 0.125, 0, 0, 0, 0, 1};

constexpr ClipSpace by_rows = {.layout = MatrixLayout::row_major};

void expect_refused(const Matrix& matrix, const ClipSpace& clip_space, const char* what) {
    View view;
    ASSERT_TRUE(lanecull::prepare_view(perspective, by_rows, view));
    const View before = view;
    const Status status = lanecull::prepare_view(matrix, clip_space, view);
    EXPECT_FALSE(status.ok()) << what;
    EXPECT_GT(std::strlen(status.message()), 10u) << what;
    EXPECT_TRUE(same_bytes(view, before)) << what << ": a refused view must stay as it was";
    std::array<float, 16> single;
    for (std::size_t k = 0; k < 16; ++k) single[k] = static_cast<float>(matrix[k]);
    EXPECT_FALSE(lanecull::prepare_view(single, clip_space, view).ok()) << what << ", as floats";
    EXPECT_TRUE(same_bytes(view, before)) << what;
}

void expect_refused(const Matrix& matrix, const char* what) { expect_refused(matrix, by_rows, what); }

Matrix with(Matrix matrix, std::size_t row, const std::array<double, 4>& values) {
    for (std::size_t c = 0; c < 4; ++c) matrix[4 * row + c] = values[c];
    return matrix;
}

TEST(PrepareView, TakesTheSimplestCameras) {
    View view;
    EXPECT_FALSE(view.prepared());
    EXPECT_TRUE(lanecull::prepare_view(perspective, by_rows, view));
    EXPECT_TRUE(view.prepared());
    EXPECT_EQ(contents_of(view).volume, lanecull::VolumeKind::frustum);
    EXPECT_TRUE(lanecull::prepare_view(orthographic, by_rows, view));
    EXPECT_EQ(contents_of(view).volume, lanecull::VolumeKind::box);
}

TEST(PrepareView, RefusesWhatIsNotFinite) {
    for (const Matrix& good : {perspective, orthographic}) {
        for (std::size_t k = 0; k < 16; ++k) {
            for (const double bad : {nan_value, infinity, -infinity}) {
                Matrix matrix = good;
                matrix[k] = bad;
                expect_refused(matrix, "an element that is not finite");
            }
        }
        for (std::size_t k = 0; k < 3; ++k) {
            for (const double bad : {nan_value, infinity}) {
                ClipSpace clip_space = by_rows;
                clip_space.origin[k] = bad;
                expect_refused(good, clip_space, "an origin that is not finite");
            }
        }
    }
}

TEST(PrepareView, RefusesWhatHasNoInside) {
    expect_refused(Matrix{}, "all zeros");
    expect_refused(with(perspective, 0, {0, 0, 0, 0}), "no x");
    expect_refused(with(perspective, 1, {1, 0, 0, 0}), "y is x");
    expect_refused(with(perspective, 3, {0, 0, 0, 0}), "no w");
    expect_refused(with(perspective, 3, {1, 0, 0, 0}), "w is x: the sides are parallel");
    expect_refused(with(orthographic, 2, {1, 1, 0, 0}), "three parallel pairs of planes in two dimensions");
}

TEST(PrepareView, RefusesEmptyVolumes) {
    expect_refused(with(orthographic, 3, {0, 0, 0, -1}), "w is negative everywhere");
    expect_refused(with(perspective, 2, {0, 0, 1, 1}), "z is greater than w everywhere");
    expect_refused(with(perspective, 2, {0, 0, -1, -1}), "z is negative wherever w is positive");
    expect_refused(with(perspective, 2, {0, 0, 0, -1}), "z is negative everywhere");
}

TEST(PrepareView, RefusesOrthographicWithoutDepth) {
    expect_refused(with(orthographic, 2, {0, 0, 0, 0.5}), "z is constant");
}

TEST(PrepareView, RefusesCoordinatesBeyondItsRange) {
    expect_refused(with(orthographic, 0, {1e-31, 0, 0, 0}), "wider than 1e30");
    ClipSpace far_away = by_rows;
    far_away.origin[1] = 1e31;
    expect_refused(perspective, far_away, "an origin beyond 1e30");
}

TEST(PrepareView, RefusesUnknownEnumerators) {
    expect_refused(perspective, {.layout = static_cast<MatrixLayout>(2)}, "no such layout");
    expect_refused(perspective, {.layout = MatrixLayout::row_major, .depth = static_cast<DepthRange>(9)},
                   "no such depth range");
}

TEST(PrepareView, ReadsBothLayouts) {
    Random random(21);
    for (const Projection projection : all_projections) {
        for (int i = 0; i < 50; ++i) {
            const PreparedCamera prepared = random_prepared_camera(random, projection);
            Camera transposed = prepared.camera;
            for (std::size_t k = 0; k < 16; ++k) {
                transposed.matrix[k] = prepared.camera.matrix[4 * (k % 4) + k / 4];
                transposed.single_matrix[k] = prepared.camera.single_matrix[4 * (k % 4) + k / 4];
            }
            MatrixLayout& layout = transposed.clip_space.layout;
            layout = layout == MatrixLayout::row_major ? MatrixLayout::column_major : MatrixLayout::row_major;
            View view;
            ASSERT_TRUE(transposed.prepare(view));
            EXPECT_TRUE(same_bytes(view, prepared.view)) << prepared.camera.describe();
        }
    }
}

TEST(PrepareView, ReadsFloatsAsTheDoublesTheyAre) {
    Random random(22);
    for (const Projection projection : all_projections) {
        for (int i = 0; i < 50; ++i) {
            Camera camera = random_prepared_camera(random, projection).camera;
            if (!camera.single) continue;
            View single, doubled;
            ASSERT_TRUE(camera.prepare(single));
            camera.single = false;
            ASSERT_TRUE(camera.prepare(doubled));
            EXPECT_TRUE(same_bytes(single, doubled)) << camera.describe();
        }
    }
}

/// A small ball around each corner of the volume is visible, and one well outside each corner is culled.
TEST(PrepareView, KnowsItsOwnCorners) {
    Random random(23);
    int corners = 0;
    for (const Projection projection : {Projection::perspective, Projection::reversed, Projection::off_centre,
                                        Projection::opengl, Projection::orthographic, Projection::sheared}) {
        for (int i = 0; i < scaled(100); ++i) {
            const PreparedCamera prepared = random_prepared_camera(random, projection);
            if (prepared.camera.single) continue;  // its far plane need not be where the parameters say
            const oracle::Volume volume = prepared.camera.volume();
            for (std::size_t corner = 0; corner < 8; ++corner) {
                const Camera& camera = prepared.camera;
                const Double3 at =
                    camera.point(camera.x[corner & 1], camera.y[corner >> 1 & 1], camera.depth[corner >> 2]);
                Object object;
                double size = 0;
                for (std::size_t k = 0; k < 3; ++k) {
                    object.fields[k] = static_cast<float>(at[k]);
                    size = std::max(size, std::fabs(at[k]));
                }
                object.fields[3] = static_cast<float>(size * 1e-6 + std::fabs(camera.depth[corner >> 2]) * 1e-6);
                const bool surely =
                    volume.decide(solid_of(Kind::sphere, object, {})).verdict == oracle::Verdict::visible;
                EXPECT_TRUE(surely) << "the oracle and the camera disagree";
                HeapMemory memory;
                const lanecull::Batch batch = make_batch(Kind::sphere, {&object, 1}, {}, memory);
                for (const lanecull::Isa isa : runnable_isas()) {
                    EXPECT_TRUE(run_cull(batch, prepared.view, {.isa = isa}).visible(0)) << camera.describe();
                }
                ++corners;
            }
        }
    }
    EXPECT_GT(corners, scaled(2000));
}

/// Boxes along the axes are culled by them, at a third of what edges and GJK take.
TEST(PrepareView, KnowsItsOutlines) {
    const Projection ordinary[] = {Projection::perspective, Projection::reversed, Projection::reversed_infinite,
                                   Projection::off_centre,  Projection::opengl,   Projection::orthographic};
    constexpr std::uint64_t seed = 72;
    SCOPED_TRACE(seed);
    Random random(seed);
    int known = 0, lines = 0;
    const int cameras = scaled(600);
    for (int i = 0; i < cameras; ++i) {
        View view;
        const Status status = random_camera(random, ordinary[i % 6]).prepare(view);
        ASSERT_TRUE(status.ok()) << status.message();
        const lanecull::PreparedView& prepared = contents_of(view);
        known += static_cast<int>(prepared.outlines_known);
        if (prepared.outlines_known == 0) continue;
        lines += static_cast<int>(prepared.outline_end[11]);
        for (std::uint32_t group = 0; group < 12; ++group) {
            const std::uint32_t begin = group == 0 ? 0 : prepared.outline_end[group - 1];
            for (std::uint32_t k = begin; k < prepared.outline_end[group]; ++k) {
                EXPECT_EQ(prepared.exact_outline[k][0] > 0, (group & 1) != 0);
                EXPECT_EQ(prepared.exact_outline[k][1] > 0, (group & 2) != 0);
                EXPECT_LT(std::hypot(prepared.exact_outline[k][0], prepared.exact_outline[k][1]), 1);
            }
        }
    }
    EXPECT_GE(known, cameras * 9 / 10);
    // A volume of six sides is seen as a polygon of four to six.
    EXPECT_GE(lines, 12 * known);
    EXPECT_LE(lines, 18 * known);
}

}  // namespace
