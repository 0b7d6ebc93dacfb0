#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "scene/scene.hpp"

/// Objects by number and by name. Numbers count through all groups, as Batch::first_index does.
namespace lanecull::program {

struct ObjectPlace {
    std::size_t group;
    std::uint32_t index;  ///< in the group
};

/// Where an object of the scene is.
[[nodiscard]] ObjectPlace place_of(const Scene& scene, std::uint64_t object);

/// The object's name in the scene's file; empty if it has none.
[[nodiscard]] std::string name_of(const Scene& scene, const ObjectPlace& place);

/// Whether the text is that of a number.
[[nodiscard]] bool is_object_number(const std::string& text);

/// The object that `--object` asks for: a number, or the name of one object that is drawn (Group::stand_in). A text of
/// digits is a number; in double quotes it is a name. Refuses what is neither, or the name of several.
[[nodiscard]] std::uint64_t find_object(const Scene& scene, const std::string& text);

}  // namespace lanecull::program
