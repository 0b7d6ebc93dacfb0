#pragma once

/// Convex solids as half-spaces, each known for certain.

#include <lanecull/occluder.h>

#include <cstdint>
#include <span>

#include "base/affine.hpp"
#include "base/given.hpp"
#include "view/frame.hpp"

namespace lanecull {

/// A box, in doubles: relative to a viewpoint's origin, or in the world.
struct Bounds3 {
    Double3 low, high;
};

/// A convex solid O: all q = p - origin where every facet is >= 0. What is given in floats is enclosed here: O is a
/// subset of the solid as given (all of it, but for oriented boxes).
struct Solid {
    static constexpr std::uint32_t max_facets = 32;
    static constexpr std::uint8_t none = 0xff;

    Affine facet[max_facets];  ///< normals are about 1 long
    std::uint32_t count = 0;
    std::uint8_t opposite[max_facets];  ///< the facet whose normal is exactly the negative one, or `none`
    /// Bits of the facets whose edges with it may be on the outline: all of them, unless neighbours are known.
    std::uint32_t beside[max_facets];
    bool has_mean = false;     ///< of hulls, whose facets are the triangles of a closed surface
    Near at_mean[max_facets];  ///< if so: facets' values at the mean corner, > 0
    Bounds3 bounds;            ///< what is drawn lies in it; relative to the origin

    void add_pair(const Affine& lower, const Affine& upper);
};

/// Reads a solid. `origin`: of the coordinates q.
[[nodiscard]] OccluderRefusal read_solid(const SolidBox& given, const float (&origin)[3], Solid& solid);
[[nodiscard]] OccluderRefusal read_solid(const SolidOrientedBox& given, const float (&origin)[3], Solid& solid);
[[nodiscard]] OccluderRefusal read_solid(const SolidHullInstance& given, const float (&origin)[3], Solid& solid);
/// The bounds are not known.
[[nodiscard]] OccluderRefusal read_solid(std::span<const Plane> given, const float (&origin)[3], Solid& solid);

/// Reads a box that need not have an inside.
[[nodiscard]] OccluderRefusal read_bounds(const SolidBox& given, const float (&origin)[3], Bounds3& bounds);

/// Whether all numbers are lengths from 0 to 1e30.
[[nodiscard]] inline bool is_valid(const RasterMargin& margin) {
    const auto is_length = [](double a) { return a >= 0 && a <= coordinate_limit; };
    return is_length(margin.per_distance) && is_length(margin.depth_per_square) && is_length(margin.depth_per_distance);
}

/// Whether a set's spans have memory, and boxes of what is drawn for each solid or for none.
[[nodiscard]] inline Status check_solids(const SolidSet& solids) noexcept {
    Status status = check_cleared(solids, "solids");
    if (status) status = check_span(solids.boxes, "solids.boxes");
    if (status) status = check_span(solids.oriented_boxes, "solids.oriented_boxes");
    if (status) status = check_span(solids.hulls, "solids.hulls");
    if (status) status = check_span(solids.drawn, "solids.drawn");
    if (!status) return status;
    const std::size_t count = solids.count();
    if (count > 0xffffffffU) return failure("solids: more than 2^32 - 1");
    if (!solids.drawn.empty() && solids.drawn.size() != count) {
        return failure("solids.drawn: %zu boxes are not one for each of %zu solids", solids.drawn.size(), count);
    }
    return {};
}
/// The same, and owners, one for each solid or none.
[[nodiscard]] inline Status check_owned_solids(const SolidSet& solids) noexcept {
    Status status = check_solids(solids);
    if (status) status = check_span(solids.owners, "solids.owners");
    if (!status) return status;
    if (!solids.owners.empty() && solids.owners.size() != solids.count()) {
        return failure("solids.owners: %zu are not one for each of %zu solids", solids.owners.size(), solids.count());
    }
    return {};
}

}  // namespace lanecull
