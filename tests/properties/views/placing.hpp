#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <lanecull/shadow.h>
#include <lanecull/view.h>

#include "oracle/exact.hpp"
#include "properties/views/setting.hpp"
#include "support/double3.hpp"
#include "support/generate.hpp"
#include "support/objects.hpp"
#include "support/random.hpp"

/// Places objects so that they touch a volume, as nearly as floats allow, and fills settings with them.
namespace properties {

/// A volume's boundary in doubles, used to place objects. No proof depends on it.
class Boundary {
public:
    explicit Boundary(const exact::Volume& volume);

    /// A point on a facet, an edge or a corner of the volume, and a direction in which the volume ends there.
    struct Spot {
        Double3 at;
        Double3 outward;  ///< of length 1
        Double3 along;    ///< the edge's direction if the point is on an edge; else any direction
    };
    [[nodiscard]] Spot spot(Random& random) const;
    [[nodiscard]] Spot spot_on_edge(Random& random) const;

    [[nodiscard]] const Double3& corner(Random& random) const;
    [[nodiscard]] double size() const { return size_; }  ///< the distance of its two farthest corners

private:
    [[nodiscard]] Spot spot_on(Random& random, int planes) const;
    [[nodiscard]] Spot corner_spot(Random& random) const;
    void find_facets();
    void add_facet(const Double3& inward, std::size_t point);

    std::vector<Double3> points_, rays_, normals_;  ///< normals point inward and have length 1
    std::vector<std::vector<std::size_t>> on_;      ///< [point]: the planes it lies on
    double size_ = 0;
};

/// The object's farthest point in direction v, without its margin and sweep.
[[nodiscard]] Double3 support(Kind kind, const Object& object, const HullSet& hulls, const Double3& v);

/// The object translated so that its boundary touches the spot from outside, at the distance `off`.
[[nodiscard]] Object touching(Kind kind, const Object& object, const HullSet& hulls, const Boundary::Spot& spot,
                              double off);

/// Multiplies the object's extents along its own axes. A sphere's radius is multiplied by the first factor, a capsule's
/// by the second.
void stretch(Kind kind, const Double3& factors, Object& object);

/// Turns the object's first axis to `direction` and the others perpendicular to it. Lengths do not change. Kinds
/// without axes stay as they are.
void turn(Random& random, Kind kind, const Double3& direction, Object& object);

// Settings filled with objects.

/// A setting without objects; none if the volume is empty.
[[nodiscard]] std::optional<Setting> setting_of(Random& random, exact::Volume volume, const lanecull::View& view,
                                                std::string text);

using MakeObject = std::function<Object(Random&, const Setting&, const Boundary&, Kind)>;

/// Adds `count` objects of each kind.
[[nodiscard]] std::optional<Setting> fill(Random& random, std::optional<Setting> setting, std::size_t count,
                                          const MakeObject& make);

/// Of a setting's hulls, the one that is one vertex many times. After it come vertices in a line and in a plane.
[[nodiscard]] std::uint32_t point_hull(const HullSet& hulls);

/// A few units in the last place, or a little more than the bound, on either side.
[[nodiscard]] double grazing(Random& random, double magnitude);

/// The object moved until it touches the volume at the spot, or nearly.
[[nodiscard]] Object touch(Random& random, const Setting& setting, Kind kind, const Object& object,
                           const Boundary::Spot& spot, double size);

[[nodiscard]] double size_at(Random& random, const Setting& setting, const Boundary& boundary, const Double3& at);

/// An object at the spot, changed by `change(object)`, then moved to touch it.
template <class Change>
Object touching_at(Random& random, const Setting& setting, const Boundary& boundary, Kind kind,
                   const Boundary::Spot& spot, const Change& change) {
    const double size = size_at(random, setting, boundary, spot.at);
    Object object = object_at(random, kind, spot.at, size, setting.hulls);
    change(object);
    return touch(random, setting, kind, object, spot, size);
}

/// An object that touches the volume anywhere, or nearly.
[[nodiscard]] Object any_touching(Random& random, const Setting& setting, const Boundary& boundary, Kind kind);

/// The solid's largest coordinate from the view's origin, its radius included.
[[nodiscard]] double largest_seen(const Setting& setting, const exact::Solid& solid);

// Lights of every kind, and settings of what casts shadows by them.

[[nodiscard]] exact::HalfSpace half_space(const lanecull::Plane& plane);
void add(exact::HalfSpaces& to, std::span<const lanecull::Plane> planes);
/// Its sides, where it has an end.
void add(exact::HalfSpaces& to, const lanecull::WorldBox& box);
[[nodiscard]] lanecull::Plane plane(const Double3& normal, double offset);
/// The cube around a ball.
void add_cube(exact::HalfSpaces& to, const exact::Point& center, const exact::Rational& radius);

struct Light {
    std::optional<lanecull::DirectionalLight> directional_light;  ///< or a point light
    std::optional<lanecull::PointLight> point_light;
    std::vector<lanecull::Plane> sides;  ///< the light's

    /// They refer to this light.
    [[nodiscard]] lanecull::ViewOptions options(std::span<const lanecull::Plane> clip_planes, double margin);
    /// What the light stays in: its sides, and the cube around its range. The margin widens both; with sides it is 0.
    [[nodiscard]] exact::HalfSpaces limits(double margin) const;
    [[nodiscard]] std::optional<Reach> reach(double margin) const;
    /// The volume of what casts shadows into `lit`.
    [[nodiscard]] exact::Volume casters(const exact::Volume& lit) const;
    /// From a lit point to the point light, or as far towards the directional light as casters stand; no farther than
    /// some `size`.
    [[nodiscard]] Double3 way_from(const Double3& lit, double size) const;
    [[nodiscard]] std::string describe() const;
};

/// A directional light of some reach, an endless one, a point light, one with a range, or a spot. It lights `seen`, or
/// nearly; it stands at a distance of about `size`, in the plane of an axis, along an axis or anywhere.
[[nodiscard]] Light any_light(Random& random, const Double3& seen, double size);

/// What casts shadows into `seen`, as the view has it. Half of the objects stand between the light and a point that it
/// lights, most of these halfway; the others touch the volume.
[[nodiscard]] std::optional<Setting> fill_casters(Random& random, const exact::Volume& lit, const Light& light,
                                                  double margin, const lanecull::View& view, const std::string& text,
                                                  std::size_t count);

}  // namespace properties
