#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>

#include <lanecull/export.hpp>
#include <lanecull/one_of.hpp>
#include <lanecull/records.hpp>
#include <lanecull/status.hpp>
#include <lanecull/transforms.hpp>

/// Batches: many convex objects of one kind, as structure of arrays over the caller's memory.
///
/// What holds for every kind:
///  - A batch owns nothing. The arrays must exist and must not be written while a cull reads them. Any number of culls
///    may read them at once.
///  - A stream is a contiguous array of `count` floats, one for each object. Records are read at a byte stride (below).
///    Any 4-byte alignment will do. Nothing beyond the last object's data is read.
///  - Units are the caller's own, the same for every batch and view of a call. Coordinates are the world's, in floats.
///    In worlds too large for floats, store coordinates relative to a tile's origin instead, and give each view the eye
///    relative to the same origin: ClipSpace::origin = eye - tile's origin.
///  - Numbers are taken as stored: the object *is* the set of points that they define exactly.
///  - An object is *invalid* if it has a NaN or infinite number, a negative radius or half-extent, min > max, a zero
///    quaternion, or a hull index out of range, or if its coordinates add up to more than 1e37. It is always reported
///    visible, is counted in Reason::visible_invalid, and has no effect on its neighbours. Where a bounding sphere
///    is given, the sphere alone decides until the object's records are read; the functions that compute bounding
///    spheres give an invalid object a NaN.
///  - `count` may be 0; then the pointers are not looked at.
namespace lanecull {

/// Balls: every point within `radius` of (x, y, z). 16 bytes an object.
struct Spheres {
    const float* x = nullptr;
    const float* y = nullptr;
    const float* z = nullptr;
    const float* radius = nullptr;  ///< >= 0; 0 is a point
    std::uint32_t count = 0;
};

/// Axis-aligned boxes by their corners: min <= p <= max. 24 bytes an object, the cheapest boxes to cull.
struct Boxes {
    const float* min_x = nullptr;
    const float* min_y = nullptr;
    const float* min_z = nullptr;
    const float* max_x = nullptr;
    const float* max_y = nullptr;
    const float* max_z = nullptr;
    std::uint32_t count = 0;
};

/// Axis-aligned boxes by centre and half-extents: |p - centre| <= half, component by component. 24 bytes an object.
struct CenteredBoxes {
    const float* x = nullptr;
    const float* y = nullptr;
    const float* z = nullptr;
    const float* half_x = nullptr;
    const float* half_y = nullptr;
    const float* half_z = nullptr;
    std::uint32_t count = 0;
};

/// Oriented boxes: centre + sum over k of s_k half_k axis_k, |s_k| <= 1.
///
/// Centre and bounding radius are streams that are read for every object. Orientation and half-extents are records that
/// are read only for the few objects that their bounding sphere leaves undecided. The orientation is given as `axes` or
/// as `quaternions`, exactly one of the two.
struct OrientedBoxes {
    const float* x = nullptr;
    const float* y = nullptr;
    const float* z = nullptr;
    /// 9 floats a record: the three axes one after the other. They are used as stored: an axis of length 2 doubles that
    /// half-extent, axes need not be orthogonal (a sheared box), left-handed triples are fine, and zero axes make flat
    /// boxes.
    Records axes = {};
    /// 4 floats a record, (x, y, z, w): the axes are the columns of the rotation matrix of q / |q|. So |q| need not be
    /// 1, but its square must be a normal float: a box with |q| outside of 1e-18 to 1e18 is invalid.
    Records quaternions = {};
    /// 3 floats a record, each >= 0.
    Records half_extents = {};
    /// Optional stream. No point of box i may be farther than bounding_radius[i] from its centre; otherwise the box may
    /// be culled wrongly. bounding_radii() (bounds.hpp) computes such radii. Without this stream every object's records
    /// are read, which takes some 5 times as long for uniformly placed objects.
    const float* bounding_radius = nullptr;
    std::uint32_t count = 0;
};

/// Capsules: every point within `radius` of the segment from a to b. 28 bytes an object. a == b makes a ball.
struct Capsules {
    const float* a_x = nullptr;
    const float* a_y = nullptr;
    const float* a_z = nullptr;
    const float* b_x = nullptr;
    const float* b_y = nullptr;
    const float* b_z = nullptr;
    const float* radius = nullptr;  ///< >= 0; 0 is a segment
    std::uint32_t count = 0;
};

/// A vertex set that many instances share: the convex hull of `count` points. prepare_hull() makes it and fills the
/// bounds. The vertices stay the caller's and must not change afterwards.
struct Hull {
    const float* x = nullptr;
    const float* y = nullptr;
    const float* z = nullptr;
    std::uint32_t count = 0;
    float lower[3] = {};  ///< smallest coordinate of any vertex
    float upper[3] = {};  ///< largest coordinate of any vertex
    float mean[3] = {};   ///< the vertices' mean: a point of the hull
    float outer = 0;      ///< no vertex is farther from the mean
    float inner = 0;      ///< a ball of this radius around the mean lies in the hull; 0 where none is known
};

/// Fills `hull`, in some sixteen passes over the vertices. There must be 1 to 65,535 vertices, all finite. Flat, linear
/// and single-point sets are hulls too. Vertices inside the hull do no harm but cost time. A failure names what is
/// wrong and leaves `hull` untouched.
LANECULL_API Status prepare_hull(const float* x, const float* y, const float* z, std::uint32_t count,
                                 Hull& hull) noexcept;

/// Instances of hulls: object i is { A_i p + t_i : p in hulls[hull_index[i]] }. It is also invalid if the last row of a
/// 4x4 transform is not (0 0 0 1).
struct HullInstances {
    Transforms transforms = {};
    const Hull* hulls = nullptr;
    std::uint32_t hull_count = 0;
    /// Stream: which hull. Null if there is only one. Instances of one hull that follow each other are tested together:
    /// across the volume's boundary, those in random order take 1.2 to 1.35 times as long as those ordered by hull.
    const std::uint32_t* hull_index = nullptr;
    /// Optional streams, all four or none: a sphere that contains instance i. It is tested before the instance's
    /// transform is read. If it does not contain the instance, the instance may be culled wrongly. bounding_spheres()
    /// (bounds.hpp) computes such spheres.
    const float* bounding_x = nullptr;
    const float* bounding_y = nullptr;
    const float* bounding_z = nullptr;
    const float* bounding_radius = nullptr;
    std::uint32_t count = 0;
};

/// Boxes in the coordinates of objects or of their meshes, one an object or shared by index. They are streams
/// (`boxes`), or records: `lower` and `upper` point into the caller's own array of boxes, with its stride; then `boxes`
/// has their count alone.
struct LocalBoxes {
    Boxes boxes;
    /// Stream: object i has box box_index[i]. Null: box i, and there must be as many boxes as objects.
    const std::uint32_t* box_index = nullptr;
    Records lower = {};  ///< 3 floats a record: each box's smallest coordinates
    Records upper = {};  ///< 3 floats a record: its largest ones
};

/// Boxes under transforms: object i is { A_i p + t_i : p in its local box }, a parallelepiped, exactly.
///
/// For what an engine has anyway: its matrices, and a local box for each object or mesh. A cull of 10^6 takes 0.69 to
/// 0.73 of the time of world_boxes() (world_bounds.hpp) and a cull of what it writes, of 10^4 0.84 to 1.0; it stores
/// nothing, and culls the box as it is turned, not the box along the world's axes around that. World boxes that are
/// culled several times, as in several views of a frame, are cheaper from the second time on.
///
/// An object is also invalid if min > max in its local box, if its box_index is out of range, if the last row of a 4x4
/// transform is not (0 0 0 1), or if a number overflows on the way.
struct BoxInstances {
    Transforms transforms = {};
    LocalBoxes local = {};
    std::uint32_t count = 0;
};

/// Bits of Attributes::flags. Others are ignored.
enum ObjectFlag : std::uint32_t {
    object_disabled = 1,        ///< culled from every view, whatever its other attributes
    object_always_visible = 2,  ///< visible wherever it is; its shape, distance and size are not looked at
};

/// What objects of any kind may have besides their shape: optional streams of `count` entries each, null for none. Like
/// the shapes' arrays they stay the caller's and are only read.
///
/// A margin or sweep makes the shape larger; everything said about shapes then holds for the larger one. A batch's
/// bounding spheres and radii are those of the shapes without margin and sweep.
///
/// An object is invalid if its attributes have a NaN, a negative number where none may be, or an infinite margin or
/// sweep. It is visible and counted as invalid, unless it is disabled or on none of the view's layers.
///
/// Cost (benchmarks attributes/, uniformly placed spheres and boxes, AVX-512; a cull takes 0.7 and 1.6 ns an object):
/// flags or layers take 0.2 to 0.5 ns an object more, a margin or a maximum distance 0.5 to 1.0, a sweep 1.0 to 1.2,
/// all of these together 1.5 to 2.3. A minimum distance takes 1.0 to 1.4 times as long as a maximum one.
struct Attributes {
    /// Every point within `margin` >= 0 of the shape belongs to the object: displacement, skinning, a collision skin.
    const float* margin = nullptr;
    /// The shape moves by (sweep_x, sweep_y, sweep_z) in a straight line; every place that it passes belongs to the
    /// object. All three streams or none.
    const float* sweep_x = nullptr;
    const float* sweep_y = nullptr;
    const float* sweep_z = nullptr;
    const std::uint32_t* flags = nullptr;   ///< ObjectFlag bits
    const std::uint32_t* layers = nullptr;  ///< culled if it has no bit in common with ViewOptions::layer_mask
    /// >= 0; infinity for no limit. The object is culled if all of it is proved to be farther than this from the view's
    /// eye. The proof uses one direction, from the eye to the object's centre. That is exact for balls, and nearly
    /// exact for objects that are small compared with their distance. Views without an eye ignore it.
    const float* max_distance = nullptr;
    /// >= 0; 0 for no limit. The object is culled if its projected size is proved to be smaller. That size is the
    /// diameter of the smallest ball around the object's centre that contains it (for a hull, its box; without margin
    /// and sweep), seen at the object's smallest distance, as a fraction of the view's height. Views without a size
    /// scale ignore it.
    const float* min_projected_size = nullptr;
    /// >= 0; 0 for no limit. The object is culled if it is proved to be nearer than this to the view's eye: a proxy
    /// that is drawn from some distance on in place of its children (HLOD). Its distance is that of its nearest point,
    /// with margin and sweep; a hull's that of its box. The proof finds that point: for balls, boxes and capsules
    /// without sweep exactly but for rounding, for others nearly. Views without an eye ignore it.
    ///
    /// max_distance culls only what is farther than it, min_distance only what is nearer, both of the same distance. So
    /// of two batches with the same shapes, one with max_distance and one with the same numbers as min_distance, at
    /// least one shows each object, whatever was rounded. Both show it within the bound on rounding; and, where an
    /// object is no ball but has radius r, from max_distance up to the root of max_distance^2 + r^2.
    ///
    /// Where a proxy contains several smaller children, some of them are farther away than the proxy's nearest point.
    /// Then nothing is missing if each child's max_distance is at least the proxy's min_distance plus the largest
    /// distance between two of the proxy's points.
    const float* min_distance = nullptr;
};

/// VkDrawIndexedIndirectCommand, D3D12_DRAW_INDEXED_ARGUMENTS, OpenGL's DrawElementsIndirectCommand.
struct DrawCommand {
    std::uint32_t index_count = 0;
    std::uint32_t instance_count = 1;
    std::uint32_t first_index = 0;
    std::int32_t vertex_offset = 0;
    std::uint32_t first_instance = 0;
};
static_assert(sizeof(DrawCommand) == 20);

/// The commands that draw a batch's objects, for Output::draws. Not looked at if no view asks for draws.
struct DrawTemplates {
    enum class Per : std::uint8_t {
        batch,   ///< `first` is the only template; object i's command is a copy of it with first_instance + i
        object,  ///< template i, `stride_bytes` after the one before, is object i's command as it is
    };
    const DrawCommand* first = nullptr;
    Per per = Per::batch;
    std::size_t stride_bytes = sizeof(DrawCommand);  ///< a multiple of 4, 20 to 65,536
};

/// A batch of any kind. Each batch of a call starts a new 64-object word in the visibility bits.
struct Batch {
    using Shapes = OneOf<Spheres, Boxes, CenteredBoxes, OrientedBoxes, Capsules, HullInstances, BoxInstances>;

