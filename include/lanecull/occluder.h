#pragma once

/// Occluders: convex solids behind which objects are culled, by proof.
///
/// A solid O hides an object S from an eye e when every segment from e to a point of S meets O. The set of points that
/// O hides is convex, and its half-spaces follow from O's and from the place of the eye. An object is culled when it
/// lies in that set, rounded inward, with more than the rounding bound to spare. One occluder hides all of it; what two
/// of them hide together stays visible.
///
/// What the caller answers for, since no solid shows it. M is what is drawn where O is:
///  - *Solid.* M is a closed, opaque surface, drawn with depth writes, and contains O. It is not alpha-tested, not
///    depth-biased towards the far end, and no shader moves its depth.
///  - *Near.* M's box is OccluderOptions::drawn; without it, M is taken for O itself. M is hollow where the near plane
///    cuts it, so a solid hides only if M is farther from the eye than the near plane's corners.
///  - *Drawn.* M is drawn in this view. Owner names the objects that draw it, and the call reads their flags,
///    layers, limits and candidate bits.
///  - *Seen by the eye alone.* Reflections and other rays need views of their own.
///  - *Pixels.* With OccluderOptions::raster 0 the answer is the mathematical one. A rasteriser snaps vertices and
///    rounds depths; give it its margin (lanecull_find_raster_margin()) and pixels do not change either.
///
/// All functions here are thread-safe and allocate nothing.

#include <lanecull/bounds.h>
#include <lanecull/types.h>
#include <lanecull/view.h>

/// The place that sees solids: a camera's eye, its direction of sight, a light, or a cell. Immutable once prepared,
/// cheap to copy.
LANECULL_STRUCT(Viewpoint, viewpoint) {
    uint64_t state LANECULL_0;               ///< 0: not prepared, and nothing hides from it
    unsigned char contents[632] LANECULL_0;  ///< the library's own
#ifdef __cplusplus
    [[nodiscard]] bool prepared() const noexcept { return state != 0; }
#endif
};
LANECULL_LAYOUT(viewpoint, 640)

/// Which end of an orthographic volume the eye is at. Perspective matrices determine it themselves.
LANECULL_ENUM(SightDirection, sight){
    LANECULL_VALUE(SIGHT_GROWING_DEPTH, growing_depth) = 0,      ///< the eye is beyond depth 0 (or -w)
    LANECULL_VALUE(SIGHT_SHRINKING_DEPTH, shrinking_depth) = 1,  ///< reversed depth: the eye is beyond depth w
};

/// A box along the world's axes: all p with min <= p <= max.
LANECULL_STRUCT(SolidBox, solid_box) {
    float min[3] LANECULL_0;
    float max[3] LANECULL_0;
};
LANECULL_LAYOUT(solid_box, 24)
/// lanecull_solid_boxes, without const_, are another thing: owned ones (solids.h).
LANECULL_SPAN(const lanecull_solid_box, const_solid_boxes)

/// center + sum of s_k half_extents[k] axes[k], |s_k| <= 1. The axes, a row each, need not be orthonormal: the numbers
/// as given define a parallelepiped.
LANECULL_STRUCT(SolidOrientedBox, solid_oriented_box) {
    float center[3] LANECULL_0;
    float half_extents[3] LANECULL_0;
    float axes[3][3] LANECULL_DEFAULT({{1, 0, 0}, {0, 1, 0}, {0, 0, 1}});  ///< in C to be set: zeros are refused
};
LANECULL_LAYOUT(solid_oriented_box, 60)
LANECULL_SPAN(const lanecull_solid_oriented_box, solid_oriented_boxes)

/// From one eye, a polytope of so many corners never has more facets and outlines than an occluder holds.
#define LANECULL_MAX_SOLID_HULL_CORNERS 17
#define LANECULL_MAX_SOLID_HULL_TRIANGLES 30

