#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <lanecull/shadow.h>
#include <lanecull/view.h>

#include "properties/views/setting.hpp"
#include "support/double3.hpp"
#include "support/random.hpp"

/// Lights of every kind, and settings of what casts shadows by them.
namespace properties {

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
