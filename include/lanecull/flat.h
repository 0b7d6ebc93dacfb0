#pragma once

#include <lanecull/batch.h>
#include <lanecull/cull.h>
#include <lanecull/types.h>

/// Culling in the plane: 2D shapes -> views -> cull -> bits and lists. For tile maps, strategy games, user interfaces.
/// Its types are lanecull_flat_... in C, and those of namespace lanecull::flat in C++.

#ifdef __cplusplus
/// As LANECULL_STRUCT() and its like, for namespace lanecull::flat: `LANECULL_FLAT_STRUCT(Circles, circles) { ... };`
/// is lanecull::flat::Circles in C++, lanecull_flat_circles in both languages.
#define LANECULL_FLAT_STRUCT(Cpp, c)               \
    namespace lanecull {                           \
    namespace flat {                               \
    struct Cpp;                                    \
    }                                              \
    }                                              \
    typedef lanecull::flat::Cpp lanecull_flat_##c; \
    struct lanecull::flat::Cpp
#define LANECULL_FLAT_UNION(Cpp, c)                \
    namespace lanecull {                           \
    namespace flat {                               \
    union Cpp;                                     \
    }                                              \
    }                                              \
    typedef lanecull::flat::Cpp lanecull_flat_##c; \
    union lanecull::flat::Cpp
#define LANECULL_FLAT_ENUM(Cpp, c)                 \
    namespace lanecull {                           \
    namespace flat {                               \
    enum class Cpp : uint32_t;                     \
    }                                              \
    }                                              \
    typedef lanecull::flat::Cpp lanecull_flat_##c; \
    enum class lanecull::flat::Cpp : uint32_t
#else
#define LANECULL_FLAT_STRUCT(Cpp, c) LANECULL_STRUCT(Cpp, flat_##c)
#define LANECULL_FLAT_UNION(Cpp, c) LANECULL_UNION(Cpp, flat_##c)
#define LANECULL_FLAT_ENUM(Cpp, c) LANECULL_ENUM(Cpp, flat_##c)
#endif

// Batches in the plane: many convex 2D shapes of one kind, as structure of arrays over the caller's memory.
//
// What batch.h says about solids holds for 2D shapes:
//  - A batch owns nothing.
//  - A stream is an array of `count` floats, one for each object, with any 4-byte alignment. Nothing beyond the last
//    is read.
//  - Units are the caller's own.
//  - Numbers are taken as stored: the object *is* the set of points that they define exactly.
//  - An object with a NaN or infinite number, a negative radius or half-extent, or min > max is *invalid*. It is
//    always reported visible, is counted in Reason::visible_invalid, and has no effect on its neighbours. Finite
//    numbers that add up to more than 1e37 may make an object invalid too.
//  - `count` may be 0; then the pointers are not read.

/// The kinds of shapes that a batch may have.
LANECULL_FLAT_ENUM(Kind, kind){
    LANECULL_VALUE(FLAT_NO_KIND, none) = 0,  ///< that of a batch that was not set: calls refuse it
    LANECULL_VALUE(FLAT_CIRCLES, circles) = 1,
    LANECULL_VALUE(FLAT_BOXES, boxes) = 2,
    LANECULL_VALUE(FLAT_ORIENTED_BOXES, oriented_boxes) = 3,
    LANECULL_VALUE(FLAT_CAPSULES, capsules) = 4,
    LANECULL_VALUE(FLAT_POLYGON_INSTANCES, polygon_instances) = 5,
};

/// Discs: every point within `radius` of (x, y). 12 bytes an object.
LANECULL_FLAT_STRUCT(Circles, circles) {
    const float* x LANECULL_0;
    const float* y LANECULL_0;
    const float* radius LANECULL_0;  ///< >= 0; 0 is a point
    uint32_t count LANECULL_0;
#ifdef __cplusplus
    static constexpr Kind kind = Kind::circles;
#endif
};
LANECULL_LAYOUT(flat_circles, 32)

/// Axis-aligned boxes: min <= p <= max. 16 bytes an object, and the cheapest shapes to cull: against an aligned
/// rectangle four comparisons decide, without any error bound.
LANECULL_FLAT_STRUCT(Boxes, boxes) {
    const float* min_x LANECULL_0;
    const float* min_y LANECULL_0;
    const float* max_x LANECULL_0;
    const float* max_y LANECULL_0;
    uint32_t count LANECULL_0;
#ifdef __cplusplus
    static constexpr Kind kind = Kind::boxes;
#endif
};
LANECULL_LAYOUT(flat_boxes, 40)