/// A convex polytope by its surface, with few corners. lanecull_inscribe_hull() (solids.h) makes one; whoever has
/// corners and triangles already fills it in. lanecull_prepare_occluder_hull() takes nothing on trust: it refuses a
/// surface that is not closed or whose triangles do not face outward.
LANECULL_STRUCT(SolidHull, solid_hull) {
    float corner[LANECULL_MAX_SOLID_HULL_CORNERS][3] LANECULL_0;
    uint32_t corner_count LANECULL_0;
    uint8_t triangle[LANECULL_MAX_SOLID_HULL_TRIANGLES][3] LANECULL_0;  ///< corners, anticlockwise seen from outside
    uint32_t triangle_count LANECULL_0;
    /// A box around what is drawn for it, and so around all corners. lanecull_inscribe_hull(): around all vertices.
    lanecull_box_bounds drawn LANECULL_0;
#ifdef __cplusplus
    static constexpr uint32_t max_corners = LANECULL_MAX_SOLID_HULL_CORNERS;
    static constexpr uint32_t max_triangles = LANECULL_MAX_SOLID_HULL_TRIANGLES;
#endif
};
LANECULL_LAYOUT(solid_hull, 328)

/// { A p + t : p in *hull }, with the numbers of a 3x4 matrix, row by row, as HullInstances has them (rows_3x4). A may
/// mirror, shear and scale.
LANECULL_STRUCT(SolidHullInstance, solid_hull_instance) {
    const lanecull_solid_hull* hull LANECULL_0;
    float transform[12] LANECULL_DEFAULT({1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0});  ///< in C to be set: zeros are refused
};
LANECULL_LAYOUT(solid_hull_instance, 56)
LANECULL_SPAN(const lanecull_solid_hull_instance, solid_hull_instances)

/// What a rasteriser adds to the mathematics: fragments move sideways and in depth, so solids shrink. All lengths are
/// at most what they are at the farthest point of what is drawn, at distance d from the eye (orthographic: d is 1).
/// lanecull_find_raster_margin() finds it.
LANECULL_STRUCT(RasterMargin, raster_margin) {
    /// Every facet moves inward by per_distance * d. For vertices snapped to 1/256 of a pixel, a 64th of a pixel's
    /// width at depth 1 is enough; a 16th is a safe choice.
    double per_distance LANECULL_0;
    /// Facets that face the eye move inward by this * d^2 more: four units of a depth buffer of 24 bits are
    /// 4 * 2^-24 / near.
    double depth_per_square LANECULL_0;
    /// ... and by this * d more: for reversed floats 4 * 2^-24.
    double depth_per_distance LANECULL_0;
};
LANECULL_LAYOUT(raster_margin, 24)

LANECULL_STRUCT(OccluderOptions, occluder_options) {
    /// A box around everything that is drawn for the solid (M). Null: nothing is drawn beyond the solid itself; of a
    /// hull, beyond the image of SolidHull::drawn.
    const lanecull_solid_box* drawn LANECULL_0;
    lanecull_raster_margin raster LANECULL_0;
    uint64_t reserved[4] LANECULL_0;
};
LANECULL_LAYOUT(occluder_options, 64)

/// Why a solid cannot hide anything, or that it can.
LANECULL_ENUM(OccluderRefusal, refusal){
    LANECULL_VALUE(REFUSED_NOT, none) = 0,                   ///< it hides
    LANECULL_VALUE(REFUSED_NO_VIEWPOINT, no_viewpoint) = 1,  ///< the viewpoint is null or not prepared
    /// A number is not finite or beyond 1e30, min is not below max, an axis is degenerate, a hull's surface is not
    /// closed, another pointer is null, or a reserved field is not zero.
    LANECULL_VALUE(REFUSED_INVALID, invalid) = 2,
    LANECULL_VALUE(REFUSED_ENCLOSES_EYE, encloses_eye) = 3,        ///< an eye is, or may be, inside
    LANECULL_VALUE(REFUSED_NEAR_PLANE, near_plane) = 4,            ///< the near plane may cut what is drawn
    LANECULL_VALUE(REFUSED_TOO_THIN, too_thin) = 5,                ///< nothing is left after its margin or rounding
    LANECULL_VALUE(REFUSED_TOO_MANY_FACETS, too_many_facets) = 6,  ///< more half-spaces than an occluder holds
};

/// An object that draws what covers an occluder. In culls of batches `object` counts in batch `batch` of the call; in
/// scenes it is a handle, and `batch` is 0.
LANECULL_STRUCT(Owner, owner) {
    uint32_t batch LANECULL_0;
    uint32_t object LANECULL_0;
};
LANECULL_LAYOUT(owner, 8)
LANECULL_SPAN(const lanecull_owner, owners)

