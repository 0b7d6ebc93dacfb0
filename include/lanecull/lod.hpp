#pragma once

#include <lanecull/language.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace lanecull {

/// How many thresholds there may be at most; levels are 0 to this.
inline constexpr std::size_t max_lod_thresholds = 15;
/// In LodOutput::latest: the object has no level yet.
inline constexpr std::uint8_t no_lod = 255;

/// Distances and levels of detail (LOD) of the objects that one view sees, computed while the lists are written. They
/// are the same for every instruction set, method and number of threads that find the same objects visible. Memory is
/// only written, except `latest`, which is read as well. Nothing may overlap anything else that the call reads or
/// writes; for what is written, the call checks that. Takes some 10 ns a visible object, and as much again for
/// `latest` (`lanecull_scene_bench lod`).
///
/// *Distance*: from the view's eye (ViewOptions::eye) to the object's nearest point, margin and sweep included, in the
/// objects' units. The result is a proved lower bound: it is never more than the true distance. It is 0 if the eye is
/// within the object or the object is invalid. For spheres and axis-aligned boxes it is less than the distance by at
/// most 2^-22 of the distance, plus 2^-44 of the coordinates' magnitudes, plus the uncertainty of the eye that the
/// view's matrix gives. Other shapes are replaced by larger ones: a capsule by everything within `radius` of its
/// segment's box; oriented boxes and hulls by their bounding spheres, which alone decide whether the object is valid; a
/// box instance by the box along the axes around it; a sweeping object by the box around its path, rounded as the
/// object is.
///
/// *Projected size*, as in Attributes::min_projected_size: radius * size_scale / distance, by which the view's height
/// is 1; for orthographic matrices it is radius * size_scale. The radius does not include margin and sweep. It is a
/// sphere's radius, half a box's diagonal, a box instance's farthest corner from its centre, half a capsule's length
/// plus its radius, and for oriented boxes and hulls that of the bounding sphere. The result is no less than that
/// quotient of exact numbers. It is infinite at distance 0 and for invalid objects.
///
/// *Level*: the number of thresholds that the size is below. So a smaller size never gives a finer level. Without
/// `latest`, no level is coarser than that of the true distance.
struct LodOutput {
    /// Entry k receives the distance of the k-th visible object (SceneOutput::handles[k], Output::indices[k]); the
    /// first that fit. The view must have an eye.
    std::span<float> distances = {};
    /// Entry k receives the level of the k-th visible object; the first that fit. The view must have a size scale.
    std::span<std::uint8_t> levels = {};

    /// Projected sizes, each positive, finite and less than the one before. `levels` and `latest` need at least one.
    std::span<const float> thresholds = {};
    /// 0 to 1, for `latest`. An object keeps its level until its size leaves that level's interval by this fraction:
    /// size >= upper * (1 + hysteresis) or size < lower / (1 + hysteresis). Then it takes the level of its size. So
    /// between two changes of an object's level its size changes by a factor of more than 1 + hysteresis.
    float hysteresis = 0;
    /// Each object's level when it was last visible, by handle. At least Scene::handle_limit() entries, read and
    /// written for visible objects, whether `levels` is empty or not. The caller keeps it from frame to frame, one for
    /// each view. An entry is no_lod while the object has no level; any number above thresholds.size() means the same.
    /// A name that is given again keeps the level of the removed object: set the entry to no_lod where that matters.
    /// Empty: levels depend on the size alone.
    std::span<std::uint8_t> latest = {};
};

}  // namespace lanecull
