#pragma once

#include <cstddef>
#include <cstdint>
#include <variant>

#include <lanecull/status.hpp>

/// Batches: many convex objects of one kind, as structure of arrays over the caller's memory.
///
/// What holds for every kind:
///  - A batch owns nothing. The arrays must live, and must not be written, while a cull reads them; any number of
///    culls may read them at once.
///  - A stream is an array of `count` floats, one an object, contiguous. Records are read at a byte stride (below).
///    Any 4-byte alignment will do; nothing beyond the last object's data is read.
///  - Units are the caller's own, the same for every batch and view of a call. Coordinates are world coordinates, or
///    relative to the origin that the view was prepared with.
///  - Numbers are taken as stored: the object *is* the set of points they define exactly.
///  - An object with a NaN or infinite number, a negative radius or half-extent, min > max, or a hull index out of
///    range is *invalid*: always reported visible, counted in Statistics::visible_invalid, and of no effect on its
///    neighbours. So is one whose coordinates add up to more than 1e37. Where a bounding sphere is given, it alone
///    decides until its records are read; the functions that compute one give an invalid object a NaN.
///  - `count` may be 0, the pointers are then not looked at.
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

/// Records of floats read at a stride: record i starts at byte `i * stride_bytes` from `first`.
struct Records {
    const float* first = nullptr;
    /// Distance from one record to the next: a multiple of 4, at least the record's own size and at most 65,536.
    /// 0 means tightly packed.
    std::size_t stride_bytes = 0;
};

/// Oriented boxes: centre + sum over k of s_k half_k axis_k, |s_k| <= 1.
///
/// Centre (and bounding radius) are streams read for every object; axes and half-extents are records read only for the
/// few that a bounding sphere leaves open.
struct OrientedBoxes {
    const float* x = nullptr;
    const float* y = nullptr;
    const float* z = nullptr;
    /// 9 floats a record: the three axes one after the other. Used as stored: an axis of length 2 doubles that
    /// half-extent, axes need not be orthogonal (a sheared box), left-handed triples are fine, zero axes make flat
    /// boxes.
    Records axes;
    /// 3 floats a record, each >= 0.
    Records half_extents;
    /// Optional stream; no point of box i may be farther than bounding_radius[i] from its centre, or the box may be
    /// culled wrongly. bounding_radii() computes such radii. Without it every object's records are read (some 5 times
    /// the time for uniformly placed objects).
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

/// A vertex set that many instances share: the convex hull of `count` points. Made by prepare_hull(), which fills the
/// bounds; the vertices stay the caller's and must not change afterwards.
struct Hull {
    const float* x = nullptr;
    const float* y = nullptr;
    const float* z = nullptr;
    std::uint32_t count = 0;
    float lower[3] = {};  ///< smallest coordinate of any vertex
    float upper[3] = {};  ///< largest coordinate of any vertex
    float mean[3] = {};   ///< the vertices' mean: a point of the hull
};

/// Looks at the vertices once and fills `hull`. 1 to 65,535 vertices, all finite; flat, linear and single-point sets
/// are hulls too, and vertices inside the hull do no harm but cost time. Fails naming what is wrong, `hull` is then
/// untouched.
Status prepare_hull(const float* x, const float* y, const float* z, std::uint32_t count, Hull& hull) noexcept;

/// Instances of hulls: object i is { A_i p + t_i : p in hulls[hull_index[i]] }.
struct HullInstances {
    /// 12 floats a record, a 3x4 affine transform row by row: (A00 A01 A02 t0) (A10 A11 A12 t1) (A20 A21 A22 t2).
    /// Mirrored, sheared, scaled and singular A are fine.
    Records transforms;
    const Hull* hulls = nullptr;
    std::uint32_t hull_count = 0;
    /// Stream: which hull. Null when there is but one. Instances of one hull next to each other share packs: order the
    /// batch by hull.
    const std::uint32_t* hull_index = nullptr;
    /// Optional streams, all four or none: a sphere that contains instance i, looked at before its transform is read.
    /// It must contain the instance, or the instance may be culled wrongly; bounding_spheres() computes such spheres.
    const float* bounding_x = nullptr;
    const float* bounding_y = nullptr;
    const float* bounding_z = nullptr;
    const float* bounding_radius = nullptr;
    std::uint32_t count = 0;
};

/// Fills radius[0 .. count) so that the sphere around each box's centre contains the box, rounded up (at most some
/// 2^-20 too large). An invalid box gets a NaN, which keeps it visible. `radius` must not overlap the batch.
/// Costs about 10 ns an object; done when objects change, not every frame.
Status bounding_radii(const OrientedBoxes& boxes, float* radius) noexcept;

/// Fills the four arrays (`count` floats each) so that each sphere contains its instance: the hull's box, transformed
/// (so not the smallest sphere). The batch's own bounding streams are not looked at. Invalid instances get NaN.
Status bounding_spheres(const HullInstances& instances, float* x, float* y, float* z, float* radius) noexcept;

/// A batch of any kind. Each batch of a call starts a new 64-object word in the visibility bits.
struct Batch {
    using Shapes = std::variant<Spheres, Boxes, CenteredBoxes, OrientedBoxes, Capsules, HullInstances>;

    /// Any of the kinds above. Object i of this batch appears in index lists as `first + i` (modulo 2^32).
    template <class Kind>
    Batch(const Kind& kind, std::uint32_t first = 0) noexcept : shapes(kind), first_index(first) {}

    [[nodiscard]] std::uint32_t count() const noexcept {
        return std::visit([](const auto& kind) { return kind.count; }, shapes);
    }

    Shapes shapes;
    std::uint32_t first_index = 0;
};

}  // namespace lanecull