/// A convex solid, ready to hide objects from one viewpoint. Cheap to copy. Any number of culls may share one.
LANECULL_STRUCT(Occluder, occluder) {
    uint64_t state LANECULL_0;  ///< 0: not prepared, and culling with it is an error
    /// The objects that draw what covers the solid; they are the caller's, and live as long as culls use this. If
    /// one of them is not drawn in a view, because of its flags, layers, distance, size or candidate bit, the occluder
    /// hides nothing there. None: the caller answers for it.
    lanecull_owners owners LANECULL_0;
    unsigned char contents[552] LANECULL_0;  ///< the library's own
#ifdef __cplusplus
    [[nodiscard]] bool prepared() const noexcept { return state != 0; }
#endif
};
LANECULL_LAYOUT(occluder, 576)
LANECULL_SPAN(const lanecull_occluder, occluders)

/// A depth buffer's format.
LANECULL_ENUM(DepthFormat, depth_format){
    LANECULL_VALUE(DEPTH_UNORM_24, unorm_24) = 0,  ///< 24 bits
    LANECULL_VALUE(DEPTH_UNORM_16, unorm_16) = 1,  ///< 16 bits
    /// The far plane at 1: no finer than 24 bits, and taken for that.
    LANECULL_VALUE(DEPTH_FLOAT_32, float_32) = 2,
    LANECULL_VALUE(DEPTH_FLOAT_32_REVERSED, float_32_reversed) = 3,  ///< the near plane at 1, the far plane at 0
};

/// A viewport and what is drawn into it.
LANECULL_STRUCT(Rasterization, rasterization) {
    /// Of the viewport, in pixels: the smallest that occurs, if the resolution changes from frame to frame.
    uint32_t width LANECULL_0;
    uint32_t height LANECULL_0;
    /// The projection matrix's first two diagonal elements, both without their sign. Perspective: 1 / tan(half the
    /// field of view) across and up. Orthographic: 2 / the volume's width and height.
    double scale_x LANECULL_0;
    double scale_y LANECULL_0;
    uint32_t is_orthographic LANECULL_0;
    lanecull_depth_format depth LANECULL_0;
    /// Distances of the depth planes from the eye. `far_depth` is read for orthographic projections alone, so an
    /// infinite one is fine.
    double near_depth LANECULL_0;
    double far_depth LANECULL_0;
    /// Bits of vertex positions below a pixel (Vulkan: subPixelPrecisionBits; Direct3D 11 and 12 require 8): 4 to 16.
    /// 0: 8.
    uint32_t sub_pixel_bits LANECULL_0;
    /// Set: the vertex shader works in coordinates relative to the camera. 0: it multiplies world coordinates by one
    /// matrix, in floats, which adds rounding; then the next two are read.
    uint32_t is_camera_relative LANECULL_0;
    double largest_coordinate LANECULL_0;  ///< of a vertex in world coordinates
    /// Of drawn solids and hidden objects from the eye; orthographic: 1 is taken for it.
    double least_distance LANECULL_0;
    uint64_t reserved[3] LANECULL_0;
};
LANECULL_LAYOUT(rasterization, 96)

/// Solids to choose from, numbered in this order: the boxes, the oriented boxes, the hulls; fewer than 2^32 together.
/// `drawn` and `owners` are empty, or have an element a solid.
LANECULL_STRUCT(SolidSet, solid_set) {
    lanecull_const_solid_boxes boxes LANECULL_0;
    lanecull_solid_oriented_boxes oriented_boxes LANECULL_0;
    /// OccluderOptions::drawn of each.
    lanecull_const_solid_boxes drawn LANECULL_0;
    /// The object that draws it. A chosen occluder's `owners` is this one element, or none if the span is empty.
    lanecull_owners owners LANECULL_0;
    /// Instances may share a hull; what they point to must live as long as the call. A null hull is never chosen.
    lanecull_solid_hull_instances hulls LANECULL_0;
    uint64_t reserved[6] LANECULL_0;
#ifdef __cplusplus
    [[nodiscard]] constexpr size_t count() const noexcept {
        return boxes.size() + oriented_boxes.size() + hulls.size();
    }
#endif
};
LANECULL_LAYOUT(solid_set, 128)

LANECULL_STRUCT(ChooseOptions, choose_options) {
    /// OccluderOptions::raster of all of them.
    lanecull_raster_margin raster LANECULL_0;
    /// Bit i % 64 of word i / 64: solid i may be chosen, and is tested. Empty: each may. Else at least
    /// ceil(solids / 64) words. If solids are many, these are best what a cull of a scene of their boxes left
    /// visible, for solids without a bit cost nothing then.
    lanecull_const_words candidates LANECULL_0;
    uint64_t reserved[11] LANECULL_0;
};
LANECULL_LAYOUT(choose_options, 128)