    /// Any of the kinds above. Object i of this batch appears in index lists as `first + i` (modulo 2^32).
    template <KindOfShapes<Shapes> Kind>
    Batch(const Kind& kind, std::uint32_t first = 0) noexcept : shapes(kind), first_index(first) {}
    template <KindOfShapes<Shapes> Kind>
    Batch(const Kind& kind, const Attributes& also, std::uint32_t first = 0) noexcept
        : shapes(kind), first_index(first), attributes(also) {}

    [[nodiscard]] std::uint32_t count() const noexcept {
        return shapes.visit([](const auto& kind) { return kind.count; });
    }

    Shapes shapes;
    std::uint32_t first_index = 0;
    Attributes attributes = {};
    DrawTemplates draws = {};
};

class Scene;  // scene.hpp

/// What is culled: batches, which are only read, or a scene. A view of it, which must not outlive it.
struct Objects {
    std::span<const Batch> batches = {};
    const Scene* scene = nullptr;

    Objects() noexcept = default;
    Objects(const Batch* first, std::size_t count) noexcept : batches(first, count) {}
    template <class Batches, class = std::enable_if_t<std::is_convertible_v<Batches&&, std::span<const Batch>>>>
    Objects(Batches&& from) noexcept : batches(std::forward<Batches>(from)) {}
    Objects(const Scene& from) noexcept : scene(&from) {}
};

}  // namespace lanecull
