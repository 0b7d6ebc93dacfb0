#pragma once

#include <span>
#include <string>

#include "scene/scene.hpp"

namespace lanecull::program {

/// Asks for every closed mesh; no group, object or mesh of that name can be asked for.
inline constexpr const char* all_closed = "all-closed";

/// Makes solid what `--solid` names: a group, else the objects of a name and those that are drawn by a mesh of that
/// name, else all closed meshes (all_closed). Boxes are taken to be solid as the user says; of meshes it is proved.
/// Refuses a name of nothing, what is neither boxes nor meshes, and named meshes that are not closed.
void make_solid(Scene& scene, std::span<const std::string> names);

}  // namespace lanecull::program
