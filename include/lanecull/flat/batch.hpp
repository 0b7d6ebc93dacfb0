#pragma once

#include <cstdint>

#include <lanecull/batch.hpp>
#include <lanecull/export.hpp>
#include <lanecull/one_of.hpp>
#include <lanecull/status.hpp>

/// Batches in the plane: many convex 2D shapes of one kind, as structure of arrays over the caller's memory.
///
/// What <lanecull/batch.hpp> says about solids holds for 2D shapes:
///  - A batch owns nothing.
///  - A stream is an array of `count` floats, one for each object, with any 4-byte alignment. Nothing beyond the last
///    is read.
///  - Units are the caller's own.
///  - Numbers are taken as stored: the object *is* the set of points that they define exactly.
///  - An object with a NaN or infinite number, a negative radius or half-extent, or min > max is *invalid*. It is
///    always reported visible, is counted in Reason::visible_invalid, and has no effect on its neighbours. Finite
///    numbers that add up to more than 1e37 may make an object invalid too.
///  - `count` may be 0; then the pointers are not looked at.
namespace lanecull::flat {

/// Discs: every point within `radius` of (x, y). 12 bytes an object.
struct Circles {
    const float* x = nullptr;
    const float* y = nullptr;
    const float* radius = nullptr;  ///< >= 0; 0 is a point
    std::uint32_t count = 0;
};

/// Axis-aligned boxes: min <= p <= max. 16 bytes an object, and the cheapest shapes to cull: against an aligned
/// rectangle four comparisons decide, without any error bound.
struct Boxes {
    const float* min_x = nullptr;
    const float* min_y = nullptr;
    const float* max_x = nullptr;
    const float* max_y = nullptr;
    std::uint32_t count = 0;
};

/// Oriented boxes: (x, y) + s half_x (axis_x, axis_y) + t half_y (-axis_y, axis_x), |s| <= 1, |t| <= 1. The axis is
/// (cos, sin) of the angle, used as stored: an axis of length 2 doubles both half-extents, (0, 0) makes a point. 24
/// bytes an object.
struct OrientedBoxes {
    const float* x = nullptr;
    const float* y = nullptr;
    const float* axis_x = nullptr;
    const float* axis_y = nullptr;
    const float* half_x = nullptr;  ///< >= 0
    const float* half_y = nullptr;  ///< >= 0
    std::uint32_t count = 0;
};

/// Capsules: every point within `radius` of the segment from a to b. 20 bytes an object. a == b makes a disc.
struct Capsules {
    const float* a_x = nullptr;
    const float* a_y = nullptr;
    const float* b_x = nullptr;
    const float* b_y = nullptr;
    const float* radius = nullptr;  ///< >= 0; 0 is a segment
    std::uint32_t count = 0;
};

/// The convex hull of some points, which many instances share. prepare_polygon() makes it and copies the points.
struct Polygon {
    static constexpr std::uint32_t max_points = 32;

    std::uint32_t count = 0;                       ///< corners, counter-clockwise
    float x[max_points] = {}, y[max_points] = {};  ///< of the corners
    float normal_x[max_points] = {},
          normal_y[max_points] = {};  ///< outward normals: entry k is that of the edge from corner k to the next
    float mean[2] = {};               ///< the corners' mean
    float radius = 0;                 ///< no corner is farther from the mean
    float magnitude = 0;              ///< no corner has a larger |x| + |y|
};

/// Makes a polygon of 1 to 32 points in any order, all finite and none beyond 1e30. Points inside their hull do no
/// harm. Hulls without area (segments, single points) are fine. A failure names what is wrong and leaves `polygon`
/// untouched.
LANECULL_API Status prepare_polygon(const float* x, const float* y, std::uint32_t count, Polygon& polygon) noexcept;

/// Instances of one polygon, each turned, scaled and moved: { (x, y) + (turn_x p_x - turn_y p_y, turn_y p_x + turn_x
/// p_y) : p in polygon }. The turn is scale * (cos, sin) of the angle, used as stored. 16 bytes an object.
struct PolygonInstances {
    const float* x = nullptr;
    const float* y = nullptr;
    const float* turn_x = nullptr;
    const float* turn_y = nullptr;
    const Polygon* polygon = nullptr;  ///< must exist and not change while a cull reads it
    std::uint32_t count = 0;
};

/// A batch of any kind. Each batch of a call starts a new 64-object word in the visibility bits.
struct Batch {
    using Shapes = OneOf<Circles, Boxes, OrientedBoxes, Capsules, PolygonInstances>;

    /// Any of the kinds above. Object i of this batch appears in index lists as `first + i` (modulo 2^32).
    template <KindOfShapes<Shapes> Kind>
    Batch(const Kind& kind, std::uint32_t first = 0) noexcept : shapes(kind), first_index(first) {}

    [[nodiscard]] std::uint32_t count() const noexcept {
        return shapes.visit([](const auto& kind) { return kind.count; });
    }

    Shapes shapes;
    std::uint32_t first_index = 0;
    DrawTemplates draws = {};
};

}  // namespace lanecull::flat
