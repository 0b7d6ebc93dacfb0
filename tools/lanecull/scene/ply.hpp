#pragma once

#include <string>
#include <string_view>

#include "scene/scene.hpp"

namespace lanecull::program {

/// Whether the file's name ends in .ply.
[[nodiscard]] bool is_ply(const std::string& file);

/// Reads PLY, text or binary: one object, of the points that its faces or strips of triangles use, or of all points
/// where it has neither. Debian 12's assimp 5.2 takes binary data that begin with bytes of line ends for lines, ends
/// the program with a signal for some files, and reads others that are cut off in part.
[[nodiscard]] Scene read_ply(const std::string& file);
/// The same of its contents.
[[nodiscard]] Scene parse_ply(std::string_view text, const std::string& file);

}  // namespace lanecull::program
