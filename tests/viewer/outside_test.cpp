#include "../../tools/viewer/outside.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

#include "picture/picture_volume.hpp"

/// The look from outside has the culling camera and what it may see of the scene in its picture, whatever the depths of
/// that camera are, and stands no farther off than that takes.

namespace {

using glm::dvec3;
using lanecull::program::Bounds;
using lanecull::program::Camera;

/// How far inside of a camera's view a point is, less than 0 outside of it.
double depth_within(const Camera& camera, const dvec3& point) {
    double least = 1e300;
    for (const glm::dvec4& plane : camera.planes()) {
        least = std::min(least, glm::dot(dvec3(plane), point - camera.eye) + plane.w);
    }
    return least;
}

TEST(Outside, StandsOff) {
    Bounds town;
    town.add({-50, 0, -50}), town.add({50, 14, 50});
    const dvec3 up(0, 1, 0);
    for (const double far : {3.0, 40.0, 2000.0, 1e7}) {
        for (const dvec3& eye : {dvec3(-45, 3, -40), dvec3(0, 2, 0), dvec3(30, 12, 45)}) {
            const Camera camera{.eye = eye, .forward = {1, -0.1, 0.5}, .up = {0, 5, 0}, .near = 1e-3 * far, .far = far};
            const Camera outside = outside_of(camera, town, up);
            EXPECT_GT(depth_within(outside, eye), 0) << far;
            double farthest = 0;
            for (const dvec3& corner : shown_volume(camera, town, up).corners()) {
                EXPECT_GT(depth_within(outside, corner), 0) << far;
                farthest = std::max(farthest, glm::distance(corner, eye));
            }
            EXPECT_GT(glm::distance(outside.eye, eye), 0.2 * farthest) << far;
            EXPECT_LT(glm::distance(outside.eye, eye), 5 * farthest) << far;
        }
    }
}

}  // namespace
