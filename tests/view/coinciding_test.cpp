#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <lanecull/shadow.h>

#include "support/culling.hpp"
#include "support/double3.hpp"
#include "support/random.hpp"
#include "support/scale.hpp"
#include "view/prepared_view.hpp"

/// Volumes of which two planes coincide, exactly or but for rounding: their corners are found, and culls are exact.
/// (The prover's families coinciding_planes and coinciding_clips decide about objects.)

namespace {

using lanecull::Plane;
using lanecull::Slice;
using lanecull::Status;
using lanecull::Sun;
using lanecull::View;
using lanecull::ViewOptions;
using lanecull::WorldBox;

constexpr double infinity = std::numeric_limits<double>::infinity();

/// A camera in rows, about its eye.
struct Camera {
    Double3 right, up, forward, eye;
    double tangent[2], near, far;
    std::array<double, 16> matrix{};

    [[nodiscard]] lanecull::ClipSpace space() const {
        return {.layout = lanecull::MatrixLayout::row_major, .origin = {eye[0], eye[1], eye[2]}};
    }
    void make_matrix(bool single) {
        const Double3 rows[4] = {1 / tangent[0] * right, 1 / tangent[1] * up, far / (far - near) * forward, forward};
        for (std::size_t r = 0; r < 4; ++r) std::copy(rows[r].begin(), rows[r].end(), matrix.begin() + 4 * r);
        matrix[11] = -near * far / (far - near);
        if (!single) return;
        for (double& element : matrix) element = static_cast<double>(static_cast<float>(element));
    }
    [[nodiscard]] Plane plane(const Double3& normal, double offset) const {
        return {{normal[0], normal[1], normal[2]}, offset - dot(normal, eye)};
    }
    /// Left, right, bottom, top, near and far.
    [[nodiscard]] std::array<Plane, 6> planes() const {
        return {plane(tangent[0] * forward + right, 0),
                plane(tangent[0] * forward + -1.0 * right, 0),
                plane(tangent[1] * forward + up, 0),
                plane(tangent[1] * forward + -1.0 * up, 0),
                plane(forward, -near),
                plane(-1.0 * forward, far)};
    }
};

/// Along an axis, level, tilted or turned; of whole numbers or any.
Camera any_camera(Random& random) {
    const bool whole = random.chance(0.5);
    const auto number = [&](double most) {
        return whole ? std::round(random.range(-most, most)) : random.range(-most, most);
    };
    Camera camera;
    camera.eye = {number(20), number(20), number(20)};
    Double3 forward = {number(4), random.chance(0.6) ? 0 : number(3), number(4)};
    if (random.chance(0.3) || length(forward) == 0) {
        forward = {0, 0, 0};
        forward[static_cast<std::size_t>(random.below(3))] = random.sign();
    }
    const bool upright = forward[0] == 0 && forward[2] == 0;
    const Double3 across = cross(forward, upright ? Double3{0, 0, 1} : Double3{0, 1, 0});
    camera.forward = 1 / length(forward) * forward;
    camera.right = 1 / length(across) * across;
    camera.up = cross(camera.right, camera.forward);
    for (double& tangent : camera.tangent) tangent = random.chance(0.5) ? 1 : random.range(0.3, 1.5);
    constexpr double nears[] = {0.01, 0.1, 0.5, 1}, fars[] = {10, 20, 100, 1000};
    camera.near = nears[random.below(4)], camera.far = fars[random.below(4)];
    camera.make_matrix(random.chance(0.4));
    return camera;
}

/// A box of the slice's receivers: any, at whole numbers, at the slice's own ends, without thickness, a floor.
WorldBox any_receivers(Random& random, std::span<const double, 24> corners) {
    const int form = random.below(5);
    WorldBox box;
    for (std::size_t k = 0; k < 3; ++k) {
        double low = corners[k], high = low;
        for (std::size_t i = k; i < 24; i += 3) low = std::min(low, corners[i]), high = std::max(high, corners[i]);
        double from = random.range(low, high), to = random.range(low, high);
        if (from > to) std::swap(from, to);
        if (form != 0) from = std::floor(from), to = std::ceil(to);
        if (form == 2 && random.chance(0.5)) from = low;
        if (form == 2 && random.chance(0.5)) to = high;
        if (form == 3 && random.chance(0.5)) to = from;
        if (form == 4 && k != 1) from = low - 10, to = high + 10;
        box.lower[k] = from, box.upper[k] = to;
    }
    return box;
}

Sun any_sun(Random& random) {
    Sun sun;
    const bool whole = random.chance(0.5);
    for (double& component : sun.toward) {
        component = whole ? random.below(5) - 2 : random.range(-1, 1);
    }
    if (sun.toward[0] == 0 && sun.toward[1] == 0 && sun.toward[2] == 0) sun.toward[1] = 1;
    if (random.chance(0.7)) sun.reach = random.chance(0.5) ? 20 : random.log_range(0.1, 100);
    return sun;
}

/// Culls everything, for nothing is seen.
bool sees_nothing(const View& view) {
    return contents_of(view).plane_count == 1 && contents_of(view).offset[0] < -1e29f;
}

double distance_from_segment(double x, double y, const double (&a)[2], const double (&b)[2]) {
    const double dx = b[0] - a[0], dy = b[1] - a[1];
    const double share = std::clamp(((x - a[0]) * dx + (y - a[1]) * dy) / (dx * dx + dy * dy), 0.0, 1.0);
    return std::hypot(x - a[0] - share * dx, y - a[1] - share * dy);
}

/// A camera along -z whose far plane is the box's own: balls about the parallelogram that the flat box is swept over.
TEST(CoincidingPlanes, ACascadeAlongAnAxisIsExact) {
    Camera camera{{1, 0, 0}, {0, 1, 0}, {0, 0, -1}, {0, 0, 0}, {1, 1}, 0.1, 10};
    camera.make_matrix(false);
    const WorldBox receivers = {{-3, -2, -10}, {-2, -2, -9}};
    const Sun sun{{0.5, 1, 0}, 20};
    View view;
    ASSERT_TRUE(
        lanecull::prepare_cascade_casters({camera.matrix, camera.space(), 0.1, 10}, receivers, {.sun = &sun}, view));
    EXPECT_TRUE(view.exact());
    std::vector<float> x, y, z, radius;
    for (int i = 0; i < 35; ++i) {
        for (int j = 0; j < 71; ++j) {
            for (int k = 0; k < 35; ++k) {
                x.push_back(static_cast<float>(-6 + 0.5 * i));
                y.push_back(static_cast<float>(-8 + 0.5 * j));
                z.push_back(static_cast<float>(-14 + 0.25 * k));
                radius.push_back(0.2f);
            }
        }
    }
    const lanecull::Batch balls = lanecull::Spheres{x.data(), y.data(), z.data(), radius.data(), 86'975};
    const ViewResult found = run_cull(balls, view);
    constexpr double corners[4][2] = {{-3, -2}, {-2, -2}, {8, 18}, {7, 18}};
    std::size_t touching = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const double px = x[i], py = y[i];
        const double along = (py + 2) / 2;
        const bool within = py >= -2 && py <= 18 && px - along >= -3 && px - along <= -2;
        double across = within ? 0 : infinity;
        for (std::size_t k = 0; k < 4 && !within; ++k) {
            across = std::min(across, distance_from_segment(px, py, corners[k], corners[(k + 1) % 4]));
        }
        const double apart = std::hypot(across, std::max({0.0, -10.0 - z[i], z[i] + 9.0}));
        touching += apart <= 0.2;
        EXPECT_GT(std::fabs(apart - 0.2), 1e-4) << i;
        EXPECT_EQ(found.visible(i), apart <= 0.2) << i;
    }
    EXPECT_GT(touching, 300);
}

TEST(CoincidingPlanes, CascadesAreExact) {
    int lit = 0;
    for (int v = 0; v < scaled(100'000); ++v) {
        Random random(12'600'000 + static_cast<std::uint64_t>(v));
        const Camera camera = any_camera(random);
        Slice slice{camera.matrix, camera.space(), camera.near, camera.far};
        const double cut = std::ceil(random.range(camera.near, 0.5 * camera.far));
        if (random.chance(0.3)) slice.near_depth = cut;
        if (random.chance(0.3) && cut > slice.near_depth) slice.far_depth = cut;
        double corners[24];
        ASSERT_TRUE(lanecull::slice_corners(slice, corners));
        const WorldBox receivers = any_receivers(random, corners);
        const Sun sun = any_sun(random);
        lanecull::Lamp lamp;
        for (std::size_t k = 0; k < 3; ++k) lamp.at[k] = std::round(camera.eye[k] + random.range(-9, 9));
        const bool by_sun = random.chance(0.8);
        View view;
        const Status status = lanecull::prepare_cascade_casters(
            slice, receivers, {.sun = by_sun ? &sun : nullptr, .lamp = by_sun ? nullptr : &lamp}, view);
        ASSERT_TRUE(status.ok()) << status.message() << " seed of " << v;
        if (sees_nothing(view)) continue;
        ++lit;
        EXPECT_TRUE(view.exact()) << "seed of " << v;
    }
    EXPECT_GT(lit, scaled(100'000) / 2);
}

/// Clip planes that the camera has already, as they are, longer, turned by up to 2^-20 or moved.
TEST(CoincidingPlanes, ClippedCamerasAreExact) {
    int prepared = 0;
    for (int v = 0; v < scaled(20'000); ++v) {
        Random random(12'700'000 + static_cast<std::uint64_t>(v));
        const Camera camera = any_camera(random);
        const std::array<Plane, 6> own = camera.planes();
        std::vector<Plane> clips;
        for (int k = random.below(6); k >= 0; --k) {
            Plane plane = own[static_cast<std::size_t>(random.below(6))];
            const double longer = random.chance(0.5) ? 1 : random.log_range(1e-3, 1e3);
            if (random.chance(0.3)) plane.offset -= random.log_range(1e-9, 1);
            if (random.chance(0.3)) plane.normal[random.below(3)] += random.log_range(0x1p-56, 0x1p-20);
            for (double& component : plane.normal) component *= longer;
            plane.offset *= longer;
            clips.push_back(plane);
        }
        View view, casters;
        if (!lanecull::prepare_view(camera.matrix, camera.space(), view, {.clip_planes = clips})) continue;
        ++prepared;
        EXPECT_TRUE(view.exact()) << "seed of " << v;
        const Sun sun = any_sun(random);
        ASSERT_TRUE(
            lanecull::prepare_view(camera.matrix, camera.space(), casters, {.clip_planes = clips, .sun = &sun}));
        EXPECT_TRUE(casters.exact() || sees_nothing(casters)) << "seed of " << v;
    }
    EXPECT_GT(prepared, scaled(20'000) / 2);
}

/// Boxes by their planes, some of them twice, some beside planes that limit nothing more; without thickness, too.
TEST(CoincidingPlanes, BoxesFromPlanesAreExact) {
    for (int v = 0; v < scaled(20'000); ++v) {
        Random random(12'800'000 + static_cast<std::uint64_t>(v));
        const Camera turned = any_camera(random);
        const Double3 axes[3] = {turned.right, turned.up, turned.forward};
        std::vector<Plane> planes;
        for (std::size_t k = 0; k < 3; ++k) {
            const double low = random.below(9) - 9, high = random.chance(0.1) ? low : low + 1 + random.below(9);
            planes.push_back(turned.plane(axes[k], -low));
            planes.push_back(turned.plane(-1.0 * axes[k], high));
            if (random.chance(0.3)) planes.push_back(turned.plane(axes[k], -low));
            if (random.chance(0.3)) planes.push_back(turned.plane(axes[k], 2 - low));
            if (random.chance(0.3)) planes.push_back(turned.plane(2.0 * axes[k], -2 * low));
        }
        std::rotate(planes.begin(), planes.begin() + random.below(static_cast<int>(planes.size())), planes.end());
        View view;
        const Status status = lanecull::prepare_view_from_planes(planes, view);
        ASSERT_TRUE(status.ok()) << status.message() << " seed of " << v;
        EXPECT_TRUE(view.exact()) << "seed of " << v;
    }
}

}  // namespace
