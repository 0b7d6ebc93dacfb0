#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <lanecull/export.hpp>
#include <lanecull/plane.hpp>
#include <lanecull/solid_hull.hpp>
#include <lanecull/status.hpp>
#include <lanecull/view.hpp>

/// Occluders: convex solids behind which objects are culled, by proof.
///
/// A solid O hides an object S from an eye e when every segment from e to a point of S meets O. The set of points that
/// O hides is convex, and its half-spaces follow from O's and from the place of the eye. An object is culled when it
/// lies in that set, rounded inward, with more than the rounding bound to spare. One occluder hides all of it; what two
/// of them hide together stays visible.
///
/// What the caller answers for, since no solid tells it. M is what is drawn where O is:
///  - *Solid.* M is a closed, opaque surface, drawn with depth writes, and contains O. It is not alpha-tested, not
///    depth-biased towards the far end, and no shader moves its depth.
///  - *Near.* M's box is OccluderOptions::drawn; without it, M is taken for O itself. What the near plane cuts of M is
///    hollow, so a solid hides only if M is farther from the eye than the near plane's corners.
///  - *Drawn.* M is drawn in this view. Owner names the objects that draw it, and the call looks at their flags,
///  layers,
///    limits and candidate bits.
///  - *Seen by the eye alone.* Reflections and other rays need views of their own.
///  - *Pixels.* With OccluderOptions::raster 0 the answer is the mathematical one. A rasteriser snaps vertices and
///    rounds depths; give it its margin and pixels do not change either.
namespace lanecull {

/// What the library reads of a viewpoint. prepare_viewpoint() makes it. Not part of the stable interface.
struct PreparedViewpoint {
    static constexpr std::uint32_t max_eyes = 8;