/// Oriented boxes: (x, y) + s half_x (axis_x, axis_y) + t half_y (-axis_y, axis_x), |s| <= 1, |t| <= 1. The axis is
/// (cos, sin) of the angle, used as stored: an axis of length 2 doubles both half-extents, (0, 0) makes a point. 24
/// bytes an object.
LANECULL_FLAT_STRUCT(OrientedBoxes, oriented_boxes) {
    const float* x LANECULL_0;
    const float* y LANECULL_0;
    const float* axis_x LANECULL_0;
    const float* axis_y LANECULL_0;
    const float* half_x LANECULL_0;  ///< >= 0
    const float* half_y LANECULL_0;  ///< >= 0
    uint32_t count LANECULL_0;
#ifdef __cplusplus
    static constexpr Kind kind = Kind::oriented_boxes;
#endif
};
LANECULL_LAYOUT(flat_oriented_boxes, 56)

/// Capsules: every point within `radius` of the segment from a to b. 20 bytes an object. a == b makes a disc.
LANECULL_FLAT_STRUCT(Capsules, capsules) {
    const float* a_x LANECULL_0;
    const float* a_y LANECULL_0;
    const float* b_x LANECULL_0;
    const float* b_y LANECULL_0;
    const float* radius LANECULL_0;  ///< >= 0; 0 is a segment
    uint32_t count LANECULL_0;
#ifdef __cplusplus
    static constexpr Kind kind = Kind::capsules;
#endif
};
LANECULL_LAYOUT(flat_capsules, 48)

/// Points of a polygon.
#define LANECULL_FLAT_MAX_POINTS 32

/// The convex hull of some points, which many instances share. lanecull_flat_prepare_polygon() makes it and copies the
/// points.
LANECULL_FLAT_STRUCT(Polygon, polygon) {
    uint32_t count LANECULL_0;                     ///< corners, counter-clockwise
    float x[LANECULL_FLAT_MAX_POINTS] LANECULL_0;  ///< of the corners
    float y[LANECULL_FLAT_MAX_POINTS] LANECULL_0;
    /// Outward normals: entry k is that of the edge from corner k to the next.
    float normal_x[LANECULL_FLAT_MAX_POINTS] LANECULL_0;
    float normal_y[LANECULL_FLAT_MAX_POINTS] LANECULL_0;
    float mean[2] LANECULL_0;    ///< the corners' mean
    float radius LANECULL_0;     ///< no corner is farther from the mean
    float magnitude LANECULL_0;  ///< no corner has a larger |x| + |y|
#ifdef __cplusplus
    static constexpr uint32_t max_points = LANECULL_FLAT_MAX_POINTS;
#endif
};
LANECULL_LAYOUT(flat_polygon, 532)

/// Instances of one polygon, each turned, scaled and moved: { (x, y) + (turn_x p_x - turn_y p_y, turn_y p_x + turn_x
/// p_y) : p in polygon }. The turn is scale * (cos, sin) of the angle, used as stored. 16 bytes an object.
LANECULL_FLAT_STRUCT(PolygonInstances, polygon_instances) {
    const float* x LANECULL_0;
    const float* y LANECULL_0;
    const float* turn_x LANECULL_0;
    const float* turn_y LANECULL_0;
    const lanecull_flat_polygon* polygon LANECULL_0;  ///< must exist and not change while a cull reads it
    uint32_t count LANECULL_0;
#ifdef __cplusplus
    static constexpr Kind kind = Kind::polygon_instances;
#endif
};
LANECULL_LAYOUT(flat_polygon_instances, 48)

/// The shapes of a batch: one of them, by Batch::kind.
LANECULL_FLAT_UNION(Shapes, shapes) {
    uint64_t reserved[13];  // 104 bytes: kinds to come have room
    lanecull_flat_circles circles;
    lanecull_flat_boxes boxes;
    lanecull_flat_oriented_boxes oriented_boxes;
    lanecull_flat_capsules capsules;
    lanecull_flat_polygon_instances polygon_instances;
#ifdef __cplusplus
    Shapes() noexcept : reserved{} {}
#endif
};
LANECULL_LAYOUT(flat_shapes, 104)

