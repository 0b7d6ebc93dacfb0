#pragma once

#include <string>
#include <string_view>

#include "scene.hpp"

namespace lanecull::program {

/// A text file of boxes, one a line: minx miny minz maxx maxy maxz, separated by spaces, tabs or commas. # begins a
/// comment, empty lines do not count, and the first other line may be a header. Errors name the line.
[[nodiscard]] Scene read_box_list(const std::string& file);
/// The same of its contents.
[[nodiscard]] Scene parse_box_list(std::string_view text, const std::string& file);

}  // namespace lanecull::program