    /// Coordinates are relative to it: q = p - origin. 3 floats, exact.
    float origin[3] = {};
    /// 1 to 8: enclosures of eyes, [eye][axis][low, high], relative. 0: sight runs along `direction`.
    std::uint32_t eye_count = 0;
    double eye[max_eyes][3][2] = {};
    double direction[3][2] = {};  ///< enclosures, [axis][low, high]
    double near_reach = 0;        ///< with eyes: no near plane's corner is farther from its eye
    /// Without eyes: what is drawn must lie in near_normal . q + near_offset >= 0, [low, high] each.
    double near_normal[3][2] = {};
    double near_offset[2] = {};
    std::uint32_t has_near_plane = 0;
    std::uint32_t prepared = 0;
};

/// Where solids are seen from: a camera's eye, its direction of sight, a light, or a cell. Immutable once prepared,
/// cheap to copy.
class Viewpoint {
public:
    Viewpoint() noexcept = default;
    [[nodiscard]] bool prepared() const noexcept { return contents_.prepared != 0; }
    [[nodiscard]] const PreparedViewpoint& contents() const noexcept { return contents_; }

private:
    friend struct OccluderAccess;
    PreparedViewpoint contents_;
};

/// Which end of an orthographic volume the eye is at. Perspective matrices tell it themselves.
enum class SightDirection : std::uint8_t {
    growing_depth,    ///< the eye is beyond depth 0 (or -w)
    shrinking_depth,  ///< reversed depth: the eye is beyond depth w
};

/// The eye of a perspective clip matrix, or the direction of sight of an orthographic one, with its near plane.
/// clip_planes: those that the view was prepared with.
///
/// Fails, leaving `viewpoint` untouched, if prepare_view() would fail for the matrix; if the eye may lie on a depth
/// plane, or a depth plane misses an edge of the volume; or if the eye is not, for certain, on the inner side of every
/// clip plane. (With an orthographic matrix, the eye is infinitely far back along the direction of sight.)
///
/// Thread-safe. Takes about a microsecond (benchmarks prepare/viewpoint). Allocates nothing.
LANECULL_API Status prepare_viewpoint(std::span<const double, 16> clip_from_world, const ClipSpace& clip_space,
                                      Viewpoint& viewpoint, std::span<const Plane> clip_planes = {},
                                      SightDirection sight = SightDirection::growing_depth) noexcept;

/// A lamp, or a cell: the convex hull of 1 to 8 eyes, x y z of one after the other, in world coordinates. A solid hides
/// from a cell what it hides from every point of it. Stereo pairs and late poses are cells.
///
/// near_reach: no corner of a near plane of any camera that will be used is farther from its eye. For a lamp: the
/// farthest near corner of its maps, or 0 if depth is clamped.
///
/// Fails, leaving `viewpoint` untouched, if there are no eyes, more than 8 or no multiple of three numbers, if a number
/// is not finite or beyond 1e30, or if near_reach is negative or not finite.
LANECULL_API Status prepare_viewpoint_from_eyes(std::span<const double> eyes, double near_reach,
                                                Viewpoint& viewpoint) noexcept;

/// Parallel sight along `direction`, the way that light goes: a sun's. No near plane limits it, as under depth clamp.
/// around: a place near the objects, where rounding bounds are smallest; no verdict needs it to be exact.
///
/// Fails, leaving `viewpoint` untouched, if a number is not finite, if the direction's length is not 1e-30 to 1e30, or
/// if a coordinate of `around` is beyond 1e30.
LANECULL_API Status prepare_viewpoint_along(const double (&direction)[3], const double (&around)[3],
                                            Viewpoint& viewpoint) noexcept;

/// A box along the world's axes: all p with min <= p <= max.
struct SolidBox {
    float min[3] = {};
    float max[3] = {};
};

/// center + sum of s_k half_extents[k] axes[k], |s_k| <= 1. The axes, a row each, need not be orthonormal: the numbers
/// as given define a parallelepiped.
struct SolidOrientedBox {
    float center[3] = {};
    float half_extents[3] = {};
    float axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
};

/// { A p + t : p in *hull }, with the numbers of a 3x4 matrix, row by row, as HullInstances has them (rows_3x4). A may
/// mirror, shear and scale.
struct SolidHullInstance {
    const SolidHull* hull = nullptr;
    float transform[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
};

/// What a rasteriser adds to the mathematics: fragments move sideways and in depth, so solids shrink. All lengths are
/// at most what they are at the farthest point of what is drawn, at distance d from the eye (orthographic: d is 1).
struct RasterMargin {
    /// Every facet moves inward by per_distance * d. For vertices snapped to 1/256 of a pixel, a 64th of a pixel's
    /// width at depth 1 is enough; a 16th is a safe choice.
    double per_distance = 0;
    /// Facets that face the eye move inward by this * d^2 more: four units of a depth buffer of 24 bits are
    /// 4 * 2^-24 / near.
    double depth_per_square = 0;
    /// ... and by this * d more: for reversed floats 4 * 2^-24.
    double depth_per_distance = 0;
};

struct OccluderOptions {
    /// A box around everything that is drawn for the solid (M). Null: nothing is drawn beyond the solid itself; of a
    /// hull, beyond the image of SolidHull::drawn.
    const SolidBox* drawn = nullptr;
    RasterMargin raster = {};
};

/// Why a solid cannot hide anything, or that it can.
enum class OccluderRefusal : std::uint8_t {
    none,             ///< it hides
    no_viewpoint,     ///< the viewpoint is not prepared
    invalid,          ///< a number is not finite or beyond 1e30, min is not below max, an axis is degenerate, or a
                      ///< hull's surface is not closed
    encloses_eye,     ///< an eye is, or may be, inside
    near_plane,       ///< the near plane may cut what is drawn
    too_thin,         ///< nothing is left of it after its margin or its rounding
    too_many_facets,  ///< more half-spaces than an occluder holds
};
[[nodiscard]] LANECULL_API const char* name_of(OccluderRefusal refusal) noexcept;

/// An object that draws what covers an occluder. In flat culls `object` counts in batch `batch` of the call; in scenes
/// it is a handle, and `batch` is 0.
struct Owner {
    std::uint32_t batch = 0;
    std::uint32_t object = 0;
};

/// What the library reads of an occluder. prepare_occluder() makes it. Not part of the stable interface.
struct PreparedOccluder {
    static constexpr std::uint32_t max_half_spaces = 32;

