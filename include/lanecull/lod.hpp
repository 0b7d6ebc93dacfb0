#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace lanecull {

/// Levels that thresholds can tell apart: 0 to this.
inline constexpr std::size_t most_lod_thresholds = 15;
/// In LodOutput::latest: the object has had no level yet.
inline constexpr std::uint8_t no_lod = 255;

/// Distances and levels of detail (LOD) of the objects that one view sees, found while the lists are written. They are
/// the same for every instruction set, method and number of threads that find the same objects visible. Memory but for
/// `latest` is only written; nothing may overlap anything else that the call reads or writes, which is checked of what
/// is written. Measured in bench/README.md: some 10 ns a visible object, and as much again for `latest`.
///
/// *Distance*: from the view's eye (ViewOptions::eye) to the object's nearest point, margin and sweep included, in the
/// objects' units. What is found is a lower bound of it, proved: never more than the true distance; 0 when the eye is
/// within the object or the object is invalid. For spheres and axis-aligned boxes it is less than the distance by at
/// most 2^-22 of it, 2^-44 of the coordinates' magnitudes and what the view's matrix leaves open of its eye's place.
/// Capsules are taken for all within `radius` of their segment's box, oriented boxes and hulls for their bounding
/// spheres, which alone decide whether these are valid, and what sweeps for the box around its path, rounded as it is.
///
/// *Projected size*, as in Attributes::min_projected_size: radius * size_scale / distance, by which the view's height
/// is 1; the distance is left out where the matrix is orthographic. The radius is, without margin and sweep, that of
/// a sphere, half the diagonal of a box, half the length of a capsule and its radius, and the bounding sphere's of
/// oriented boxes and hulls. What is found is no less than that quotient of exact numbers; infinite at distance 0 and
/// for invalid objects.
///
/// *Level*: the number of thresholds that the size is below. So a smaller size never makes a finer level, and without
/// `latest` no level is coarser than that of the true distance.
struct LodOutput {
    /// Receives the k-th visible object's distance (SceneOutput::handles[k], slots[k]); the first that fit. The view
    /// must have an eye.
    std::span<float> distances = {};
    /// Receives the k-th visible object's level; the first that fit. The view must have a size scale.
    std::span<std::uint8_t> levels = {};

    /// Projected sizes, each positive, finite and less than the one before; for `levels` or `latest` at least one.
    std::span<const float> thresholds = {};
    /// 0 to 1, for `latest`. An object keeps the level it had until its size is out of that level's interval by this
    /// share: size >= upper * (1 + hysteresis) or size < lower / (1 + hysteresis). Then it takes the level that its
    /// size has by itself. So between two changes of an object's level its size changes by more than 1 + hysteresis
    /// times.
    float hysteresis = 0;
    /// What each object's level was when last visible, by handle; at least Scene::handle_limit() entries, read and
    /// written for visible objects, `levels` or not. Kept by the caller from frame to frame, one for each view; no_lod
    /// where there is none yet (any number above thresholds.size() means that). A name given again brings along the
    /// level of the object that it was taken from: set it to no_lod where that matters. Empty: levels depend on the
    /// size alone.
    std::span<std::uint8_t> latest = {};
};

}  // namespace lanecull
