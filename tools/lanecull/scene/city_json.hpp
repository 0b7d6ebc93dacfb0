#pragma once

#include <string>
#include <string_view>

#include "scene/scene.hpp"

namespace lanecull::program {

/// Whether the file's name says that it is CityJSON: .json, .cityjson.
[[nodiscard]] bool is_city_json(const std::string& file);

/// Reads CityJSON (1.0 to 2.0, cityjson.org). Each city object without parents is an object of the scene, together with
/// all its children, in the group of its type ("Building"), and its identifier is its name. Of several geometries of a
/// city object the most detailed counts. Coordinates are relative to `translate`, or to the least coordinates where the
/// file has none, which the description tells: floats of a whole country's coordinates would be off by centimetres.
/// Errors name the city object.
[[nodiscard]] Scene read_city_json(const std::string& file);
/// The same of its contents.
[[nodiscard]] Scene parse_city_json(std::string_view text, const std::string& file);

}  // namespace lanecull::program
