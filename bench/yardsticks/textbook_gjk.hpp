#pragma once

#include <lanecull/batch.h>
#include <cstdint>

/// The yardstick for lane GJK: GJK as the textbooks have it, one query at a time, in single precision, yes or no.
namespace bench::textbook {

/// A symmetric perspective volume. Unit axes.
struct Frustum {
    float eye[3], right[3], up[3], forward[3];
    float tan_x, tan_y, near_depth, far_depth;
};

/// Bit i % 64 of visible[i / 64] is set when object i and the frustum overlap. Records are tightly packed.
void overlaps(const lanecull::Spheres& shapes, const Frustum& frustum, std::uint64_t* visible);
void overlaps(const lanecull::Boxes& shapes, const Frustum& frustum, std::uint64_t* visible);
void overlaps(const lanecull::CenteredBoxes& shapes, const Frustum& frustum, std::uint64_t* visible);
void overlaps(const lanecull::OrientedBoxes& shapes, const Frustum& frustum, std::uint64_t* visible);
void overlaps(const lanecull::Capsules& shapes, const Frustum& frustum, std::uint64_t* visible);
void overlaps(const lanecull::Cylinders& shapes, const Frustum& frustum, std::uint64_t* visible);
void overlaps(const lanecull::Cones& shapes, const Frustum& frustum, std::uint64_t* visible);
void overlaps(const lanecull::Ellipsoids& shapes, const Frustum& frustum, std::uint64_t* visible);
void overlaps(const lanecull::HullInstances& shapes, const Frustum& frustum, std::uint64_t* visible);

}  // namespace bench::textbook