LANECULL_C_BEGIN
/// The eye of a perspective clip matrix (16 numbers), or the direction of sight of an orthographic one, with its near
/// plane. clip_space: optional. clip_planes: those that the view was prepared with.
///
/// Fails, leaving `viewpoint` untouched, if lanecull_prepare_view() would fail for the matrix; if the eye may lie on a
/// depth plane, or a depth plane misses an edge of the volume; or if the eye is not, for certain, on the inner side of
/// every clip plane. (With an orthographic matrix, the eye is infinitely far back along the direction of sight.)
///
/// Takes about a microsecond (benchmarks prepare/viewpoint).
LANECULL_API lanecull_status lanecull_prepare_viewpoint(const double* clip_from_world,
                                                        const lanecull_clip_space* clip_space,
                                                        const lanecull_plane* clip_planes, size_t clip_plane_count,
                                                        lanecull_sight sight,
                                                        lanecull_viewpoint* viewpoint) LANECULL_NOEXCEPT;

/// A point light, or a cell: the convex hull of 1 to 8 eyes, x y z of one after the other, in world coordinates;
/// number_count is 3 for each. A solid hides from a cell what it hides from every point of it. Stereo pairs and late
/// poses are cells.
///
/// near_reach: no corner of a near plane of any camera that will be used is farther from its eye. For a point light:
/// the farthest near corner of its maps, or 0 if depth is clamped.
///
/// Fails, leaving `viewpoint` untouched, if there are no eyes, more than 8 or no multiple of three numbers, if a number
/// is not finite or beyond 1e30, or if near_reach is negative or not finite.
LANECULL_API lanecull_status lanecull_prepare_viewpoint_from_eyes(const double* eyes, size_t number_count,
                                                                  double near_reach,
                                                                  lanecull_viewpoint* viewpoint) LANECULL_NOEXCEPT;

/// Parallel sight along `direction`, the way that light goes: a directional light's. No near plane limits it, as under
/// depth clamp. around: a place near the objects, where rounding bounds are smallest; no verdict needs it to be exact.
/// 3 numbers each.
///
/// Fails, leaving `viewpoint` untouched, if a number is not finite, if the direction's length is not 1e-30 to 1e30, or
/// if a coordinate of `around` is beyond 1e30.
LANECULL_API lanecull_status lanecull_prepare_viewpoint_along(const double* direction, const double* around,
                                                              lanecull_viewpoint* viewpoint) LANECULL_NOEXCEPT;

/// Prepares the set of points that a solid hides, rounded inward. options: optional. Writes `occluder` only if it
/// returns LANECULL_REFUSED_NOT; its owners stay, so set them, or clear the struct. Takes less than a microsecond for a
/// box and one eye (benchmarks prepare/occluder_box).
LANECULL_API lanecull_refusal lanecull_prepare_occluder_box(const lanecull_solid_box* solid,
                                                            const lanecull_viewpoint* viewpoint,
                                                            const lanecull_occluder_options* options,
                                                            lanecull_occluder* occluder) LANECULL_NOEXCEPT;
/// The same for an oriented box.
LANECULL_API lanecull_refusal lanecull_prepare_occluder_oriented_box(const lanecull_solid_oriented_box* solid,
                                                                     const lanecull_viewpoint* viewpoint,
                                                                     const lanecull_occluder_options* options,
                                                                     lanecull_occluder* occluder) LANECULL_NOEXCEPT;

/// The same for a hull. From one eye a hull is never refused for its number of facets. With a raster margin it becomes
/// smaller about its mean corner, until the facet nearest to that has moved far enough; so long and thin ones lose some
/// at their ends. Takes 5 microseconds with 17 corners (benchmarks prepare/occluder_hull).
LANECULL_API lanecull_refusal lanecull_prepare_occluder_hull(const lanecull_solid_hull_instance* solid,
                                                             const lanecull_viewpoint* viewpoint,
                                                             const lanecull_occluder_options* options,
                                                             lanecull_occluder* occluder) LANECULL_NOEXCEPT;

