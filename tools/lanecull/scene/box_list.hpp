#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scene/scene.hpp"

namespace lanecull::program {

/// A text of boxes, one a line: minx miny minz maxx maxy maxz, separated by blanks, commas or semicolons. # begins a
/// comment, empty lines do not count, and the first other line may be a header: it has no number. Where the header
/// names columns (box_columns.hpp), they are read by name. Boxes are rounded outwards where floats do not hold them.
/// Errors name the line. "-" is the standard input.
[[nodiscard]] Scene read_box_list(const std::string& file);
/// The same of its contents.
[[nodiscard]] Scene parse_box_list(std::string_view text, const std::string& file);

/// Whether the file's name says that it is a list: .txt, .csv, .tsv, or "-".
[[nodiscard]] bool is_box_list(const std::string& file);

/// Boxes of the plane, one array a component.
struct FlatBoxes {
    std::vector<float> min_x, min_y, max_x, max_y;
};

/// Whether the file is a list of boxes of the plane: its header names no z, or its first box has four numbers, minx
/// miny maxx maxy.
[[nodiscard]] bool is_flat_box_list(const std::string& file);
[[nodiscard]] FlatBoxes read_flat_box_list(const std::string& file);

}  // namespace lanecull::program
