#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include <lanecull/occluder.h>

#include "oracle/exact.hpp"
#include "support/generate.hpp"
#include "support/objects.hpp"
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

/// A hull that a solid is made from, and where it is placed.
struct TestHull {
    lanecull::SolidHull hull;
    std::array<float, 12> transform;

    [[nodiscard]] lanecull::SolidHullInstance instance() const;
    [[nodiscard]] Vertices corners() const;
};
[[nodiscard]] lanecull::Status inscribe(const Vertices& vertices, lanecull::SolidHull& hull);

/// A box that the library places.
struct PlacedBox {
    lanecull::SolidBox box;
    std::array<float, 12> transform;
};

/// A solid of any form that the library takes.
using AnySolid =
    std::variant<lanecull::SolidBox, lanecull::SolidOrientedBox, std::vector<lanecull::Plane>, PlacedBox, TestHull>;
[[nodiscard]] lanecull::OccluderRefusal prepare(const AnySolid& given, const lanecull::Viewpoint& viewpoint,
                                                lanecull::Occluder& occluder,
                                                const lanecull::OccluderOptions& options = {});
/// Of one that was not refused. Of a placed box: the image, of which the library's box leaves out a little.
[[nodiscard]] exact::HalfSpaces facets_of(const AnySolid& given);

struct TestSolid {
    AnySolid given;
    lanecull::SolidBox drawn;  ///< around it
    exact::HalfSpaces facets;  ///< of the solid that the caller means, which is never less than what hides
    std::string text;
    /// Of what place_solid() leaves of it, or a surface that is not convex.
    std::optional<exact::HalfSpaces> left = {};

    [[nodiscard]] lanecull::OccluderRefusal prepare(const lanecull::Viewpoint& viewpoint,
                                                    lanecull::Occluder& occluder) const;
};

/// The forms in which a solid is given. `placed`: an oriented box that place_solid() makes of a box and a transform.
/// `spoilt_hull`, none of all_forms: an open surface, or one with a corner that was moved. Most are refused; the others
/// hide less than their corners' hull.
enum class SolidForm { box, oriented_box, placed, polytope, hull, spoilt_hull };
constexpr SolidForm all_forms[] = {SolidForm::box, SolidForm::oriented_box, SolidForm::placed, SolidForm::polytope,
                                   SolidForm::hull};

/// Mostly a box.
[[nodiscard]] SolidForm random_form(Random& random);

/// A solid of about that size around `centre`. Some are thin; some boxes have a facet in a plane through the eye. Hulls
/// have 4 to 10 vertices, often more than three of them in a plane, and a transform of any sort.
[[nodiscard]] TestSolid random_solid(Random& random, SolidForm form, const Double3& centre, double size,
                                     const Double3& eye);

/// Solids in a camera's volume, of all sizes and, without `form`, of all forms; some boxes touch, contain or equal one
/// another.
[[nodiscard]] std::vector<TestSolid> random_solids(Random& random, const Camera& camera, const Double3& eye,
                                                   std::size_t count, std::optional<SolidForm> form = {});

/// A point about a box, mostly behind it, as seen from the eye.
[[nodiscard]] Double3 place_behind(Random& random, const lanecull::SolidBox& box, const Double3& eye);