/// A batch of any kind. Each batch of a call starts a new 64-object word in the visibility bits.
///
///     C++   lanecull::flat::Batch batch = lanecull::flat::Circles{x, y, radius, 3};
///     C     lanecull_flat_batch batch = {.kind = LANECULL_FLAT_CIRCLES, .shapes.circles = {x, y, radius, .count = 3}};
LANECULL_FLAT_STRUCT(Batch, batch) {
    lanecull_flat_kind kind LANECULL_0;
    uint32_t first_index LANECULL_0;  ///< object i appears in index lists as first_index + i (modulo 2^32)
    lanecull_flat_shapes shapes LANECULL_0;
    lanecull_draw_templates draws LANECULL_0;
    uint64_t reserved[8] LANECULL_0;
#ifdef __cplusplus
    Batch() noexcept = default;
    /// Any of the kinds above. Object i of this batch appears in index lists as `first + i` (modulo 2^32).
    template <class OfKind, class = std::enable_if_t<std::is_same<decltype(OfKind::kind), const Kind>::value>>
    Batch(const OfKind& of, uint32_t first = 0) noexcept : kind(OfKind::kind), first_index(first) {
        static_assert(sizeof of <= sizeof shapes && std::is_trivially_copyable<OfKind>::value, "no kind of shapes");
        ::new (static_cast<void*>(&shapes)) OfKind(of);
    }

    /// How many objects there are; 0 of a kind that these headers do not know.
    [[nodiscard]] uint32_t count() const noexcept {
        switch (kind) {
            case Kind::circles:
                return shapes.circles.count;
            case Kind::boxes:
                return shapes.boxes.count;
            case Kind::oriented_boxes:
                return shapes.oriented_boxes.count;
            case Kind::capsules:
                return shapes.capsules.count;
            case Kind::polygon_instances:
                return shapes.polygon_instances.count;
            case Kind::none:
                break;
        }
        return 0;
    }
#endif
};
LANECULL_LAYOUT(flat_batch, 192)
LANECULL_SPAN(const lanecull_flat_batch, flat_batches)

// Views in the plane: the part of it that is seen.

/// min <= p <= max.
LANECULL_FLAT_STRUCT(Rectangle, rectangle) {
    double min_x LANECULL_0;
    double min_y LANECULL_0;
    double max_x LANECULL_0;
    double max_y LANECULL_0;
};
LANECULL_LAYOUT(flat_rectangle, 32)

/// (x, y) + s half_x (axis_x, axis_y) + t half_y (-axis_y, axis_x), |s| <= 1, |t| <= 1. The axis is (cos, sin) of the
/// angle by which the camera is turned, used as stored: an axis of length 2 doubles both half-extents.
LANECULL_FLAT_STRUCT(TurnedRectangle, turned_rectangle) {
    double x LANECULL_0;
    double y LANECULL_0;
    double half_x LANECULL_0;
    double half_y LANECULL_0;
    double axis_x LANECULL_DEFAULT(1);  ///< in C to be set: (0, 0) makes no view
    double axis_y LANECULL_0;
};
LANECULL_LAYOUT(flat_turned_rectangle, 48)

/// A convex part of the plane, ready to cull with. Immutable once prepared, cheap to copy. Any number of culls may
/// share one.
LANECULL_FLAT_STRUCT(View, view) {
    uint64_t state LANECULL_0;     ///< 0: not prepared, and culling with it is an error
    unsigned char contents[1080];  // the library's own: 968 bytes today. 17 cache lines in all, not a power of two
#ifdef __cplusplus
    [[nodiscard]] bool prepared() const noexcept { return state != 0; }
#endif
};
LANECULL_LAYOUT(flat_view, 1088)
LANECULL_SPAN(const lanecull_flat_view, flat_views)

// Culling in the plane: which 2D shapes of these batches share no point with these views?
//
// An object is culled only by proof: a direction in which object and view are apart by more than a bound on all
// rounding errors of the computation. Everything that is apart by more than a small multiple of that bound is culled:
// for two convex shapes in the plane only a few directions can separate them, and all are tried.

/// One call: all of what it reads and writes. Outputs, scratch and options are those of solids (cull.h).
LANECULL_FLAT_STRUCT(Cull, cull_call) {
    lanecull_flat_batches batches LANECULL_0;
    lanecull_flat_views views LANECULL_0;  ///< 1 to 64, each prepared
    lanecull_outputs outputs LANECULL_0;   ///< one for each view, in the same order; without occluders and `scene`
    lanecull_scratch scratch LANECULL_0;   ///< at least lanecull_flat_scratch_bytes() bytes
    lanecull_cull_options options LANECULL_0;
};
LANECULL_LAYOUT(flat_cull_call, 136)

LANECULL_C_BEGIN
/// Makes a polygon of 1 to 32 points in any order, all finite and none beyond 1e30. Points inside their hull do no
/// harm. Hulls without area (segments, single points) are fine. A failure names what is wrong and leaves `polygon`
/// untouched. Thread-safe; allocates nothing.
LANECULL_API lanecull_status lanecull_flat_prepare_polygon(const float* x, const float* y, uint32_t count,
                                                           lanecull_flat_polygon* polygon) LANECULL_NOEXCEPT;

