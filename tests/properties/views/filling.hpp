#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "properties/views/placing.hpp"
#include "properties/views/setting.hpp"
#include "support/generate.hpp"

/// What families of views are made of: a view with its exact volume, filled with objects that touch it.
namespace properties {

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

}  // namespace properties