/// The same for the polytope where all of 4 to 32 half-spaces are >= 0 (normals point inward), as their numbers define
/// it exactly. options->drawn is required, and the polytope must lie in it. Neighbours are not known, so each facet
/// that faces an eye makes a half-space with each that does not, and a polytope is refused if these and the facing ones
/// are more than 32, as most with more than 10 facets are. lanecull_inscribe_hull() of its corners has no such limit.
LANECULL_API lanecull_refusal lanecull_prepare_occluder_planes(const lanecull_plane* planes, size_t plane_count,
                                                               const lanecull_viewpoint* viewpoint,
                                                               const lanecull_occluder_options* options,
                                                               lanecull_occluder* occluder) LANECULL_NOEXCEPT;

/// What is wrong, in words: "the eye may be inside", ...; "none" if it hides.
LANECULL_API const char* lanecull_refusal_name(lanecull_refusal refusal) LANECULL_NOEXCEPT;

/// A solid box of an object's or mesh's own coordinates where the object is drawn: an oriented box that lies in { A p +
/// t : p in box }, smaller than that by what rounding its centre to floats takes, 2^-24 of the centre's coordinates,
/// and more where A shears. transform: the 12 numbers of a 3x4 matrix, row by row (rows_3x4).
///
/// What is drawn is a little larger than the result: OccluderOptions::drawn says it. Writes `placed` only if it returns
/// LANECULL_REFUSED_NOT. LANECULL_REFUSED_INVALID: a number is not finite or beyond 1e30, or min is not below max.
/// LANECULL_REFUSED_TOO_THIN: nothing is left, or A may be singular.
LANECULL_API lanecull_refusal lanecull_place_solid(const lanecull_solid_box* box, const float* transform,
                                                   lanecull_solid_oriented_box* placed) LANECULL_NOEXCEPT;

/// Fills `margin` with what a rasteriser needs of occluders (OccluderOptions::raster), from what an engine knows of it.
/// In pixels it is two steps of a vertex's position, an eighth for 4 bits, and a 64th at least. If vertices are not
/// relative to the camera it is a 16th at least, and 8 * 2^-24 * width * largest_coordinate / least_distance more. In
/// depth it is four units of the format. Multisampling needs no more; conservative rasterisation of the hidden objects
/// needs 1.5 pixels more.
///
/// A rule of thumb with room to spare for what rasterisers are known to do, not a proof: no specification bounds all
/// that one may do.
///
/// Fails, leaving `margin` untouched, if a number is not positive and finite where it is read, if far_depth <=
/// near_depth where it is read, if there are fewer than 4 or more than 16 sub-pixel bits, or if the margin is not below
/// 1e30.
LANECULL_API lanecull_status lanecull_find_raster_margin(const lanecull_rasterization* rasterization,
                                                         lanecull_raster_margin* margin) LANECULL_NOEXCEPT;

/// Bytes of scratch memory that lanecull_choose_occluders() needs for that many solids: 24 for each, and some 80,000.
LANECULL_API size_t lanecull_choose_scratch_bytes(size_t solids) LANECULL_NOEXCEPT;

/// Choosing occluders: of many solids the few that are expected to hide most in a view. Chooses up to occluder_count of
/// the solids, 1 to 64, and prepares them. The first *count elements of `occluders` and `indices` receive them and
/// their numbers, most promising first, so {occluders, *count} is Output::occluders. Elements beyond stay untouched.
/// index_count is occluder_count. options: optional.
///
/// A solid is not chosen if its bit in `candidates` is clear; if its box is outside of the view's volume; if it is
/// invalid, or some 1e12 or more from the eye; if lanecull_prepare_occluder_box() and its like refuse it; or, where 64
/// solids or more are in the view, if no more than one in 1,000 votes for it. There may be fewer than requested, or
/// none.
///
/// How it expects: the solids themselves are taken for where objects are. The 352 largest in the view by solid angle
/// are drawn into a picture of 96 x 54 cells, the nearest wins; six pictures where they are on all sides of a light. A
/// hull is drawn as the box along its own axes that has its volume. Each solid in the view votes for the one that the
/// picture shows where its middle is, and most votes go first. If fewer than 64 are in the view, those that a cell
/// shows follow, the largest first. The choice is no matter of proof: whatever is chosen hides by its preparation. The
/// same arguments give the same choice, whatever the instruction set.
///
/// viewpoint: the view's own eye or direction of sight; for a view of casters the light's. scratch: at least
/// lanecull_choose_scratch_bytes() bytes, at any alignment, one a call; no overlap with an input or output.
///
/// Fails, with nothing written, if the view or the viewpoint is not prepared, or if a span's length breaks its rule.
/// Takes the time of reading all candidates, of drawing up to 352, and of preparing those chosen (benchmarks
/// occluders/choose). Where solids are very many, pass those that a cull left visible.
LANECULL_API lanecull_status lanecull_choose_occluders(const lanecull_solid_set* solids, const lanecull_view* view,
                                                       const lanecull_viewpoint* viewpoint,
                                                       const lanecull_choose_options* options,
                                                       lanecull_occluder* occluders, size_t occluder_count,
                                                       uint32_t* indices, size_t index_count, void* scratch,
                                                       size_t scratch_bytes, uint32_t* count) LANECULL_NOEXCEPT;
