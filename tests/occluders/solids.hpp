#pragma once

#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include <lanecull/occluder.hpp>

#include "oracle/exact_hiding.hpp"
#include "support/generate.hpp"
#include "support/random.hpp"

/// Random viewpoints and solids, each with what it is exactly.

/// Where solids are seen from.
struct TestViewpoint {
    lanecull::Viewpoint viewpoint;
    exact::Sight sight;
    std::vector<exact::Point> near_corners;      ///< of the camera's volume: what a near plane may cut is nearer
    std::optional<exact::HalfSpace> near_plane;  ///< of an orthographic one
    Double3 eye{};                               ///< about where; parallel sight: far back
    std::string text;
};

/// The eye of a prepared camera. None if the library refuses it as a viewpoint.
[[nodiscard]] std::optional<TestViewpoint> viewpoint_of(const Camera& camera);
/// A cell of 2 to 8 eyes about the camera's, as far apart as `size`; near planes reach as far as the camera's do.
[[nodiscard]] std::optional<TestViewpoint> cell_about(Random& random, const Camera& camera, double size);

/// A view of everything, so that nothing but solids decides.
[[nodiscard]] lanecull::View view_of_all();

/// The largest coordinate of a solid relative to an origin, its radius included.
[[nodiscard]] double largest_coordinate(const exact::Solid& solid, const float (&origin)[3]);

/// A solid of any form that the library takes.
struct TestSolid {
    std::variant<lanecull::SolidBox, lanecull::SolidOrientedBox, std::vector<lanecull::Plane>> given;
    lanecull::SolidBox drawn;  ///< around it
    exact::HalfSpaces facets;
    std::string text;

    [[nodiscard]] lanecull::OccluderRefusal prepare(const lanecull::Viewpoint& viewpoint,
                                                    lanecull::Occluder& occluder) const;
};

/// A solid of about that size around `centre`. Some are thin, some have a facet in a plane through the eye.
[[nodiscard]] TestSolid random_solid(Random& random, const Double3& centre, double size, const Double3& eye);

/// Solids in a camera's volume, of all sizes; some touch, contain or equal one another.
[[nodiscard]] std::vector<TestSolid> random_solids(Random& random, const Camera& camera, const Double3& eye,
                                                   std::size_t count);