/// This function and the next two each prepare the set that the numbers as given define exactly. Everything derived
/// from it is rounded outward. Each fails, leaving `view` untouched, if a number is not finite, if a coordinate of the
/// view exceeds 1e30, or if the view has no area or is smaller than 1e-18. Thread-safe; takes about a microsecond
/// (`lanecull_flat_bench`, prepare/turned_rectangle); allocates nothing.
LANECULL_API lanecull_status lanecull_flat_prepare_view(const lanecull_flat_rectangle* rectangle,
                                                        lanecull_flat_view* view) LANECULL_NOEXCEPT;
LANECULL_API lanecull_status lanecull_flat_prepare_turned_view(const lanecull_flat_turned_rectangle* rectangle,
                                                               lanecull_flat_view* view) LANECULL_NOEXCEPT;

/// The convex hull of 3 to 16 points: x y of one after the other, in any order; 2 * point_count numbers. If rounding
/// hides on which side of a corner its neighbours lie, no object is reported wholly inside.
LANECULL_API lanecull_status lanecull_flat_prepare_view_from_points(const double* points, size_t point_count,
                                                                    lanecull_flat_view* view) LANECULL_NOEXCEPT;

/// Words of 64 objects that the batches take: the sum of ceil(count / 64).
LANECULL_API size_t lanecull_flat_visibility_words(const lanecull_flat_batch* batches,
                                                   size_t batch_count) LANECULL_NOEXCEPT;

/// Bytes of scratch memory that lanecull_flat_cull() needs for these batches and that many views.
LANECULL_API size_t lanecull_flat_scratch_bytes(const lanecull_flat_batch* batches, size_t batch_count,
                                                size_t view_count) LANECULL_NOEXCEPT;

/// Tests every object of every batch against every view. Views, outputs, scratch and options are as cull.h describes
/// them for lanecull_cull(), and so are failures and thread safety. The differences in the plane:
///
///  - Method::automatic tries all directions. Method::planes tries the view's edges only, which keeps objects near its
///    corners; Boxes, and Circles against rectangles, are decided exactly by either method.
///  - Reason::culled_plane counts objects beyond one of the view's edges; for Boxes also beyond one of their own
///    edges, and for Circles beyond a rectangle's corner. culled_gjk counts objects that another direction proves
///    apart. visible_planes counts Boxes, and Circles against rectangles, that no direction proves apart;
///    visible_overlap counts other shapes of which that is true, and visible_touching those of them that are apart by
///    less than the bound.
///  - The Certificate of a culled object, for either reason, has `direction` (x, y, 0): every point of the object lies
///    lower along it than every point of the view. `gap` is at least 0 and at most the distance. `far_depth` is
///    infinite and `steps` is 0.
LANECULL_API lanecull_status lanecull_flat_cull(const lanecull_flat_cull_call* call) LANECULL_NOEXCEPT;
LANECULL_C_END

#ifdef __cplusplus
namespace lanecull {
namespace flat {

/// The functions above, for C++.
[[nodiscard]] inline Status prepare_polygon(const float* x, const float* y, uint32_t count, Polygon& polygon) noexcept {
    return lanecull_flat_prepare_polygon(x, y, count, &polygon);
}
[[nodiscard]] inline Status prepare_view(const Rectangle& rectangle, View& view) noexcept {
    return lanecull_flat_prepare_view(&rectangle, &view);
}
[[nodiscard]] inline Status prepare_view(const TurnedRectangle& rectangle, View& view) noexcept {
    return lanecull_flat_prepare_turned_view(&rectangle, &view);
}
[[nodiscard]] inline Status prepare_view_from_points(Span<const double> points, View& view) noexcept {
    // Half a point makes no view either: then it is none.
    return lanecull_flat_prepare_view_from_points(points.items, points.count % 2 == 0 ? points.count / 2 : 0, &view);
}
[[nodiscard]] inline size_t visibility_words(Span<const Batch> batches) noexcept {
    return lanecull_flat_visibility_words(batches.items, batches.count);
}
[[nodiscard]] inline size_t scratch_bytes(Span<const Batch> batches, size_t view_count) noexcept {
    return lanecull_flat_scratch_bytes(batches.items, batches.count, view_count);
}
[[nodiscard]] inline Status cull(Span<const Batch> batches, Span<const View> views, Span<Output> outputs,
                                 Scratch scratch, const CullOptions& options = {}) noexcept {
    const Cull call = {batches, views, outputs, scratch, options};
    return lanecull_flat_cull(&call);
}
}  // namespace flat
}  // namespace lanecull
#endif