LANECULL_C_END

#ifdef __cplusplus
namespace lanecull {
/// The functions above, for C++.
[[nodiscard]] inline Status prepare_viewpoint(Numbers<const double, 16> clip_from_world, const ClipSpace& clip_space,
                                              Viewpoint& viewpoint, Span<const Plane> clip_planes = {},
                                              SightDirection sight = SightDirection::growing_depth) noexcept {
    return lanecull_prepare_viewpoint(clip_from_world.first, &clip_space, clip_planes.items, clip_planes.count, sight,
                                      &viewpoint);
}
[[nodiscard]] inline Status prepare_viewpoint_from_eyes(Span<const double> eyes, double near_reach,
                                                        Viewpoint& viewpoint) noexcept {
    return lanecull_prepare_viewpoint_from_eyes(eyes.items, eyes.count, near_reach, &viewpoint);
}
[[nodiscard]] inline Status prepare_viewpoint_along(const double (&direction)[3], const double (&around)[3],
                                                    Viewpoint& viewpoint) noexcept {
    return lanecull_prepare_viewpoint_along(direction, around, &viewpoint);
}
[[nodiscard]] inline OccluderRefusal prepare_occluder(const SolidBox& solid, const Viewpoint& viewpoint,
                                                      Occluder& occluder,
                                                      const OccluderOptions& options = {}) noexcept {
    return lanecull_prepare_occluder_box(&solid, &viewpoint, &options, &occluder);
}
[[nodiscard]] inline OccluderRefusal prepare_occluder(const SolidOrientedBox& solid, const Viewpoint& viewpoint,
                                                      Occluder& occluder,
                                                      const OccluderOptions& options = {}) noexcept {
    return lanecull_prepare_occluder_oriented_box(&solid, &viewpoint, &options, &occluder);
}
[[nodiscard]] inline OccluderRefusal prepare_occluder(const SolidHullInstance& solid, const Viewpoint& viewpoint,
                                                      Occluder& occluder,
                                                      const OccluderOptions& options = {}) noexcept {
    return lanecull_prepare_occluder_hull(&solid, &viewpoint, &options, &occluder);
}
[[nodiscard]] inline OccluderRefusal prepare_occluder(Span<const Plane> solid, const Viewpoint& viewpoint,
                                                      Occluder& occluder, const OccluderOptions& options) noexcept {
    return lanecull_prepare_occluder_planes(solid.items, solid.count, &viewpoint, &options, &occluder);
}
[[nodiscard]] inline const char* name_of(OccluderRefusal refusal) noexcept { return lanecull_refusal_name(refusal); }
[[nodiscard]] inline OccluderRefusal place_solid(const SolidBox& box, const float (&transform)[12],
                                                 SolidOrientedBox& placed) noexcept {
    return lanecull_place_solid(&box, transform, &placed);
}
[[nodiscard]] inline Status raster_margin(const Rasterization& rasterization, RasterMargin& margin) noexcept {
    return lanecull_find_raster_margin(&rasterization, &margin);
}
[[nodiscard]] inline size_t choose_scratch_bytes(size_t solids) noexcept {
    return lanecull_choose_scratch_bytes(solids);
}
[[nodiscard]] inline Status choose_occluders(const SolidSet& solids, const View& view, const Viewpoint& viewpoint,
                                             Span<Occluder> occluders, Span<uint32_t> indices, Scratch scratch,
                                             uint32_t& count, const ChooseOptions& options = {}) noexcept {
    return lanecull_choose_occluders(&solids, &view, &viewpoint, &options, occluders.items, occluders.count,
                                     indices.items, indices.count, scratch.first, scratch.bytes, &count);
}
}  // namespace lanecull
#endif