    float origin[3] = {};     ///< the viewpoint's
    std::uint32_t count = 0;  ///< of half-spaces; 0: not prepared
    /// Hidden: normal . q + offset > bound for each of them. Normals are at most 1 long. Offsets are rounded down and
    /// lowered by every part of the rounding bound that does not depend on the object.
    float normal[max_half_spaces][3] = {};
    float offset[max_half_spaces] = {};
};

/// A convex solid, ready to hide objects from one viewpoint. 544 bytes, cheap to copy. Any number of culls may
/// share one.
class Occluder {
public:
    /// Not prepared: culling with it is an error.
    Occluder() noexcept = default;
    [[nodiscard]] bool prepared() const noexcept { return contents_.count != 0; }
    [[nodiscard]] const PreparedOccluder& contents() const noexcept { return contents_; }

    /// The objects that draw what covers the solid; they are the caller's, and live as long as culls use this. Where
    /// one of them is not drawn in a view, because of its flags, layers, distance, size or candidate bit, the occluder
    /// hides nothing there. None: the caller answers for it.
    std::span<const Owner> owners = {};

private:
    friend struct OccluderAccess;
    PreparedOccluder contents_;
};

/// Prepares the set of points that a solid hides, rounded inward. Writes `occluder` only if it returns
/// OccluderRefusal::none; its owners stay. Thread-safe. Takes less than a microsecond for a box and one eye (benchmarks
/// prepare/occluder_box). Allocates nothing.
[[nodiscard]] LANECULL_API OccluderRefusal prepare_occluder(const SolidBox& solid, const Viewpoint& viewpoint,
                                                            Occluder& occluder,
                                                            const OccluderOptions& options = {}) noexcept;
[[nodiscard]] LANECULL_API OccluderRefusal prepare_occluder(const SolidOrientedBox& solid, const Viewpoint& viewpoint,
                                                            Occluder& occluder,
                                                            const OccluderOptions& options = {}) noexcept;

/// From one eye a hull is never refused for its number of facets. With a raster margin it becomes smaller about its
/// mean corner, until the facet nearest to that has moved far enough; so long and thin ones lose some at their ends.
/// Takes 5 microseconds with 17 corners (benchmarks prepare/occluder_hull).
[[nodiscard]] LANECULL_API OccluderRefusal prepare_occluder(const SolidHullInstance& solid, const Viewpoint& viewpoint,
                                                            Occluder& occluder,
                                                            const OccluderOptions& options = {}) noexcept;

/// A solid box of an object's or mesh's own coordinates where the object is drawn: an oriented box that lies in { A p +
/// t : p in box }, smaller than that by what rounding its centre to floats takes, 2^-24 of the centre's coordinates,
/// and more where A shears. transform: a 3x4 matrix, row by row (rows_3x4).
///
/// What is drawn is a little larger than the result: OccluderOptions::drawn says it. Writes `placed` only if it returns
/// OccluderRefusal::none. `invalid`: a number is not finite or beyond 1e30, or min is not below max. `too_thin`:
/// nothing is left, or A may be singular. Thread-safe, allocates nothing.
[[nodiscard]] LANECULL_API OccluderRefusal place_solid(const SolidBox& box, const float (&transform)[12],
                                                       SolidOrientedBox& placed) noexcept;

/// The polytope where all of 4 to 32 half-spaces are >= 0 (normals point inward), as their numbers define it exactly.
/// `drawn` is required, and the polytope must lie in it. Neighbours are not known, so each facet that faces an eye
/// makes a half-space with each that does not, and a polytope is refused if these and the facing ones are more than 32,
/// as most with more than 10 facets are. inscribe_hull() of its corners has no such limit.
[[nodiscard]] LANECULL_API OccluderRefusal prepare_occluder(std::span<const Plane> solid, const Viewpoint& viewpoint,
                                                            Occluder& occluder,
                                                            const OccluderOptions& options) noexcept;

}  // namespace lanecull
